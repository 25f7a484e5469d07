/** Checks a machine directly. The types of context and events, the ends of children and the timers come from it. */
import type { AnyStateMachine, ContextFrom, EventFromLogic, EventObject, InputFrom } from 'xstate';
import { createBareEvents } from './bareEvents.ts';
import {
  type CheckOptions,
  type CheckResult,
  check as checkModel,
  checkInTurns as checkModelInTurns,
} from './check.ts';
import { deadlockFree, neverFails } from './claims.ts';
import { canMatch } from './configurations.ts';
import { listIdleActions } from './missingNames.ts';
import { DEFAULT_BUDGET, type Model, type Property, type State, UNLIMITED } from './model.ts';
import { createOutcomeEvents, type Outcomes, readEvents } from './outcomes.ts';
import { remember } from './values.ts';

/** The end of a child, if `world` lists it itself. */
type ChildEnd =
  | { readonly type: `xstate.done.actor.${string}`; readonly output?: unknown }
  | { readonly type: `xstate.error.actor.${string}`; readonly error?: unknown }
  | { readonly type: `xstate.snapshot.${string}`; readonly snapshot?: unknown };

export type MachineEvent<M extends AnyStateMachine> = EventFromLogic<M> | ChildEnd;

type InputField<M extends AnyStateMachine> =
  undefined extends InputFrom<M>
    ? { readonly input?: InputFrom<M> }
    : { readonly input: InputFrom<M> };

/** The events from outside, and the properties to check. */
export type MachineQuestion<M extends AnyStateMachine> = InputField<M> &
  Pick<Model<ContextFrom<M>, EventFromLogic<M>>, 'codec' | 'view' | 'symmetry' | 'snapshots'> &
  CheckOptions<ContextFrom<M>> & {
    /** The machine's name in reports. The default is its id. */
    readonly name?: string;
    /** Events that may come in every state that has a transition for them. Default: the events of the chart, without payloads. */
    readonly events?: readonly MachineEvent<M>[];
    /** The events that may come next in a state, instead of `events`. */
    readonly world?: (state: State<ContextFrom<M>>) => readonly MachineEvent<M>[];
    readonly outcomes?: Outcomes;
    readonly properties?: readonly Property<ContextFrom<M>, EventFromLogic<M>>[];
    /** Whether to ask as well if the machine gets stuck or fails. The default is true. */
    readonly defaults?: boolean;
  };

export type MachineCheck<M extends AnyStateMachine> = CheckResult<
  EventFromLogic<M> | EventObject
> & {
  /** One sentence for each assumption and each omission. */
  readonly warnings: readonly string[];
};

/** Checks every property in all reachable states of a machine. Throws `Unhashable` for a context without identity. */
export function check<M extends AnyStateMachine>(
  machine: M,
  question: MachineQuestion<M>,
): MachineCheck<M>;
/** Checks a model. Throws `Unhashable` for a context without exact identity. */
export function check<C, E extends EventObject>(
  model: Model<C, E>,
  options?: CheckOptions<C>,
): CheckResult<E | EventObject>;
export function check(
  subject: AnyStateMachine | Model<unknown, EventObject>,
  asked: unknown = {},
): CheckResult<EventObject> {
  const { model, options, warn } = prepareSubject(subject, asked);
  return warn(checkModel(model, options));
}

type UntypedQuestion = CheckOptions &
  Partial<Model<unknown, EventObject>> & {
    readonly events?: readonly EventObject[];
    readonly outcomes?: Outcomes;
    readonly defaults?: boolean;
  };

/** Like `check`, but it yields to the rest of the process twenty times a second, so a `signal` can end it. */
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
  const { model, options, warn } = prepareSubject(subject, asked);
  return warn(await checkModelInTurns(model, options));
}

/** The overloads above pair the types of subject and question. Only a machine has warnings. */
function prepareSubject(subject: AnyStateMachine | Model<unknown, EventObject>, asked: unknown) {
  if ('world' in subject) {
    const { budget = { ...UNLIMITED, states: DEFAULT_BUDGET.states } } = asked as CheckOptions;
    const warn = (found: CheckResult<EventObject>) => found;
    return { model: subject, options: { ...(asked as CheckOptions), budget }, warn };
  }
  const prepared = prepareMachine(subject, asked as UntypedQuestion);
  const { model, options, warnings, refuseRead } = prepared;
  const warn = (found: CheckResult<EventObject>) => {
    refuseRead?.();
    return { ...found, warnings: warnings() };
  };
  return { model, options, warn };
}

export function prepareMachine(
  machine: AnyStateMachine,
  { name = machine.id, events, world, outcomes = {}, input, ...asked }: UntypedQuestion,
) {
  const { properties = [], defaults = true, codec, view, symmetry, snapshots, ...rest } = asked;
  const options = { ...rest, budget: rest.budget ?? DEFAULT_BUDGET };
  const bare = (world ?? events) === undefined ? createBareEvents(machine) : null;
  const listed = readEvents('events', events ?? bare?.events ?? []);
  const ends = createOutcomeEvents(machine, outcomes, world ?? createWorld(listed));
  const model: Model<unknown, EventObject> = {
    name,
    machine,
    input,
    world: ends.at,
    properties: defaults ? addDefaults(properties) : properties,
    ...{ codec, view, symmetry, snapshots },
  };
  const warnings = () => [
    ...ends.warnings(),
    ...Object.keys(snapshots ?? {}).map(
      (id) => `the search assumed that the snapshot of ${id} stays as given`,
    ),
    ...listIdleActions(machine).map(
      (name) => `the action ${name} has no implementation, so it changes nothing`,
    ),
  ];
  return { model, options, warnings, refuseRead: bare?.refuseRead };
}

/** The properties, and whether the machine gets stuck or fails, unless they ask that already. */
export function addDefaults<C, E>(
  properties: readonly Property<C, E>[],
): readonly Property<C, E>[] {
  const known = new Set(properties.flatMap(({ name, kind }) => [name, kind]));
  return [
    ...properties,
    ...[deadlockFree<C, E>(), neverFails<C, E>()].filter(
      ({ name, kind }) => !known.has(name) && (kind === 'never' || !known.has(kind)),
    ),
  ];
}

function createWorld(events: readonly EventObject[]) {
  const known = new Map<State<unknown>['nodes'], readonly EventObject[]>();
  return ({ nodes }: State<unknown>) =>
    remember(known, nodes, () =>
      events.filter(({ type }) =>
        nodes.some(({ transitions }) => [...transitions.keys()].some((one) => canMatch(one, type))),
      ),
    );
}
