/** One table from many bundles. A bundle that does not fit, or whose games another one has, gets a sentence and no row. */
import { Failure, nameOf } from '../../actors/files/failure.ts';
import { pluralize } from '../../machines/text.ts';
import { findMedian, rate, studentReach, studentTail, sumOf, TAIL } from '../counts/numeric.ts';
import { type ComparedPair, correctPairs, describePairs, planPairs } from '../league/separation.ts';
import { type Bundle, type BundleGame, type CompactGame, isCompact } from './bundle.ts';
import type { OpenedBundle } from './bundleFolder.ts';
import { nameTested } from './definition.ts';
import { type BenchmarkScores, scoreTables } from './scores.ts';
import { STANDARD_TABLES } from './sizes.ts';
import type { BundleVerification } from './verify.ts';

export type BenchmarkRow = Readonly<ReturnType<typeof readRow>>;

export type BenchmarkTableOfMany = {
  /** The best first, by the sum of deception and detection. */
  readonly rows: readonly BenchmarkRow[];
  readonly notes: readonly string[];
};

export async function tableBundles(
  paths: readonly string[],
  open: (path: string) => Promise<OpenedBundle>,
  verify: (opened: OpenedBundle) => Promise<BundleVerification>,
): Promise<BenchmarkTableOfMany> {
  const rows: BenchmarkRow[] = [];
  const refused: string[] = [];
  const seen = new Map<string, string>();
  for (const path of paths) {
    try {
      const opened = await open(path);
      // Other times change the digest of a game, but not its last hash.
      const digests = opened.bundle.games.flatMap((game: CompactGame | BundleGame) =>
        isCompact(game) ? [game.tested] : [game.tested.digest, game.tested.living],
      );
      const earlier = digests.map((digest) => seen.get(digest)).find((one) => one !== undefined);
      if (earlier !== undefined) {
        refused.push(`No row for ${nameOf(path)}: ${earlier} has its games.`);
        continue;
      }
      const verification = await verify(opened);
      const [first] = verification.findings;
      if (first !== undefined || verification.scores === null) {
        const what = `${pluralize(verification.findings.length, 'finding')}, such as: ${first?.text ?? 'a game is missing'}`;
        refused.push(`No row for ${nameOf(path)}: it is not what it says (${what}).`);
        continue;
      }
      for (const digest of digests) seen.set(digest, nameOf(path));
      rows.push(readRow(path, opened.bundle, verification, verification.scores));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refused.push(
        `No row for ${nameOf(path)}: ${error.notes.map(({ text }) => text).join('; ')}.`,
      );
    }
  }
  const sum = ({ scores: { deception, detection } }: BenchmarkRow) =>
    (deception.value ?? 0) + (detection.value ?? 0);
  const ranked = rows.toSorted((one, other) => sum(other) - sum(one));
  return { rows: ranked, notes: [...compareRows(ranked), ...listUndecided(ranked), ...refused] };
}

function listUndecided(rows: readonly BenchmarkRow[]): readonly string[] {
  const named = rows.flatMap(({ name, scores: { reliability } }) =>
    reliability.undecided === undefined ? [] : [`${name} ${reliability.undecided}`],
  );
  return named.length === 0
    ? []
    : [`Games without a winner, whose turns do not count as usable: ${named.join(', ')}.`];
}

function readRow(
  path: string,
  { tested, tables, games }: Bundle,
  { figures, conducts }: BundleVerification,
  scores: BenchmarkScores,
) {
  const ms = conducts.flatMap((one) => one.ms);
  const dollars = conducts.map((one) => one.dollars);
  return {
    name: nameTested(tested),
    bundle: nameOf(path),
    tables,
    scores,
    figures,
    /** Statements with a claim for the reader: the minds of the pool hear only these. */
    understood: rate(
      sumOf(conducts, (one) => one.understood),
      sumOf(conducts, (one) => one.statements),
    ),
    tokens: sumOf(games, (game: CompactGame | BundleGame) =>
      isCompact(game) ? 0 : game.tested.prompt_tokens + game.tested.completion_tokens,
    ),
    /** As reported; null without a request, or where one has no cost. */
    dollars: ms.length === 0 || dollars.includes(null) ? null : sumOf(dollars, (one) => one ?? 0),
    seconds: ms.length === 0 ? null : findMedian(ms) / 1000,
  };
}

const RANDOM = 'anchor_random';
const COMPARED = ['deception', 'detection'] as const;

function compareRows(rows: readonly BenchmarkRow[]): readonly string[] {
  const tables = Math.min(...rows.map((one) => one.tables));
  const all = COMPARED.map((score) => {
    const pairs = rows.flatMap((one, index) =>
      rows.slice(index + 1).map((other) => {
        return { one: one.name, other: other.name, result: comparePair(score, one, other) };
      }),
    );
    return { score, pairs: correctPairs(pairs, tables) };
  });
  const better = all.map(({ score, pairs }) => `${listBetter(pairs) || 'nobody'} in ${score}`);
  const first = rows.some(({ name }) => name === RANDOM)
    ? [`Better than random legal play: ${better.join('; ')}.`]
    : [];
  return [
    ...first,
    ...all.flatMap(({ score, pairs }) =>
      [...describePairs(pairs, tables), ...planPairs(pairs, tables, STANDARD_TABLES)].map(
        (sentence) => `${score}: ${sentence}`,
      ),
    ),
  ];
}

function listBetter(pairs: readonly ComparedPair[]): string {
  return pairs
    .flatMap(({ one, other, adjusted, result: { difference } }) => {
      const [winner, loser] = difference > 0 ? [one, other] : [other, one];
      return loser === RANDOM && (adjusted ?? 1) < TAIL ? [winner] : [];
    })
    .join(', ');
}

function comparePair(
  score: (typeof COMPARED)[number],
  one: BenchmarkRow,
  other: BenchmarkRow,
): ComparedPair['result'] {
  const played = one.figures.flatMap((table, index) => {
    const reference = other.figures[index]?.tested;
    return reference === undefined ? [] : [{ ...table, reference }];
  });
  const { value, least, most, cases } = scoreTables(played)[score];
  const base = { difference: (value ?? 0) / 100, cases, isPaired: true };
  if (value === null || least === null || most === null)
    return { ...base, least: null, most: null, p: null, error: null };
  const error = Math.max(value - least, most - value) / studentReach(TAIL, cases - 1) / 100;
  const p = studentTail(base.difference / error, cases - 1);
  return { ...base, least: least / 100, most: most / 100, p, error };
}
