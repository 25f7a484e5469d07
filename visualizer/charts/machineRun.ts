/**
 * The production statecharts, stepped along a journal, so that every state shown is one that XState itself has reached.
 *
 * A journal has every input of the machines: replies, departures, stops and the seed. Answers are handed in when their
 * line arrives, and timers fire when the next line needs them. The facts that the machines announce must be the lines of
 * the journal. Where they are not, the run stops, says why, and keeps the last state that the journal proves.
 */
import {
  Actor,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  createActor,
  type EventObject,
  fromCallback,
  type InspectionEvent,
  type NonReducibleUnknown,
  StateMachine,
} from 'xstate';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine, NO_ANSWER } from '../../machines/charts/gallery.ts';
import { gameMachine, type OrdersInput } from '../../machines/charts/game.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { meetingSessionMachine } from '../../machines/charts/meetingSession.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import { readArrivals } from '../../machines/journal/calls.ts';
import { decode, encode, type LineBody, PLAIN_READERS } from '../../machines/journal/codec.ts';
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
  type ToPlayer,
} from '../../machines/messages.ts';
import {
  type Audience,
  createAudience,
  messagesAfterRound,
  messagesFor,
  messagesForGhostFact,
  OUTGOING,
  type OutgoingMessage,
  submitAnswer,
  type UnreadRounds,
} from '../../machines/outgoing.ts';
import { drawForRound, rollDice } from '../../machines/rules/dice.ts';
import type { Arrival, Fact, GhostFact } from '../../machines/rules/facts.ts';
import { type MeetingChance, seatsWithBallot, type Table } from '../../machines/rules/meeting.ts';
import { isAtOnce } from '../../machines/rules/mindKinds.ts';
import { listPromises, type MeetingPromise } from '../../machines/rules/promises.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import { LATE } from '../../machines/rules/tick.ts';
import { isMeeting, type Match } from '../../machines/setup/match.ts';
import { prepare } from '../../machines/setup/prepare.ts';
import { readField } from '../../machines/text.ts';
import { AT_TABLE, type Thinker } from '../../machines/turnPrompt.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { listAccused } from '../accused.ts';
import { findEdgeIds } from './chart.ts';
import { evaluateGuards, listRefusals } from './guards.ts';
import { type ActorMessage, MIND, OUTSIDE, packMessages } from './messages.ts';
import {
  type GuardValues,
  lensOverSteps,
  type MachineMove,
  type MoveStep,
  type Stepped,
  type SteppedLine,
} from './moves.ts';

export type MachineRefusal = { readonly line: number; readonly reason: string };

/** The id of the machine of a whole game. */
const GAME = 'game';

/** A line of fifteen players has about eighty. */
const MOST_MESSAGES = 400;

/** XState starts and stops actors by such events. Nobody says them. */
const UNSAID = /^xstate\.(?!after|done)/;
/** "xstate.after.beat.meeting.reveal" is a timer, and "xstate.done.actor.meeting" an end. */
const INTERNAL = /^xstate\.(after|done)\.(?:actor|(\w+)).*/;

/** The states of a player who thinks, and where the answer goes. */
const THINKING: Readonly<Partial<Record<string, AskedPlace>>> = {
  'player.living.floor.bidding': 'table',
  'player.living.floor.deciding': 'ship',
  'player.ghost.chatting': 'gallery',
  'player.ghost.working': 'ship',
};

/** The code of an answer whose words are not known yet. */
const UNREAD = 'mind/unread';

type AskedPlace = 'table' | 'gallery' | 'ship';

