/**
 * Searches inside factored events part by part, and visits each draft once. The event of a single choice judges the
 * properties of that choice, and the settling event those of the end. Both are steps of the machine itself. Whole
 * events, drawn with a fixed seed, must lead to the same point as their parts. All drafts of a state come before the
 * next state, so states are found in the same order as with whole events.
 */
import type { EventObject } from 'xstate';
import {
  type AdvancedDraft,
  type DistinctChoice,
  FactoredEvents,
  JUDGED_AGAIN,
  type OpenDraft,
  type PartChoice,
} from './factored.ts';
import { ValueIdentity } from './identity.ts';
import { type MachineStep, type Model, type State, type Symmetry, stateOf } from './model.ts';
import { MoveTable, type PathTree, type StatePath } from './paths.ts';
import type { MachinePoint, Transition } from './stepper.ts';
import { createSymmetryTest, type MovesByTarget, type SymmetryTest } from './symmetryTest.ts';
import type { VisitedStates } from './visited.ts';

export type PartPlace =
  /** A choice of one part, starting from a state or from a draft. */
  | {
      readonly type: 'part';
      readonly node: number;
      readonly factor: number;
      readonly part: number;
      readonly via: number;
    }
  | { readonly type: 'end'; readonly node: number; readonly via: number }
  /** All choices in the order of taking, and the end. */
  | {
      readonly type: 'whole';
      readonly node: number;
      readonly factor: number;
      readonly vias: readonly number[];
      readonly end: number;
    };

export type DraftObserver<C, E> = {
  /** A bit for each fairness assumption that the step satisfies. */
  readonly helpsOf?: (before: State<C>, event: E) => number;
  /** A state awaits a factored event. Its first draft is one move away. */
  readonly onOpen?: (helps: number) => void;
  /** A move from a draft: another choice, or the end of the event. */
  readonly onDraftMove?: (helps: number) => void;
  /** A step that represents a part of a factored event, its end, or the whole event. */
  readonly onPart?: (step: MachineStep<C, E>, place: PartPlace) => void;
};

export type PartCounts = {
  readonly drafts: number;
  /** Moves between drafts and to their ends. */
  readonly moves: number;
  /** Whole events that were compared with their parts. */
  readonly compared: number;
};

export type StateSearch<C, E> = {
  /** Steps the machine, or returns null if that broke it. */
  readonly step: (point: MachinePoint<C>, event: E) => Transition<C> | null;
  /** The number of a state found from the expanded state when a draft settles with end `via`. */
  readonly number: (point: MachinePoint<C>, via: number, draft: number) => number;
  readonly isEnded: () => boolean;
  /** Ends the search because the machine contradicts the model. */
  readonly refuse: (message: string, event: E) => void;
  /** Where an event leads, modulo symmetry. */
  readonly leadOf: (point: MachinePoint<C>, event: E) => string;
  /** Ends the search because drafts of one orbit go on differently at the end of this path. */
  readonly breakSymmetry: (path: StatePath, place: PartPlace) => never;
};

/** A choice of a part, or an end of the event. */
type DraftOutcome = { readonly part: number | null; readonly via: number };

type DraftMemory<C, E extends EventObject> = {
  readonly visited: VisitedStates<C, E>;
  readonly paths: PathTree;
  readonly keepsMoves: boolean;
  readonly isSymmetric: boolean;
  /** Whether values may have hidden names. */
  readonly isThorough: boolean;
};

/** Number of drafts between budget checks. One state may have millions of drafts. */
const DRAFTS_A_LOOK = 4096;

/** `TRIES` whole events for each of the first states, one for each of the next, then one for every `EVERY`th. */
const FIRST_STATES = 256;
const TRIES = 8;
const NEXT_STATES = 8192;
const EVERY = 16;

