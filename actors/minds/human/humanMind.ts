/**
 * The mind of a person: a request waits here until the person answers or the engine's deadline passes. A player who
 * stays away longer than the grace period has left, and every later request is answered so. A program that has lost its
 * connection is silent for the grace period and has faults from then on, until it is back (ruling 63).
 */
import { LEFT } from '../../../machines/rules/tick.ts';
import type { SeatAttendance, SeatStatus } from '../../../machines/turnPrompt.ts';
import type { Colour } from '../../../machines/types.ts';
import { readOrder } from '../../../prompts/order.ts';
import { readReply } from '../../../prompts/reply.ts';
import type { Clock } from '../../ports/ports.ts';
import { type Answer, type MindRequest, type SlowMind, TOO_LATE } from '../port.ts';
import { buildTurnPrompt } from './turnPrompt.ts';

export type HumanMindOptions = {
  readonly seat: Colour;
  /** Milliseconds that the engine waits for an answer, at the table and on the ship. */
  readonly waits: { readonly table: number; readonly ship: number };
  /** Milliseconds that an absent player keeps the seat. */
  readonly graceMs: number;
  /** A program, which may lose its connection. */
  readonly isOutside?: boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly clock: Clock;
};

const FIELDS = [
  'internal_thought',
  'desire_to_speak',
  'message',
  'target',
  'vote_action',
  'action',
  'scratchpad_updates',
] as const;

const GONE: Answer = { ok: false, code: LEFT, text: 'got up and left' };
const LOST: Answer = { ok: false, code: 'mind/lost', text: 'the connection is lost' };
/** Milliseconds that the others wait for a dead or disconnected player, who then passes. It is no fault. */
const PASS_MS = 5000;
const PASS: Answer = { ok: true, received: { action: null } };

export class HumanMind {
  readonly seat: Colour;
  readonly #options: HumanMindOptions;
  readonly #watchers = new Set<() => void>();
  #open: {
    readonly id: number;
    readonly request: MindRequest;
    readonly until: number;
    readonly settle: (answer: Answer) => void;
  } | null = null;
  #count = 0;
  #missed = 0;
  #attendance: SeatAttendance = 'awaited';
  #holders = 0;
  #grace: unknown = null;
  #isOver = false;
  #isLost = false;

  constructor(options: HumanMindOptions) {
    this.seat = options.seat;
    this.#options = options;
  }

  get mind(): SlowMind {
    return { pace: 'in-time', answer: (request, signal) => this.#ask(request, signal) };
  }

  get seating(): SeatStatus {
    const { seat } = this;
    const open = this.#open;
    return {
      seat,
      attendance: this.#attendance,
      asked: open && {
        id: open.id,
        ms: Math.max(0, open.until - this.#options.now()),
        offer: buildTurnPrompt(open.request),
      },
      missed: this.#missed,
      isOver: this.#isOver,
    };
  }

  get asked(): { readonly id: number; readonly request: MindRequest } | null {
    return this.#open;
  }

  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => this.#watchers.delete(look);
  }

  /** A browser has opened the seat. Call the returned function when it closes. */
  come(): () => void {
    this.#holders += 1;
    this.#isLost = false;
    this.#options.clock.clearTimeout(this.#grace);
    if (this.#attendance !== 'left') this.#changed('here');
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      this.#go();
    };
  }

  /** Answers the request with this number, or returns why it can't. The player may try again. */
  answer(id: number, received: unknown): string | null {
    const open = this.#open;
    if (open === null || open.id !== id) return 'That came too late: the turn is over.';
    const reply = keepFields(received, FIELDS);
    const reading =
      open.request.kind === 'action' ? readOrder(reply, open.request.view) : readReply(reply);
    if (!reading.ok) return reading.text;
    this.#missed = 0;
    open.settle({ ok: true, received: reply });
    return null;
  }

  leave(): void {
    if (this.#attendance === 'left' || this.#isOver) return;
    this.#changed('left');
    this.#open?.settle(GONE);
  }

  close(): void {
    this.#isOver = true;
    this.#options.clock.clearTimeout(this.#grace);
    this.#changed(this.#attendance);
  }

  #go(): void {
    this.#holders -= 1;
    if (this.#holders > 0 || this.#attendance === 'left') return;
    const { clock, graceMs, isOutside = false } = this.#options;
    const lose = () => {
      this.#isLost = true;
    };
    if (!this.#isOver)
      this.#grace = clock.setTimeout(isOutside ? lose : () => this.leave(), graceMs);
    if (isOutside) this.#open?.settle(PASS);
    this.#changed('away');
  }

  #ask(request: MindRequest, signal: AbortSignal): Promise<Answer> {
    if (this.#attendance === 'left') return Promise.resolve(GONE);
    if (signal.aborted) return Promise.resolve(TOO_LATE);
    const isAway = this.#options.isOutside === true && this.#attendance === 'away';
    if (isAway && this.#isLost) return Promise.resolve(LOST);
    const { waits, now, clock } = this.#options;
    const isDead =
      request.kind === 'ghost' || (request.kind === 'action' && request.view.you.isGhost);
    const wait = request.kind === 'action' ? waits.ship : waits.table;
    const passes = isDead || isAway;
    const ms = passes ? Math.min(PASS_MS, wait) : wait;
    const id = ++this.#count;
    return new Promise((resolve) => {
      const late = () => {
        this.#missed += 1;
        settle(TOO_LATE);
      };
      const settle = (answer: Answer) => {
        signal.removeEventListener('abort', late);
        clock.clearTimeout(timer);
        if (this.#open?.id === id) {
          this.#open = null;
          this.#changed(this.#attendance);
        }
        resolve(answer);
      };
      signal.addEventListener('abort', late, { once: true });
      const timer = passes ? clock.setTimeout(() => settle(PASS), ms) : null;
      this.#open = { id, request, until: now() + ms, settle };
      this.#changed(this.#attendance);
    });
  }

  #changed(attendance: SeatAttendance): void {
    this.#attendance = attendance;
    for (const look of [...this.#watchers]) look();
  }
}

function keepFields(received: unknown, names: readonly string[]): unknown {
  if (typeof received !== 'object' || received === null) return received;
  return Object.fromEntries(Object.entries(received).filter(([name]) => names.includes(name)));
}
