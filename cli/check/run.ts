/**
 * A run: everything that is asked of one subject, in one search.
 */
import {
  type CheckOptions,
  type CheckResult,
  check,
  type Model,
  type PropertyResult,
  type State,
} from 'glass-box-checker';
import { checkInWorkers, type ModelSource } from 'glass-box-checker/workers';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import { seatSymmetry } from '../../proofs/models/symmetry.ts';
import { meetingWorld } from '../../proofs/models/world.ts';
import { meetingPromises } from '../../proofs/properties/properties.ts';
import { Census, type PhaseCount } from './census.ts';
import { Places } from './places.ts';
import type { Aside, Shown } from './shown.ts';
import type { Subject } from './subject.ts';

export type MeetingModel = Model<Table, ToMeeting>;
/** Timers are events too, of types that only the chart knows. */
export type MeetingEvent = ToMeeting | { readonly type: string };
/** `shown` where the counterexample is none of the meeting's own machine. */
export type Verdict = PropertyResult<MeetingEvent> & { readonly shown?: Shown };

export type Run = {
  readonly subject: Subject;
  readonly model: MeetingModel;
  readonly judged: readonly Verdict[];
  /** The searches that were made, the one for states and steps first. */
  readonly searches: readonly CheckResult<MeetingEvent>[];
  /** What was searched beside the meeting. */
  readonly asides: readonly Aside[];
  readonly ballots: readonly PhaseCount[];
  /** Where the meeting is in each state; null where nobody asked for it. */
  readonly places: Places | null;
  readonly peakMemoryBytes: number;
};

export type RunOptions = Pick<CheckOptions, 'budget' | 'now' | 'memory' | 'onProgress'> & {
  readonly only: readonly string[] | null;
  /** Surveys the search, for the page that shows it. */
  readonly keepsGraph: boolean;
  readonly isSymmetric: boolean;
  /** Threads that search; with more than one, each builds the model itself. */
  readonly workers: number;
};

export function modelOf({ setting, knobs, rules, players }: Subject): MeetingModel {
  return {
    name: `${rules}, ${players} players`,
    machine: meetingMachine,
    input: setting,
    world: meetingWorld(knobs),
    properties: meetingPromises(setting, knobs),
    symmetry: seatSymmetry(setting),
  };
}

/** Searches for one subject; where none of its own promises is asked for, there is nothing to search. */
export async function run(subject: Subject, options: RunOptions): Promise<Run> {
  const model = modelOf(subject);
  const { only } = options;
  const isAsked = only === null || model.properties.some(({ name }) => only.includes(name));
  if (!isAsked) return unsearched(subject, model);
  const census = new Census(subject.setting);
  const places = options.keepsGraph ? new Places() : null;
  const onState = (state: State<Table>, number: number) => {
    census.note(state);
    places?.note(state.at, number);
  };
  const looking = { ...options, onState };
  const searched: CheckResult<MeetingEvent> =
    options.workers > 1 ? await checkInWorkers(sourceOf(subject), looking) : check(model, looking);
  return {
    subject,
    model,
    judged: searched.results,
    searches: [searched],
    asides: [],
    ballots: census.counts(options.isSymmetric),
    places,
    peakMemoryBytes: process.resourceUsage().maxRSS * KILOBYTE,
  };
}

function unsearched(subject: Subject, model: MeetingModel): Run {
  const nothing = { judged: [], searches: [], asides: [], ballots: [], places: null };
  return { subject, model, ...nothing, peakMemoryBytes: process.resourceUsage().maxRSS * KILOBYTE };
}

/** Where another thread finds this model: `modelOf`, with a subject, which is plain data. */
function sourceOf(subject: Subject): ModelSource {
  return { module: import.meta.url, export: modelOf.name, argument: subject };
}

const KILOBYTE = 1024;
