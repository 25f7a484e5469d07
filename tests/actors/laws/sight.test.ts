import { describe, expect, test } from 'vitest';
import { type ResolvedRound, resolveRound } from '../../../machines/rules/ship/round.ts';
import type { GameMatchInput } from '../../../machines/setup/match.ts';
import { COLOURS } from '../../../machines/types.ts';
import { wildRound } from '../../machines/rules/ship/wild.ts';
import { seeds } from '../../support/seeds.ts';
import { expectedSights } from './sightOracle.ts';
import { voyage } from './voyages.ts';

const WILD = seeds(250, 30_000);

function toldSights(seen: ResolvedRound['seen']) {
  return Object.fromEntries(
    COLOURS.flatMap((seat) => {
      const sights = seen[seat];
      if (sights === undefined) return [];
      return [[seat, sights.map(({ who, place, did }) => `${who}: ${did} in ${place}`).toSorted()]];
    }),
  );
}

function sail(players: number, options: GameMatchInput['options'], seed: number) {
  const deeds = new Set<string>();
  let rounds = 0;
  for (const { before, after, fact } of voyage(players, options, seed)) {
    const { orders, events, paths, deeds: did, seen } = fact;
    const truth = {
      before: before.world,
      orders,
      after: { world: after.world, events, paths, deeds: did },
    };
    const expected = expectedSights(truth);
    expect(toldSights(seen), `seed ${seed}, round ${fact.round}`).toEqual(expected);
    for (const sight of Object.values(seen).flat()) deeds.add(sight.did);
    rounds += 1;
  }
  return { rounds, deeds };
}

const FLEET: readonly (readonly [string, GameMatchInput['options'], number])[] = [
  ['as the lobby has it', {}, seeds(10, 1000)],
  ['in classic', { rules: 'classic' }, seeds(15, 200)],
  ['with far sight', { crew_vision: 2.5, impostor_vision: 5 }, seeds(8, 200)],
  ['with near sight', { crew_vision: 1.25, impostor_vision: 0.5 }, seeds(8, 200)],
  ['at speed 3', { player_speed: 3, crew_vision: 1.25 }, seeds(15, 200)],
  [
    'at speed 1.5, with long knives',
    { player_speed: 1.5, kill_distance: 'long', kill_cooldown: 10 },
    seeds(25, 200),
  ],
];

describe('in whole games everybody saw what could be seen', () => {
  test.each(FLEET)('%s (%o, seeds 1 to %i)', (_, options, games) => {
    let rounds = 0;
    const deeds = new Set<string>();
    for (let seed = 1; seed <= games; seed++) {
      const sailed = sail(5 + (seed % 6), options, seed);
      rounds += sailed.rounds;
      for (const deed of sailed.deeds) deeds.add(deed);
    }
    expect(rounds).toBeGreaterThan(games * 10);
    expect([...deeds]).toEqual(expect.arrayContaining(['passing', 'task', 'kill', 'vent', 'dead']));
  });
});

test(`in ${WILD} wild rounds everybody saw what could be seen (seeds from 0)`, () => {
  for (let seed = 0; seed < WILD; seed++) {
    const { world, orders, draws } = wildRound(seed);
    const round = resolveRound(world, orders, draws);
    expect(toldSights(round.seen), `seed ${seed}`).toEqual(
      expectedSights({ before: world, orders, after: round }),
    );
  }
});

test('the oracle detects missing, extra and changed sightings', () => {
  const { world, orders, draws } = wildRound(1);
  const round = resolveRound(world, orders, draws);
  const expected = expectedSights({ before: world, orders, after: round });
  const [seat] = COLOURS.filter((one) => (round.seen[one] ?? []).length > 1);
  const sights = (seat === undefined ? undefined : round.seen[seat]) ?? [];
  const edits = [
    sights.slice(1),
    [...sights, { who: 'tan', place: 'O2', did: 'vent' }],
    sights.map((sight) => ({ ...sight, did: 'dead' as const })),
  ] as const;
  for (const edit of edits) {
    const seen = { ...round.seen, ...(seat === undefined ? {} : { [seat]: edit }) };
    expect(toldSights(seen)).not.toEqual(expected);
  }
});
