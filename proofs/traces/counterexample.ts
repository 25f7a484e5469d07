/** Shows a trace as steps of a meeting and as a journal. The machine replays its events, so all is real output. */

import {
  type ContextChange,
  chooseStepper,
  stateOf,
  type Trace,
  type WalkChange,
} from 'glass-box-checker';
import type { EventObject } from 'xstate';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import type { RecordedLine } from '../../actors/engine/journal/recorder.ts';
import { meetingHeaders } from '../../actors/engine/match.ts';
import { replay } from '../../actors/replay/replay.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { LineOf } from '../../machines/journal/lines.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { TickDecision } from '../../machines/rules/facts.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { encodeMeetingOptions } from '../../machines/setup/options.ts';
import { prepare } from '../../machines/setup/prepare.ts';
import { capitalize, listWords } from '../../machines/text.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import type { MeetingModel } from '../checks/meetingConfigurations.ts';
import type {
  CheckRun,
  MeetingEvent,
  PropertyFinding,
  ShownStep,
  TraceSheet,
} from '../checks/meetingSearch.ts';
import { expectedDue } from '../models/clock.ts';
import { isTalk } from '../models/closings.ts';
import {
  type MeetingSnapshot,
  type MeetingTransition,
  readFacts,
  tellBoth,
} from '../properties/property.ts';
import { TraceJournal, withReceived } from './traceJournal.ts';

export type Counterexample = {
  readonly run: CheckRun;
  readonly verdict: PropertyFinding;
  readonly trace: Trace<MeetingEvent>;
};

/** The counterexamples of a run. A `sometimes` property that never held has an empty trace. */
export function listCounterexamples(run: CheckRun): readonly Counterexample[] {
  return run.judged.flatMap((verdict) =>
    verdict.verdict.type === 'violated' ? [{ run, verdict, trace: verdict.verdict.trace }] : [],
  );
}

/** Marks a property that is violated as declared, which is neither a success nor a failure. */
export const DECLARED_MARK = '¬';

export function renderCounterexample(example: Counterexample): readonly string[] {
  const { run, verdict, trace } = example;
  const { rules, players } = run.subject;
  const isDeclared = verdict.expected === 'violated';
  const where = `${verdict.name}, ${rules}, ${players} players`;
  const mark = isDeclared ? DECLARED_MARK : '✗';
  const how = isDeclared ? 'violated as declared' : 'violated';
  const heading = `${mark} ${where}, ${how}: ${verdict.sentence}`;
  if (verdict.kind === 'sometimes') return [heading, '  It was never seen.'];
  const why = 'why' in verdict.verdict ? [`  ${verdict.verdict.why}`] : [];
  const rows = [heading, ...why, ...renderSteps(listSteps(example), trace.loop)];
  if (verdict.shown !== undefined) return [...rows, `  ${verdict.shown.note}`];
  const excuses = trace.excludedBy.join('; or ');
  return [
    ...rows,
    ...(trace.events.length === 0 ? ['  It is violated in the initial state.'] : []),
    ...(trace.loop === null ? [] : ['  ↺ and so on for ever']),
    ...(excuses === '' ? [] : [`  This assumption would rule it out: ${excuses}.`]),
    ...(isDeclared
      ? ['  It is declared to be violated, to show that it needs an assumption.']
      : []),
  ];
}

export function renderCrash(run: CheckRun): readonly string[] {
  const { subject, search } = run;
  if (search === null || search.broken === null) return [];
  const { message, trace } = search.broken;
  const told = listSteps({ run, trace: { ...trace, events: trace.events.slice(0, -1) } });
  const last = trace.events.at(-1);
  const end = last === undefined ? 'it begins' : describeEvent(last as ToMeeting);
  return [
    '',
    `✗ ${subject.rules}, ${subject.players} players: the machine broke`,
    ...renderSteps(told, null),
    `  and when ${end}: ${toPrintable(message)}`,
  ];
}

export function renderSteps(steps: readonly ShownStep[], loop: number | null): readonly string[] {
  const width = Math.max(...steps.map(({ at }) => at.length), 0);
  const margin = ' '.repeat(NUMBER + width + 4);
  return steps.flatMap(({ at, to, happened, changes, beside }, index) => {
    const outcome = [...(at === to ? [] : [`→ ${to}`]), ...changes].join(' · ');
    return [
      ...(index === loop ? ['  ↺ from here it goes round'] : []),
      `${`${index + 1}`.padStart(NUMBER)}  ${at.padEnd(width)}  ${happened}`,
      ...(beside === undefined
        ? []
        : [`${' '.repeat(NUMBER + 2)}${'other'.padEnd(width)}  ${beside}`]),
      ...(outcome === '' ? [] : [`${margin}${outcome}`]),
    ];
  });
}

const NUMBER = 5;

