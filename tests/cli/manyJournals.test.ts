/** Many journals in one process: `stats` and `replay` of folders on several threads, and the cache of `stats`. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, glassbox, jsonLines } from './shell.ts';

/** Enough journals for two threads. */
const GAMES = 41;
/** The minimum number of journals for the cache. */
const FEW = 20;

let cwd = '';

beforeAll(async () => {
  cwd = aFolder();
  const args = ['run', '-n', String(GAMES), '--players', '4', '--seed', '1', '--out', 'run', '-q'];
  expect((await warmGlassbox([...args, '--no-live'], { cwd })).exit).toBe(0);
  mkdirSync(join(cwd, 'few'));
  for (const name of readdirSync(join(cwd, 'run')).toSorted().slice(0, FEW)) {
    copyFileSync(join(cwd, 'run', name), join(cwd, 'few', name));
  }
});

const stats = async (state: string, ...more: readonly string[]) =>
  await warmGlassbox(['report', '--stats', 'few', '--json', ...more], {
    cwd,
    env: { GLASSBOX_STATE: state },
  });

describe('what was counted of a folder', () => {
  testLong('is what each journal says by itself, on one thread or on two', async () => {
    const all = await warmGlassbox(['report', '--stats', 'run', '--json'], {
      cwd,
      env: { GLASSBOX_STATE: 'none' },
    });
    expect(all.exit).toBe(0);
    const names = readdirSync(join(cwd, 'run')).toSorted();
    const [first = '', ...others] = names;
    const few = await warmGlassbox(
      ['report', '--stats', '--json', `run/${first}`, `run/${others[0]}`],
      { cwd },
    );
    expect(jsonLines(few.out)[0]).toMatchObject({ games: 2, skipped: 0 });
    expect(jsonLines(all.out)[0]).toMatchObject({ games: GAMES, skipped: 0 });
    const named = await warmGlassbox(
      ['report', '--stats', '--json', ...names.map((name) => `run/${name}`)],
      { cwd },
    );
    expect(named.out).toBe(all.out);
  });

  test('counts are remembered, and only changed journals are read again', async () => {
    const state = aFolder();
    const first = await stats(state);
    const [file = ''] = readdirSync(join(state, 'counts'));
    const kept = readFileSync(join(state, 'counts', file), 'utf8');
    expect(kept).toContain('few/0001.jsonl');
    expect((await stats(state)).out).toBe(first.out);
    // The journal changed but kept its size and time, so the cached counts are used.
    const path = join(cwd, 'few', '0002.jsonl');
    const text = readFileSync(path, 'utf8');
    const time = 1_700_000_000;
    utimesSync(path, time, time);
    expect((await stats(state)).out).toBe(first.out);
    writeFileSync(path, text.replaceAll('"', "'"));
    utimesSync(path, time, time);
    expect((await stats(state)).out).toBe(first.out);
    const recounted = await stats(state, '--recount');
    expect(recounted.exit).toBe(65);
    expect(jsonLines(recounted.out)[0]).toMatchObject({ games: FEW - 1, skipped: 1 });
    writeFileSync(path, text);
    expect((await stats(state)).out).toBe(first.out);
  });

  test('is counted anew where the memory is damaged, of other prices, or can’t be kept', async () => {
    const state = aFolder();
    const first = await stats(state);
    const [file = ''] = readdirSync(join(state, 'counts'));
    const path = join(state, 'counts', file);
    const kept = readFileSync(path, 'utf8');
    for (const damaged of [
      '',
      'nonsense',
      kept.replace('"rounds":', '"rounds":1'),
      kept.slice(9),
    ]) {
      writeFileSync(path, damaged);
      const again = await stats(state);
      expect([again.out, again.err, again.exit]).toEqual([first.out, '', 0]);
      expect(readFileSync(path, 'utf8')).toBe(kept);
    }
    writeFileSync(join(cwd, 'prices.json'), '{"some-model":{"input":1,"output":2}}');
    const priced = await stats(state, '--prices', 'prices.json');
    expect(priced.out).toBe(first.out);
    expect(readFileSync(path, 'utf8')).not.toBe(kept);
    const occupied = join(cwd, 'occupied');
    writeFileSync(occupied, 'a file where a folder should be');
    const unkept = await stats(join(occupied, 'state'));
    expect([unkept.out, unkept.err, unkept.exit]).toEqual([first.out, '', 0]);
  });
});

describe('a folder of journals is played again', () => {
  testLong('and all are the same', async () => {
    const { exit, out, err } = await warmGlassbox(['verify', 'run'], { cwd });
    expect([exit, err]).toEqual([0, '']);
    expect(out).toBe(
      `${GAMES} of ${GAMES} journals were played again: all lines are identical to the byte\n`,
    );
    const lines = jsonLines((await warmGlassbox(['verify', 'run', '--json'], { cwd })).out);
    expect(lines.map((line) => line.journal)).toEqual(
      readdirSync(join(cwd, 'run'))
        .toSorted()
        .map((name) => `run/${name}`),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'verify.journal', v: 1, judged: null }),
    );
  });

  testLong('together with what comes from standard input, on however many threads', async () => {
    const input = readFileSync(join(cwd, 'run', '0001.jsonl'), 'utf8');
    for (const folder of ['run', 'run/0002.jsonl']) {
      const { exit, out, err } = await glassbox(['verify', folder, '-'], { cwd, input });
      expect([exit, err]).toEqual([0, '']);
      const count = folder === 'run' ? GAMES + 1 : 2;
      expect(out).toContain(`${count} of ${count} journals were played again: all`);
    }
  });

  test('each journal that differs, is torn or damaged is named in a line', async () => {
    const other = aFolder();
    for (const name of ['a', 'b', 'c', 'd'])
      writeFileSync(
        join(other, `${name}.jsonl`),
        readFileSync(join(cwd, 'run', '0001.jsonl'), 'utf8'),
      );
    const whole = readFileSync(join(other, 'b.jsonl'), 'utf8').split('\n');
    writeFileSync(join(other, 'b.jsonl'), whole.slice(0, 4).join('\n').slice(0, -20));
    appendFileSync(join(other, 'c.jsonl'), 'what is this\n');
    const { exit, out, err } = await warmGlassbox(['verify', other]);
    expect(exit).toBe(65);
    expect(out).toBe('3 of 4 journals were played again: all lines are identical to the byte\n');
    expect(err).toMatch(/b\.jsonl/);
    expect(err).toMatch(/c\.jsonl/);
    const none = await warmGlassbox(['verify', aFolder({ 'a.txt': 'no journal' })]);
    expect(none.exit).toBe(66);
    expect(none.err).toMatch(failureLine('input/no-journals: expected journals'));
  });
});
