/**
 * What if: plays a recorded match with a change, with the same dice and the same minds.
 *
 * Every answer up to a line of the record is the recorded one, so nothing before the change differs. From then on the
 * minds think anew. If all of them answer at once, no time is kept, and a match is over in a moment. Otherwise the
 * record is played and continued as a fork is.
 */

import { z } from 'zod';
import { encodeReply, type LineBody } from '../../machines/journal/codec.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import { isBlank } from '../../machines/rules/floor.ts';
import { isPerson, isSlow } from '../../machines/rules/mindKinds.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import { isMeeting, type Match, meetingMatchSchema } from '../../machines/setup/match.ts';
import {
  type Ballot,
  type Brief,
  type BySeat,
  COLOURS,
  type Colour,
  type Place,
} from '../../machines/types.ts';
import { readBelief } from '../../prompts/belief.ts';
import { readReply } from '../../prompts/reply.ts';
import type { BeliefSettings } from '../engine/beliefs.ts';
import { SimulatedClock } from '../engine/clock.ts';
import type { Journal } from '../engine/journal/reader.ts';
import { type RecordedLine, Recorder } from '../engine/journal/recorder.ts';
import { noSink } from '../engine/journal/sink.ts';
import { createMatch, type ReadyGame, type ReadyMeeting, startMatch } from '../engine/match.ts';
import type { Believer } from '../minds/believer.ts';
import { createBeliefSettings } from '../minds/believers.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import type { Answer, Mind, MindRequest } from '../minds/port.ts';
import { continueMatch } from './continue.ts';
import {
  findRecorded,
  type Recording,
  readRecording,
  type TapedAnswer,
} from './recordedReplies.ts';
import { type Difference, headerOf } from './replay.ts';

export type AnswerChange = {
  readonly message?: string;
  readonly target?: Colour | null;
  readonly desire?: number;
  readonly vote?: Ballot | null;
};

/** One thing that goes otherwise. Meetings, ticks and rounds count from 0. */
export type Intervention =
  | {
      readonly type: 'answer';
      readonly seat: Colour;
      readonly meeting: number;
      readonly tick: number;
      readonly change: AnswerChange;
    }
  /** A player does not see a kill: neither in the rounds after it nor in the meeting that is called next. */
  | {
      readonly type: 'unseen';
      readonly seat: Colour;
      readonly killer: Colour;
      readonly place: Place;
      readonly round: number;
      readonly meeting: number;
    };

export type ChangedMatch = {
  /** The last line whose answers the record gives, from 0; the answer that is changed is in it. */
  readonly line: number;
  readonly interventions: readonly Intervention[];
  /** Which sample it is of minds that may answer otherwise each time, from 0; left out, the first. */
  readonly sample?: number;
  /** The seed of offline minds after the change; absent: the match's. The dice stay the match's. */
  readonly mindSeed?: number;
  /** Whether crewmates state their suspicions when a poll closes. Only if all minds answer at once. */
  readonly hearsBeliefs?: boolean;
};

/** A crewmate's belief when the poll of the current meeting closed. */
export type HeardBelief = {
  readonly type: 'belief.heard';
  readonly seat: Colour;
  /** How probable each of the other living players is an impostor, 0 to 1. */
  readonly probabilities: BySeat<number>;
};

export type MatchHappening = Fact | GameFact | Line | HeardBelief;

/** Called with the events from the beginning of the match; returns false to stop. */
export type Watch = (happenings: readonly MatchHappening[]) => boolean;

export type WhatIfMinds = {
  /** Creates the minds of outside seats for each sample. Null: none is asked. */
  readonly models: ((sample: number) => ModelMinds) | null;
  /** Is called with each match that takes its time, so that it can be ended. */
  readonly onMatch?: (match: PlayedWhatIf) => void;
  /** Whether such seats are thought for by offline minds of the same temperament instead. */
  readonly standIns: boolean;
};

