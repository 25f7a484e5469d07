/**
 * A run: everything that is asked of one subject, in one search.
 */
import { type Checked, type CheckOptions, check } from '../../checker/check.ts';
import type { Model } from '../../checker/model.ts';
import type { Judged } from '../../checker/verdict.ts';
import { meetingMachine } from '../../machines/meeting.ts';
import { seatSymmetry } from '../../machines/model/symmetry.ts';
import { meetingWorld } from '../../machines/model/world.ts';
import { meetingPromises } from '../../machines/properties.ts';
import type { ToMeeting } from '../../machines/protocol.ts';
import type { Table } from '../../machines/rules/table.ts';
import { Census, type PhaseCount } from './census.ts';
import type { Subject } from './subject.ts';

export type MeetingModel = Model<Table, ToMeeting>;
/** Timers are events too, of types that only the chart knows. */
export type MeetingEvent = ToMeeting | { readonly type: string };
export type Verdict = Judged<MeetingEvent>;

export type Run = {
  readonly subject: Subject;
  readonly model: MeetingModel;
  readonly judged: readonly Verdict[];
  /** The searches that were made, the one for states and steps first. */
  readonly searches: readonly Checked<MeetingEvent>[];
  readonly ballots: readonly PhaseCount[];
  readonly peakMemoryBytes: number;
};

export type RunOptions = Pick<CheckOptions, 'budget' | 'now' | 'onProgress'> & {
  readonly only: readonly string[] | null;
  readonly isSymmetric: boolean;
};

export function modelOf({ setting, knobs, rules, players }: Subject): MeetingModel {
  return {
    name: `${rules}, ${players} players`,
    machine: meetingMachine,
    input: setting,
    world: meetingWorld(knobs),
    promises: meetingPromises(setting, knobs),
    symmetry: seatSymmetry(setting),
  };
}

export function run(subject: Subject, options: RunOptions): Run {
  const model = modelOf(subject);
  const wanted = meetingPromises(subject.setting, subject.knobs).filter(
    ({ name }) => options.only?.includes(name) ?? true,
  );
  const census = new Census(subject.setting);
  const { only: _only, ...search } = options;
  const promises = [...wanted, census.promise];
  const searches = [check({ ...model, promises }, search)];
  const found = new Map(searches.flatMap(({ judged }) => judged.map((one) => [one.name, one])));
  return {
    subject,
    model,
    judged: wanted.flatMap(({ name }) => found.get(name) ?? []),
    searches,
    ballots: census.counts(options.isSymmetric),
    peakMemoryBytes: process.resourceUsage().maxRSS * KILOBYTE,
  };
}

const KILOBYTE = 1024;
