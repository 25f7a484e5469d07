/**
 * What if: plays a recorded match with a change, with the same dice and the same minds. Every answer up to a line of the
 * record is the recorded one; from then on the minds think anew. If some take time, it is played as a fork is.
 */

import { encodeReply, fieldsOf, type LineBody } from '../../machines/journal/codec.ts';
import type { Channel, Line, LineOf } from '../../machines/journal/lines.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import { isBlank } from '../../machines/rules/floor.ts';
import { isPerson, isSlow } from '../../machines/rules/mindKinds.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import { isMeeting, type Match, meetingMatchSchema } from '../../machines/setup/match.ts';
import { isRecord } from '../../machines/text.ts';
import type { Ballot, Brief, BySeat, Colour, Place } from '../../machines/types.ts';
import { readBelief } from '../../prompts/belief.ts';
import { readReply } from '../../prompts/reply.ts';
import type { BeliefSettings } from '../engine/beliefs.ts';
import { SimulatedClock } from '../engine/clock.ts';
import type { Journal } from '../engine/journal/reader.ts';
import { type RecordedLine, Recorder } from '../engine/journal/recorder.ts';
import { noSink } from '../engine/journal/sink.ts';
import type { KeptRun } from '../engine/keptRun.ts';
import { createMatch, type ReadyGame, type ReadyMeeting, startMatch } from '../engine/match.ts';
import type { Believer } from '../minds/believer.ts';
import { createBeliefSettings } from '../minds/believers.ts';
import type { ModelMinds } from '../minds/kinds.ts';
import type { Answer, Mind, MindRequest } from '../minds/port.ts';
import { keepLast } from '../minds/scripted/lineFold.ts';
import { continueMatch } from './continue.ts';
import { findRecorded, type Recording, readRecording } from './recordedReplies.ts';
import { Comparison, type Difference, openRecorded } from './replay.ts';

export type AnswerChange = {
  readonly message?: string;
  readonly target?: Colour | null;
  readonly desire?: number;
  readonly vote?: Ballot | null;
};

/** One thing that goes otherwise. Meetings, ticks and rounds count from 0. */
export type Intervention = { readonly seat: Colour; readonly meeting: number } & (
  | { readonly type: 'answer'; readonly tick: number; readonly change: AnswerChange }
  /** A player does not see a kill: neither in the rounds after it nor in the meeting that is called next. */
  | {
      readonly type: 'unseen';
      readonly killer: Colour;
      readonly place: Place;
      readonly round: number;
    }
);

export type ChangedMatch = {
  /** The last line whose answers the record gives, from 0; the answer that is changed is in it. */
  readonly line: number;
  readonly interventions: readonly Intervention[];
  /** Which sample it is of minds that may answer otherwise each time, from 0; left out, the first. */
  readonly sample?: number;
  /** The seed of offline minds after the change; absent: the match's. The dice stay the match's. */
  readonly mindSeed?: number;
  /**
   * Whether crewmates state their suspicions when the poll of a meeting closes: of each, or of the one with this number,
   * from 0. Only if all minds answer at once.
   */
  readonly hearsBeliefs?: boolean | number;
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
  readonly onMatch?: (
    match: Readonly<{ pause: () => void; end: () => void; result: Promise<unknown> }>,
  ) => void;
  /** Whether such seats are thought for by offline minds of the same temperament instead. */
  readonly standIns: boolean;
};

type MatchOpening = Pick<LineOf<'match.opened'>, 'match' | 'seed' | 'rulesVersion'> & {
  readonly living: LineBody;
};

export class WhatIf {
  readonly journal: Journal;
  /** Whether every mind answers at once: then a match is a value of its record and its changes. */
  readonly isAtOnce: boolean;
  readonly #minds: WhatIfMinds;
  readonly #opening: MatchOpening;
  readonly #match: Match;
  readonly #gallery: LineOf<'gallery.opened'> | undefined;
  readonly #recording: Recording;
  /** The unchanged match at each tick and round of the record. */
  #moments: Promise<readonly KeptMoment[]> | null = null;
  /** Minds that answer at once answer the same request alike, so they keep their work from match to match. */
  #ready: ReadyGame | ReadyMeeting | null = null;
  readonly #beliefs: BeliefSettings | null;

