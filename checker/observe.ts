/**
 * Judges properties on a running actor, which shows one run up to now. A property of states or steps is violated for
 * good or kept so far. A liveness property stays open until it is fulfilled or the machine ends.
 */
import type {
  Actor,
  AnyActorRef,
  AnyStateMachine,
  ContextFrom,
  EventFromLogic,
  EventObject,
} from 'xstate';
import { nameConfiguration, readChart, sortNodes } from './chart.ts';
import {
  type MachineStart,
  type MachineStep,
  type Property,
  type PropertyResult,
  readAnswer,
  type State,
} from './model.ts';
import { isViolated, judgeStart, judgeState, judgeStep } from './properties.ts';
import type { MachineEffect } from './stepper.ts';
import { normaliseEffect } from './xstateStepper.ts';

/**
 * `kept`: held in everything seen and applied `applied` times. `violated`: `events` are the last events up to the
 * violation. `open`: not decided yet. `unjudged`: a single run cannot decide it.
 */
export type ObservedVerdict =
  | { readonly type: 'kept'; readonly applied: number }
  | { readonly type: 'violated'; readonly at: string; readonly events: readonly EventObject[] }
  | { readonly type: 'open'; readonly why: string }
  | { readonly type: 'unjudged'; readonly why: string };

export type ObservedProperty = Pick<PropertyResult<never>, 'name' | 'sentence' | 'kind'> & {
  readonly verdict: ObservedVerdict;
};

export type ActorObservation = {
  results(): readonly ObservedProperty[];
  /** Ends the observation. The results stay available. */
  stop(): void;
};

export type ObserveOptions = {
  /** Called once for each violated property. */
  readonly onViolation?: (violated: ObservedProperty) => void;
};

const MOST_EVENTS = 1000;

/** Judges properties on an actor from now on. If it is not started yet, the first state counts too. */
export function observe<M extends AnyStateMachine>(
  actor: Actor<M>,
  properties: readonly Property<ContextFrom<M>, EventFromLogic<M>>[],
  { onViolation }: ObserveOptions = {},
): ActorObservation {
  type C = ContextFrom<M>;
  const judges = properties.map((property) => new PropertyJudge<C, EventFromLogic<M>>(property));
  const events: EventObject[] = [];
  let effects: MachineEffect[] = [];
  let before: State<C> | null = null;
  const tell = (look: (judge: PropertyJudge<C, EventFromLogic<M>>) => boolean) => {
    for (const judge of judges) if (look(judge)) onViolation?.(judge.result());
  };
  const see = (state: State<C>) => tell((judge) => judge.onState(state, events));
  const subscription = actor.system.inspect((inspected) => {
    if (inspected.actorRef !== actor) return;
    if (inspected.type === '@xstate.action') {
      const effect = normaliseEffect(inspected.action.type, inspected.action.params, actor);
      if (effect !== null) effects.push(effect);
    }
    if (inspected.type !== '@xstate.snapshot') return;
    const after = readState<C>(actor.logic, inspected.snapshot);
    const event = inspected.event as EventFromLogic<M>; // what came is an event of this machine
    const from = before;
    const wanted = effects;
    before = after;
    effects = [];
    if (after.status === 'stopped') see(after);
    else if (from === null) tell((judge) => judge.onStart({ state: after, effects: wanted }));
    else {
      if (events.push(event) > MOST_EVENTS) events.shift();
      tell((judge) => judge.onStep({ before: from, event, after, effects: wanted }, events));
    }
    if (after.status !== 'stopped') see(after);
  });
  /** An error that a function of the machine throws ends the actor without an inspection event. */
  const seeEnd = () => {
    const snapshot: { readonly status: State<C>['status'] } = actor.getSnapshot();
    if (isOver || before === null || snapshot.status === before.status) return;
    before = readState<C>(actor.logic, snapshot);
    see(before);
  };
  let isOver = false;
  // An unstarted actor emits its first state when it starts.
  if (Reflect.get(actor, '_processingStatus') !== 0) {
    before = readState<C>(actor.logic, actor.getSnapshot());
    see(before);
  }
  return {
    results: () => {
      seeEnd();
      return judges.map((judge) => judge.result());
    },
    stop: () => {
      seeEnd();
      isOver = true;
      subscription.unsubscribe();
    },
  };
}

