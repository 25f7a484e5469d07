import { execFileSync, spawn } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { AheadFile } from '../../actors/engine/journal/aheadFile.ts';
import { BatchSink, FileSink } from '../../actors/engine/journal/sink.ts';
import { describeSystemError } from '../../actors/files/failure.ts';
import { JobQueue, WorkerPool } from '../../actors/jobs/pool.ts';
import {
  FileJournal,
  JournalLost,
  removePartialFiles,
  saveJournalsIn,
} from '../../actors/league/journals.ts';
import { lockFolder } from '../../actors/league/localQueue.ts';
import { presumeCapabilities } from '../../actors/minds/openai/capabilities.ts';
import { ModelMemory } from '../../actors/minds/openai/memory.ts';
import {
  isAbandoned,
  namePartial,
  realDisk,
  throwUnlessUnsyncable,
} from '../../actors/ports/disk.ts';
import type { Disk, Workers } from '../../actors/ports/ports.ts';
import { realProcess } from '../../actors/ports/process.ts';
import { Unreadable } from '../../actors/ports/reading.ts';
import { tieToThisProcess } from '../support/tied.ts';

class MemoryDisk {
  readonly files = new Map<string, string>();
  readonly disk: Disk;

  constructor(most = Number.POSITIVE_INFINITY) {
    const { files } = this;
    const size = () => [...files.values()].reduce((sum, text) => sum + text.length, 0);
    const put = (path: string, text: string) => {
      if (size() + text.length > most) throw new Error('the disk is full');
      files.set(path, text);
    };
    this.disk = {
      has: (path) => files.has(path),
      isFile: (path) => files.has(path),
      read: (path) => files.get(path) ?? null,
      addFolder: () => {},
      removeFolder: () => {},
      list: (folder) => [...files.keys()].map((path) => path.slice(folder.length + 1)),
      makeFolder: () => {},
      open: (path, mode) => {
        files.set(path, mode === 'append' ? (files.get(path) ?? '') : '');
        const write = (text: string) => put(path, `${files.get(path) ?? ''}${text}`);
        return { write, sync: () => {}, syncLater: async () => {}, close: () => {} };
      },
      save: async (path, content) =>
        put(path, typeof content === 'string' ? content : Buffer.concat([...content]).toString()),
      move: (from, to) => {
        files.set(to, files.get(from) ?? '');
        files.delete(from);
      },
      truncate: (path, bytes) => files.set(path, (files.get(path) ?? '').slice(0, bytes)),
      remove: (path) => files.delete(path),
      identify: () => null,
    };
  }
}

describe('a journal', () => {
  test('is written to whatever disk the sink is given, in steps or in batches', async () => {
    const { disk, files } = new MemoryDisk();
    const steps = new FileSink('steps.jsonl', false, disk);
    const batches = new BatchSink('batches.jsonl', disk);
    for (const sink of [steps, batches]) {
      sink.write('one\n');
      sink.write('two\n');
      await sink.end();
    }
    expect([...files]).toEqual([
      ['steps.jsonl', 'one\ntwo\n'],
      ['batches.jsonl', 'one\ntwo\n'],
    ]);
  });

  test('that finds no room on the disk says so and throws nothing', () => {
    const { disk } = new MemoryDisk(5);
    const sink = new FileSink('game.jsonl', false, disk);
    sink.write('one\n');
    sink.write('two\n');
    expect(sink.failure).toBe('the disk is full');
  });

  test('of a league goes on behind its last whole line', () => {
    const { disk, files } = new MemoryDisk();
    files.set('game.open', 'one\ntw');
    const journal = new FileJournal('game.open', disk);
    expect(journal.past).toBe('one\n');
    journal.write('three\n');
    expect(files.get('game.open')).toBe('one\nthree\n');
    journal.close();
  });

  test('a league journal that cannot be saved is reported with its path', async () => {
    const save = saveJournalsIn('spring', 20, new MemoryDisk(3).disk);
    const lost = await save(6, 'four').catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(JournalLost);
    expect(lost).toMatchObject({ path: 'spring/0007.jsonl', cause: new Error('the disk is full') });
  });

  test('only half-saved and finished open journals are removed', () => {
    const { disk, files } = new MemoryDisk();
    files.set('spring/0001.jsonl', 'whole').set('spring/0002.jsonl.12.part', 'half');
    files.set('spring/0001.jsonl.open', 'old').set('spring/0003.jsonl.open', 'new');
    removePartialFiles('spring', { slots: [0], games: 20 }, disk);
    expect([...files.keys()]).toEqual(['spring/0001.jsonl', 'spring/0003.jsonl.open']);
  });
});

