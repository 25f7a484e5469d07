/**
 * Judges the properties of a meeting on a recorded meeting. The journal's inputs go to the meeting
 * machine. While the machine emits the recorded facts, its steps judge the properties. At the first
 * difference, the recorded facts judge them once more and the run ends.
 */
import { chooseStepper, type MachinePoint, stateOf } from 'glass-box-checker';
import { REPLY_READERS } from '../../actors/engine/consult.ts';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { decode, encode, fieldsOf } from '../../machines/journal/codec.ts';
import type { LivingLine } from '../../machines/journal/lines.ts';
import { meetingIn } from '../../machines/journal/opening.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { withStreak } from '../../machines/rules/tick.ts';
import { atPace } from '../../machines/setup/match.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { SOME_TROUBLE } from '../models/meeting.ts';
import { modelOf } from '../models/meetingSystem.ts';
import { listMeetingProperties } from '../properties/meeting.ts';
import {
  type MeetingProperty,
  type MeetingTransition,
  readFacts,
  type StateProperty,
  type TransitionProperty,
} from '../properties/property.ts';
import { CHANCE } from './meetingConfigurations.ts';

type JournalFinding = { readonly line: number; readonly text: string };

export type JudgedJournal = NonNullable<ReturnType<typeof judgeJournal>>;

export const CONFORMANCE = {
  name: 'follows-the-rules',
  sentence: 'Given the recorded inputs, the meeting emits the recorded facts.',
} as const;

type JudgeableProperty = TransitionProperty | StateProperty;

/** Properties that one meeting can decide, which excludes `sometimes` and liveness properties. */
export function isJudgeable(property: MeetingProperty): property is JudgeableProperty {
  return property.kind === 'step' || property.kind === 'always' || property.kind === 'never';
}

/** The meeting of a journal. With pauses between the steps, inputs may arrive there. */
export function readSetting({ lines }: Journal): MeetingSetup | null {
  const match = meetingIn(lines[0]);
  return match && settingFor(atPace(match, 1), CHANCE);
}

export function judgeJournal(path: string, journal: Journal, only: readonly string[] | null) {
  const setting = readSetting(journal);
  if (setting === null) return null;
  const environment = { ...SOME_TROUBLE, departures: setting.seats.length };
  const tallies = listMeetingProperties(setting, environment)
    .filter(isJudgeable)
    .filter(({ name }) => only?.includes(name) ?? true)
    .map(createTally);
  const told = new ConformanceRun(journal, setting);
  const parted = told.judge(tallies);
  const asRuled = { ...CONFORMANCE, applied: told.steps, finding: parted };
  return {
    path,
    steps: told.steps,
    isWhole: parted === null,
    isFinished: journal.lines.some(({ type }) => type === 'meeting.closed'),
    judged: [...tallies.map((tally) => tally.judged()), asRuled],
  };
}

/** `applied` is the number of steps or states that the property applied to. */
function createTally(property: JudgeableProperty) {
  const { name, sentence } = property;
  let applied = 0;
  let finding: JournalFinding | null = null;
  const look = (turn: MeetingTransition, line: number): void => {
    if (property.kind === 'step' && property.when?.(turn) === false) return;
    applied += 1;
    const holds =
      property.kind === 'step'
        ? property.holds(turn)
        : property.holds(turn.after) === (property.kind === 'always');
    const why = typeof holds === 'string' ? ` (${holds})` : '';
    if (holds !== true) finding ??= { line, text: `${sentence}${why}` };
  };
  return { look, judged: () => ({ name, sentence, applied, finding }) };
}

type RecordedFact = NonNullable<ReturnType<typeof decode>>;

type TransitionObserver = { look(turn: MeetingTransition, line: number): void };

export class ConformanceRun {
  steps = 0;
  readonly #lines;
  readonly #stepper;
  #next = 0;

