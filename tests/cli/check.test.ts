/**
 * `glassbox check` as a real process: proofs, budgets, counterexamples, recorded meetings, and formats for other
 * tools.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { forged, type Row, textOf } from '../actors/engine/journal/records.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, type Finished, failureLine, glassbox, jsonLines, Running } from './shell.ts';

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

async function checked(...flags: readonly string[]) {
  const { exit, out, err } = await warmGlassbox(['check', ...flags, '--json']);
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
    const { exit, out, err } = await glassbox('check --verbose');
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^✓ \d+ verdicts: all as declared\n¬ .*: ends\n\n/);
    expect(out).toContain('The meeting, house: patience 2, minds never fail, no departures');
    expect(out).toContain('The meeting, classic: patience 2');
    expect(out).toMatch(/^✓ {2}vote-lock +step +proved$/m);
    expect(out).toMatch(/^✓ {2}can-tie +sometimes +seen$/m);
    expect(out).toMatch(/^¬ {2}ends +eventually +violated as declared$/m);
    expect(out).toMatch(/W = ⌈Δ\/c⌉ \+ N − 2 \+ n0 = ⌈21\/6⌉ \+ 3 − 2 \+ 0 = 5$/m);
    expect(out).toMatch(/^ {2}· discussion\.pausing {2}\(needs beat_ms\)$/m);
    expect(out).not.toMatch(/incomplete|vacuous|△/);
    // Fewer lines on the screen say the same, and how to see the rest.
    const short = await warmGlassbox('check --rules house');
    expect(short.out.split('\n').length).toBeLessThan(24);
    const [first, second] = short.out.split('\n');
    expect(first).toMatch(/^✓ \d+ verdicts: all as declared$/);
    expect(second).toMatch(/^¬ .*: ends \(see how: check --property ends\)$/);
    const held = /^✓ {2}properties that hold +(\d+) proved, (\d+) seen$/m.exec(short.out);
    const house = out.slice(0, out.indexOf('The meeting, classic'));
    expect(held?.slice(1).map(Number)).toEqual([
      house.match(/^✓ .* proved$/gm)?.length,
      house.match(/^✓ .* seen$/gm)?.length,
    ]);
    const missing = /^ {2}(\d+) parts need .*: --verbose lists them$/m.exec(short.out)?.[1];
    expect(Number(missing)).toBeGreaterThan(40);
    expect(short.out).not.toContain('nearest');
    expect(short.err).toContain('--verbose');
    expect([out, short.out].flatMap((text) => text.match(/^✓.*violated.*$/gm) ?? [])).toEqual([]);
  });

  test('a meeting without votes repeats for ever and is reported as a loop', async () => {
    const { out } = await warmGlassbox('check --rules house --property ends');
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
        checked('--rules', 'house'),
        checked('--rules', 'house', '--no-symmetry'),
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
    const { lines } = await checked('--rules', 'classic', '--property', 'ends', 'vote-lock');
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
    const flags = [
      '--rules',
      'house',
      '--players',
      '2',
      '--faults',
      '--departures',
      '1',
      '--stops',
    ];
    const { runs, coverage, exit } = await checked(...flags);
    expect(runs[0]?.properties.filter(({ asDeclared }) => !asDeclared)).toEqual([]);
    expect(runs[0]?.properties.map(({ name }) => name)).toContain('ends-if-all-vote');
    expect(coverage?.missing.filter(({ needs }) => needs === null)).toEqual([]);
    expect(exit).toBe(0);
  });
});

describeLong.concurrent('budgets', () => {
  test('a search that was ended proves nothing, and nothing about the chart', async () => {
    const { exit, runs, coverage } = await checked('--rules', 'house', '--max-states', '20');
    expect(exit).toBe(5);
    expect(coverage).toBeNull();
    const verdicts = runs[0]?.properties.filter(({ name }) => !name.startsWith('can-')) ?? [];
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['incomplete']));
    expect(verdicts[0]?.why).toBe('the budget of 20 states ended the search');
  });

  test('memory that is not enough leaves a search undecided', async () => {
    const flags = ['--rules', 'house', '--property', 'ends', '--max-memory', '1'];
    const { exit, out } = await warmGlassbox(['check', ...flags]);
    expect(exit).toBe(5);
    expect(out).toContain('incomplete: the budget of 1 MB ended the search: ends');
  });

  test('a search that is too large for the heap ends by itself and reports its coverage', async () => {
    const large = ['--players', '10', '--faults', '--departures', '1', '--max-states', '50000000'];
    const { exit, out, err } = await glassbox(
      ['check', '--verbose', ...large, '--property', 'vote-lock'],
      { env: { NODE_OPTIONS: '--max-old-space-size=150' } },
    );
    expect({ exit, err }).toEqual({ exit: 5, err: '' });
    expect(out).toMatch(/incomplete: the budget of \d+ MB ended the search: vote-lock/);
    expect(out).toMatch(/ticks in part +[1-9]/);
  });

  test('Ctrl-C marks the running search and later ones as incomplete and keeps closed ones', async () => {
    const sizes = ['--players', '2..10', '--rules', 'house', '--faults', '--departures', '1'];
    const running = new Running(['check', ...sizes, '--property', 'vote-lock', '--json']);
    await running.said('check.run');
    running.signal('SIGINT');
    const { exit, out, err } = await running.finished;
    expect(exit).toBe(5);
    expect(err).toContain('The search ends here and says what it has covered. Press Ctrl-C again');
    const { runs } = result.parse(jsonLines(out).at(-1));
    const ends = runs.map(({ searches }) => searches[0]?.ended);
    expect(ends).toHaveLength(9);
    expect(ends[0]).toBeNull();
    expect(ends.at(-1)).toBe('an interruption');
  });

  test('the output names undecided properties', async () => {
    const flags = ['--max-states', '20', '--property', 'ends', '--rules', 'classic'];
    const { exit, out } = await warmGlassbox(['check', ...flags]);
    expect(exit).toBe(5);
    expect(out).toMatch(/^\? {2}ends +eventually +incomplete, declared violated$/m);
    expect(out).toContain('3 players, incomplete: the budget of 20 states ended the search');
    expect(out).toMatch(/^\? 1 verdict: 1 undecided\n/);
  });
});

describe.concurrent('a match', () => {
  testLong('brings its options, its weights and its dead', async () => {
    const text = `${SCENARIO}options: { rules: classic, weights: { silence: { slope: 7 } } }\n`;
    const cwd = aFolder({ 'a.yaml': text });
    const flags = ['--players', '3', '--property', 'vote-lock'];
    const { exit, out } = await warmGlassbox(['check', 'a.yaml', '--verbose', ...flags], { cwd });
    expect(exit).toBe(0);
    expect(out).toContain(
      'The meeting, classic: patience 2, minds never fail, no departures, 1 ghost',
    );
    expect(out).toContain('⌈21/7⌉ + 3 − 2 + 0 = 4');
  });

  test('that makes no sense is refused, and so are weights that starve', async () => {
    const cwd = aFolder({
      'a.yaml': `${SCENARIO}options: { weights: { silence: { slope: 0 } } }\n`,
      'b.yaml': 'name: x\n',
    });
    const [starving, torn] = await Promise.all(
      ['a.yaml', 'b.yaml'].map((path) => warmGlassbox(`check ${path}`, { cwd })),
    );
    expect(starving).toMatchObject({ exit: 78, out: '' });
    expect(starving?.err).toMatch(failureLine('weights/starve: a.yaml: silence slope 0'));
    expect(torn).toMatchObject({ exit: 78, out: '' });
  });
});

describe.concurrent('the command line', () => {
  test.each([
    [['--players', '0'], 'usage/invalid-argument: --players: expected a whole number from 2 to 10'],
    [
      ['--players', '4..3'],
      '--players: expected a number of players from 2 to 10, or a range such as 3..6',
    ],
    [['--players', '3..4..5'], '--players: expected a number of players'],
    [['--rules', 'chess'], '--rules: expected one of house, classic'],
    [['--departures', 'x'], '--departures: expected a whole number'],
    [
      ['--property', 'vote-lok'],
      'check/unknown-property: --property: there is no property "vote-lok"; did you mean "vote-lock"?',
    ],
    [
      ['--property', 'fault-never-votes'],
      'check/not-in-this-world: --property: fault-never-votes never applies in this world',
    ],
    [['a.yaml', '--ghosts', '1'], 'check/ghosts-of-match'],
    [['--players', '4', '--ghosts', '12'], 'check/too-many-seats'],
    [['--players', '3..10', '--ghosts', '6'], 'found 16 [check/too-many-seats]'],
    [['--ghosts', '13'], 'expected a whole number from 0 to 12'],
    [['--mutants', '--players', '3'], 'check/not-together: --mutants and --players'],
    [['--property', 'silent-at-most'], 'did you mean "silent-at-most-w"?'],
    [
      ['a.yaml', '--players', '9'],
      'check/too-few-players: --players: the match has 4 living players, found 9',
    ],
  ])('%s is a mistake of usage', async (flags, words) => {
    const cwd = aFolder({ 'a.yaml': SCENARIO, 'a.jsonl': '' });
    const { exit, out, err } = await warmGlassbox(['check', ...flags], { cwd });
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toMatch(failureLine(words));
    expect(err).toContain('check --help');
  });

  test('files that are not there or can’t be written are known before anything is searched', async () => {
    const cwd = aFolder({ 'notes.txt': 'mine' });
    const [missing, unwritable, foreign] = await Promise.all([
      warmGlassbox('check none.yaml', { cwd }),
      warmGlassbox('check --junit no/such/folder.xml', { cwd }),
      warmGlassbox('check --trace notes.txt', { cwd }),
    ]);
    expect(missing).toMatchObject({ exit: 66, out: '' });
    expect(unwritable).toMatchObject({ exit: 73, out: '' });
    expect(foreign).toMatchObject({ exit: 73, out: '' });
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

describe.concurrent('a counterexample', () => {
  const trace = (...flags: readonly string[]) => {
    const cwd = aFolder();
    const line = ['check', ...flags, '--property', 'ends', '--trace', 'ends.jsonl'];
    return warmGlassbox(line, { cwd }).then((finished) => ({ ...finished, cwd }));
  };

  testLong('is a journal without a damage, which is watched like any other', async () => {
    const { exit, err, cwd } = await trace('--rules', 'classic');
    expect(exit).toBe(0);
    expect(err).toContain('Watch it: ');
    const journal = readJournal(readFileSync(join(cwd, 'ends.jsonl'), 'utf8'));
    expect(journal.damages).toEqual([]);
    const watched = await warmGlassbox('watch ends.jsonl', { cwd });
    expect(watched).toMatchObject({
      exit: 0,
      err: 'The journal ends in mid-meeting: ends.jsonl\n',
    });
    expect(watched.out).toContain('ends: classic, 3 players');
    expect(watched.out).toContain('Red presses the emergency button');
    expect(watched.out).toContain('no player bids for the floor');
    const judged = await warmGlassbox('verify --replay 0 ends.jsonl', { cwd });
    expect(judged).toMatchObject({ exit: 0, err: '' });
    expect(judged.out).toContain('up to where it ends in mid-meeting');
  });

  testLong('of four seats is played by the real actors, to the byte', async () => {
    const { cwd } = await trace('--rules', 'house', '--ghosts', '1');
    const replayed = await warmGlassbox('verify ends.jsonl', { cwd });
    expect(replayed).toMatchObject({ exit: 0, err: '' });
    expect(replayed.out).toContain('the same: ends.jsonl was played again');
  });

  test('that is not there leaves no file', async () => {
    const cwd = aFolder();
    const flags = ['--property', 'vote-lock', '--rules', 'house', '--trace', 'x.jsonl'];
    const { exit, err } = await warmGlassbox(['check', ...flags], { cwd });
    expect(exit).toBe(0);
    expect(err).toContain('No property is violated: nothing is written to x.jsonl');
    expect(existsSync(join(cwd, 'x.jsonl'))).toBe(false);
  });
});

describe.concurrent('beside the meeting', () => {
  test('the bound on silence is proved, searched by itself when it alone is asked for', async () => {
    const { runs, exit, coverage } = await checked('--property', 'silent-at-most-w');
    expect({ exit, coverage }).toEqual({ exit: 0, coverage: null });
    for (const { properties, searches } of runs) {
      expect(searches).toEqual([]);
      expect(properties).toMatchObject([{ name: 'silent-at-most-w', verdict: 'proved' }]);
    }
  });

  testLong.each([
    ['3', '12'],
    ['4', '0'],
  ])(
    'the bound of a late meeting is proved with %s living and %s dead',
    async (players, ghosts) => {
      const name = 'silent-at-most-2n-1';
      const flags = ['--players', players, '--ghosts', ghosts, '--rules', 'house'];
      const { runs, exit } = await checked(...flags, '--property', name);
      expect(exit).toBe(0);
      for (const { properties } of runs) {
        expect(properties).toMatchObject([{ name, verdict: 'proved' }]);
      }
      expect(runs).toHaveLength(1);
    },
  );

  test('a budget leaves it undecided, and says so', async () => {
    const { exit } = await checked('--property', 'silent-at-most-w', '--max-states', '9');
    expect(exit).toBe(5);
  });

  testLong('secrets are asked for by name, or with a ghost among three', async () => {
    const flags = ['--property', 'roles-do-not-interfere', '--rules', 'house'];
    const { runs, exit } = await checked(...flags);
    expect(exit).toBe(0);
    expect(runs[0]?.properties).toMatchObject([{ verdict: 'proved', counterexample: null }]);
  });
});

/** A meeting with a failure, a departure and an ejection. */
const FOLDER = aFolder({ 'a.yaml': `${SCENARIO}fault_rate: 0.2\n` });
await warmGlassbox('run a.yaml --seed 7 --out a.jsonl', { cwd: FOLDER });
const JOURNAL = readFileSync(join(FOLDER, 'a.jsonl'), 'utf8');