describe('half of a file', () => {
  const NAME = namePartial('0001.jsonl', aProcess('alpha', 'one', 2));

  test.each([
    ['of this machine that is no more', NAME, aProcess('alpha', 'one', 3), true],
    ['of this machine that runs', NAME, aProcess('alpha', 'one', 3, [2]), false],
    ['of another machine', NAME, aProcess('beta', 'one', 3), false],
    ['of another container, or before a restart', NAME, aProcess('alpha', 'two', 3), false],
    ['of a machine that names no space', NAME, aProcess('alpha', '', 3), false],
    ['of an earlier version', '0001.jsonl.2.part', aProcess('alpha', 'one', 3), false],
    ['that has ended it', '0001.jsonl', aProcess('alpha', 'one', 3), false],
  ])('by a process %s', (_words, name, mine, isLost) => {
    expect(isAbandoned(name, mine)).toBe(isLost);
  });

  function aProcess(host: string, space: string, id: number, alive: readonly number[] = []) {
    return { ...realProcess, host, space, id, isAlive: (other: number) => alive.includes(other) };
  }
});

describe('a folder in the place of a file', () => {
  const ROOT = mkdtempSync(join(tmpdir(), 'glassbox-no-file-'));
  const ends: (() => void)[] = [];
  afterAll(() => {
    for (const end of ends) end();
    rmSync(ROOT, { recursive: true });
  });

  const KINDS: readonly (readonly [what: string, lay: (path: string) => void])[] = [
    ['it is a folder', (path) => mkdirSync(path)],
    [
      'it is a pipe and no file',
      (path) => {
        execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
        // Whatever reads it gets a text, so that this test fails then and does not hang.
        const writer = spawn('sh', ['-c', 'echo text > "$0"', path]);
        tieToThisProcess(writer);
        ends.push(() => writer.kill());
      },
    ],
    [
      'it is a socket and no file',
      (path) => {
        const server = createServer().listen(path);
        ends.push(() => server.close());
      },
    ],
  ];

  test.each(KINDS)('is refused with a sentence and never waited for: %s', (what, lay) => {
    const folder = mkdtempSync(join(ROOT, 'x'));
    const there = (name: string) => {
      lay(join(folder, name));
      return join(folder, name);
    };
    expect(() => realDisk.read(there('file'))).toThrow(new Unreadable('cannot-open', what));
    expect(realDisk.read(join(folder, 'nothing'))).toBeNull();
    const lost = (act: () => void) => expect(act).toThrow(JournalLost);
    lost(() => new FileJournal(there('1.jsonl.open')));
    there('.running');
    lost(() => lockFolder(folder));

    there('a.jsonl.ahead');
    const ahead = new AheadFile(join(folder, 'a.jsonl'), true);
    const reasons: string[] = [];
    ahead.onFailure = (reason) => reasons.push(reason);
    ahead.write('paid\n', true);
    ahead.remove();
    expect([ahead.past, reasons]).toEqual(['', [what]]);
    expect(existsSync(join(folder, 'a.jsonl.ahead'))).toBe(true);
  });

  test('is refused at once where it is longer than any text', () => {
    const path = join(mkdtempSync(join(ROOT, 'x')), 'file');
    writeFileSync(path, '');
    truncateSync(path, 5_000_000_000);
    expect(() => realDisk.read(path)).toThrow('it has more than 536870912 bytes');
  });

  test.each(KINDS)('is no memory of a model, which is learned anew: %s', async (what, lay) => {
    const notes: string[] = [];
    const onNote = (text: string) => notes.push(text);
    const options = { disk: realDisk, now: () => 0, onNote, explain: describeSystemError };
    const memory = new ModelMemory(mkdtempSync(join(ROOT, 'x')), options);
    const endpoint = { baseUrl: 'http://localhost/v1', model: 'm', apiKey: null };
    const capabilities = presumeCapabilities(endpoint.baseUrl);
    const keep = async () => {
      memory.keeperFor(endpoint, null).keep(capabilities);
      await memory.settle();
    };
    await keep();
    const [name = ''] = readdirSync(memory.folder);
    const path = join(memory.folder, name);
    rmSync(path);
    lay(path);
    const others = new ModelMemory(join(memory.folder, '..'), options);
    expect(others.recall(endpoint)).toBeNull();
    expect(notes).toEqual([`${path} can't be read: ${what}: it is learned anew`]);
    expect(others.listUnusable()).toEqual([`${path} can't be read: ${what}`]);
  });
});