  constructor({ lines }: Journal, setting: MeetingSetup) {
    this.#lines = lines.flatMap((line, index) => {
      if (line.channel !== 'living' || line.type === 'match.opened') return [];
      return [{ line, fact: decode(line, REPLY_READERS, setting.call), at: index + 1 }];
    });
    this.#stepper = chooseStepper<Table, ToMeeting>(modelOf(meetingMachine, setting)).stepper;
  }

  /** Returns the first line where the machine emits something else, or null. */
  judge(judges: readonly TransitionObserver[]): JournalFinding | null {
    const begun = this.#stepper.initial();
    let { point } = begun;
    let parted = this.#compare(readFacts(begun.effects));
    while (parted === null && this.#next < this.#lines.length) {
      const from = this.#next;
      const line = this.#lines[from]?.at ?? 0;
      const event = this.#eventFor(point);
      if (event === null) return this.#unexpected();
      const leap = this.#stepper.step(point, event);
      const { effects } = leap;
      const [before, after] = [stateOf(point), stateOf(leap.point)];
      // Only the chart knows the types of timer events.
      const turn = { before, event, after, effects } as MeetingTransition;
      const isIgnored = effects.length === 0 && leap.taken.length === 0;
      parted = isIgnored ? this.#unexpected() : this.#compare(readFacts(effects));
      const judged = parted === null ? turn : { ...turn, ...this.#claimed(turn, from) };
      for (const judge of judges) judge.look(judged, parted?.line ?? line);
      this.steps += 1;
      point = leap.point;
    }
    return parted;
  }

  /** The next event: the recorded input, or a timer if the input is not due yet. */
  #eventFor(point: MachinePoint<Table>) {
    const fact = this.#lines[this.#next]?.fact ?? null;
    const event = fact && toEvent(fact);
    const [timer] = point.timers;
    if (timer === undefined) return event;
    const isInTick =
      fact?.type === 'tick.closed' || (fact !== null && 'during' in fact && fact.during === 'tick');
    return event === null || isInTick ? timer.event : event;
  }

  #compare(facts: readonly Fact[]): JournalFinding | null {
    for (const [index, fact] of facts.entries()) {
      const found = this.#lines[this.#next + index];
      // A truncated journal has no more lines to compare.
      if (found === undefined) break;
      if (isSameFact(fact, found.line)) continue;
      const recorded = canonical(fieldsOf(found.line));
      const text = `the journal has ${recorded}, but the meeting emits ${canonical(encode(fact))}`;
      return { line: found.at, text };
    }
    this.#next += facts.length;
    return null;
  }

  #unexpected(): JournalFinding {
    const found = this.#lines[this.#next];
    const text = `the journal has ${found?.line.type}, but the meeting cannot take that here`;
    return { line: found?.at ?? 0, text };
  }

  /** The step according to the journal: the recorded facts and the resulting table. */
  #claimed(turn: MeetingTransition, from: number): Pick<MeetingTransition, 'after' | 'effects'> {
    const end = this.#lines.findIndex(
      ({ fact }, at) => at > from && fact !== null && isStepBeginning(fact),
    );
    const lines = this.#lines.slice(from, end < 0 ? undefined : end);
    const facts = lines.flatMap(({ fact }) => fact ?? []);
    // No fact records the meeting's clock, so it comes from the machine.
    const table = { ...turn.before.context, due: turn.after.context.due };
    return {
      after: { ...turn.after, context: facts.reduce(applyFact, table) },
      effects: [
        ...turn.effects.filter(({ type }) => type !== 'announceFacts'),
        { type: 'announceFacts', params: { facts } },
      ],
    };
  }
}

function isStepBeginning(fact: RecordedFact): boolean {
  if (toEvent(fact) !== null) return true;
  if (fact.type === 'phase.entered')
    return fact.phase === 'discussion' || fact.phase === 'reaction';
  return ['poll.counted', 'ballot.revealed', 'verdict.announced'].includes(fact.type);
}

/** A closed tick is an input, and its speaker may have left, so only its floor is compared. */
function isSameFact(fact: Fact, line: LivingLine): boolean {
  if (fact.type === 'tick.closed')
    return line.type === 'tick.closed' && (fact.decision?.floor ?? null) === line.floor;
  return canonical(encode(fact)) === canonical(fieldsOf(line));
}

/** The input that a fact records, or null for a derived fact. */
function toEvent(fact: RecordedFact): ToMeeting | null {
  switch (fact.type) {
    case 'tick.closed':
      return fact;
    case 'seat.departed':
      return fact.during === null ? null : { type: 'seat.left', seat: fact.seat };
    case 'stop.requested': {
      const outcome = fact.outcome === 'unconverged' ? 'unconverged' : 'interrupted';
      return { type: 'meeting.stopped', outcome };
    }
    default:
      return null;
  }
}

function applyFact(table: Table, fact: RecordedFact): Table {
  switch (fact.type) {
    case 'tick.closed': {
      const replies = fact.bids.filter(({ type }) => type === 'reply');
      const streaks = replies.reduce((left, { seat }) => withoutSeat(left, seat), table.streaks);
      return { ...table, streaks };
    }
    case 'vote.locked':
      return { ...table, ballots: { ...table.ballots, [fact.seat]: fact.ballot } };
    case 'vote.cleared':
      return { ...table, ballots: withoutSeat(table.ballots, fact.seat) };
    case 'seat.faulted':
      return { ...table, streaks: withStreak(table.streaks, fact.seat, fact.streak) };
    case 'seat.departed':
      return applyDeparture(table, fact.seat);
    case 'poll.closed': {
      const { ballots } = table;
      const deserted = !Object.values(table.standings).includes('living');
      const poll = { ballots, deserted, missed: fact.missed, void: fact.void };
      return { ...table, poll, streaks: {} };
    }
    case 'ballot.revealed':
      return { ...table, revealed: table.revealed + 1 };
    case 'poll.counted':
    case 'meeting.closed':
      return { ...table, outcome: fact.outcome, ejected: fact.ejected };
    case 'stop.requested':
      return {
        ...table,
        outcome: fact.outcome,
        ejected: table.remaining === null ? null : table.ejected,
      };
    case 'meeting.refused':
      return { ...table, outcome: 'refused' };
    case 'verdict.announced':
      return fact.ejected === null
        ? table
        : { ...table, standings: { ...table.standings, [fact.ejected]: 'dead' } };
    default:
      return table;
  }
}

/** In classic, a departing voter's ballot is removed while the poll is open. */
function applyDeparture(table: Table, seat: Colour): Table {
  const standings = { ...table.standings, [seat]: 'departed' as const };
  const isCleared = table.options.rules === 'classic' && table.poll === null;
  const ballots = isCleared ? withoutSeat(table.ballots, seat) : table.ballots;
  return { ...table, standings, ballots, streaks: withoutSeat(table.streaks, seat) };
}

function withoutSeat<T>(entries: BySeat<T>, seat: Colour): BySeat<T> {
  const { [seat]: _gone, ...rest } = entries;
  return rest;
}
