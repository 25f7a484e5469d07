/** Output paths: an unwritable path is reported before anything runs, and foreign files are never overwritten. */
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { contents, expectEnd, glassbox, jsonLines, Running, sh } from './shell.ts';

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
    const { cwd, run, read } = aPlace(FILES);
    const before = contents(cwd);
    const result = await run(`run a.yaml --json --out ${out}`);
    expectEnd(result, 73, `${code}: `, words);
    const problems = [{ code }];
    expect(jsonLines(result.out)).toMatchObject([{ type: 'error', v: 1, exit: 73, problems }]);
    expect(contents(cwd)).toEqual(before);
    expect(read('foreign.txt')).toBe('my novel\n');
  });

  // Root may write in every folder.
  const testOfUser = isRoot ? () => {} : test;
  testOfUser('a folder that others own is refused', async () => {
    const { path, run } = aPlace({ ...FILES, 'theirs/x': '' });
    chmodSync(path('theirs'), 0o500);
    expectEnd(await run('run a.yaml --out theirs/a.jsonl'), 73, 'permission denied');
  });

  test('folders on the way are made', async () => {
    const { done, read } = aPlace(FILES);
    const out = 'new/folders/a.jsonl';
    await done(`run a.yaml -q --out ${out}`);
    expect(readJournal(read(out)).damages).toEqual([]);
  });

  test('a journal is never written over, by any command', async () => {
    const { run, done, read } = aPlace(FILES);
    await done('run a.yaml --seed 1 -q --out a.jsonl');
    const first = read('a.jsonl');
    for (const line of [
      'run a.yaml --seed 1 -q --out a.jsonl',
      'fork a.jsonl --at 1 --out a.jsonl',
      'export a.jsonl --out a.jsonl --force',
      'export a.jsonl --card wide --out a.jsonl',
      'chart --out a.jsonl --force',
      'check --page a.jsonl',
      'check --junit a.jsonl --force',
      'check --trace a.jsonl',
    ]) {
      expectEnd(await run(line), 73, 'a.jsonl is a journal, which is not written over');
      expect(read('a.jsonl')).toBe(first);
    }
  });

  test.each<[string, (text: string) => Buffer, string]>([
    ['packed with gzip', gzipSync, 'packed, as a journal may be'],
    ['packed with zstd', zstdCompressSync, 'packed, as a journal may be'],
    ['in UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'), 'a journal'],
    ['behind an empty line', (text) => Buffer.from(`\n${text}`), 'a journal'],
  ])('nor is one that is %s', async (_, pack, what) => {
    const { run, done, read, path } = aPlace(FILES);
    await done('run a.yaml --seed 1 -q --out a.jsonl');
    const packed = pack(read('a.jsonl'));
    writeFileSync(path('b'), packed);
    expectEnd(await run('chart --out b --force'), 73, `b is ${what}, which is not written over`);
    expect(readFileSync(path('b'))).toEqual(packed);
  });

  test.each(['export a.jsonl --out', 'chart --out', 'check --page', 'check --junit'])(
    '%s writes over its own output, and over other files only with --force',
    async (command) => {
      const { run, done, read } = aPlace(FILES);
      if (command.startsWith('export')) await done('run a.yaml --seed 1 -q --out a.jsonl');
      expectEnd(await run(`${command} foreign.txt`), 73, '--force [output/other-kind]');
      expect(read('foreign.txt')).toBe(FILES['foreign.txt']);
      if (command.startsWith('check')) return;
      await done(`${command} foreign.txt --force`);
      await done(`${command} foreign.txt`);
    },
  );

  test.each(['--page', '--junit'])(
    'check %s makes no file behind a link to nothing',
    async (flag) => {
      const { cwd, run } = aPlace(FILES);
      symlinkSync('target', `${cwd}/link`);
      await run(`check --rules house --players 3 --max-states 1 ${flag} link`);
      expect(existsSync(`${cwd}/target`)).toBe(false);
    },
  );

  test('without it a folder "journals" that is a file is refused', async () => {
    const { run, read } = aPlace({ 'a.yaml': SCENARIO, journals: 'a book' });
    expectEnd(await run('run a.yaml'), 73, 'output/cannot-write');
    expect(read('journals')).toBe('a book');
  });
});

