/**
 * Outcomes: how the children of a machine end, which is nothing that a world needs to list.
 *
 * While a child runs it may be done or fail at any moment. Both come by themselves where the chart has a transition for
 * them; where something is assumed or left out by that, a warning says so.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import { readChart } from './chart.ts';
import { isWildcardFor } from './configurations.ts';
import type { State } from './model.ts';

/**
 * How a child ends: with which outputs it may be done, and with which errors it may fail. An empty list says that it
 * never does; without a list it is done without an output, and fails with an Error. `world`: its ends are listed among
 * the events of the world.
 */
export type ChildOutcomes =
  | 'world'
  | { readonly done?: readonly unknown[]; readonly error?: readonly unknown[] };

/** By the id of the child. */
export type Outcomes = Readonly<Record<string, ChildOutcomes>>;

type OutcomeKind = 'done' | 'error';

/** The events of a world, with the ends of children that it leaves to the machine. */
export class OutcomeEvents<C> {
  readonly #machine: AnyStateMachine;
  readonly #outcomes: Outcomes;
  readonly #world: (state: State<C>) => readonly EventObject[];
  readonly #ends = new Map<string, readonly EventObject[]>();
  /** Children that ran, and which of their ends the world listed itself. */
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

  /** What may come next: what the world lists, and the ends of children that it does not list. */
  at(state: State<C>): readonly EventObject[] {
    const events = this.#world(state);
    if (state.children.length === 0) return events;
    const ends = state.children.flatMap((id) => {
      const listed = this.#listed.get(id) ?? new Set();
      this.#listed.set(id, listed);
      const own = KINDS.filter((kind) => events.some(({ type }) => type === nameEnd(kind, id)));
      for (const kind of own) listed.add(kind);
      return own.length > 0 ? [] : this.#endsOf(id);
    });
    return ends.length === 0 ? events : [...events, ...ends];
  }

  /** What was assumed or left out so far, a sentence each. */
  warnings(): readonly string[] {
    return [...this.#listed].flatMap(([id, listed]) => [
      ...this.#warnOfWorld(id, listed),
      ...this.#warnOfOutput(id, listed),
      ...this.#warnOfError(id, listed),
    ]);
  }

  #endsOf(id: string): readonly EventObject[] {
    const known = this.#ends.get(id);
    if (known !== undefined) return known;
    const ends = KINDS.flatMap((kind) => this.#createEnds(kind, id));
    this.#ends.set(id, ends);
    return ends;
  }

  #createEnds(kind: OutcomeKind, id: string): readonly EventObject[] {
    const outcomes = this.#outcomes[id];
    if (outcomes === 'world') return [];
    const type = nameEnd(kind, id);
    const given = outcomes?.[kind];
    // What nobody listens to changes nothing, except that an error ends the machine: of that a warning speaks.
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
      `the world lists ${nameEnd(only, id)} and never ${missing}, so what the machine does then was not searched: list it too, or leave both to the machine`,
    ];
  }

  #warnOfOutput(id: string, listed: ReadonlySet<OutcomeKind>): readonly string[] {
    const outcomes = this.#outcomes[id];
    const isGiven = outcomes === 'world' || outcomes?.done !== undefined;
    if (isGiven || listed.size > 0 || !this.#canBeRead(nameEnd('done', id))) return [];
    return [
      `${id} was taken to be done without an output: where the output matters, list what it may be, as in outcomes: { ${quoteName(id)}: { done: [output, ...] } }`,
    ];
  }

  #warnOfError(id: string, listed: ReadonlySet<OutcomeKind>): readonly string[] {
    const outcomes = this.#outcomes[id];
    const isGiven = outcomes === 'world' || outcomes?.error !== undefined;
    if (isGiven || listed.size > 0 || this.#isHandled(nameEnd('error', id))) return [];
    return [
      `nothing in the chart takes an error of ${id}: XState ends the machine with it, and that was not searched. Add onError, or say outcomes: { ${quoteName(id)}: { error: [] } } if it never fails`,
    ];
  }

  #isHandled(type: string): boolean {
    return this.#edgesFor(type).length > 0;
  }

  /** Whether a function of the chart may look at the event. */
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
