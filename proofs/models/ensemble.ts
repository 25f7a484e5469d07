/**
 * The ensemble: a whole meeting as one value, stepped by hand: the meeting, its arbiter, the players and the gallery.
 *
 * The charts are those that run. What their effects send is worked out by the functions that the actors use
 * (`letters.ts`, `routing.ts`, `request.ts`) and delivered as actors deliver it: at once, unless the addressee is
 * at work; then when it is done. Timers, answers of minds and departures come from outside.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import type { PlayerInput } from '../../machines/charts/player.ts';
import {
  ARBITER,
  BIDS,
  GALLERY,
  MEETING,
  playerId,
  type ToArbiter,
  type ToBids,
} from '../../machines/messages.ts';
import {
  type Audience,
  createAudience,
  messagesFor,
  messagesForGhostFact,
  type OutgoingMessage,
} from '../../machines/outgoing.ts';
import type { MindRequest } from '../../machines/request.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { MeetingChance, MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { type Posted, posting } from './posting.ts';

/** A machine at rest, as a stepper knows it. */
export type Rest<C = unknown> = {
  readonly place: { readonly name: string };
  readonly context: C;
  readonly timers: readonly { readonly id: string; readonly event: EventObject }[];
  readonly status: string;
};
type Leap = {
  readonly point: Rest;
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
};
/** Steps one machine. */
export type Stepper = {
  initial(): Leap;
  step(point: Rest, event: EventObject): Leap;
};

/** Everybody in the room, by name in the actor system, and what lies between them. */
export type Ensemble = {
  readonly actors: Readonly<Record<string, Rest>>;
  /** What the bid stream was sent since it was last opened. */
  readonly basket: readonly ToBids[];
  readonly routing: Audience;
};

/** What somebody may have seen of a step: a mind its request, everybody the facts, ghosts theirs. */
export type Sight =
  | { readonly type: 'asked'; readonly seat: Colour; readonly request: MindRequest }
  | { readonly type: 'told'; readonly fact: Fact; readonly table: Table }
  | { readonly type: 'murmured'; readonly fact: GhostFact };

/** What comes from outside. */
export type Cue =
  | { readonly type: 'timer'; readonly actor: string; readonly event: EventObject }
  | {
      readonly type: 'answer';
      readonly to: 'table' | 'gallery';
      readonly stamp: number;
      readonly bid: Bid;
    }
  | { readonly type: 'leave'; readonly seat: Colour };

export type Cast = {
  readonly setting: MeetingSetup;
  readonly players: readonly PlayerInput[];
  /** Turns of ghost talk; null when the dead do not watch. */
  readonly ghostBudget: number | null;
};

/** The parts that do not belong to a statechart: who steps a machine, and the stream of the bids. */
export type Stage = {
  readonly stepper: (machine: AnyStateMachine, input: unknown) => Stepper;
  /** What the bid stream says to its last message. */
  readonly bids: (basket: readonly ToBids[], chance: MeetingChance) => readonly ToArbiter[];
};

export type Performed = { readonly ensemble: Ensemble; readonly sights: readonly Sight[] };

/** A company that can perform one meeting in every way. */
export type Company = {
  readonly begin: () => Performed;
  readonly perform: (ensemble: Ensemble, cue: Cue) => Performed;
};

export function company(cast: Cast, stage: Stage): Company {
  const steppers = steppersFor(cast, stage);
  const { chance } = cast.setting;
  const bids = (basket: readonly ToBids[]) => stage.bids(basket, chance);
  return {
    begin: () => {
      const room = new Room(emptyRoom(cast), steppers, bids);
      for (const name of Object.keys(steppers)) room.enter(name);
      return room.performed();
    },
    perform: (ensemble, cue) => {
      const room = new Room(ensemble, steppers, bids);
      room.cue(cue);
      return room.performed();
    },
  };
}

function emptyRoom({ setting, ghostBudget }: Cast): Ensemble {
  return {
    actors: {},
    basket: [],
    routing: createAudience(setting, { ghostsWatch: ghostBudget !== null, round: null }),
  };
}

function dead({ standings }: MeetingSetup): readonly Colour[] {
  return COLOURS.filter((colour) => standings[colour] === 'dead');
}

/** In the order in which a sitting starts them. */
function steppersFor(
  { setting, players, ghostBudget }: Cast,
  { stepper }: Stage,
): Readonly<Record<string, Stepper>> {
  const { chance, options, seats } = setting;
  return {
    ...Object.fromEntries(
      players.map((input) => [playerId(input.colour), stepper(posting.player, input)]),
    ),
    [GALLERY]: stepper(posting.gallery, {
      chance,
      ghosts: ghostBudget === null ? [] : dead(setting),
      budget: ghostBudget ?? 0,
      deadlineMs: options.deadlineMs,
      messageTokens: options.messageTokens,
    }),
    [ARBITER]: stepper(posting.arbiter, {
      chance,
      options,
      seated: seats.map(({ colour }) => colour),
    }),
    [MEETING]: stepper(posting.meeting, setting),
  };
}

