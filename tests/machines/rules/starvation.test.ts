/**
 * Nobody is kept from the floor: the bound W of `weights.ts`, attacked with the books that run in production.
 *
 * The adversary. The target, red, bids every tick with desire 0, a face of 1 and a locked ballot, and nobody names it.
 * In each tick one rival bids, with desire 10 and a face of 6, and accuses all other rivals by name: of those who would
 * win, the one with the shortest silence. So two take turns while they can, and the others save their silence for later.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawWords } from '../../../machines/rules/dice.ts';
import { closeFloorTick, EMPTY_FLOOR, type Floor } from '../../../machines/rules/floor.ts';
import type { Weights } from '../../../machines/rules/weights.ts';
import { defaultSilence, defaultWeights, longestSilence } from '../../../machines/rules/weights.ts';
import { type Bid, type BySeat, COLOURS, type Colour, type Die } from '../../../machines/types.ts';
import { aBid, law, SEED, someOptions } from '../builders.ts';

type Tick = {
  readonly bids: readonly Bid[];
  readonly dice: BySeat<Die>;
  readonly voted: readonly Colour[];
};

function waits(
  seated: readonly Colour[],
  weights: Weights,
  ticks: number,
  tick: (at: number, floor: Floor) => Tick,
) {
  const options = someOptions({ weights });
  const longest = new Map<Colour, number>(seated.map((seat) => [seat, 0]));
  const running = new Map<Colour, number>(seated.map((seat) => [seat, 0]));
  let floor: Floor = EMPTY_FLOOR;
  for (let at = 0; at < ticks; at++) {
    const step = closeFloorTick(floor, { ...tick(at, floor), seated }, options);
    floor = { ...step.floor, transcript: [] }; // Nothing here is decided by it, and it would be copied every tick.
    for (const seat of seated) {
      const run = step.verdict.floor === seat ? 0 : (running.get(seat) ?? 0) + 1;
      running.set(seat, run);
      longest.set(seat, Math.max(run, longest.get(seat) ?? 0));
    }
  }
  return longest;
}

function seatsOf(players: number): readonly Colour[] {
  return COLOURS.slice(0, players);
}

function adversary(seated: readonly Colour[], floor: Floor, weights: Weights): Tick {
  const [target, ...rivals] = seated;
  if (target === undefined) throw new Error('expected a target');
  const lastSpoke = (seat: Colour) => floor.lastSpoke[seat] ?? -1;
  const ticks = rivals
    .toSorted((one, other) => lastSpoke(other) - lastSpoke(one))
    .map((rival) => {
      const accused = rivals.filter((seat) => seat !== rival).join(', ');
      return {
        bids: seated.map((seat) =>
          seat === rival
            ? aBid(seat, { desire: 10, message: `${accused} sus` })
            : aBid(seat, { message: seat === target ? 'may I' : '' }),
        ),
        dice: Object.fromEntries(
          seated.map((seat) => [seat, { face: seat === target ? 1 : 6, draw: 0 }]),
        ),
        voted: [target],
      };
    });
  const heard = (tick: Tick) =>
    closeFloorTick(floor, { ...tick, seated }, someOptions({ weights })).verdict.floor;
  const found = ticks.find((tick) => heard(tick) !== target) ?? ticks[0];
  if (found === undefined) throw new Error('expected a rival');
  return found;
}

const TABLES = [3, 4, 5, 6, 7, 8].map((players) => ({
  players,
  bound: longestSilence(defaultWeights(players), players),
}));

test('ruling 11: the bounds equal the arithmetic, ⌈21/c⌉ + N − 2 + N', () => {
  expect(TABLES.map(({ bound }) => bound)).toEqual([8, 11, 14, 16, 19, 21]);
});

function graceless(players: number): Weights {
  const weights = defaultWeights(players);
  return { ...weights, silence: { ...weights.silence, grace: 0 } };
}

describe.each(TABLES)(
  'ruling 11: among $players a bidding player is silent for at most $bound ticks',
  ({ players, bound }) => {
    const seated = seatsOf(players);
    const weights = defaultWeights(players);

    test.each([
      ['one tick less', weights, bound - 1],
      ['exactly as long without a grace', graceless(players), bound - players],
    ])('and the worst adversary keeps a player silent for %s', (_, against, most) => {
      const longest = waits(seated, against, 500, (_at, floor) =>
        adversary(seated, floor, against),
      );
      expect(longest.get('red')).toBe(most);
    });

    test(`nor in 10 000 ticks of random bids, names, dice and votes (seed ${SEED})`, () => {
      const chance = (tick: number, lane: number) =>
        drawWords({ seed: SEED, meeting: players, stream: 'mind', tick }, lane);
      const longest = waits(seated, weights, 10_000, (at) =>
        randomTick(seated, (lane) => chance(at, lane)),
      );
      for (const [seat, run] of longest) expect(run, seat).toBeLessThanOrEqual(bound);
    });
  },
);

function randomTick(
  seated: readonly Colour[],
  chance: (lane: number) => readonly [number, number],
): Tick {
  const lot = (lane: number, sides: number) => chance(lane)[0] % sides;
  const someone = (lane: number) => seated[lot(lane, seated.length)] ?? 'red';
  return {
    bids: seated.map((seat, index) => {
      const said = [
        `${someone(index)} lied`,
        `where were you, ${someone(index + 20)}?`,
        'nothing to add',
      ];
      return aBid(seat, { desire: lot(index + 40, 11), message: said[lot(index + 60, 3)] ?? '' });
    }),
    dice: Object.fromEntries(
      seated.map((seat, index) => [
        seat,
        { face: 1 + lot(index + 80, 6), draw: chance(index + 100)[1] },
      ]),
    ),
    voted: seated.filter((_, index) => lot(index + 120, 2) === 0),
  };
}

test(`ruling 11: nor where everything is at an end of its range (seed ${SEED})`, () => {
  const corner = fc.record({
    desire: fc.constantFrom(0, 10),
    face: fc.constantFrom(1, 6),
    named: fc.boolean(),
  });
  const script = fc.array(fc.array(corner, { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 40,
  });
  const seated = seatsOf(5);
  fc.assert(
    fc.property(script, fc.subarray([...seated]), (rounds, voted) => {
      const longest = waits(seated, defaultWeights(5), 80, (at) => {
        const round = rounds[at % rounds.length] ?? [];
        const named = seated.filter((_, index) => round[index]?.named).join(' ');
        return {
          bids: seated.map((seat, index) =>
            aBid(seat, { desire: round[index]?.desire ?? 0, message: `sus ${named}` }),
          ),
          dice: Object.fromEntries(
            seated.map((seat, index) => [seat, { face: round[index]?.face ?? 1, draw: index }]),
          ),
          voted,
        };
      });
      for (const [seat, run] of longest) expect(run, seat).toBeLessThanOrEqual(14);
    }),
    { seed: SEED, numRuns: 200 },
  );
});

law(
  'ruling 11: nor with any weights, written or computed, at any table of 3 to 15',
  fc.property(
    fc.integer({ min: 3, max: 15 }),
    fc.record({ mention: fc.nat(12), accusation: fc.nat(12), recentSpeaker: fc.nat(12) }),
    fc.record({ slope: fc.integer({ min: 1, max: 9 }), grace: fc.nat(20) }, { requiredKeys: [] }),
    fc.integer(),
    (players, terms, written, seed) => {
      const plain = { ...defaultWeights(players), ...terms };
      const weights = { ...plain, silence: { ...defaultSilence(plain, players), ...written } };
      const seated = seatsOf(players);
      const chance = (tick: number, lane: number) =>
        drawWords({ seed, meeting: 0, stream: 'mind', tick }, lane);
      const bound = longestSilence(weights, players);
      const worst = waits(seated, weights, 2 * bound, (_, floor) =>
        adversary(seated, floor, weights),
      );
      expect(worst.get('red')).toBeLessThanOrEqual(bound);
      expect(worst.get('red')).toBeGreaterThanOrEqual(bound - 1);
      const longest = waits(seated, weights, 2 * bound, (at) =>
        randomTick(seated, (lane) => chance(at, lane)),
      );
      for (const [seat, run] of longest) expect(run, seat).toBeLessThanOrEqual(bound);
    },
  ),
  60,
);
