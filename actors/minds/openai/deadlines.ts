/**
 * Deadlines of seats that models play. The clock runs while a request is at the endpoint. A player is late if the
 * endpoint answers others. If half of them wait equally long, they all get more time, and in the end the game pauses.
 */
import type { TimePort } from '../../ports/ports.ts';
import type { MindRequest } from '../port.ts';
import { remember } from '../remember.ts';
import type { FailedReply } from './conversation.ts';
import type { EndpointPace, ModelRest, RequestUnderWay } from './pace.ts';

export type DeadlineLimits = {
  /** Most milliseconds that a seat's deadline may grow to. Fewer than the default shorten it. */
  readonly tickMs: number;
  /** Milliseconds for a model's first answer, for a loading model to be ready, and for rests without an answer. */
  readonly waitMs: number;
};

export const DEADLINE_LIMITS: DeadlineLimits = { tickMs: 300_000, waitMs: 600_000 };

const MS = 1000;

/** Whether a model has answered, and the start of the wait if not. Shared by all games of the process. */
export class ModelStart {
  /** No answer since the process began, or since the model reported that it is loading. */
  isCold = true;
  #since: number | null = null;

  wait(now: number): number {
    this.#since ??= now;
    return now - this.#since;
  }

  noteAnswer(): void {
    this.isCold = false;
    this.#since = null;
  }

  noteLoading(): void {
    this.isCold = true;
  }

  giveUp(): void {
    this.#since = null;
  }
}

export type AskedModel = {
  readonly baseUrl: string;
  readonly model: string;
  readonly pace: EndpointPace;
  readonly start: ModelStart;
};

export type LoadingModel = Pick<AskedModel, 'baseUrl' | 'model'> & {
  readonly says: string | null;
  /** Elapsed milliseconds, and the limit. */
  readonly ms: number;
  readonly mostMs: number;
};

type DeadlinePorts = {
  readonly time: TimePort;
  readonly limits: DeadlineLimits;
  readonly onPause: (code: 'timeout' | 'loading', text: string) => void;
  readonly onLoading: (loading: LoadingModel) => void;
};

/** The questions to one endpoint in one tick, ghost turn or round, while any is open. */
type EndpointMoment = {
  readonly key: string;
  readonly baseUrl: string;
  readonly mostMs: number;
  readonly open: Set<SeatDeadline>;
  /** Seats whose first request was sent, and those among them that are over. */
  sent: number;
  over: number;
  wasAnswered: boolean;
  /** Failures of models that are down. Questions that were waiting need not find out again. */
  readonly down: Map<string, FailedReply>;
};

export class GameDeadlines {
  readonly ports: DeadlinePorts;
  readonly growth = new Map<string, number>();
  readonly moments = new Map<string, EndpointMoment>();

  constructor(ports: DeadlinePorts) {
    this.ports = ports;
  }

  open(model: AskedModel, { kind, index }: Pick<MindRequest, 'kind' | 'index'>, ms: number) {
    const { baseUrl } = model;
    const key = `${baseUrl} ${kind} ${index}`;
    const { tickMs } = this.ports.limits;
    const mostMs = tickMs < DEADLINE_LIMITS.tickMs ? tickMs : Math.max(ms, tickMs);
    const moment = remember(this.moments, key, () => {
      const counts = { sent: 0, over: 0, wasAnswered: false };
      return { key, baseUrl, mostMs, open: new Set<SeatDeadline>(), down: new Map(), ...counts };
    });
    const seat = new SeatDeadline(this, moment, model, ms);
    moment.open.add(seat);
    return seat;
  }