export class DraftSearch<C, E extends EventObject> {
  readonly factored: FactoredEvents<C, E>;
  readonly moves = new MoveTable();
  readonly #search: StateSearch<C, E>;
  readonly #observer: DraftObserver<C, E>;
  readonly #memory: DraftMemory<C, E>;
  /** The drafts of the expanded state. Null marks a visited draft. */
  #lane: (OpenDraft<C> | null)[] = [];
  /** Index in the lane of the next draft. */
  #at = 0;
  readonly #values: ValueIdentity;
  /** The state of a deterministic die, so that a repeated search finds the same. */
  #die = 1;
  readonly #symmetry: SymmetryTest<OpenDraft<C>, DraftOutcome> | null;
  readonly #orbit: Symmetry<C>['orbit'] | null;
  #taken = 0;
  #compared = 0;
  #opened = 0;

  constructor(
    model: Model<C, E>,
    search: StateSearch<C, E>,
    observer: DraftObserver<C, E>,
    memory: DraftMemory<C, E>,
  ) {
    this.factored = new FactoredEvents(model, memory.isSymmetric);
    const newIdentity = () => new ValueIdentity(model.codec ?? null, memory.isThorough);
    this.#values = newIdentity();
    this.#memory = memory;
    this.#search = search;
    this.#observer = observer;
    this.#orbit = memory.isSymmetric ? (model.symmetry?.orbit ?? null) : null;
    this.#symmetry =
      this.#orbit === null
        ? null
        : createSymmetryTest(
            newIdentity(),
            ({ point, draft }) => [point.place.number, draft],
            (open) => this.#outcomesOf(open),
          );
  }

