/**
 * The run context: shared by the actors of one run, and part of no actor's state. It holds the minds, writes facts into
 * the journal, and sends their consequences to the actors that `machines/outgoing.ts` names.
 */
import type { AnyActorRef } from 'xstate';
import type { ToArbiter, ToGame } from '../../machines/messages.ts';
import { Announcer, type OutgoingMessage } from '../../machines/outgoing.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Bid, BySeat, Colour } from '../../machines/types.ts';
import { type Mind, type MindRequest, TIME_UP } from '../minds/port.ts';
import type { Clock } from '../ports/ports.ts';
import type { BeliefInquiry } from './beliefs.ts';
import type { Recorder } from './journal/recorder.ts';

export type ActorSystem = AnyActorRef['system'];

export type RunOptions = {
  readonly minds: BySeat<Mind>;
  readonly recorder: Recorder | null;
  readonly ghostsWatch: boolean;
  /** The round of the meeting's call. Null for a meeting on its own. */
  readonly round: () => number | null;
  readonly onMeetingFacts: ((facts: readonly Fact[]) => void) | null;
  readonly onGameFacts: ((facts: readonly GameFact[]) => void) | null;
  readonly beliefs: BeliefInquiry | null;
  readonly clock: Clock;
  readonly onGathered?: ((gathered: GatheredAnswers) => void) | undefined;
  readonly announcer?: Announcer | undefined;
};

export type GatheredAnswers = Extract<
  ToArbiter | ToGame,
  { readonly type: 'bids.gathered' | 'orders.gathered' }
>;

type ThoughtPlace = 'living' | 'gallery';

function placeOf(kind: MindRequest['kind']): ThoughtPlace {
  return kind === 'ghost' ? 'gallery' : 'living';
}

export type Thought = {
  readonly seat: Colour;
  readonly kind: MindRequest['kind'];
  readonly controller: AbortController;
  readonly keepTime: () => void;
  readonly onLate: () => void;
  /** The mind says itself when it is late. */
  keepsTime: boolean;
  isOver: boolean;
};

const contexts = new WeakMap<ActorSystem, RunContext>();

export class RunContext {
  readonly #thinking = new Map<Colour, Thought>();
  readonly #system: ActorSystem;
  readonly #options: RunOptions;
  readonly announcer: Announcer;
  readonly #calls = new Map<ThoughtPlace, () => void>();
  #isHurried = false;

  constructor(system: ActorSystem, options: RunOptions) {
    this.#system = system;
    this.#options = options;
    const { ghostsWatch, round, announcer } = options;
    this.announcer = new Announcer(() => ({ ghostsWatch, round: round() }), announcer);
    contexts.set(system, this);
  }

  /** Lets signals and timers in first where minds that answer at once have left them no moment for a while. */
  handOn<G extends GatheredAnswers>(gathered: G, sendBack: (gathered: G) => void): void {
    const { clock, onGathered } = this.#options;
    const act = () => {
      onGathered?.(gathered);
      sendBack(gathered);
    };
    const turn = clock.turn?.() ?? null;
    if (turn === null) act();
    else void turn.then(act);
  }

  mindOf(seat: Colour): Mind {
    const { minds } = this.#options;
    const mind = minds[seat];
    if (mind !== undefined) return mind;
    throw new Error(`no mind for ${seat} (there are: ${Object.keys(minds).join(', ')})`);
  }

  /** Takes the facts of one transition of a meeting; `table` is the meeting as it is after them. */
  emitMeetingFacts(facts: readonly Fact[], table: Table): void {
    const { recorder, onMeetingFacts, beliefs } = this.#options;
    // Earlier beliefs come before the line of a fact.
    beliefs?.noteFacts(facts, table);
    recorder?.record('living', facts);
    this.#sendAll(this.announcer.ofMeeting(facts, table));
    onMeetingFacts?.(facts);
  }

  noteRequest(seat: Colour, request: MindRequest): void {
    this.#options.beliefs?.noteRequest(seat, request);
  }

  emitGhostFacts(facts: readonly GhostFact[]): void {
    this.#options.recorder?.record('ghosts', facts);
    this.#sendAll(this.announcer.ofGhosts(facts));
  }

