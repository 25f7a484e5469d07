/**
 * Adds the ends of a machine's children to its events. A running child may be done or fail at any moment. Both ends are
 * added for promises, and if the chart has a transition for them. A warning names every assumption or omission.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import { isPromise, readChart } from './chart.ts';
import { isWildcardFor } from './configurations.ts';
import type { State } from './model.ts';
import { remember } from './remember.ts';

const ENDS = ['done', 'error'] as const;
/** The field of each kind of event. A child may send a snapshot any number of times. */
const FIELDS = { done: 'output', error: 'error', snapshot: 'snapshot' } as const;
type OutcomeKind = keyof typeof FIELDS;

/**
 * The possible outputs, errors and snapshots of a child. An empty list means that it never ends this way. Without a
 * list it is done without an output, and fails with an Error. `world`: the world lists its events.
 */
export type ChildOutcomes = 'world' | Readonly<Partial<Record<OutcomeKind, readonly unknown[]>>>;

export type Outcomes = Readonly<Record<string, ChildOutcomes>>;

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
      const own = ENDS.filter((kind) => events.some(({ type }) => type === nameEnd(kind, id)));
      for (const kind of own) listed.add(kind);
      return own.length > 0 ? [] : this.#endsOf(id);
    });
    return ends.length === 0 ? events : [...events, ...ends];
  }

  warnings(): readonly string[] {
    return [...this.#listed].flatMap(([id, listed]) => [
      ...this.#warnOfWorld(id, listed),
      ...this.#warnOfEnds(id, listed.size > 0),
    ]);
  }

  #endsOf(id: string): readonly EventObject[] {
    return remember(this.#ends, id, () =>
      ([...ENDS, 'snapshot'] as const).flatMap((kind) => this.#createEnds(kind, id)),
    );
  }

  #createEnds(kind: OutcomeKind, id: string): readonly EventObject[] {
    const outcomes = this.#outcomes[id];
    if (outcomes === 'world') return [];
    const type = nameEnd(kind, id);
    const given = outcomes?.[kind];
    if (given === undefined && !this.#isAssumed(kind, id)) return [];
    const values = given ?? [kind === 'error' ? new Error(`${id} failed`) : undefined];
    const sender = kind === 'snapshot' ? {} : { actorId: id };
    return values.map((value) => ({ type, ...sender, [FIELDS[kind]]: value }));
  }

  /**
   * Without a transition for it, a success changes only the child, and an error ends the machine. A promise may always
   * do either. A function that reads a snapshot needs a real one.
   */
  #isAssumed(kind: OutcomeKind, id: string): boolean {
    const type = nameEnd(kind, id);
    if (kind === 'snapshot' && this.#canBeRead(type)) return false;
    return this.#isHandled(type) || (kind !== 'snapshot' && isPromise(this.#machine, id));
  }

  #warnOfWorld(id: string, listed: ReadonlySet<OutcomeKind>): readonly string[] {
    const [only, ...more] = listed;
    if (only === undefined || more.length > 0) return [];
    const missing = nameEnd(only === 'done' ? 'error' : 'done', id);
    return [
      `the world lists ${nameEnd(only, id)} and never ${missing}, so the search did not cover it: list it too, or list neither`,
    ];
  }

  #warnOfEnds(id: string, isListed: boolean): readonly string[] {
    const outcomes = this.#outcomes[id];
    const isOpen = (kind: OutcomeKind) => outcomes !== 'world' && outcomes?.[kind] === undefined;
    const advise = (what: string) => `outcomes: { ${quoteName(id)}: { ${what} } }`;
    const effect = isPromise(this.#machine, id)
      ? 'so the machine fails with it'
      : 'XState ends the machine with it, and the search did not cover it';
    const warnings: readonly (readonly [isDue: boolean, text: string])[] = [
      [
        !isListed && isOpen('done') && this.#canBeRead(nameEnd('done', id)),
        `the search assumed that ${id} is done without an output: if the output matters, list its values, as in ${advise('done: [output, ...]')}`,
      ],
      [
        !isListed && isOpen('error') && !this.#isHandled(nameEnd('error', id)),
        `the chart has no transition for an error of ${id}: ${effect}. Add onError, or set ${advise('error: []')} if it never fails`,
      ],
      [
        isOpen('snapshot') && this.#canBeRead(nameEnd('snapshot', id)),
        `the chart waits for snapshots of ${id}, and the search did not cover any: list them, as in ${advise("snapshot: [{ status: 'active', context: ... }]")}`,
      ],
    ];
    return warnings.filter(([isDue]) => isDue).map(([, text]) => text);
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

function nameEnd(kind: OutcomeKind, id: string): string {
  return kind === 'snapshot' ? `xstate.snapshot.${id}` : `xstate.${kind}.actor.${id}`;
}

function quoteName(id: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(id) ? id : `'${id}'`;
}
