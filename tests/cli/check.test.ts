/**
 * `glassbox check` as a real process: proofs, budgets, counterexamples, recorded meetings, and formats for other
 * tools.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { forged, type Row, textOf } from '../actors/engine/journal/records.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, glassbox, jsonLines, Running } from './shell.ts';

const DOCS = readFileSync(new URL('../../docs/checking.md', import.meta.url), 'utf8');

const property = z.object({
  name: z.string(),
  verdict: z.enum(['proved', 'violated', 'incomplete', 'vacuous']),
  asDeclared: z.boolean(),
  why: z.string().nullable(),
  counterexample: z
    .object({
      steps: z.array(
        z.object({
          at: z.string(),
          to: z.string(),
          happened: z.string(),
          changes: z.array(z.string()),
        }),
      ),
      loop: z.number().nullable(),
      excludedBy: z.array(z.string()),
    })
    .nullable(),
});
const result = z.object({
  type: z.literal('check.result'),
  v: z.literal(1),
  exit: z.number(),
  coverage: z.object({ missing: z.array(z.object({ needs: z.string().nullable() })) }).nullable(),
  runs: z.array(
    z.object({
      rules: z.string(),
      players: z.number(),
      engine: z.string().nullable(),
      symmetry: z.string().nullable(),
      states: z.number(),
      peakMemoryBytes: z.number().min(1),
      searches: z.array(
        z.object({ symmetric: z.boolean(), states: z.number(), ended: z.string().nullable() }),
      ),
      properties: z.array(property),
      ballots: z.array(z.object({ phase: z.string(), ballots: z.number().nullable() })),
      bound: z.object({ ticks: z.number(), arithmetic: z.string() }),
    }),
  ),
});

const { run } = aPlace();
/** Fewer states, for tests that need none of the others. */
const QUIET = '--no-faults --departures 0';
const check = (words: string) =>
  run(`check ${words}${words.startsWith('--game') ? '' : ` ${QUIET}`}`);

async function checked(words: string) {
  const { exit, out, err } = await check(`--json ${words}`);
  const lines = jsonLines(out);
  const last = result.parse(lines.at(-1));
  expect({ exit, err }).toEqual({ exit: last.exit, err: '' });
  return { ...last, lines };
}

type Ran = z.infer<typeof result>['runs'][number];

function ballotsIn({ ballots }: Ran): Readonly<Record<string, number | null>> {
  return Object.fromEntries(ballots.map(({ phase, ballots: number }) => [phase, number]));
}

function vectors(players: number) {
  const [all, complete] = [(players + 2) ** players, (players + 1) ** players];
  return { discussion: all - complete, reveal: complete, closed: complete };
}

