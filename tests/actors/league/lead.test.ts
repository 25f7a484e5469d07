import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conductLeague } from '../../../actors/league/conduct.ts';
import { playLeagueGame } from '../../../actors/league/game.ts';
import { openJournalPath } from '../../../actors/league/journals.ts';
import { describeLeader, Lead, LeadLost } from '../../../actors/league/lead.ts';
import { createLocalQueue } from '../../../actors/league/localQueue.ts';
import { settleLeague } from '../../../actors/league/plan.ts';
import { realLeaguePorts } from '../../../actors/league/ports.ts';
import { realProcess } from '../../../actors/ports/process.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { aPlan, EDGE, memories, played } from './leagues.ts';

const HERE = { host: 'alpha', space: 'one' };

function aProcess(id: number, alive: readonly number[] = [], place = HERE) {
  const isAlive = (asked: number) => alive.includes(asked);
  const { host, space } = place;
  return { ...realLeaguePorts, process: { ...realProcess, id, host, isAlive }, space };
}

const never = new AbortController().signal;
const wait = async () => {};

async function waitsFor(store: InMemoryStore, ports: ReturnType<typeof aProcess>) {
  const [stop, waited] = [new AbortController(), [] as string[]];
  const onWait = async (runner: string) => {
    waited.push(runner);
    stop.abort();
  };
  const lead = await Lead.take({ store, league: 'cup', onWait, signal: stop.signal }, ports);
  await lead?.resign();
  return { waited, hasLed: lead !== null };
}

async function led(store: InMemoryStore, ports: ReturnType<typeof aProcess>): Promise<Lead> {
  const lead = await Lead.take({ store, league: 'cup', onWait: wait, signal: never }, ports);
  if (lead === null) throw new Error('expected the lead');
  return lead;
}

describe('a lead', () => {
  test('is waited for while the process that has it is alive', async () => {
    const store = new InMemoryStore();
    const lead = await led(store, aProcess(1));
    expect(await waitsFor(store, aProcess(2, [1, 2]))).toEqual({
      waited: ['process 1 on alpha'],
      hasLed: false,
    });
    await lead.resign();
    expect(await store.leader('cup')).toBeNull();
    expect(await waitsFor(store, aProcess(2, [1, 2]))).toEqual({ waited: [], hasLed: true });
  });

  test.each([
    ['of this machine that is dead', aProcess(2, [2]), true],
    ['of this machine that had the number of this one', aProcess(1, [1]), true],
    ['of another host', aProcess(2, [2], { ...HERE, host: 'beta' }), false],
    ['of another container on this host', aProcess(2, [2], { ...HERE, space: 'two' }), false],
    ['of a place that the system does not name', aProcess(2, [2], { ...HERE, space: '' }), false],
  ])('is taken over at once from a process %s: %#', async (_words, ports, isAtOnce) => {
    const store = new InMemoryStore();
    const lead = await led(store, aProcess(1));
    expect((await waitsFor(store, ports)).hasLed).toBe(isAtOnce);
    await lead.resign();
  });

  test('is free the moment its run resigns, and the run that waits has it', async () => {
    const store = new InMemoryStore();
    const first = await led(store, aProcess(1));
    const onWait = async () => await first.resign();
    const second = await Lead.take(
      { store, league: 'cup', onWait, signal: never },
      aProcess(2, [1]),
    );
    expect(await store.leader('cup')).toMatchObject({ term: second?.fence.term });
    await second?.resign();
  });

  test('that another run has taken is lost, and never renewed again', async () => {
    const store = new InMemoryStore();
    let wake = () => {};
    // Each renewal comes when the test says so.
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = resolve;
        signal?.addEventListener('abort', () => resolve());
      });
    const lead = await led(store, { ...aProcess(1), time: { ...realLeaguePorts.time, sleep } });
    await store.resignLead(lead.fence);
    const other = await led(store, aProcess(2, [1]));
    const lost = new Promise((resolve) => lead.lost.addEventListener('abort', resolve));
    expect(lead.lost.aborted).toBe(false);
    wake();
    await lost;
    await lead.resign();
    expect(await store.leader('cup')).toMatchObject({ term: other.fence.term });
    await other.resign();
  });

  test('is renewed as long as it is held, also while the store gives no answer', async () => {
    const store = new InMemoryStore();
    const renewals: boolean[] = [];
    const { promise: areThree, resolve } = Promise.withResolvers<void>();
    store.renewLead = async (fence, ms) => {
      const isHeld = await InMemoryStore.prototype.renewLead.call(store, fence, ms);
      renewals.push(isHeld);
      if (renewals.length === 3) resolve();
      if (renewals.length === 2) throw new Error('no answer');
      return isHeld;
    };
    // Time passes in no time.
    const sleep = (_ms: number, signal?: AbortSignal) =>
      renewals.length < 3 || signal?.aborted === true
        ? Promise.resolve()
        : new Promise<void>((end) => signal?.addEventListener('abort', () => end()));
    const lead = await led(store, { ...aProcess(1), time: { ...realLeaguePorts.time, sleep } });
    await areThree;
    expect(renewals).toEqual([true, true, true]);
    expect(lead.lost.aborted).toBe(false);
    await lead.resign();
  });

  test('that is lost in the middle of a barrier writes no lesson, and the next one writes each once', async () => {
    const plan = aPlan();
    const [store, quiet] = [new InMemoryStore(), new InMemoryStore()];
    await played(plan, { store: quiet });
    const taught: string[] = [];
    // The other run takes the lead when two lessons of the first barrier are written.
    const teach: Store['teach'] = async (id, seen, change, fence) => {
      if (taught.length === 2) {
        await store.resignLead({ league: 'small', term: 'first' });
        await store.lead('small', { term: 'second', runner: '' }, 60_000);
      }
      const outcome = await InMemoryStore.prototype.teach.call(store, id, seen, change, fence);
      if (outcome.type === 'taught') taught.push(id);
      return outcome;
    };
    await store.lead('small', { term: 'first', runner: '' }, 60_000);
    const first = Object.assign(store, { teach });
    await expect(
      played(plan, { store: first, fence: { league: 'small', term: 'first' } }),
    ).rejects.toThrow(LeadLost);
    expect(taught.length).toBe(2);
    delete (first as Partial<Store>).teach; // The method of the class is behind it.
    await played(plan, { store, fence: { league: 'small', term: 'second' } });
    expect(await memories(store)).toEqual(await memories(quiet));
  });

  test('of a runner that no one can read is of another run', () => {
    for (const runner of ['', '{', '{"process":1}', 'null']) {
      expect(describeLeader({ term: 't', runner })).toBe('another run');
    }
  });
});

test('an open journal goes at the end if another run has recorded its game meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-lead-'));
  const [store, plan] = [new InMemoryStore(), aPlan({ games: 1 })];
  await settleLeague(store, plan);
  const queue = createLocalQueue({
    store,
    gamesAtOnce: 1,
    player: async (game) => {
      writeFileSync(openJournalPath(folder, 0, 1), 'begun\n');
      const others = await playLeagueGame(game, EDGE);
      if (others.type === 'played') await store.record(others.result, null);
      return { type: 'aborted', slot: 0, text: 'this run was stopped' };
    },
    save: async () => {},
    close: async () => {},
  });
  const outcome = await conductLeague({
    ...{ plan, store, folder, ownsFolder: true, signal: never, onWait: wait },
    openQueue: async () => queue,
    onLead: () => ({ onOutcome: () => {}, onNote: () => {}, onPlayed: () => {} }),
    onMissing: () => {},
    count: EDGE.count,
  });
  expect(outcome?.open).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