  /** Where each choice of an open part leads. Once all parts are taken, where each end leads. */
  #outcomesOf(open: OpenDraft<C>): MovesByTarget<DraftOutcome> {
    const { point, draft, parts } = open;
    const outcomes = new Map<string, DraftOutcome>();
    for (let part = 0; part < parts; part++) {
      if ((draft.taken & (1 << part)) !== 0) continue;
      for (const [via, { choice }] of this.factored.choicesOf(open, part).all.entries()) {
        const next = this.factored.take(open, part, choice);
        outcomes.set(`${this.#orbit?.(next.point, next.draft)}`, { part, via });
      }
    }
    if (outcomes.size > 0) return outcomes;
    const { ends } = this.factored.endsOf(open);
    return new Map(ends.map((end, via) => [this.#search.leadOf(point, end), { part: null, via }]));
  }

  get bytes(): number {
    return this.#memory.visited.bytes + this.moves.bytes;
  }

  get counts(): PartCounts {
    return { drafts: this.#memory.paths.drafts, moves: this.#taken, compared: this.#compared };
  }

  /** Opens a factored event in a state. Returns the number of its first draft, or null if the machine broke. */
  open(opened: OpenDraft<C>, state: number, via: number): number | null {
    const next = this.#advance(opened, state);
    if (next === null) return null;
    if (this.#memory.keepsMoves) this.#observer.onOpen?.(next.helps);
    return this.#number(next.open, state, via);
  }

  /** Takes all waiting drafts to their ends. Returns false if the machine broke or the search must end or pause. */
  finish(): boolean {
    const first = this.#memory.paths.drafts - this.#lane.length;
    while (this.#at < this.#lane.length) {
      const at = this.#at;
      const open = this.#lane[at];
      if (open === undefined || open === null) throw new Error(`draft ${first + at} does not wait`);
      const part = this.factored.nextPart(open);
      const isWell =
        part < 0 ? this.#settle(open, first + at) : this.#takePart(open, part, first + at);
      if (!isWell) return false;
      if (this.#memory.keepsMoves) this.moves.close();
      this.#lane[at] = null;
      this.#at += 1;
      if (this.#at % DRAFTS_A_LOOK === 0 && this.#search.isEnded()) return false;
    }
    this.#lane = [];
    this.#at = 0;
    return true;
  }

  /** The number of a draft. A new draft joins the lane. */
  #number(open: OpenDraft<C>, nearest: number, via: number): number {
    const number = this.numberOf(open);
    const { paths } = this.#memory;
    if (number < paths.drafts) {
      const difference = this.#symmetry?.findDifference(number, open) ?? null;
      if (difference === null) return number;
      const { isOfFirst, outcome } = difference;
      const [node, { factor }] = [~number, open];
      const path = [...paths.pathTo(nearest), { state: node, via }];
      const { part, via: last } = outcome;
      return this.#search.breakSymmetry(
        isOfFirst ? paths.pathTo(node) : path,
        part === null
          ? { type: 'end', node, via: last }
          : { type: 'part', node, factor, part, via: last },
      );
    }
    this.#symmetry?.keep(number, open);
    paths.addDraft(nearest, via);
    this.#lane.push(open);
    return number;
  }

  numberOf(open: OpenDraft<C>): number {
    const { point, draft, factor } = open;
    const mark = this.#memory.isSymmetric ? factor : this.factored.markOf(open);
    return this.#memory.visited.number(point, draft, mark);
  }

  #takePart(open: OpenDraft<C>, part: number, draft: number): boolean {
    for (const { via, choice, helps } of this.factored.choicesOf(open, part).distinct) {
      this.#taken += 1;
      const taken = this.factored.take(open, part, choice);
      // A known draft was advanced as far as possible before it got its number.
      const isKnown = this.#memory.visited.knows(taken.point, taken.draft, taken.factor);
      const next = isKnown ? { open: taken, helps: 0 } : this.#advance(taken, ~draft);
      if (next === null) return false;
      this.#note(~this.#number(next.open, ~draft, via), helps | next.helps);
    }
    return true;
  }

  #advance(open: OpenDraft<C>, node: number): AdvancedDraft<C> | null {
    return this.factored.advance(open, (at, part) => this.#look(at, part, node));
  }

  /** Judges the choices of a part that are not yet judged. Returns false if the machine broke. */
  #look(open: OpenDraft<C>, part: number, node: number): boolean {
    const choices = this.factored.choicesOf(open, part);
    const { all, times } = choices;
    choices.times += 1;
    if (times % JUDGED_AGAIN !== 0) return true;
    if (all.length === 0) throw new Error(NO_CHOICE);
    const before = stateOf(open.point);
    const comesTo = new Map<string, DistinctChoice>();
    for (const [via, { choice, event }] of all.entries()) {
      const { draft } = this.factored.take(open, part, choice);
      const helps = this.#observer.helpsOf?.(before, event) ?? 0;
      const result = `${this.#values.of([draft.context, draft.kept])} ${helps}`;
      if (!comesTo.has(result)) comesTo.set(result, { via, choice, helps });
      const transition = this.#search.step(open.point, event);
      if (transition === null) return false;
      const { factor } = open;
      this.#show(transition, before, event, { type: 'part', node, factor, part, via });
    }
    const distinct = [...comesTo.values()];
    const isNew = choices.distinct.length === 0;
    if (isNew) choices.distinct = distinct;
    else if (!isSameList(choices.distinct, distinct)) {
      this.#search.refuse(DEPENDS_ON_MORE, (all[0] as PartChoice<E>).event); // there is one
      return false;
    }
    return true;
  }

  #settle(open: OpenDraft<C>, draft: number): boolean {
    const { ends, asides } = this.factored.endsOf(open);
    const [plain, ...others] = ends;
    if (plain === undefined) throw new Error(NO_CHOICE);
    const to = this.#end(open, draft, plain, 0);
    if (to === null) return false;
    for (const [index, event] of others.entries()) {
      if (this.#end(open, draft, event, index + 1) === null) return false;
    }
    if (!this.factored.areDue(open, asides.reads)) return true;
    for (const [index, event] of asides.list().entries()) {
      const leadsTo = this.#end(open, draft, event, ends.length + index);
      if (leadsTo === null) return false;
      if (leadsTo === to) continue;
      this.#search.refuse(LEADS_ELSEWHERE, event);
      return false;
    }
    return true;
  }

  /** One end of an event. Returns the number of the resulting state, or null if the machine broke. */
  #end({ point }: OpenDraft<C>, draft: number, event: E, via: number): number | null {
    this.#taken += 1;
    const transition = this.#search.step(point, event);
    if (transition === null) return null;
    const to = this.#search.number(transition.point, via, draft);
    const before = stateOf(point);
    this.#show(transition, before, event, { type: 'end', node: ~draft, via });
    this.#note(to, this.#observer.helpsOf?.(before, event) ?? 0);
    return to;
  }

  #note(to: number, helps: number): void {
    if (!this.#memory.keepsMoves) return;
    this.moves.add(to);
    this.#observer.onDraftMove?.(helps);
  }

  #show({ point, effects }: Transition<C>, before: State<C>, event: E, place: PartPlace): void {
    this.#observer.onPart?.({ before, event, after: stateOf(point), effects }, place);
  }

