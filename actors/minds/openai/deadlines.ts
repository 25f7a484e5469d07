/**
 * The deadlines of the seats that models play, in one game.
 *
 * The clock belongs to the request: it runs from when a request is at the endpoint, and stands still while one waits for
 * its turn, for a minute with room, or for as long as the endpoint has asked. A player is late on an endpoint that
 * answers the others. Where half of them wait as long the endpoint is slow: they get more time, and in the end the game
 * pauses.
 */
import type { TimePort } from '../../ports/ports.ts';
import type { MindRequest } from '../port.ts';
import type { EndpointPace, RequestUnderWay } from './pace.ts';

export type DeadlineLimits = {
  /** Milliseconds that the deadline of a seat may grow to. */
  readonly tickMs: number;
  /** Milliseconds in which a model must have answered for the first time, and in which one that loads must be ready. */
  readonly loadMs: number;
};

export const DEADLINE_LIMITS: DeadlineLimits = { tickMs: 300_000, loadMs: 300_000 };

const MS = 1000;

/** Whether a model has answered, and since when it is waited for if not. Shared by all games of the process. */
export class ModelStart {
  #isUp = false;
  #since: number | null = null;

  /** It has not answered since the process began, or since it said that it loads. */
  get isCold(): boolean {
    return !this.#isUp;
  }

  /** Milliseconds for which it has been waited for. */
  wait(now: number): number {
    this.#since ??= now;
    return now - this.#since;
  }

  noteAnswer(): void {
    this.#isUp = true;
    this.#since = null;
  }

  noteLoading(): void {
    this.#isUp = false;
  }

  /** Nobody waits any more; who asks again waits anew. */
  giveUp(): void {
    this.#since = null;
  }
}

/** The model that a request is made to. */
export type AskedModel = {
  readonly baseUrl: string;
  readonly model: string;
  readonly pace: EndpointPace;
  readonly start: ModelStart;
};

/** A model that is waited for, for those who watch. */
export type LoadingModel = {
  readonly baseUrl: string;
  readonly model: string;
  /** What it says of itself; null where it says nothing. */
  readonly says: string | null;
  /** Milliseconds so far, and at most. */
  readonly ms: number;
  readonly mostMs: number;
};

type DeadlinePorts = {
  readonly time: TimePort;
  readonly limits: DeadlineLimits;
  /** The endpoint is too slow for the game, or the model does not load: no further wait helps. */
  readonly onPause: (code: 'timeout' | 'loading', text: string) => void;
  readonly onLoading: (loading: LoadingModel) => void;
};

/** What the seats of one endpoint have come to in one tick. */
type EndpointTick = {
  readonly open: Set<SeatDeadline>;
  /** Seats of which a request has been sent. */
  sent: number;
  /** Of these, those that are over. */
  over: number;
  /** The endpoint has answered one of them. */
  wasAnswered: boolean;
};

export class GameDeadlines {
  readonly ports: DeadlinePorts;
  /** By how much the deadlines at an endpoint have grown. */
  readonly #growth = new Map<string, number>();
  readonly #ticks = new Map<string, EndpointTick>();

  constructor(ports: DeadlinePorts) {
    this.ports = ports;
  }

  /** A player is asked. `ms` is what the match gives for an answer. */
  open(
    model: AskedModel,
    { kind, index }: Pick<MindRequest, 'kind' | 'index'>,
    ms: number,
  ): SeatDeadline {
    const { baseUrl } = model;
    const key = `${baseUrl} ${kind} ${index}`;
    const tick = this.#ticks.get(key) ?? { open: new Set(), sent: 0, over: 0, wasAnswered: false };
    this.#ticks.set(key, tick);
    const most = Math.max(ms, this.ports.limits.tickMs);
    const seat: SeatDeadline = new SeatDeadline(model, {
      ...this.ports,
      deadlineMs: () => Math.min(most, ms * (this.#growth.get(baseUrl) ?? 1)),
      onSent: () => {
        tick.sent += 1;
      },
      onOverdue: () => this.#judge(tick, baseUrl, most),
      onClosed: (wasSent, isAnswered) => {
        tick.open.delete(seat);
        if (tick.open.size === 0) this.#ticks.delete(key);
        if (wasSent) tick.over += 1;
        tick.wasAnswered ||= isAnswered;
        this.#judge(tick, baseUrl, most);
      },
    });
    tick.open.add(seat);
    return seat;
  }

  /** Whether those who have waited too long are late, or all of them get more time. */
  #judge({ open, sent, over, wasAnswered }: EndpointTick, baseUrl: string, most: number): void {
    for (const seat of open) seat.refresh();
    const overdue = [...open].filter(({ isOverdue }) => isOverdue);
    const [first] = overdue;
    if (first === undefined) return;
    const isSlow = overdue.length * 2 >= sent;
    if (!isSlow && over * 2 <= sent) return;
    if (!isSlow && wasAnswered) {
      for (const seat of overdue) seat.miss();
      return;
    }
    if (first.deadlineMs >= most) {
      const seats = sent === 1 ? 'the player' : `${sent - over} of ${sent} players`;
      const text = `${seats} asked at ${baseUrl} got no answer within ${most / MS} s; --max-tick allows more`;
      this.ports.onPause('timeout', text);
      return;
    }
    this.#growth.set(baseUrl, (this.#growth.get(baseUrl) ?? 1) * 2);
    for (const seat of overdue) seat.resume();
  }
}

type SeatPorts = DeadlinePorts & {
  readonly deadlineMs: () => number;
  readonly onSent: () => void;
  readonly onOverdue: () => void;
  readonly onClosed: (wasSent: boolean, isAnswered: boolean) => void;
};

/** Milliseconds between two reports of a model that is waited for. */
const REPORT_MS = 5000;

/** The time of one player in one tick. */
export class SeatDeadline {
  readonly #model: AskedModel;
  readonly #ports: SeatPorts;
  readonly #missed = new AbortController();
  #request: RequestUnderWay | null = null;
  #lose: () => void = () => {};
  #timer: unknown = null;
  /** Milliseconds of silence in requests that have ended. */
  #spent = 0;
  /** Requests that were given up as lost. */
  #lost = 0;
  #wasSent = false;
  #isOverdue = false;

