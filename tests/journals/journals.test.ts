/**
 * Recorded journals are read, shown and played again as they were.
 *
 * What is made of them (digests.json) may be made anew after a change that shows them in another way; the difference is
 * reviewed. Bodies are compared to the byte where the rules are those of today.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { replay } from '../../actors/replay/replay.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { type Lens, lensFor } from '../../machines/journal/lens.ts';
import { lineSchema } from '../../machines/journal/lines.ts';
import { engineIn } from '../../machines/journal/opening.ts';
import { project } from '../../machines/journal/projection.ts';
import { SCORE_TERMS, type TermRow } from '../../machines/rules/scoreTerms.ts';
import { VERSIONS } from '../../machines/versions.ts';
import { expectGolden } from '../support/golden.ts';
import { compileCases } from './cases.ts';
import { CORPUS, fileOf, hashOf, MANIFEST, readOld } from './corpus.ts';
import { ODD_GAME, ODD_MEETING } from './matches.ts';

const NAMES = Object.keys(MANIFEST);
const TEXTS = new Map(NAMES.map((name) => [name, readOld(name)]));

const LENSES: Readonly<Record<string, Lens>> = {
  glass: { type: 'glass' },
  table: { type: 'table' },
  red: { type: 'player', seat: 'red' },
  orange: { type: 'player', seat: 'orange' },
};

const textOf = (name: string): string => TEXTS.get(name) ?? '';

const JOURNALS = new Map(NAMES.map((name) => [name, readJournal(textOf(name))]));

const journalOf = (name: string): Journal => JOURNALS.get(name) ?? readJournal('');

/** The version of a journal's rules. */
function rulesOf({ lines: [header] }: Journal): number | null {
  return header?.type === 'match.opened' ? header.rulesVersion : null;
}

test('no file of the corpus has changed, and none is missing or unnamed', () => {
  const files = readdirSync(CORPUS).filter((file) => file.endsWith('.zst'));
  expect(files.toSorted()).toEqual(NAMES.map((name) => `${name}.jsonl.zst`).toSorted());
  const hashes = NAMES.map((name) => [name, hashOf(readFileSync(fileOf(name)))]);
  const advice = 'an old journal is never changed: restore it, and add another one';
  expect(Object.fromEntries(hashes), advice).toEqual(
    Object.fromEntries(NAMES.map((name) => [name, MANIFEST[name]?.sha256])),
  );
});

const MOST_BYTES = 2 ** 20;

test('the corpus is small', () => {
  const bytes = NAMES.map((name) => statSync(fileOf(name)).size);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST_BYTES);
});

describe.each(NAMES)('the journal %s', (name) => {
  const text = textOf(name);
  const journal = journalOf(name);
  const isTorn = !text.endsWith('\n');

  test('is read whole, and its chain holds', () => {
    expect(journal.damages.map(({ code }) => code)).toEqual(isTorn ? ['journal/torn'] : []);
    expect(journal.lines.length).toBe(text.split('\n').length - 1);
  });

  test('a journal replays to the byte under the rules of its time', async () => {
    const engine = engineIn(journal.lines[0]);
    const outcome = await replay(journal);
    if (rulesOf(journal) === VERSIONS.rules) expect(outcome).toMatchObject({ type: 'same' });
    else expect(['same', 'different'], `played by ${engine}`).toContain(outcome.type);
  });
});

test('some journals of the corpus are of the rules of today', () => {
  const today = NAMES.filter((name) => rulesOf(journalOf(name)) === VERSIONS.rules);
  expect(today.length).toBeGreaterThan(0);
});

test('the lenses and final states of old journals are unchanged', () => {
  const digests = NAMES.map((name) => {
    const { lines } = journalOf(name);
    const seen = Object.entries(LENSES).map(([lens, what]) => {
      const shown = lines.map(lensFor(what)).filter((line) => line !== null);
      const stream = shown.map((line) => `${canonical(line)}\n`).join('');
      const state = canonical(project(shown, what));
      return [lens, { lines: shown.length, stream: hashOf(stream), state: hashOf(state) }];
    });
    return [name, Object.fromEntries(seen)];
  });
  expectGolden(
    'tests/journals/digests.json',
    `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`,
  );
});

/** A term that is not in play by default is in a journal only where its weight was set. */
function listIdleTerms(): readonly (readonly [RegExp, string])[] {
  const rows: readonly TermRow[] = SCORE_TERMS;
  const idle = rows.filter(({ weight }) => weight === 0);
  return idle.map(({ key }) => [new RegExp(`\\.scores\\[\\]\\.${key}$`), 'its weight is 0']);
}