function readState<C>(machine: AnyStateMachine, snapshot: unknown): State<C> {
  const { _nodes, context, tags, status, children } = snapshot as ReturnType<
    typeof machine.getInitialSnapshot
  >;
  return {
    at: nameConfiguration(sortNodes(readChart(machine), _nodes)),
    tags,
    context: context as C, // the machine's own context: C is the caller's word for it
    status,
    isDone: status === 'done',
    nodes: _nodes,
    children: Object.entries(children)
      .filter(([, child]) => (child as AnyActorRef | undefined)?.getSnapshot().status === 'active')
      .map(([id]) => id)
      .sort(),
  };
}

class PropertyJudge<C, E extends EventObject> {
  readonly #property: Property<C, E>;
  #violation: ObservedVerdict | null = null;
  #applied = 0;
  #status: State<C>['status'] = 'active';
  #isWaiting: boolean;

  constructor(property: Property<C, E>) {
    this.#property = property;
    this.#isWaiting = property.kind === 'eventually' || property.kind === 'sometimes';
  }

  result(): ObservedProperty {
    const { name, sentence = name, kind } = this.#property;
    return { name, sentence, kind, verdict: this.#violation ?? this.#standing() };
  }

  /** True if the start violates the property for the first time. */
  onStart(start: MachineStart<C>): boolean {
    const holds = judgeStart(this.#property, start);
    if (holds !== null) this.#applied += 1;
    return isViolated(holds) && this.#violate(start.state.at, []);
  }

  onStep(step: MachineStep<C, E>, events: readonly EventObject[]): boolean {
    const holds = this.#violation === null ? judgeStep(this.#property, step) : null;
    if (holds !== null) this.#applied += 1;
    return isViolated(holds) && this.#violate(step.before.at, events);
  }

  onState(state: State<C>, events: readonly EventObject[]): boolean {
    const property = this.#property;
    this.#status = state.status;
    if (this.#violation !== null || state.status === 'stopped') return false;
    switch (property.kind) {
      case 'always':
      case 'never':
        this.#applied += 1;
        return judgeState(property, state) === false && this.#violate(state.at, events);
      case 'sometimes':
        if (readAnswer(property, property.holds(state))) this.#fulfil();
        return false;
      case 'leads-to':
        if (readAnswer(property, property.from(state))) this.#isWaiting = true;
        return this.#await(readAnswer(property, property.holds(state)), state, events);
      case 'eventually':
        return this.#await(readAnswer(property, property.holds(state)), state, events);
      default:
        return false;
    }
  }

  /** A machine that is done or has failed cannot fulfil a property any more. */
  #await(holds: boolean, state: State<C>, events: readonly EventObject[]): boolean {
    if (holds && this.#isWaiting) this.#fulfil();
    return this.#isWaiting && state.status !== 'active' && this.#violate(state.at, events);
  }

  #fulfil(): void {
    this.#applied += 1;
    this.#isWaiting = false;
  }

  #violate(at: string, events: readonly EventObject[]): true {
    this.#violation = { type: 'violated', at, events: [...events] };
    return true;
  }

  #standing(): ObservedVerdict {
    const { kind } = this.#property;
    if (kind === 'deadlock-free') return { type: 'unjudged', why: 'a single run cannot show it' };
    if (this.#isWaiting && this.#status !== 'active')
      return { type: 'unjudged', why: `this run ended (${this.#status}) before it was fulfilled` };
    if (this.#isWaiting) return { type: 'open', why: 'it is not fulfilled yet' };
    if (kind === 'start' && this.#applied === 0)
      return { type: 'unjudged', why: 'the actor was already running when the observation began' };
    return { type: 'kept', applied: this.#applied };
  }
}