/** The room while one cue is played out: letters are delivered until everybody rests. */
class Room {
  readonly #actors: Record<string, Rest>;
  readonly #steppers: Readonly<Record<string, Stepper>>;
  readonly #bids: (basket: readonly ToBids[]) => readonly ToArbiter[];
  readonly #sights: Sight[] = [];
  /** Actors at work, each with what has come for it meanwhile. */
  readonly #busy = new Map<string, EventObject[]>();
  #basket: readonly ToBids[];
  #routing: Audience;

  constructor(
    { actors, basket, routing }: Ensemble,
    steppers: Readonly<Record<string, Stepper>>,
    bids: (basket: readonly ToBids[]) => readonly ToArbiter[],
  ) {
    this.#actors = { ...actors };
    this.#basket = basket;
    this.#routing = routing;
    this.#steppers = steppers;
    this.#bids = bids;
  }

  performed(): Performed {
    const ensemble = { actors: this.#actors, basket: this.#basket, routing: this.#routing };
    return { ensemble, sights: this.#sights };
  }

  enter(name: string): void {
    const first = this.#steppers[name]?.initial();
    if (first !== undefined) this.#work(name, () => first);
  }

  cue(cue: Cue): void {
    if (cue.type === 'timer') this.#send(cue.actor, cue.event);
    else if (cue.type === 'leave') {
      this.#send(MEETING, { ...{ seat: cue.seat }, type: 'seat.left' });
    } else {
      const { to, stamp, bid } = cue;
      this.#send(playerId(bid.seat), { ...{ to, stamp, bid }, type: 'mind.answered' });
    }
  }

  #send(to: string, event: EventObject): void {
    const waiting = this.#busy.get(to);
    if (waiting !== undefined) {
      waiting.push(event);
      return;
    }
    const stepper = this.#steppers[to];
    const rest = this.#actors[to];
    if (stepper === undefined || rest === undefined) throw new Error(`nobody is called ${to}`);
    if (rest.status === 'active') this.#work(to, () => stepper.step(rest, event));
  }

  /** Takes a step, sees its effects through, and then takes what has come meanwhile. */
  #work(name: string, step: () => Leap): void {
    const waiting: EventObject[] = [];
    this.#busy.set(name, waiting);
    const { point, effects } = step();
    this.#actors[name] = point;
    for (const { type, params } of effects) {
      if (type === 'xstate.emit') this.#post(params as Posted); // the charts above emit nothing else
      if (type === 'xstate.sendTo') this.#forward(name, params as { event: EventObject }); // as steppers say it
    }
    if (name === MEETING && point.status === 'done') this.#send(GALLERY, { type: 'meeting.over' });
    this.#busy.delete(name);
    for (const event of waiting) this.#send(name, event);
  }

  /** The arbiter speaks to its parent, the meeting to its arbiter; nobody else uses `sendTo`. */
  #forward(from: string, { event }: { readonly event: EventObject }): void {
    this.#send(from === MEETING ? ARBITER : MEETING, event);
  }

  #post(what: Posted): void {
    switch (what.type) {
      case 'letters':
        this.#deliver(what.letters);
        break;
      case 'facts':
        this.#tell(what.facts, what.table);
        break;
      case 'murmurs':
        for (const fact of what.facts) {
          this.#sights.push({ type: 'murmured', fact });
          this.#deliver(messagesForGhostFact(this.#routing, fact));
        }
        break;
      case 'request': {
        const { seat, request } = what;
        if (request !== null) this.#sights.push({ type: 'asked', seat, request });
        break;
      }
      default:
        what satisfies never;
    }
  }

  #tell(facts: readonly Fact[], table: Table): void {
    for (const fact of facts) this.#sights.push({ type: 'told', fact, table });
    for (const fact of facts) {
      const { audience: routing, messages: letters } = messagesFor(this.#routing, fact, table);
      this.#routing = routing;
      this.#deliver(letters);
    }
  }

  #deliver(letters: readonly OutgoingMessage[]): void {
    for (const { to, message } of letters) {
      if (to === BIDS)
        this.#place(message as ToBids); // the letters to the bid stream have its messages
      else this.#send(to, message);
    }
  }

  #place(message: ToBids): void {
    const opens = message.type === 'bids.awaited' || message.type === 'tick.abandoned';
    this.#basket = opens ? [message] : [...this.#basket, message];
    for (const event of this.#bids(this.#basket)) this.#send(ARBITER, event);
  }
}
