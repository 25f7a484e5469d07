/**
 * A check of a machine as it stands: types of context and events are the machine's own, and so are the ends of its
 * children and its timers.
 */
import type { AnyStateMachine, ContextFrom, EventFromLogic, EventObject, InputFrom } from 'xstate';
import { nameNode, readChart } from './chart.ts';
import {
  type CheckOptions,
  type CheckResult,
  check as checkModel,
  checkInTurns as checkModelInTurns,
} from './check.ts';
import { isWildcardFor } from './configurations.ts';
import type { Model, Property, State } from './model.ts';
import { OutcomeEvents, type Outcomes } from './outcomes.ts';

/** The end of a child, where the world lists it itself. */
type ChildEnd =
  | { readonly type: `xstate.done.actor.${string}`; readonly output?: unknown }
  | { readonly type: `xstate.error.actor.${string}`; readonly error?: unknown }
  | { readonly type: `xstate.snapshot.${string}`; readonly snapshot?: unknown };

/** An event of a machine, or the end of one of its children. */
export type MachineEvent<M extends AnyStateMachine> = EventFromLogic<M> | ChildEnd;

/** A machine that needs an input gets one; to others it may be given. */
type InputField<M extends AnyStateMachine> =
  undefined extends InputFrom<M>
    ? { readonly input?: InputFrom<M> }
    : { readonly input: InputFrom<M> };

/** What may come from outside of a machine, and what is claimed of it. */
export type MachineQuestion<M extends AnyStateMachine> = InputField<M> &
  Pick<Model<ContextFrom<M>, EventFromLogic<M>>, 'codec' | 'view' | 'symmetry'> &
  CheckOptions<ContextFrom<M>> & {
    /** How the machine is called in reports; its id unless set. */
    readonly name?: string;
    /** The events that may come in every state that has a transition for them. */
    readonly events?: readonly MachineEvent<M>[];
    /** The events that may come next in a state, instead of `events`. */
    readonly world?: (state: State<ContextFrom<M>>) => readonly MachineEvent<M>[];
    /** How children end, by their ids. */
    readonly outcomes?: Outcomes;
    readonly properties: readonly Property<ContextFrom<M>, EventFromLogic<M>>[];
  };

export type MachineCheck<M extends AnyStateMachine> = CheckResult<
  EventFromLogic<M> | EventObject
> & {
  /** What was assumed of the machine's children or left out of the search, a sentence each. */
  readonly warnings: readonly string[];
};

/** Checks a machine: every state that it can reach, and every property. */
export function check<M extends AnyStateMachine>(
  machine: M,
  question: MachineQuestion<M>,
): MachineCheck<M>;
/** Checks a model. */
export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options?: CheckOptions<C>,
): CheckResult<E | EventObject>;
export function check(
  subject: AnyStateMachine | Model<unknown, EventObject>,
  asked: unknown = {},
): CheckResult<EventObject> {
  // The overloads above say which goes with which.
  if ('world' in subject) return checkModel(subject, asked as CheckOptions);
  return checkMachine(subject, asked as UntypedQuestion);
}

type UntypedQuestion = CheckOptions &
  Partial<Model<unknown, EventObject>> & {
    readonly events?: readonly EventObject[];
    readonly outcomes?: Outcomes;
    readonly properties: readonly Property<unknown, EventObject>[];
  };

/** Checks a machine or a model, and gives way to everything else that the process does: a `signal` is heard meanwhile. */
export function checkInTurns<M extends AnyStateMachine>(
  machine: M,
  question: MachineQuestion<M>,
): Promise<MachineCheck<M>>;
export function checkInTurns<C, E extends EventObject>(
  model: Model<C, E>,
  options?: CheckOptions<C>,
): Promise<CheckResult<E | EventObject>>;
export async function checkInTurns(
  subject: AnyStateMachine | Model<unknown, EventObject>,
  asked: unknown = {},
): Promise<CheckResult<EventObject>> {
  // The overloads above say which goes with which.
  if ('world' in subject) return checkModelInTurns(subject, asked as CheckOptions);
  const { model, options, ends } = prepareMachine(subject, asked as UntypedQuestion);
  const found = await checkModelInTurns(model, options);
  return { ...found, warnings: ends.warnings() } as MachineCheck<AnyStateMachine>;
}

function checkMachine(
  machine: AnyStateMachine,
  question: UntypedQuestion,
): MachineCheck<AnyStateMachine> {
  const { model, options, ends } = prepareMachine(machine, question);
  return { ...checkModel(model, options), warnings: ends.warnings() };
}

/** A machine as a model. */
function prepareMachine(
  machine: AnyStateMachine,
  { name = machine.id, events, world, outcomes = {}, input, ...asked }: UntypedQuestion,
): {
  readonly model: Model<unknown, EventObject>;
  readonly options: CheckOptions;
  readonly ends: OutcomeEvents<unknown>;
} {
  const { properties, codec, view, symmetry, ...options } = asked;
  const ends = new OutcomeEvents(machine, outcomes, world ?? createWorld(machine, events ?? []));
  const model: Model<unknown, EventObject> = {
    name,
    machine,
    input,
    world: (state) => ends.at(state),
    properties,
    ...(codec === undefined ? {} : { codec }),
    ...(view === undefined ? {} : { view }),
    ...(symmetry === undefined ? {} : { symmetry }),
  };
  return { model, options, ends };
}

/** The events that some active state has a transition for. */
function createWorld(
  machine: AnyStateMachine,
  events: readonly EventObject[],
): (state: State<unknown>) => readonly EventObject[] {
  const known = new Map<string, readonly EventObject[]>();
  return ({ at }) => {
    const there = known.get(at) ?? events.filter(({ type }) => isAccepted(machine, at, type));
    known.set(at, there);
    return there;
  };
}

function isAccepted(machine: AnyStateMachine, at: string, type: string): boolean {
  const leaves = at.split(' & ');
  return readChart(machine).nodes.some((node) => {
    const name = nameNode(node);
    const isActive =
      node.parent === undefined ||
      leaves.some((leaf) => leaf === name || leaf.startsWith(`${name}.`));
    return (
      isActive &&
      [...node.transitions.keys()].some((one) => one === type || isWildcardFor(one, type))
    );
  });
}
