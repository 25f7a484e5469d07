import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { findFirstDifference } from '../../support/difference.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { SEED, seeds } from '../../support/seeds.ts';
import { opened } from './kept.ts';
import { drawOperations, History, readState, type StoreOperation } from './operations.ts';

const PAGE = 4096;
const HEADER = 32;
const FRAME = 24 + PAGE;

/** Operations between two checkpoints; by itself the store begins one after a thousand frames. */
const BETWEEN_CHECKPOINTS = 7;

type Files = { readonly store: Buffer; readonly changes: Buffer };
type Write = { readonly at: number; readonly bytes: Buffer };

/** What of a file has reached the disk: whole writes, and of the next one a part. */
type Cut = { readonly words: string; readonly files: Files; readonly state: 'before' | 'after' };

function readFiles(path: string): Files {
  const read = (file: string) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
  return { store: read(path), changes: read(`${path}-wal`) };
}

function findWrites(before: Buffer, after: Buffer, first: number, size: number): readonly Write[] {
  const writes: Write[] = [];
  for (let at = 0; at < after.length; at += at === 0 && first > 0 ? first : size) {
    const bytes = after.subarray(at, at + (at === 0 && first > 0 ? first : size));
    if (!bytes.equals(before.subarray(at, at + bytes.length))) writes.push({ at, bytes });
  }
  return writes;
}

function applyWrites(before: Buffer, writes: readonly Write[]): Buffer {
  const length = Math.max(before.length, ...writes.map(({ at, bytes }) => at + bytes.length));
  const file = Buffer.alloc(length);
  before.copy(file);
  for (const { at, bytes } of writes) bytes.copy(file, at);
  return file;
}

/** The first bytes of a write: a sector, half, or all but the last byte. */
function tear({ at, bytes }: Write, chance: Chance): Write {
  const length = chance.pick([1, 24, 512, Math.floor(bytes.length / 2), bytes.length - 1]);
  return { at, bytes: bytes.subarray(0, Math.min(length, bytes.length - 1)) };
}

/** States of the files that a power cut during one operation can leave. */
function listCuts(before: Files, after: Files, chance: Chance): readonly Cut[] {
  const frames = findWrites(before.changes, after.changes, HEADER, FRAME);
  const pages = findWrites(before.store, after.store, 0, PAGE);
  const cut = (written: readonly Write[], words: string): Cut => {
    const changes = applyWrites(before.changes, written);
    // Where the WAL begins anew, the missing bytes of a torn frame may be there already.
    const state = changes.equals(after.changes) ? 'after' : 'before';
    return { words, state, files: { ...before, changes } };
  };
  const cuts: Cut[] = [cut([], 'nothing was written')];
  for (const [index, frame] of frames.entries()) {
    const isLast = index === frames.length - 1;
    const whole = frames.slice(0, index);
    const count = `${index} of ${frames.length} frames`;
    cuts.push(cut([...whole, tear(frame, chance)], `${count} and a part of the next one`));
    cuts.push(cut([...whole, frame], `${index + 1} of ${frames.length} frames`));
    // The disk may write unsynced data in any order.
    const others = frames.filter((one) => one !== frame);
    if (!isLast) cuts.push(cut(others, `all frames but number ${index + 1}`));
  }
  const all = { store: before.store, changes: after.changes };
  for (let time = 0; pages.length > 0 && time < PARTS_OF_CHECKPOINT; time++) {
    const some = pages.filter(() => chance.is(0.5));
    const torn = some.map((page) => (chance.is(0.2) ? tear(page, chance) : page));
    const store = applyWrites(before.store, torn);
    const words = `all frames, and ${some.length} of ${pages.length} pages, some in part`;
    cuts.push({ words, state: 'after', files: { ...all, store } });
  }
  return [...cuts, { words: 'all was written', state: 'after', files: after }];
}

const PARTS_OF_CHECKPOINT = 6;

async function expectStates(operations: readonly StoreOperation[]): Promise<readonly unknown[]> {
  const states: unknown[] = [];
  for (let count = 0; count <= operations.length; count++) {
    const model = new InMemoryStore();
    const history = new History();
    for (const operation of operations.slice(0, count)) {
      const { act, note } = history.prepare(operation);
      note(await act(model));
    }
    // Reading it claims games, so each state is of a store of its own.
    states.push(await readState(model));
  }
  return states;
}