  private constructor(journal: Journal, opening: MatchOpening, minds: WhatIfMinds) {
    this.journal = journal;
    this.#minds = minds;
    this.#opening = opening;
    this.#gallery = journal.lines.find((line) => line.type === 'gallery.opened');
    const whole = withGhosts(opening.match, this.#gallery);
    this.#match = minds.standIns ? withStandIns(whole) : whole;
    this.#beliefs = createBeliefSettings('meeting', this.#match, opening.seed);
    this.#recording = readRecording(journal.lines);
    this.isAtOnce = Object.values(this.#create(0).minds).every(({ pace }) => pace === 'at-once');
  }

  static open(journal: Journal, minds: WhatIfMinds): WhatIf {
    const { header, ready } = openRecorded(journal, minds.models?.(0) ?? null);
    return new WhatIf(journal, { ...header, ...ready.headers }, minds);
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
   * Plays the record unchanged, with minds that think anew after a line, and compares it with the record: all of it, or
   * only the living up to that line if stand-ins continue.
   */
  async compare(line: number): Promise<{ difference: Difference | null; lines: number }> {
    const { standIns } = this.#minds;
    // Trial matches don't ask for beliefs.
    const channels: readonly Channel[] = standIns ? ['living'] : ['living', 'ghosts'];
    const comparison = new Comparison(
      this.journal,
      ({ channel }, at) => channels.includes(channel) && (!standIns || at <= line),
    );
    const isDecided = () =>
      comparison.difference !== null || (standIns && comparison.isAtEnd('living'));
    const onLine = (one: RecordedLine) => {
      if (channels.includes(one.channel) && !isDecided()) comparison.take(one, true);
    };
    const recorder = new Recorder({ onLine });
    await this.#playAtOnce({ line, interventions: [] }, () => !isDecided(), recorder);
    return { difference: comparison.end(), lines: comparison.size };
  }

  #create(sample: number, mindSeed: number | null = null): ReadyGame | ReadyMeeting {
    if (this.#ready !== null && this.isAtOnce && mindSeed === null) return this.#ready;
    const models = this.#minds.models?.(sample);
    const { seed, rulesVersion } = this.#opening;
    const create = (of: number) => {
      const creation = createMatch(this.#match, of, models, rulesVersion);
      if (creation.ok) return creation.ready;
      throw new Error('expected a match that could be created before');
    };
    const ready = create(seed);
    if (mindSeed !== null) return { ...ready, minds: create(mindSeed).minds };
    this.#ready = ready;
    return ready;
  }

  async #playAtOnce(change: ChangedMatch, watch: Watch, recorder: Recorder | null): Promise<void> {
    const ready = this.#create(change.sample ?? 0, change.mindSeed);
    const gallery = this.#gallery;
    recorder?.write('living', [this.#opening.living]);
    if (gallery !== undefined) recorder?.write('ghosts', [fieldsOf(gallery)]);
    const { at = 0, run } = recorder === null ? await this.#findMoment(change) : {};
    const before = this.journal.lines.slice(1, at).filter(({ channel }) => channel === 'living');
    const { meeting, note, seen } = follow(watch, countCalls(before));
    watch(before);
    const match = startMatch({
      ...ready,
      from: run,
      minds: changeMinds(ready.minds, { change, recording: this.#recording, meeting }),
      // Nothing that ghosts say reaches the living, so they stay away from a match that nobody records.
      ghostBudget: recorder !== null && gallery?.present === true ? gallery.budget : null,
      clock: new SimulatedClock(),
      recorder,
      beliefs:
        (change.hearsBeliefs ?? false) !== false ? this.#listen(change, { watch, meeting }) : null,
      onFacts: (facts) => note(facts, () => match.pause()),
    });
    await Promise.race([match.result, seen]);
  }

  /** The last moment before a change; none if it takes back the first answers, or needs all beliefs. */
  async #findMoment({ line, hearsBeliefs }: ChangedMatch): Promise<Partial<KeptMoment>> {
    if (hearsBeliefs === true) return {};
    this.#moments ??= this.#keepMoments();
    return (await this.#moments).findLast(({ at }) => at < line) ?? {};
  }

  /** Plays the record once, and keeps it wherever all answers of a tick or round are there. */
  async #keepMoments(): Promise<readonly KeptMoment[]> {
    const kept: KeptMoment[] = [];
    const { lines } = this.journal;
    // Each gathering became one of these lines.
    const closings = lines.flatMap(({ type }, at) =>
      type === 'tick.closed' || type === 'round.closed' ? [at] : [],
    );
    const change = { line: lines.length, interventions: [] };
    let called = 0;
    const ready = this.#create(0);
    const meeting = () => Math.max(0, called - 1);
    const match = startMatch({
      ...ready,
      minds: changeMinds(ready.minds, { change, recording: this.#recording, meeting }),
      ghostBudget: null,
      // At each turn all is at rest.
      clock: new SimulatedClock(1),
      recorder: null,
      beliefs: this.#beliefs && { ...this.#beliefs, believers: {} },
      onFacts: (facts) => {
        called += countCalls(facts);
      },
      onGathered: (gathered) => {
        const at = closings[kept.length];
        if (at !== undefined) kept.push({ at, run: match.keep(gathered) });
      },
    });
    await match.result;
    return kept;
  }

  #listen(
    { interventions, hearsBeliefs }: ChangedMatch,
    { watch, meeting }: { readonly watch: Watch; readonly meeting: () => number },
  ): BeliefSettings | null {
    const settings = this.#beliefs;
    if (settings === null) return null;
    const believers = mapSeats(settings.believers, (believer, seat): Believer | undefined => {
      if (believer.pace !== 'at-once') return undefined;
      const own = interventions.filter((one) => one.seat === seat);
      const { hideFrom } = createBlindfold(own, meeting);
      return {
        pace: 'at-once',
        believe: (question) => {
          const { moment, view, about } = question;
          if (moment !== 'vote' || view.you.role === 'impostor') return null;
          if (typeof hearsBeliefs === 'number' && hearsBeliefs !== meeting()) return null;
          const stated = believer.believe({ ...question, view: hideFrom(view) });
          const reading =
            stated?.answer.ok === true ? readBelief(stated.answer.received, about) : null;
          if (reading?.ok === true)
            watch([{ type: 'belief.heard', seat, probabilities: reading.probabilities }]);
          return stated;
        },
      };
    });
    return { ...settings, believers };
  }

  async #playInTime(change: ChangedMatch, watch: Watch): Promise<void> {
    const { lines, bodies } = this.journal;
    const before = { lines: lines.slice(0, change.line), bodies: bodies.slice(0, change.line) };
    const { meeting, note, seen } = follow(watch, countCalls(before.lines));
    watch(before.lines);
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
      onLine: (line) => note([line], () => pause()),
    });
    pause = match.pause;
    this.#minds.onMatch?.(match);
    await Promise.race([match.result, seen]);
  }
}

/** A match that has all answers of the tick or round that line `at` of the record, counted from 0, closes. */
type KeptMoment = { readonly at: number; readonly run: KeptRun };

function countCalls(happenings: readonly MatchHappening[]): number {
  return happenings.filter(({ type }) => type === 'meeting.called').length;
}

/** Counts the meetings of a match, and pauses it when `watch` has seen enough. */
function follow(watch: Watch, before = 0) {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  let called = before;
  let isSeen = false;
  return {
    seen,
    meeting: () => Math.max(0, called - 1),
    note: (happenings: readonly MatchHappening[], pause: () => void) => {
      if (isSeen) return;
      called += countCalls(happenings);
      if (watch(happenings)) return;
      isSeen = true;
      pause();
      resolve();
    },
  };
}

const unaskedModels: ModelMinds = () => {
  throw new Error('expected minds for all seats');
};

function withGhosts(match: Match, gallery: LineOf<'gallery.opened'> | undefined): Match {
  if (!isMeeting(match) || gallery === undefined) return match;
  const seats = match.seats.map((seat) => {
    const own = gallery.minds[seat.colour];
    if (!isRecord(own)) return seat;
    const { persona, ...mind } = own;
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
  readonly meeting: () => number;
};

const changeMinds = (minds: BySeat<Mind>, changed: ChangedMinds): BySeat<Mind> =>
  mapSeats(minds, (mind, seat) => changeMind(seat, mind, changed));

function changeMind(seat: Colour, mind: Mind, { change, recording, meeting }: ChangedMinds): Mind {
  const own = change.interventions.filter((one) => one.seat === seat);
  const findPast = (request: MindRequest): Answer | undefined => {
    const recorded = findRecorded(recording, seat, request, meeting());
    return recorded !== undefined && recorded.line <= change.line ? recorded.answer : undefined;
  };
  const revise = (request: MindRequest, answer: Answer): Answer =>
    own.reduce((revised, one) => reviseAnswer(revised, one, request, meeting()), answer);
  const { hideIn } = createBlindfold(own, meeting);
  if (mind.pace === 'at-once') {
    const think = (request: MindRequest) => findPast(request) ?? mind.answer(hideIn(request));
    return { pace: 'at-once', answer: (request) => revise(request, think(request)) };
  }
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      const past = findPast(request);
      if (past !== undefined) keepTime();
      return revise(request, past ?? (await mind.answer(hideIn(request), signal, keepTime)));
    },
  };
}

/** A fault and an unreadable reply stay the same. A player who is silent in the changed match stays silent. */
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
  if (!isMeant || !answer.ok) return answer;
  const reading = readReply(answer.received);
  if (!reading.ok) return answer;
  const { reply } = reading;
  const { change } = intervention;
  const message = isBlank(reply.message) ? reply.message : (change.message ?? reply.message);
  return { ok: true, received: encodeReply({ ...reply, ...change, message }) };
}

/** Removes the memory of unseen kills. The victim's death and players near the body in the next round stay visible. */
function createBlindfold(interventions: readonly Intervention[], meeting: () => number) {
  const unseen = interventions.filter((one) => one.type === 'unseen');
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
  const hideFrom = (view: LivingView) => {
    if (unseen.length === 0) return view;
    // Rounds without the kill would still show who can have killed.
    return { ...view, you: { ...view.you, brief: briefs(view.you.brief), stretches: [] } };
  };
  const hideIn = (request: MindRequest): MindRequest => {
    if (unseen.length === 0) return request;
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
