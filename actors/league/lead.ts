/**
 * The lead of a league: one run hands out games and writes lessons, and the others wait. It is a lease in the store. Until a
 * run that was taken for dead learns that it no longer leads, its writes are refused (lessons) or have no effect (games with
 * a result, identical journals).
 */
import { z } from 'zod';
import { canonical } from '../../machines/journal/canonical.ts';
import { parseJson } from '../../machines/text.ts';
import type { TimePort } from '../ports/ports.ts';
import { reach } from '../ports/reach.ts';
import type { LeadFence, LeagueLead, Store } from '../stores/store.ts';
import { type LeaguePorts, realLeaguePorts } from './ports.ts';

/** Milliseconds after which a silent run loses the lead. */
const LEASE_MS = 10_000;

/** Milliseconds between two renewals, and between two questions of a run that waits. */
const RENEWAL_MS = 2500;
const LOOK_MS = 500;

const runnerSchema = z.object({ process: z.int(), host: z.string(), space: z.string() });

export class LeadLost extends Error {}

type LeadPorts = Pick<LeaguePorts, 'process' | 'time' | 'space' | 'createId'>;

export type LeadRequest = {
  readonly store: Store;
  readonly league: string;
  /** Called with the run that leads, once for each that this one waits for. */
  readonly onWait: (runner: string) => Promise<void>;
  readonly signal: AbortSignal;
};

export class Lead {
  readonly fence: LeadFence;
  readonly #store: Store;
  readonly #time: TimePort;
  readonly #ended = new AbortController();
  readonly #lost = new AbortController();

  private constructor(store: Store, fence: LeadFence, time: TimePort) {
    this.#store = store;
    this.fence = fence;
    this.#time = time;
    void this.#renew();
  }

  /** Takes the lead as soon as it is free; null when the signal came first. */
  static async take(
    { store, league, onWait, signal }: LeadRequest,
    ports: LeadPorts = realLeaguePorts,
  ): Promise<Lead | null> {
    const term = ports.createId();
    const { host, id } = ports.process;
    const runner = { process: id, host, space: ports.space };
    const lead = { term, runner: canonical(runner) };
    let waitedFor = '';
    while (!signal.aborted) {
      const leader = await store.lead(league, lead, LEASE_MS);
      if (leader.term === term) return new Lead(store, { league, term }, ports.time);
      if (isGone(leader, ports)) {
        reach('lead-from-gone');
        await store.resignLead({ league, term: leader.term });
        continue;
      }
      if (waitedFor !== leader.term) {
        reach('lead-waited');
        await onWait(describeLeader(leader));
      }
      waitedFor = leader.term;
      await ports.time.sleep(LOOK_MS, signal);
    }
    return null;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async resign(): Promise<void> {
    this.#ended.abort();
    await this.#store.resignLead(this.fence);
  }

  async #renew(): Promise<void> {
    for (;;) {
      await this.#time.sleep(RENEWAL_MS, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      // A store that does not answer, or refuses, gives the lead to no other run either.
      const isHeld = await this.#store.renewLead(this.fence, LEASE_MS).catch(() => {
        reach('lead-unrenewed');
        return true;
      });
      if (this.#ended.signal.aborted) return;
      if (isHeld) continue;
      reach('lead-lost');
      this.#lost.abort();
      return;
    }
  }
}

export function describeLeader({ runner }: LeagueLead): string {
  const found = parseRunner(runner);
  return found === null ? 'another run' : `process ${found.process} on ${found.host}`;
}

/** Whether the run was a process of this machine that has ended. Then its lease needs no wait. */
function isGone({ runner }: LeagueLead, { process: mine, space }: LeadPorts): boolean {
  const found = parseRunner(runner);
  if (found === null || space === '') return false;
  if (found.host !== mine.host || found.space !== space) return false;
  // A process has one run at a time: a lead in its own name is left of another process that had its number.
  return found.process === mine.id || !mine.isAlive(found.process);
}

function parseRunner(text: string) {
  return runnerSchema.safeParse(parseJson(text)).data ?? null;
}