describe.concurrent('three players', () => {
  testLong('every property is as declared, in both rule sets, and the table says so', async () => {
    const out = expectQuiet(await glassbox('check --verbose'));
    expect(out).toMatch(/^✓ Every meeting .* \d+ verdicts: all as declared\n¬ .*: ends\n\n/);
    expect(out).toContain('The meeting, house: patience 2, minds may fail, up to 1 leave');
    expect(out).toContain('The meeting, classic: patience 2');
    expect(out).toMatch(/^✓ {2}vote-lock +step +proved$/m);
    expect(out).toMatch(/^✓ {2}can-tie +sometimes +seen$/m);
    expect(out).toMatch(/^¬ {2}ends +eventually +violated as declared$/m);
    expect(out).toMatch(/W = ⌈Δ\/c⌉ \+ N − 2 \+ n0 = ⌈21\/6⌉ \+ 3 − 2 \+ 3 = 8$/m);
    expect(out).toMatch(/^ {2}· discussion\.pausing {2}\(needs beat_ms\)$/m);
    expect(out).not.toMatch(/incomplete|vacuous|△/);
    // Fewer lines on the screen say the same, and how to see the rest.
    const short = await run('check --rules house');
    expect(short.out.split('\n').length).toBeLessThan(26);
    expect(short.out).toMatch(
      /^searched: all meetings of 3 players, house, faults of minds, 1 dep/m,
    );
    expect(short.out).toMatch(
      /^not searched: classic rules, stops by the operator where players act differently \(--stops\)/m,
    );
    const [first, second] = short.out.split('\n');
    expect(first).toMatch(/^✓ Every meeting .* \d+ verdicts: all as declared$/);
    expect(second).toMatch(/^¬ .*: ends \(see how: check --property ends\)$/);
    const held = /^✓ {2}properties that hold +(\d+) proved, (\d+) seen$/m.exec(short.out);
    const house = out.slice(0, out.indexOf('The meeting, classic'));
    expect(held?.slice(1).map(Number)).toEqual([
      house.match(/^✓ .* proved$/gm)?.length,
      house.match(/^✓ .* seen$/gm)?.length,
    ]);
    const missing = /^ {2}(\d+) parts need .*: --verbose lists them$/m.exec(short.out)?.[1];
    expect(Number(missing)).toBeGreaterThan(30);
    expect(short.out).not.toContain('nearest');
    expect(short.err).toContain('--verbose');
    expect([out, short.out].flatMap((text) => text.match(/^✓.*violated.*$/gm) ?? [])).toEqual([]);
  });

  test('a meeting without votes repeats for ever and is reported as a loop', async () => {
    const { out } = await check('--rules house --property ends');
    const told = out.slice(out.indexOf('¬ ends, house, 3 players, violated as declared:'));
    expect(told).toMatch(/↺ from here it goes round\n +2 {2}discussion\.bidding +all passed\n/);
    expect(told).toContain(
      'This assumption would rule it out: a player without a ballot eventually votes',
    );
    expect(told).toContain('It is declared to be violated, to show that it needs an assumption.');
  });

  testLong(
    'arithmetic explains the ballots that were seen, with and without symmetry',
    async () => {
      const [folded, whole] = await Promise.all([
        checked('--rules house'),
        checked('--rules house --no-symmetry'),
      ]);
      for (const { runs } of [folded, whole]) {
        expect(runs.map(ballotsIn)).toEqual([expect.objectContaining(vectors(3))]);
      }
      const [one, other] = [folded.runs[0], whole.runs[0]];
      expect(one?.searches.map(({ symmetric }) => symmetric)).toEqual([true]);
      expect(other?.searches.map(({ symmetric }) => symmetric)).toEqual([false]);
      expect(one?.searches[0]?.states ?? 0).toBeLessThan(other?.searches[0]?.states ?? 0);
      const verdicts = (run = one) => run?.properties.map(({ name, verdict }) => [name, verdict]);
      expect(verdicts(one)).toEqual(verdicts(other));
      expect(folded.lines.map(({ type }) => type)).toEqual(['check.run', 'check.result']);
    },
  );

  testLong('every field of the result is documented', async () => {
    const { lines } = await checked('--rules classic --property ends vote-lock');
    const names = new Set<string>();
    const collect = (value: unknown, depth: number) => {
      if (typeof value !== 'object' || value === null || depth > 5) return;
      for (const [name, part] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(name);
        if (name !== 'matrix') collect(part, depth + 1);
      }
    };
    collect(lines.at(-1), 0);
    const told = [...names].filter((name) => !DOCS.includes(`\`${name}\``));
    expect(told).toEqual([]);
  });

  testLong('a fault, a departure and the end of the run are proved as well', async () => {
    const words = '--rules house --players 2 --faults --departures 1 --stops';
    const { runs, coverage, exit } = await checked(words);
    expect(runs[0]?.properties.filter(({ asDeclared }) => !asDeclared)).toEqual([]);
    expect(runs[0]?.properties.map(({ name }) => name)).toContain('ends-if-all-vote');
    expect(coverage?.missing.filter(({ needs }) => needs === null)).toEqual([]);
    expect(exit).toBe(0);
  });
});

