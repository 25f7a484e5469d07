/** The faults of a storm: what goes wrong, when, and where. A seed draws them before anything runs, so each can be left out. */
import type { Chance } from './chance.ts';

/** Where a fault of a machine happens: the name of a machine, or of a program on it. */
type FaultPlace = { readonly at: string };
/** When: milliseconds since the storm began. */
type FaultMoment = { readonly ms: number };
/** How long it lasts, or after which time a program is started again. */
type FaultSpan = { readonly forMs: number };
/** At which one of all calls, writes or requests of its kind. */
type FaultCount = { readonly nth: number };

export const ENDPOINT_FAULTS = [
  'hangs',
  'refused',
  'lost',
  'limited',
  'overloaded',
  'garbage',
  'empty',
  'flood',
  'lies',
] as const;
export type EndpointFault = (typeof ENDPOINT_FAULTS)[number];

type StormFault =
  /** A process ends at once, as by SIGKILL, and is started again. */
  | ({ readonly type: 'kill' } & FaultPlace & FaultMoment & FaultSpan)
  /** It ends in the middle of a write to its disk. */
  | ({ readonly type: 'kill-in-write' } & FaultPlace & FaultCount & FaultSpan)
  /** It ends when the store has carried out a call of it; `at` names the call and the program. */
  | ({ readonly type: 'kill-at-call' } & FaultPlace & FaultCount & FaultSpan)
  /** It stands still then. */
  | ({ readonly type: 'stall-at-call' } & FaultPlace & FaultCount & FaultSpan)
  /** A machine loses its power: what was not synced is lost, torn or out of order. */
  | ({ readonly type: 'power' } & FaultPlace & FaultMoment & FaultSpan)
  /** A process stands still, as a virtual machine that is moved, and goes on as if nothing had been. */
  | ({ readonly type: 'stall' } & FaultPlace & FaultMoment & FaultSpan)
  /** The operator stops a process, and starts it again. */
  | ({ readonly type: 'stop' } & FaultPlace & FaultMoment & FaultSpan)
  /** A thread of a process ends by itself. */
  | ({ readonly type: 'thread' } & FaultPlace & FaultMoment)
  /** A machine does not reach the server. */
  | ({ readonly type: 'cut' } & FaultPlace & FaultMoment & FaultSpan)
  /** The server is away. */
  | ({ readonly type: 'server-down' } & FaultMoment & FaultSpan)
  /** The server comes back without what it acknowledged last. */
  | ({ readonly type: 'server-forgets'; readonly backMs: number } & FaultMoment & FaultSpan)
  /** As `server-forgets`, at once after it has carried out a call; `at` names the call. */
  | ({ readonly type: 'forgets-at-call'; readonly backMs: number } & FaultPlace &
      FaultCount &
      FaultSpan)
  /** The server takes no writes. */
  | ({ readonly type: 'server-full' } & FaultMoment & FaultSpan)
  /** The connection breaks after a call was carried out and before its answer came; it is sent again. */
  | ({ readonly type: 'answer-lost' } & FaultCount)
  /** A call takes long on its way. */
  | ({ readonly type: 'call-late' } & FaultCount & FaultSpan)
  /** The queue forgets a job. */
  | ({ readonly type: 'job-evicted' } & FaultMoment)
  /** The disk of a machine is full. */
  | ({ readonly type: 'disk-full' } & FaultPlace & FaultMoment & FaultSpan)
  /** A write to the disk fails, or a sync. */
  | ({ readonly type: 'write-fails' } & FaultPlace & FaultCount)
  | ({ readonly type: 'sync-fails' } & FaultPlace & FaultCount)
  /** The clock of the wall jumps. */
  | ({ readonly type: 'clock'; readonly jumpMs: number } & FaultPlace & FaultMoment)
  /** All models are away: they refuse, or are silent. */
  | ({ readonly type: 'models-away'; readonly isSilent: boolean } & FaultMoment & FaultSpan)
  /** A request to a model does not end as it should. */
  | ({ readonly type: 'endpoint'; readonly how: EndpointFault } & FaultCount);

export type ForgettingFault = Extract<
  Fault,
  { readonly type: 'server-forgets' | 'forgets-at-call' }
>;
export type FaultType = StormFault['type'];
/** `id` counts from 1 within a storm. */
export type Fault = StormFault & { readonly id: number };

export type FaultGround = {
  /** Milliseconds within which faults happen. */
  readonly mostMs: number;
  readonly machines: readonly [string, ...string[]];
  readonly programs: readonly [string, ...string[]];
  readonly hasServer: boolean;
  readonly hasModels: boolean;
};

/** Kinds that are drawn as a whole. */
type DrawnType = Exclude<FaultType, 'kill-at-call' | 'stall-at-call' | 'forgets-at-call'>;

const LOCAL: readonly DrawnType[] = [
  'kill',
  'kill-in-write',
  'power',
  'stall',
  'stop',
  'thread',
  'disk-full',
  'write-fails',
  'sync-fails',
  'clock',
];
const SERVER: readonly DrawnType[] = [
  'cut',
  'server-down',
  'server-forgets',
  'server-full',
  'answer-lost',
  'call-late',
  'job-evicted',
];

