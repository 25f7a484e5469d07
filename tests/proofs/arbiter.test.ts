/**
 * The arbiter by itself: a player who bids at every tick waits at most W ticks for the floor, whatever minds,
 * dice and ballots do. The machine is the one that runs; `proofs/models/arbiter.ts` says why this world is enough.
 */

import { check, checkBisimulation, chooseStepper } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { EMPTY_FLOOR, stanceOf } from '../../machines/rules/floor.ts';
import { ticksUntilHeard } from '../../machines/rules/promises.ts';
import { longestSilence, type Weights, weightsRefusal } from '../../machines/rules/weights.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import {
  type Adversary,
  arbiterModel,
  createAdversary,
  HEARD,
} from '../../proofs/models/arbiter.ts';
import { arbiterTiesModel } from '../../proofs/models/arbiterTicks.ts';
import { someWeights } from '../machines/builders.ts';
import { everyNth, IS_LONG, testLong } from '../support/seeds.ts';
import { type ArbiterModel, BOUNDS, boundedModel, tiesBySeat } from './plots.ts';

function verdicts(model: ArbiterModel) {
  const { results, states, ended } = check(model, { only: BOUNDS });
  return {
    states,
    ended,
    ...Object.fromEntries(results.map(({ name, verdict }) => [name, verdict.type])),
  };
}

const boundOf = (model: ArbiterModel) =>
  check(model, { only: ['silent-at-most-w'] }).results[0]?.verdict.type;

function provedAgainst(plot: Adversary) {
  const key = JSON.stringify(plot);
  const known = PROVED.get(key) ?? verdicts(boundedModel(plot));
  PROVED.set(key, known);
  return known;
}

const PROVED = new Map<string, ReturnType<typeof verdicts>>();

function isSilent(event: ToArbiter): boolean {
  if (event.type !== 'bids.gathered') return false;
  return event.bids.filter(({ type }) => type === 'reply').length === 1;
}

const KEPT = { ended: null, ...Object.fromEntries(BOUNDS.map((name) => [name, 'proved'])) };

describe('ruling 11, shipped weights: silent for at most W ticks, and W − 1 is reached', () => {
  test.each([
    { players: 3, bound: 8 },
    { players: 4, bound: 11 },
  ])('among $players players W is $bound', ({ players, bound }) => {
    const plot = createAdversary(players);
    expect(longestSilence(plot.weights, players)).toBe(bound);
    expect(provedAgainst(plot)).toMatchObject(KEPT);
  });

  test('whoever the target is: no seat is better or worse than another', () => {
    const counts = everyNth(COLOURS.slice(0, 4), 3).map((target) => {
      const found = provedAgainst(createAdversary(4, { target }));
      expect(found, target).toMatchObject(KEPT);
      return found.states;
    });
    expect(new Set(counts).size).toBe(1);
  });

  testLong('the bound holds among three who bid, accuse and vote freely', () => {
    expect(provedAgainst(createAdversary(3, { world: 'free' }))).toMatchObject(KEPT);
  });

  describe.each(everyNth([3, 4], 2))('ruling 9: a mute among %i', (players) => {
    const plot = createAdversary(players);
    const bounded = boundedModel(plot);
    const silence = (bid: Bid) =>
      bid.type === 'reply' && bid.seat === plot.target
        ? { ...bid, reply: { ...bid.reply, message: '' } }
        : bid;
    const mute: ArbiterModel = {
      ...bounded,
      world: (situation) =>
        bounded
          .world(situation)
          .map((event) =>
            event.type === 'bids.gathered' ? { ...event, bids: event.bids.map(silence) } : event,
          ),
    };

    test('is called on within W ticks where somebody else talks at every tick', () => {
      const talkative: ArbiterModel = {
        ...mute,
        world: (situation) => mute.world(situation).filter((event) => !isSilent(event)),
      };
      expect(verdicts(talkative)).toMatchObject(KEPT);
    });

    test('and may wait longer where nobody talks, but not for ever', () => {
      expect(verdicts(mute)).toMatchObject({
        'silent-at-most-w': 'violated',
        'heard-again': 'proved',
      });
    });
  });
});