/** More timers than this before a line are a journal that no machine has written. */
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
  readonly #edges = new Map<AnyStateMachine, ReturnType<typeof findEdgeIds>>();
  /** Announced facts that no line has confirmed yet. */
  readonly #ahead: Record<'living' | 'ghosts', LineBody[]> = { living: [], ghosts: [] };
  readonly #steps = new Map<AnyActorRef, MoveStep[]>();
  /** The last values of each actor's guards, by its name. */
  readonly #guards = new Map<string, GuardValues>();
  #messages: ActorMessage[] = [];
  /** Messages since the last line of a running match. */
  #early: ActorMessage[] = [];
  /** Moves in the order in which their events were sent; null until the actor has taken the event. */
  #moves: { readonly ref: AnyActorRef; readonly cause: object; move: MachineMove | null }[] = [];
  /** What the answer that is handed in completes. */
  #atAnswer: (() => void) | null = null;
  /** Who was thinking in a running match when it last said so. */
  #thinkers: readonly Thinker[] = [];
  #opening: LineOf<'match.opened'> | null = null;
  #root: Actor<AnyStateMachine> | null = null;
  #hasGhosts = false;
  #heldEnd: LineOf<'end.requested'> | null = null;
  #audience: Audience | null = null;
  #unread: UnreadRounds = {};
  #lines = 0;
  #refusal: MachineRefusal | null = null;
  #promises: readonly MeetingPromise[] = [];
  #promisedBy: readonly unknown[] = [];
  /** The error that ended the machines. */
  #fault: string | null = null;

  /** The first line that the machines refuse. Nothing is stepped from there on. */
  get refusal(): MachineRefusal | null {
    return this.#refusal;
  }

  /** What the actors told each other at the line that was added last. */
  get messages(): readonly ActorMessage[] {
    return this.#messages;
  }

  /** What the meeting promises from here on. */
  get promises(): readonly MeetingPromise[] {
    return this.#promises;
  }

  /** Steps on to a line, and says what a page shows of it. */
  stepTo(line: Line): Stepped {
    const moves = this.add(line);
    const { promises, refusal } = this;
    const messages = packMessages(this.#messages);
    return { moves, messages, promises, refusal: refusal?.reason, ...listAccused(line) };
  }

  /** Steps the machines up to this line, counted from 1, and on to where they wait for the next one. */
  add(line: Line): readonly MachineMove[] {
    this.#lines += 1;
    this.#messages = this.#early.splice(0);
    if (line.channel === 'beliefs') return [];
    return this.#collect(() => {
      const reason = this.#step(line);
      if (reason === null) this.#promise();
      return reason;
    });
  }

  /** Steps on between two lines of a running match: a pause ends with a request, and an answer is in. */
  follow(thinkers: readonly Thinker[]): readonly MachineMove[] {
    const before = this.#thinkers;
    this.#thinkers = thinkers;
    return this.#collect(() => {
      const asked = thinkers.filter((each) => !before.includes(each));
      if (asked.some(({ requestKind }) => AT_TABLE.includes(requestKind))) this.#endPause();
      const quick =
        asked.length === 0 ? [] : this.#opening?.match.seats.map(({ colour }) => colour);
      for (const seat of quick ?? []) if (!this.#hasSlow([seat])) this.#answerUnread(seat);
      for (const { seat } of before.filter((each) => !thinkers.includes(each))) {
        if (!thinkers.some((each) => each.seat === seat)) this.#answerUnread(seat);
      }
      // They come with the next line.
      this.#early = this.#messages;
      return null;
    });
  }

  /** The moves of this work. It returns why the machines refuse it, or null. */
  #collect(work: () => string | null): readonly MachineMove[] {
    if (this.#refusal !== null) return [];
    this.#moves = [];
    let reason: string | null;
    try {
      reason = work();
    } catch (error) {
      // A forged line can make a rule fail in any way.
      reason = explainError(error);
    }
    const moves = this.#moves.flatMap(({ move }) => move ?? []);
    if (reason === null) return moves;
    this.#refusal = { line: this.#lines, reason };
    this.#messages = [];
    this.#promises = [];
    // The guards that refused it are shown, as long as nothing else has moved.
    const isStill = moves.every(({ refusedBy }) => refusedBy !== undefined);
    return isStill ? moves : [];
  }

  /** Why the machines refuse a line; null if they take it. */
  #step(line: LivingLine | GhostLine): string | null {
    if (line.type === 'match.opened') {
      this.#opening = line;
      return null;
    }
    const isGalleryHeader = line.type === 'gallery.opened';
    if (this.#root === null) this.#start(isGalleryHeader && line.present ? line.budget : null);
    if (isGalleryHeader) return null;
    const end = this.#heldEnd;
    this.#heldEnd = null;
    if (end !== null && line.type === 'stop.requested') this.#awaitMoment(line.during);
    const reason = end === null ? null : this.#confirm(end);
    // Only the line after it says whether a tick of the meeting was open.
    if (line.type !== 'end.requested' || this.#root?.getSnapshot().value !== 'meeting')
      return reason ?? this.#confirm(line);
    this.#heldEnd = line;
    return reason;
  }

  /** Steps the machines until they announce a line, and compares it. */
  #confirm(line: LivingLine | GhostLine): string | null {
    const ahead = this.#ahead[line.channel];
    if (ahead.length === 0) this.#putIn(line);
    for (let fired = 0; ahead.length === 0 && fired < MOST_TIMERS; fired++) {
      if (!this.#clock.fireNext()) break;
    }
    const told = ahead.shift();
    if (this.#fault !== null) return `a rule failed: ${this.#fault}`;
    if (told === undefined) return `the machines do not announce ${line.type} here`;
    const read: LineBody = { ...line };
    const field = Object.keys(told).find((key) => !isSame(told[key], read[key]));
    if (field === undefined) return null;
    const [expected, found] = [told[field], read[field]].map((value) => JSON.stringify(value));
    return `expected ${field} ${expected} in ${told.type}, found ${found} in ${line.type}`;
  }

  #start(ghostBudget: number | null): void {
    if (this.#opening === null) throw new Error('the first line does not open a match');
    this.#hasGhosts = ghostBudget !== null;
    const { match, seed, rulesVersion } = this.#opening;
    const preparation = prepare(atPace(match, this.#beatMs), seed, rulesVersion);
    if (!preparation.ok) throw new Error(preparation.refusals.map(({ text }) => text).join('; '));
    const { prepared } = preparation;
    const means = { clock: this.#clock, inspect: (event: InspectionEvent) => this.#inspect(event) };
    const { meetingSession, game } = this.#machines();
    if (prepared.type === 'game') {
      const { ship } = prepared;
      const players = prepared.players.map((player) => ({ ...player, ghost: false }));
      const input = { seed, ship, players, ghostBudget };
      this.#root = createActor(game, { ...means, id: GAME, systemId: GAME, input });
    } else {
      const { setting } = prepared;
      const players = prepared.players.map((player) => ({
        ...player,
        ghost: setting.standings[player.colour] === 'dead',
      }));
      this.#root = createActor(meetingSession, {
        ...means,
        id: MEETING_SESSION,
        input: { setting, players, ghostBudget },
      });
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

  /** Whether somebody among these seats takes their time, so that the machines wait. */
  #hasSlow(seats: readonly Colour[]): boolean {
    const asked = this.#opening?.match.seats.filter(({ colour }) => seats.includes(colour)) ?? [];
    // Where people are given time to read, everybody waits for them.
    return asked.length > 0 && (this.#beatMs > 0 || asked.some(({ mind }) => !isAtOnce(mind)));
  }

  /** Stands for the collection of bids or orders: a line has them all, so it only says whether somebody is waited for. */
  #collection<M extends ToBids | ToOrders, I extends NonReducibleUnknown>(outstanding: string) {
    return fromCallback<M, I>(({ receive, sendBack }) => {
      let seats: readonly Colour[] = [];
      receive((message) => {
        if ('seats' in message) seats = message.seats;
        else if (message.type.endsWith('.requested') && this.#hasSlow(seats))
          sendBack({ type: outstanding });
      });
    });
  }

  /** The machines with effects that send what they send in a match. Minds are never asked. */
  #machines() {
    const nothing = () => {};
    const arbiter = arbiterMachine.provide({
      actors: { bids: this.#collection<ToBids, { chance: MeetingChance }>('bids.outstanding') },
      actions: {
        requestBids: this.#sending(OUTGOING.arbiter.requestBids),
        releaseMissing: this.#sending(OUTGOING.arbiter.releaseMissing),
        placeAbsence: this.#sending(OUTGOING.arbiter.placeAbsence),
        callTime: nothing,
        noteLate: nothing,
      },
    });
    const player = playerMachine.provide({
      actions: {
        consult: nothing,
        cancelRequest: nothing,
        submitBid: ({ event, self }) => this.#submit(event, self),
        submitOrder: ({ event, self }) => this.#submit(event, self),
      },
    });
    const gallery = galleryMachine.provide({
      actions: {
        inviteGhosts: this.#sending(OUTGOING.gallery.inviteGhosts),
        callTime: nothing,
        drawDice: this.#sending(OUTGOING.gallery.drawDice),
        releaseMissing: this.#sending(OUTGOING.gallery.releaseMissing),
        announceFacts: ({ self }, { facts }) => this.#hearGhosts(facts, self),
      },
    });
    const meeting = meetingMachine.provide({
      actors: { arbiter },
      actions: {
        announceFacts: ({ context, self }, { facts }) => this.#hearTable(facts, context, self),
      },
    });
    const meetingSession = meetingSessionMachine.provide({ actors: { meeting, player, gallery } });
    const game = gameMachine.provide({
      actors: {
        meetingSession,
        player,
        orders: this.#collection<ToOrders, OrdersInput>('orders.outstanding'),
      },
      actions: {
        announceFacts: ({ context, self }, { facts }) => this.#hearShip(facts, context, self),
        requestOrders: this.#sending(OUTGOING.game.requestOrders),
        callTime: nothing,
        releaseMissing: this.#sending(OUTGOING.game.releaseMissing),
        stopMeeting: this.#sending(OUTGOING.game.stopMeeting),
      },
    });
    return { meetingSession, game };
  }

  /** The effect of a chart that sends these. */
  #sending<Context, Event>(
    messagesOf: (context: Context, event: Event) => readonly OutgoingMessage[],
  ) {
    type Step = { readonly context: Context; readonly event: Event; readonly self: AnyActorRef };
    return ({ context, event, self }: Step) => this.#send(messagesOf(context, event), self);
  }

  #send(messages: readonly OutgoingMessage[], from: AnyActorRef): void {
    for (const { to, message } of messages) this.#tell(to, message, from.id);
  }

  #hearTable(facts: readonly Fact[], table: Table, from: AnyActorRef): void {
    for (const fact of facts) {
      this.#ahead.living.push(encode(fact));
      if (fact.type === 'meeting.called') {
        const round: unknown = this.#root?.getSnapshot().context.round;
        this.#audience = createAudience(table, {
          ghostsWatch: this.#hasGhosts,
          round: typeof round === 'number' ? round : null,
        });
      }
    }
    for (const fact of facts) {
      if (this.#audience === null) return;
      const { audience, messages } = messagesFor(this.#audience, fact, table);
      this.#audience = audience;
      this.#send(messages, from);
    }
  }

  #hearGhosts(facts: readonly GhostFact[], from: AnyActorRef): void {
    for (const fact of facts) this.#ahead.ghosts.push(encode(fact));
    for (const fact of facts) {
      if (this.#audience !== null) this.#send(messagesForGhostFact(this.#audience, fact), from);
    }
  }

  #hearShip(facts: readonly GameFact[], course: GameCourse, from: AnyActorRef): void {
    for (const fact of facts) {
      this.#ahead.living.push(encode(fact));
      const { unread, messages } = messagesAfterRound(this.#unread, fact, course);
      this.#unread = unread;
      this.#send(messages, from);
    }
  }

  /** Hands in what a line says that the machines could not know. */
  #putIn(line: LivingLine | GhostLine): void {
    switch (line.type) {
      case 'tick.closed':
        this.#closeTick(line);
        break;
      case 'turn.closed':
        this.#closeTurn(line);
        break;
      case 'round.closed':
        this.#closeRound(line);
        break;
      case 'seat.departed':
        this.#arrive(line, line.during);
        this.#tell(MEETING, { type: 'seat.left', seat: line.seat }, OUTSIDE);
        break;
      case 'stop.requested':
        this.#arrive(line, line.during);
        this.#tell(MEETING, { type: 'meeting.stopped', outcome: line.outcome }, OUTSIDE);
        break;
      case 'end.requested':
        this.#arrive(line, null);
        this.#tell(GAME, { type: 'game.stopped', reason: line.reason }, OUTSIDE);
        break;
      default:
    }
  }

  #closeTick(line: LineOf<'tick.closed'>): void {
    this.#awaitMoment('tick');
    const { tick } = line;
    const fact = decode(line, PLAIN_READERS);
    const bids = fact?.type === 'tick.closed' ? fact.bids : [];
    const chance = this.#contextOf(ARBITER)?.['chance'] as MeetingChance; // the arbiter's own
    const seats = bids.map(({ seat }) => seat);
    const dice = rollDice({ ...chance, stream: 'table', tick }, seats);
    const give = (bid: Bid) => ({ type: 'mind.answered', to: 'table', index: tick, bid });
    this.#answer({ line, to: 'table', answers: bids }, give, () =>
      this.#tell(ARBITER, { type: 'bids.gathered', tick, bids, dice }, BIDS),
    );
  }

  #closeTurn(line: LineOf<'turn.closed'>): void {
    const { turn } = line;
    const fact = decode(line, PLAIN_READERS);
    const bids = fact?.type === 'turn.closed' ? fact.bids : [];
    for (const bid of bids) {
      if (isLate(bid, 'gallery') || this.#placeAsked(bid.seat) === 'gallery') continue;
      const gallery: AnyActorRef | undefined = this.#root?.system.get(GALLERY);
      // It was handed in unread.
      gallery?.send({ type: 'ghost.answered', turn, bid });
    }
    const give = (bid: Bid) => ({ type: 'mind.answered', to: 'gallery', index: turn, bid });
    this.#answer({ line, to: 'gallery', answers: bids }, give, () => {
      // A turn that nobody missed is closed by now.
      if (this.#ahead.ghosts.length === 0)
        this.#tell(GALLERY, { type: 'time.called', turn }, GALLERY);
    });
  }

  #closeRound(line: LineOf<'round.closed'>): void {
    const { round } = line;
    const fact = decode(line, PLAIN_READERS);
    const orders = fact?.type === 'round.closed' ? fact.orders : [];
    const seats = this.#opening?.match.seats.map(({ colour }) => colour);
    const draws = drawForRound(this.#opening?.seed ?? 0, round, seats);
    const give = (order: Order) => ({ type: 'mind.decided', round, order });
    this.#answer({ line, to: 'ship', answers: orders }, give, () =>
      this.#tell(GAME, { type: 'orders.gathered', round, orders, draws }, ORDERS),
    );
  }

  /**
   * Hands in answers in the order of the seats, and then those whose arrival the clock knows. The last of all closes the
   * tick while its player still answers. The machines release a late player whose mind was not given up before.
   */
  #answer<A extends Bid | Order>(
    { line, to, answers }: { readonly line: Line; to: AskedPlace; readonly answers: readonly A[] },
    give: (answer: A) => AnyEventObject,
    close: () => void,
  ): void {
    const arrived = readArrivals(line).map(({ seat }) => seat);
    const given = answers.filter((each) => !isLate(each, to) || arrived.includes(each.seat));
    const last = given.length < answers.length ? undefined : arrived.at(-1);
    let isClosed = false;
    const finish = () => {
      isClosed = true;
      close();
    };
    const untimed = given.map(({ seat }) => seat).filter((seat) => !arrived.includes(seat));
    for (const seat of [...untimed, ...arrived]) {
      const answer = given.find((each) => each.seat === seat);
      if (answer === undefined || this.#placeAsked(seat) !== to) this.#answerUnread(seat);
      else {
        if (seat === last) this.#atAnswer = finish;
        this.#tell(playerId(seat), give(answer), MIND);
      }
    }
    if (!isClosed) finish();
    this.#atAnswer = null;
  }

  /** A player answers, which may be the last answer that was waited for. */
  #submit(event: ToPlayer, from: AnyActorRef): void {
    const messages = submitAnswer(event);
    // The gallery closes a turn with the words of the last answer.
    const isUnread =
      event.type === 'mind.answered' && event.bid.type === 'fault' && event.bid.code === UNREAD;
    if (isUnread && event.to === 'gallery')
      for (const { to, message } of messages) this.#note(from.id, to, message);
    else this.#send(messages, from);
    const close = this.#atAnswer;
    this.#atAnswer = null;
    close?.();
  }

  /** Hands in what arrived before a line that is no end of a tick. */
  #arrive(line: LivingLine, during: Arrival | null): void {
    this.#awaitMoment(during);
    for (const { seat } of readArrivals(line)) this.#answerUnread(seat);
  }

  /** Hands in an answer whose words come with a later line, or with none. No state depends on them. */
  #answerUnread(seat: Colour): void {
    const to = this.#placeAsked(seat);
    const index = this.#contextOf(playerId(seat))?.['index'];
    const unread = { type: 'fault', seat, code: UNREAD, text: '' } as const;
    if (to === undefined) return;
    const answer =
      to === 'ship'
        ? { type: 'mind.decided', round: index, order: unread }
        : { type: 'mind.answered', to, index, bid: unread };
    this.#tell(playerId(seat), answer, MIND);
  }

  /** Where the answer of a player goes who thinks; undefined for others. */
  #placeAsked(seat: Colour): AskedPlace | undefined {
    const now = this.snapshotOf(playerId(seat));
    return now && listLeaves(now).flatMap((leaf) => THINKING[leaf] ?? [])[0];
  }

  /** A request that went out ends the pause before it. */
  #endPause(): void {
    const now = this.snapshotOf(MEETING);
    if (now !== undefined && listLeaves(now).some((leaf) => leaf.endsWith('.pausing')))
      this.#awaitMoment('tick');
  }

  /** Lets a pause pass where something happened in a tick: it is open only after it. */
  #awaitMoment(during: Arrival | null): void {
    if (during !== 'tick') return;
    for (let fired = 0; this.#isBetweenTicks() && fired < MOST_TIMERS; fired++) {
      if (!this.#clock.fireNext()) return;
    }
  }

  #isBetweenTicks(): boolean {
    return this.snapshotOf(ARBITER)?.matches('idle') ?? true;
  }

  /** Only the meeting and the arbiter's books decide the promises. */
  #promise(): void {
    const [meeting, books] = [this.snapshotOf(MEETING), this.#contextOf(ARBITER)];
    if (meeting === this.#promisedBy[0] && books === this.#promisedBy[1]) return;
    this.#promisedBy = [meeting, books];
    const { floor, pending, opened } = (books ?? {}) as ArbiterBooks; // the arbiter's own
    const table: Table = meeting?.context;
    const at = meeting?.status === 'active' ? listLeaves(meeting)[0] : undefined;
    this.#promises =
      at === undefined
        ? []
        : listPromises(at.slice(`${MEETING}.`.length), table, {
            floor: pending ?? floor,
            voted: pending === null && opened !== null ? opened.voted : seatsWithBallot(table),
          });
  }

  /** The state of an actor by its name; undefined where there is none. */
  snapshotOf(name: string): AnyMachineSnapshot | undefined {
    const actor: AnyActorRef | undefined = this.#root?.system.get(name);
    return actor?.getSnapshot();
  }

  #contextOf(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.snapshotOf(name)?.context;
  }

  #tell(to: string, message: AnyEventObject, from: string): void {
    const actor: AnyActorRef | undefined = this.#root?.system.get(to);
    if (actor === undefined) return;
    this.#note(from, to, message);
    actor.send(message);
  }

  #note(from: string, to: string, message: AnyEventObject): void {
    if (UNSAID.test(message.type) || this.#messages.length >= MOST_MESSAGES) return;
    const type = message.type.replace(INTERNAL, '$1 $2').trim();
    // The arbiter counts the ticks, so the meeting does not say which one it opens.
    const books = type === 'tick.opened' ? this.#contextOf(ARBITER) : undefined;
    const place = findPlace({ ...Object(books?.['pending'] ?? books?.['floor']), ...message });
    const last = this.#messages.at(-1);
    const isSame = last?.type === type && last.from === from && last.place === place;
    if (isSame) this.#messages.pop();
    this.#messages.push({ from, to: isSame ? [...last.to, to] : [to], type, place });
  }

  #inspect(event: InspectionEvent): void {
    const { actorRef, type } = event;
    if (!(actorRef instanceof Actor)) return;
    // What has no source was sent from here, and is noted already.
    if (type === '@xstate.event' && event.sourceRef instanceof Actor)
      this.#note(event.sourceRef.id, actorRef.id, event.event);
    if (!(actorRef.logic instanceof StateMachine)) return;
    if (type === '@xstate.event')
      this.#moves.push({ ref: actorRef, cause: event.event, move: null });
    if (type !== '@xstate.microstep' && type !== '@xstate.snapshot') return;
    const steps = this.#steps.get(actorRef) ?? [];
    const states = listLeaves(event.snapshot as AnyMachineSnapshot); // of a state machine, as asked above
    if (type === '@xstate.microstep') {
      const ids = this.#edges.get(actorRef.logic) ?? findEdgeIds(actorRef.logic);
      this.#edges.set(actorRef.logic, ids);
      const edges = event._transitions.flatMap((transition) => ids.get(transition) ?? []);
      if (edges.length > 0) this.#steps.set(actorRef, [...steps, { edges, states }]);
      return;
    }
    const { event: given } = event;
    const isStart = given.type === 'xstate.init';
    this.#steps.delete(actorRef);
    const isRefused = steps.length === 0 && !isStart;
    if (isRefused && given.type.startsWith('xstate.')) return;
    const snapshot = event.snapshot as AnyMachineSnapshot;
    const { id: actor } = actorRef;
    const rest = steps.length > 0 ? steps : [{ edges: [], states }];
    const start = { edges: [], states: listInitialLeaves(actorRef.logic.root) };
    const taken = isStart ? [start, ...rest] : rest;
    const move = {
      ...{ actor, event: given.type, steps: taken },
      // No sentence about a player needs them, and most moves are theirs.
      ...(actorRef.logic.id !== 'player' && readEvent(given)),
      ...this.#findChangedGuards(actor, snapshot),
      ...(isRefused && { refusedBy: listRefusals(snapshot, given.type) }),
    };
    const slot = this.#moves.find(
      ({ ref, cause, move: known }) => known === null && ref === actorRef && cause === given,
    );
    if (slot === undefined) this.#moves.push({ ref: actorRef, cause: given, move });
    else slot.move = move;
  }

  #findChangedGuards(actor: string, snapshot: AnyMachineSnapshot): Pick<MachineMove, 'guards'> {
    const before = this.#guards.get(actor) ?? {};
    const changed = Object.entries(evaluateGuards(snapshot)).filter(([name, now]) => {
      const { value, detail } = before[name] ?? UNTOLD;
      return now.value !== value || now.detail !== detail;
    });
    if (changed.length === 0) return {};
    const guards = Object.fromEntries(changed);
    this.#guards.set(actor, { ...before, ...guards });
    return { guards };
  }
}

