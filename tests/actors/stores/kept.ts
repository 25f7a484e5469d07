/** Results and stores for the tests of the stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../actors/stores/open.ts';
import type { Lesson } from '../../../actors/stores/persona.ts';
import type { GameResult, ResultSeat } from '../../../actors/stores/result.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { HAS_REDIS, RedisServer } from './redisServer.ts';

/** A place where stores keep things: each `open` is one more connection to it. */
export type Place = {
  readonly name: string;
  /** Null where only one process can use it. */
  readonly address: string | null;
  readonly open: () => Promise<Store>;
  readonly end: () => Promise<void>;
};

export function aSeat(seat: Partial<ResultSeat> = {}): ResultSeat {
  return {
    colour: 'red',
    role: 'crewmate',
    model: 'scripted',
    persona: 'leader',
    won: false,
    tally: {},
    memory: 0,
    learned: null,
    ...seat,
  };
}

export function aResult(result: Partial<GameResult> = {}): GameResult {
  return {
    v: 2,
    league: 'spring',
    slot: 0,
    game: 'game',
    seed: 1,
    engine: '0.1.0',
    winner: 'impostors',
    reason: 'kills',
    rounds: 40,
    meetings: 1,
    seats: [
      aSeat({ tally: { votes_impostor: 2 } }),
      aSeat({ colour: 'blue', role: 'impostor', persona: 'joker', won: true, tally: { kills: 3 } }),
    ],
    journal: null,
    ...result,
  };
}

export const aLesson = (text: string): Lesson => ({ text, from: 'a test' });

export async function opened(address: string): Promise<Store> {
  return await openStore(address, { isPatient: true });
}

async function memory(): Promise<Place> {
  const store = new InMemoryStore();
  return { name: 'memory', address: null, open: async () => store, end: async () => {} };
}

async function sqlite(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-store-'));
  const address = join(folder, 'deep', 'store.db');
  return {
    name: 'node:sqlite',
    address,
    open: () => opened(address),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function redis(): Promise<Place> {
  const server = await RedisServer.start();
  return {
    name: 'Redis',
    address: server.url,
    open: () => opened(server.url),
    end: () => server.end(),
  };
}

const ALL = { memory, 'node:sqlite': sqlite, Redis: redis };

export const PLACES = [
  { kind: 'memory', isShared: false, place: ALL.memory },
  { kind: 'node:sqlite', isShared: true, place: ALL['node:sqlite'] },
  ...(HAS_REDIS ? [{ kind: 'Redis', isShared: true, place: ALL.Redis }] : []),
] as const;

export async function gathered<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
