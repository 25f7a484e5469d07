/** The faults of a storm. A seed draws them before anything runs, so each can be left out. */
import type { Chance } from '../support/chance.ts';

export const ENDPOINT_FAULTS = [
  ...(['hangs', 'refused', 'lost', 'limited', 'overloaded'] as const),
  ...(['garbage', 'empty', 'flood', 'lies', 'refuses'] as const),
] as const;
export type EndpointFault = (typeof ENDPOINT_FAULTS)[number];

export type FaultGround = {
  /** Milliseconds within which faults happen. */
  readonly mostMs: number;
  readonly machines: readonly [string, ...string[]];
  readonly programs: readonly [string, ...string[]];
  readonly hasServer: boolean;
  readonly hasModels: boolean;
};

const MOST_OF_A_KIND = 4;
const MOST_CALLS = 400;
const MOST_WRITES = 18;
const MOST_REQUESTS = 30;
/** Later kills come too seldom: other faults have ended the process. */
const MOST_KILLING = 10;

/** Draws one fault; `ms` is its moment, and `forMs` how long it lasts or until a program starts again. */
type Draw = {
  readonly chance: Chance;
  readonly ms: number;
  readonly forMs: number;
  readonly machines: FaultGround['machines'];
  readonly machine: () => string;
  readonly program: () => string;
  readonly nth: (most: number) => number;
};

/** A fault at a moment that lasts, or whose program starts again afterwards. */
function lasting<const T extends string>(type: T, at: 'machine' | 'program') {
  return ({ ms, forMs, ...draw }: Draw) => ({ type, at: draw[at](), ms, forMs });
}

function failing<const T extends string>(type: T) {
  return ({ machine, nth }: Draw) => ({ type, at: machine(), nth: nth(MOST_WRITES) });
}

const LOCAL = [
  lasting('kill', 'program'),
  ({ program, nth, forMs }: Draw) => {
    return { type: 'kill-in-write' as const, at: program(), nth: nth(MOST_WRITES), forMs };
  },
  lasting('power', 'machine'),
  // Most stalls are longer than any lease.
  ({ program, ms, chance }: Draw) => {
    return { type: 'stall' as const, at: program(), ms, forMs: chance.pick([900, 12_000, 30_000]) };
  },
  lasting('stop', 'program'),
  ({ program, ms }: Draw) => ({ type: 'thread' as const, at: program(), ms }),
  lasting('disk-full', 'machine'),
  failing('write-fails'),
  failing('sync-fails'),
  ({ machines, ms, chance }: Draw) => {
    const jumpMs = chance.pick([-60_000, -9000, 9000, 60_000]);
    return { type: 'clock' as const, jumpMs, at: chance.pick([...machines, 'server']), ms };
  },
];
const SERVER = [
  lasting('cut', 'machine'),
  ({ ms, forMs }: Draw) => ({ type: 'server-down' as const, ms, forMs }),
  ({ ms, forMs, chance }: Draw) => {
    const backMs = chance.pick([200, 1500, 3000]) + chance.between(0, 200);
    return { type: 'server-forgets' as const, ms, forMs, backMs };
  },
  ({ ms, forMs }: Draw) => ({ type: 'server-full' as const, ms, forMs }),
  ({ nth }: Draw) => ({ type: 'answer-lost' as const, nth: nth(MOST_CALLS) }),
  ({ nth, forMs }: Draw) => ({ type: 'call-late' as const, nth: nth(MOST_CALLS), forMs }),
  ({ ms }: Draw) => ({ type: 'job-evicted' as const, ms }),
];
/** Faults of answers are tried most where a question is paid, and its tick still open. */
const MODELS = [
  ({ nth }: Draw) => ({
    type: 'endpoint' as const,
    nth: nth(MOST_REQUESTS),
    how: 'refuses' as const,
  }),
  ({ nth, forMs, chance }: Draw) => {
    const afterMs = chance.pick([0, 1, 30, 400]);
    return { type: 'kill-at-answer' as const, nth: nth(MOST_KILLING), afterMs, forMs };
  },
  ({ nth, chance }: Draw) => {
    return {
      type: 'endpoint' as const,
      nth: nth(MOST_REQUESTS),
      how: chance.pick(ENDPOINT_FAULTS),
    };
  },
  ({ ms, chance }: Draw) => {
    const isSilent = chance.is(1 / 2);
    const forMs = chance.pick([4000, 70_000, 200_000]);
    return { type: 'models-away' as const, ms, isSilent, forMs };
  },
];
type DrawnFault = ReturnType<
  (typeof LOCAL)[number] | (typeof SERVER)[number] | (typeof MODELS)[number]