/** What is not told depends on the event. */
const UNTOLD = { value: null, detail: '' };

function readEvent(event: EventObject): Pick<MachineMove, 'number' | 'seat' | 'floor'> {
  const { tick, round, turn, seat, decision }: Readonly<Record<string, unknown>> = { ...event };
  const number = tick ?? round ?? turn;
  const named = COLOURS.find((colour) => colour === seat);
  const floor = readField(decision, 'floor');
  return {
    ...(typeof number === 'number' && { number }),
    ...(named !== undefined && { seat: named }),
    ...(floor !== undefined && { floor: COLOURS.find((colour) => colour === floor) ?? null }),
  };
}

/** "tick 3": what a message, or the view in a request, counts. */
function findPlace(message: AnyEventObject): string {
  const { to, index, table, seen } = message;
  if (index !== undefined) return `${to === 'table' ? 'tick' : 'turn'} ${index}`;
  const told: Readonly<Record<string, unknown>> = { ...table, ...seen, ...message };
  const unit = ['tick', 'turn', 'round'].find((each) => typeof told[each] === 'number');
  return unit === undefined ? '' : `${unit} ${told[unit]}`;
}

/** A ghost's mind that reports its own lateness has answered. */
function isLate(answer: Bid | Order, to: AskedPlace): boolean {
  if (answer.type !== 'fault' || answer.code !== LATE) return false;
  return to !== 'gallery' || answer.text === NO_ANSWER;
}

