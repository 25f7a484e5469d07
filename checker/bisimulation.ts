/**
 * Checks that the data omitted by a view decides nothing: states with equal views must satisfy the same properties and
 * reach the same views. This search compares several states of each view with the first. If a view omits unbounded
 * data, agreement only means that no difference was found among that many.
 */
import type { EventObject } from 'xstate';
import { chooseStepper } from './check.ts';
import { explore } from './explore.ts';
import { ValueIdentity } from './identity.ts';
import { type Model, type Property, type SearchBudget, type State, UNLIMITED } from './model.ts';
import { remember } from './values.ts';

export type BisimulationOptions = {
  readonly members?: number;
  readonly budget?: SearchBudget;
  readonly now?: () => number;
};

export type Bisimulation<E> = {
  readonly verdict: 'agrees' | 'differs' | 'incomplete';
  readonly views: number;
  /** States that were compared with another state of the same view. */
  readonly compared: number;
  readonly transitions: number;
  /** Two runs that end in states with the same view, and the difference between these states. */
  readonly difference: {
    readonly runs: readonly [readonly E[], readonly E[]];
    /** A property that only one state satisfies, or a view that only one can reach. */
    readonly what: string;
  } | null;
};

export function checkBisimulation<C, E extends EventObject>(
  model: Model<C, E>,
  { members = 3, budget = UNLIMITED, now = () => 0 }: BisimulationOptions = {},
): Bisimulation<E | EventObject> {
  const classes = createClasses(model, members);
  const { stepper } = chooseStepper(model);
  const exploration = explore<C, E>(
    { ...model, view: (state) => classes.placeOf(state) },
    stepper,
    {
      onState: (state, number) => classes.note(state, number),
      onMove: ({ after }, from) => classes.follow(after, from),
    },
    { budget, now },
  );
  const { states, frontier, transitions, ended } = exploration;
  const found = classes.difference(states - frontier);
  const runTo = (state: number) => exploration.eventsOf(exploration.paths.pathTo(state));
  const views = classes.apart.size;
  const runs = found && ([runTo(found.states[0]), runTo(found.states[1])] as const);
  const verdict = ended === null ? 'agrees' : 'incomplete';
  return {
    verdict: found === null ? verdict : 'differs',
    ...{ views, transitions, compared: classes.members.length - views },
    difference: found && runs && { runs, what: found.what },
  };
}

type ViewMember = {
  readonly state: number;
  readonly view: number;
  /** One letter for each state predicate of the properties. */
  readonly kept: string;
  readonly onward: Set<number>;
};

function createClasses<C, E extends EventObject>(
  { view = ({ context }) => context, properties, codec }: Model<C, E>,
  most: number,
) {
  const questions = properties.flatMap((property) => listQuestions<C, E>(property));
  const identity = new ValueIdentity(codec ?? null);
  const apart = new Map<number, number[]>();
  const members: ViewMember[] = [];
  const viewOf = (state: State<C>) => {
    const orders = state.nodes.map(({ order }) => order);
    return identity.of([orders, state.status, view(state)]);
  };

  function findDisagreement(one: ViewMember, other: ViewMember, expanded: number): string | null {
    const question = questions.findIndex((_, index) => one.kept[index] !== other.kept[index]);
    if (question >= 0) return `only one is a state as in ${questions[question]?.name}`;
    if (one.state >= expanded || other.state >= expanded) return null;
    const extra = countOnlyIn(one.onward, other.onward) + countOnlyIn(other.onward, one.onward);
    return extra === 0 ? null : `only one can go on to ${extra} of the views that follow`;
  }

  return {
    apart,
    members,
    /** Identifies a state by its view and its index among the members of that view. */
    placeOf(state: State<C>): readonly [number, number] {
      const seen = viewOf(state);
      const known = remember(apart, seen, () => []);
      const whole = identity.of(state.context);
      const index = known.indexOf(whole);
      if (index >= 0 || known.length === most) return [seen, Math.max(0, index)];
      known.push(whole);
      return [seen, known.length - 1];
    },
    note(state: State<C>, number: number): void {
      const kept = questions.map(({ asks }) => (asks(state) ? 'y' : 'n')).join('');
      members[number] = { state: number, view: viewOf(state), kept, onward: new Set() };
    },
    follow(after: State<C>, from: number): void {
      members[from]?.onward.add(viewOf(after));
    },
    /** The first two members of one view that differ. Only the first `expanded` states have known successors. */
    difference(expanded: number) {
      const first = new Map<number, ViewMember>();
      for (const member of members) {
        const other = remember(first, member.view, () => member);
        const what = findDisagreement(other, member, expanded);
        if (what !== null) return { states: [other.state, member.state] as const, what };
      }
      return null;
    },
  };
}

function countOnlyIn(some: ReadonlySet<number>, others: ReadonlySet<number>): number {
  return [...some].filter((one) => !others.has(one)).length;
}

type StateQuestion<C> = { readonly name: string; readonly asks: (state: State<C>) => boolean };

function listQuestions<C, E>(property: Property<C, E>): readonly StateQuestion<C>[] {
  const { name, kind } = property;
  if (kind === 'start' || kind === 'step' || kind === 'deadlock-free') return [];
  const held = { name, asks: property.holds };
  return kind === 'leads-to' ? [held, { name, asks: property.from }] : [held];
}