  /** Tries whole events of a state after everything that their parts lead to is known. */
  compare(open: OpenDraft<C>, state: number): boolean {
    this.#opened += 1;
    const isDue = this.#opened <= NEXT_STATES || this.#opened % EVERY === 0;
    const tries = this.#opened <= FIRST_STATES ? TRIES : Number(isDue);
    for (let index = 0; index < tries; index++) if (!this.#compareOnce(open, state)) return false;
    return true;
  }

  #compareOnce(open: OpenDraft<C>, state: number): boolean {
    const { factored } = this;
    const vias: number[] = [];
    const drawn = takeWhole(factored, open, (all) => {
      const via = this.#pick(all);
      vias.push(via);
      return via;
    });
    const { draft, end, event } = drawn;
    const whole = this.#search.step(open.point, event);
    const parts = whole === null ? null : this.#search.step(draft.point, end);
    if (whole === null || parts === null) return false;
    this.#compared += 1;
    const before = stateOf(open.point);
    const { factor } = open;
    const place = { type: 'whole', node: state, factor, vias: vias.slice(0, -1) } as const;
    this.#show(whole, before, event, { ...place, end: vias.at(-1) ?? 0 });
    if (this.#isSamePoint(whole.point, parts.point)) return true;
    this.#search.refuse(
      `${event.type} as a whole leads elsewhere than its parts taken one after another, so it cannot be searched part by part`,
      event,
    );
    return false;
  }

  #pick({ length }: readonly unknown[]): number {
    // Park and Miller's generator. It yields each integer from 1 to 2^31 - 2 once per period.
    this.#die = (this.#die * 48_271) % 2_147_483_647;
    if (length === 0) throw new Error(NO_CHOICE);
    return this.#die % length;
  }

  #isSamePoint(one: MachinePoint<C>, other: MachinePoint<C>): boolean {
    const { place, context, status, history, timers, children } = one;
    return (
      place === other.place &&
      status === other.status &&
      history === other.history &&
      this.#values.of([context, timers, children]) ===
        this.#values.of([other.context, other.timers, other.children])
    );
  }
}

function takeWhole<C, E extends EventObject>(
  factored: FactoredEvents<C, E>,
  open: OpenDraft<C>,
  pick: (items: readonly unknown[]) => number,
): { readonly draft: OpenDraft<C>; readonly end: E; readonly event: E } {
  const choices: unknown[] = Array.from({ length: open.parts });
  let draft = open;
  for (let part = factored.nextPart(draft); part >= 0; part = factored.nextPart(draft)) {
    const { all } = factored.choicesOf(draft, part);
    const chosen = all[pick(all)];
    if (chosen === undefined) throw new Error(NO_CHOICE);
    choices[part] = chosen.choice;
    draft = factored.take(draft, part, chosen.choice);
  }
  const ends = factored.listEnds(draft);
  const end = ends[pick(ends)];
  if (end === undefined) throw new Error(NO_CHOICE);
  return { draft, end, event: factored.join(draft, end, choices) };
}

function isSameList(some: readonly DistinctChoice[], others: readonly DistinctChoice[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ via, helps }, at) => via === others[at]?.via && helps === others[at]?.helps)
  );
}

const DEPENDS_ON_MORE = 'the result of a part depends on more than its model declares in `reads`';
const LEADS_ELSEWHERE = 'this aside leads elsewhere than the plain end';
const NO_CHOICE = 'each part of a factored event needs at least one choice, and the event one end';

type PartialEvent<C> = { readonly open: OpenDraft<C>; readonly choices: readonly unknown[] };

/** Follows a path into a factored event and out of it. As in the search, its destination identifies a move. */
export class DraftWalk<C, E extends EventObject> {
  readonly #drafts: DraftSearch<C, E>;
  #within: PartialEvent<C> | null = null;

  constructor(drafts: DraftSearch<C, E>) {
    this.#drafts = drafts;
  }

  get isWithin(): boolean {
    return this.#within !== null;
  }

