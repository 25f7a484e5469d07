/**
 * A run: everything that is asked of one subject, in one or two searches.
 *
 * What is promised of states and steps is asked modulo symmetry. What must happen at last is asked of every state by
 * itself, where there are few enough; where it is not asked, the verdict says so.
 */
import { type Checked, type CheckOptions, check } from '../../checker/check.ts';
import type { Model } from '../../checker/model.ts';
import type { Judged } from '../../checker/verdict.ts';
import { meetingMachine } from '../../machines/meeting.ts';
import type { MeetingPromise } from '../../machines/promises/promise.ts';
import { meetingPromises } from '../../machines/properties.ts';
import type { ToMeeting } from '../../machines/protocol.ts';
import type { Table } from '../../machines/rules/table.ts';
import { seatSymmetry } from '../../machines/symmetry.ts';
import { meetingWorld } from '../../machines/world.ts';
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
  /** Players up to which it is asked what happens at last. */
  readonly lasting: number;
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
  const isAsked = subject.players <= options.lasting;
  const [lasting, others] = [wanted.filter(isLasting), wanted.filter((one) => !isLasting(one))];
  const asked = isAsked ? lasting : [];
  const census = new Census(subject.setting);
  const { only: _only, lasting: _lasting, ...search } = options;
  const searched = (promises: readonly MeetingPromise[], isSymmetric: boolean) =>
    check({ ...model, promises }, { ...search, isSymmetric });
  const first = options.isSymmetric ? others : [...others, ...asked];
  const searches: Checked<MeetingEvent>[] = [];
  if (first.length > 0) searches.push(searched([...first, census.promise], options.isSymmetric));
  const isApart = options.isSymmetric && asked.length > 0;
  if (isApart) searches.push(searched(asked, false));
  const found = new Map(searches.flatMap(({ judged }) => judged.map((one) => [one.name, one])));
  return {
    subject,
    model,
    judged: wanted.map((promised) => found.get(promised.name) ?? notAsked(promised, options)),
    searches,
    ballots: first.length > 0 ? census.counts(options.isSymmetric) : [],
    peakMemoryBytes: process.resourceUsage().maxRSS * KILOBYTE,
  };
}

const KILOBYTE = 1024;

function isLasting({ kind }: { readonly kind: string }): boolean {
  return kind === 'eventually' || kind === 'leads-to';
}

function notAsked(promised: MeetingPromise, { lasting }: RunOptions): Verdict {
  const { name, sentence, kind, expect = 'proved' } = promised;
  const why = `not asked: what happens at last is asked of up to ${lasting} players (--lasting)`;
  return { name, sentence, kind, expected: expect, verdict: { type: 'incomplete', why } };
}