describe('the disk of this machine', () => {
  test.each(['EINVAL', 'ENOTSUP', 'EROFS'])('takes %s for a device without sync', (code) => {
    const error = Object.assign(new Error(code), { code });
    expect(() => throwUnlessUnsyncable(error)).not.toThrow();
  });

  test.each(['EIO', 'ENOSPC', 'EDQUOT', undefined])('throws when a sync fails with %s', (code) => {
    const error = Object.assign(new Error('sync'), { code });
    expect(() => throwUnlessUnsyncable(error)).toThrow(error);
  });

  test.runIf(existsSync('/dev/null'))('syncs a device that can’t be synced', async () => {
    const file = realDisk.open('/dev/null', 'append');
    expect(() => file.sync()).not.toThrow();
    await expect(file.syncLater()).resolves.toBeUndefined();
    file.close();
  });

  test.runIf(existsSync('/proc/self'))('says that the system takes no folder', () => {
    expect(() => realDisk.makeFolder('/proc/no-such-folder/deep')).toThrow(/ENOENT|EACCES|EPERM/);
  });

  test('the disk syncs a saved file and then its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'glassbox-disk-'));
    const synced: [isFolder: boolean, names: readonly string[]][] = [];
    const spy = vi.spyOn(fs, 'fsync').mockImplementation((file, done) => {
      synced.push([fs.fstatSync(file).isDirectory(), readdirSync(folder)]);
      done(null);
    });
    syncBuiltinESMExports();
    try {
      await realDisk.save(join(folder, 'game'), 'text');
      expect(synced).toEqual([
        [false, [expect.stringMatching(/^game\..*\.part$/)]],
        [true, ['game']],
      ]);
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
      rmSync(folder, { recursive: true });
    }
  });

  test('leaves no part of a file that can’t be saved', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'glassbox-disk-'));
    try {
      mkdirSync(join(folder, 'taken'));
      await expect(realDisk.save(join(folder, 'taken'), 'text')).rejects.toThrow();
      await realDisk.save(join(folder, 'free'), 'text');
      expect(readdirSync(folder).sort()).toEqual(['free', 'taken']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('a pool hands its jobs to whatever workers it is given', async () => {
  /** Workers without a thread: each job is done at once, and is worth twice its number. */
  const workers: Workers = {
    start: (_file, _data, { onMessage }) => ({
      send: (message) => {
        const { number, job } = JSON.parse(JSON.stringify(message));
        queueMicrotask(() =>
          onMessage(JSON.parse(JSON.stringify({ type: 'done', number, outcome: 2 * job }))),
        );
      },
      stop: async () => {},
    }),
  };
  const outcomes: number[] = [];
  const pool = new WorkerPool<number, number>({
    threads: 2,
    file: new URL('file:///nothing.ts'),
    jobsInHand: 1,
    queue: new JobQueue([1, 2, 3, 4, 5]),
    onOutcome: (outcome) => void outcomes.push(outcome),
    lose: (job) => job,
    workers,
  });
  pool.work();
  await pool.idle();
  await pool.close();
  expect(outcomes).toEqual([2, 4, 6, 8, 10]);
});