/** Removes control characters that would affect a terminal. */
export function toPrintable(text: string): string {
  return text.replace(/\p{C}/gu, ' ');
}

export function listSteps(
  example: Omit<Counterexample, 'verdict'> & { readonly verdict?: PropertyFinding },
): readonly ShownStep[] {
  const { run, trace, verdict } = example;
  if (verdict?.shown !== undefined) return verdict.shown.steps;
  return simulate(run.model, trace).turns.map(({ before, event, after }) => ({
    at: before.at,
    to: after.at,
    happened: describeEvent(event),
    changes: listChanges(before, after).map(({ path, was, is }) => `${path}: ${was} → ${is}`),
  }));
}

/** The steps of a run of any chart, each with the changed fields of its context. */
export function listChartSteps<E extends EventObject>(
  { events, steps = [] }: Trace<E>,
  describe: (event: E) => string,
): readonly ShownStep[] {
  return events.map((event, index) => ({
    at: steps[index]?.at ?? '',
    to: steps[index + 1]?.at ?? 'it breaks',
    happened: describe(event),
    changes: (steps[index + 1]?.changes ?? []).map(describeChange),
  }));
}

function describeChange({ path, from, to }: ContextChange): string {
  const [was, is] = tellBoth(from, to);
  return `${path}: ${was} → ${is}`;
}

/** Replays a trace. `opening` has the facts emitted before the first event. */
function simulate(model: MeetingModel, { events }: Pick<Trace<MeetingEvent>, 'events'>) {
  const { stepper } = chooseStepper(model);
  const begun = stepper.initial();
  let { point } = begun;
  const turns = events.map((event): MeetingTransition => {
    const before = stateOf(point);
    const leap = stepper.step(point, event);
    point = leap.point;
    // Only the chart knows the types of timer events.
    return { before, event: event as ToMeeting, after: stateOf(point), effects: leap.effects };
  });
  return { opening: readFacts(begun.effects), turns };
}

export function describeEvent(event: ToMeeting): string {
  switch (event.type) {
    case 'tick.closed': {
      const said = event.decision?.said ?? null;
      const floor =
        said === null ? '' : `; ${capitalize(said.speaker)} has the floor: “${said.message}”`;
      return `${describeBids(event.bids)}${floor}`;
    }
    case 'seat.left':
      return `${capitalize(event.seat)} leaves`;
    case 'meeting.stopped':
      return `the run is stopped (${event.outcome})`;
    default:
      return 'time passes';
  }
}

function describeBids(bids: readonly Bid[]): string {
  const groups = [...Map.groupBy(bids, describeBid)];
  if (groups.length === 0) return 'no player replies';
  return groups
    .map(([did, same]) => {
      const isAll = groups.length === 1 && same.length > 1;
      return `${isAll ? 'all' : listWords(same.map(({ seat }) => capitalize(seat)))} ${did}`;
    })
    .join('; ');
}

export function describeBid(bid: Bid): string {
  if (bid.type === 'fault') return bid.code === 'seat/left' ? 'got up' : `failed (${bid.code})`;
  const { vote, message, pads } = bid.reply;
  const deeds = [
    ...(message === '' ? [] : ['asked to speak']),
    ...(vote === null ? [] : [vote === 'skip' ? 'voted to skip' : `voted for ${capitalize(vote)}`]),
    ...(Object.keys(pads).length === 0 ? [] : ['wrote']),
  ];
  return deeds.length === 0 ? 'passed' : deeds.join(' and ');
}

export function listChanges(
  { context: before }: MeetingSnapshot,
  { context: after }: MeetingSnapshot,
): readonly WalkChange[] {
  const [old, now] = [flattenTable(before), flattenTable(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const [was = 'nothing', is = 'nothing'] = [old.get(path), now.get(path)];
    return was === is ? [] : [{ path, was, is }];
  });
}

function flattenTable(table: MeetingSnapshot['context']): ReadonlyMap<string, string> {
  const { standings, streaks, ballots, due, poll, revealed, outcome, ejected } = table;
  const found = new Map<string, string>();
  collectLeaves({ standings, streaks, ballots, due, revealed, outcome, ejected }, '', found);
  if (poll === null) return found;
  const { void: voided, missed, deserted } = poll;
  const named = (seats: readonly Colour[]) => (seats.length === 0 ? 'nobody' : seats.join(', '));
  found.set('poll', deserted ? 'closed, no player is left' : 'closed');
  found.set('poll.missed', named(missed));
  found.set('poll.void', named(voided));
  return found;
}

function collectLeaves(value: object, path: string, found: Map<string, string>): void {
  for (const [name, part] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof part === 'object' && part !== null) collectLeaves(part, at, found);
    else found.set(at, part === null ? 'nothing' : String(part));
  }
}