describeLong.concurrent('budgets', () => {
  test('a search that was ended proves nothing, and nothing about the chart', async () => {
    const { exit, runs, coverage } = await checked('--rules house --max-states 20');
    expect(exit).toBe(5);
    expect(coverage).toBeNull();
    const verdicts = runs[0]?.properties.filter(({ name }) => !name.startsWith('can-')) ?? [];
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['incomplete']));
    expect(verdicts[0]?.why).toBe('the budget of 20 states ended the search');
  });

  test('memory that is not enough leaves a search undecided', async () => {
    const { exit, out } = await check('--rules house --property ends --max-memory 1');
    expect(exit).toBe(5);
    expect(out).toContain('incomplete: the budget of 1 MB ended the search: ends');
  });

  test('a search that is too large for the heap ends by itself and reports its coverage', async () => {
    const large = '--players 10 --faults --departures 1 --max-states 50000000';
    const { exit, out, err } = await glassbox(`check --verbose ${large} --property vote-lock`, {
      env: { NODE_OPTIONS: '--max-old-space-size=150' },
    });
    expect({ exit, err }).toEqual({ exit: 5, err: '' });
    expect(out).toMatch(/incomplete: the budget of \d+ MB ended the search: vote-lock/);
    expect(out).toMatch(/ticks in part +[1-9]/);
  });

  test('Ctrl-C marks the running search and later ones as incomplete and keeps closed ones', async () => {
    const sizes = '--players 2..10 --rules house --faults --departures 1';
    const running = new Running(`check ${sizes} --property vote-lock --json`);
    await running.said('check.run');
    running.signal('SIGINT');
    const found = await running.finished;
    expectEnd(found, 5, 'The search ends here and says what it has covered. Press Ctrl-C again');
    const { runs } = result.parse(jsonLines(found.out).at(-1));
    const ends = runs.map(({ searches }) => searches[0]?.ended);
    expect(ends).toHaveLength(9);
    expect(ends[0]).toBeNull();
    expect(ends.at(-1)).toBe('an interruption');
  });

  test('the output names undecided properties', async () => {
    const { exit, out } = await check('--max-states 20 --property ends --rules classic');
    expect(exit).toBe(5);
    expect(out).toMatch(/^\? {2}ends +eventually +incomplete, declared violated$/m);
    expect(out).toContain('3 players, incomplete: the budget of 20 states ended the search');
    expect(out).toMatch(/^\? The search did not finish\. 1 verdict: 1 undecided\n/);
  });
});

describe.concurrent('a match', () => {
  const withSlope = (slope: number, more = '') =>
    `${SCENARIO}options: { ${more}weights: { silence: { slope: ${slope} } } }\n`;

  testLong('brings its options, its weights and its dead', async () => {
    const { done } = aPlace({ 'a.yaml': withSlope(7, 'rules: classic, ') });
    const out = await done('check a.yaml --verbose --players 3 --property vote-lock');
    const world = 'classic: patience 2, minds may fail, up to 1 leave, 1 ghost';
    expect(out).toContain(`The meeting, ${world}`);
    expect(out).toContain('⌈21/7⌉ + 3 − 2 + 3 = 7');
  });

  test.each([
    ['that makes no sense', 'name: x\n', ''],
    ['whose weights starve', withSlope(0), 'weights/starve: a.yaml: silence slope 0'],
  ])('%s is refused', async (_, text, words) => {
    const found = await aPlace({ 'a.yaml': text }).run('check a.yaml');
    expectEnd(found, 78, words);
    expect(found.out).toBe('');
  });
});

describe.concurrent('the command line', () => {
  const NOT_SO = 'check/unknown-property: --property: there is no property';
  test.each([
    ['--players 0', 'usage/invalid-argument: --players: expected a whole number from 2 to 10'],
    [
      '--players 4..3',
      '--players: expected a number of players from 2 to 10, or a range such as 3..6',
    ],
    ['--players 3..4..5', '--players: expected a number of players'],
    ['--rules chess', '--rules: expected one of house, classic'],
    ['--departures x', '--departures: expected a whole number'],
    ['--property vote-lok', `${NOT_SO} "vote-lok"; did you mean "vote-lock"?`],
    [
      '--no-faults --departures 0 --property interruption-stands',
      'check/not-in-this-world: --property: interruption-stands never applies in this world',
    ],
    ['a.yaml --ghosts 1', 'check/ghosts-of-match'],
    ['--players 4 --ghosts 12', 'check/too-many-seats'],
    ['--players 3..10 --ghosts 6', 'found 16 [check/too-many-seats]'],
    ['--ghosts 13', 'expected a whole number from 0 to 12'],
    ['--mutants --players 3', 'check/not-together: --mutants and --players'],
    ['--property silent-at-most', 'did you mean "silent-at-most-w"?'],
    [
      'a.yaml --players 9',
      'check/too-few-players: --players: the match has 4 living players, found 9',
    ],
    ['--game --property vents', 'there is no property "vents"'],
    ['--game --players 4', '--game and --players'],
    ['my.yaml --game', '--game brings its own tables'],
  ])('%s is a mistake of usage', async (words, sentence) => {
    const found = await aPlace({ 'a.yaml': SCENARIO }).run(`check ${words}`);
    expectEnd(found, 2, sentence, 'check --help');
    expect(found.out).toBe('');
  });

  test.each([
    ['none.yaml', 66],
    ['--junit no/such/folder.xml', 73],
    ['--trace notes.txt', 73],
  ])(
    '%s is known to be missing or not writable before anything is searched',
    async (words, exit) => {
      const { run, read } = aPlace({ 'notes.txt': 'mine' });
      expect(await run(`check ${words}`)).toMatchObject({ exit, out: '' });
      expect(read('notes.txt')).toBe('mine');
    },
  );
});