  /** Decides whether overdue seats are late, or all seats get more time. */
  judge({ baseUrl, mostMs, open, sent, over, wasAnswered }: EndpointMoment): void {
    for (const seat of open) seat.refresh();
    const overdue = [...open].filter(({ isOverdue }) => isOverdue);
    const [first] = overdue;
    if (first === undefined) return;
    const isSlow = overdue.length * 2 >= sent;
    if (!isSlow && over * 2 <= sent) return;
    if (!isSlow && wasAnswered) {
      for (const seat of overdue) seat.missed.abort();
      return;
    }
    if (first.deadlineMs >= mostMs) {
      const seats = sent === 1 ? 'the player' : `${sent - over} of ${sent} players`;
      const text = `${seats} asked at ${baseUrl} got no answer within ${mostMs / MS} s; --max-tick allows more`;
      this.ports.onPause('timeout', text);
      return;
    }
    this.growth.set(baseUrl, (this.growth.get(baseUrl) ?? 1) * 2);
    for (const seat of overdue) seat.resume();
  }
}

/** Milliseconds between reports about a model that is waited for. */
const REPORT_MS = 5000;
/** A request that was sent at the end of the wait still has this long for its answer. */
const JUST_SENT_MS = 1000;
/** The process was stopped, or its machine slept, if a timer fires this much later than due. */
const STOPPED_MS = 1000;
const GRACE_MS = 100;

export class SeatDeadline {
  isOverdue = false;
  readonly missed = new AbortController();
  readonly #game: GameDeadlines;
  readonly #moment: EndpointMoment;
  readonly #model: AskedModel;
  readonly #ms: number;
  #request: RequestUnderWay | null = null;
  #lose: () => void = () => {};
  #timer: unknown = null;
  /** Milliseconds of silence in finished requests. */
  #spent = 0;
  #lost = 0;
  #wasSent = false;

  constructor(game: GameDeadlines, moment: EndpointMoment, model: AskedModel, ms: number) {
    this.#game = game;
    this.#moment = moment;
    this.#model = model;
    this.#ms = ms;
  }

