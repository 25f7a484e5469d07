/**
 * Adds the ends of a machine's children to its events. A running child may be done or fail at any moment. Both ends are
 * added if the chart has a transition for them. A warning names every assumption or omission.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import { readChart } from './chart.ts';
import { isWildcardFor } from './configurations.ts';
import type { State } from './model.ts';
import { remember } from './remember.ts';

/**
 * The possible outputs and errors of a child. An empty list means that it never ends this way. Without a list it is
 * done without an output, and fails with an Error. `world`: the world lists its ends.
 */
export type ChildOutcomes =
  | 'world'
  | { readonly done?: readonly unknown[]; readonly error?: readonly unknown[] };

export type Outcomes = Readonly<Record<string, ChildOutcomes>>;

type OutcomeKind = 'done' | 'error';

/** The events of a world and the ends of children that it does not list. */
export class OutcomeEvents<C> {
  readonly #machine: AnyStateMachine;
  readonly #outcomes: Outcomes;
  readonly #world: (state: State<C>) => readonly EventObject[];
  readonly #ends = new Map<string, readonly EventObject[]>();
  /** Children that ran, and the kinds of ends that the world listed. */
  readonly #listed = new Map<string, Set<OutcomeKind>>();

  constructor(
    machine: AnyStateMachine,
    outcomes: Outcomes,
    world: (state: State<C>) => readonly EventObject[],
  ) {
    this.#machine = machine;
    this.#outcomes = outcomes;
    this.#world = world;
  }

  /** The possible next events: the events of the world, and the ends of children that it does not list. */
  at(state: State<C>): readonly EventObject[] {
    const events = this.#world(state);
    if (state.children.length === 0) return events;
    const ends = state.children.flatMap((id) => {
      const listed = remember(this.#listed, id, () => new Set());
      const own = KINDS.filter((kind) => events.some(({ type }) => type === nameEnd(kind, id)));
      for (const kind of own) listed.add(kind);
      return own.length > 0 ? [] : this.#endsOf(id);
    });
    return ends.length === 0 ? events : [...events, ...ends];
  }

  /** One sentence for each assumption or omission so far. */
  warnings(): readonly string[] {
    return [...this.#listed].flatMap(([id, listed]) => [
      ...this.#warnOfWorld(id, listed),
      ...this.#warnOfOutput(id, listed),
      ...this.#warnOfError(id, listed),
    ]);
  }

  #endsOf(id: string): readonly EventObject[] {
    return remember(this.#ends, id, () => KINDS.flatMap((kind) => this.#createEnds(kind, id)));
  }

  #createEnds(kind: OutcomeKind, id: string): readonly EventObject[] {
    const outcomes = this.#outcomes[id];
    if (outcomes === 'world') return [];
    const type = nameEnd(kind, id);
    const given = outcomes?.[kind];
    // An end without a transition changes nothing. Only an error would end the machine, and a warning says so.
    if (given === undefined && !this.#isHandled(type)) return [];
    const values = given ?? [kind === 'done' ? undefined : new Error(`${id} failed`)];
    const field = kind === 'done' ? 'output' : 'error';
    return values.map((value) => ({ type, actorId: id, [field]: value }));
  }

  #warnOfWorld(id: string, listed: ReadonlySet<OutcomeKind>): readonly string[] {
    const [only, ...more] = listed;
    if (only === undefined || more.length > 0) return [];
    const missing = nameEnd(only === 'done' ? 'error' : 'done', id);
    return [
      `the world lists ${nameEnd(only, id)} and never ${missing}, so the search did not cover it: list it too, or list neither`,
    ];
  }

  #warnOfOutput(id: string, listed: ReadonlySet<OutcomeKind>): readonly string[] {
    const outcomes = this.#outcomes[id];
    const isGiven = outcomes === 'world' || outcomes?.done !== undefined;
    if (isGiven || listed.size > 0 || !this.#canBeRead(nameEnd('done', id))) return [];
    return [
      `the search assumed that ${id} is done without an output: if the output matters, list its values, as in outcomes: { ${quoteName(id)}: { done: [output, ...] } }`,
    ];
  }

  #warnOfError(id: string, listed: ReadonlySet<OutcomeKind>): readonly string[] {
    const outcomes = this.#outcomes[id];
    const isGiven = outcomes === 'world' || outcomes?.error !== undefined;
    if (isGiven || listed.size > 0 || this.#isHandled(nameEnd('error', id))) return [];
    return [
      `the chart has no transition for an error of ${id}: XState ends the machine with it, and the search did not cover it. Add onError, or set outcomes: { ${quoteName(id)}: { error: [] } } if it never fails`,
    ];
  }

  #isHandled(type: string): boolean {
    return this.#edgesFor(type).length > 0;
  }

  /** Whether a function of the chart may read the event. */
  #canBeRead(type: string): boolean {
    return this.#edgesFor(type).some(
      ({ definition: { guard, actions, target = [] } }) =>
        guard !== undefined ||
        actions.length > 0 ||
        target.some(({ entry, invoke }) => entry.length > 0 || invoke.length > 0),
    );
  }

  #edgesFor(type: string) {
    const { edges } = readChart(this.#machine);
    return edges.filter(({ event }) => event === type || isWildcardFor(event, type));
  }
}

const KINDS: readonly OutcomeKind[] = ['done', 'error'];

function nameEnd(kind: OutcomeKind, id: string): string {
  return `xstate.${kind}.actor.${id}`;
}

function quoteName(id: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(id) ? id : `'${id}'`;
}