export type PlayedWhatIf = {
  readonly pause: () => void;
  readonly end: () => void;
  readonly result: Promise<unknown>;
};

export type UnplayableWhatIf = { readonly type: 'unplayable'; readonly text: string };

/** The fields of a record's first line, and that line rewritten. */
type MatchOpening = Pick<LineOf<'match.opened'>, 'match' | 'seed' | 'rulesVersion'> & {
  readonly living: LineBody;
};

/** A record that can be played with changes, as often as one likes. */
export class WhatIf {
  readonly type = 'playable';
  readonly journal: Journal;
  /** Whether every mind answers at once: then a match is a value of its record and its changes. */
  readonly isAtOnce: boolean;
  readonly #minds: WhatIfMinds;
  readonly #match: Match;
  readonly #seed: number;
  readonly #rulesVersion: number;
  readonly #header: LineBody;
  readonly #recording: Recording;
  readonly #ghostBudget: number | null;

  private constructor(journal: Journal, opening: MatchOpening, minds: WhatIfMinds) {
    this.journal = journal;
    this.#minds = minds;
    const whole = withGhosts(opening.match, journal.lines);
    this.#match = minds.standIns ? withStandIns(whole) : whole;
    this.#seed = opening.seed;
    this.#rulesVersion = opening.rulesVersion;
    this.#header = opening.living;
    this.#recording = readRecording(journal.lines);
    const gallery = journal.lines.find((line) => line.type === 'gallery.opened');
    this.#ghostBudget = gallery?.present === true ? gallery.budget : null;
    this.isAtOnce = Object.values(this.#create(0).minds).every(({ pace }) => pace === 'at-once');
  }

  static open(journal: Journal, minds: WhatIfMinds): WhatIf | UnplayableWhatIf {
    const [header] = journal.lines;
    if (header?.type !== 'match.opened')
      return { type: 'unplayable', text: 'the header is missing' };
    const { match, seed, rulesVersion } = header;
    const creation = createMatch(match, seed, minds.models?.(0), rulesVersion);
    const opening = { match, seed, rulesVersion };
    if (creation.ok) return new WhatIf(journal, { ...opening, ...creation.ready.headers }, minds);
    return { type: 'unplayable', text: creation.refusals.map(({ text }) => text).join('; ') };
  }

  get hasStandIns(): boolean {
    return this.#minds.standIns;
  }

  /** Plays the record with a change in it, until it is over or `watch` has seen enough. */
  async play(change: ChangedMatch, watch: Watch): Promise<void> {
    if (this.isAtOnce) await this.#playAtOnce(change, watch, null);
    else await this.#playInTime(change, watch);
  }

  /**
   * Plays the record without a change, with minds that think anew after a line, and compares the result with the
   * record: all of it, or only the living up to that line if other minds continue. Also returns the number of compared
   * lines.
   */
  async compare(line: number): Promise<RecordComparison> {
    const comparison = new Comparison(this.journal, this.#minds.standIns ? line : null);
    const recorder = new Recorder({ onLine: (one) => comparison.take(one) });
    await this.#playAtOnce({ line, interventions: [] }, () => !comparison.isDecided, recorder);
    return { difference: comparison.end(), lines: comparison.size };
  }

  #create(sample: number, mindSeed: number | null = null): ReadyGame | ReadyMeeting {
    const models = this.#minds.models?.(sample);
    const create = (seed: number) => createMatch(this.#match, seed, models, this.#rulesVersion);
    const creation = create(this.#seed);
    if (creation.ok && mindSeed === null) return creation.ready;
    const others = mindSeed === null ? creation : create(mindSeed);
    if (creation.ok && others.ok) return { ...creation.ready, minds: others.ready.minds };
    throw new Error('expected a match that could be created before');
  }

  async #playAtOnce(change: ChangedMatch, watch: Watch, recorder: Recorder | null): Promise<void> {
    const ready = this.#create(change.sample ?? 0, change.mindSeed);
    recorder?.write('living', [this.#header]);
    const gallery = this.journal.lines.find((line) => line.type === 'gallery.opened');
    if (gallery !== undefined) recorder?.write('ghosts', [headerOf(gallery)]);
    let called = 0;
    const meeting = () => Math.max(0, called - 1);
    const { promise: seen, resolve: stop } = Promise.withResolvers<void>();
    let isSeen = false;
    const match = startMatch({
      ...ready,
      minds: changeMinds(ready.minds, { change, recording: this.#recording, meeting }),
      ghostBudget: this.#ghostBudget,
      clock: new SimulatedClock(),
      recorder,
      beliefs: change.hearsBeliefs === true ? this.#listen(change, { watch, meeting }) : null,
      onFacts: (facts) => {
        if (isSeen) return;
        if (facts.some(({ type }) => type === 'meeting.called')) called += 1;
        if (watch(facts)) return;
        isSeen = true;
        match.pause();
        stop();
      },
    });
    await Promise.race([match.result, seen]);
  }

  /** Asks offline crewmates for beliefs, for `watch` alone. */
  #listen(
    { interventions }: ChangedMatch,
    { watch, meeting }: { readonly watch: Watch; readonly meeting: () => number },
  ): BeliefSettings | null {
    const settings = createBeliefSettings('meeting', this.#match, this.#seed);
    if (settings === null) return null;
    const believers: Partial<Record<Colour, Believer>> = {};
    for (const seat of COLOURS) {
      const believer = settings.believers[seat];
      if (believer?.pace !== 'at-once') continue;
      const own = interventions.filter((one) => one.seat === seat);
      const { hideFrom } = createBlindfold(own, meeting);
      believers[seat] = {
        pace: 'at-once',
        believe: (question) => {
          const { moment, view, about } = question;
          if (moment !== 'vote' || view.you.role === 'impostor') return null;
          const stated = believer.believe({ ...question, view: hideFrom(view) });
          const reading =
            stated?.answer.ok === true ? readBelief(stated.answer.received, about) : null;
          if (reading?.ok === true)
            watch([{ type: 'belief.heard', seat, probabilities: reading.probabilities }]);
          return stated;
        },
      };
    }
    return { ...settings, believers };
  }

  async #playInTime(change: ChangedMatch, watch: Watch): Promise<void> {
    const { lines, bodies } = this.journal;
    const before = { lines: lines.slice(0, change.line), bodies: bodies.slice(0, change.line) };
    let called = before.lines.filter(({ type }) => type === 'meeting.called').length;
    const meeting = () => Math.max(0, called - 1);
    watch(before.lines);
    const { promise: seen, resolve: stop } = Promise.withResolvers<void>();
    let isSeen = false;
    let pause = () => {};
    const { models, standIns } = this.#minds;
    const past = { ...this.journal, ...before };
    const match = continueMatch(past, {
      sink: noSink,
      models: models?.(change.sample ?? 0) ?? unaskedModels,
      successors: (minds) => {
        const own = standIns ? this.#create(change.sample ?? 0).minds : minds;
        return changeMinds(own, { change, recording: this.#recording, meeting });
      },
      onLine: (line) => {
        if (isSeen) return;
        if (line.type === 'meeting.called') called += 1;
        if (watch([line])) return;
        isSeen = true;
        pause();
        stop();
      },
    });
    if (match.type === 'unplayable') throw new Error(match.text);
    pause = match.pause;
    this.#minds.onMatch?.(match);
    await Promise.race([match.result, seen]);
  }
}

const unaskedModels: ModelMinds = () => {
  throw new Error('expected minds for all seats');
};

/** The match with the minds of players dead at its beginning, which the living do not know. */
function withGhosts(match: Match, lines: readonly Line[]): Match {
  const gallery = lines.find((line) => line.type === 'gallery.opened');
  if (!isMeeting(match) || gallery === undefined) return match;
  const seats = match.seats.map((seat) => {
    const own = z.record(z.string(), z.unknown()).safeParse(gallery.minds[seat.colour]);
    if (!own.success) return seat;
    const { persona, ...mind } = own.data;
    return { ...seat, ...mind, ...(persona === null ? {} : { persona }) };
  });
  const checked = meetingMatchSchema.safeParse({ ...match, seats });
  return checked.success ? checked.data : match;
}

function withStandIns(match: Match): Match {
  const standIn = <S extends Match['seats'][number]>(seat: S): S =>
    isSlow(seat) || isPerson(seat) ? { ...seat, mind: 'scripted' } : seat;
  return isMeeting(match)
    ? { ...match, seats: match.seats.map(standIn) }
    : { ...match, seats: match.seats.map(standIn) };
}

type ChangedMinds = {
  readonly change: ChangedMatch;
  readonly recording: Recording;
  /** The meeting that is on, from 0. */
  readonly meeting: () => number;
};

/** Minds that give the recorded answers up to the change, and think on their own behind it. */
function changeMinds(minds: BySeat<Mind>, changed: ChangedMinds): BySeat<Mind> {
  const made: Partial<Record<Colour, Mind>> = {};
  for (const seat of COLOURS) {
    const mind = minds[seat];
    if (mind !== undefined) made[seat] = changeMind(seat, mind, changed);
  }
  return made;
}

function changeMind(seat: Colour, mind: Mind, changed: ChangedMinds): Mind {
  const { change, recording, meeting } = changed;
  const own = change.interventions.filter((one) => one.seat === seat);
  const findPast = (request: MindRequest): TapedAnswer | undefined => {
    const recorded = findRecorded(recording, seat, request, meeting());
    return recorded !== undefined && recorded.line <= change.line ? recorded : undefined;
  };
  const revise = (request: MindRequest, answer: Answer): Answer =>
    own.reduce((revised, one) => reviseAnswer(revised, one, request, meeting()), answer);
  const { hideIn } = createBlindfold(own, meeting);
  if (mind.pace === 'at-once') {
    return {
      pace: 'at-once',
      answer: (request) =>
        revise(request, findPast(request)?.answer ?? mind.answer(hideIn(request))),
    };
  }
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      const past = findPast(request);
      if (past !== undefined) keepTime();
      return revise(
        request,
        past?.answer ?? (await mind.answer(hideIn(request), signal, keepTime)),
      );
    },
  };
}

/** Changes an answer if the intervention means it. A fault has no words to change. */
function reviseAnswer(
  answer: Answer,
  intervention: Intervention,
  { kind, index }: MindRequest,
  meeting: number,
): Answer {
  const isMeant =
    intervention.type === 'answer' &&
    (kind === 'discussion' || kind === 'voting') &&
    intervention.tick === index &&
    intervention.meeting === meeting;
  return isMeant ? changeAnswer(answer, intervention.change) : answer;
}

/**
 * Changes the reply in an answer; an unreadable one stays the same. A player who is silent in the
 * changed match stays silent.
 */
function changeAnswer(answer: Answer, change: AnswerChange): Answer {
  if (!answer.ok) return answer;
  const reading = readReply(answer.received);
  if (!reading.ok) return answer;
  const { reply } = reading;
  const message = isBlank(reply.message) ? reply.message : (change.message ?? reply.message);
  return { ok: true, received: encodeReply({ ...reply, ...change, message }) };
}

/**
 * Removes unseen events from a player's requests: the memory of the kill goes. The victim's death and players near the
 * body in the next round stay visible.
 */
function createBlindfold(interventions: readonly Intervention[], meeting: () => number): Blindfold {
  const unseen = interventions.filter((one) => one.type === 'unseen');
  if (unseen.length === 0) return { hideIn: (request) => request, hideFrom: (view) => view };
  const briefs = keepLast(
    (brief: Brief): Brief => ({
      ...brief,
      sightings: brief.sightings.filter(
        ({ who, place, did }) =>
          did !== 'kill' ||
          !unseen.some(
            (one) => one.meeting === meeting() && one.killer === who && one.place === place,
          ),
      ),
    }),
  );
  const hideFrom = (view: LivingView) => ({
    ...view,
    you: { ...view.you, brief: briefs(view.you.brief) },
  });
  const hideIn = (request: MindRequest): MindRequest => {
    if (request.kind === 'action') {
      const { view } = request;
      const memory = view.you.memory.filter(
        ({ who, did, from, until }) =>
          did !== 'kill' ||
          !unseen.some((one) => one.killer === who && from <= one.round && one.round <= until),
      );
      return { ...request, view: { ...view, you: { ...view.you, memory } } };
    }
    return request.kind === 'ghost' ? request : { ...request, view: hideFrom(request.view) };
  };
  return { hideIn, hideFrom };
}

type Blindfold = {
  readonly hideIn: (request: MindRequest) => MindRequest;
  readonly hideFrom: (view: LivingView) => LivingView;
};

/** The same value for the same argument in a row: minds know a brief again by its identity. */
function keepLast<T extends object>(make: (of: T) => T): (of: T) => T {
  let last: { readonly of: T; readonly made: T } | null = null;
  return (of) => {
    if (last?.of !== of) last = { of, made: make(of) };
    return last.made;
  };
}

/** The result of a fork without a change: the first difference, and the lines compared. */
type RecordComparison = { readonly difference: Difference | null; readonly lines: number };

/** The channels of a match. Beliefs are not part of it, and trial matches don't ask for them. */
const PLAYED_CHANNELS = ['living', 'ghosts'] as const;
type PlayedChannel = (typeof PLAYED_CHANNELS)[number];

class Comparison {
  readonly #recorded: Readonly<Record<PlayedChannel, readonly { body: string; at: number }[]>>;
  readonly #next: Record<PlayedChannel, number> = { living: 0, ghosts: 0 };
  readonly #limit: number | null;
  #difference: Difference | null = null;

  /** `limit` is the last line that is compared, from 0, and then the ghosts are not; null compares all. */
  constructor({ lines, bodies }: Journal, limit: number | null) {
    this.#limit = limit;
    const all = lines.map(({ channel }, at) => ({ channel, body: bodies[at] ?? '', at }));
    const kept = all.filter(
      ({ channel, at }) => limit === null || (channel === 'living' && at <= limit),
    );
    this.#recorded = {
      living: kept.filter(({ channel }) => channel === 'living'),
      ghosts: kept.filter(({ channel }) => channel === 'ghosts'),
    };
  }

  get isDecided(): boolean {
    const isOver = this.#next.living >= this.#recorded.living.length;
    return this.#difference !== null || (this.#limit !== null && isOver);
  }

  take({ channel, body }: RecordedLine): void {
    if (channel === 'beliefs') return;
    if (this.isDecided || (this.#limit !== null && channel === 'ghosts')) return;
    const expected = this.#recorded[channel][this.#next[channel]];
    this.#next[channel] += 1;
    if (expected?.body === body) return;
    const recorded = expected?.body ?? '(no line)';
    const line = (expected?.at ?? this.size) + 1;
    this.#difference = { line, channel, recorded, replayed: body };
  }

  end(): Difference | null {
    if (this.#difference !== null) return this.#difference;
    for (const channel of PLAYED_CHANNELS) {
      const missing = this.#recorded[channel][this.#next[channel]];
      if (missing === undefined) continue;
      const { body, at } = missing;
      return { line: at + 1, channel, recorded: body, replayed: '(no line)' };
    }
    return null;
  }

  get size(): number {
    return this.#recorded.living.length + this.#recorded.ghosts.length;
  }
}