  goTo(draft: number, point: MachinePoint<C>): void {
    const within = this.#within;
    const begun = within === null ? this.#listFirst(point) : [within];
    const reached = within === null ? begun : this.#listNext(within);
    const isIt = ({ open }: PartialEvent<C>) => this.#drafts.numberOf(open) === draft;
    const next = reached.map((one) => this.#advance(one));
    this.#within = follow(next.find(isIt) ?? this.#search(begun, isIt));
  }

  #listFirst(point: MachinePoint<C>): readonly PartialEvent<C>[] {
    return this.#drafts.factored
      .open(point)
      .map((open) => ({ open, choices: Array.from({ length: open.parts }) }));
  }

  #listNext({ open, choices }: PartialEvent<C>, wanted = -1): readonly PartialEvent<C>[] {
    const { factored } = this.#drafts;
    const part = wanted < 0 ? factored.nextPart(open) : wanted;
    if (part < 0) return [];
    return factored.choicesOf(open, part).all.map(({ choice }) => ({
      open: factored.take(open, part, choice),
      choices: choices.with(part, choice),
    }));
  }

  /** If parts that read the same differ, this may need another order than the search. */
  #search(
    begun: readonly PartialEvent<C>[],
    isIt: (one: PartialEvent<C>) => boolean,
  ): PartialEvent<C> | null {
    const seen = new Set<number>();
    const queue = [...begun];
    for (const one of queue) {
      if (isIt(one)) return one;
      const number = this.#drafts.numberOf(one.open);
      if (seen.has(number)) continue;
      seen.add(number);
      for (let part = 0; part < one.open.parts; part++) {
        if ((one.open.draft.taken & (1 << part)) === 0) queue.push(...this.#listNext(one, part));
      }
    }
    return null;
  }

  #advance({ open, choices }: PartialEvent<C>): PartialEvent<C> {
    const next = follow(this.#drafts.factored.advance(open, () => true));
    const all = [...choices];
    for (const [part, choice] of next.taken) all[part] = choice;
    return { open: next.open, choices: all };
  }

  end(leads: (point: MachinePoint<C>, end: E) => boolean): E {
    const event = this.#whole((ends, point) => ends.find((end) => leads(point, end)));
    this.#within = null;
    return event;
  }

  /** The last events of runs that take this part of a factored event. */
  listLast(place: PartPlace, point: MachinePoint<C>): readonly E[] {
    if (place.type === 'end') return [this.#whole((ends) => ends[place.via])];
    if (place.type === 'part') return this.#completions(place, point);
    const { open } = this.#firstOf(point, place.factor);
    const places = [...place.vias, place.end];
    return [takeWhole(this.#drafts.factored, open, () => places.shift() ?? 0).event];
  }

  #whole(pick: (ends: readonly E[], point: MachinePoint<C>) => E | undefined): E {
    const { open, choices } = follow(this.#within);
    const { factored } = this.#drafts;
    const end = follow(pick(factored.listEnds(open), open.point));
    return factored.join(open, end, choices);
  }

  #firstOf(point: MachinePoint<C>, factor: number): PartialEvent<C> {
    return follow(this.#listFirst(point).find(({ open }) => open.factor === factor));
  }

  /** Whole events where this part makes this choice. The other parts take their first choice. */
  #completions(
    { factor, part, via }: Extract<PartPlace, { type: 'part' }>,
    point: MachinePoint<C>,
  ): readonly E[] {
    const { factored } = this.#drafts;
    let { open, choices } = this.#within ?? this.#firstOf(point, factor);
    const take = (which: number, place: number) => {
      const choice = factored.choicesOf(open, which).all[place]?.choice;
      open = factored.take(open, which, choice);
      choices = choices.with(which, choice);
    };
    if (choices[part] === undefined) take(part, via);
    for (let at = factored.nextPart(open); at >= 0; at = factored.nextPart(open)) take(at, 0);
    return factored.listEnds(open).map((event) => factored.join(open, event, choices));
  }
}

function follow<T>(found: T | null | undefined): T {
  if (found !== null && found !== undefined) return found;
  throw new Error(
    'cannot follow a path inside a factored event: the result of a part must depend only on the draft',
  );
}