  get deadlineMs(): number {
    const { baseUrl, mostMs } = this.#moment;
    return Math.min(mostMs, this.#ms * (this.#game.growth.get(baseUrl) ?? 1));
  }

  get knownFailure(): FailedReply | null {
    return this.#moment.down.get(this.#model.model) ?? null;
  }

  noteDown(reply: FailedReply): void {
    this.#moment.down.set(this.#model.model, reply);
  }

  get text(): string {
    return `no answer within ${this.deadlineMs / MS} s of asking`;
  }

  /** A request is sent. `lose` gives it up so that it is made again. Call the returned function when it has ended. */
  send(lose: () => void): (isAnswered: boolean) => void {
    const { pace, start } = this.#model;
    if (!this.#wasSent) this.#moment.sent += 1;
    this.#wasSent = true;
    const request = pace.noteSent(this.#now());
    this.#request = request;
    this.#lose = lose;
    this.#look();
    return (isAnswered) => {
      this.#stopTimer();
      const now = this.#now();
      this.#spent = this.#silence(request, now);
      this.#request = null;
      pace.noteEnded(request, now, isAnswered);
      if (isAnswered) start.noteAnswer();
    };
  }

  noteBytes(): void {
    if (this.#request !== null) this.#request.heardAt = this.#now();
  }

  /** Words show that a model that was waited for is ready: the player's time starts. */
  noteWords(): void {
    const request = this.#request;
    if (request === null || !this.#model.start.isCold) return;
    this.#model.start.noteAnswer();
    request.silentSince = this.#now();
    this.#look();
  }

  /** The model reports that it is loading. Returns the milliseconds that are left to wait. */
  mayLoad(says: string): number {
    this.#model.start.noteLoading();
    return this.#awaitStart(this.#now(), says);
  }

  /** The model asks for a rest. Returns its milliseconds; null if it is too long. */
  noteRest(rest: ModelRest, wantedMs: number | null, says: string): number | null {
    const { baseUrl, model } = this.#model;
    const { limits, onLoading } = this.#game.ports;
    const found = rest.note(wantedMs, limits.waitMs);
    if (found === null) return null;
    const { ms: mostMs, isNew } = found;
    if (isNew && mostMs >= REPORT_MS) onLoading({ baseUrl, model, says, ms: 0, mostMs });
    return mostMs;
  }

  close(isAnswered: boolean, isEndpointAtFault = false): void {
    const moment = this.#moment;
    moment.open.delete(this);
    // Later questions of the same tick, in another meeting, are of another moment.
    if (moment.open.size === 0) this.#game.moments.delete(moment.key);
    if (this.#wasSent) moment.over += 1;
    moment.wasAnswered ||= isAnswered;
    this.#game.judge(moment);
    if (!isEndpointAtFault) moment.down.delete(this.#model.model);
  }

  /** Another player's request has ended. If the queue moved meanwhile, this seat is no longer overdue. */
  refresh(): void {
    const request = this.#request;
    if (!this.isOverdue) this.#look();
    else if (request !== null && this.#silence(request, this.#now()) < this.deadlineMs)
      this.resume();
  }

  resume(): void {
    this.isOverdue = false;
    this.#look();
  }

  #look(): void {
    this.#stopTimer();
    const request = this.#request;
    if (request === null) return;
    const now = this.#now();
    if (this.#model.start.isCold) {
      const left = this.#awaitStart(now, null, request.sentAt + JUST_SENT_MS - now);
      // Halfway through the wait, a first request that may have been lost is made again.
      const lostMs = Math.max(this.#game.ports.limits.waitMs / 2, this.deadlineMs);
      if (left > 0 && now - request.heardAt >= lostMs && this.#lost++ === 0) this.#lose();
      else if (left > 0) this.#lookIn(Math.min(left, REPORT_MS));
      return;
    }
    const deadline = this.deadlineMs - this.#silence(request, now);
    if (deadline <= 0 && !this.isOverdue) {
      this.isOverdue = true;
      this.#game.judge(this.#moment);
      // All seats are judged together. If they get more time, this method has run again.
      return;
    }
    const { pace } = this.#model;
    const quietMs = now - Math.max(request.silentSince, request.heardAt);
    const lost = pace.lostAfterMs(request, this.#lost, this.deadlineMs) - quietMs;
    if (lost <= 0) {
      this.#lost += 1;
      this.#lose();
      return;
    }
    this.#lookIn(this.isOverdue ? lost : Math.min(deadline, lost));
  }

  /** Milliseconds left to wait for a model's first answer; 0 when the limit is reached. */
  #awaitStart(now: number, says: string | null, leastMs = 0): number {
    const { start, baseUrl, model } = this.#model;
    const { limits, onPause, onLoading } = this.#game.ports;
    const ms = start.wait(now);
    const mostMs = limits.waitMs;
    const left = Math.max(leastMs, mostMs - ms);
    if (left > 0) {
      if (says !== null || ms >= REPORT_MS) onLoading({ baseUrl, model, says, ms, mostMs });
      return left;
    }
    start.giveUp();
    onPause(
      'loading',
      `${model} at ${baseUrl} was not ready after ${mostMs / MS} s; --max-wait allows more`,
    );
    return 0;
  }

  #silence({ sentAt, silentSince }: RequestUnderWay, now: number): number {
    // A server that works through its queue gives the players in it their time anew.
    return silentSince > sentAt ? now - silentSince : this.#spent + now - sentAt;
  }

  #now(): number {
    return this.#game.ports.time.now();
  }

  #lookIn(ms: number): void {
    const due = this.#now() + ms;
    // A process that was stopped first reads the answers that came meanwhile.
    const look = () => (this.#now() > due + STOPPED_MS ? this.#lookIn(GRACE_MS) : this.#look());
    this.#timer = this.#game.ports.time.setTimeout(look, Math.ceil(ms));
  }

  #stopTimer(): void {
    this.#game.ports.time.clearTimeout(this.#timer);
  }
}
