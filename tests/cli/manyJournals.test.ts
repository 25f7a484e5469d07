/** Many journals in one process: `stats` and `verify` of folders on several threads, and the cache of `stats`. */
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
import { aPlace } from './session.ts';
import { aFolder, expectEnd, expectQuiet, glassbox, jsonLines } from './shell.ts';

/** Enough journals for two threads. */
const GAMES = 41;
/** The minimum number of journals for the cache. */
const FEW = 20;

const { cwd, run, done, path, read, write } = aPlace();
const journals = () => readdirSync(path('run')).toSorted();

beforeAll(async () => {
  await done(`run -n ${GAMES} --players 4 --seed 1 --out run -q --no-live`);
  mkdirSync(path('few'));
  for (const name of journals().slice(0, FEW))
    copyFileSync(path(`run/${name}`), path(`few/${name}`));
});

const stats = (state: string, more = '--json') =>
  run(`report --stats few ${more}`, { GLASSBOX_STATE: state });
const countsIn = (state: string) =>
  join(state, 'counts', readdirSync(join(state, 'counts'))[0] ?? '');

describe('what was counted of a folder', () => {
  testLong('is what each journal says by itself, on one thread or on two', async () => {
    const all = await done('report --stats run --json', { GLASSBOX_STATE: 'none' });
    const names = journals().map((name) => `run/${name}`);
    const few = await done(`report --stats --json ${names.slice(0, 2).join(' ')}`);
    expect(jsonLines(few)[0]).toMatchObject({ games: 2, skipped: 0 });
    expect(jsonLines(all)[0]).toMatchObject({ games: GAMES, skipped: 0 });
    expect(await done(`report --stats --json ${names.join(' ')}`)).toBe(all);
  });

  test('counts are remembered, and only changed journals are read again', async () => {
    const state = aFolder();
    const first = await stats(state);
    expect(readFileSync(countsIn(state), 'utf8')).toContain('few/0001.jsonl');
    expect((await stats(state)).out).toBe(first.out);
    // The journal changed but kept its size and time, so the cached counts are used.
    const second = 'few/0002.jsonl';
    const text = read(second);
    const time = 1_700_000_000;
    utimesSync(path(second), time, time);
    expect((await stats(state)).out).toBe(first.out);
    write(second, text.replaceAll('"', "'"));
    utimesSync(path(second), time, time);
    expect((await stats(state)).out).toBe(first.out);
    const recounted = await stats(state, '--json --recount');
    expect(recounted.exit).toBe(65);
    expect(jsonLines(recounted.out)[0]).toMatchObject({ games: FEW - 1, skipped: 1 });
    write(second, text);
    expect((await stats(state)).out).toBe(first.out);
  });

  test('is counted anew where the memory is damaged, of other prices, or can’t be kept', async () => {
    const state = aFolder();
    const first = await stats(state);
    const memory = countsIn(state);
    const kept = readFileSync(memory, 'utf8');
    const swollen = kept.replace('"rounds":', '"rounds":1');
    for (const damaged of ['', 'nonsense', swollen, kept.slice(9)]) {
      writeFileSync(memory, damaged);
      expect(expectQuiet(await stats(state))).toBe(first.out);
      expect(readFileSync(memory, 'utf8')).toBe(kept);
    }
    write('prices.json', '{"some-model":{"input":1,"output":2}}');
    const priced = await stats(state, '--json --prices prices.json');
    expect(priced.out).toBe(first.out);
    expect(readFileSync(memory, 'utf8')).not.toBe(kept);
    write('occupied', 'a file where a folder should be');
    expect(expectQuiet(await stats(path('occupied/state')))).toBe(first.out);
  });
});

describe('a folder of journals is played again', () => {
  testLong('and all are the same', async () => {
    expect(expectQuiet(await run('verify run'))).toBe(
      `${GAMES} of ${GAMES} journals were played again: all lines are identical to the byte\n`,
    );
    const lines = jsonLines(await done('verify run --json'));
    expect(lines.map((line) => line.journal)).toEqual(journals().map((name) => `run/${name}`));
    const verified = { type: 'verify.journal', v: 1, judged: null };
    expect(lines).toContainEqual(expect.objectContaining(verified));
  });

  testLong('together with what comes from standard input, on however many threads', async () => {
    const input = read('run/0001.jsonl');
    for (const [words, count] of [
      ['run', GAMES + 1],
      ['run/0002.jsonl', 2],
    ] as const) {
      const out = expectQuiet(await glassbox(`verify ${words} -`, { cwd, input }));
      expect(out).toContain(`${count} of ${count} journals were played again: all`);
    }
  });

  test('each journal that differs, is torn or damaged is named in a line', async () => {
    const whole = read('run/0001.jsonl');
    const torn = whole.split('\n').slice(0, 4).join('\n').slice(0, -20);
    const other = aPlace({ 'a.jsonl': whole, 'b.jsonl': torn, 'c.jsonl': whole, 'd.jsonl': whole });
    appendFileSync(other.path('c.jsonl'), 'what is this\n');
    const found = await other.run('verify .');
    expectEnd(found, 65, 'b.jsonl', 'c.jsonl');
    const words = 'journals were played again: all lines are identical to the byte';
    expect(found.out).toBe(`3 of 4 ${words}\n`);
    const none = await aPlace({ 'a.txt': 'no journal' }).run('verify .');
    expectEnd(none, 66, 'input/no-journals: expected journals');
  });
});
