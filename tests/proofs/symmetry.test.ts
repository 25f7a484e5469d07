import fc from 'fast-check';
import { check, chooseStepper } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { checkQuotient, findAsymmetry } from '../../checker/tests/agreement.ts';
import { SeededRandom } from '../../checker/tests/randomChart.ts';
import { GraphForms } from '../../proofs/models/graphForms.ts';
import { classicTable, houseTable } from '../../proofs/models/meeting.ts';
import { seatSymmetry } from '../../proofs/models/symmetry.ts';
import { law, SEED } from '../machines/builders.ts';
import { seatExchange } from '../support/exchangeColours.ts';
import { everyNth } from '../support/seeds.ts';
import { aModel, KNOBS, type MeetingModel } from './models.ts';
import { planted } from './plants.ts';

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
    const forms = new Set<number>();
    const graphs = new GraphForms();
    const labels = Array.from({ length: players }, () => 0);
    for (let code = 0; code < players ** players; code++) {
      const targets = labels.map((_, seat) => Math.floor(code / players ** seat) % players);
      forms.add(graphs.of(labels, targets));
    }
    expect(forms.size).toBe(ways);
  });

  const someGraph = fc.integer({ min: 1, max: 4 }).chain((size) =>
    fc.record({
      labels: fc.array(fc.constantFrom(0, 1), { minLength: size, maxLength: size }),
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
      const graphs = new GraphForms();
      const isSameForm =
        graphs.of(one.labels, one.targets) === graphs.of(other.labels, other.targets);
      expect(isSameForm).toBe(isAlike);
    }),
    2_000,
  );
});

describe('the meeting cares for no colour', () => {
  test.each([
    ['house', houseTable({ players: 4 })],
    ['classic', classicTable({ players: 4 })],
  ])('%s: a step of exchanged seats is the exchanged step', (_, setting) => {
    expect(leaked(aModel(setting, { ...KNOBS, departures: 2, stops: true }))).toBeNull();
  });

  test('a step of exchanged seats is the exchanged step where ticks are drawn bid by bid, too', () => {
    const knobs = { ...KNOBS, combinations: 'folded', departures: 2, stops: true } as const;
    expect(leaked(aModel(houseTable({ players: 4 }), knobs))).toBeNull();
  });

  // Nothing but a tick leads to a count: in `folded` ticks are no events of the world, and walks draw them.
  test.each(['some', 'folded'] as const)(
    'a meeting whose ties eject the first seat prefers a colour, with %s combinations',
    (combinations) => {
      const knobs = { ...KNOBS, combinations };
      const mistaken = planted('a tie ejects the first');
      expect(leaked(aModel(houseTable({ players: 4 }), knobs, mistaken))).toMatchObject({
        at: 'voting.counting',
        event: 'poll.counted',
      });
    },
  );
});

test('a meeting whose ties eject the first seat is found to prefer it, and is searched without symmetry', () => {
  const mistaken = planted('a tie ejects the first');
  const model = aModel(houseTable({ players: 2 }), KNOBS, mistaken);
  const { isSymmetric, results } = check(model, { isSymmetric: true, purity: 'some-steps' });
  const violated = results.flatMap(({ name, verdict, expected }) =>
    verdict.type === 'violated' && expected !== 'violated' ? [name] : [],
  );
  expect(isSymmetric).toBe(false);
  expect(violated).toEqual(
    expect.arrayContaining(['exchange-changes-nothing', 'unique-plurality']),
  );
});

describe('the quotient', () => {
  const tables = [
    { setting: houseTable({ patience: 1 }), states: 3_887, orbits: 777 },
    { setting: houseTable(), states: 4_719, orbits: 928 },
    { setting: classicTable({ patience: 1 }), states: 7_170, orbits: 935 },
  ];
  test.each(everyNth(tables, 2))(
    '$setting.options.rules with patience $setting.options.patience: $states states are $orbits orbits, alike in all that can follow',
    ({ setting, states, orbits }) => {
      const model = aModel(setting);
      const found = checkQuotient(model);
      expect(found).toEqual({ states, orbits, unlike: null });
      const reduced = check({ ...model, properties: [] }, { isSymmetric: true });
      expect(reduced.states).toBe(orbits);
    },
  );
});

test('a table with an unknown field has no form and is refused', () => {
  const setting = houseTable();
  const { stepper } = chooseStepper(aModel(setting));
  const { point } = stepper.initial();
  const { orbit } = seatSymmetry(setting);
  expect(() =>
    orbit({ ...point, context: Object.assign({ favourite: 'red' }, point.context) }),
  ).toThrow('no canonical form: expected a table of');
  expect(() => orbit({ ...point, context: { ...point.context, seats: [] } })).toThrow(
    'seats or options have changed',
  );
});

function leaked(model: MeetingModel) {
  return findAsymmetry(model, seatExchange(model.input), new SeededRandom(SEED), 300);
}

type Graph = { readonly labels: readonly number[]; readonly targets: readonly number[] };

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