/** Kinds of faults that a storm may have, and faults that one of them has at most. */
const MOST_OF_A_KIND = 4;
const MOST_CALLS = 400;
const MOST_WRITES = 60;
const MOST_REQUESTS = 60;

/** Changes of the store at which processes are killed or stand still: those of workers, and those of runs. */
const WORKER_CALLS = ['append', 'claim', 'record'] as const;
const RUN_CALLS = ['teach', 'teach', 'settle', 'lead', 'record'] as const;
export const CALLS: readonly string[] = [...new Set([...WORKER_CALLS, ...RUN_CALLS])];

/** Share of storms in which something happens to processes at calls, and share of that in which they only stand still. */
const ENDS_AT_CALLS = 0.25;
const MOST_ENDS_AT_CALLS = 6;
const STALLS_AT_CALLS = 0.4;
/** Pieces of journals are many; other calls are a few in each league. */
const MOST_APPENDS = 40;
const MOST_OTHERS = 8;

/** Draws kills and stalls at calls, beside the other faults: without them a storm is the same. */
function drawEndsAtCalls(chance: Chance, { programs }: FaultGround): readonly StormFault[] {
  if (!chance.is(ENDS_AT_CALLS)) return [];
  return Array.from({ length: chance.between(1, MOST_ENDS_AT_CALLS) }, () => {
    const program = chance.pick(programs);
    const call = chance.pick(program.startsWith('worker') ? WORKER_CALLS : RUN_CALLS);
    const at = `${call} of ${program}`;
    const nth = chance.between(1, call === 'append' ? MOST_APPENDS : MOST_OTHERS);
    // Some of them end just behind a lease, when another process has begun and is not far yet.
    if (chance.is(STALLS_AT_CALLS))
      return {
        type: 'stall-at-call',
        at,
        nth,
        forMs: chance.pick([10_300, 10_700, 11_500, 30_000]),
      };
    return { type: 'kill-at-call', at, nth, forMs: chance.pick([50, 600, 3000, 12_000]) };
  });
}

/** Calls of runs at which a server forgets. */
export const FORGETS_AT = ['teach'] as const;
/** Share of storms with a server that forgets while a run teaches, which takes it a moment of the whole league. */
const FORGETS_AT_CALLS = 0.06;
const MOST_LESSONS = 6;

/** Draws a server that forgets at a call, beside the other faults: without it a storm is the same. */
function drawForgetting(chance: Chance, { hasServer }: FaultGround): readonly StormFault[] {
  if (!hasServer || !chance.is(FORGETS_AT_CALLS)) return [];
  const nth = chance.between(1, MOST_LESSONS);
  const backMs = chance.pick([50, 200, 800]);
  const at = chance.pick(FORGETS_AT);
  return [{ type: 'forgets-at-call', at, nth, backMs, forMs: chance.pick([50, 600]) }];
}

/** Draws the faults of a storm. Each storm has some kinds of faults only, so that every combination comes up (swarm testing). */
export function drawFaults(chance: Chance, ground: FaultGround): readonly Fault[] {
  const kinds = [
    ...LOCAL,
    ...(ground.hasServer ? SERVER : []),
    ...(ground.hasModels ? (['endpoint', 'models-away'] as const) : []),
  ];
  const share = chance.pick([0.15, 0.3, 0.5]);
  const chosen = kinds.filter(() => chance.is(share));
  const drawn = chosen.flatMap((type) =>
    Array.from({ length: chance.between(1, MOST_OF_A_KIND) }, () =>
      drawFault(type, chance, ground),
    ),
  );
  const ordered = drawn.toSorted((one, other) => momentOf(one) - momentOf(other));
  const all = [
    ...ordered,
    ...drawEndsAtCalls(chance.split('calls'), ground),
    ...drawForgetting(chance.split('forgetting'), ground),
  ];
  return all.map((fault, index) => ({ ...fault, id: index + 1 }));
}

