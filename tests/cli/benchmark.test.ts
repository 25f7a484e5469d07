/** The benchmark on the command line: bundles of a model and of offline minds, edited bundles, and interrupted runs. */

import { hash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Bundle,
  type BundleGame,
  sealBundle,
  writeBundle,
} from '../../analysis/benchmark/bundle.ts';
import { rechain } from '../analysis/league/tampering.ts';
import { whenever } from '../support/endpoint/case.ts';
import { FakeEndpoint } from '../support/endpoint/fakeEndpoint.ts';
import { said } from '../support/endpoint/sent.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, glassbox, Running } from './shell.ts';

const KEY = 'sk-canary-of-the-benchmark';
const FIRST = 'journals/0001.jsonl';
const SECOND = 'journals/0002.jsonl';

const benchmarkOf = (url: string, ...more: readonly string[]) => [
  ...['benchmark', '--model', 'fake-a', '--base-url', url, '--key', 'CANARY'],
  ...['--games', '2', '--jobs', '1', '--out', 'bundle', ...more],
];

/** The bundle of a model that answers well. Tests spoil copies of it. */
let sound = '';
let url = '';
beforeAll(async () => {
  const endpoint = await FakeEndpoint.open();
  url = endpoint.baseUrl;
  sound = aFolder();
  const env = { CANARY: KEY };
  const { exit, out, err } = await warmGlassbox(benchmarkOf(url), { cwd: sound, env });
  expect([exit, err]).toEqual([0, expect.stringContaining('requests')]);
  expect(out).toContain('→  fake-a');
  await endpoint.close();
});

type Finding = {
  readonly code: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly table: number | null;
};

async function verify(cwd: string, place = 'bundle') {
  const args = ['verify', place, '--jobs', '1', '--json'];
  const { exit, out, err } = await warmGlassbox(args, { cwd });
  const findings: readonly Finding[] = out === '' ? [] : (JSON.parse(out).findings ?? []);
  return {
    exit,
    err: err + out,
    findings,
    where: findings.map(({ code, file, table }) => [code, file, table]),
  };
}

type WholeBundle = Omit<Bundle, 'games'> & { readonly games: BundleGame[] };

class Copy {
  readonly cwd = aFolder();

  constructor() {
    cpSync(join(sound, 'bundle'), this.path(), { recursive: true });
  }

  path(...names: readonly string[]): string {
    return join(this.cwd, 'bundle', ...names);
  }