>;

/** Happens before a call is sent, or after the store has carried it out; `at` names the call, and the program. */
type AtCall = { readonly at: string; readonly nth: number; readonly forMs: number };
type StormFault =
  | DrawnFault
  | ({ readonly type: 'kill-at-call' } & AtCall)
  | ({ readonly type: 'kill-before-call' } & AtCall)
  | ({ readonly type: 'stall-at-call' } & AtCall)
  | ({ readonly type: 'forgets-at-call'; readonly backMs: number } & AtCall);

export type FaultType = StormFault['type'];
export type CallFault = 'kill-at-call' | 'kill-before-call' | 'stall-at-call';
/** `id` counts from 1 within a storm. */
export type Fault = StormFault & { readonly id: number };
export type ForgettingFault = Extract<Fault, { type: 'server-forgets' | 'forgets-at-call' }>;

/** Store calls after which processes are killed or stall: calls of workers, and calls of runs. */
const WORKER_CALLS = ['claim', 'record'] as const;
/** Only games of models have pieces. */
const SLOW_CALLS = ['append', 'pieces', ...WORKER_CALLS] as const;
const RUN_CALLS = ['teach', 'teach', 'settle', 'lead', 'record'] as const;
export const CALLS: readonly string[] = [...new Set([...SLOW_CALLS, ...RUN_CALLS])];

/** Share of storms with kills or stalls at calls, and the share of stalls among them. */
const ENDS_AT_CALLS = 0.3;
const MOST_ENDS_AT_CALLS = 6;
const STALLS_AT_CALLS = 0.4;
/** A league has many pieces of journals, and a few other calls. */
const MOST_APPENDS = 40;
const MOST_OTHERS = 8;

/** These draws are independent of the others: without them a storm is the same. */
function drawEndsAtCalls(
  chance: Chance,
  { programs, hasModels }: FaultGround,
): readonly StormFault[] {
  if (!chance.is(ENDS_AT_CALLS)) return [];
  const calls = hasModels ? SLOW_CALLS : WORKER_CALLS;
  return Array.from({ length: chance.between(1, MOST_ENDS_AT_CALLS) }, () => {
    const program = chance.pick(programs);
    const call = chance.pick(program.startsWith('worker') ? calls : RUN_CALLS);
    const at = `${call} of ${program}`;
    const nth = chance.between(1, call === 'append' ? MOST_APPENDS : MOST_OTHERS);
    // Some stalls end just after a lease, when another process has begun.
    if (chance.is(STALLS_AT_CALLS))
      return {
        type: 'stall-at-call',
        at,
        nth,
        forMs: chance.pick([2000, 10_300, 10_700, 11_500, 30_000]),
      };
    const type = chance.is(1 / 2) ? 'kill-at-call' : 'kill-before-call';
    return { type, at, nth, forMs: chance.pick([50, 600, 3000, 12_000]) };
  });
}

/** Calls of runs at which a server forgets. */
export const FORGETS_AT = ['teach'] as const;
const FORGETS_AT_CALLS = 0.25;
const MOST_LESSONS = 5;

function drawForgetting(chance: Chance, { hasServer }: FaultGround): readonly StormFault[] {
  if (!hasServer || !chance.is(FORGETS_AT_CALLS)) return [];
  const nth = chance.between(1, MOST_LESSONS);
  const backMs = chance.pick([50, 200, 800]);
  const at = chance.pick(FORGETS_AT);
  return [{ type: 'forgets-at-call', at, nth, backMs, forMs: chance.pick([50, 600]) }];
}

/** Draws the faults of a storm. Each storm has only some kinds, so every combination comes up (swarm testing). */
export function drawFaults(chance: Chance, ground: FaultGround): readonly Fault[] {
  const kinds = [
    ...LOCAL,
    ...(ground.hasServer ? SERVER : []),
    ...(ground.hasModels ? MODELS : []),
  ];
  const share = chance.pick([0.15, 0.3, 0.5]);
  const chosen = kinds.filter(() => chance.is(share));
  const drawn = chosen.flatMap((kind) => {
    const length = chance.between(1, MOST_OF_A_KIND);
    return Array.from({ length }, () => kind(prepareDraw(chance, ground)));
  });
  const all = [
    ...drawn.toSorted((one, other) => momentOf(one) - momentOf(other)),
    ...drawEndsAtCalls(chance.split('calls'), ground),
    ...drawForgetting(chance.split('forgetting'), ground),
  ];
  return all.map((fault, index) => ({ ...fault, id: index + 1 }));
}

