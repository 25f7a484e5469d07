import { describe, expect, test } from 'vitest';
import { decideAction } from '../../../../actors/minds/scripted/ship/action.ts';
import { applyLessons } from '../../../../actors/minds/scripted/traits.ts';
import { shutRooms } from '../../../../machines/rules/ship/world.ts';
import type { Colour } from '../../../../machines/types.ts';
import { SEED } from '../../../machines/builders.ts';
import { testLong } from '../../../support/seeds.ts';
import { type Stretch, stretchOf } from './stretch.ts';

const TABLES = [
  { players: 4, rules: 'house' },
  { players: 5, rules: 'classic' },
  { players: 8, rules: 'house' },
  { players: 8, rules: 'classic' },
  { players: 15, rules: 'house' },
] as const;
const GAMES = 12;
const SEEDS = Array.from({ length: GAMES }, (_, index) => SEED + index);
const LONGEST_IDLE = 14;

const stretches = TABLES.flatMap(({ players, rules }) =>
  SEEDS.map((seed) => ({ seed, players, rules, stretch: stretchOf(seed, players, rules) })),
);

describe.each(TABLES)(`$players players, $rules rules (seeds ${SEED} and on)`, (table) => {
  const played = stretches.filter(
    ({ players, rules }) => players === table.players && rules === table.rules,
  );

  test('every order is possible when it is given; only another one of the same moment can forestall it', () => {
    expect(played.flatMap(({ stretch }) => stretch.rounds.flatMap(refusals))).toEqual([]);
  });

  test('no player stays long in one place', () => {
    for (const { seed, stretch } of played) {
      const [seat, rounds] = longestIdle(stretch);
      expect(rounds, `seed ${seed}: ${seat}`).toBeLessThanOrEqual(LONGEST_IDLE);
    }
  });

  test('impostors never pose at a visual task, and never climb into a vent before the crew', () => {
    for (const { view, order } of played.flatMap(({ stretch }) => stretch.asked)) {
      if (order.type === 'fault') continue;
      const { intent } = order.decision;
      const card = view.scene.tasks.find(({ id }) => intent?.type === 'fake' && id === intent.task);
      expect(card?.visual ?? false).toBe(false);
      const isVenting = intent?.type === 'vent' && view.scene.vent === null;
      const crew = view.scene.company.filter((who) => !view.you.partners.includes(who));
      expect(isVenting && crew.length > 0 && view.scene.crisis?.system !== 'lights').toBe(false);
    }
  });

  testLong('the same view makes the same order, whatever was asked before', () => {
    const asked = played.flatMap(({ seed, stretch }) =>
      stretch.asked.map((one) => ({ ...one, seed })),
    );
    for (const { view, order, seed } of asked.toReversed()) {
      const { role, persona } = view.you;
      const copy = structuredClone(view);
      const again = decideAction(copy, seed, applyLessons(persona.temperament)[role].shipTraits);
      expect(again).toEqual(order.received);
    }
  });

  test('every thought is a short sentence with its blanks filled in', () => {
    for (const { order } of played.flatMap(({ stretch }) => stretch.asked)) {
      const thought = order.type === 'order' ? order.decision.thought : '';
      expect(thought).toMatch(/^[A-Z“][^{}]{3,110}[.?!”]$/);
    }
  });

  test('few players think the same twice in a row', () => {
    for (const { seed, stretch } of played) {
      expect(repetition(stretch), `seed ${seed}`).toBeLessThan(0.12);
    }
  });
});

test('most games end even if nobody speaks or is ejected in their meetings', () => {
  const over = stretches.filter(({ stretch }) => stretch.end.ending !== null);
  expect(over.length / stretches.length).toBeGreaterThan(0.8);
});

function refusals({ fact }: Stretch['rounds'][number]): readonly string[] {
  const isAlarm = fact.events.some(({ type }) => type === 'sabotage.begun');
  return fact.events.flatMap((event) => {
    if (event.type !== 'intent.refused') return [];
    const { code, text } = event.note;
    const isForestalled = code.endsWith('/at-once') || (code === 'call/crisis' && isAlarm);
    return isForestalled ? [] : [text];
  });
}

function longestIdle({ rounds }: Stretch): readonly [Colour | null, number] {
  const idle = new Map<Colour, number>();
  let longest: readonly [Colour | null, number] = [null, 0];
  for (const { before, after, fact } of rounds) {
    const shut = shutRooms(before.world);
    for (const seat of before.known) {
      const place = before.world.players[seat]?.place;
      const isIdle =
        after.world.standings[seat] === 'living' &&
        fact.deeds[seat] === 'lurking' &&
        shut.every((room) => room !== place);
      const count = isIdle && after.call === null ? (idle.get(seat) ?? 0) + 1 : 0;
      idle.set(seat, count);
      if (count > longest[1]) longest = [seat, count];
    }
  }
  return longest;
}

/** The share of thoughts that are the same as the one before of the same player. */
function repetition({ asked }: Stretch): number {
  const last = new Map<Colour, string>();
  let same = 0;
  for (const { order } of asked) {
    if (order.type === 'fault') continue;
    const { thought } = order.decision;
    if (last.get(order.seat) === thought) same += 1;
    last.set(order.seat, thought);
  }
  return same / Math.max(1, asked.length);
}