  emitGameFacts(facts: readonly GameFact[], course: GameCourse): void {
    const { recorder, onGameFacts } = this.#options;
    recorder?.record('living', facts);
    this.#sendAll(this.announcer.ofGame(facts, course));
    onGameFacts?.(facts);
  }

  #sendAll(batches: Iterable<readonly OutgoingMessage[]>): void {
    for (const messages of batches) send(this.#system, messages);
  }

  awaitArrival(seat: Colour): () => void {
    const { recorder } = this.#options;
    const askedMs = recorder?.readMs() ?? null;
    return () => recorder?.noteArrival(seat, askedMs);
  }

  noteLateBid(tick: number, bid: Bid): void {
    this.#options.recorder?.noteLate({ tick, ...bid });
  }

  /** A mind begins to think; `onLate` is called when its time is up before it has answered. */
  beginThought(seat: Colour, kind: MindRequest['kind'], onLate: () => void): Thought {
    const thought: Thought = {
      seat,
      kind,
      controller: new AbortController(),
      keepsTime: false,
      isOver: false,
      keepTime: () => {
        thought.keepsTime = true;
      },
      onLate,
    };
    this.#thinking.set(seat, thought);
    this.#calls.delete(placeOf(kind));
    if (this.#isHurried) queueMicrotask(() => this.#giveUp(thought));
    return thought;
  }

  hurry(): void {
    this.#isHurried = true;
    this.#options.beliefs?.hurry();
    for (const thought of [...this.#thinking.values()]) this.#giveUp(thought);
  }

  #giveUp(thought: Thought, reason?: string): void {
    if (this.#thinking.get(thought.seat) !== thought) return;
    thought.isOver = true;
    this.#thinking.delete(thought.seat);
    thought.controller.abort(reason);
    thought.onLate();
  }

  endThought(thought: Thought): void {
    if (this.#thinking.get(thought.seat) === thought) this.#thinking.delete(thought.seat);
    this.#callAfter(thought);
  }

  cancelRequest(seat: Colour, reason?: string): void {
    const thought = this.#thinking.get(seat);
    this.#thinking.delete(seat);
    thought?.controller.abort(reason);
    if (thought !== undefined) this.#callAfter(thought);
  }

  dismissMinds(): void {
    for (const { controller } of this.#thinking.values()) controller.abort();
  }

  /** Minds that keep no time of their own are late now. `call` ends the wait when the others have answered. */
  callTime(where: ThoughtPlace, call: () => void): void {
    const thoughts = this.#thoughts(where);
    if (!thoughts.some(({ keepsTime }) => keepsTime)) {
      call();
      return;
    }
    this.#calls.set(where, call);
    for (const thought of thoughts) if (!thought.keepsTime) this.#giveUp(thought, TIME_UP);
  }

  #callAfter({ kind }: Thought): void {
    const where = placeOf(kind);
    const call = this.#calls.get(where);
    if (call === undefined || this.#thoughts(where).some(({ keepsTime }) => keepsTime)) return;
    this.#calls.delete(where);
    call();
  }

  #thoughts(where: ThoughtPlace): readonly Thought[] {
    return [...this.#thinking.values()].filter(({ kind }) => placeOf(kind) === where);
  }
}

export function contextOf(system: ActorSystem): RunContext {
  const context = contexts.get(system);
  if (context === undefined) throw new Error('no run context was opened for this actor system');
  return context;
}

/** Hands every message to its actor, in order. XState would send to the sender itself when there is none; this throws. */
export function send(system: ActorSystem, messages: readonly OutgoingMessage[]): void {
  for (const { to, message } of messages) {
    const actor: AnyActorRef | undefined = system.get(to);
    if (actor === undefined) throw new Error(`no actor is called ${to}`);
    actor.send(message);
  }
}

/** Hands messages to the actors that are still there: when all is over, an answer or a call of time may yet come. */
export function sendIfThere(system: ActorSystem, messages: readonly OutgoingMessage[]): void {
  for (const { to, message } of messages) system.get(to)?.send(message);
}
