/**
 * Mutation: everything that can be broken in the meeting by itself, and the promise that notices first.
 *
 * Two kinds of mutants are tried: those that are read off the chart, and misrules, in which a single rule is broken. A
 * mutant that lives without a reason shows a promise that is missing.
 */
import {
  type CheckResult,
  check,
  createMutants,
  isAsDeclared,
  type PropertyResult,
} from 'glass-box-checker';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { MISRULES } from '../../proofs/models/misrules.ts';
import { NoForm, seatSymmetry } from '../../proofs/models/symmetry.ts';
import { classic, deadCaller, house } from '../../proofs/models/tables.ts';
import { type Knobs, meetingWorld } from '../../proofs/models/world.ts';
import { meetingPromises } from '../../proofs/properties/properties.ts';
import type { MeetingEvent, MeetingModel } from './run.ts';

export type MeetingMutant = {
  readonly kind: 'chart' | 'rule';
  /** What is broken. */
  readonly name: string;
  readonly machine: typeof meetingMachine;
};

/** Where a mutant was noticed, and by which promise. */
export type Fate = { readonly world: string; readonly by: string; readonly kill: Kill | null };

/** The meeting with the mutant in it, and what is broken there; none where no run shows it. */
export type Kill = {
  readonly setting: MeetingSetup;
  readonly model: MeetingModel;
  readonly verdict: PropertyResult<MeetingEvent>;
};

/** What became of a mutant: null is nobody noticed. */
export type Tried = MeetingMutant & {
  readonly fate: Fate | null;
  /** Why it is right that nobody notices; null where no reason is known. */
  readonly excuse: string | null;
};

/** Minds fail, one player may go, and the operator may stop the run. */
export const KNOBS: Knobs = { faults: true, departures: 1, stops: true };

/** A refused meeting keeps few promises: most of them speak of what never happens there. */
const OF_A_REFUSED_CALL = ['call-is-judged', 'dead-call-nobody', 'closed-is-done', 'never-stuck'];

type World = { readonly setting: MeetingSetup; readonly only: readonly string[] | null };

const asking = (setting: MeetingSetup, only: World['only'] = null): World => ({ setting, only });

/** Small meetings which together go through every place and transition of the chart. */
const WORLDS: Readonly<Record<string, World>> = {
  house: asking(house({ patience: 1 })),
  classic: asking(classic({ patience: 1 })),
  'house with a limit and late ballots': asking(house({ patience: 1, maxTicks: 3, voteAfter: 2 })),
  'house with pauses': asking(house({ patience: 1, beatMs: 1 })),
  'classic with pauses': asking(classic({ patience: 1, beatMs: 1 })),
  'classic with a limit': asking(classic({ patience: 1, maxTicks: 4 })),
  'a call by the dead': asking(deadCaller({ patience: 1 }), OF_A_REFUSED_CALL),
  'house with patience': asking(house()),
};

/** Mutants that live, and why that is right. */
const SURVIVORS: Readonly<Record<string, string>> = {
  'the action tellCall is left out':
    'it is told before the first event, where no step is looked at; tests/machines/charts/meeting.test.ts demands it',
};

/** The meeting as it is: it must keep every promise in all of these worlds, or no kill means anything. */
export const AS_IT_IS: MeetingMutant = {
  kind: 'chart',
  name: 'nothing at all',
  machine: meetingMachine,
};

export function meetingMutants(): readonly MeetingMutant[] {
  return [
    ...createMutants(meetingMachine).map(({ name, machine }) => ({
      kind: 'chart' as const,
      name,
      machine: machine as typeof meetingMachine, // made of it, and of the same type
    })),
    ...MISRULES.map(({ mistake, machine }) => ({ kind: 'rule' as const, name: mistake, machine })),
  ];
}

/** Looks for the first promise that does not turn out as declared. */
export function tried(mutant: MeetingMutant): Tried {
  const excuse = SURVIVORS[mutant.name] ?? null;
  for (const [world, { setting, only }] of Object.entries(WORLDS)) {
    const model = modelOf(setting, mutant.machine);
    const noticed = noticedBy(model, only);
    if (noticed === null) continue;
    const { by, verdict } = noticed;
    const kill = verdict === null ? null : { setting, model, verdict };
    return { ...mutant, fate: { world, by, kill }, excuse };
  }
  return { ...mutant, fate: null, excuse };
}

/** Killed, or alive for a good reason. An excuse for what is killed would be a lie. */
export function isAccountedFor({ fate, excuse }: Tried): boolean {
  return (fate === null) === (excuse !== null);
}

function modelOf(setting: MeetingSetup, machine: typeof meetingMachine): MeetingModel {
  return {
    name: setting.options.rules,
    machine,
    input: setting,
    world: meetingWorld(KNOBS),
    properties: meetingPromises(setting, KNOBS),
    symmetry: seatSymmetry(setting),
  };
}

type Noticed = { readonly by: string; readonly verdict: PropertyResult<MeetingEvent> | null };

function noticedBy(model: MeetingModel, only: World['only']): Noticed | null {
  const { broken, results } = searched(model, only);
  if (broken !== null) return { by: 'a step that never ends', verdict: null };
  const odd = results.filter((one) => !isAsDeclared(one));
  const verdict = odd.find((one) => one.verdict.type === 'violated') ?? odd[0];
  return verdict === undefined ? null : { by: verdict.name, verdict };
}

/** Some mistakes leave a table of which nothing is known but itself: then every state is looked at. */
function searched(model: MeetingModel, only: World['only']): CheckResult<MeetingEvent> {
  try {
    return check(model, { isSymmetric: true, only });
  } catch (error) {
    if (!(error instanceof NoForm)) throw error;
    return check(model, { only });
  }
}
