/** Output paths: an unwritable path is reported before anything runs, and foreign files are never overwritten. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, failureLine, glassbox, jsonLines, Running, sh } from './shell.ts';

const FILES = {
  'a.yaml': SCENARIO,
  'folder/x': '',
  'foreign.txt': 'my novel\n',
  'notes.json': '{"type":"journal"}\n',
};
const isRoot = process.getuid?.() === 0;

describe.concurrent('--out', () => {
  test.each([
    ['folder', 'output/not-a-run', 'folder is there already with'],
    ['a.yaml/b.jsonl', 'output/cannot-write', 'a part of the path is no folder'],
    ['foreign.txt', 'output/not-a-journal', 'foreign.txt exists and is no journal'],
    ['notes.json', 'output/not-a-journal', 'choose another --out, or remove the file'],
    ['a.yaml', 'output/not-a-journal', 'is no journal'],
    [`${'x'.repeat(300)}.jsonl`, 'output/cannot-write', 'the name is too long'],
    ['/proc/no/such.jsonl', 'output/cannot-write', 'no such file or folder'],
  ])('%s is refused, and everything stays as it was', async (out, code, words) => {
    const cwd = aFolder(FILES);
    const before = contents(cwd);
    const result = await warmGlassbox(['run', 'a.yaml', '--json', '--out', out], { cwd });
    expect(result.exit).toBe(73);
    expect(result.err).toMatch(failureLine(`${code}: `));
    expect(result.err).toContain(words);
    expect(jsonLines(result.out)).toMatchObject([
      { type: 'error', v: 1, exit: 73, problems: [{ code }] },
    ]);
    expect(contents(cwd)).toEqual(before);
    expect(readFileSync(join(cwd, 'foreign.txt'), 'utf8')).toBe('my novel\n');
  });

  // Root may write in every folder.
  const testOfUser = isRoot ? () => {} : test;
  testOfUser('a folder that others own is refused', async () => {
    const cwd = aFolder({ ...FILES, 'theirs/x': '' });
    chmodSync(join(cwd, 'theirs'), 0o500);
    const { exit, err } = await warmGlassbox(['run', 'a.yaml', '--out', 'theirs/a.jsonl'], { cwd });
    expect(exit).toBe(73);
    expect(err).toContain('permission denied');
  });

  test('folders on the way are made', async () => {
    const cwd = aFolder(FILES);
    const out = 'new/folders/a.jsonl';
    expect((await warmGlassbox(['run', 'a.yaml', '-q', '--out', out], { cwd })).exit).toBe(0);
    expect(readJournal(readFileSync(join(cwd, out), 'utf8')).damages).toEqual([]);
  });

  test('a journal of an earlier run is overwritten, and not when the new run is refused', async () => {
    const cwd = aFolder({ ...FILES, 'bad.yaml': 'name: x\n' });
    const path = join(cwd, 'a.jsonl');
    const meet = (match: string, seed: string) =>
      warmGlassbox(['run', match, '--seed', seed, '-q', '--out', 'a.jsonl'], { cwd });
    await meet('a.yaml', '1');
    const first = readFileSync(path, 'utf8');
    expect((await meet('bad.yaml', '2')).exit).toBe(78);
    expect(readFileSync(path, 'utf8')).toBe(first);
    expect((await meet('a.yaml', '2')).exit).toBe(0);
    expect(readJournal(readFileSync(path, 'utf8')).lines[0]).toMatchObject({ seed: 2 });
  });
});

describe.concurrent('the default folder', () => {
  test('a folder that is a file is refused with a sentence', async () => {
    const cwd = aFolder({ 'a.yaml': SCENARIO, journals: 'a book' });
    const { exit, err } = await warmGlassbox(['run', 'a.yaml'], { cwd });
    expect(exit).toBe(73);
    expect(err).toContain('output/cannot-write');
    expect(readFileSync(join(cwd, 'journals'), 'utf8')).toBe('a book');
  });
});

describeLong.runIf(existsSync('/dev/full')).concurrent('a full disk', () => {
  const full = 'the disk is full';

  test('for the journal ends the meeting', async () => {
    const cwd = aFolder(FILES);
    const before = contents(cwd);
    const { exit, err } = await glassbox(['run', 'a.yaml', '--out', '/dev/full'], { cwd });
    expect(exit).toBe(73);
    expect(err).toBe(
      `glassbox: cannot write the journal to /dev/full: ${full} [output/cannot-write]\n`,
    );
    expect(contents(cwd)).toEqual(before);
  });

  test('a chart that cannot be written is refused with a sentence', async () => {
    const { exit, err } = await glassbox(['chart', '--out', '/dev/full']);
    expect(exit).toBe(73);
    expect(err).toContain(`cannot write the chart to /dev/full: ${full}`);
  });

  test('standard output that cannot be written is reported, and the journal is whole', async () => {
    const cwd = aFolder(FILES);
    const { exit, err } = await sh('$GLASSBOX run a.yaml --json --out a.jsonl > /dev/full', cwd);
    expect(exit).toBe(73);
    expect(err).toMatch(failureLine(`output/cannot-write: cannot write the output: ${full}`));
    const { lines, damages } = readJournal(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
    expect(damages).toEqual([]);
    expect(lines.some(({ type }) => type === 'meeting.closed')).toBe(true);
  });

  test('that fills up in mid-meeting leaves a journal that opens', async () => {
    const cwd = aFolder(FILES);
    // `ulimit -f` counts blocks of 512 or 1024 bytes, depending on the shell: room for the header and some ticks.
    const { exit, err } = await sh('ulimit -f 8; $GLASSBOX run a.yaml -q --out a.jsonl', cwd);
    expect(exit).toBe(73);
    expect(err).toContain(
      'the file would be larger than is allowed; what was written before is kept',
    );
    const { lines, damages } = readJournal(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
    expect(lines.length).toBeGreaterThan(1);
    expect(damages.map(({ code }) => code)).toEqual(['journal/torn']);
  });

  test('that is full from the first line leaves nothing', async () => {
    const cwd = aFolder(FILES);
    const before = contents(cwd);
    const line = 'ulimit -f 1; $GLASSBOX run a.yaml -q --out new/a.jsonl';
    expect((await sh(line, cwd)).exit).toBe(73);
    expect(contents(cwd)).toEqual(before);
  });
});

describe('--out of a run', () => {
  const play = (cwd: string, ...words: readonly string[]) =>
    warmGlassbox(['run', '--players', '4', '-q', '--out', 'out', ...words], { cwd });

  test.each([['one game'], ['two games', '-n', '2']])(
    'keeps the games of an earlier run of %s, and writes the same run anew',
    async (_, ...more) => {
      const cwd = aFolder();
      expect((await play(cwd, '--seed', '1', ...more)).exit).toBe(0);
      const before = contents(cwd);
      const first = readFileSync(join(cwd, 'out/0001.jsonl'), 'utf8');
      const other = await play(cwd, '--seed', '2', ...more);
      expect([other.exit, other.err]).toEqual([
        73,
        expect.stringMatching(
          /out holds games of another run: 0001\.jsonl has seed 1, not 2.*output\/other-run/,
        ),
      ]);
      expect((await play(cwd, '--seed', '1', ...more)).exit).toBe(0);
      expect(contents(cwd)).toEqual(before);
      expect(readFileSync(join(cwd, 'out/0001.jsonl'), 'utf8')).toBe(first);
    },
  );

  testLong('is for one run at a time, and free again when that was killed', async () => {
    const cwd = aFolder();
    const endless = ['run', '-n', '1000', '--seed', '1', '--out', 'out'];
    const first = new Running(endless, { cwd });
    await first.said('game    1');
    const second = await warmGlassbox(['run', '-n', '1000', '--seed', '1', '--out', 'out'], {
      cwd,
    });
    expect([second.exit, second.err]).toEqual([73, expect.stringContaining('output/running')]);
    first.process.kill('SIGKILL');
    await first.finished;
    const third = new Running(endless, { cwd });
    await third.said('game    1');
    third.process.kill('SIGKILL');
    await third.finished;
  });
});