describe.concurrent('a counterexample', () => {
  testLong('is a journal without a damage, which is watched like any other', async () => {
    const { run, read } = aPlace();
    const found = await run('check --rules classic --property ends --trace ends.jsonl');
    expectEnd(found, 0, 'Watch it: ');
    expect(readJournal(read('ends.jsonl')).damages).toEqual([]);
    const watched = await run('watch ends.jsonl');
    const note = 'The journal ends in mid-meeting: ends.jsonl\n';
    expect(watched).toMatchObject({ exit: 0, err: note });
    expect(watched.out).toContain('ends: classic, 3 players');
    expect(watched.out).toContain('Red presses the emergency button');
    expect(watched.out).toContain('no player bids for the floor');
    const judged = expectQuiet(await run('verify --replay 0 ends.jsonl'));
    expect(judged).toContain('up to where it ends in mid-meeting');
  });

  testLong('of four seats is played by the real actors, to the byte', async () => {
    const { run, done } = aPlace();
    await done('check --rules house --ghosts 1 --property ends --trace ends.jsonl');
    const replayed = expectQuiet(await run('verify ends.jsonl'));
    expect(replayed).toContain('the same: ends.jsonl was played again');
  });

  test('that is not there leaves no file', async () => {
    const { path, run } = aPlace();
    const found = await run('check --property vote-lock --rules house --trace x.jsonl');
    expectEnd(found, 0, 'No property is violated: nothing is written to x.jsonl');
    expect(existsSync(path('x.jsonl'))).toBe(false);
  });
});

describe.concurrent('beside the meeting', () => {
  test.each([
    [
      'vote-lock',
      'all meetings of 2 players, house',
      ', stops by the operator (--stops), ghosts (--ghosts), small tables',
    ],
    [
      'vote-lock holds-for-every-call',
      'all meetings of 2 players, house, small tables of players who act alike (with stops)',
      ', stops by the operator where players act differently (--stops), ghosts (--ghosts), the arb',
    ],
    [
      'holds-for-every-call',
      'small tables of players who act alike (with stops)',
      'classic rules, the meeting itself, the arbiter',
    ],
    ['silent-at-most-w', 'silent-at-most-w', 'the meeting itself, small tables, the arbiter'],
  ])('a check of %s says what it has searched, and what not', async (names, searched, open) => {
    const words = `--rules house --players 2 --property ${names}`;
    const lines = expectQuiet(await check(words))
      .trimEnd()
      .split('\n');
    expect(lines.at(-2)).toBe(`searched: ${searched}`);
    expect(lines.at(-1)).toMatch(/^not searched: classic rules, /);
    expect(lines.at(-1)).toContain(open);
    expect(lines.some((line) => line.startsWith('coverage: '))).toBe(names.startsWith('vote-lock'));
  });

  test('the bound on silence is proved, searched by itself when it alone is asked for', async () => {
    const { runs, exit, coverage } = await checked('--property silent-at-most-w');
    expect({ exit, coverage }).toEqual({ exit: 0, coverage: null });
    for (const { properties, searches } of runs) {
      expect(searches).toEqual([]);
      expect(properties).toMatchObject([{ name: 'silent-at-most-w', verdict: 'proved' }]);
    }
  });

  testLong.each(['--players 3 --ghosts 12', '--players 4 --ghosts 0'])(
    'the bound of a late meeting is proved with %s',
    async (words) => {
      const name = 'silent-at-most-3n-1';
      const { runs, exit } = await checked(`${words} --rules house --property ${name}`);
      expect(exit).toBe(0);
      expect(runs).toMatchObject([{ properties: [{ name, verdict: 'proved' }] }]);
    },
  );

  test('a budget leaves it undecided, and says so', async () => {
    const { exit } = await checked('--property silent-at-most-w --max-states 9');
    expect(exit).toBe(5);
  });

  testLong('secrets are asked for by name, or with a ghost among three', async () => {
    const { runs, exit } = await checked('--property roles-do-not-interfere --rules house');
    expect(exit).toBe(0);
    expect(runs[0]?.properties).toMatchObject([{ verdict: 'proved', counterexample: null }]);
  });
});

