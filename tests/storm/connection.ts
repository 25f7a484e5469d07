/** The store as a process of a storm reaches it. The promises are informed of every call. */

import { reach } from '../../actors/ports/reach.ts';
import type { RedisConnection } from '../../actors/stores/redis.ts';
import { RedisStore } from '../../actors/stores/redisStore.ts';
import type { GameResult } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
import { CALLS, type CallFault } from './faults.ts';
import type { Ground } from './ground.ts';
import type { StoreHome } from './machine.ts';
import type { SimulatedProcess } from './process.ts';
import type { Link } from './server.ts';
import { LinkedConnection, planted } from './stores.ts';

const MOST_CHARACTERS = 60;

export function connectStore(
  { promises, faults, timeline }: Ground,
  process: SimulatedProcess,
  { link, home }: { readonly link: Link; readonly home: StoreHome },
): Store {
  const { account } = promises;
  type Act<T> = (store: Store) => Promise<T>;
  const reachRedis = <T>(ask: (redis: RedisConnection) => Promise<T>) => {
    const { redis } = home;
    if (!redis) throw new Error('expected a Redis');
    return link.call({ name: 'read', isChange: false, act: () => ask(home.redis ?? redis) });
  };
  const remote = home.redis ? new RedisStore(new LinkedConnection(reachRedis)) : null;

  function look<T>(name: string, act: Act<T>, note: ((value: T) => void) | null = null) {
    // A look that is noted is one command.
    if (remote !== null && note === null) return act(remote);
    return send(name, false, async () => {
      const value = await act(home.store);
      note?.(value);
      return value;
    });
  }

  /** Calls `note` once, even if the server repeats its changes later. */
  function change<T>(name: string, act: Act<T>, note: (value: T) => void = () => {}): Promise<T> {
    return send(name, true, async () => {
      const value = await home.change(({ store }) => act(store));
      if (value === 'fenced') reach('epoch-refused');
      if (value === 'duplicate') reach('duplicate-refused');
      note(value);
      timeline.note(
        process.name,
        `${name}: ${(JSON.stringify(value) ?? 'done').slice(0, MOST_CHARACTERS)}`,
      );
      return value;
    });
  }

  function send<T>(name: string, isChange: boolean, carryOut: () => Promise<T>): Promise<T> {
    const act = async () => {
      const value = await carryOut();
      endAt(name);
      return value;
    };
    const killed = takeAtCall('kill-before-call', name);
    if (killed !== null) process.onKilled(killed.forMs);
    return link.call({ name, isChange, act });
  }

  function takeAtCall<T extends CallFault>(type: T, name: string) {
    const call = CALLS.find((one) => one === name.split(' ')[0]);
    if (call === undefined || !process.isAlive) return null;
    const what = `${call} of ${process.name}`;
    const fault = faults.take(type, faults.count(`${type} ${what}`), what);
    if (fault !== null) timeline.note(process.name, `${type}: ${name}`);
    return fault;
  }

  /** A process may be killed, or stall, after a call was carried out and before it knows. */
  function endAt(name: string): void {
    const stall = takeAtCall('stall-at-call', name);
    if (stall !== null) process.standStill(stall.forMs);
    const ending = takeAtCall('kill-at-call', name);
    if (ending !== null) process.onKilled(ending.forMs);
  }

  return planted.reached({
    enrol: (persona) => change('enrol', (store) => store.enrol(persona)),
    career: (id) => look('career', (store) => store.career(id)),
    personas: () => look('personas', (store) => store.personas()),
    memory: (id, version) => look('memory', (store) => store.memory(id, version)),
    history: (id) => look('history', (store) => store.history(id)),
    leagues: () => look('leagues', (store) => store.leagues()),
    settle: (league, matter, value) =>
      change(
        `settle ${matter}`,
        (store) => store.settle(league, matter, value),
        (held) => {
          process.isUnaware = false;
          account.noteSettled(matter, held);
        },
      ),
    settled: (league, matter) =>
      look(
        `settled ${matter}`,
        (store) => store.settled(league, matter),
        (held) => {
          if (held !== null) account.noteSettled(matter, held);
        },
      ),
    slots: (league) => look('slots', (store) => store.slots(league)),
    audit: (league) => look('audit', (store) => store.audit(league)),
    discard: (league, slots) => change('discard', (store) => store.discard(league, slots)),
    leader: (league) => look('leader', (store) => store.leader(league)),
    journals: (league) => look('journals', (store) => store.journals(league)),
    journal: (slot) => look('journal', (store) => store.journal(slot)),
    dropJournals: (league) => change('drop journals', (store) => store.dropJournals(league)),
    rebuild: (isLeftOut) => change('rebuild', (store) => store.rebuild(isLeftOut)),
    health: async () => ({ what: 'the store of a storm', warnings: [] }),
    close: async () => {},
    teach: (id, seen, lesson, fence = null) =>
      change(
        `teach ${id}`,
        (store) => store.teach(id, seen, lesson, fence),
        (outcome) => {
          process.isUnaware = false;
          promises.noteTeach(process, { id, seen, change: lesson, fence }, outcome);
        },
      ),
    claim: (slot) =>
      change(
        `claim ${slot.slot}`,
        (store) => store.claim(slot),
        (epoch) => promises.noteClaim(process, slot, epoch),
      ),
    append: async (slot, epoch, at, text) => {
      promises.noteSent(process, slot.slot, text);
      const outcome = await change(
        `append ${slot.slot}`,
        (store) => store.append(slot, epoch, at, text),
        (given) => account.noteAppend(slot, { epoch, at, text }, given),
      );
      if (outcome !== 'appended') promises.noteRefused(process, slot.slot, epoch);
      return outcome;
    },
    pieces: async (slot) => {
      const found = await look(
        `pieces ${slot.slot}`,
        (store) => store.pieces(slot),
        (there) => account.notePieces(slot, there),
      );
      promises.noteEarlierAttempt(process, slot.slot, found.text);
      return found;
    },
    record: async (result, epoch, journal = null) => {
      let losses = 0;
      const outcome = await change(
        `record ${result.slot}`,
        (store) => store.record(result, epoch, journal),
        (given) => {
          losses = promises.losses;
          promises.noteRecord(process, result, epoch, given);
        },
      );
      const isKept = outcome === 'recorded' || outcome === 'duplicate';
      if (isKept && losses === promises.losses) promises.noteAcknowledged(result);
      return outcome;
    },
    results: async function* (league, least, most) {
      yield* await look('results', async (store) => {
        const found: GameResult[] = [];
        for await (const one of store.results(league, least, most)) found.push(one);
        return found;
      });
    },
    lead: async (league, lead, ms) => {
      const leader = await change(
        'lead',
        (store) => store.lead(league, lead, ms),
        (there) => {
          if (there.term === lead.term) promises.noteLeadGranted(process, lead, ms);
        },
      );
      if (leader.term === lead.term) promises.noteLeadKnown(process, lead.term);
      return leader;
    },
    renewLead: async (fence, ms) => {
      const isHeld = await change(
        'renew lead',
        (store) => store.renewLead(fence, ms),
        (there) => promises.noteLeadRenewed(fence.term, there, ms),
      );
      if (!isHeld) promises.noteLeadLost(process, fence.term);
      return isHeld;
    },
    resignLead: async (fence) => {
      try {
        await change(
          'resign lead',
          (store) => store.resignLead(fence),
          () => promises.noteLeadResigned(process, fence.term),
        );
      } catch (error) {
        promises.noteLeadKept(process);
        throw error;
      }
    },
  });
}