describeLong.runIf(existsSync('/dev/full')).concurrent('a full disk', () => {
  const full = 'the disk is full';

  test('ends the meeting if its journal cannot be written', async () => {
    const { cwd } = aPlace(FILES);
    const before = contents(cwd);
    expect(await glassbox('run a.yaml --out /dev/full', { cwd })).toMatchObject({
      exit: 73,
      err: `glassbox: cannot write the journal to /dev/full: ${full} [output/cannot-write]\n`,
    });
    expect(contents(cwd)).toEqual(before);
  });

  test('a chart that cannot be written is refused with a sentence', async () => {
    const words = `cannot write the chart to /dev/full: ${full}`;
    expectEnd(await glassbox('chart --out /dev/full'), 73, words);
  });

  test.each([
    [
      'that takes no standard output is reported, and the journal is whole',
      {
        line: '$GLASSBOX run a.yaml --json --out a.jsonl > /dev/full',
        ...{ words: `cannot write the output: ${full}`, last: 'meeting.closed', damages: [] },
      },
    ],
    // `ulimit -f` counts blocks of 512 or 1024 bytes, depending on the shell: room for the header and some ticks.
    [
      'that fills up in mid-meeting leaves a journal that opens',
      {
        line: 'ulimit -f 8; $GLASSBOX run a.yaml -q --out a.jsonl',
        words: 'the file would be larger than is allowed; the file keeps the lines before',
        ...{ last: 'match.opened', damages: ['journal/torn'] },
      },
    ],
  ])('%s', async (_, { line, words, last, damages }) => {
    const { cwd, read } = aPlace(FILES);
    expectEnd(await sh(line, cwd), 73, words);
    const journal = readJournal(read('a.jsonl'));
    expect(journal.damages.map(({ code }) => code)).toEqual(damages);
    expect(journal.lines.length).toBeGreaterThan(1);
    expect(journal.lines.map(({ type }) => type)).toContain(last);
  });

  test('that is full from the first line leaves nothing', async () => {
    const { cwd } = aPlace(FILES);
    const before = contents(cwd);
    expectEnd(await sh('ulimit -f 1; $GLASSBOX run a.yaml -q --out new/a.jsonl', cwd), 73);
    expect(contents(cwd)).toEqual(before);
  });
});

describe('--out of a run', () => {
  test.each([
    ['one game', ''],
    ['two games', ' -n 2'],
  ])('keeps the games of an earlier run of %s, and writes the same run anew', async (_, more) => {
    const { cwd, run, done, read } = aPlace();
    const play = `run --players 4 -q --out out${more} --seed`;
    await done(`${play} 1`);
    const before = contents(cwd);
    const first = read('out/0001.jsonl');
    expectEnd(
      await run(`${play} 2`),
      73,
      /out holds games of another run: 0001\.jsonl has seed 1, not 2.*output\/other-run/,
    );
    await done(`${play} 1`);
    expect(contents(cwd)).toEqual(before);
    expect(read('out/0001.jsonl')).toBe(first);
  });

  testLong('is for one run at a time, and free again when that was killed', async () => {
    const place = aPlace();
    const endless = 'run -n 1000 --seed 1 --out out';
    const first = new Running(endless, place);
    await first.said('game    1');
    expectEnd(await place.run(endless), 73, 'output/running');
    first.process.kill('SIGKILL');
    await first.finished;
    const third = new Running(endless, place);
    await third.said('game    1');
    third.process.kill('SIGKILL');
    await third.finished;
  });
});
