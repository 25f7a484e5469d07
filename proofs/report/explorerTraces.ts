/**
 * Creates the explorer's traces, and a walk through the states on and around them. Possible and refused events come from
 * the machine itself.
 */
import { type GraphRun, type Model, Walk } from 'glass-box-checker';
import type { EventObject } from 'xstate';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { lensFor } from '../../machines/journal/lens.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type {
  CheckRun,
  MeetingEvent,
  PairSeen,
  PropertyFinding,
  ShownCounterexample,
  TraceSheet,
} from '../checks/meetingSearch.ts';
import {
  createTraceSheet,
  describeEvent,
  listChanges,
  simulateJournal,
} from '../traces/counterexample.ts';
import type {
  ExplorerJournal,
  ExplorerSeen,
  ExplorerStep,
  ExplorerTrace,
} from './explorerReport.ts';

export type MeetingWalk = Walk<Table, ToMeeting>;

export function walkMeeting(
  model: Pick<Model<Table, ToMeeting>, 'machine' | 'input' | 'world' | 'symmetry'>,
  isSymmetric = false,
): MeetingWalk {
  return new Walk<Table, ToMeeting>(
    { name: '', properties: [], ...model },
    {
      isSymmetric,
      // Timers are told by their type alone.
      describe: (event: EventObject) => describeEvent(event as ToMeeting),
      compare: listChanges,
    },
  );
}

export async function createRunTrace(
  run: CheckRun,
  verdict: PropertyFinding,
  { trace, states }: GraphRun<MeetingEvent>,
  walk: MeetingWalk,
): Promise<ExplorerTrace> {
  const journals = readJournals([await createTraceSheet({ run, verdict, trace })]);
  return { ...walk.tell(trace, states, verdict.verdict.type !== 'violated'), journals };
}

export function createMutantTrace(
  run: CheckRun,
  verdict: PropertyFinding,
  walk: MeetingWalk,
): ExplorerTrace | null {
  if (verdict.verdict.type !== 'violated') return null;
  const { trace } = verdict.verdict;
  return {
    ...walk.tell({ ...trace, excludedBy: [] }, null),
    note: trace.events.length === 0 ? 'It is violated in the initial state, or never seen.' : '',
    journals: readJournals([simulateJournal({ run, verdict, trace }, run.subject.match.options)]),
  };
}

export function createShownTrace(shown: ShownCounterexample): ExplorerTrace {
  const { steps, note, seen, journals } = shown;
  return {
    ...{ isExample: false, note, rests: [], loop: null, excludedBy: [], states: null },
    steps: steps.map(({ at, to, happened, changes, beside }, index): ExplorerStep => {
      const fields = changes.map((text) => ({ path: text, was: '', is: '' }));
      const sighted = seen?.[index];
      return {
        ...{ at, to, happened, changes: fields, trail: [], offer: -1 },
        ...(beside === undefined ? {} : { beside }),
        ...(sighted === undefined ? {} : { seen: createSeen(sighted) }),
      };
    }),
    journals: readJournals(journals()),
  };
}

function readJournals(sheets: readonly TraceSheet[]): readonly ExplorerJournal[] {
  const glass = lensFor({ type: 'glass' });
  return sheets.map(({ text, ends }) => ({
    lines: readJournal(text).lines.flatMap((line) => glass(line) ?? []),
    ends,
  }));
}

function createSeen([one, other]: PairSeen): ExplorerSeen {
  const [left, right] = [one.map(printSeen), other.map(printSeen)];
  return { isSame: JSON.stringify(one) === JSON.stringify(other), one: left, other: right };
}

const LONGEST = 400;

function printSeen(seen: unknown): string {
  const text = JSON.stringify(seen) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