describe('ruling 11, other weights', () => {
  const silence = { slope: 3, grace: 0, cap: null };
  test.each<[string, Weights]>([
    ['a slope of 3', someWeights({ silence })],
    ['a slope that divides the spread', someWeights({ silence: { ...silence, slope: 7 } })],
    ['no boost for names', someWeights({ mention: 0, accusation: 0, silence })],
    ['no penalty', someWeights({ recentSpeaker: 0, voted: 0, silence })],
  ])('%s: W is proved and reached', (_, weights) => {
    expect(verdicts(boundedModel(createAdversary(3, { weights })))).toMatchObject(KEPT);
  });

  test.each([1, 2])('a grace of %i ticks adds at most itself', (grace) => {
    const weights = someWeights({ silence: { slope: 6, grace, cap: null } });
    expect(boundOf(arbiterModel(createAdversary(3, { weights })))).toBe('proved');
  });
});

const capped = (cap: number) => someWeights({ silence: { slope: 8, grace: 0, cap } });

function loopOf(model: ArbiterModel): readonly (Colour | null)[] | null {
  const { results } = check(model, { only: ['heard-again'] });
  const verdict = results[0]?.verdict;
  if (verdict?.type !== 'violated' || verdict.trace.loop === null) return null;
  const { stepper } = chooseStepper(model);
  let { point } = stepper.initial();
  const speakers = verdict.trace.events.flatMap((event, index) => {
    point = stepper.step(point, event).point;
    if (event.type !== 'bids.gathered' || index < (verdict.trace.loop ?? 0)) return [];
    const said = point.context.pending?.transcript.findLast(({ speaker }) => speaker !== 'system');
    return [COLOURS.find((colour) => colour === said?.speaker) ?? null];
  });
  return speakers;
}

/** Δ = 21 and c = 8. Equal totals go to the longest silent, so Δ + s(N − 2) is enough: 29 for three, 45 for five. */
describe('ruling 11, a boost with a ceiling', () => {
  test.each([
    { players: 3, cap: 28 },
    { players: 5, cap: 44 },
  ])('among $players a ceiling of $cap starves', ({ players, cap }) => {
    const plot = createAdversary(players, { weights: capped(cap) });
    expect(provedAgainst(plot)).toMatchObject({
      'silent-at-most-w': 'violated',
      'heard-again': 'violated',
    });
    expect(weightsRefusal(plot.weights, players)?.code).toBe('weights/starve');
  });

  test('the lasso: two rivals take turns for ever, and the target is never heard again', () => {
    const plot = createAdversary(3, { weights: capped(28), alike: false });
    expect(loopOf(boundedModel(plot))).toEqual(['red', 'blue']);
  });

  const keeping = [
    { players: 3, cap: 29 },
    { players: 3, cap: 30 },
    { players: 5, cap: 45 },
    { players: 5, cap: 46 },
  ];
  test.each(everyNth(keeping, 2))(
    'among $players a ceiling of $cap keeps W',
    ({ players, cap }) => {
      expect(
        verdicts(boundedModel(createAdversary(players, { weights: capped(cap) }))),
      ).toMatchObject(KEPT);
    },
  );
});

/** With c = 7, which divides Δ = 21, W is 4 when ties go to the longest silent and 5 when they go against the target. */
describe('ruling 5, planted: ties go by seat', () => {
  const weights = someWeights({ silence: { slope: 7, grace: 0, cap: null } });

  test('the last seat is silent beyond W, and the first is not', () => {
    expect(boundOf(arbiterModel(createAdversary(3, { weights }), tiesBySeat))).toBe('violated');
    const first = createAdversary(3, { weights, target: 'red' });
    expect(boundOf(arbiterModel(first, tiesBySeat))).toBe('proved');
  });

  testLong.each([
    { players: 3, cap: 29, starves: true },
    { players: 3, cap: 30, starves: false },
    { players: 5, cap: 45, starves: true },
    { players: 5, cap: 46, starves: false },
  ])('among $players a ceiling of $cap starves: $starves', ({ players, cap, starves }) => {
    const plot = createAdversary(players, { weights: capped(cap) });
    expect(loopOf(boundedModel(plot, tiesBySeat)) !== null).toBe(starves);
  });
});

test('an arbiter that breaks ties by seat is noticed where four bid the same', () => {
  const { results } = check(arbiterTiesModel(tiesBySeat));
  const violated = results.filter(({ verdict }) => verdict.type === 'violated');
  expect(violated.map(({ name }) => name)).toContain('the-highest-bid-has-the-floor');
});

