/**
 * A whole meeting as one value that is stepped by hand: the meeting, its arbiter, the players and the gallery. The
 * charts are the real ones. The actors' own functions compute the messages of their effects. Messages are delivered as
 * between actors: at once, or as soon as a busy recipient is done. Timers, answers of minds and departures are inputs.
 */
import {
  chooseStepper,
  type MachineEffect,
  type MachinePoint,
  type MachineStepper,
  type Transition,
} from 'glass-box-checker';
import { type AnyEventObject, type AnyStateMachine, type EventObject, emit } from 'xstate';
import { modelBidStream } from '../../actors/engine/bids.ts';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { MeetingSessionInput } from '../../machines/charts/meetingSession.ts';
import { type PlayerContext, playerMachine } from '../../machines/charts/player.ts';
import {
  ARBITER,
  BIDS,
  GALLERY,
  MEETING,
  playerId,
  type ToArbiter,
  type ToBids,
  type ToPlayer,
} from '../../machines/messages.ts';
import {
  type Audience,
  createAudience,
  messagesFor,
  messagesForGhostFact,
  OUTGOING,
  type OutgoingMessage,
  submitAnswer,
} from '../../machines/outgoing.ts';
import { type MindRequest, requestFor } from '../../machines/request.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { PlayerInput } from '../../machines/rules/views.ts';
import type { Colour } from '../../machines/types.ts';
import { paramsOf } from '../properties/property.ts';
import { listChildren } from '../properties/session.ts';

/** An effect that a chart requests: emitted instead of performed, so that it appears among the effects of a step. */
export type ActorOutput =
  | { readonly type: 'messages'; readonly messages: readonly OutgoingMessage[] }
  | { readonly type: 'facts'; readonly facts: readonly Fact[]; readonly table: Table }
  | { readonly type: 'murmurs'; readonly facts: readonly GhostFact[] }
  | { readonly type: 'request'; readonly seat: Colour; readonly request: MindRequest | null };

const outputOf = (what: ActorOutput): ActorOutput => what;
const sendOutput = (messages: readonly OutgoingMessage[]) =>
  outputOf({ type: 'messages', messages });
const nothing = () => {};

/** The real or a mutated arbiter, changed to emit its messages. */
export function emittingArbiter(machine: typeof arbiterMachine) {
  return machine.provide({
    actions: {
      requestBids: emit(({ context }) => sendOutput(OUTGOING.arbiter.requestBids(context))),
      releaseMissing: emit(({ context, event }) =>
        sendOutput(OUTGOING.arbiter.releaseMissing(context, event)),
      ),
      placeAbsence: emit(({ context, event }) =>
        sendOutput(OUTGOING.arbiter.placeAbsence(context, event)),
      ),
      callTime: emit(({ context }) => sendOutput(OUTGOING.arbiter.callTime(context))),
      noteLate: nothing,
    },
  });
}

export const emittingMachines = {
  arbiter: emittingArbiter(arbiterMachine),
  player: playerMachine.provide({
    actions: {
      consult: emit(({ context, event }) =>
        outputOf({ type: 'request', seat: context.colour, request: requestFor(context, event) }),
      ),
      cancelRequest: nothing,
      submitBid: emit(({ event }) => sendOutput(submitAnswer(event))),
      submitOrder: emit(({ event }) => sendOutput(submitAnswer(event))),
    },
  }),
  gallery: galleryMachine.provide({
    actions: {
      inviteGhosts: emit(({ context }) => sendOutput(OUTGOING.gallery.inviteGhosts(context))),
      drawDice: emit(({ context }) => sendOutput(OUTGOING.gallery.drawDice(context))),
      releaseMissing: emit(({ context }) => sendOutput(OUTGOING.gallery.releaseMissing(context))),
      announceFacts: emit((_, { facts }) => outputOf({ type: 'murmurs', facts })),
    },
  }),
  meeting: meetingMachine.provide({
    actions: {
      announceFacts: emit(({ context }, { facts }) =>
        outputOf({ type: 'facts', facts, table: context }),
      ),
    },
  }),
} as const;

