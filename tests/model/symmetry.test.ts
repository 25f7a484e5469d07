/** Symmetry: that seats can be exchanged, that the form of a table says when, and that nothing is lost by it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, stepperFor } from '../../checker/check.ts';
import { eventsAt, explore } from '../../checker/explore.ts';
import type { Point } from '../../checker/step.ts';
import { type Exchange, graphForm, renamed, seatSymmetry } from '../../machines/model/symmetry.ts';
import type { Table } from '../../machines/rules/table.ts';
import type { Colour } from '../../machines/types.ts';
import { law, SEED } from '../machines/builders.ts';
import { aModel, classic, house, KNOBS, type MeetingModel } from './models.ts';
import { firstOfATieGoes } from './plants.ts';

const PATIENT = 120_000;

describe('the form of a graph', () => {
  /** Functions from n things to n things, up to their names. */
  test.each([
    [1, 1],
    [2, 3],
    [3, 7],
    [4, 19],
    [5, 47],
    [6, 130],
  ])('%i players who all vote for players do so in %i ways', (players, ways) => {
    const forms = new Set<string>();
    const labels = Array.from({ length: players }, () => 'a');
    for (let code = 0; code < players ** players; code++) {
      const targets = labels.map((_, seat) => Math.floor(code / players ** seat) % players);
      forms.add(graphForm(labels, targets));
    }
    expect(forms.size).toBe(ways);
  });

  const someGraph = fc.integer({ min: 1, max: 4 }).chain((size) =>
    fc.record({
      labels: fc.array(fc.constantFrom('a', 'b'), { minLength: size, maxLength: size }),
      targets: fc.array(fc.integer({ min: -1, max: size - 1 }), {
        minLength: size,
        maxLength: size,
      }),
    }),
  );

  law(
    'two graphs have one form exactly when one is the other with its nodes exchanged',
    fc.property(someGraph, someGraph, (one, other) => {
      const isAlike = orders(one.labels.length).some((order) => isExchanged(one, other, order));
      expect(graphForm(one.labels, one.targets) === graphForm(other.labels, other.targets)).toBe(
        isAlike,
      );
    }),
    2_000,
  );
});

describe('the meeting cares for no colour', () => {
  test.each([
    ['house', house({ players: 4 })],
    ['classic', classic({ players: 4 })],
  ])('%s: a step of exchanged seats is the exchanged step', (_, setting) => {
    expect(leak(aModel(setting, { ...KNOBS, departures: 2, stops: true }), 300)).toBeNull();
  });

  test('a meeting in which a tie ejects the first does', () => {
    expect(leak(aModel(house({ players: 4 }), KNOBS, firstOfATieGoes), 300)).toMatchObject({
      at: 'voting.counting',
      event: 'poll.counted',
    });
  });
});

describe('the quotient', () => {
  test.each([
    { setting: house(), states: 4_719, orbits: 928 },
    { setting: house({ patience: 1 }), states: 3_887, orbits: 777 },
    { setting: classic({ patience: 1 }), states: 7_170, orbits: 935 },
  ])(
    '$setting.options.rules with patience $setting.options.patience: $states states are $orbits orbits, alike in all that can follow',
    ({ setting, states, orbits }) => {
      const model = aModel(setting);
      const found = bisimulation(model);
      expect(found).toEqual({ states, orbits, unlike: null });
      const reduced = check({ ...model, promises: [] }, { isSymmetric: true });
      expect(reduced.states).toBe(orbits);
    },
    PATIENT,
  );
});

test('a table of which the form knows not everything is refused', () => {
  const setting = house();
  const { stepper } = stepperFor(aModel(setting));
  const { point } = stepper.initial();
  const { orbit } = seatSymmetry(setting);
  expect(() =>
    orbit({ ...point, context: Object.assign({ favourite: 'red' }, point.context) }),
  ).toThrow('no canonical form');
  expect(() => orbit({ ...point, context: { ...point.context, seats: [] } })).toThrow(
    'seats or options have changed',
  );
});