  edit(file: string, change: (text: string) => string): void {
    const before = readFileSync(this.path(file), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(this.path(file), after);
  }

  /** Edits the bundle and seals it again, as a forger would. */
  forge(change: (bundle: WholeBundle) => Omit<WholeBundle, 'seal'>): void {
    const bundle: WholeBundle = JSON.parse(readFileSync(this.path('bundle.json'), 'utf8'));
    const { seal: _seal, ...forged } = { seal: '', ...change(bundle) };
    writeFileSync(this.path('bundle.json'), writeBundle(sealBundle(forged)));
  }

  forgeGame(change: (game: BundleGame) => BundleGame): void {
    this.forge((bundle) => {
      const [first, ...others] = bundle.games;
      return { ...bundle, games: first === undefined ? [] : [change(first), ...others] };
    });
  }
}

const SEAL = ['bundle/seal', 'bundle.json', null];

describe('a bundle of a model', () => {
  test('is verified without a key, a network or a place of this machine in it', async () => {
    const { exit, findings } = await verify(sound);
    expect([exit, findings]).toEqual([0, []]);
    expect(contents(join(sound, 'bundle'))).toEqual(
      expect.arrayContaining([
        'bundle.json',
        FIRST,
        SECOND,
        'tables/games.parquet',
        'report/index.html',
      ]),
    );
    const { host } = new URL(url);
    for (const file of ['bundle.json', FIRST, SECOND, 'report/index.html', 'report/queries.sql']) {
      const text = readFileSync(join(sound, 'bundle', file), 'utf8');
      for (const place of [KEY, 'CANARY', host, sound, process.cwd()]) {
        expect(text).not.toContain(place);
      }
    }
  });

  test('is written once: the same command prints its scores, and another mind is refused', async () => {
    const again = await warmGlassbox(benchmarkOf(url, '--json'), {
      cwd: sound,
      env: { CANARY: KEY },
    });
    expect([again.exit, JSON.parse(again.out).tested.model]).toEqual([0, 'fake-a']);
    const other = await warmGlassbox('benchmark --persona leader --games 2 --out bundle --quiet', {
      cwd: sound,
    });
    expect([other.exit, other.err]).toEqual([73, expect.stringContaining('benchmark/other-run')]);
    const fewer = benchmarkOf(url, '--quiet').map((word) => (word === '2' ? '1' : word));
    const { exit, err } = await warmGlassbox(fewer, { cwd: sound, env: { CANARY: KEY } });
    expect([exit, err]).toEqual([73, expect.stringContaining('has games up to table 2')]);
  });

  test('names an edited byte of a journal, with its line', async () => {
    const copy = new Copy();
    const lines = readFileSync(copy.path(FIRST), 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"type":"round.closed"'));
    copy.edit(FIRST, (text) =>
      text.replace(lines[at] ?? '', (lines[at] ?? '').replace('"round":', '"round":1')),
    );
    const { exit, findings } = await verify(copy.cwd);
    expect([exit, findings]).toEqual([
      1,
      [expect.objectContaining({ code: 'journal/edited', file: FIRST, line: at + 1, table: 1 })],
    ]);
  });

  test('names journals that were swapped, and whose they are', async () => {
    const copy = new Copy();
    renameSync(copy.path(FIRST), copy.path('other'));
    renameSync(copy.path(SECOND), copy.path(FIRST));
    renameSync(copy.path('other'), copy.path(SECOND));
    const { exit, findings, where } = await verify(copy.cwd);
    expect(exit).toBe(1);
    expect(where).toEqual([
      ['bundle/other-game', FIRST, 1],
      ['bundle/other-game', SECOND, 2],
    ]);
    expect(findings[0]?.text).toContain('found the game of table 2');
  });

  test.each([
    ['as it is', false],
    ['sealed anew', true],
  ])('names a result that was turned round, %s', async (_, isForged) => {
    const copy = new Copy();
    const turn = (text: string) => (text === 'crew' ? 'impostors' : 'crew');
    if (isForged) {
      copy.forgeGame((game) => ({
        ...game,
        tested: { ...game.tested, winner: game.tested.winner === 'crew' ? 'impostors' : 'crew' },
      }));
    } else {
      copy.edit('bundle.json', (text) =>
        text.replace(/"winner":"(\w+)"/, (_all, side: string) => `"winner":"${turn(side)}"`),
      );
    }
    const { exit, where, findings } = await verify(copy.cwd);
    const result = ['bundle/other-result', 'bundle.json', 1];
    expect([exit, where]).toEqual([1, isForged ? [result] : [SEAL, result]]);
    expect(findings.at(-1)?.text).toMatch(/expected winner "(crew|impostors)", found/);
  });

  test.each([
    ['a journal that is missing', ['bundle/missing-journal', SECOND, 2]],
    ['a game that is missing', ['bundle/missing-game', 'bundle.json', 2]],
    ['a game that is there twice', ['bundle/double-game', 'bundle.json', 1]],
  ])('names %s', async (what, finding) => {
    const copy = new Copy();
    if (what.startsWith('a journal')) rmSync(copy.path(SECOND));
    else {
      copy.forge((bundle) => {
        const first = bundle.games.slice(0, 1);
        return { ...bundle, games: what.includes('twice') ? [...bundle.games, ...first] : first };
      });
    }
    const { exit, where } = await verify(copy.cwd);
    expect([exit, where]).toEqual([1, expect.arrayContaining([finding])]);
  });

  test('of another version ends with 65 and the line of the version that made it', async () => {
    const copy = new Copy();
    copy.forge((bundle) => ({ ...bundle, engine: '0.7.3+rules9.prompts9.minds9' }));
    const { exit, err } = await verify(copy.cwd);
    expect([exit, err]).toEqual([65, expect.stringContaining('bundle/other-version')]);
    expect(err).toContain('npx glass-box-league@0.7.3 verify bundle');
  });

  test('names an answer of an offline mind that was forged, with all hashes made anew', async () => {
    const copy = new Copy();
    const lines = readFileSync(copy.path(FIRST), 'utf8').split('\n');
    const seat = JSON.parse(lines[0] ?? '').match.seats.find(
      ({ mind }: { readonly mind: string }) => mind === 'scripted',
    ).colour;
    const at = lines.findIndex((row) => {
      if (!row.includes('"type":"round.closed"')) return false;
      const { orders } = JSON.parse(row);
      return orders.some((one: { readonly seat: string }) => one.seat === seat);
    });
    copy.edit(FIRST, (text) => {
      const rows = text.split('\n');
      const line = JSON.parse(rows[at] ?? '');
      for (const order of line.orders) {
        if (order.seat === seat) order.received.internal_thought = 'I am on to something.';
      }
      rows[at] = JSON.stringify(line);
      return rechain(rows.join('\n'));
    });
    copy.forgeGame((game) => {
      const text = readFileSync(copy.path(FIRST), 'utf8');
      const last = (channel: string) =>
        JSON.parse(
          text
            .trimEnd()
            .split('\n')
            .findLast((row) => row.includes(`"channel":"${channel}"`)) ?? '',
        ).hash;
      const digest = hash('sha256', text, 'hex');
      return {
        ...game,
        tested: { ...game.tested, digest, living: last('living'), ghosts: last('ghosts') },
      };
    });
    const { exit, findings } = await verify(copy.cwd);
    expect(exit).toBe(1);
    expect(findings[0]).toMatchObject({
      code: 'bundle/plays-otherwise',
      file: FIRST,
      line: at + 1,
      table: 1,
    });
    expect(findings[0]?.text).toContain('I am on to something.');
  });

  test('names a journal that seats another mind as the tested one', async () => {
    const copy = new Copy();
    copy.edit(FIRST, (text) => {
      const [header = '', ...rows] = text.split('\n');
      const line = JSON.parse(header);
      for (const seat of line.match.seats) {
        if (seat.model !== undefined) seat.model = 'fake-b';
      }
      return rechain([JSON.stringify(line), ...rows].join('\n'));
    });
    const { exit, findings, where } = await verify(copy.cwd);
    expect([exit, where]).toEqual([1, [['bundle/other-mind', FIRST, 1]]]);
    expect(findings[0]?.text).toMatch(
      /expected the tested seat, \w+, to be .*fake-a.*found .*fake-b/,
    );
  });

  test('names a bundle that says another model than its journals', async () => {
    const copy = new Copy();
    copy.forge((bundle) => ({
      ...bundle,
      tested: { mind: 'openai', model: 'gpt-99', endpoint: 'openai' },
    }));
    const { exit, where } = await verify(copy.cwd);
    expect([exit, where]).toEqual([
      1,
      [
        ['bundle/other-mind', FIRST, 1],
        ['bundle/other-mind', SECOND, 2],
      ],
    ]);
  });

  test('names a journal that is torn, one whose times were changed, and a file too many', async () => {
    const copy = new Copy();
    copy.edit(FIRST, (text) => text.slice(0, -200));
    copy.edit(SECOND, (text) => text.replace(/"ms":(\d+)/, '"ms":1$1'));
    writeFileSync(copy.path('journals', 'notes.txt'), 'better games');
    writeFileSync(copy.path('.hidden'), '');
    const { exit, where } = await verify(copy.cwd);
    expect(exit).toBe(1);
    expect(where).toEqual([
      ['bundle/extra-file', '.hidden', null],
      ['bundle/extra-file', 'journals/notes.txt', null],
      ['journal/torn', FIRST, 1],
      ['bundle/other-journal', SECOND, 2],
    ]);
  });

  test.each([
    ['a table', 'as it is', 'tables/games.parquet', false],
    ['a table', 'with its hash made anew', 'tables/games.parquet', true],
    ['a report', 'with its hash made anew', 'report/queries.sql', true],
  ])('names %s that was edited, %s', async (_what, _how, path, isForged) => {
    const copy = new Copy();
    const bytes = readFileSync(copy.path(path));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(copy.path(path), bytes);
    const sha256 = hash('sha256', bytes, 'hex');
    if (isForged) {
      copy.forge((bundle) => ({
        ...bundle,
        files: bundle.files.map((file) => (file.path === path ? { path, sha256 } : file)),
      }));
    }
    const { exit, where } = await verify(copy.cwd);
    expect([exit, where]).toEqual([1, [['bundle/other-file', path, null]]]);
  });

  test('names a score that differs from its games', async () => {
    const copy = new Copy();
    copy.forge((bundle) => ({
      ...bundle,
      scores: { ...bundle.scores, detection: { ...bundle.scores.detection, value: 99 } },
    }));
    const { exit, findings } = await verify(copy.cwd);
    expect([exit, findings.map(({ code }) => code)]).toEqual([1, ['bundle/other-score']]);
    expect(findings[0]?.text).toContain('"value":99');
  });

  test.each([
    ['a folder without a bundle as journals', { 'bundle/notes.txt': '' }, 66, 'input/no-journals'],
    ['a word that is no path as a league', {}, 66, 'league/unknown'],
    ['another text as a journal', { bundle: '[1]' }, 65, 'journal/'],
    ['other JSON as a bundle', { bundle: '{}' }, 65, 'bundle/not-a-bundle'],
  ])('verify takes %s', async (_, files, exit, code) => {
    const found = await warmGlassbox('verify bundle', { cwd: aFolder(files) });
    expect([found.exit, found.err]).toEqual([exit, expect.stringContaining(code)]);
  });
});

describeLong('a benchmark that breaks off', () => {
  test('goes on after a kill, and asks nobody twice', async () => {
    let victim: Running | null = null;
    const LAST = 30;
    const endpoint = await FakeEndpoint.open({
      steps: [
        {
          when: ({ turn }) => {
            if (turn === LAST) victim?.process.kill('SIGKILL');
            return false;
          },
          sends: { type: 'silence' },
        },
      ],
    });
    const cwd = aFolder();
    const env = { CANARY: KEY };
    const args = benchmarkOf(endpoint.baseUrl, '--quiet');
    victim = new Running(args, { cwd, env });
    await victim.finished;
    expect(existsSync(join(cwd, 'bundle', `${FIRST}.open`))).toBe(true);
    const open = await verify(cwd);
    expect([open.exit, open.err]).toEqual([65, expect.stringContaining('bundle/not-complete')]);
    expect((await warmGlassbox(args, { cwd, env })).exit).toBe(0);
    expect((await verify(cwd)).findings).toEqual([]);
    const { games }: WholeBundle = JSON.parse(
      readFileSync(join(cwd, 'bundle/bundle.json'), 'utf8'),
    );
    const asked = games.reduce((sum, { tested }) => sum + tested.requests, 0);
    // The requests in flight at the kill, one for each game, are in the journal as lost or were never sent.
    expect(Math.abs(endpoint.asked.length - asked)).toBeLessThanOrEqual(2);
    const sealed: WholeBundle = JSON.parse(readFileSync(join(sound, 'bundle/bundle.json'), 'utf8'));
    expect(games.map(({ tested }) => tested.living)).toEqual(
      sealed.games.map(({ tested }) => tested.living),
    );
    await endpoint.close();
  });

  test('stops at its budget, and goes on with a larger one', async () => {
    const endpoint = await FakeEndpoint.open();
    const cwd = aFolder();
    const env = { CANARY: KEY };
    const short = benchmarkOf(endpoint.baseUrl, '--max-calls', '12', '--quiet');
    const first = await warmGlassbox(short, { cwd, env });
    expect([first.exit, first.err]).toEqual([69, expect.stringContaining('benchmark/paused')]);
    expect(endpoint.asked.length).toBeLessThanOrEqual(12);
    const more = benchmarkOf(endpoint.baseUrl, '--max-calls', '900', '--quiet');
    expect((await warmGlassbox(more, { cwd, env })).exit).toBe(0);
    expect((await verify(cwd)).findings).toEqual([]);
    await endpoint.close();
  });

  test('counts a model that fails as unreliable, and its bundle is verified all the same', async () => {
    const endpoint = await FakeEndpoint.open({
      steps: [whenever(({ turn }) => turn >= 20, said('I would rather not say.'))],
    });
    const cwd = aFolder();
    const args = benchmarkOf(endpoint.baseUrl, '--json');
    const { exit, out, err } = await warmGlassbox(args, { cwd, env: { CANARY: KEY } });
    expect([exit, err]).toEqual([0, '']);
    const { reliability } = JSON.parse(out).scores;
    expect(reliability.value).toBeLessThan(100);
    expect((await verify(cwd)).findings).toEqual([]);
    await endpoint.close();
  });
});

describe('offline minds', () => {
  test('play the same games each time, so that their bundle needs no journals', async () => {
    const cwd = aFolder();
    const args = ['benchmark', '--persona', 'scripted_cold_sceptic', '--games', '2', '--jobs', '1'];
    const compact = [...args, '--compact', '--out', 'sceptic.json', '--quiet'];
    expect((await warmGlassbox(compact, { cwd })).exit).toBe(0);
    expect(contents(cwd)).toEqual(['sceptic.json']);
    expect((await verify(cwd, 'sceptic.json')).findings).toEqual([]);
    const path = join(cwd, 'sceptic.json');
    const [hashed = ''] = /"reference":"\w+"/.exec(readFileSync(path, 'utf8')) ?? [];
    const other = hashed.replace(/\w{8}"$/, '00000000"');
    writeFileSync(path, readFileSync(path, 'utf8').replace(hashed, other));
    const { exit, where } = await verify(cwd, 'sceptic.json');
    const file = 'sceptic.json';
    expect([exit, where]).toEqual([
      1,
      [
        ['bundle/seal', file, null],
        ['bundle/other-hash', file, 1],
      ],
    ]);
  });

  test('are refused where the command names no mind, or two', async () => {
    for (const words of [[], ['--persona', 'leader', '--model', 'x'], ['--model', 'a,b']]) {
      const { exit, err } = await warmGlassbox(['benchmark', ...words]);
      expect([exit, err]).toEqual([2, expect.stringContaining('benchmark/which-mind')]);
    }
  });

  test('state the expected intervals before a run is played', async () => {
    const { exit, out } = await warmGlassbox('benchmark --persona leader --games 200 --dry-run', {
      cwd: aFolder(),
    });
    expect([exit, out]).toEqual([0, expect.stringContaining('deception ±9, detection ±11')]);
  });

  testLong('hold their folder for one run at a time', async () => {
    const cwd = aFolder();
    const args = ['benchmark', '--persona', 'leader', '--games', '40', '--jobs', '1', '--out', 'b'];
    const first = new Running(args, { cwd });
    await first.said('intervals to expect');
    const second = glassbox(args, { cwd });
    const { exit, err } = await second;
    first.process.kill('SIGKILL');
    await first.finished;
    expect([exit, err]).toEqual([73, expect.stringContaining('benchmark/running')]);
  });
});