  constructor(model: AskedModel, ports: SeatPorts) {
    this.#model = model;
    this.#ports = ports;
  }

  get deadlineMs(): number {
    return this.#ports.deadlineMs();
  }

  /** It has waited for longer than its deadline; whether it is late is judged with the others. */
  get isOverdue(): boolean {
    return this.#isOverdue;
  }

  /** Aborted when the player is late. */
  get signal(): AbortSignal {
    return this.#missed.signal;
  }

  /** What is said of a player who is late. */
  get text(): string {
    return `no answer within ${this.deadlineMs / MS} s of asking`;
  }

  /** A request is sent; `lose` gives it up, to be made again. Returns what must be called when it has ended. */
  send(lose: () => void): (isAnswered: boolean) => void {
    const { pace, start } = this.#model;
    if (!this.#wasSent) this.#ports.onSent();
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

  /** Bytes of a streamed answer have come: the request is not lost. The deadline goes on. */
  noteBytes(): void {
    if (this.#request !== null) this.#request.heardAt = this.#now();
  }

  /** Words of an answer have come: a model that was waited for is there, and its player's time begins. */
  noteWords(): void {
    const request = this.#request;
    if (request === null || !this.#model.start.isCold) return;
    this.#model.start.noteAnswer();
    request.silentSince = this.#now();
    this.#look();
  }

  /** The model says that it loads. False when it has been waited for long enough. */
  mayLoad(says: string): boolean {
    this.#model.start.noteLoading();
    return this.#awaitStart(this.#now(), says) > 0;
  }

  /** There is an answer, or there will be none. Called when the last request has ended. */
  close(isAnswered: boolean): void {
    this.#ports.onClosed(this.#wasSent, isAnswered);
  }

  /** The player is late. */
  miss(): void {
    this.#missed.abort();
  }

  /**
   * Another player's request has ended: what is overdue is no longer, when the endpoint has worked through its queue
   * meanwhile, and what was overtaken is lost sooner.
   */
  refresh(): void {
    const request = this.#request;
    if (!this.#isOverdue) this.#look();
    else if (request !== null && this.#silence(request, this.#now()) < this.deadlineMs)
      this.resume();
  }

  /** The deadline has grown. */
  resume(): void {
    this.#isOverdue = false;
    this.#look();
  }

  /** Looks at the time, and again when something is due. */
  #look(): void {
    this.#stopTimer();
    const request = this.#request;
    if (request === null) return;
    const now = this.#now();
    if (this.#model.start.isCold) {
      const left = this.#awaitStart(now, null);
      if (left > 0) this.#lookIn(Math.min(left, REPORT_MS));
      return;
    }
    const deadline = this.deadlineMs - this.#silence(request, now);
    if (deadline <= 0 && !this.#isOverdue) {
      this.#isOverdue = true;
      this.#ports.onOverdue();
      // Judged with the others; where they all get more time this has looked again.
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
    this.#lookIn(this.#isOverdue ? lost : Math.min(deadline, lost));
  }

  /** Milliseconds for which a model that has not answered yet is still waited for; 0 when that has been long enough. */
  #awaitStart(now: number, says: string | null): number {
    const { start, baseUrl, model } = this.#model;
    const { limits, onPause, onLoading } = this.#ports;
    const ms = start.wait(now);
    const mostMs = limits.loadMs;
    if (ms < mostMs) {
      if (says !== null || ms >= REPORT_MS) onLoading({ baseUrl, model, says, ms, mostMs });
      return mostMs - ms;
    }
    start.giveUp();
    const text = `${model} at ${baseUrl} was not ready after ${mostMs / MS} s; --wait-for-model allows more`;
    onPause('loading', text);
    return 0;
  }

  /** Milliseconds for which the endpoint has left the player without an answer, by now. */
  #silence({ sentAt, silentSince }: RequestUnderWay, now: number): number {
    // A server that works through its queue gives those who stand in it their time anew.
    return silentSince > sentAt ? now - silentSince : this.#spent + now - sentAt;
  }

  #now(): number {
    return this.#ports.time.now();
  }

  #lookIn(ms: number): void {
    this.#timer = this.#ports.time.setTimeout(() => this.#look(), Math.ceil(ms));
  }

  #stopTimer(): void {
    this.#ports.time.clearTimeout(this.#timer);
  }
}
