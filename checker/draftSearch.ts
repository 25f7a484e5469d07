/**
 * The search within factored events: takes them part by part, looks at each draft once, and settles it.
 *
 * Properties of one choice are judged by the event of that choice alone, those of the end by the event that settles; both
 * are steps of the machine itself. Whole events are tried beside it, drawn by a fixed dice: each must lead where its
 * parts have led, and is judged as well. All drafts of a state are looked at before the next state, so the states are
 * found in the order in which whole events would find them.
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
import { type MachineStep, type Model, type State, stateOf } from './model.ts';
import { MoveTable, type PathTree } from './paths.ts';
import type { MachinePoint, Transition } from './stepper.ts';
import type { VisitedStates } from './visited.ts';

/** Where a step was made that is a part of a factored event, its end, or the whole of one that was tried. */
export type PartPlace =
  /** A choice of one part, of a factored event of which nothing was taken in a state, or some in a draft. */
  | {
      readonly type: 'part';
      readonly node: number;
      readonly factor: number;
      readonly part: number;
      readonly via: number;
    }
  | { readonly type: 'end'; readonly node: number; readonly via: number }
  /** All choices in the order in which the parts were taken, and the end. */
  | {
      readonly type: 'whole';
      readonly node: number;
      readonly factor: number;
      readonly vias: readonly number[];
      readonly end: number;
    };

/** Looks on while drafts are searched. */
export type DraftObserver<C, E> = {
  /** Bits that say of which assumptions of fairness a step is a move. */
  readonly helpsOf?: (before: State<C>, event: E) => number;
  /** A factored event is awaited in a state: its first draft is a move away. */
  readonly onOpen?: (helps: number) => void;
  /** A move from one draft on: what is taken with it, or how the event ends. */
  readonly onDraftMove?: (helps: number) => void;
  /** A step of the machine that stands for a part of a factored event, for its end, or is all of it. */
  readonly onPart?: (step: MachineStep<C, E>, place: PartPlace) => void;
};

/** How much of a search was within factored events. */
export type PartCounts = {
  readonly drafts: number;
  /** Moves from draft to draft, and to their ends. */
  readonly moves: number;
  /** Whole events that were compared with their parts. */
  readonly compared: number;
};

/** The search of states, as far as that of drafts needs it. */
export type StateSearch<C, E> = {
  /** Steps the machine; null when that broke it. */
  readonly step: (point: MachinePoint<C>, event: E) => Transition<C> | null;
  /** The number of a state that is found from the one that is expanded, by the settling at that place of a draft. */
  readonly number: (point: MachinePoint<C>, via: number, draft: number) => number;
  /** Whether a budget has ended the search meanwhile. */
  readonly isEnded: () => boolean;
  /** Ends the search: the machine does not do what the model says of it. */
  readonly refuse: (message: string, event: E) => void;
};

/** What a search remembers of drafts. */
type DraftMemory<C, E extends EventObject> = {
  readonly visited: VisitedStates<C, E>;
  readonly paths: PathTree;
  readonly keepsMoves: boolean;
  readonly isSymmetric: boolean;
};

/** One state may have millions of drafts: budgets are looked at once for this many of them. */
const DRAFTS_A_LOOK = 1024;

/** The first states are tried with so many whole events each, the next ones with one, and then every so many. */
const FIRST_STATES = 256;
const TRIES = 8;
const NEXT_STATES = 8192;
const EVERY = 16;

export class DraftSearch<C, E extends EventObject> {
  readonly factored: FactoredEvents<C, E>;
  readonly moves = new MoveTable();
  readonly #visited: VisitedStates<C, E>;
  readonly #search: StateSearch<C, E>;
  readonly #observer: DraftObserver<C, E>;
  readonly #keepsMoves: boolean;
  readonly #isSymmetric: boolean;
  readonly #paths: PathTree;
  /** The drafts of the state that is expanded, null once they have been looked at. */
  #lane: (OpenDraft<C> | null)[] = [];
  /** The place in the lane of the next one to be looked at. */
  #at = 0;
  readonly #values: ValueIdentity;
  readonly #dice = new Dice();
  #taken = 0;
  #compared = 0;
  #opened = 0;

  constructor(
    model: Model<C, E>,
    search: StateSearch<C, E>,
    observer: DraftObserver<C, E>,
    { visited, paths, keepsMoves, isSymmetric }: DraftMemory<C, E>,
  ) {
    this.factored = new FactoredEvents(model, isSymmetric);
    this.#values = new ValueIdentity(model.codec ?? null);
    this.#visited = visited;
    this.#paths = paths;
    this.#search = search;
    this.#observer = observer;
    this.#keepsMoves = keepsMoves;
    this.#isSymmetric = isSymmetric;
  }

