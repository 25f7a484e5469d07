/**
 * Asks what players believe at fixed moments of a match, which does not wait for the answers. They are written by moment
 * and then by seat, whenever they arrive. Nothing here sends a message to an actor.
 */

import type { LineBody } from '../../machines/journal/codec.ts';
import type { MindRequest } from '../../machines/request.ts';
import {
  askBelief,
  type BeliefPlace,
  type BeliefQuestion,
  viewAtPoll,
  withWrittenPads,
} from '../../machines/rules/beliefs.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import { transcriptLines } from '../../machines/rules/floor.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import {
  type BeliefMoment,
  type BeliefTimes,
  type BySeat,
  COLOURS,
  type Colour,
  type Utterance,
} from '../../machines/types.ts';
import { BELIEFS_VERSION } from '../../machines/versions.ts';
import { readBelief } from '../../prompts/belief.ts';
import type { Believer, StatedBelief } from '../minds/believer.ts';
import type { JournalHeaders, Recorder } from './journal/recorder.ts';

/** When beliefs are asked, and the believers by seat. A seat without a believer is not asked. */
export type BeliefSettings = {
  readonly times: BeliefTimes;
  readonly believers: BySeat<Believer>;
  /** Comes along, so that a program that never asks does not load it. */
  readonly Inquiry: typeof BeliefInquiry;
};

export function withBeliefs(
  headers: JournalHeaders,
  beliefs: BeliefSettings | null,
): JournalHeaders {
  return beliefs === null ? headers : { ...headers, beliefs: writeBeliefsHeader(beliefs.times) };
}

export function writeBeliefsHeader(times: BeliefTimes, version = BELIEFS_VERSION): LineBody {
  return { type: 'beliefs.opened', times, version };
}

type AskedSeat = {
  readonly seat: Colour;
  readonly question: BeliefQuestion;
  /** Undefined until the answer is there; null where nobody answers for the seat. */
  stated: StatedBelief | null | undefined;
};

type AskedMoment = { readonly place: BeliefPlace; readonly seats: AskedSeat[]; isOpen: boolean };

export class BeliefInquiry {
  readonly #settings: BeliefSettings;
  readonly #recorder: Recorder | null;
  readonly #moments: AskedMoment[] = [];
  /** Each player's last view at the table, with their own later notes. */
  #views = new Map<Colour, LivingView>();
  readonly #over = new AbortController();
  #transcript: readonly Utterance[] = [];
  #meeting = 0;
  #tick: number | null = null;
  #isDropped = false;
  #settled: (() => void) | null = null;

  /** `before` took the facts and requests up to now. */
  constructor(settings: BeliefSettings, recorder: Recorder | null, before?: BeliefInquiry | null) {
    this.#settings = settings;
    this.#recorder = recorder;
    if (!before) return;
    this.#views = new Map(before.#views);
    this.#transcript = before.#transcript;
    this.#meeting = before.#meeting;
    this.#tick = before.#tick;
  }

  noteRequest(seat: Colour, request: MindRequest): void {
    if (request.kind !== 'discussion' && request.kind !== 'voting') return;
    const { view } = request;
    this.#views.set(seat, view);
    if (this.#tick === null) this.#ask(seat, view, 'call');
    else if (this.#settings.times === 'tick') this.#ask(seat, view, 'tick');
  }

  noteFacts(facts: readonly Fact[], table: Table): void {
    for (const fact of facts) {
      if (fact.type === 'meeting.called') this.#beginMeeting();
      if (fact.type === 'tick.closed' && fact.decision !== null) this.#closeTick(fact);
      if (fact.type === 'poll.closed') this.#askVoters(table);
      if (fact.type === 'meeting.closed') this.#closeMoment();
    }
  }

  async settle(): Promise<void> {
    this.#closeMoment();
    this.#write();
    if (this.#moments.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#settled = resolve;
    });
  }

  hurry(): void {
    this.#over.abort();
    for (const { seats } of this.#moments) {
      for (const asked of seats)
        if (asked.stated === undefined) asked.stated = this.#stopped(asked);
    }
    this.#write();
  }

  drop(): void {
    this.#isDropped = true;
    this.#moments.length = 0;
    this.#over.abort();
    this.#settled?.();
  }

  #stopped({ seat }: AskedSeat): StatedBelief | null {
    const believer = this.#settings.believers[seat];
    return believer?.pace === 'in-time' ? { source: believer.source, answer: STOPPED } : null;
  }

