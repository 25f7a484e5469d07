/** Lists states of a machine with everything that may happen in each, so that a reader can walk from one to the next. */
import type { EventObject, StateValue } from 'xstate';
import { readChart } from './chart.ts';
import { chooseStepper } from './check.ts';
import { canMatch } from './configurations.ts';
import { listEvents } from './explore.ts';
import { type Model, type State, stateOf, type Trace } from './model.ts';
import { describeEvent } from './report.ts';
import { describeError, type MachinePoint, type MachineStepper } from './stepper.ts';
import { listChanges } from './steps.ts';
import { cutValue, remember, writeSource } from './values.ts';
import { VisitedStates } from './visited.ts';

/** A changed field, with both values as text. */
export type WalkChange = { readonly path: string; readonly was: string; readonly is: string };

/** One event, and the number of the state to which it leads, or -1 if the machine throws. */
export type WalkWay = {
  readonly text: string;
  /** The event as source text. */
  readonly source: string;
  readonly leads: number;
  readonly changes: readonly WalkChange[];
};

/** Events of one type that take the same transitions to the same place. */
export type WalkOffer = Pick<TriedEvent<never>, 'taken' | 'refused' | 'to'> & {
  readonly type: string;
  readonly count: number;
  /** A way to each state to which they lead. */
  readonly ways: readonly WalkWay[];
  /** What the machine threw, or ''. */
  readonly error: string;
};

export type WalkState = {
  readonly at: string;
  readonly value: StateValue;
  readonly status: string;
  /** The ids of the active nodes. */
  readonly nodes: readonly string[];
  readonly context: string;
  /** Null if the walk did not try the events of this state. */
  readonly offers: readonly WalkOffer[] | null;
  /** Number of events that were not tried because there are too many. */
  readonly untried: number;
  /** The state and the way through which it was found. The start has none. */
  readonly from: { readonly state: number; readonly offer: number; readonly way: number } | null;
};

/** A step of a run. `offer` is its index among the offers of the state before it. */
export type WalkStep = {
  readonly at: string;
  readonly to: string;
  readonly happened: string;
  readonly changes: readonly WalkChange[];
  readonly trail: readonly number[];
  readonly offer: number;
};

export type WalkOptions<C> = {
  readonly engine?: MachineStepper<never, never>['engine'];
  /** Whether the search merged states by the model's symmetry. */
  readonly isSymmetric?: boolean;
  readonly describe?: (event: EventObject) => string;
  readonly compare?: (before: State<C>, after: State<C>) => readonly WalkChange[];
  readonly showsContext?: boolean;
};

/** Limits for a page that stays small: events tried in a state, in all of them, and ways listed. */
const MOST_TRIED = 4000;
const MOST_STEPS = 20_000;
const MOST_WAYS = 10_000;
const MOST_SAMPLES = 3;
const MOST_CHANGES = 40;
const LONGEST_CONTEXT = 4000;

type StateDraft = { -readonly [Name in keyof WalkState]: WalkState[Name] };

export class Walk<C, E extends EventObject> {
  readonly #model: Model<C, E>;
  readonly #stepper: MachineStepper<C, E>;
  readonly #exact: VisitedStates<C, E>;
  readonly #options: WalkOptions<C>;
  readonly #describe: (event: EventObject) => string;
  readonly #points: MachinePoint<C>[] = [];
  readonly #states: StateDraft[] = [];
  readonly #samples = new Map<string, E | EventObject>();
  #steps = 0;
  #ways = 0;

  constructor(model: Model<C, E>, options: WalkOptions<C> = {}) {
    this.#model = model;
    this.#options = options;
    this.#describe = options.describe ?? describeEvent;
    this.#stepper = chooseStepper(model, options).stepper;
    this.#exact = new VisitedStates(model, false, true);
  }

