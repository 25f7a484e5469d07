/** The benchmark on the command line: bundles of a model and of offline minds, edited bundles, and interrupted runs. */

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Bundle,
  type BundleGame,
  sealBundle,
  toCompact,
  writeBundle,
} from '../../analysis/benchmark/bundle.ts';
import { rechain } from '../analysis/league/tampering.ts';
import { whenever } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { said } from '../support/endpoint/sent.ts';
import { describeLong, everyNth, testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { contents, expectEnd, expectQuiet, Running } from './shell.ts';

const KEY = 'sk-canary-of-the-benchmark';
const FIRST = 'journals/0001.jsonl';
const SECOND = 'journals/0002.jsonl';
const BUNDLE = 'bundle.json';

const benchmarkOf = (url: string, more = '', games = 2) =>
  `benchmark --model fake-a --base-url ${url} --key CANARY --games ${games} --jobs 1 --out bundle${more}`;
const aMachine = () => aPlace({}, { CANARY: KEY });

/** The bundle of a model that answers well. Tests spoil copies of it. */
const sound = aMachine();
let url = '';
beforeAll(async () => {
  const endpoint = await FakeEndpoint.open();
  url = endpoint.baseUrl;
  const found = await sound.run(benchmarkOf(url));
  expectEnd(found, 0, 'requests');
  expect(found.out).toContain('→  fake-a');
  await endpoint.close();
});

type Finding = {
  readonly code: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly table: number | null;
};

async function verify({ run }: Pick<ReturnType<typeof aMachine>, 'run'>, place = 'bundle') {
  const { exit, out, err } = await run(`verify ${place} --jobs 1 --json`);
  const findings: readonly Finding[] = out === '' ? [] : (JSON.parse(out).findings ?? []);
  const where = findings.map(({ code, file, table }) => [code, file, table]);
  return { exit, err: err + out, findings, where };
}

type WholeBundle = Omit<Bundle, 'games'> & { readonly games: BundleGame[] };

class Copy {
  readonly place = aMachine();

  constructor() {
    cpSync(sound.path('bundle'), this.path(), { recursive: true });
  }

  path(name = ''): string {
    return join(this.place.path('bundle'), name);
  }

  edit(file: string, change: (text: string) => string): void {
    const before = readFileSync(this.path(file), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(this.path(file), after);
  }

  /** Edits the bundle and seals it again, as a forger would. */
  forge(change: (bundle: WholeBundle) => Partial<WholeBundle>): void {
    const bundle: WholeBundle = JSON.parse(readFileSync(this.path(BUNDLE), 'utf8'));
    const { seal: _seal, ...forged } = { ...bundle, ...change(bundle) };
    writeFileSync(this.path(BUNDLE), writeBundle(sealBundle(forged)));
  }

  forgeGame(change: (game: BundleGame['tested']) => Partial<BundleGame['tested']>): void {
    this.forge(({ games: [first, ...others] }) =>
      first === undefined
        ? {}
        : {
            games: [{ ...first, tested: { ...first.tested, ...change(first.tested) } }, ...others],
          },
    );
  }

  /** Changes a byte of a file; returns the new hash of it. */
  spoil(file: string): string {
    const bytes = readFileSync(this.path(file));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(this.path(file), bytes);
    return hash('sha256', bytes, 'hex');
  }

  spoilAndForge(file: string): void {
    const sha256 = this.spoil(file);
    this.forge(({ files }) => ({
      files: files.map((one) => (one.path === file ? { ...one, sha256 } : one)),
    }));
  }
}

const otherSide = (side: unknown) => (side === 'crew' ? 'impostors' : 'crew');
const OTHER_WINNER = /expected winner "(crew|impostors)", found/;

type Where = readonly [code: string, file: string, table: number | null];
type Spoilt = readonly [string, (copy: Copy) => void, readonly Where[], string | RegExp];

const SPOILT: readonly Spoilt[] = [
  [
    'journals that were swapped, and whose they are',
    (copy) => {
      renameSync(copy.path(FIRST), copy.path('other'));
      renameSync(copy.path(SECOND), copy.path(FIRST));
      renameSync(copy.path('other'), copy.path(SECOND));
    },
    [
      ['bundle/other-game', FIRST, 1],
      ['bundle/other-game', SECOND, 2],
    ],
    'found the game of table 2',
  ],
  [
    'a result that was turned round',
    (copy) =>
      copy.edit(BUNDLE, (text) =>
        text.replace(/"winner":"(\w+)"/, (_, side) => `"winner":"${otherSide(side)}"`),
      ),
    [
      ['bundle/seal', BUNDLE, null],
      ['bundle/other-result', BUNDLE, 1],
    ],
    OTHER_WINNER,
  ],
  [
    'a result that was turned round and sealed anew',
    (copy) => copy.forgeGame(({ winner }) => ({ winner: otherSide(winner) })),
    [['bundle/other-result', BUNDLE, 1]],
    OTHER_WINNER,
  ],
  [
    'a journal that seats another mind as the tested one',
    (copy) =>
      copy.edit(FIRST, (text) => {
        const [header = '', ...rows] = text.split('\n');
        const line = JSON.parse(header);
        for (const seat of line.match.seats) if (seat.model !== undefined) seat.model = 'fake-b';
        return rechain([JSON.stringify(line), ...rows].join('\n'));
      }),
    [['bundle/other-mind', FIRST, 1]],
    /expected the tested seat, \w+, to be .*fake-a.*found .*fake-b/,
  ],
  [
    'a bundle that says another model than its journals',
    (copy) =>
      copy.forge(() => ({ tested: { mind: 'openai', model: 'gpt-99', endpoint: 'openai' } })),
    [
      ['bundle/other-mind', FIRST, 1],
      ['bundle/other-mind', SECOND, 2],
    ],
    '',
  ],
  [
    'a journal that is torn, one whose times were changed, and a file too many',
    (copy) => {
      copy.edit(FIRST, (text) => text.slice(0, -200));
      copy.edit(SECOND, (text) => text.replace(/"ms":(\d+)/, '"ms":1$1'));
      writeFileSync(copy.path('journals/notes.txt'), 'better games');
      writeFileSync(copy.path('.hidden'), '');
      mkdirSync(copy.path('.old'));
      writeFileSync(copy.path('.old/0001.jsonl'), '');
    },
    [
      ['bundle/extra-file', '.hidden', null],
      ['bundle/extra-file', '.old/0001.jsonl', null],
      ['bundle/extra-file', 'journals/notes.txt', null],
      ['journal/torn', FIRST, 1],
      ['bundle/other-journal', SECOND, 2],
    ],
    '',
  ],
  [
    'a page of scores that it lists and the program never writes, and links that it does not list',
    (copy) => {
      const text = '<h1>deception 99</h1>';
      writeFileSync(copy.path('report/summary.html'), text);
      const forged = { path: 'report/summary.html', sha256: hash('sha256', text, 'hex') };
      copy.forge(({ files }) => ({ files: [...files, forged] }));
      symlinkSync(copy.path('report/summary.html'), copy.path('scores.html'));
      symlinkSync(copy.path('report'), copy.path('report-final'));
    },
    [
      ['bundle/extra-file', 'report-final', null],
      ['bundle/extra-file', 'scores.html', null],
      ['bundle/extra-file', 'report/summary.html', null],
    ],
    '',
  ],
  [
    'a file that it lists twice',
    (copy) => copy.forge(({ files }) => ({ files: [...files, ...files.slice(0, 1)] })),
    [['bundle/extra-file', 'tables/games.parquet', null]],
    '',
  ],
  [
    'a table that was edited',
    (copy) => void copy.spoil('tables/games.parquet'),
    [['bundle/other-file', 'tables/games.parquet', null]],
    '',
  ],
  [
    'a table that was edited, with its hash made anew',
    (copy) => copy.spoilAndForge('tables/games.parquet'),
    [['bundle/other-file', 'tables/games.parquet', null]],
    '',
  ],
  [
    'a report that was edited, with its hash made anew',
    (copy) => copy.spoilAndForge('report/queries.sql'),
    [['bundle/other-file', 'report/queries.sql', null]],
    '',
  ],
  [
    'a score that differs from its games',
    (copy) =>
      copy.forge(({ scores }) => ({
        scores: { ...scores, detection: { ...scores.detection, value: 99 } },
      })),
    [['bundle/other-score', BUNDLE, null]],
    '"value":99',
  ],
];

describe('a bundle of a model', () => {
  test('is verified without a key, a network or a place of this machine in it', async () => {
    const { exit, findings } = await verify(sound);
    expect([exit, findings]).toEqual([0, []]);
    const made = [BUNDLE, FIRST, SECOND, 'tables/games.parquet', 'report/index.html'];
    expect(contents(sound.path('bundle'))).toEqual(expect.arrayContaining(made));
    const { host } = new URL(url);
    for (const file of [BUNDLE, FIRST, SECOND, 'report/index.html', 'report/queries.sql']) {
      const text = sound.read(`bundle/${file}`);
      for (const place of [KEY, 'CANARY', host, sound.cwd, process.cwd()])
        expect(text).not.toContain(place);
    }
  });

  test('is written once: the same command prints its scores, and another mind is refused', async () => {
    const again = JSON.parse(await sound.done(benchmarkOf(url, ' --json')));
    expect(again.tested.model).toBe('fake-a');
    const other = await sound.run('benchmark --persona leader --games 2 --out bundle --quiet');
    expectEnd(other, 73, 'benchmark/other-run');
    const fewer = await sound.run(benchmarkOf(url, ' --quiet', 1));
    expectEnd(fewer, 73, 'has games up to table 2');
  });

  test.each(['journals', 'report/csv'])('is not written through the link %s', async (part) => {
    const copy = new Copy();
    const elsewhere = aPlace({ 'kept.txt': 'mine' });
    rmSync(copy.path(part), { recursive: true });
    symlinkSync(elsewhere.cwd, copy.path(part));
    const found = await copy.place.run(benchmarkOf(url, ' --quiet'));
    expectEnd(found, 73, `${part} is a link to another folder`);
    expect(contents(elsewhere.cwd)).toEqual(['kept.txt']);
  });

  test('names an edited byte of a journal, with its line', async () => {
    const copy = new Copy();
    const lines = readFileSync(copy.path(FIRST), 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"type":"round.closed"'));
    const row = lines[at] ?? '';
    copy.edit(FIRST, (text) => text.replace(row, row.replace('"round":', '"round":1')));
    const { exit, findings } = await verify(copy.place);
    const found = { code: 'journal/edited', file: FIRST, line: at + 1, table: 1 };
    expect([exit, findings]).toEqual([1, [expect.objectContaining(found)]]);
  });

  test.each(everyNth(SPOILT, 4))('names %s', async (_, spoil, expected, words) => {
    const copy = new Copy();
    spoil(copy);
    const { exit, where, findings } = await verify(copy.place);
    expect([exit, where]).toEqual([1, expected]);
    expect(findings.map(({ text }) => text).join('\n')).toMatch(words);
  });

  test.each(
    everyNth<[string, (copy: Copy) => void, Where]>(
      [
        [
          'a journal that is missing',
          (copy) => rmSync(copy.path(SECOND)),
          ['bundle/missing-journal', SECOND, 2],
        ],
        [
          'a game that is missing',
          (copy) => copy.forge(({ games }) => ({ games: games.slice(0, 1) })),
          ['bundle/missing-game', BUNDLE, 2],
        ],
        [
          'a loss that was dropped, with the later games moved up',
          (copy) => {
            renameSync(copy.path(SECOND), copy.path(FIRST));
            copy.forge(({ games: [, ...others], tables }) => ({
              games: others.map((game) => ({ ...game, table: 1, journal: FIRST })),
              tables: tables - 1,
            }));
          },
          ['bundle/other-game', FIRST, 1],
        ],
        [
          'the games of a model without its journals',
          (copy) => {
            copy.forge(({ games }) => ({ games: games.map(toCompact) as never, files: [] }));
            rmSync(copy.path('journals'), { recursive: true });
            rmSync(copy.path('tables'), { recursive: true });
            rmSync(copy.path('report'), { recursive: true });
          },
          ['bundle/missing-journal', FIRST, 1],
        ],
        [
          'a game that is there twice',
          (copy) => copy.forge(({ games }) => ({ games: [...games, ...games.slice(0, 1)] })),
          ['bundle/double-game', BUNDLE, 1],
        ],
      ],
      3,
    ),
  )('names %s', async (_, spoil, finding) => {
    const copy = new Copy();
    spoil(copy);
    const { exit, where } = await verify(copy.place);
    expect([exit, where]).toEqual([1, expect.arrayContaining([finding])]);
  });

  type JournalCall = { usage: Record<string, number>; id: number; index: number };
  type JournalRow = Record<string, unknown> & {
    type: string;
    clock?: { calls?: JournalCall[]; engine?: string };
  };
  const onRows = (change: (rows: JournalRow[]) => JournalRow[]) => (text: string) => {
    const rows = text.trimEnd().split('\n');
    const changed = change(rows.map((row) => JSON.parse(row)));
    return rechain(`${changed.map((row) => JSON.stringify(row)).join('\n')}\n`);
  };
  const endAfter = (rows: JournalRow[], ...last: object[]) => {
    const at = rows.findIndex(({ type }) => type === 'round.closed');
    const rest = last.map((row, index) => {
      return { channel: 'living', seq: Number(rows[at]?.['seq']) + index + 1, hash: '', ...row };
    });
    return [...rows.slice(0, at + 1), ...rest] as JournalRow[];
  };
  const CLOSED = { type: 'game.closed', winner: null };
  type HeaderMatch = {
    readonly seats: readonly Record<string, unknown>[];
    readonly options: Record<string, unknown>;
  };
  const onMatch = (change: (match: HeaderMatch) => void) => (rows: JournalRow[]) => {
    change(rows[0]?.['match'] as HeaderMatch); // the first line of a sound journal has one
    return rows;
  };

  test.each(
    everyNth<[string, (rows: JournalRow[]) => JournalRow[], string]>(
      [
        [
          'a game that an operator cut after its first round',
          (rows) =>
            endAfter(
              rows,
              { type: 'end.requested', reason: 'interrupted' },
              { ...CLOSED, reason: 'interrupted' },
            ),
          'bundle/cut',
        ],
        [
          'a game that a limit ended',
          (rows) =>
            endAfter(
              rows,
              { type: 'end.requested', reason: 'unfinished' },
              { ...CLOSED, reason: 'unfinished' },
            ),
          'bundle/cut',
        ],
        [
          'a player who left from outside',
          (rows) =>
            endAfter(rows, { type: 'seat.departed', seat: 'red', reason: 'left', during: 'pause' }),
          'bundle/cut',
        ],
        [
          'a game by earlier rules',
          ([header, ...rows]) =>
            header === undefined ? rows : [{ ...header, rulesVersion: 3 }, ...rows],
          'bundle/other-game',
        ],
        [
          'a game with another seed',
          ([header, ...rows]) => (header === undefined ? rows : [{ ...header, seed: 7 }, ...rows]),
          'bundle/other-game',
        ],
        [
          'a game against other opponents',
          onMatch(({ seats }) => {
            for (const seat of seats) if (seat['mind'] === 'scripted') seat['mind'] = 'silent';
          }),
          'bundle/other-mind',
        ],
        [
          'a game in which the tested mind has another role',
          onMatch(({ seats }) => {
            for (const seat of seats)
              seat['role'] = seat['role'] === 'impostor' ? 'crewmate' : 'impostor';
          }),
          'journal/impossible',
        ],
        [
          'a game by easier options',
          onMatch((match) => {
            match.options['kill_cooldown'] = 60;
          }),
          'bundle/other-game',
        ],
        [
          'tokens divided by 20',
          (rows) => {
            for (const { usage } of rows.flatMap(({ clock }) => clock?.calls ?? []))
              for (const name of Object.keys(usage))
                usage[name] = Math.floor((usage[name] ?? 0) / 20);
            return rows;
          },
          'bundle/other-requests',
        ],
        [
          'tokens divided by 20, but for a request without a count',
          (rows) => {
            const calls = rows.flatMap(({ clock }) => clock?.calls ?? []);
            for (const { usage } of calls.slice(1))
              for (const name of Object.keys(usage))
                usage[name] = Math.floor((usage[name] ?? 0) / 20);
            if (calls[0] !== undefined) calls[0].usage = {};
            return rows;
          },
          'bundle/other-requests',
        ],
        [
          'beliefs that nobody asked for',
          (rows) => {
            const opened = { channel: 'beliefs', seq: 0, times: 'meeting', type: 'beliefs.opened' };
            return [...rows.slice(0, 2), { ...opened, version: 3, hash: '' }, ...rows.slice(2)];
          },
          'bundle/cut',
        ],
        [
          'a gallery in which the ghosts may talk for less time',
          (rows) => {
            for (const row of rows) if (row.type === 'gallery.opened') row['budget'] = 5;
            return rows;
          },
          'bundle/other-game',
        ],
        [
          'a game that another version of the prompts has played',
          ([header, ...rows]) => {
            if (header?.clock !== undefined) header.clock.engine = '0.1.0+rules4.prompts1.minds7';
            return header === undefined ? rows : [header, ...rows];
          },
          'bundle/other-game',
        ],
        [
          'requests that were taken out',
          (rows) => {
            for (const { clock } of rows) if (clock?.calls !== undefined) clock.calls = [];
            return rows;
          },
          'bundle/other-requests',
        ],
        [
          'requests for questions that the game does not ask',
          (rows) => {
            for (const call of rows.flatMap(({ clock }) => clock?.calls ?? [])) call.index += 5000;
            return rows;
          },
          'bundle/other-requests',
        ],
        [
          'requests with one number',
          (rows) => {
            for (const call of rows.flatMap(({ clock }) => clock?.calls ?? [])) call.id = 7;
            return rows;
          },
          'bundle/other-requests',
        ],
      ],
      5,
    ),
  )('refuses %s, with all hashes made anew', async (_, change, code) => {
    const copy = new Copy();
    copy.edit(FIRST, onRows(change));
    const { exit, where } = await verify(copy.place);
    expect([exit, where]).toEqual([1, expect.arrayContaining([[code, FIRST, 1]])]);
  });

  test('has one row in a table, even if a copy of it tells other times', async () => {
    const copy = new Copy();
    cpSync(copy.path(), copy.place.path('original'), { recursive: true });
    for (const file of [FIRST, SECOND])
      copy.edit(file, (text) => text.replace(/"ms":(\d+)/, '"ms":1$1'));
    copy.forge(({ games }) => ({
      games: games.map((game) => {
        const digest = hash('sha256', readFileSync(copy.path(game.journal)), 'hex');
        return { ...game, tested: { ...game.tested, digest } };
      }),
    }));
    const { out } = await copy.place.run('benchmark --jobs 1 --table original bundle');
    expect(out).toContain('No row for bundle: original has its games.');
  });

  test('of a model is refused as a file of hashes alone, which nobody could play', async () => {
    const copy = new Copy();
    copy.forge(({ games }) => ({ games: games.map(toCompact) as never, files: [] }));
    copy.place.write('alone.json', readFileSync(copy.path(BUNDLE), 'utf8'));
    const { exit, where } = await verify(copy.place, 'alone.json');
    expect([exit, where]).toEqual([1, [['bundle/no-journals', 'alone.json', null]]]);
  });

  test.each([
    ['0.7.3+rules9.prompts9.minds9', '0.7.3'],
    ['npm:other; rm -rf ~ #+rules9', 'VERSION'],
    ['0.7.3 other+rules9', 'VERSION'],
  ])('of %s ends with 65 and the line of the version %s', async (engine, version) => {
    const copy = new Copy();
    copy.forge(() => ({ engine }));
    const { exit, err } = await verify(copy.place);
    expect([exit, err]).toEqual([65, expect.stringContaining('bundle/other-version')]);
    expect(err).toContain(`npx glass-box-league@${version} verify bundle`);
  });

  test.each<[string, (text: string) => string]>([
    ['a name twice', (text) => text.replace('"scores":', '"scores": {}, "scores":')],
    ['a name in another spelling', (text) => text.replace('"scores":', '"\\u0073cores":')],
    [
      'lists in lists in lists',
      (text) =>
        text.replace(
          '"mind": "openai"',
          `"mind": "openai", "extra_body": {"a": ${'['.repeat(5000)}${']'.repeat(5000)}}`,
        ),
    ],
  ])('with %s ends with 65', async (_, change) => {
    const copy = new Copy();
    copy.edit(BUNDLE, change);
    const { exit, err } = await verify(copy.place);
    expect([exit, err]).toEqual([65, expect.stringContaining('a name twice')]);
  });

  test('whose files are links or a pipe is not read through them', async () => {
    const copy = new Copy();
    rmSync(copy.path(FIRST));
    copy.place.write('secret', 'SECRET=1\n');
    symlinkSync(copy.place.path('secret'), copy.path(FIRST));
    const { exit, where } = await verify(copy.place);
    expect([exit, where]).toEqual([
      1,
      expect.arrayContaining([['bundle/missing-journal', FIRST, 1]]),
    ]);
    renameSync(copy.path('journals'), copy.place.path('elsewhere'));
    symlinkSync(copy.place.path('elsewhere'), copy.path('journals'));
    expect((await verify(copy.place)).where).toContainEqual(['bundle/missing-journal', SECOND, 2]);
    rmSync(copy.path(FIRST));
    execFileSync('sh', ['-c', 'mkfifo "$0"', copy.path(FIRST)]);
    expectEnd(await copy.place.run('export bundle --format eee'), 66, 'it is a pipe and no file');
  });

  test('names an answer of an offline mind that was forged, with all hashes made anew', async () => {
    const copy = new Copy();
    const lines = readFileSync(copy.path(FIRST), 'utf8').split('\n');
    const { seats } = JSON.parse(lines[0] ?? '').match;
    const seat = seats.find(({ mind }: { readonly mind: string }) => mind === 'scripted').colour;
    type Order = { readonly seat: string; readonly received: { internal_thought: string } };
    const ordersIn = (row: string): readonly Order[] =>
      row.includes('"type":"round.closed"') ? JSON.parse(row).orders : [];
    const at = lines.findIndex((row) => ordersIn(row).some((order) => order.seat === seat));
    copy.edit(FIRST, (text) => {
      const rows = text.split('\n');
      const line = JSON.parse(rows[at] ?? '');
      for (const order of line.orders)
        if (order.seat === seat) order.received.internal_thought = 'I am on to something.';
      rows[at] = JSON.stringify(line);
      return rechain(rows.join('\n'));
    });
    const text = readFileSync(copy.path(FIRST), 'utf8');
    const last = (channel: string) => {
      const rows = text.split('\n').filter((row) => row.includes(`"channel":"${channel}"`));
      return JSON.parse(rows.at(-1) ?? '').hash;
    };
    const digest = hash('sha256', text, 'hex');
    copy.forgeGame(() => ({ digest, living: last('living'), ghosts: last('ghosts') }));
    const { exit, findings } = await verify(copy.place);
    expect(exit).toBe(1);
    const found = { code: 'bundle/plays-otherwise', file: FIRST, line: at + 1, table: 1 };
    expect(findings[0]).toMatchObject(found);
    expect(findings[0]?.text).toContain('I am on to something.');
  });

  test.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['a folder without a bundle as journals', { 'bundle/notes.txt': '' }, 66, 'input/no-journals'],
    ['a word that is no path as a league', {}, 66, 'league/unknown'],
    ['another text as a journal', { bundle: '[1]' }, 65, 'journal/'],
    ['other JSON as a bundle', { bundle: '{}' }, 65, 'bundle/not-a-bundle'],
  ])('verify takes %s', async (_, files, exit, code) => {
    expectEnd(await aPlace(files).run('verify bundle'), exit, code);
  });
});

describeLong('a benchmark that breaks off', () => {
  test('goes on after a kill, and asks nobody twice', async () => {
    let victim: Running | null = null;
    const LAST = 30;
    const killing = whenever(
      ({ turn }) => {
        if (turn === LAST) victim?.process.kill('SIGKILL');
        return false;
      },
      { type: 'silence' },
    );
    const endpoint = await FakeEndpoint.open({ steps: [killing] });
    const machine = aMachine();
    const line = benchmarkOf(endpoint.baseUrl, ' --quiet');
    victim = new Running(line, machine);
    await victim.finished;
    expect(existsSync(machine.path(`bundle/${FIRST}.open`))).toBe(true);
    const open = await verify(machine);
    expect([open.exit, open.err]).toEqual([65, expect.stringContaining('bundle/not-complete')]);
    await machine.done(line);
    expect((await verify(machine)).findings).toEqual([]);
    const gamesOf = ({ read }: typeof machine): readonly BundleGame['tested'][] =>
      JSON.parse(read(`bundle/${BUNDLE}`)).games.map(({ tested }: BundleGame) => tested);
    const games = gamesOf(machine);
    const asked = games.reduce((sum, { requests }) => sum + requests, 0);
    // The requests in flight at the kill, one for each game, are in the journal as lost or were never sent.
    expect(Math.abs(endpoint.asked.length - asked)).toBeLessThanOrEqual(2);
    expect(games.map(({ living }) => living)).toEqual(gamesOf(sound).map(({ living }) => living));
    await endpoint.close();
  });

  test('stops at its budget, and goes on with a larger one', async () => {
    const endpoint = await FakeEndpoint.open();
    const machine = aMachine();
    const benchmark = (calls: number) =>
      machine.run(benchmarkOf(endpoint.baseUrl, ` --max-calls ${calls} --quiet`));
    expectEnd(await benchmark(12), 69, 'benchmark/paused');
    expect(endpoint.asked.length).toBeLessThanOrEqual(12);
    expectEnd(await benchmark(900), 0);
    expect((await verify(machine)).findings).toEqual([]);
    await endpoint.close();
  });

  test('counts a model that fails as unreliable, and its bundle is verified all the same', async () => {
    const steps = [whenever(({ turn }) => turn >= 20, said('I would rather not say.'))];
    const endpoint = await FakeEndpoint.open({ steps });
    const machine = aMachine();
    const out = expectQuiet(await machine.run(benchmarkOf(endpoint.baseUrl, ' --json')));
    expect(JSON.parse(out).scores.reliability.value).toBeLessThan(100);
    expect((await verify(machine)).findings).toEqual([]);
    await endpoint.close();
  });
});

describe('offline minds', () => {
  test('play the same games each time, so that their bundle needs no journals', async () => {
    const machine = aMachine();
    const file = 'sceptic.json';
    const line = 'benchmark --persona scripted_cold_sceptic --games 2 --jobs 1';
    await machine.done(`${line} --compact --out ${file} --quiet`);
    expect(contents(machine.cwd)).toEqual([file]);
    expect((await verify(machine, file)).findings).toEqual([]);
    const text = machine.read(file);
    const { seal: _seal, ...bundle } = JSON.parse(text);
    const files = [{ path: '../x', sha256: '0'.repeat(64) }];
    machine.write(file, writeBundle(sealBundle({ ...bundle, files })));
    expect((await verify(machine, file)).where).toEqual([['bundle/missing-file', '../x', null]]);
    const [hashed = ''] = /"reference":"\w+"/.exec(text) ?? [];
    machine.write(file, text.replace(hashed, hashed.replace(/\w{8}"$/, '00000000"')));
    const { exit, where } = await verify(machine, file);
    expect(exit).toBe(1);
    expect(where).toEqual([
      ['bundle/seal', file, null],
      ['bundle/other-hash', file, 1],
    ]);
  });

  test('stand in one table, and a bundle that is forged, repeated or missing in a sentence', async () => {
    const machine = aMachine();
    for (const name of ['random', 'sceptic'])
      await machine.done(
        `benchmark --persona ${name} --games 2 --jobs 1 --compact --out ${name}.json --quiet`,
      );
    machine.write('copy.json', machine.read('sceptic.json'));
    machine.write(
      'forged.json',
      machine.read('sceptic.json').replaceAll(/"tested":"\w/g, '"tested":"'),
    );
    const places = 'sceptic.json random.json copy.json forged.json none.json';
    const { exit, out } = await machine.run(
      `benchmark --jobs 1 --out results.md --table ${places}`,
    );
    expect(exit).toBe(1);
    expect(out.match(/^(scripted_cold_sceptic|anchor_random) /gm)?.length).toBe(2);
    for (const words of [
      'No row for copy.json: sceptic.json has its games.',
      'No row for forged.json: ',
      'No row for none.json: ',
      'Better than random legal play: nobody in deception; nobody in detection.',
      'deception: Too few games to compare 1 pair.',
    ])
      expect(out).toContain(words);
    const page = machine.read('results.md');
    expect(page).toMatch(/^# Results\n\nBetter than random legal play/);
    expect(page).toMatch(/^\| anchor_random \|.*\| random\.json \|$/m);
    expect(page).toContain('--table sceptic.json random.json');
  });

  test.each(['', ' --persona leader --model x', ' --model a,b'])(
    'are refused where the command names no mind, or two: "%s"',
    async (words) => {
      expectEnd(await aPlace().run(`benchmark${words}`), 2, 'benchmark/which-mind');
    },
  );

  test('state the expected intervals before a run is played', async () => {
    const out = await aPlace().done('benchmark --persona leader --games 200 --dry-run');
    expect(out).toContain('deception ±9, detection ±11');
  });

  testLong('hold their folder for one run at a time', async () => {
    const place = aPlace();
    const line = 'benchmark --persona leader --games 40 --jobs 1 --out b';
    const first = new Running(line, place);
    await first.said('intervals to expect');
    const second = await place.run(line);
    first.process.kill('SIGKILL');
    await first.finished;
    expectEnd(second, 73, 'benchmark/running');
  });
});

describe('for Every Eval Ever', () => {
  /** A published schema. Zod lacks conditions, so those that concern us are tested below. */
  const schemaOf = (name: string) => {
    const file = join(
      import.meta.dirname,
      '../analysis/benchmark/everyEval',
      `${name}.schema.json`,
    );
    const text = readFileSync(file, 'utf8').replaceAll('$defs', 'definitions');
    const isCondition = (key: string, value: unknown) =>
      ['if', 'then', 'else'].includes(key) || (key === 'allOf' && JSON.stringify(value) === '[{}]');
    const plain = JSON.parse(text, (key, value) => (isCondition(key, value) ? undefined : value));
    if (name !== 'eval') delete plain.allOf;
    return z.fromJSONSchema(plain);
  };
  const scoreSchema = z.looseObject({
    evaluation_name: z.string(),
    metric_config: z.looseObject({ min_score: z.number(), max_score: z.number() }),
    score_details: z.looseObject({
      score: z.number(),
      uncertainty: z.looseObject({ num_samples: z.number() }),
    }),
  });
  const aggregateSchema = z.looseObject({
    evaluation_id: z.string(),
    evaluation_results: z.array(scoreSchema),
    detailed_evaluation_results: z.looseObject({
      file_path: z.string(),
      checksum: z.string(),
      total_rows: z.number(),
    }),
  });
  const lineSchema = z.looseObject({
    evaluation_id: z.string(),
    evaluation_name: z.string(),
    messages: z.array(z.unknown()),
  });

  test('a bundle is one aggregate with uncertainty and a line for each table and score', async () => {
    const out = await sound.done('export bundle --format eee -o eee --organization us --json');
    const [aggregate = '', samples = ''] = z
      .looseObject({ files: z.array(z.string()) })
      .parse(JSON.parse(out)).files;
    const value: unknown = JSON.parse(sound.read(aggregate));
    expect(schemaOf('eval').safeParse(value).error?.issues).toBeUndefined();
    const { evaluation_id, evaluation_results, detailed_evaluation_results } =
      aggregateSchema.parse(value);
    const { scores } = JSON.parse(sound.read(`bundle/${BUNDLE}`));
    for (const { evaluation_name: name, score_details } of evaluation_results)
      expect(score_details).toMatchObject({
        score: scores[name].value,
        uncertainty: { num_samples: scores[name].cases },
      });
    expect(evaluation_results.map((one) => one.evaluation_name)).toContain('reliability');
    const text = sound.read(samples);
    const lines = text.trim().split('\n');
    expect(detailed_evaluation_results).toMatchObject({
      file_path: samples.slice('eee/'.length),
      checksum: hash('sha256', text, 'hex'),
      total_rows: lines.length,
    });
    const instance = schemaOf('instance_level_eval');
    for (const line of lines) {
      const row: unknown = JSON.parse(line);
      expect(instance.safeParse(row).error?.issues).toBeUndefined();
      expect(lineSchema.parse(row).evaluation_id).toBe(evaluation_id);
    }
  });

  test('of a compact bundle only the scores are written, with their intervals', async () => {
    const { games, scores, seal: _seal, ...rest } = JSON.parse(sound.read(`bundle/${BUNDLE}`));
    const deception = { ...scores.deception, least: -50, most: 50 };
    const compact = { ...rest, games: games.map(toCompact), scores: { ...scores, deception } };
    const place = aPlace({ 'compact.json': writeBundle(sealBundle(compact)) });
    await place.done('export compact.json --format eee -o eee');
    const [file = '', ...others] = globSync('eee/**/*.json*', { cwd: place.cwd });
    expect(others).toEqual([]);
    const value: unknown = JSON.parse(place.read(file));
    expect(schemaOf('eval').safeParse(value).error?.issues).toBeUndefined();
    expect(value).toMatchObject({
      evaluation_results: expect.arrayContaining([
        expect.objectContaining({
          score_details: expect.objectContaining({
            uncertainty: expect.objectContaining({ confidence_interval: expect.anything() }),
          }),
        }),
      ]),
    });
  });

  test.each([
    ['export --format eee', 2, 'usage/export-format'],
    ['export bundle --format eee --card wide', 2, 'usage/export-format'],
    ['export bundle --organization us', 2, 'usage/export-format'],
    ['export bundle/journals/0001.jsonl --format eee', 65, 'bundle/not-a-bundle'],
    ['export nowhere --format eee', 66, 'nowhere'],
    ['export bundle --format eee -o /proc/none', 73, 'output/cannot-write'],
  ] as const)('%s is refused', async (words, exit, code) => {
    expectEnd(await sound.run(words), exit, code);
  });
});