describe.concurrent('a recorded meeting', () => {
  const judge = (text: string, ...flags: readonly string[]): Promise<Finished> =>
    warmGlassbox(['verify', '--replay', '0', 'x.jsonl', ...flags], {
      cwd: aFolder({ 'x.jsonl': text }),
    });

  testLong('satisfies every property that can be judged by one meeting', async () => {
    const { exit, out, err } = await judge(JOURNAL);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^✓ x\.jsonl: \d+ steps, 5\d properties hold, \d+ did not apply\n$/);
  });

  const first = (type: string) =>
    readJournal(JOURNAL).lines.findIndex((line) => line.channel === 'living' && line.type === type);
  const at = (type: string, edit: (row: Row) => Row | null) =>
    forged(JOURNAL, (row, index) => (index === first(type) ? edit(row) : row));
  const other = (seat: unknown) => (seat === 'red' ? 'blue' : 'red');

  testLong.each([
    [
      'a ballot that nobody cast',
      'vote.locked',
      'own-vote',
      (row: Row) => ({ ...row, ballot: other(row['ballot']) }),
    ],
    [
      'a count that is none',
      'poll.counted',
      'unique-plurality',
      (row: Row) => ({ ...row, ejected: other(row['ejected']), outcome: 'ejected' }),
    ],
    [
      'a ballot turned otherwise',
      'ballot.revealed',
      'each-ballot-is-turned-once',
      (row: Row) => ({ ...row, ballot: other(row['ballot']) }),
    ],
    ['scratchpads that were kept', 'scratchpads.erased', 'erased-once', () => null],
    [
      'a ghost who speaks',
      'tick.closed',
      'gone-never-speak',
      (row: Row) => ({ ...row, floor: 'pink', said: { speaker: 'pink', message: 'boo', tick: 0 } }),
    ],
  ])(
    'that was written anew with %s is found out, line and sentence',
    async (_, type, name, edit) => {
      const text = at(type, edit);
      expect(readJournal(text).damages).toEqual([]);
      const { exit, out, err } = await judge(text);
      expect({ exit, err }).toEqual({ exit: 1, err: '' });
      expect(out).toMatch(
        new RegExp(`^✗ x\\.jsonl, line ${first(type) + 1}: ${name}: [A-Z].*\\.$`, 'm'),
      );
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
    const cwd = aFolder({ 'a.jsonl': JOURNAL, 'b.jsonl': at('scratchpads.erased', () => null) });
    const flags = ['--json', '--junit', 'x.xml'];
    const line = ['verify', '--replay', '0', 'a.jsonl', 'b.jsonl', ...flags];
    const { exit, out } = await warmGlassbox(line, { cwd });
    expect(exit).toBe(1);
    const lines = jsonLines(out);
    expect(lines.map(({ type }) => type)).toEqual(['verify.journal', 'verify.journal']);
    expect(lines.at(-1)).toMatchObject({ v: 1, journal: 'b.jsonl', replay: null });
    expect(readFileSync(join(cwd, 'x.xml'), 'utf8')).toContain('<testsuite name="a.jsonl"');
  });

  test('that is damaged is no proof of anything', async () => {
    const torn = JOURNAL.slice(0, -40);
    const cwd = aFolder({ 'torn.jsonl': torn, 'no.txt': 'no journal' });
    writeFileSync(join(cwd, 'edited.jsonl'), JOURNAL.replace('"ballot":', '"ballot" :'));
    const [cut, edited, foreign] = await Promise.all(
      ['torn.jsonl', 'edited.jsonl', 'no.txt'].map((path) =>
        warmGlassbox(`verify --replay 0 ${path}`, { cwd }),
      ),
    );
    expect(cut).toMatchObject({ exit: 65 });
    expect(cut?.out).toContain('✓ torn.jsonl: ');
    expect(edited).toMatchObject({ exit: 65, out: '' });
    expect(foreign).toMatchObject({ exit: 65, out: '' });
  });
});