/** Messages that the charts above emit. They emit nothing but outputs. */
export function messagesIn(effects: readonly MachineEffect[]): readonly OutgoingMessage[] {
  return paramsOf<ActorOutput>(effects, 'xstate.emit').flatMap((output) =>
    output.type === 'messages' ? output.messages : [],
  );
}

export type ActorStep = {
  readonly point: MachinePoint<PlayerContext>;
  readonly outputs: readonly ActorOutput[];
};

/** A machine that is only stepped. */
export function modelOf(machine: AnyStateMachine, input: unknown) {
  return { name: machine.id, machine, input, world: () => [], properties: [] };
}

export function createPlayerStepper(input: PlayerInput, machine = emittingMachines.player) {
  const { stepper } = chooseStepper<PlayerContext, EventObject>(modelOf(machine, input));
  const toStep = ({ point, effects }: Transition<PlayerContext>): ActorStep => ({
    point,
    outputs: paramsOf<ActorOutput>(effects, 'xstate.emit'),
  });
  return {
    start: () => toStep(stepper.initial()),
    step: ({ point }: ActorStep, event: EventObject) => toStep(stepper.step(point, event)),
  };
}

/** All actors by name, and their undelivered messages. */
export type SystemState = {
  readonly actors: Readonly<Record<string, MachinePoint<unknown>>>;
  /** The messages to the bid stream since it was last opened. */
  readonly bidMessages: readonly ToBids[];
  readonly audience: Audience;
};

export type SystemObservation =
  | { readonly type: 'asked'; readonly seat: Colour; readonly request: MindRequest }
  | { readonly type: 'told'; readonly fact: Fact; readonly table: Table }
  | { readonly type: 'murmured'; readonly fact: GhostFact };

export type SystemInput =
  | { readonly type: 'timer'; readonly actor: string; readonly event: EventObject }
  | (Pick<Extract<ToPlayer, { type: 'mind.answered' }>, 'to' | 'index' | 'bid'> & {
      readonly type: 'answer';
    })
  | { readonly type: 'leave'; readonly seat: Colour };

export type SystemStep = {
  readonly state: SystemState;
  readonly observations: readonly SystemObservation[];
};

/** A meeting that can be played in every way. `step` does not modify its argument. */
export type MeetingSystem = {
  readonly start: () => SystemStep;
  readonly step: (state: SystemState, input: SystemInput) => SystemStep;
};

/** A system whose charts the checker steps, with the production bid stream or another one. */
export function createMeetingSystem(
  setup: MeetingSessionInput,
  bidStream = modelBidStream,
): MeetingSystem {
  const { setting, ghostBudget } = setup;
  const steppers = createSteppers(setup);
  const bids = (bidMessages: readonly ToBids[]) => bidStream(bidMessages, setting.chance);
  return {
    start: () => {
      const audience = createAudience(setting, { ghostsWatch: ghostBudget !== null, round: null });
      const run = new SystemRun({ actors: {}, bidMessages: [], audience }, { steppers, bids });
      for (const name of Object.keys(steppers)) run.startActor(name);
      return run.finish();
    },
    step: (state, input) => {
      const run = new SystemRun(state, { steppers, bids });
      run.accept(input);
      return run.finish();
    },
  };
}

/** What a step does not change: the charts, and the bid stream. */
type Outside = {
  readonly steppers: Readonly<Record<string, MachineStepper<unknown, EventObject>>>;
  readonly bids: (bidMessages: readonly ToBids[]) => readonly ToArbiter[];
};

/** In the start order of a meeting's actors. */
function createSteppers(session: MeetingSessionInput): Outside['steppers'] {
  const { chance, options, seats } = session.setting;
  const stepper = (machine: AnyStateMachine, input: unknown) =>
    chooseStepper<unknown, EventObject>(modelOf(machine, input)).stepper;
  return {
    ...Object.fromEntries(
      session.players.map((input) => [
        playerId(input.colour),
        stepper(emittingMachines.player, input),
      ]),
    ),
    [GALLERY]: stepper(emittingMachines.gallery, listChildren(session)[GALLERY]),
    [ARBITER]: stepper(emittingMachines.arbiter, {
      chance,
      options,
      seated: seats.map(({ colour }) => colour),
    }),
    [MEETING]: stepper(emittingMachines.meeting, session.setting),
  };
}