/** The journals of the most important violation: one, or two to compare. A string says why there is none. */
export async function listWorstJournals(
  runs: readonly CheckRun[],
): Promise<readonly string[] | string> {
  const all = runs
    .flatMap(listCounterexamples)
    .filter(({ verdict }) => verdict.kind !== 'sometimes');
  const worst = all.find(({ verdict }) => verdict.expected !== 'violated') ?? all[0];
  if (worst === undefined) return 'No property is violated';
  const { shown, name } = worst.verdict;
  if (shown === undefined) return [(await createTraceSheet(worst)).text];
  const texts = shown.journals().map(({ text }) => text);
  return texts.length === 0 ? `${name} cannot be played as a meeting` : texts;
}

/** If real actors can play the same meeting their text is used, which `verify` can replay. A loop is written once. */
export async function createTraceSheet(example: Counterexample): Promise<TraceSheet> {
  const { text, ends } = simulateJournal(example);
  return { text: await playByActors(text), ends };
}

async function playByActors(text: string): Promise<string> {
  const journal = readJournal(text);
  const [header] = journal.lines;
  if (header?.type !== 'match.opened' || !prepare(header.match, header.seed).ok) return text;
  const played: RecordedLine[] = [];
  await replay(journal, (line) => played.push(line));
  const length = journal.lines.filter(({ channel }) => channel === 'living').length;
  const living = played.filter(({ channel }) => channel === 'living').slice(0, length);
  const last = living.at(-1);
  if (last === undefined || living.length < length || !isSameMeeting(journal, living)) return text;
  const lines = played.slice(0, played.indexOf(last) + 1);
  return lines.map((line) => `${line.text}\n`).join('');
}

/** Whether the actors recorded the same meeting. The search ignores scores, so they are not compared. */
function isSameMeeting({ lines, bodies }: Journal, played: readonly RecordedLine[]): boolean {
  const living = lines.flatMap((line, index) =>
    line.channel === 'living' ? [{ line, body: bodies[index] }] : [],
  );
  return living.every(({ line, body }, index) => {
    const other = played[index]?.body;
    if (line.type !== 'tick.closed' || other === undefined) return body === other;
    return canonical(withoutScores(line)) === canonical(withoutScores(JSON.parse(other)));
  });
}

function withoutScores(line: LineOf<'tick.closed'>): object {
  const { type, seq, tick, requestKind, bids, floor } = line;
  return { type, seq, tick, requestKind, bids, floor };
}

export function simulateJournal(
  { run, verdict, trace }: Counterexample,
  stated = encodeMeetingOptions(run.subject.setting.options),
): TraceSheet {
  const { setting, match, rules, players } = run.subject;
  const written = {
    ...match,
    name: `${verdict.name}: ${rules}, ${players} players`,
    about: verdict.sentence,
    options: stated,
    ghosts: { present: false, budget: 0 },
  };
  const journal = new TraceJournal(meetingHeaders(written, setting.chance.seed));
  const events = makeConcrete(trace.events, setting.options);
  const { opening, turns } = simulate(run.model, { events });
  const steps = [opening, ...turns.map(({ effects }) => readFacts(effects))];
  const ends = steps.map((facts) => journal.record(facts));
  return { text: journal.text, ends };
}

/** Numbers the ticks consecutively as far as the clock allows, and adds the raw replies. */
function makeConcrete(
  events: readonly MeetingEvent[],
  options: MeetingOptions,
): readonly MeetingEvent[] {
  let next = 0;
  return events.map((event) => {
    if (!isTick(event)) return event;
    const tick = isTalk(event.requestKind) ? tickFor(event.tick, next, options) : next;
    next = tick + 1;
    return { ...event, ...makeSpoken(event.bids, event.decision, tick), tick };
  });
}

function isTick(event: MeetingEvent): event is Extract<ToMeeting, { type: 'tick.closed' }> {
  return event.type === 'tick.closed';
}

/** The next tick number, or the searched one if the clock jumped or stood still. */
function tickFor(searched: number, next: number, options: MeetingOptions): number {
  const isSame = expectedDue(options, next + 1) === expectedDue(options, searched + 1);
  return isSame ? next : searched;
}

/** The speaker gets the greatest desire, so that the real arbiter grants the floor too. */
function makeSpoken(bids: readonly Bid[], decision: TickDecision | null, tick: number) {
  const said = decision?.said ?? null;
  return {
    bids: bids.map((bid): Bid => {
      if (bid.type === 'fault') return bid;
      const isHeard = said === null || bid.seat === said.speaker;
      const reply = isHeard ? bid.reply : { ...bid.reply, message: '' };
      const asked = said !== null && isHeard ? { ...reply, desire: MOST_DESIRE } : reply;
      return withReceived({ ...bid, reply: asked });
    }),
    decision: decision && said ? { ...decision, said: { ...said, tick } } : decision,
  };
}

const MOST_DESIRE = 10;
