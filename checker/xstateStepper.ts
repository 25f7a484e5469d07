/** Uses XState itself as a stepper: slower, but it supports every machine and is the compiled one's reference. */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createEmptyActor,
  type EventObject,
} from 'xstate';
import { nameConfiguration, noteChild, readChart, sortNodes } from './chart.ts';
import { createHistory, readHistory } from './history.ts';
import {
  applyTimers,
  createEndlessStep,
  createExternalRecipient,
  endChild,
  hasEnded,
  type MachineEffect,
  MachineFault,
  type MachinePlace,
  type MachinePoint,
  type MachineStepper,
  MOST_MICROSTEPS,
  markEnded,
  nameChild,
  nameRecipient,
  readSnapshot,
  removeFiredTimer,
  STATUSES,
  type Transition,
} from './stepper.ts';
import { readField, remember } from './values.ts';

/** Steps a machine with XState's own `transition` in a scope that performs no effects. */
export function createXstateStepper<C, E extends EventObject>(
  machine: AnyStateMachine,
  input: unknown,
): MachineStepper<C, E> {
  return new XstateStepper<C, E>(machine, input);
}

type RecordedMacrostep = { effects: MachineEffect[]; taken: number[]; microsteps: number };

class XstateStepper<C, E extends EventObject> implements MachineStepper<C, E> {
  readonly engine = 'xstate';
  readonly guards = null;
  readonly #machine: AnyStateMachine;
  readonly #input: unknown;
  readonly #places = new Map<string, MachinePlace>();
  readonly #snapshots = new WeakMap<MachinePoint<C>, AnyMachineSnapshot>();
  readonly #recorded: RecordedMacrostep = { effects: [], taken: [], microsteps: 0 };
  readonly #scope;
  /** The running children with a system id. */
  readonly #named = new Map<unknown, unknown>();
  #children: AnyMachineSnapshot['children'] = {};
  /** Ids below this number were given to children in the current step. */
  #booked = 0;

  constructor(machine: AnyStateMachine, input: unknown) {
    this.#machine = machine;
    this.#input = input;
    this.#scope = this.#newScope();
  }

  initial(): Transition<C> {
    this.#begin({});
    // Uses a separate scope, because an invoked child registers its name once per system.
    const snapshot = this.#machine.getInitialSnapshot(this.#newScope(), this.#input);
    // A start that throws gives a snapshot with the error.
    if (snapshot.status === 'error') throw snapshot.error;
    return this.#toTransition(snapshot, [], []);
  }

