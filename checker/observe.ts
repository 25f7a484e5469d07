/**
 * ActorObservation: the properties of a model, judged on an actor that runs.
 *
 * An actor shows one run, up to now. What must hold in every state or step is broken for good or kept so far; what must
 * come at last stays open until it comes, or until the machine is done without it.
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
import type { MachineStep, Property, State } from './model.ts';
import type { MachineEffect } from './stepper.ts';
import { normaliseEffect } from './xstateStepper.ts';

/**
 * `kept`: so it was in all that was seen, `applied` times. `violated`: `events` are the last ones up to there. `open`:
 * not decided yet. `unjudged`: a run can't show it.
 */
export type ObservedVerdict =
  | { readonly type: 'kept'; readonly applied: number }
  | { readonly type: 'violated'; readonly at: string; readonly events: readonly EventObject[] }
  | { readonly type: 'open'; readonly why: string }
  | { readonly type: 'unjudged'; readonly why: string };

export type ObservedProperty = {
  readonly name: string;
  readonly sentence: string;
  readonly kind: string;
  readonly verdict: ObservedVerdict;
};

export type ActorObservation = {
  /** Every property as it stands now. */
  results(): readonly ObservedProperty[];
  /** Ends the observation; what was found stays. */
  stop(): void;
};

export type ObserveOptions = {
  /** Called once for each property, when it is violated. */
  readonly onViolation?: (violated: ObservedProperty) => void;
};

/** As many events are kept of a run. */
const MOST_EVENTS = 1000;

/** Judges properties on an actor from now on; before it is started, from its first state on. */
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
    if (from === null) tell((judge) => judge.onStart({ state: after, effects: wanted }));
    else {
      if (events.push(event) > MOST_EVENTS) events.shift();
      tell((judge) => judge.onStep({ before: from, event, after, effects: wanted }, events));
    }
    see(after);
  });
  const now = actor.getSnapshot();
  if (isRunning(actor)) {
    before = readState<C>(actor.logic, now);
    see(before);
  }
  return {
    results: () => judges.map((judge) => judge.result()),
    stop: () => subscription.unsubscribe(),
  };
}

/** An actor that was not started yet shows its first state when it is. */
function isRunning(actor: object): boolean {
  return Reflect.get(actor, '_processingStatus') !== 0;
}

function readState<C>(machine: AnyStateMachine, snapshot: unknown): State<C> {
  // What a machine shows of itself is a snapshot of a machine.
  const { _nodes, context, tags, status, children } = snapshot as ReturnType<
    typeof machine.getInitialSnapshot
  >;
  return {
    at: nameConfiguration(sortNodes(readChart(machine), _nodes)),
    tags,
    context: context as C, // the machine's own context: C is the caller's word for it
    isDone: status !== 'active',
    children: Object.entries(children)
      .filter(([, child]) => isActive(child))
      .map(([id]) => id)
      .sort(),
  };
}

function isActive(child: unknown): boolean {
  return (child as AnyActorRef | undefined)?.getSnapshot().status === 'active'; // children are actors
}

class PropertyJudge<C, E extends EventObject> {
  readonly #property: Property<C, E>;
  #violation: ObservedVerdict | null = null;
  #applied = 0;
  /** Something that was to come has not come yet. */
  #isWaiting: boolean;

  constructor(property: Property<C, E>) {
    this.#property = property;
    this.#isWaiting = property.kind === 'eventually' || property.kind === 'sometimes';
  }

  result(): ObservedProperty {
    const { name, sentence, kind } = this.#property;
    return { name, sentence, kind, verdict: this.#violation ?? this.#standing() };
  }

  /** True when that has violated the property for the first time. */
  onStart(start: {
    readonly state: State<C>;
    readonly effects: readonly MachineEffect[];
  }): boolean {
    const property = this.#property;
    if (property.kind !== 'start') return false;
    this.#applied += 1;
    return !property.holds(start) && this.#violate(start.state.at, []);
  }

  onStep(step: MachineStep<C, E>, events: readonly EventObject[]): boolean {
    const property = this.#property;
    if (property.kind !== 'step' || this.#violation !== null) return false;
    if (property.when !== undefined && !property.when(step)) return false;
    this.#applied += 1;
    return !property.holds(step) && this.#violate(step.before.at, events);
  }

  onState(state: State<C>, events: readonly EventObject[]): boolean {
    const property = this.#property;
    if (this.#violation !== null) return false;
    switch (property.kind) {
      case 'always':
      case 'never':
        this.#applied += 1;
        return (
          property.holds(state) !== (property.kind === 'always') && this.#violate(state.at, events)
        );
      case 'sometimes':
        if (property.holds(state)) this.#fulfil();
        return false;
      case 'leads-to':
        if (property.from(state)) this.#isWaiting = true;
        return this.#await(property.holds(state), state, events);
      case 'eventually':
        return this.#await(property.holds(state), state, events);
      default:
        return false;
    }
  }

  /** A machine that is done brings nothing any more. */
  #await(holds: boolean, state: State<C>, events: readonly EventObject[]): boolean {
    if (holds && this.#isWaiting) this.#fulfil();
    return this.#isWaiting && state.isDone && this.#violate(state.at, events);
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
    if (kind === 'deadlock-free') {
      return { type: 'unjudged', why: 'a run does not show what could have come' };
    }
    if (this.#isWaiting) return { type: 'open', why: 'it has not come yet' };
    if (kind === 'start' && this.#applied === 0) {
      return { type: 'unjudged', why: 'the actor ran already when the observation began' };
    }
    return { type: 'kept', applied: this.#applied };
  }
}