/** Cases that the schema allows and no journal has, each with its reason. */
const ABSENT: readonly (readonly [RegExp, string])[] = [
  [/\.match \(\d\)\.ghosts/, 'a header leaves them out: what concerns ghosts is in gallery.opened'],
  [/\.options\./, 'each is a row of one table; the next test has those that the matches here set'],
  ...listIdleTerms(),
  [/\.seats\[\]\.headers$/, 'names of variables, like `key`, which some journal has'],
  [/\.persona \(1\)/, 'a header has the whole persona in the place of its temperament'],
  [/match \(2\)\.seats\[\]\.(?:role|persona): left out$/, 'the header of a game has dealt them'],
  [
    /^ (?!match|round|tick|turn|meeting\.closed|game)\S+:\.clock$/,
    'there by chance: a late reply or a request is noted with whichever line comes next',
  ],
  [/^ meeting\.called:\.clock$/, 'as the one before'],
  [/^ match\.opened:\.clock: left out$/, 'it names the version that began the journal'],
  [/intent\.refused:\.intent wait:/, 'anybody can wait anywhere'],
  [
    /\.deeds\{\}: (?:passing|vent|kill|dead)$/,
    'they are of players in the open who stay where they are',
  ],
  [/^ meeting\.refused:/, 'a match whose call breaks a rule is refused before it begins'],
  [/^ tick\.closed:\.requestKind: ghost$/, 'ghosts have turns'],
  [/^ turn\.closed:\.requestKind: (?:discussion|voting)$/, 'the living have ticks'],
  [/\.scores\[\]\.die: left out$/, 'a die shows 1 at the least'],
  [/\.scores\[\]\.(?:hasVoted|calledOn|eligible): false$/, 'flags that are false are left out'],
  [/^word system of 19$/, 'what System says follows from `nudge`'],
  [
    /^ (?:poll\.counted|verdict\.announced):\.outcome: (?:unconverged|interrupted|refused)$/,
    'a meeting that ends so counts no poll',
  ],
  [
    /^ stop\.requested:\.outcome: (?:ejected|tie|skipped|empty|refused)$/,
    'these are no outcomes that are asked for',
  ],
  [/^ meeting\.closed:\.outcome: refused$/, 'as `meeting.refused`'],
];

test('every field, and each of its values that has a name, is in some journal of the corpus', () => {
  const { all, found, mark } = compileCases(lineSchema);
  for (const text of TEXTS.values()) {
    for (const row of text.split('\n').slice(0, -1)) mark(JSON.parse(row));
  }
  expect(all.size).toBeGreaterThan(1000);
  const absent = [...all].filter((one) => !found.has(one));
  expect(absent.filter((one) => !ABSENT.some(([pattern]) => pattern.test(one)))).toEqual([]);
  // A reason that covers nothing has been overtaken.
  const idle = ABSENT.filter(([pattern]) => !absent.some((one) => pattern.test(one)));
  expect(idle.map(([pattern]) => String(pattern))).toEqual([]);
});

test('every option that the matches of the corpus set is in one header and left out of another', () => {
  const headers = NAMES.flatMap((name) => journalOf(name).lines.slice(0, 1));
  const options = headers.flatMap((line) =>
    line.type === 'match.opened' ? line.match.options : [],
  );
  for (const name of Object.keys({ ...ODD_GAME, ...ODD_MEETING })) {
    expect(
      options.some((one) => name in one),
      `${name} is written`,
    ).toBe(true);
    expect(
      options.some((one) => !(name in one)),
      `${name} is left out`,
    ).toBe(true);
  }
});

/** What docs/journal.md says of the clock and of the requests in it, with what a request may have. */
const CLOCK = {
  fields: ['calls', 'engine', 'late', 'ms'],
  late: ['fault', 'reply'],
  modes: ['json_object', 'json_schema', 'text', 'tool'],
  calls: ['estimate', 'failure: null', 'failure: text', 'repaired', 'reply: null', 'reply: text'],
};

test('every field of the clock is in some journal of the corpus, and requests of every kind', () => {
  const clocks = NAMES.flatMap((name) => journalOf(name).lines).map(({ clock = {} }) => clock);
  const calls = clocks.flatMap((clock) => listRecords(clock['calls']));
  const sorted = (words: readonly string[]) => [...new Set(words)].toSorted();
  expect({
    fields: sorted(clocks.flatMap((clock) => Object.keys(clock))),
    late: sorted(
      clocks.flatMap((clock) => listRecords(clock['late'])).map(({ type }) => String(type)),
    ),
    modes: sorted(calls.map(({ mode }) => String(mode))),
    calls: sorted(
      calls.flatMap(({ failure, reply, ...call }) => [
        `failure: ${failure === null ? 'null' : 'text'}`,
        `reply: ${reply === null ? 'null' : 'text'}`,
        ...['estimate', 'repaired'].filter((name) => name in call),
      ]),
    ),
  }).toEqual(CLOCK);
});

function listRecords(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}