function drawFault(type: DrawnType, chance: Chance, ground: FaultGround): StormFault {
  const { mostMs, machines, programs } = ground;
  // More of them early: a league that is not held up is over soon.
  const ms = Math.floor(mostMs * chance.fraction() ** 2);
  const forMs = chance.pick([50, 600, 3000, 9000, 12_000, 30_000]) + chance.between(0, 500);
  switch (type) {
    case 'stall':
      // Most of them longer than any lease.
      return { type, at: chance.pick(programs), ms, forMs: chance.pick([900, 12_000, 30_000]) };
    case 'kill':
    case 'stop':
      return { type, at: chance.pick(programs), ms, forMs };
    case 'thread':
      return { type, at: chance.pick(programs), ms };
    case 'kill-in-write':
      return { type, at: chance.pick(programs), nth: chance.between(1, MOST_WRITES), forMs };
    case 'power':
    case 'cut':
    case 'disk-full':
      return { type, at: chance.pick(machines), ms, forMs };
    case 'write-fails':
    case 'sync-fails':
      return { type, at: chance.pick(machines), nth: chance.between(1, MOST_WRITES) };
    case 'clock': {
      const jumpMs = chance.pick([-60_000, -9000, 9000, 60_000]);
      return { type, at: chance.pick([...machines, 'server']), ms, jumpMs };
    }
    case 'server-down':
    case 'server-full':
      return { type, ms, forMs };
    case 'server-forgets':
      return { type, ms, forMs, backMs: chance.pick([200, 1500, 3000]) + chance.between(0, 200) };
    case 'answer-lost':
      return { type, nth: chance.between(1, MOST_CALLS) };
    case 'call-late':
      return { type, nth: chance.between(1, MOST_CALLS), forMs };
    case 'job-evicted':
      return { type, ms };
    case 'models-away': {
      const isSilent = chance.is(1 / 2);
      return { type, ms, forMs: chance.pick([4000, 70_000, 200_000]), isSilent };
    }
    case 'endpoint':
      return { type, nth: chance.between(1, MOST_REQUESTS), how: chance.pick(ENDPOINT_FAULTS) };
    default:
      return type satisfies never;
  }
}

function momentOf(fault: StormFault): number {
  return 'ms' in fault ? fault.ms : 0;
}

/** A fault in words. */
export function describeFault(fault: Fault): string {
  const seconds = (ms: number) => `${ms / 1000} s`;
  const when = 'ms' in fault ? `at ${seconds(fault.ms)}` : `at the ${ordinal(fault.nth)}`;
  const long = 'forMs' in fault ? ` for ${seconds(fault.forMs)}` : '';
  const back = 'forMs' in fault ? `, and is started again ${seconds(fault.forMs)} later` : '';
  switch (fault.type) {
    case 'kill':
      return `${when} ${fault.at} is killed${back}`;
    case 'kill-in-write':
      return `${when} write ${fault.at} is killed${back}`;
    case 'kill-at-call':
      return `${when} ${fault.at} the process is killed${back}`;
    case 'power':
      return `${when} ${fault.at} loses its power${long}`;
    case 'stall':
    case 'stall-at-call':
      return `${when} ${fault.at} stands still${long}`;
    case 'stop':
      return `${when} ${fault.at} is stopped by its operator${back}`;
    case 'thread':
      return `${when} a thread of ${fault.at} ends`;
    case 'cut':
      return `${when} ${fault.at} is cut off from the server${long}`;
    case 'server-down':
      return `${when} the server is away${long}`;
    case 'server-forgets':
    case 'forgets-at-call': {
      const where = 'at' in fault ? ` ${fault.at}` : '';
      return `${when}${where} the server is away${long}, and has lost its last ${seconds(fault.backMs)}`;
    }
    case 'server-full':
      return `${when} the server takes no writes${long}`;
    case 'answer-lost':
      return `${when} call to the server the answer is lost, and the call is sent again`;
    case 'call-late':
      return `${when} call to the server it is on its way${long}`;
    case 'job-evicted':
      return `${when} the queue forgets a job`;
    case 'disk-full':
      return `${when} the disk of ${fault.at} is full${long}`;
    case 'write-fails':
      return `${when} write to the disk of ${fault.at} it fails`;
    case 'sync-fails':
      return `${when} sync of the disk of ${fault.at} it fails`;
    case 'clock':
      return `${when} the clock of ${fault.at} jumps by ${seconds(fault.jumpMs)}`;
    case 'models-away':
      return `${when} all models ${fault.isSilent ? 'are silent' : 'refuse'}${long}`;
    case 'endpoint':
      return `${when} request to a model: ${fault.how}`;
    default:
      return fault satisfies never;
  }
}

function ordinal(nth: number): string {
  const last = nth % 10;
  const isTeen = Math.floor((nth % 100) / 10) === 1;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][last] ?? 'th');
  return `${nth}${ending}`;
}

/** The faults that come at the nth of something, until they have come. */
export class PlannedFaults {
  /** No fault happens any more. */
  isCalm = false;
  readonly #left: Fault[];
  readonly #counts = new Map<string, number>();

  constructor(faults: readonly Fault[]) {
    this.#left = faults.filter((fault) => 'nth' in fault);
  }

  /** One more of something has happened; returns how many there were. */
  count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }

  /** The fault that comes now; null where there is none. */
  take<T extends FaultType>(type: T, nth: number, at = ''): Extract<Fault, { type: T }> | null {
    if (this.isCalm) return null;
    const index = this.#left.findIndex(
      (fault) =>
        fault.type === type &&
        'nth' in fault &&
        fault.nth === nth &&
        (!('at' in fault) || fault.at === at),
    );
    const [fault] = index < 0 ? [] : this.#left.splice(index, 1);
    return fault !== undefined && isOfType(fault, type) ? fault : null;
  }
}

function isOfType<T extends FaultType>(
  fault: Fault,
  type: T,
): fault is Extract<Fault, { type: T }> {
  return fault.type === type;
}