/** The system during one input. It delivers messages until every actor rests. */
class SystemRun {
  readonly #actors: Record<string, MachinePoint<unknown>>;
  readonly #outside: Outside;
  readonly #observations: SystemObservation[] = [];
  readonly #busy = new Map<string, EventObject[]>();
  #bidMessages: readonly ToBids[];
  #audience: Audience;

  constructor({ actors, bidMessages, audience }: SystemState, outside: Outside) {
    this.#actors = { ...actors };
    this.#bidMessages = bidMessages;
    this.#audience = audience;
    this.#outside = outside;
  }

  finish(): SystemStep {
    const [actors, bidMessages, audience] = [this.#actors, this.#bidMessages, this.#audience];
    return { state: { actors, bidMessages, audience }, observations: this.#observations };
  }

  startActor(name: string): void {
    const first = this.#outside.steppers[name]?.initial();
    if (first !== undefined) this.#work(name, () => first);
  }

  accept(input: SystemInput): void {
    if (input.type === 'timer') this.#send(input.actor, input.event);
    else if (input.type === 'leave') this.#send(MEETING, { ...input, type: 'seat.left' });
    else this.#send(playerId(input.bid.seat), { ...input, type: 'mind.answered' });
  }

  #send(to: string, event: AnyEventObject): void {
    const waiting = this.#busy.get(to);
    if (waiting !== undefined) {
      waiting.push(event);
      return;
    }
    const stepper = this.#outside.steppers[to];
    const rest = this.#actors[to];
    if (stepper === undefined || rest === undefined) throw new Error(`no actor is called ${to}`);
    if (rest.status === 'active') this.#work(to, () => stepper.step(rest, event));
  }

  /** Takes a step, performs its effects, and then delivers the pending messages. */
  #work(name: string, step: () => Transition<unknown>): void {
    const waiting: EventObject[] = [];
    this.#busy.set(name, waiting);
    const { point, effects } = step();
    this.#actors[name] = point;
    for (const { type, params } of effects) {
      if (type === 'xstate.emit') this.#post(params as ActorOutput); // the charts above emit nothing else
      if (type !== 'xstate.sendTo') continue;
      // The arbiter sends to its parent, and the meeting to its arbiter. No other chart uses `sendTo`.
      const { event } = params as { event: EventObject }; // as steppers say it
      this.#send(name === MEETING ? ARBITER : MEETING, event);
    }
    if (name === MEETING && point.status === 'done') this.#send(GALLERY, { type: 'meeting.over' });
    this.#busy.delete(name);
    for (const event of waiting) this.#send(name, event);
  }

  #post(what: ActorOutput): void {
    switch (what.type) {
      case 'messages':
        this.#deliver(what.messages);
        break;
      case 'facts':
        this.#tell(what.facts, what.table);
        break;
      case 'murmurs':
        for (const fact of what.facts) {
          this.#observations.push({ type: 'murmured', fact });
          this.#deliver(messagesForGhostFact(this.#audience, fact));
        }
        break;
      case 'request': {
        const { seat, request } = what;
        if (request !== null) this.#observations.push({ type: 'asked', seat, request });
        break;
      }
      default:
        what satisfies never;
    }
  }

  #tell(facts: readonly Fact[], table: Table): void {
    for (const fact of facts) this.#observations.push({ type: 'told', fact, table });
    for (const fact of facts) {
      const { audience, messages } = messagesFor(this.#audience, fact, table);
      this.#audience = audience;
      this.#deliver(messages);
    }
  }

  #deliver(messages: readonly OutgoingMessage[]): void {
    for (const { to, message } of messages) {
      if (to === BIDS)
        this.#place(message as ToBids); // the letters to the bid stream have its messages
      else this.#send(to, message);
    }
  }

  #place(message: ToBids): void {
    const opens = message.type === 'bids.awaited' || message.type === 'tick.abandoned';
    this.#bidMessages = opens ? [message] : [...this.#bidMessages, message];
    for (const event of this.#outside.bids(this.#bidMessages)) this.#send(ARBITER, event);
  }
}