/** A meeting with a failure, a departure and an ejection. */
const HOME = aPlace({ 'a.yaml': `${SCENARIO}fault_rate: 0.2\n` });
await HOME.done('run a.yaml --seed 7 --out a.jsonl');
const JOURNAL = HOME.read('a.jsonl');

describe.concurrent('a recorded meeting', () => {
  const judge = (text: string) => aPlace({ 'x.jsonl': text }).run('verify --replay 0 x.jsonl');

  testLong('satisfies every property that can be judged by one meeting', async () => {
    expect(expectQuiet(await judge(JOURNAL))).toMatch(
      /^✓ x\.jsonl: \d+ steps, 3\d properties hold, \d+ did not apply\n$/,
    );
  });

  const first = (type: string) =>
    readJournal(JOURNAL).lines.findIndex((line) => line.channel === 'living' && line.type === type);
  const at = (type: string, edit: (row: Row) => Row | null) =>
    forged(JOURNAL, (row, index) => (index === first(type) ? edit(row) : row));
  const other = (seat: unknown) => (seat === 'red' ? 'blue' : 'red');
  const otherBallot = (row: Row) => ({ ...row, ballot: other(row['ballot']) });
  const otherEjected = (row: Row) => ({
    ...row,
    ejected: other(row['ejected']),
    outcome: 'ejected',
  });
  const boo = (row: Row) => ({
    ...row,
    bids: [...Object.values(Object(row['bids'])), { seat: 'pink', fault: 'mind/late', text: '' }],
    floor: 'pink',
    said: { speaker: 'pink', message: 'boo', tick: 0 },
  });

  testLong.each([
    ['a ballot that nobody cast', 'vote.locked', 'votes-count-as-cast', otherBallot],
    ['a count that is none', 'poll.counted', 'unique-plurality', otherEjected],
    ['another ballot', 'ballot.revealed', 'each-ballot-is-turned-once', otherBallot],
    ['scratchpads that were kept', 'scratchpads.erased', 'erased-once', () => null],
    ['a ghost', 'tick.closed', 'ticks-are-announced-as-they-were', boo],
  ])(
    'that was written anew with %s is found out, line and sentence',
    async (_, type, name, edit) => {
      const text = at(type, edit);
      expect(readJournal(text).damages).toEqual([]);
      const { exit, out, err } = await judge(text);
      expect({ exit, err }).toEqual({ exit: 1, err: '' });
      const place = `line ${first(type) + 1}: ${name}: [A-Z].*\\.(?: \\(.+\\))?`;
      expect(out).toMatch(new RegExp(`^✗ x\\.jsonl, ${place}$`, 'm'));
      expect(out).toContain('follows-the-rules: the journal has ');
    },
  );

  testLong('with something that can’t happen there is found out', async () => {
    const departed = { channel: 'living', type: 'seat.departed', reason: 'left', during: 'tick' };
    const index = first('tick.closed');
    const rows = JOURNAL.split('\n').slice(0, -1);
    const text = forged(
      textOf(rows.toSpliced(index, 0, JSON.stringify({ ...departed, seat: 'pink' }))),
      (row) => row,
    );
    expect(readJournal(text).damages).toEqual([]);
    const { exit, out } = await judge(text);
    expect(exit).toBe(1);
    expect(out).toContain(`line ${index + 1}: follows-the-rules: the journal has seat.departed`);
  });

  testLong('is judged for programs, several at once', async () => {
    const spoilt = at('scratchpads.erased', () => null);
    const { run, read } = aPlace({ 'a.jsonl': JOURNAL, 'b.jsonl': spoilt });
    const { exit, out } = await run('verify --replay 0 a.jsonl b.jsonl --json --junit x.xml');
    expect(exit).toBe(1);
    const lines = jsonLines(out);
    expect(lines.map(({ type }) => type)).toEqual(['verify.journal', 'verify.journal']);
    expect(lines.at(-1)).toMatchObject({ v: 1, journal: 'b.jsonl', replay: null });
    expect(read('x.xml')).toContain('<testsuite name="a.jsonl"');
  });

  test('that is damaged is no proof of anything', async () => {
    const cut = await judge(JOURNAL.slice(0, -40));
    expect(cut).toMatchObject({ exit: 65, out: expect.stringContaining('✓ x.jsonl: ') });
    for (const text of [JOURNAL.replace('"ballot":', '"ballot" :'), 'no journal'])
      expect(await judge(text)).toMatchObject({ exit: 65, out: '' });
  });
});