function prepareDraw(chance: Chance, { mostMs, machines, programs }: FaultGround): Draw {
  return {
    chance,
    machines,
    // More of them early, because an undisturbed league ends soon.
    ms: Math.floor(mostMs * chance.fraction() ** 2),
    forMs: chance.pick([50, 600, 3000, 9000, 12_000, 30_000]) + chance.between(0, 500),
    machine: () => chance.pick(machines),
    program: () => chance.pick(programs),
    nth: (most) => chance.between(1, most),
  };
}

function momentOf(fault: StormFault): number {
  return 'ms' in fault ? fault.ms : 0;
}

export const SENTENCES = {
  kill: '{at} is killed{back}',
  'kill-in-write': 'write {at} is killed{back}',
  'kill-at-call': '{at} the process is killed{back}',
  'kill-before-call': '{at} the process is killed before it{back}',
  'kill-at-answer': 'request to a model its process is killed {after} after the answer{back}',
  power: '{at} loses its power{long}',
  stall: '{at} stands still{long}',
  'stall-at-call': '{at} stands still{long}',
  stop: '{at} is stopped by its operator{back}',
  thread: 'a thread of {at} ends',
  cut: '{at} is cut off from the server{long}',
  'server-down': 'the server is away{long}',
  'server-forgets': 'the server is away{long}, and has lost its last {lost}',
  'forgets-at-call': '{at} the server is away{long}, and has lost its last {lost}',
  'server-full': 'the server takes no writes{long}',
  'answer-lost': 'call to the server the answer is lost, and the call is sent again',
  'call-late': 'call to the server it is on its way{long}',
  'job-evicted': 'the queue forgets a job',
  'disk-full': 'the disk of {at} is full{long}',
  'write-fails': 'write to the disk of {at} it fails',
  'sync-fails': 'sync of the disk of {at} it fails',
  clock: 'the clock of {at} jumps by {jump}',
  'models-away': 'all models {away}{long}',
  endpoint: 'request to a model: {how}',
} as const satisfies Record<FaultType, string>;
export const KINDS = Object.keys(SENTENCES).filter((type): type is FaultType => type in SENTENCES);

export function describeFault(fault: Fault): string {
  const seconds = (ms: number) => `${ms / 1000} s`;
  const when = 'ms' in fault ? seconds(fault.ms) : `the ${ordinal(fault.nth)}`;
  const words: Readonly<Record<string, unknown>> = {
    ...fault,
    long: 'forMs' in fault ? ` for ${seconds(fault.forMs)}` : '',
    back: 'forMs' in fault ? `, and is started again ${seconds(fault.forMs)} later` : '',
    after: 'afterMs' in fault ? `${fault.afterMs} ms` : '',
    lost: 'backMs' in fault ? seconds(fault.backMs) : '',
    jump: 'jumpMs' in fault ? seconds(fault.jumpMs) : '',
    away: 'isSilent' in fault && fault.isSilent ? 'are silent' : 'refuse',
  };
  const sentence = SENTENCES[fault.type].replace(/\{(\w+)\}/g, (_, name) => `${words[name]}`);
  return `at ${when} ${sentence}`;
}

function ordinal(nth: number): string {
  const isTeen = Math.floor((nth % 100) / 10) === 1;
  return `${nth}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th')}`;
}

/** The faults that come at the nth of something, until they have come. */
export class PlannedFaults {
  isCalm = false;
  /** The kinds that have come. */
  readonly fired = new Set<FaultType>();
  readonly #left: Fault[];
  readonly #counts = new Map<string, number>();

  constructor(faults: readonly Fault[]) {
    this.#left = faults.filter((fault) => 'nth' in fault);
  }

  count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return count;
  }

  take<T extends FaultType>(type: T, nth: number, at = ''): Extract<Fault, { type: T }> | null {
    const isDue = (fault: Fault): fault is Extract<Fault, { type: T }> =>
      fault.type === type &&
      'nth' in fault &&
      fault.nth === nth &&
      (!('at' in fault) || fault.at === at);
    const fault = this.isCalm ? undefined : this.#left.find(isDue);
    if (fault === undefined) return null;
    this.#left.splice(this.#left.indexOf(fault), 1);
    this.fired.add(type);
    return fault;
  }
}
