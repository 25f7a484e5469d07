/**
 * Creates the explorer's traces, with the possible and refused events at each step. Both come from
 * the machine itself: it tries all events of the world, and one event of each type that the world
 * sends elsewhere on these runs. So the page shows a guard that blocks an event.
 */
import {
  chooseStepper,
  encodeEvent,
  type EnabledEvent as Found,
  type GraphRun,
  listEvents,
  type MachinePoint,
  type Model,
  stateOf,
  type Transition,
  tryEvents,
} from 'glass-box-checker';
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
  ExplorerOffer,
  ExplorerSeen,
  ExplorerState,
  ExplorerStep,
  ExplorerTrace,
} from './explorerReport.ts';

/** Number of events to try at one state. With many players there are thousands. */
const MOST_TRIED = 4000;
const MOST_SAMPLES = 3;

type SteppedModel = Pick<Model<Table, ToMeeting>, 'machine' | 'input' | 'world'>;

export class SuccessorLists {
  readonly #model: Model<Table, ToMeeting>;
  readonly #stepper;
  readonly #samples = new Map<string, MeetingEvent>();
  readonly #found = new Map<string, readonly Found<MeetingEvent>[]>();

  /** Collects one event of each type from these runs. */
  constructor(model: SteppedModel, runs: readonly (readonly MeetingEvent[])[]) {
    this.#model = { name: '', properties: [], ...model };
    this.#stepper = chooseStepper(this.#model).stepper;
    for (const events of runs) {
      for (const { point } of this.leaps(events)) this.#learn(point);
    }
  }

  leaps(events: readonly MeetingEvent[]): readonly Transition<Table>[] {
    let leap = this.#stepper.initial();
    const leaps = [leap];
    for (const event of events) {
      leap = this.#stepper.step(leap.point, event);
      leaps.push(leap);
    }
    return leaps;
  }

  /** The possible events at a point. `next` is the one that follows in the run. */
  at(point: MachinePoint<Table>, next: MeetingEvent | null): ExplorerState {
    const here = listEvents(this.#model, point);
    const isListed =
      next === null || here.some((event) => encodeEvent(event) === encodeEvent(next));
    // A recorded event may be missing from the world's list.
    const offers = [
      ...(isListed ? [] : tryEvents<Table, MeetingEvent>(this.#stepper, point, [next], [])),
      ...this.#tried(point, here),
    ];
    const kept = offers.filter(({ isEnabled, taken }) => isEnabled || taken.length === 0);
    const groups = Map.groupBy(kept, (offer) =>
      JSON.stringify([offer.event.type, offer.isEnabled, offer.taken, offer.refused, offer.to]),
    );
    return {
      at: point.place.name,
      offers: [...groups.values()].flatMap((same) => groupOffers(same, next)),
      untried: Math.max(0, here.length - MOST_TRIED),
    };
  }

  #learn(point: MachinePoint<Table>): void {
    if (point.status !== 'active') return;
    for (const event of this.#model.world(stateOf(point))) {
      if (!this.#samples.has(event.type)) this.#samples.set(event.type, event);
    }
  }

  #tried(
    point: MachinePoint<Table>,
    here: readonly MeetingEvent[],
  ): readonly Found<MeetingEvent>[] {
    const key = JSON.stringify([point.place.name, point.context, point.timers]);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const types = new Set(here.map(({ type }) => type));
    const strange = [...this.#samples.values()].filter(({ type }) => !types.has(type));
    const found = tryEvents<Table, MeetingEvent>(
      this.#stepper,
      point,
      rarestFirst(here).slice(0, MOST_TRIED),
      strange,
    );
    this.#found.set(key, found);
    return found;
  }
}

/** Keeps all rare events. Only some of the thousands of ways to close a tick may be dropped. */
function rarestFirst(events: readonly MeetingEvent[]): readonly MeetingEvent[] {
  const kinds = [...Map.groupBy(events, ({ type }) => type).values()];
  return kinds.toSorted((one, other) => one.length - other.length).flat();
}

function groupOffers(
  same: readonly Found<MeetingEvent>[],
  next: MeetingEvent | null,
): readonly ExplorerOffer[] {
  const [first] = same;
  if (first === undefined) return [];
  const words = [...new Set(same.map(({ event }) => describeEvent(event as ToMeeting)))];
  return [
    {
      type: first.event.type,
      samples: words.slice(0, MOST_SAMPLES),
      count: same.length,
      isOffered: first.isEnabled,
      taken: first.taken,
      refused: first.refused,
      to: first.to,
      isNext: next !== null && same.some(({ event }) => encodeEvent(event) === encodeEvent(next)),
    },
  ];
}

const NOTHING = {
  rests: [],
  loop: null,
  excludedBy: [],
  states: null,
} as const satisfies Partial<ExplorerTrace>;

export async function createRunTrace(
  run: CheckRun,
  verdict: PropertyFinding,
  { trace, states }: GraphRun<MeetingEvent>,
  rests: SuccessorLists,
): Promise<ExplorerTrace> {
  const { events, loop, excludedBy } = trace;
  const isExample = verdict.verdict.type !== 'violated';
  return {
    isExample,
    ...listRunSteps(events, rests),
    loop,
    excludedBy,
    note: isExample ? 'The nearest state that satisfies it.' : '',
    states,
    journals: readJournals([await createTraceSheet({ run, verdict, trace })]),
  };
}

export function createMutantTrace(
  run: CheckRun,
  verdict: PropertyFinding,
  rests: SuccessorLists,
): ExplorerTrace | null {
  if (verdict.verdict.type !== 'violated') return null;
  const { trace } = verdict.verdict;
  return {
    ...NOTHING,
    isExample: false,
    ...listRunSteps(trace.events, rests),
    loop: trace.loop,
    note: trace.events.length === 0 ? 'It is violated in the initial state, or never seen.' : '',
    journals: readJournals([simulateJournal({ run, verdict, trace }, run.subject.match.options)]),
  };
}

export function createShownTrace(shown: ShownCounterexample): ExplorerTrace {
  const { steps, note, seen, journals } = shown;
  return {
    ...NOTHING,
    isExample: false,
    note,
    steps: steps.map(({ at, to, happened, changes, beside }, index): ExplorerStep => {
      const fields = changes.map((text) => ({ path: text, was: '', is: '' }));
      const sighted = seen?.[index];
      return {
        ...{ at, to, happened, changes: fields, trail: [] },
        beside: beside ?? null,
        seen: sighted === undefined ? null : createSeen(sighted),
      };
    }),
    journals: readJournals(journals()),
  };
}

export function listRunSteps(
  events: readonly MeetingEvent[],
  rests: SuccessorLists,
): Pick<ExplorerTrace, 'steps' | 'rests'> {
  const leaps = rests.leaps(events);
  return {
    steps: events.map((event, index): ExplorerStep => {
      const [before, after] = [leaps[index], leaps[index + 1]];
      if (before === undefined || after === undefined) throw new Error('a run has all its leaps');
      return {
        at: before.point.place.name,
        to: after.point.place.name,
        happened: describeEvent(event as ToMeeting), // timers are told by their type alone
        beside: null,
        changes: listChanges(stateOf(before.point), stateOf(after.point)),
        trail: after.taken,
        seen: null,
      };
    }),
    rests: leaps.map(({ point }, index) => rests.at(point, events[index] ?? null)),
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
