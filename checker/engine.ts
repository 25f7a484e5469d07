/**
 * The slow engine: XState itself as a stepper. It serves what cannot be compiled, and it is what the compiled stepper
 * is checked against.
 */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createEmptyActor,
  type EventObject,
} from 'xstate';
import { chartOf, isLeaf, nodeName, placeName } from './chart.ts';
import {
  type Effect,
  type Leap,
  type Place,
  type Point,
  STATUSES,
  type Status,
  type Stepper,
  timersAfter,
} from './step.ts';

/** Steps a machine with XState's own `transition`, under a scope that performs nothing. */
export function xstateStepper<C, E extends EventObject>(
  machine: AnyStateMachine,
  input: unknown,
): Stepper<C, E> {
  return new Engine<C, E>(machine, input);
}

type Recorded = { readonly effects: Effect[]; readonly taken: number[] };

class Engine<C, E extends EventObject> implements Stepper<C, E> {
  readonly engine = 'xstate';
  readonly #machine: AnyStateMachine;
  readonly #input: unknown;
  readonly #places = new Map<string, Place>();
  readonly #snapshots = new WeakMap<Point<C>, AnyMachineSnapshot>();
  readonly #recorded: Recorded = { effects: [], taken: [] };
  readonly #scope;

  constructor(machine: AnyStateMachine, input: unknown) {
    this.#machine = machine;
    this.#input = input;
    this.#scope = this.#newScope();
  }

  initial(): Leap<C> {
    // A scope of its own: a child that is invoked registers its name once per system.
    const snapshot = this.#run(() =>
      this.#machine.getInitialSnapshot(this.#newScope(), this.#input),
    );
    return this.#leap(snapshot, []);
  }

  step(point: Point<C>, event: E | EventObject): Leap<C> {
    const before = this.#snapshotOf(point);
    const timers = point.timers.filter((timer) => timer.event !== event);
    return this.#leap(
      this.#run(() => this.#machine.transition(before, event, this.#scope)),
      timers,
    );
  }

  #run(step: () => AnyMachineSnapshot): AnyMachineSnapshot {
    this.#recorded.effects.length = 0;
    this.#recorded.taken.length = 0;
    return step();
  }

  #leap(snapshot: AnyMachineSnapshot, timers: Point<C>['timers']): Leap<C> {
    const effects = [...this.#recorded.effects];
    const point: Point<C> = {
      place: this.#placeOf(snapshot),
      context: snapshot.context as C, // the machine's own context: C is the caller's word for it
      timers: snapshot.status === 'active' ? timersAfter(timers, effects) : [],
      status: statusOf(snapshot),
      history: historyText(snapshot),
      children: Object.keys(snapshot.children).sort(),
    };
    this.#snapshots.set(point, snapshot);
    return { point, effects, taken: [...this.#recorded.taken] };
  }

  #placeOf(snapshot: AnyMachineSnapshot): Place {
    const key = snapshot._nodes.map(({ order }) => order).join(',');
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = {
      number: this.#places.size,
      name: placeName(snapshot._nodes.filter(isLeaf)),
      value: snapshot.value,
      nodes: snapshot._nodes,
      tags: snapshot.tags,
      invoked: snapshot._nodes.flatMap(({ invoke }) => invoke.map(({ id }) => id)).sort(),
    };
    this.#places.set(key, place);
    return place;
  }

  /** The snapshot of a point; rebuilt where the point comes from elsewhere. */
  #snapshotOf(point: Point<C>): AnyMachineSnapshot {
    const known = this.#snapshots.get(point);
    if (known !== undefined) return known;
    if (point.history !== '') throw new Error('a point with history comes from this engine only');
    const initial = this.#machine.getInitialSnapshot(this.#newScope(), this.#input);
    const resolved = this.#machine.resolveState({
      value: point.place.value,
      context: point.context,
      status: point.status === 'active' ? 'active' : 'done',
    });
    const snapshot = Object.assign(resolved, { children: initial.children });
    this.#snapshots.set(point, snapshot);
    return snapshot;
  }

  #newScope() {
    const empty = createEmptyActor();
    const recorded = this.#recorded;
    const chart = chartOf(this.#machine);
    const nothing = () => {};
    const system = Object.assign(Object.create(empty.system), {
      _sendInspectionEvent: (inspected: {
        type: string;
        _transitions?: AnyTransitionDefinition[];
      }) => {
        if (inspected.type !== '@xstate.microstep') return;
        for (const definition of inspected._transitions ?? []) {
          const edge = chart.edgeOf.get(definition);
          if (edge !== undefined) recorded.taken.push(edge.number);
        }
      },
    });
    return {
      // A parent that is nobody: what is sent to it is an effect like any other.
      self: Object.assign(empty, { system, _parent: createEmptyActor() }),
      system,
      id: '',
      sessionId: '',
      logger: nothing,
      defer: nothing,
      stopChild: nothing,
      emit: nothing,
      actionExecutor: ({ type, params }: { type: string; params?: unknown }) => {
        const effect = normalised(type, params);
        if (effect !== null) recorded.effects.push(effect);
      },
    };
  }
}

/** Built-in effects with only what matters outside; null for what has happened already within the macrostep. */
export function normalised(type: string, params: unknown): Effect | null {
  const field = (name: string): unknown =>
    typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined;
  switch (type) {
    case 'xstate.raise':
      return field('delay') === undefined
        ? null
        : { type, params: { id: field('id'), event: field('event') } };
    case 'xstate.sendTo':
      return { type, params: { to: targetName(field('to')), event: field('event') } };
    case 'xstate.spawnChild':
      return { type, params: field('id') };
    case 'xstate.stopChild':
      return { type, params: targetName(params) };
    case 'xstate.emit':
      return { type, params: field('event') };
    case 'xstate.cancel':
      return { type, params: field('sendId') };
    default:
      return { type, params };
  }
}

/** An actor by its id: references are not values. */
function targetName(target: unknown): unknown {
  if (typeof target !== 'object' || target === null) return target;
  const id: unknown = Reflect.get(target, 'id');
  return id === '' || id === undefined ? '(somebody)' : id;
}

function statusOf({ status }: AnyMachineSnapshot): Status {
  return STATUSES.find((known) => known === status) ?? 'error';
}

function historyText({ historyValue }: AnyMachineSnapshot): string {
  const remembered = Object.entries(historyValue ?? {}).map(
    ([id, nodes]) => [id, nodes.map(nodeName).sort()] as const,
  );
  return remembered.length === 0 ? '' : JSON.stringify(remembered.sort());
}