describe('the promised waits for the floor', () => {
  const wide = { mention: 30, recentSpeaker: 50, voted: 20 };
  const waiting: readonly (readonly [string, Adversary])[] = [
    ['two', createAdversary(2)],
    ['four', createAdversary(4)],
    ['two who bid freely', createAdversary(2, { world: 'free' })],
    ['four of whom one may vote at any time', createAdversary(4, { mayVote: true })],
    ['three with a ceiling', createAdversary(3, { weights: capped(29) })],
    [
      'three with other weights and a grace',
      createAdversary(3, {
        weights: someWeights({ ...wide, silence: { slope: 20, grace: 2, cap: null } }),
      }),
    ],
    ['three', createAdversary(3)],
  ];
  test.each(everyNth(waiting, 2))('among %s come true from every state', (_, plot) => {
    const { results, ended } = check(arbiterModel(plot), { only: [HEARD] });
    expect([ended, ...results.map(({ verdict }) => verdict.type)]).toEqual([null, 'proved']);
  });

  test('are broken if a ballot costs more than the promise knows', () => {
    const dear = createAdversary(3, { weights: someWeights({ voted: 9 }) });
    const { input } = arbiterModel(dear);
    const model = { ...arbiterModel(createAdversary(3, { mayVote: true })), input };
    const { results } = check(model, { only: [HEARD] });
    expect(results.map(({ verdict }) => verdict.type)).toEqual(['violated']);
  });

  testLong('among three who bid freely come true from every state', () => {
    const { results } = check(arbiterModel(createAdversary(3, { world: 'free' })), {
      only: [HEARD],
    });
    expect(results.map(({ verdict }) => verdict.type)).toEqual(['proved']);
  });

  test.each([2, 3, 4])(
    'among %i are as short as can be: from every state a rival reaches them',
    (players) => {
      const plot = createAdversary(players);
      const { seated, target, weights } = plot;
      const model: ArbiterModel = arbiterModel(plot);
      const waits = new Map<string, { promised: number; longest: number }>();
      const waitIn = ({ floor, pending }: ArbiterBooks) =>
        ticksUntilHeard(
          { floor: pending ?? floor, voted: [target], living: seated, weights },
          target,
        );
      const noting: ArbiterModel['properties'][number] = {
        name: 'noting',
        sentence: 'Every wait is noted.',
        kind: 'step',
        holds: ({ before, event, after }) => {
          if (event.type !== 'bids.gathered' || before.at === 'idle') return true;
          const key = JSON.stringify(model.view?.(before));
          const { longest = 0 } = waits.get(key) ?? {};
          const isHeard = stanceOf(after.context.pending ?? EMPTY_FLOOR, target, false).justSpoke;
          const wait = isHeard ? 1 : 1 + waitIn(after.context);
          waits.set(key, { promised: waitIn(before.context), longest: Math.max(longest, wait) });
          return true;
        },
      };
      check({ ...model, properties: [noting] });
      expect(waits.size).toBeGreaterThan(players * 2);
      for (const { promised, longest } of waits.values()) expect(longest).toBe(promised);
    },
  );
});

const WITH_CEILING = ['with a ceiling', createAdversary(5, { weights: capped(44) })] as const;
const FREE = ['in the free world', createAdversary(3, { world: 'free' })] as const;
const VIEWED: readonly (readonly [string, Adversary])[] = [
  ['among three', createAdversary(3)],
  ['among four', createAdversary(4)],
  ...(IS_LONG ? [WITH_CEILING, FREE] : []),
];

describe('facts outside the view decide nothing', () => {
  test.each(VIEWED)('%s: states with equal views agree and go on to equal views', (_, plot) => {
    const found = checkBisimulation(arbiterModel(plot), { members: plot.world === 'free' ? 2 : 3 });
    expect(found).toMatchObject({ verdict: 'agrees', difference: null });
    expect(found.views).toBe(provedAgainst(plot).states);
    expect(found.compared).toBeGreaterThan(found.views / 2);
  });

  test('a view that forgets how long everybody was silent is found out, with two runs', () => {
    const steep = someWeights({ silence: { slope: 22, grace: 0, cap: null } });
    const model: ArbiterModel = arbiterModel(createAdversary(3, { weights: steep }));
    const forgetful: ArbiterModel = {
      ...model,
      view: ({ context: { floor, pending } }) =>
        COLOURS.slice(0, 3).map((seat) => stanceOf(pending ?? floor, seat, false).justSpoke),
    };
    const { verdict, difference } = checkBisimulation(forgetful, {
      budget: { states: 2000, seconds: Infinity },
    });
    expect(verdict).toBe('differs');
    expect(difference?.runs.map((run) => run.length)).toHaveLength(2);
  });

  test('without a view the books grow for ever, and nothing reads as proved', () => {
    const { view: _, ...model } = arbiterModel(createAdversary(3));
    const { results } = check(model, { budget: { states: 500, seconds: Infinity } });
    expect(results.find(({ name }) => name === 'silent-at-most-w')?.verdict.type).toBe(
      'incomplete',
    );
  });
});
