/** Which pairs of a list are separated, corrected for their number, and how many games the others would need. */
import { formatCount, listWords, pluralize } from '../../machines/text.ts';
import { studentReach, TAIL } from '../counts/numeric.ts';
import { type ComparedGame, type Comparison, compareGames } from './comparisons.ts';

export type ComparedPair = {
  readonly one: string;
  readonly other: string;
  readonly result: Comparison;
  /** `p` corrected for the number of pairs in the list (Holm); null where `p` is. */
  readonly adjusted: number | null;
  /** About how many games would separate the two if the difference is as found; null if they are, or if none would. */
  readonly needed: number | null;
};

export const MOST_PAIRED = 16;
/** Standard deviations that a true difference must be beyond the threshold to be found in 80 of 100 cases. */
const POWER = 0.8416;
/** A normal distribution, as far as Student's matters here. */
const MANY = 1e6;
/** With more than this many times the games, nobody would play them. */
const MOST_TIMES = 100;

/** `lead` is the share of the impostors' side minus that of the crew's. Pairs without a telling game are left out. */
export function comparePairs<Game extends Pick<ComparedGame, 'pair' | 'impostorsWon'>>(
  names: readonly (readonly [one: string, other: string])[],
  games: readonly Game[],
  lead: (game: Game, name: string) => number,
): readonly ComparedPair[] {
  const pairs = names.flatMap(([one, other]) => {
    const compared = games.map((game) => {
      const { pair, impostorsWon } = game;
      return { pair, impostorsWon, one: lead(game, one), other: lead(game, other) };
    });
    const result = compareGames(compared);
    return result === null ? [] : [{ one, other, result }];
  });
  return correctPairs(pairs, games.length);
}

/** The same for pairs that were compared otherwise, by so many games. */
export function correctPairs(
  pairs: readonly Pick<ComparedPair, 'one' | 'other' | 'result'>[],
  games: number,
): readonly ComparedPair[] {
  const ranked = pairs
    .flatMap(({ result: { p } }, index) => (p === null ? [] : [{ p, index }]))
    .toSorted((one, other) => one.p - other.p);
  const adjusted = new Map<number, number>();
  let least = 0;
  for (const [rank, { p, index }] of ranked.entries()) {
    least = Math.max(least, Math.min(1, p * (ranked.length - rank)));
    adjusted.set(index, least);
  }
  const reach = studentReach(TAIL / Math.max(1, ranked.length), MANY) + POWER;
  return pairs.map((pair, index) => {
    const corrected = adjusted.get(index) ?? null;
    const { difference, error } = pair.result;
    if (corrected === null || error === null || corrected < TAIL || difference === 0)
      return { ...pair, adjusted: corrected, needed: null };
    const times = Math.max(1, ((reach * error) / difference) ** 2);
    const needed = Number((games * times).toPrecision(2));
    return { ...pair, adjusted: corrected, needed: times > MOST_TIMES ? null : needed };
  });
}

export function listPairs(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.flatMap((one, index) =>
    names.slice(index + 1).map((other) => [one, other] as const),
  );
}

function isSeparated({ adjusted }: ComparedPair): boolean {
  return adjusted !== null && adjusted < TAIL;
}

const MOST_NAMED = 5;

/** "not separated by 200 games; about 600 would do". */
export function describeSeparation(pair: ComparedPair, games: number): string {
  if (isSeparated(pair)) return 'separated';
  const found = `not separated by ${formatCount(games)} games`;
  if (pair.adjusted === null) return `${found}: too few to compare`;
  const { needed } = pair;
  return needed === null ? found : `${found}; about ${formatCount(needed)} would do`;
}

export function describePairs(pairs: readonly ComparedPair[], games: number): readonly string[] {
  const apart = listApart(pairs.filter(isSeparated));
  const near = pairs.filter((pair) => !isSeparated(pair) && pair.adjusted !== null);
  const gamesFor = ({ needed }: ComparedPair) => needed ?? Number.MAX_VALUE;
  const ranked = near.toSorted((one, other) => gamesFor(one) - gamesFor(other));
  const told = ranked.slice(0, MOST_NAMED).map(({ one, other, needed }) => {
    return `${one} and ${other}${needed === null ? '' : ` (about ${formatCount(needed)} would do)`}`;
  });
  const rest = near.length - told.length;
  const all = rest === 0 ? told : [...told, `${rest} more ${rest === 1 ? 'pair' : 'pairs'}`];
  const few = pairs.filter(({ adjusted }) => adjusted === null).length;
  const by = `by ${formatCount(games)} games`;
  return [
    ...(apart === '' ? [] : [`Separated ${by}, the better one first: ${apart}.`]),
    ...(all.length === 0 ? [] : [`Not separated ${by}: ${listWords(all)}.`]),
    ...(few === 0 ? [] : [`Too few games to compare ${few === 1 ? '1 pair' : `${few} pairs`}.`]),
  ];
}

/** "a from b and c; d from c", the better one first. */
function listApart(pairs: readonly ComparedPair[]): string {
  const better = Map.groupBy(pairs, ({ one, other, result }) =>
    result.difference > 0 ? one : other,
  );
  const apart = [...better].map(
    ([name, own]) =>
      `${name} from ${listWords(own.map(({ one, other }) => (one === name ? other : one)))}`,
  );
  return apart.join('; ');
}

/** Which pairs other numbers of tables would separate if each difference is as found, by the normal approximation. */
export function planPairs(
  pairs: readonly ComparedPair[],
  tables: number,
  sizes: readonly number[],
): readonly string[] {
  const compared = pairs.filter(({ result }) => result.error !== null);
  if (compared.length === 0) return [];
  const reach = studentReach(TAIL / compared.length, MANY);
  return sizes.map((size) => {
    const apart = compared.filter(({ result: { difference, error } }) => {
      return Math.abs(difference) > reach * (error ?? 0) * Math.sqrt(tables / size);
    });
    const which = apart.length === 0 ? '' : `: ${listApart(apart)}`;
    return `${formatCount(size)} tables would separate ${apart.length} of ${pluralize(compared.length, 'pair')}${which}.`;
  });
}