describeLong('reports for other programs', () => {
  test('JUnit has a case for each verdict, and an undecided property is an error', async () => {
    const cwd = aFolder();
    const flags = [
      '--rules',
      'house',
      '--players',
      '3..4',
      '--max-states',
      '450',
      '--junit',
      'x.xml',
    ];
    const { exit } = await warmGlassbox(['check', ...flags], { cwd });
    expect(exit).toBe(5);
    const xml = readFileSync(join(cwd, 'x.xml'), 'utf8');
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /);
    const suites = [
      ...xml.matchAll(/<testsuite name="(.*?)" tests="(\d+)" failures="(\d+)" errors="(\d+)">/g),
    ];
    // Three players have 159 states, with 226 pairs in the mirror and 408 of the arbiter. Four players exceed the
    // budget.
    expect(suites.map(([, name, , failures, errors]) => [name, failures, errors !== '0'])).toEqual([
      ['house, 3 players', '0', false],
      ['house, 4 players', '0', true],
      ['coverage', '0', true],
    ]);
    const undecided = suites.reduce((sum, [, , , , errors]) => sum + Number(errors), 0);
    const cases = suites.reduce((sum, [, , tests]) => sum + Number(tests), 0);
    expect(xml.match(/<testcase /g)).toHaveLength(cases);
    expect(xml.match(/<error type="incomplete"/g)).toHaveLength(undecided);
  });
});