  /** Tries the events of all states up to the limits. Returns its numbers of the first `most` states of the search. */
  explore(most: number): readonly number[] {
    const orbits = new VisitedStates(this.#model, this.#options.isSymmetric === true, true);
    const { point: start } = this.#stepper.initial();
    const found = [this.#number(start)];
    orbits.number(start);
    for (const state of found) {
      if (this.#isFull() || found.length >= most) break;
      for (const point of this.#expand(state)) {
        if (orbits.number(point) === found.length) found.push(this.#number(point));
      }
      if ((this.#states[state]?.untried ?? 0) > 0) break;
    }
    for (let state = 0; state < this.#states.length && !this.#isFull(); state++)
      this.#expand(state);
    return found.slice(0, most);
  }

  /** The steps of a run up to one that throws, and the numbers of its states. */
  follow(events: readonly (E | EventObject)[]) {
    const steps: WalkStep[] = [];
    let { point } = this.#stepper.initial();
    let state = this.#number(point);
    const rests = [state];
    for (const event of events) {
      this.#expand(state);
      const tried = this.#try(point, event, true);
      const to = tried.point === null ? -1 : this.#number(tried.point);
      const leads = ({ type, ways }: WalkOffer) =>
        type === event.type && ways.some((way) => way.leads === to);
      // A recorded event may be missing from the world's list.
      if (this.#states[state]?.offers?.some(leads) !== true) this.#add(state, [tried]);
      steps.push({
        at: point.place.name,
        to: tried.to,
        happened: this.#describe(event),
        changes: tried.point === null ? [] : this.#compare(point, tried.point),
        trail: tried.taken,
        offer: this.#states[state]?.offers?.findIndex(leads) ?? -1,
      });
      if (tried.point === null) return { steps, rests };
      point = tried.point;
      state = to;
      rests.push(state);
    }
    this.#expand(state);
    return { steps, rests };
  }

  /** A trace for the page, and the numbers of its states in the graph. One that violates nothing is an example. */
  tell(trace: Trace<E | EventObject>, states: readonly number[] | null, isExample = false) {
    const { events, loop, excludedBy } = trace;
    const note = isExample ? 'The nearest state that satisfies it.' : '';
    return { isExample, ...this.follow(events), loop, excludedBy, note, states, journals: [] };
  }

  /** All states. Those whose events were tried also list events of other states that they refuse. */
  list(): readonly WalkState[] {
    for (const [state, { offers }] of this.#states.entries()) {
      const point = this.#points[state];
      if (offers === null || point?.status !== 'active') continue;
      const here = new Set(offers.map(({ type }) => type));
      const others = [...this.#samples.values()].filter(({ type }) => !here.has(type));
      const tried = others.map((event) => this.#try(point, event, false));
      const refused = tried.filter(({ taken, error }) => taken.length === 0 && error === '');
      this.#add(state, refused);
    }
    return this.#states;
  }

  #isFull(): boolean {
    return this.#steps > MOST_STEPS || this.#ways > MOST_WAYS;
  }

  #number(point: MachinePoint<C>): number {
    const number = this.#exact.number(point);
    if (number < this.#states.length) return number;
    const { place, status, context } = point;
    this.#points.push(point);
    this.#states.push({
      ...{ at: place.name, value: place.value, status, from: null, offers: null, untried: 0 },
      nodes: place.nodes.map(({ id }) => id),
      context: this.#options.showsContext === true ? cutValue(context, LONGEST_CONTEXT) : '',
    });
    return number;
  }

  /** Tries the events of a state, once, and returns the points to which they lead. */
  #expand(state: number): readonly MachinePoint<C>[] {
    const [point, shown] = [this.#points[state], this.#states[state]];
    if (point === undefined || shown === undefined || shown.offers !== null) return [];
    const here = listEvents(this.#model, point);
    const kept = here.length > MOST_TRIED ? rarestFirst(here).slice(0, MOST_TRIED) : here;
    for (const event of kept) {
      if (!event.type.startsWith('xstate.')) remember(this.#samples, event.type, () => event);
    }
    shown.offers = [];
    shown.untried = here.length - kept.length;
    const tried = kept.map((event) => this.#try(point, event, true));
    this.#add(state, tried);
    return tried.flatMap((one) => one.point ?? []);
  }

  #try(point: MachinePoint<C>, event: E | EventObject, isEnabled: boolean): TriedEvent<C> {
    this.#steps += 1;
    const { guards } = this.#stepper;
    const before = [...(guards?.failed ?? [])];
    try {
      const { taken, point: after } = this.#stepper.step(point, event);
      const isRefused = taken.length === 0;
      const failed = guards?.failed.flatMap((count, edge) =>
        count > (before[edge] ?? 0) ? edge : [],
      );
      const edges = listEdges(point);
      const own = failed?.filter((edge) => !isRefused || edges[edge]?.event !== '');
      const refused = own ?? (isRefused ? listGuarded(point, event) : []);
      return { event, isEnabled, taken, refused, point: after, to: after.place.name, error: '' };
    } catch (error) {
      const nothing = { isEnabled, taken: [], refused: [], to: '', point: null };
      return { event, ...nothing, error: describeError(error) };
    }
  }

  #add(state: number, tried: readonly TriedEvent<C>[]): void {
    const shown = this.#states[state];
    const from = this.#points[state];
    if (shown === undefined || from === undefined) return;
    const first = this.#states.length;
    const groups = Map.groupBy(tried, ({ event, isEnabled, taken, refused, to, error }) =>
      JSON.stringify([event.type, isEnabled, taken, refused, to, error]),
    );
    const offers = [...groups.values()].flatMap((same) => this.#group(from, same));
    shown.offers = [...(shown.offers ?? []), ...offers];
    for (const [offer, { ways }] of shown.offers.entries()) {
      for (const [way, { leads }] of ways.entries()) {
        const found = leads < first ? undefined : this.#states[leads];
        if (found !== undefined) found.from ??= { state, offer, way };
      }
    }
  }

  #group(from: MachinePoint<C>, same: readonly TriedEvent<C>[]): readonly WalkOffer[] {
    const [one] = same;
    if (one === undefined) return [];
    const ways: WalkWay[] = [];
    const known = new Set<string | number>();
    for (const { event, point } of same) {
      const leads = point === null ? -1 : this.#number(point);
      const text = this.#describe(event);
      const isNew = !known.has(leads) || (ways.length < MOST_SAMPLES && !known.has(text));
      known.add(leads).add(text);
      if (!isNew) continue;
      const changes = point === null ? [] : this.#compare(from, point);
      ways.push({ text, source: writeSource(event), leads, changes });
    }
    this.#ways += ways.length;
    const { event, taken, refused, to, error } = one;
    const count = same.length;
    return [{ type: event.type, taken, refused, to, error, count, ways }];
  }

  #compare(before: MachinePoint<C>, after: MachinePoint<C>): readonly WalkChange[] {
    const { compare } = this.#options;
    if (compare !== undefined) return compare(stateOf(before), stateOf(after));
    const changes = listChanges(before.context, after.context, '');
    return changes.slice(0, MOST_CHANGES).map(({ path, from, to }) => ({
      path: path === '' ? 'context' : path,
      was: cutValue(from),
      is: cutValue(to),
    }));
  }
}

type TriedEvent<C> = {
  readonly event: EventObject;
  /** Whether the world or a running timer may send it now. */
  readonly isEnabled: boolean;
  /** Numbers of the transitions that it takes, in order. Empty if it is refused. */
  readonly taken: readonly number[];
  /** Those whose guards failed. For a refused event only its own: eventless transitions follow every event. */
  readonly refused: readonly number[];
  /** The resulting state, or null if the machine throws, and its name. */
  readonly point: MachinePoint<C> | null;
  readonly to: string;
  readonly error: string;
};

function listEdges<C>({ place: { nodes } }: MachinePoint<C>) {
  const [node] = nodes;
  return node === undefined ? [] : readChart(node.machine).edges;
}

/** The guarded transitions for an event that took none: all their guards failed. */
function listGuarded<C>(point: MachinePoint<C>, { type }: EventObject): readonly number[] {
  const { nodes } = point.place;
  return listEdges(point)
    .filter(({ event, guard }) => guard !== null && canMatch(event, type))
    .filter(({ definition }) => nodes.includes(definition.source))
    .map(({ number }) => number);
}

/** Keeps all rare events. Only some of the thousands of ways to close a tick may be dropped. */
function rarestFirst<E extends EventObject>(events: readonly E[]): readonly E[] {
  const kinds = [...Map.groupBy(events, ({ type }) => type).values()];
  return kinds.toSorted((one, other) => one.length - other.length).flat();
}