/**
 * Walks at random, and at each state tries an exchange of seats on it and on an event: the first step in which seat
 * order leaks, or null. What is said in which order about several seats is presentation, and is not looked at.
 */
function leak(
  model: MeetingModel,
  walks: number,
): { readonly at: string; readonly event: string } | null {
  const { stepper } = stepperFor(model);
  const seats = model.input.seats.map(({ colour }) => colour);
  const somewhere = fc.tuple(
    fc.array(fc.nat(), { minLength: 2, maxLength: 14 }),
    fc.shuffledSubarray(seats, { minLength: seats.length }),
  );
  for (const [choices, order] of fc.sample(somewhere, { seed: SEED, numRuns: walks })) {
    const exchange: Exchange = Object.fromEntries(seats.map((seat, at) => [seat, order[at]]));
    let { point } = stepper.initial();
    for (const choice of choices) {
      const events = eventsAt(model, point);
      const event = events[choice % events.length];
      if (event === undefined) break;
      const leap = stepper.step(point, event);
      const elsewhere: Point<Table> = {
        ...point,
        context: asTable(renamed(point.context, exchange)),
      };
      const other = stepper.step(elsewhere, asEvent(renamed(event, exchange)));
      const isAlike =
        other.point.place === leap.point.place &&
        isEqual(renamed(other.point.context, {}), renamed(leap.point.context, exchange)) &&
        isEqual(unordered(renamed(other.effects, {})), unordered(renamed(leap.effects, exchange)));
      if (!isAlike) return { at: point.place.name, event: event.type };
      point = leap.point;
    }
  }
  return null;
}

/** Explores every state on its own, and compares what can follow from states of one orbit. */
function bisimulation(model: MeetingModel) {
  const { stepper } = stepperFor(model);
  const { orbit } = seatSymmetry(model.input);
  let last = stepper.initial();
  const watched = {
    ...stepper,
    engine: stepper.engine,
    initial: () => stepper.initial(),
    step: (...step: Parameters<typeof stepper.step>) => {
      last = stepper.step(...step);
      return last;
    },
  };
  const numbers = new Map<string, number>();
  const orbitOf: number[] = [];
  const followers: Set<number>[] = [];
  const exploration = explore(model, watched, {
    onState: (_, state) => {
      const form = orbit(last.point);
      const number = numbers.get(form) ?? numbers.size;
      numbers.set(form, number);
      orbitOf[state] = number;
      followers[state] = new Set();
    },
    onMove: (_, from, to) => followers[from]?.add(orbitOf[to] ?? -1),
  });
  const known = new Map<number, string>();
  const unlike = [...followers.keys()].find((state) => {
    const text = [...(followers[state] ?? [])].sort((one, other) => one - other).join();
    const number = orbitOf[state] ?? -1;
    const expected = known.get(number) ?? text;
    known.set(number, expected);
    return text !== expected;
  });
  return { states: exploration.states, orbits: numbers.size, unlike: unlike ?? null };
}

type Graph = { readonly labels: readonly string[]; readonly targets: readonly number[] };

function isExchanged(one: Graph, other: Graph, order: readonly number[]): boolean {
  return (
    one.labels.length === other.labels.length &&
    order.every((to, from) => {
      const target = one.targets[from] ?? -1;
      return (
        one.labels[from] === other.labels[to] &&
        (target < 0 ? -1 : order[target]) === other.targets[to]
      );
    })
  );
}

function orders(size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return orders(size - 1).flatMap((order) =>
    Array.from({ length: size }, (_, at) => [...order.slice(0, at), size - 1, ...order.slice(at)]),
  );
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Lists as bags; without texts, which name the living in the order of the seats, and without the order of turning. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item: unknown) => !isTurning(item))
      .map((item: unknown) => JSON.stringify(unordered(item)))
      .sort();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'text')
      .map(([name, part]) => [name, unordered(part)]),
  );
}

function isTurning(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Reflect.get(item, 'type') === 'ballot.turned';
}

/** A table with other names is a table. */
function asTable(value: unknown): Table {
  return value as Table;
}

function asEvent(value: unknown): { readonly type: string; readonly seat?: Colour } {
  return value as { readonly type: string };
}