  #beginMeeting(): void {
    this.#closeMoment();
    this.#meeting += 1;
    this.#tick = null;
    this.#transcript = [];
    this.#views.clear();
  }

  #closeTick({ tick, bids, decision }: Extract<Fact, { type: 'tick.closed' }>): void {
    this.#closeMoment();
    this.#tick = tick;
    this.#transcript = [...this.#transcript, ...transcriptLines(tick, decision)];
    for (const bid of bids) {
      const view = this.#views.get(bid.seat);
      if (view !== undefined) this.#views.set(bid.seat, withWrittenPads(view, bid));
    }
  }

  #askVoters(table: Table): void {
    this.#closeMoment();
    for (const { colour } of table.seats) {
      const view = this.#views.get(colour);
      if (view === undefined || table.standings[colour] !== 'living') continue;
      this.#ask(colour, viewAtPoll(view, table, this.#transcript), 'vote');
    }
    this.#closeMoment();
  }

  #ask(seat: Colour, view: LivingView, moment: BeliefMoment): void {
    const believer = this.#settings.believers[seat];
    if (believer === undefined || this.#over.signal.aborted) return;
    const place = { meeting: this.#meeting, moment, tick: moment === 'tick' ? this.#tick : null };
    const question = askBelief(place, view);
    if (question === null) return;
    const asked: AskedSeat = { seat, question, stated: undefined };
    this.#openMoment(place).seats.push(asked);
    if (believer.pace === 'at-once') {
      asked.stated = believer.believe(question);
      return;
    }
    void thinkAbout(believer, question, this.#over.signal).then((stated) => {
      asked.stated = asked.stated === undefined ? stated : asked.stated;
      this.#write();
    });
  }

  #openMoment(place: BeliefPlace): AskedMoment {
    const last = this.#moments.at(-1);
    if (last?.isOpen === true) return last;
    const opened = { place, seats: [], isOpen: true };
    this.#moments.push(opened);
    return opened;
  }

  #closeMoment(): void {
    const last = this.#moments.at(-1);
    if (last?.isOpen !== true) return;
    last.isOpen = false;
    this.#write();
  }

  #write(): void {
    for (;;) {
      const [moment] = this.#moments;
      if (this.#isDropped || moment === undefined || moment.isOpen) break;
      if (moment.seats.some(({ stated }) => stated === undefined)) break;
      this.#moments.shift();
      const order = ({ seat }: AskedSeat) => COLOURS.indexOf(seat);
      const seats = moment.seats.toSorted((one, other) => order(one) - order(other));
      const lines = seats.flatMap((asked) => encodeBelief(asked) ?? []);
      if (lines.length > 0) this.#recorder?.write('beliefs', lines);
    }
    if (this.#moments.length === 0) this.#settled?.();
  }
}

const STOPPED: StatedBelief['answer'] = {
  ok: false,
  code: 'belief/stopped',
  text: 'the match was ended before the answer came',
};

/** A believer may be foreign code, so its answer is not trusted. */
async function thinkAbout(
  believer: Extract<Believer, { pace: 'in-time' }>,
  question: BeliefQuestion,
  signal: AbortSignal,
): Promise<StatedBelief | null> {
  try {
    return await believer.believe(question, signal);
  } catch (error) {
    const text =
      error instanceof Error ? error.message : 'the mind threw something that is no error';
    return { source: believer.source, answer: { ok: false, code: 'mind/threw', text } };
  }
}

function encodeBelief({ seat, question, stated }: AskedSeat): LineBody | null {
  if (stated === null || stated === undefined) return null;
  const { meeting, moment, tick, about } = question;
  const { source, answer } = stated;
  const head = {
    ...({ type: 'belief.stated', meeting, moment, seat, source, about } as const),
    ...(tick === null ? {} : { tick }),
  };
  if (!answer.ok) return { ...head, probabilities: {}, fault: answer.code, text: answer.text };
  const { received } = answer;
  const reading = readBelief(received, about);
  if (!reading.ok)
    return { ...head, probabilities: {}, fault: reading.code, text: reading.text, received };
  const { probabilities, missing, isPlain } = reading;
  return {
    ...head,
    probabilities,
    ...(Object.keys(missing).length === 0 ? {} : { missing }),
    ...(isPlain ? {} : { received }),
  };
}