function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function atPace(match: Match, beatMs: number): Match {
  return isMeeting(match)
    ? { ...match, options: { ...match.options, beat_ms: beatMs } }
    : { ...match, options: { ...match.options, beat_ms: beatMs } };
}

/** Where a machine begins, before its eventless transitions. */
function listInitialLeaves(node: AnyStateNode): readonly string[] {
  const inner =
    node.type === 'parallel' ? Object.values(node.states) : (node.initial?.target ?? []);
  return inner.length === 0 ? [node.id] : inner.flatMap(listInitialLeaves);
}

function listLeaves({ _nodes: nodes }: AnyMachineSnapshot): readonly string[] {
  return nodes.filter(({ type }) => type === 'atomic' || type === 'final').map(({ id }) => id);
}

/** Whether a line holds a value, which may omit what is 0 or false in it. */
function isSame(told: unknown, read: unknown): boolean {
  if (Object.is(told, read)) return true;
  if (typeof told !== 'object' || typeof read !== 'object' || told === null || read === null)
    return (told ?? 0) === (read ?? 0) || (!told && !read);
  const [one, other]: Readonly<Record<string, unknown>>[] = [{ ...told }, { ...read }];
  return [...new Set([...Object.keys(told), ...Object.keys(read)])].every((key) =>
    isSame(one?.[key], other?.[key]),
  );
}
