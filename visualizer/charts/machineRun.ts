/**
 * The production statecharts, stepped along a journal, so that every state shown is one that XState itself has reached.
 *
 * A journal has every input of the machines: replies, departures, stops and the seed. Answers are handed in when their
 * line arrives, and timers fire when the next line needs them. The facts that the machines announce must be the lines of
 * the journal. Where they are not, the run stops, says why, and keeps the last state that the journal proves.
 */
import {
  type Actor,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  fromCallback,
  type NonReducibleUnknown,
} from 'xstate';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import { NO_ANSWER } from '../../machines/charts/gallery.ts';
import type { OrdersInput } from '../../machines/charts/game.ts';
import { type ChartHost, wireCharts } from '../../machines/charts/wiring.ts';
import { readArrivals } from '../../machines/journal/calls.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import {
  decode,
  encode,
  type LineBody,
  lineOf,
  PLAIN_READERS,
} from '../../machines/journal/codec.ts';
import type { Lens } from '../../machines/journal/lens.ts';
import type { GhostLine, Line, LineOf, LivingLine } from '../../machines/journal/lines.ts';
import {
  ARBITER,
  BIDS,
  GALLERY,
  MEETING,
  MEETING_SESSION,
  ORDERS,
  playerId,
  type ToBids,
  type ToOrders,
} from '../../machines/messages.ts';
import { Announcer, type OutgoingMessage, submitAnswer } from '../../machines/outgoing.ts';
import { drawForRound, rollDice } from '../../machines/rules/dice.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import { type MeetingChance, seatsWithBallot, type Table } from '../../machines/rules/meeting.ts';
import { isAtOnce } from '../../machines/rules/mindKinds.ts';
import { listPromises, type MeetingPromise } from '../../machines/rules/promises.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import { LATE } from '../../machines/rules/tick.ts';
import { atPace } from '../../machines/setup/match.ts';
import { prepare } from '../../machines/setup/prepare.ts';
import { readField } from '../../machines/text.ts';
import { AT_TABLE, type Thinker } from '../../machines/turnPrompt.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import { listAccused } from '../accused.ts';
import { judgeClaims } from '../claims.ts';
import { ActorTrace, listLeaves } from './actorTrace.ts';
import { MIND, OUTSIDE } from './messages.ts';
import { lensOverSteps, type MachineMove, type Stepped, type SteppedLine } from './moves.ts';

const GAME = 'game';

/** The states of a player who thinks, and where the answer goes. */
const THINKING: Readonly<Partial<Record<string, Asked['to']>>> = {
  'player.living.floor.bidding': 'table',
  'player.living.floor.deciding': 'ship',
  'player.ghost.chatting': 'gallery',
  'player.ghost.working': 'ship',
};

type Asked = { readonly to: 'table' | 'gallery' | 'ship'; readonly index: number };

const MOST_QUOTED = 60;

/** No machine has written a journal that needs more timers before a line. */
const MOST_TIMERS = 100;

/** Timers that fire in the order in which they are due, each when it is asked for. */
class HeldClock {
  readonly #timers = new Map<number, { readonly due: number; readonly fire: () => void }>();
  #now = 0;
  #ids = 0;