  get bytes(): number {
    return this.#visited.bytes + this.moves.bytes;
  }

  get counts(): PartCounts {
    return { drafts: this.#paths.drafts, moves: this.#taken, compared: this.#compared };
  }

  /** Awaits an event in a state: the number of its first draft, or null when the machine broke. */
  open(opened: OpenDraft<C>, state: number, via: number): number | null {
    const next = this.#advance(opened, state);
    if (next === null) return null;
    if (this.#keepsMoves) this.#observer.onOpen?.(next.helps);
    return this.#number(next.open, state, via);
  }

  /**
   * Takes all drafts that wait to their ends. What they lead to waits behind them. False when the machine broke, or when
   * the search is to end or to pause: then it goes on where it was.
   */
  finish(): boolean {
    const first = this.#paths.drafts - this.#lane.length;
    while (this.#at < this.#lane.length) {
      const at = this.#at;
      const open = this.#lane[at];
      if (open === undefined || open === null) throw new Error(`draft ${first + at} does not wait`);
      const part = this.factored.nextPart(open);
      const isWell =
        part < 0 ? this.#settle(open, first + at) : this.#takePart(open, part, first + at);
      if (!isWell) return false;
      if (this.#keepsMoves) this.moves.close();
      this.#lane[at] = null;
      this.#at += 1;
      if (this.#at % DRAFTS_A_LOOK === 0 && this.#search.isEnded()) return false;
    }
    this.#lane = [];
    this.#at = 0;
    return true;
  }

  /** The number of a draft, which waits from now on if it is new. */
  #number(open: OpenDraft<C>, nearest: number, via: number): number {
    const number = this.numberOf(open);
    if (number < this.#paths.drafts) return number;
    this.#paths.addDraft(nearest, via);
    this.#lane.push(open);
    return number;
  }

  numberOf(open: OpenDraft<C>): number {
    const { point, draft, factor } = open;
    const mark = this.#isSymmetric ? factor : this.factored.markOf(open);
    return this.#visited.number(point, draft, mark);
  }

  /** One of each of the choices of one part that come to the same. */
  #takePart(open: OpenDraft<C>, part: number, draft: number): boolean {
    for (const { via, choice, helps } of this.factored.choicesOf(open, part).distinct) {
      this.#taken += 1;
      const next = this.#advance(this.factored.take(open, part, choice), ~draft);
      if (next === null) return false;
      this.#note(~this.#number(next.open, ~draft, via), helps | next.helps);
    }
    return true;
  }

  #advance(open: OpenDraft<C>, node: number): AdvancedDraft<C> | null {
    return this.factored.advance(open, (at, part) => this.#look(at, part, node));
  }

  /** Judges what a part may hand in where it has not been judged yet; false when the machine broke. */
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
    const to = this.#end(open, draft, { event: plain, via: 0 });
    if (to === null) return false;
    for (const [index, event] of others.entries()) {
      if (this.#end(open, draft, { event, via: index + 1 }) === null) return false;
    }
    if (!this.factored.areDue(open, asides.reads)) return true;
    for (const [index, event] of asides.list().entries()) {
      const leadsTo = this.#end(open, draft, { event, via: ends.length + index });
      if (leadsTo === null) return false;
      if (leadsTo === to) continue;
      this.#search.refuse(LEADS_ELSEWHERE, event);
      return false;
    }
    return true;
  }

  /** One end of an event: the number of the state to which it leads; null when the machine broke. */
  #end(
    { point }: OpenDraft<C>,
    draft: number,
    { event, via }: { readonly event: E; readonly via: number },
  ): number | null {
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
    if (!this.#keepsMoves) return;
    this.moves.add(to);
    this.#observer.onDraftMove?.(helps);
  }

  #show({ point, effects }: Transition<C>, before: State<C>, event: E, place: PartPlace): void {
    this.#observer.onPart?.({ before, event, after: stateOf(point), effects }, place);
  }

  /** Tries whole events of a state, after all that their parts lead to has been found. */
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
      const via = this.#dice.pick(all);
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
      `${event.type} as a whole leads elsewhere than its parts, taken one after another, and can’t be searched so`,
      event,
    );
    return false;
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

/** A dice that always falls the same way: a search that is made again finds the same. */
class Dice {
  state = 1;

  /** The place of one of so many items. */
  pick({ length }: readonly unknown[]): number {
    // The generator of Park and Miller: all whole numbers below 2^31 - 1, each once.
    this.state = (this.state * 48_271) % 2_147_483_647;
    if (length === 0) throw new Error(NO_CHOICE);
    return this.state % length;
  }
}

/** A whole event of which each choice, and the end, is picked by its place; and the draft of all its choices. */
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

const DEPENDS_ON_MORE = 'what a part comes to depends on more than its model says that it reads';
const LEADS_ELSEWHERE = 'it was said to lead where the plain end leads, and leads elsewhere';
const NO_CHOICE = 'each part of a factored event needs at least one choice, and the event one end';

/** A factored event of which some parts have been taken, on the way along a path. */
type PartialEvent<C> = { readonly open: OpenDraft<C>; readonly choices: readonly unknown[] };

/**
 * Follows a path into a factored event and out of it. Modulo symmetry the path may have been found from another state of
 * the same orbit, so a move is looked for by where it leads.
 */
export class DraftWalk<C, E extends EventObject> {
  readonly #drafts: DraftSearch<C, E>;
  #within: PartialEvent<C> | null = null;

  constructor(drafts: DraftSearch<C, E>) {
    this.#drafts = drafts;
  }

  get isWithin(): boolean {
    return this.#within !== null;
  }

  /** Goes on to the draft of that number. */
  goTo(draft: number, point: MachinePoint<C>): void {
    const begun = this.#within === null ? this.#listFirst(point) : [this.#within];
    const isIt = ({ open }: PartialEvent<C>) => this.#drafts.numberOf(open) === draft;
    const next = begun.flatMap((one) =>
      this.#within === null
        ? [this.#advance(one)]
        : this.#listNext(one).map((on) => this.#advance(on)),
    );
    const found = next.find(isIt) ?? this.#search(begun, isIt);
    if (found === null) throw new Error(LOST);
    this.#within = found;
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

  /** Where parts that read the same are not alike, another order may be needed than the one of the search. */
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
    const next = this.#drafts.factored.advance(open, () => true);
    if (next === null) throw new Error(LOST);
    const all = [...choices];
    for (const [part, choice] of next.taken) all[part] = choice;
    return { open: next.open, choices: all };
  }

  /** The whole event that ends here; `leads` says of an end whether it is the one that is looked for. */
  end(leads: (point: MachinePoint<C>, end: E) => boolean): E {
    const { open, choices } = this.#opened();
    this.#within = null;
    const { factored } = this.#drafts;
    const found = factored.listEnds(open).find((event) => leads(open.point, event));
    if (found === undefined) throw new Error(LOST);
    return factored.join(open, found, choices);
  }

  /** The whole event that ends at that place. */
  endAt(via: number): E {
    const { open, choices } = this.#opened();
    const { factored } = this.#drafts;
    const end = factored.listEnds(open)[via];
    if (end === undefined) throw new Error(LOST);
    return factored.join(open, end, choices);
  }

  /** The whole event of these choices. */
  wholeAt({ factor, vias, end }: Extract<PartPlace, { type: 'whole' }>, point: MachinePoint<C>): E {
    const { factored } = this.#drafts;
    const open = factored.open(point).find((one) => one.factor === factor);
    if (open === undefined) throw new Error(LOST);
    const places = [...vias, end];
    return takeWhole(factored, open, () => places.shift() ?? 0).event;
  }

  /** Whole events in which that part makes that choice; those that have not handed anything in say nothing. */
  completions(
    { factor, part, via }: Extract<PartPlace, { type: 'part' }>,
    point: MachinePoint<C>,
  ): readonly E[] {
    const { factored } = this.#drafts;
    const opened = factored.open(point).find((one) => one.factor === factor);
    let { open, choices } = this.#within ?? {
      open: opened as OpenDraft<C>, // it was there before
      choices: Array.from({ length: opened?.parts ?? 0 }),
    };
    const take = (which: number, place: number) => {
      const choice = factored.choicesOf(open, which).all[place]?.choice;
      open = factored.take(open, which, choice);
      choices = choices.with(which, choice);
    };
    if (choices[part] === undefined) take(part, via);
    for (let at = factored.nextPart(open); at >= 0; at = factored.nextPart(open)) take(at, 0);
    return factored.listEnds(open).map((event) => factored.join(open, event, choices));
  }

  #opened(): PartialEvent<C> {
    if (this.#within === null) throw new Error(LOST);
    return this.#within;
  }
}

const LOST =
  'a path within a factored event can’t be followed: what its parts come to must depend on nothing but the draft';
