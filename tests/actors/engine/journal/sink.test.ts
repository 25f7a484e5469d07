import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BatchSink, FileSink, MemorySink, noSink } from '../../../../actors/engine/journal/sink.ts';
import { realDisk } from '../../../../actors/ports/disk.ts';
import type { Disk, DiskFile } from '../../../../actors/ports/ports.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'glassbox-sink-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

test('a sink in memory keeps all that is written', () => {
  const sink = new MemorySink();
  sink.write('a\n');
  sink.sync();
  sink.write('b\n');
  sink.close();
  expect(sink.text).toBe('a\nb\n');
});

test('the sink that nobody reads takes everything', () => {
  expect(() => {
    noSink.write('a');
    noSink.sync();
    noSink.close();
  }).not.toThrow();
});

describe('a file', () => {
  test('is there and empty before the first line, whatever was in it', () => {
    const path = join(FOLDER, 'empty');
    writeFileSync(path, 'old');
    const sink = new FileSink(path);
    expect(readFileSync(path, 'utf8')).toBe('');
    sink.close();
  });

  test('has each step as soon as it is written', () => {
    const path = join(FOLDER, 'steps');
    const sink = new FileSink(path);
    sink.write('one é\n');
    expect(readFileSync(path, 'utf8')).toBe('one é\n');
    sink.write('two\n');
    sink.sync();
    sink.close();
    expect(readFileSync(path, 'utf8')).toBe('one é\ntwo\n');
    expect(sink.failure).toBeNull();
  });

  test('may be closed twice, and takes nothing after that', () => {
    const path = join(FOLDER, 'closed');
    const sink = new FileSink(path);
    sink.close();
    sink.close();
    sink.write('late\n');
    sink.sync();
    expect(readFileSync(path, 'utf8')).toBe('');
    expect(sink.failure).toBeNull();
  });

  test.each([
    ['a folder', FOLDER, 'EISDIR'],
    ['nowhere', join(FOLDER, 'no', 'such'), 'ENOENT'],
  ])('that can’t be written is refused at once: %s', (_, path, code) => {
    expect(() => new FileSink(path)).toThrow(code);
  });
});

describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  test('is kept as a failure and told once; it never throws', () => {
    const sink = new FileSink('/dev/full');
    let told = 0;
    sink.onFailure = () => {
      told += 1;
    };
    expect(sink.failure).toBeNull();
    sink.write('one\n');
    sink.write('two\n');
    sink.sync();
    sink.close();
    expect(sink.failure).toContain('ENOSPC');
    expect(told).toBe(1);
  });

  test('is kept as a failure when nobody listens, too', () => {
    const sink = new FileSink('/dev/full');
    sink.write('one\n');
    sink.close();
    expect(sink.failure).toContain('ENOSPC');
  });
});

test.runIf(existsSync('/dev/null'))('a device that can’t be synced is no failure', () => {
  const sink = new FileSink('/dev/null');
  sink.write('one\n');
  sink.sync();
  sink.close();
  expect(sink.failure).toBeNull();
});

/** A disk that writes and can't sync; it says how often a file was closed. */
function brokenDisk() {
  const state = { closed: 0 };
  const broken = () => {
    throw new Error('EIO: i/o error, fsync');
  };
  const file: DiskFile = {
    write: () => {},
    sync: broken,
    syncLater: async () => broken(),
    close: () => {
      state.closed += 1;
    },
  };
  const disk: Disk = { ...realDisk, open: () => file };
  return { disk, state };
}

describe('a disk that can’t sync', () => {
  test('is kept as a failure and told once, and the file is closed all the same', () => {
    const { disk, state } = brokenDisk();
    const sink = new FileSink('game.jsonl', false, disk);
    let told = 0;
    sink.onFailure = () => {
      told += 1;
    };
    sink.write('one\n');
    expect(sink.failure).toBeNull();
    sink.sync();
    sink.close();
    expect(sink.failure).toContain('EIO');
    expect([told, state.closed]).toEqual([1, 1]);
  });

  test.each([
    ['in steps', (disk: Disk) => new FileSink('game.jsonl', false, disk)],
    ['in batches', (disk: Disk) => new BatchSink('game.jsonl', disk)],
  ])('is kept as a failure of a file %s that ends without blocking', async (_, open) => {
    const { disk, state } = brokenDisk();
    const sink = open(disk);
    sink.write('one\n');
    await expect(sink.end()).resolves.toBeUndefined();
    expect(sink.failure).toContain('EIO');
    expect(state.closed).toBe(1);
  });
});

describe('a file in batches', () => {
  test('is not there before the first batch is full, and whole when it has ended', async () => {
    const path = join(FOLDER, 'batches');
    const sink = new BatchSink(path);
    sink.write('one é\n');
    expect(existsSync(path)).toBe(false);
    sink.write(`${'x'.repeat(300_000)}\n`);
    expect(readFileSync(path, 'utf8')).toHaveLength('one é\n'.length + 300_001);
    sink.write('last\n');
    await sink.end();
    expect(readFileSync(path, 'utf8')).toMatch(/^one é\nx+\nlast\n$/);
    expect(sink.failure).toBeNull();
    await expect(sink.end()).resolves.toBeUndefined();
  });

  test('that can not be opened says why, and never throws', async () => {
    const sink = new BatchSink(join(FOLDER, 'nowhere/a'));
    sink.write('a\n');
    expect(sink.failure).toBeNull();
    sink.close();
    expect(sink.failure).toContain('ENOENT');
    sink.write('b\n');
    await sink.end();
    expect(sink.failure).toContain('ENOENT');
  });
});