  setTimeout(fire: () => void, ms: number): number {
    this.#ids += 1;
    this.#timers.set(this.#ids, { due: this.#now + ms, fire });
    return this.#ids;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  fireNext(): boolean {
    const [first] = [...this.#timers].toSorted(([, one], [, other]) => one.due - other.due);
    if (first === undefined) return false;
    const [id, { due, fire }] = first;
    this.#timers.delete(id);
    this.#now = due;
    fire();
    return true;
  }
}

/** A lens whose lines bring what the machines did, as far as it may show that. Give it every line in order. */
export function lensWithMoves(lens: Lens) {
  const { cut, follow } = lensOverSteps(lens);
  const run = new MachineRun();
  return Object.assign((line: Line) => cut(line, run.stepTo(line)), {
    follow: (thinkers: readonly Thinker[]) => follow(run.follow(thinkers)),
  });
}

export function seeWithMoves(lines: readonly Line[], lens: Lens): readonly SteppedLine[] {
  const see = lensWithMoves(lens);
  return lines.flatMap((line) => see(line) ?? []);
}

export class MachineRun {
  readonly #clock = new HeldClock();
  readonly #trace = new ActorTrace();
  readonly #judge = judgeClaims();
  readonly #announcer = new Announcer(() => {
    const { ghostBudget = null, round = null } = this.#root?.getSnapshot().context ?? {};
    return { ghostsWatch: ghostBudget !== null, round };
  });
  /** Announced facts that no line has confirmed yet. */
  readonly #ahead: Record<'living' | 'ghosts', LineBody[]> = { living: [], ghosts: [] };
  /** Closes the tick or round whose answers are handed in. */
  #atClosing: (() => void) | null = null;
  #thinkers: readonly Thinker[] = [];
  #opening: LineOf<'match.opened'> | null = null;
  #root: Actor<AnyStateMachine> | null = null;
  #heldEnd: LineOf<'end.requested'> | null = null;
  #refusal: string | null = null;
  #fault: string | null = null;
  #promises: readonly MeetingPromise[] = [];
  #promisedFor: readonly unknown[] = [];

  /** Why the machines refuse a line. Nothing is stepped from there on. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Steps the machines up to this line and on to where they wait for the next one, and says what a page shows of it. */
  stepTo(line: Line) {
    const moves = line.channel === 'beliefs' ? [] : this.#collect(() => this.#step(line));
    const messages = this.#trace.takeMessages();
    const [promises, refusal] = [this.#promises, this.#refusal ?? undefined];
    const heard = { ...listAccused(line), ...this.#judge(line) };
    return { moves, messages, promises, refusal, ...heard } satisfies Stepped;
  }

  /** Steps on between two lines of a running match: a pause ends with a request, and an answer is in. */
  follow(thinkers: readonly Thinker[]): readonly MachineMove[] {
    const before = this.#thinkers;
    this.#thinkers = thinkers;
    return this.#collect(() => {
      const asked = thinkers.filter((each) => !before.includes(each));
      const isAsked = asked.some(({ requestKind }) => AT_TABLE.includes(requestKind));
      if (isAsked && this.#leavesOf(MEETING).some((leaf) => leaf.endsWith('.pausing')))
        this.#openTick();
      const seats = this.#opening?.match.seats.map(({ colour }) => colour) ?? [];
      for (const seat of asked.length === 0 ? [] : seats)
        if (!this.#hasSlow([seat])) this.#answerUnread(seat);
      for (const { seat } of before)
        if (!thinkers.some((each) => each.seat === seat)) this.#answerUnread(seat);
      return null;
    });
  }

  /** The moves of this work. It returns why the machines refuse it, or null. */
  #collect(work: () => string | null): readonly MachineMove[] {
    if (this.#refusal !== null) return [];
    try {
      this.#refusal = work();
    } catch (error) {
      // A forged line can make a rule fail in any way.
      this.#refusal = explainError(error);
    }
    const moves = this.#trace.takeMoves();
    if (this.#refusal === null) return moves;
    this.#trace.takeMessages();
    this.#promises = [];
    // The guards that refused it are shown, as long as nothing else has moved.
    return moves.every(({ refusedBy }) => refusedBy !== undefined) ? moves : [];
  }

  #step(line: LivingLine | GhostLine): string | null {
    if (line.type === 'match.opened' && this.#opening === null) {
      this.#opening = line;
      return null;
    }
    const isGalleryHeader = line.type === 'gallery.opened' && this.#root === null;
    if (this.#root === null) this.#start(isGalleryHeader && line.present ? line.budget : null);
    if (isGalleryHeader) return null;
    const end = this.#heldEnd;
    this.#heldEnd = null;
    if (end !== null && line.type === 'stop.requested' && line.during === 'tick') this.#openTick();
    let reason = end === null ? null : this.#confirm(end);
    // Only the line after it says whether a tick of the meeting was open.
    if (line.type === 'end.requested' && this.#root?.getSnapshot().value === 'meeting')
      this.#heldEnd = line;
    else reason ??= this.#confirm(line);
    if (reason === null) this.#promise();
    return reason;
  }

  /** Steps the machines until they announce a line, and compares it. */
  #confirm(line: LivingLine | GhostLine): string | null {
    const ahead = this.#ahead[line.channel];
    if (ahead.length === 0) this.#putIn(line);
    this.#fireUntil(() => ahead.length > 0);
    const body = ahead.shift();
    if (this.#fault !== null) return `a rule failed: ${this.#fault}`;
    if (body === undefined) return `the machines do not announce ${line.type} here`;
    if (body.type !== line.type) return `expected ${body.type}, found ${line.type}`;
    const [told, read] = [body, line].map((each): LineBody => ({ ...lineOf({ ...each }, line) }));
    for (const field of Object.keys(body)) {
      const [expected, found] = [told?.[field], read?.[field]];
      if (canonical(expected) !== canonical(found))
        return explainDifference(field, expected, found);
    }
    return null;
  }

  #start(ghostBudget: number | null): void {
    if (this.#opening === null) throw new Error('the first line does not open a match');
    const { match, seed, rulesVersion } = this.#opening;
    const preparation = prepare(atPace(match, this.#beatMs), seed, rulesVersion);
    if (!preparation.ok) throw new Error(preparation.refusals.map(({ text }) => text).join('; '));
    const { prepared } = preparation;
    const means = { clock: this.#clock, inspect: this.#trace.inspect };
    const charts = wireCharts(this.#host());
    if (prepared.type === 'game') {
      const input = { ...prepared, ghostBudget };
      this.#root = createActor(charts.game, { ...means, id: GAME, systemId: GAME, input });
    } else {
      const input = { ...prepared, ghostBudget };
      this.#root = createActor(charts.meetingSession, { ...means, id: MEETING_SESSION, input });
    }
    // Without an observer XState would throw the error of a forged line out of the whole process.
    this.#root.subscribe({
      error: (error) => {
        this.#fault = explainError(error);
      },
    });
    this.#root.start();
  }

  /** Older journals in real time do not say how long their beat was. */
  get #beatMs(): number {
    const { beat, ms } = this.#opening?.clock ?? {};
    return typeof beat === 'number' ? beat : Number(ms !== undefined);
  }

  #hasSlow(seats: readonly Colour[]): boolean {
    const asked = this.#opening?.match.seats.filter(({ colour }) => seats.includes(colour)) ?? [];
    // Where people are given time to read, everybody waits for them.
    return asked.length > 0 && (this.#beatMs > 0 || asked.some(({ mind }) => !isAtOnce(mind)));
  }

  /** The effects of a match, of which minds are never asked: lines bring their answers. */
  #host(): ChartHost {
    const nothing = () => {};
    const announce = (
      channel: 'living' | 'ghosts',
      facts: readonly (Fact | GhostFact | GameFact)[],
      batches: Iterable<readonly OutgoingMessage[]>,
      from: AnyActorRef,
    ) => {
      this.#ahead[channel].push(...facts.map(encode));
      for (const messages of batches) this.#send(messages, from);
    };
    return {
      bids: this.#collection<ToBids, { chance: MeetingChance }>('bids.outstanding'),
      orders: this.#collection<ToOrders, OrdersInput>('orders.outstanding'),
      consult: nothing,
      cancelRequest: nothing,
      submit: ({ event, self }) => {
        // The gallery would close a turn without the words of the last answer.
        const isGhosts = event.type === 'mind.answered' && event.to === 'gallery';
        const isHeld = isGhosts && event.bid.type === 'fault' && event.bid.code === UNREAD.code;
        this.#send(submitAnswer(event), self, isHeld);
      },
      send: ({ self }, messages) => this.#send(messages, self),
      callTime: nothing,
      noteLate: nothing,
      announceMeeting: ({ self }, facts, table) =>
        announce('living', facts, this.#announcer.ofMeeting(facts, table), self),
      announceGhosts: ({ self }, facts) =>
        announce('ghosts', facts, this.#announcer.ofGhosts(facts), self),
      announceGame: ({ self }, facts, course) =>
        announce('living', facts, this.#announcer.ofGame(facts, course), self),
    };
  }

  /** Stands for the collection of bids or orders. A line has them all, so it only knows whose are missing. */
  #collection<M extends ToBids | ToOrders, I extends NonReducibleUnknown>(outstanding: string) {
    return fromCallback<M, I>(({ receive, sendBack }) => {
      let missing: readonly Colour[] = [];
      receive((message: ToBids | ToOrders) => {
        if ('seats' in message) missing = message.seats;
        else if (message.type === 'bid.placed' || message.type === 'order.placed') {
          const { seat } = 'bid' in message ? message.bid : message.order;
          missing = missing.filter((each) => each !== seat);
          if (missing.length === 0) this.#close();
        } else if (message.type.endsWith('.requested') && this.#hasSlow(missing))
          sendBack({ type: outstanding });
      });
    });
  }

  /** Hands in what a line says that the machines could not know. */
  #putIn(line: LivingLine | GhostLine): void {
    if (line.type === 'tick.closed' || ('during' in line && line.during === 'tick'))
      this.#openTick();
    const fact = decode(line, PLAIN_READERS);
    switch (fact?.type) {
      case 'tick.closed': {
        const { tick, bids } = fact;
        const chance = this.snapshotOf(ARBITER)?.context.chance;
        const seats = bids.map(({ seat }) => seat);
        const dice = rollDice({ ...chance, stream: 'table', tick }, seats);
        this.#answer({ to: 'table', index: tick }, bids, line, () =>
          this.#tell(ARBITER, { type: 'bids.gathered', tick, bids, dice }, BIDS),
        );
        break;
      }
      case 'turn.closed': {
        const { turn, bids } = fact;
        for (const bid of bids)
          if (!isLate(bid, { to: 'gallery' }) && this.#askedOf(bid.seat)?.to !== 'gallery')
            // It was handed in unread.
            this.#actor(GALLERY)?.send({ type: 'ghost.answered', turn, bid });
        this.#answer({ to: 'gallery', index: turn }, bids, line);
        // A turn that nobody missed is closed by now.
        if (this.#ahead.ghosts.length === 0)
          this.#tell(GALLERY, { type: 'time.called', turn }, GALLERY);
        break;
      }
      case 'round.closed': {
        const { round, orders } = fact;
        const seats = this.#opening?.match.seats.map(({ colour }) => colour);
        const draws = drawForRound(this.#opening?.seed ?? 0, round, seats);
        this.#answer({ to: 'ship', index: round }, orders, line, () =>
          this.#tell(GAME, { type: 'orders.gathered', round, orders, draws }, ORDERS),
        );
        break;
      }
      case 'seat.departed':
        this.#interrupt(line, MEETING, { type: 'seat.left', seat: fact.seat });
        break;
      case 'stop.requested':
        this.#interrupt(line, MEETING, { type: 'meeting.stopped', outcome: fact.outcome });
        break;
      case 'end.requested':
        this.#interrupt(line, GAME, { type: 'game.stopped', reason: fact.reason });
        break;
      default:
    }
  }

  #interrupt(line: Line, to: string, message: AnyEventObject): void {
    for (const { seat } of readArrivals(line)) this.#answerUnread(seat);
    this.#tell(to, message, OUTSIDE);
  }

  /**
   * Hands in the answers of a line in the order of the seats, and then those whose arrival the clock knows. The last of
   * all closes the tick while its player still answers. The machines release a late player whose mind was not given up.
   */
  #answer(
    asked: Asked,
    answers: readonly (Bid | Order)[],
    line: Line,
    close: (() => void) | null = null,
  ): void {
    const hand = (seat: Colour) => {
      const answer = answers.find((each) => each.seat === seat);
      if (answer === undefined || this.#askedOf(seat)?.to !== asked.to) this.#answerUnread(seat);
      else this.#tell(playerId(seat), toMessage(asked, answer), MIND);
    };
    const arrived = new Set(readArrivals(line).map(({ seat }) => seat));
    for (const answer of answers)
      if (!isLate(answer, asked) && !arrived.has(answer.seat)) hand(answer.seat);
    this.#atClosing = close;
    for (const seat of arrived) hand(seat);
    this.#close();
  }

  #close(): void {
    const close = this.#atClosing;
    this.#atClosing = null;
    close?.();
  }

  /** Hands in an answer whose words come with a later line, or with none. No state depends on them. */
  #answerUnread(seat: Colour): void {
    const asked = this.#askedOf(seat);
    if (asked !== undefined)
      this.#tell(playerId(seat), toMessage(asked, { ...UNREAD, seat }), MIND);
  }

  #askedOf(seat: Colour): Asked | undefined {
    const now = this.snapshotOf(playerId(seat));
    const [to] = this.#leavesOf(playerId(seat)).flatMap((leaf) => THINKING[leaf] ?? []);
    return to && { to, index: now?.context.index };
  }

  /** Lets the pause before a tick pass. */
  #openTick(): void {
    this.#fireUntil(() => !(this.snapshotOf(ARBITER)?.matches('idle') ?? true));
  }

  #fireUntil(isReached: () => boolean): void {
    for (let fired = 0; fired < MOST_TIMERS && !isReached(); fired++)
      if (!this.#clock.fireNext()) return;
  }

  /** Votes count from their own lines on, which come after that of their tick. */
  #promise(): void {
    const meeting = this.snapshotOf(MEETING);
    const books: ArbiterBooks | undefined = this.snapshotOf(ARBITER)?.context;
    const untold = this.#ahead.living.flatMap(({ type, ...fact }) =>
      type === 'vote.locked' ? fact['seat'] : [],
    );
    const basis = [meeting, books, untold.length];
    if (basis.every((each, index) => each === this.#promisedFor[index])) return;
    this.#promisedFor = basis;
    const [at] = meeting?.status === 'active' ? listLeaves(meeting) : [];
    this.#promises = [];
    if (at === undefined || books === undefined) return;
    const { floor, pending, opened } = books;
    const table: Table = meeting?.context;
    const voted = pending === null && opened !== null ? opened.voted : seatsWithBallot(table);
    const ballots = Object.entries(table.ballots).filter(([seat]) => !untold.includes(seat));
    const told = { ...table, poll: null, ballots: Object.fromEntries(ballots) };
    const state = { floor: pending ?? floor, voted };
    this.#promises =
      untold.length > 0
        ? listPromises('discussion', told, state)
        : listPromises(at.slice(`${MEETING}.`.length), table, state);
  }

  snapshotOf(name: string): AnyMachineSnapshot | undefined {
    return this.#actor(name)?.getSnapshot();
  }

  #actor(name: string): AnyActorRef | undefined {
    return this.#root?.system.get(name);
  }

  #leavesOf(name: string): readonly string[] {
    const snapshot = this.snapshotOf(name);
    return snapshot === undefined ? [] : listLeaves(snapshot);
  }

  #tell(to: string, message: AnyEventObject, from: string, isHeld = false): void {
    const actor = this.#actor(to);
    if (actor === undefined) return;
    this.#trace.note(from, actor, message);
    if (!isHeld) actor.send(message);
  }

  #send(messages: readonly OutgoingMessage[], from: AnyActorRef, isHeld = false): void {
    for (const { to, message } of messages) this.#tell(to, message, from.id, isHeld);
  }
}

const UNREAD = { type: 'fault', code: 'mind/unread', text: '' } as const;

function toMessage({ to, index }: Asked, answer: Bid | Order): AnyEventObject {
  return to === 'ship'
    ? { type: 'mind.decided', round: index, order: answer }
    : { type: 'mind.answered', to, index, bid: answer };
}

/** A ghost's mind that reports its own lateness has answered. */
function isLate(answer: Bid | Order, { to }: Pick<Asked, 'to'>): boolean {
  if (answer.type !== 'fault' || answer.code !== LATE) return false;
  return to !== 'gallery' || answer.text === NO_ANSWER;
}

function explainDifference(path: string, told: unknown, read: unknown): string {
  const key = Object.keys({ ...Object(told), ...Object(read) }).find(
    (each) => canonical(readField(told, each)) !== canonical(readField(read, each)),
  );
  const isInner = [told, read].every((value) => typeof value === 'object' && value !== null);
  if (key !== undefined && isInner)
    return explainDifference(`${path}.${key}`, readField(told, key), readField(read, key));
  const [expected, found] = [told, read].map((value) => canonical(value).slice(0, MOST_QUOTED));
  return `expected ${path} ${expected}, found ${found}`;
}

function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