  step(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    if (point.status !== 'active') return { point, effects: [], taken: [] };
    const before = remember(this.#snapshots, point, () => this.#rebuild(point));
    const timers = removeFiredTimer(point.timers, event);
    this.#begin(before.children);
    const over = endChild(point.children, event).filter(hasEnded).map(nameChild);
    for (const [id, child] of Object.entries(this.#children)) {
      if (!over.includes(id)) this.#named.set(nameInSystem(child), child);
    }
    const after = this.#machine.transition(before, event, this.#scope);
    // A child that was restarted under its id has not ended.
    const ended = over.filter((id) => before.children[id] === after.children[id]);
    return this.#toTransition(after, timers, ended);
  }

  #begin(children: AnyMachineSnapshot['children']): void {
    this.#children = children;
    this.#named.clear();
    Object.assign(this.#recorded, { effects: [], taken: [], microsteps: 0 });
    this.#booked = 0;
  }

  #toTransition(
    snapshot: AnyMachineSnapshot,
    timers: MachinePoint<C>['timers'],
    ended: readonly string[],
  ): Transition<C> {
    const { effects, taken } = this.#recorded;
    const isActive = snapshot.status === 'active';
    // XState stops the children of a finished machine in an arbitrary order.
    if (snapshot.status === 'done') sortLast(effects, Object.keys(snapshot.children).length);
    if (snapshot.status === 'error') sortLast(effects, effects.length);
    if (snapshot.status === 'done' && this.#machine.root.output !== undefined)
      effects.push({ type: 'xstate.output', params: snapshot.output });
    const point: MachinePoint<C> = {
      place: this.#placeOf(snapshot),
      context: snapshot.context as C, // the machine's own context: C is the caller's word for it
      timers: isActive ? applyTimers(timers, effects, this.#machine) : [],
      status: STATUSES.find((known) => known === snapshot.status) ?? 'error',
      history: describeHistory(this.#machine, snapshot),
      children: isActive ? markEnded(Object.keys(snapshot.children), ended) : [],
    };
    for (const [id, child] of Object.entries(snapshot.children))
      noteChild(this.#machine, id, readField(child, 'logic'));
    this.#snapshots.set(point, snapshot);
    return { point, effects, taken };
  }

  #placeOf(snapshot: AnyMachineSnapshot): MachinePlace {
    const nodes = sortNodes(readChart(this.#machine), snapshot._nodes);
    const key = nodes.map(({ order }) => order).join();
    return remember(this.#places, key, () => ({
      number: this.#places.size,
      name: nameConfiguration(nodes),
      value: snapshot.value,
      nodes,
      tags: snapshot.tags,
    }));
  }

  /** The snapshot of a point of another stepper. */
  #rebuild(point: MachinePoint<C>): AnyMachineSnapshot {
    const { value, nodes } = point.place;
    const remembered = [...readHistory(this.#machine, point.history).nodes];
    const resolved = this.#machine.resolveState({
      value,
      context: point.context,
      status: point.status === 'active' ? 'active' : 'done',
      historyValue: Object.fromEntries(remembered.map(([{ id }, entered]) => [id, [...entered]])),
    });
    const children = Object.fromEntries(
      point.children.map(nameChild).map((id) => [id, Object.assign(createEmptyActor(), { id })]),
    );
    return Object.assign(resolved, { value, _nodes: [...nodes], children });
  }

  #freeId(): string {
    for (let number = this.#booked; ; number++) {
      if (`x:${number}` in this.#children) continue;
      this.#booked = number + 1;
      return `x:${number}`;
    }
  }

  #newScope() {
    const self = createExternalRecipient();
    const recorded = this.#recorded;
    const chart = readChart(this.#machine);
    const nothing = () => {};
    const system = Object.assign(Object.create(self.system), {
      // A child spawned without an id gets the smallest free number, the same in every search.
      _bookId: () => this.#freeId(),
      _set: (name: string, child: unknown) => {
        if ((this.#named.get(name) ?? child) !== child)
          throw new Error(`Actor with system ID '${name}' already exists.`);
        this.#named.set(name, child);
      },
      _sendInspectionEvent: (inspected: {
        type: string;
        actorRef?: object;
        _transitions?: AnyTransitionDefinition[];
      }) => {
        // The children of a machine that uses another copy of XState.
        if (inspected.type === '@xstate.actor' && inspected.actorRef !== undefined)
          Object.assign(inspected.actorRef, { getSnapshot: readSnapshot });
        if (inspected.type !== '@xstate.microstep') return;
        recorded.microsteps += 1;
        if (recorded.microsteps > MOST_MICROSTEPS) throw createEndlessStep(MOST_MICROSTEPS);
        for (const definition of inspected._transitions ?? []) {
          const edge = chart.edgeOf.get(definition);
          if (edge !== undefined) recorded.taken.push(edge.number);
        }
      },
    });
    Object.assign(self, { system });
    return {
      self: self as never, // it has no snapshot, and no machine looks for one
      system,
      id: '',
      sessionId: '',
      logger: nothing,
      defer: nothing,
      stopChild: nothing,
      emit: nothing,
      actionExecutor: ({ type, params }: { type: string; params?: unknown }) => {
        if (type === 'xstate.spawnChild' && readField(params, 'actorRef') === undefined)
          throw new MachineFault(
            'machine/missing-names',
            `the machine spawns the actor "${readField(params, 'src')}", which it does not have`,
          );
        const named = type === 'xstate.stopChild' ? nameInSystem(params) : undefined;
        if (named !== undefined && this.#named.get(named) === params) this.#named.delete(named);
        const effect = normaliseEffect(type, params, self);
        if (effect !== null) recorded.effects.push(effect);
      },
    };
  }
}

function nameInSystem(child: unknown): unknown {
  // The name before XState 5.22.
  return readField(child, 'systemId') ?? readField(child, '_systemId');
}

/** Reduces a built-in effect to its observable fields. Returns null for an effect inside the macrostep. */
export function normaliseEffect(
  type: string,
  params: unknown,
  self: unknown,
): MachineEffect | null {
  const field = (name: string) => readField(params, name);
  switch (type) {
    case 'xstate.raise':
      return typeof field('delay') !== 'number'
        ? null
        : { type, params: { id: field('id'), event: field('event') } };
    case 'xstate.sendTo': {
      const sent = { to: nameRecipient(field('to'), self), event: field('event') };
      const id = typeof field('delay') === 'number' ? field('id') : undefined;
      return { type, params: id === undefined ? sent : { ...sent, id } };
    }
    case 'xstate.spawnChild':
      return { type, params: { id: field('id'), input: field('input') } };
    case 'xstate.stopChild':
      return { type, params: nameRecipient(params, self) };
    case 'xstate.emit':
      return { type, params: field('event') };
    case 'xstate.cancel':
      return { type, params: field('sendId') };
    default:
      return { type, params };
  }
}

function sortLast(effects: MachineEffect[], count: number): void {
  const last = effects.splice(effects.length - count);
  effects.push(...last.sort((one, other) => (String(one.params) < String(other.params) ? -1 : 1)));
}

/** XState's history value uses node ids, which are unique. */
function describeHistory(machine: AnyStateMachine, { historyValue }: AnyMachineSnapshot): string {
  const remembered = Object.entries(historyValue ?? {});
  if (remembered.length === 0) return '';
  return createHistory(
    remembered.map(([id, entered]) => {
      const history = readChart(machine).nodes.find((node) => node.id === id);
      if (history === undefined) throw new Error(`${machine.id} has no history state ${id}`);
      return [history, entered];
    }),
  ).text;
}
