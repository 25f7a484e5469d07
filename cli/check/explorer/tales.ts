/** Tales: the runs behind verdicts, step by step, each beside the meeting that it tells. */

import { type GraphRun, stateOf } from 'glass-box-checker';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { lensFor } from '../../../machines/journal/lens.ts';
import type { ToMeeting } from '../../../machines/messages.ts';
import type { Journal, Seen, Step, Tale } from '../../../visualizer/page/explorer/report.ts';
import { sheetOf, toldBy } from '../record.ts';
import type { MeetingEvent, Run, Verdict } from '../run.ts';
import type { Sheet, Shown, Sighting } from '../shown.ts';
import { changed, happening } from '../words.ts';
import type { Rests } from './rests.ts';

const NOTHING = {
  rests: [],
  loop: null,
  excludedBy: [],
  states: null,
} as const satisfies Partial<Tale>;

/** What is told of one run of the meeting itself. */
export async function taleOf(
  run: Run,
  verdict: Verdict,
  { trace, states }: GraphRun<MeetingEvent>,
  rests: Rests,
): Promise<Tale> {
  const { events, loop, excludedBy } = trace;
  const isExample = verdict.verdict.type !== 'violated';
  return {
    isExample,
    ...stepped(events, rests),
    loop,
    excludedBy,
    note: isExample ? 'The nearest state in which it was seen.' : '',
    states,
    journals: journalsOf([await sheetOf({ run, verdict, trace })]),
  };
}

/** The run of a mutant, as the mutant tells it. */
export function mutantTale(run: Run, verdict: Verdict, rests: Rests): Tale | null {
  if (verdict.verdict.type !== 'violated') return null;
  const { trace } = verdict.verdict;
  return {
    ...NOTHING,
    isExample: false,
    ...stepped(trace.events, rests),
    loop: trace.loop,
    note: trace.events.length === 0 ? 'It is so from the beginning, or it was never seen.' : '',
    journals: journalsOf([toldBy({ run, verdict, trace }, run.subject.scenario.options)]),
  };
}

/** What brings its own telling: the arbiter alone, or two that are held against each other. */
export function shownTale({ steps, note, seen, journals }: Shown): Tale {
  return {
    ...NOTHING,
    isExample: false,
    note,
    steps: steps.map(({ at, to, happened, changes, beside }, index): Step => {
      const fields = changes.map((text) => ({ path: text, was: '', is: '' }));
      const sighted = seen?.[index];
      return {
        ...{ at, to, happened, changes: fields, trail: [] },
        beside: beside ?? null,
        seen: sighted === undefined ? null : seenIn(sighted),
      };
    }),
    journals: journalsOf(journals()),
  };
}

/** The steps of a run on the machine, and what may come where it rests. */
export function stepped(
  events: readonly MeetingEvent[],
  rests: Rests,
): Pick<Tale, 'steps' | 'rests'> {
  const leaps = rests.leaps(events);
  return {
    steps: events.map((event, index): Step => {
      const [before, after] = [leaps[index], leaps[index + 1]];
      if (before === undefined || after === undefined) throw new Error('a run has all its leaps');
      return {
        at: before.point.place.name,
        to: after.point.place.name,
        happened: happening(event as ToMeeting), // timers are told by their type alone
        beside: null,
        changes: changed(stateOf(before.point), stateOf(after.point)),
        trail: after.taken,
        seen: null,
      };
    }),
    rests: leaps.map(({ point }, index) => rests.at(point, events[index] ?? null)),
  };
}

function journalsOf(sheets: readonly Sheet[]): readonly Journal[] {
  const glass = lensFor({ type: 'glass' });
  return sheets.map(({ text, ends }) => ({
    lines: readJournal(text).lines.flatMap((line) => glass(line) ?? []),
    ends,
  }));
}

function seenIn([one, other]: Sighting): Seen {
  const [left, right] = [one.map(worded), other.map(worded)];
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  return { isSame, one: left, other: right };
}

const LONGEST = 400;

function worded(seen: unknown): string {
  const text = JSON.stringify(seen) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