describeLong('reports for other programs', () => {
  test('JUnit has a case for each verdict, and an undecided property is an error', async () => {
    const { run, read } = aPlace();
    const words = '--rules house --players 3..4 --max-states 2500 --junit x.xml';
    expect((await run(`check ${words}`)).exit).toBe(5);
    const xml = read('x.xml');
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /);
    const suites = [
      ...xml.matchAll(/<testsuite name="(.*?)" tests="(\d+)" failures="(\d+)" errors="(\d+)">/g),
    ];
    // Three players have 928 states, and no search beside them has more than the budget. Four players exceed it.
    expect(suites.map(([, name, , failures, errors]) => [name, failures, errors !== '0'])).toEqual([
      ['house, 3 players', '0', false],
      ['house, 4 players', '0', true],
      ['coverage', '0', true],
    ]);
    const sum = (column: 2 | 4) => suites.reduce((all, suite) => all + Number(suite[column]), 0);
    expect(xml.match(/<testcase /g)).toHaveLength(sum(2));
    expect(xml.match(/<error type="incomplete"/g)).toHaveLength(sum(4));
  });
});

test('whole games that a budget leaves undecided are told in a line each, and how to go on', async () => {
  const words = '--game --property over-is-judged the-end-is-told --max-states 5';
  const { exit, out, err } = await check(words);
  expect(exit).toBe(5);
  const line =
    '? incomplete: the budget of 5 states ended the search: the-end-is-told, over-is-judged';
  expect(out.match(/^\? .*$/gm)).toEqual(Array.from({ length: 13 }, () => line));
  expect(out).toMatch(/^searched: a part of the game, kills and reports; /m);
  expect(err).toBe('To decide more, allow more states: --max-states.\n');
});

describeLong('whole games', () => {
  test('a search that is cut short says of each game how far it came', async () => {
    const { exit, out } = await check('--game --max-states 450 --json');
    expect(exit).toBe(5);
    const lines = jsonLines(out);
    const games = lines.filter(({ type }) => type === 'check.game');
    expect(games.map(({ game, ended }) => [game, ended])).toEqual([
      ['kills and reports', 'the budget of 450 states'],
      ['the button, leavers and stops', 'the budget of 450 states'],
      ['vents, doors and tasks', 'the budget of 450 states'],
      ['sabotage and repairs', 'the budget of 450 states'],
      ['oxygen and comms', 'the budget of 450 states'],
      ['faults and ghosts who meddle', null],
      ['ghosts who work', 'the budget of 450 states'],
      ['long arms, and doors that stay shut', null],
      ['short arms, and kills in the dark', 'the budget of 450 states'],
      ['two impostors at once', null],
      ['far ways, followers and cameras', 'the budget of 450 states'],
      ['the last round', null],
    ]);
    expect(games[5]).toMatchObject({ players: 4, states: 325, transitions: 21_307, broken: null });
    expect(lines.at(-1)).toMatchObject({ type: 'check.result', exit: 5, games: { length: 12 } });
  });

  test('a game in which all is as declared is told in two lines, before the scope', async () => {
    const words = '--game --property vents-are-for-impostors --max-states 10000';
    const [head, mark, searched, open] = expectQuiet(await check(words)).split('\n');
    expect([head, mark]).toEqual([
      'The game, vents, doors and tasks: 3 players, 837 states modulo symmetry, 20,394 steps',
      '✓ 1 property is as declared',
    ]);
    expect(searched).toMatch(/^searched: the game, vents, doors and tasks: /);
    expect(open).toMatch(/^not searched: The Skeld itself/);
  });
});
