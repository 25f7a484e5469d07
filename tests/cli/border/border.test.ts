/**
 * Strange files: whatever file a path names, every command that reads it ends with an error sentence and no stack
 * trace.
 */
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EXIT } from '../../../actors/files/failure.ts';
import { createProgram } from '../../../cli/glassbox.ts';
import { IS_LONG, seeds, testLong } from '../../support/seeds.ts';
import { aFolder, glassbox, Running, sh } from '../shell.ts';
import { DOORS, listDoors } from './doors.ts';
import { KINDS } from './kinds.ts';
import type { Tried } from './worker.ts';

testLong(
  'every argument and option that may name something to read is a door that is tried',
  async () => {
    const known = Object.keys(DOORS).filter((name) => !name.includes('('));
    expect(listDoors(await createProgram()).toSorted()).toEqual(known.toSorted());
  },
);

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
const MEGABYTES = seeds(2, 200);
/** The door that `npm test` tries. The long run tries all. */
const QUICK = ['watch [journal]'];
const TRIED = IS_LONG ? Object.keys(DOORS) : QUICK;

/** Limit for the memory of a process, in megabytes, including the program itself. */
const MOST_MEMORY = 1000;
/** Exit codes that need no error sentence. */
const SAYS_NOTHING: readonly number[] = [EXIT.done, EXIT.found, EXIT.gate, EXIT.incomplete];
const SENTENCE = /^glassbox: \S.* \[[a-z-]+\/[a-z-]+\]$/m;
const STACK = /^ {4}at /m;
/** Control and format characters, which a terminal obeys or hides. CSV lines end with CRLF (RFC 4180). */
const RAW = /(?!\r?\n)[\p{Cc}\p{Cf}]/u;

test.each(TRIED)(
  `${KINDS.length} kinds of files, with ${MEGABYTES} MB of what is large: %s`,
  async (door) => {
    const folder = aFolder();
    for (const path of [folder, `${folder}/..`]) chmodSync(path, 0o755);
    const words = ['--max-old-space-size=500', WORKER, folder, String(MEGABYTES * 1_000_000), door];
    const { exit, out, err } = await new Running(words, { program: process.execPath }).finished;
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const tried: readonly Tried[] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(tried.map(({ kind }) => kind)).toEqual(KINDS.map(({ name }) => name));
    const [expected] = tried;
    for (const one of tried) {
      const { isRead, out: said, err: told } = one;
      const text = `${said}${told}`;
      expect(Object.values(EXIT), JSON.stringify(one)).toContain(one.exit);
      expect(one.exit, JSON.stringify(one)).not.toBe(EXIT.internal);
      if (!SAYS_NOTHING.includes(one.exit)) expect(told, JSON.stringify(one)).toMatch(SENTENCE);
      expect(text).not.toMatch(STACK);
      expect(text).not.toMatch(RAW);
      if (isRead) expect(one.exit, JSON.stringify(one)).toBe(expected?.exit);
      expect(one.peak, JSON.stringify(one)).toBeLessThan(MOST_MEMORY);
    }
  },
);

const FOLDER = aFolder();
await glassbox(['run', 'electrical', '--seed', '7', '--out', 'a.jsonl', '-q'], { cwd: FOLDER });

testLong('a journal is read from a pipe, packed or not', async () => {
  const lines = [
    'gzip -c a.jsonl | $GLASSBOX replay -',
    'cat a.jsonl | $GLASSBOX replay /dev/stdin',
    '$GLASSBOX replay - < a.jsonl',
    'mkfifo p && (gzip -c a.jsonl > p & $GLASSBOX replay p)',
  ];
  for (const line of lines) {
    const { exit, out, err } = await sh(line, FOLDER);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^the same: /);
  }
});

test('a pipe that nothing is written to is waited for with a word, and the wait can be ended', async () => {
  await sh('mkfifo q', FOLDER);
  const running = new Running(['watch', 'q'], { cwd: FOLDER });
  await running.said('Waiting for a journal from q: Ctrl-C ends it.');
  running.process.kill('SIGTERM');
  expect((await running.finished).out).toBe('');
});