const WRITING = [
  'enrol',
  'teach',
  'settle',
  'claim',
  'append',
  'record',
  'discard',
  'lead',
  'dropJournals',
];

type Place = { readonly folder: string; readonly path: string };

function beginPlace(): Place {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'glassbox-cut-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, 'store.db') };
}

/** Opens a copy of the files; returns how it differs from a state, or null. */
async function openCut({ folder }: Place, files: Files, state: unknown): Promise<string | null> {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  const path = join(copy, 'store.db');
  writeFileSync(path, files.store);
  if (files.changes.length > 0) writeFileSync(`${path}-wal`, files.changes);
  const store = await opened(path);
  try {
    return findFirstDifference(state, await readState(store));
  } finally {
    await store.close();
  }
}

type Step = {
  readonly words: string;
  readonly before: Files;
  readonly after: Files;
  readonly counts: { readonly before: number; readonly after: number };
};

/** Does operations on a store in a file, with checkpoints in between, and copies the files at each step. */
async function recordSteps(
  path: string,
  operations: readonly StoreOperation[],
): Promise<readonly Step[]> {
  const store = await opened(path);
  const history = new History();
  let last = readFiles(path);
  // The first page is there and synced when the tables are written behind it.
  const before = { store: last.store, changes: Buffer.alloc(0) };
  const steps: Step[] = [{ words: 'new', before, after: last, counts: { before: 0, after: 0 } }];
  const add = (words: string, counts: Step['counts']) => {
    const now = readFiles(path);
    steps.push({ words, before: last, after: now, counts });
    last = now;
  };
  for (const [index, operation] of operations.entries()) {
    const { act, note } = history.prepare(operation);
    note(await act(store));
    add(operation.type, { before: index, after: index + 1 });
    if (index % BETWEEN_CHECKPOINTS !== BETWEEN_CHECKPOINTS - 1) continue;
    const other = new DatabaseSync(path);
    other.exec('PRAGMA wal_checkpoint');
    other.close();
    add('checkpoint', { before: index + 1, after: index + 1 });
  }
  await store.close();
  return steps;
}

const OPERATIONS = seeds(24, 200);
const HISTORIES = seeds(1, 20);

test(`after a power cut in any of ${OPERATIONS * HISTORIES} operations the store has each that was acknowledged, and none in part`, async () => {
  const seen = { cuts: 0, pages: 0, restarts: 0 };
  for (let history = 0; history < HISTORIES; history++) {
    const place = beginPlace();
    const chance = new Chance(`${SEED} ${history}`);
    const drawn = drawOperations(chance, 4 * OPERATIONS);
    const operations = drawn.filter(({ type }) => WRITING.includes(type)).slice(0, OPERATIONS);
    const states = await expectStates(operations);
    for (const { words: step, before, after, counts } of await recordSteps(
      place.path,
      operations,
    )) {
      seen.pages += before.store.equals(after.store) ? 0 : 1;
      const header = before.changes.subarray(0, HEADER);
      seen.restarts +=
        header.length > 0 && !header.equals(after.changes.subarray(0, HEADER)) ? 1 : 0;
      for (const { words, files, state } of listCuts(before, after, chance)) {
        seen.cuts += 1;
        const difference = await openCut(place, files, states[counts[state]]);
        const where = `FC_SEED=${SEED}, history ${history}, operation ${counts.after} (${step}): ${words}`;
        expect(difference, where).toBeNull();
      }
    }
  }
  // Both files were cut, and so was the WAL where it begins anew.
  expect(seen.cuts).toBeGreaterThan(4 * OPERATIONS * HISTORIES);
  expect(Math.min(seen.pages, seen.restarts)).toBeGreaterThan(0);
});

test('acknowledged data is synced: a file opens with the WAL and full synchronous mode', async () => {
  const { path } = beginPlace();
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  const store = await opened(path);
  const connections = new Set(exec.mock.contexts);
  const settings = [...connections].map((one) =>
    one instanceof DatabaseSync
      ? [readPragma(one, 'journal_mode'), readPragma(one, 'synchronous')]
      : [],
  );
  expect(settings).toEqual([['wal', FULL]]);
  await store.close();
});

const FULL = 2;

function readPragma(file: DatabaseSync, name: string): unknown {
  return file.prepare(`PRAGMA ${name}`).get()?.[name];
}