describe('whole games', () => {
  testLong('a search that is cut short says of each game how far it came', async () => {
    const { exit, out } = await warmGlassbox('check --game --max-states 450 --json');
    expect(exit).toBe(5);
    const lines = jsonLines(out) as readonly Record<string, unknown>[]; // as it prints them
    const games = lines.filter(({ type }) => type === 'check.game');
    expect(games.map(({ game, ended }) => [game, ended])).toEqual([
      ['kills and reports', 'the budget of 450 states'],
      ['the button, leavers and stops', 'the budget of 450 states'],
      ['vents, doors and tasks', null],
      ['sabotage and repairs', 'the budget of 450 states'],
      ['ghosts who work', 'the budget of 450 states'],
    ]);
    expect(games[2]).toMatchObject({ players: 3, states: 425, transitions: 9_146, broken: null });
    expect(lines.at(-1)).toMatchObject({ type: 'check.result', exit: 5, games: { length: 5 } });
  });

  testLong('a game in which all is as declared is told in two lines', async () => {
    const words = [
      'check',
      '--game',
      '--property',
      'vents-are-for-impostors',
      '--max-states',
      '10000',
    ];
    const { exit, out, err } = await warmGlassbox(words);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toBe(
      'The game, vents, doors and tasks: 3 players, 425 states modulo symmetry, 9,146 steps\n✓ 1 property is as declared\n',
    );
  });

  test.each([
    [['--game', '--property', 'vents'], 'there is no property "vents"'],
    [['--game', '--page', 'x.html'], '--game and --page'],
    [['--game', '--players', '4'], '--game and --players'],
    [['my.yaml', '--game'], '--game brings its own tables'],
  ])('%j is a mistake of usage', async (words, text) => {
    const { exit, out, err } = await warmGlassbox(['check', ...words]);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain(text);
  });
});
