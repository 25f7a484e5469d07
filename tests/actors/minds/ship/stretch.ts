/** A stretch of play for the laws of the minds on the ship: rounds with scripted minds, and meetings without a word. */

import { drawForRound } from '../../../../machines/rules/dice.ts';
import {
  type GameCourse,
  type GameFact,
  playRound,
  resumeAfterMeeting,
  startGame,
} from '../../../../machines/rules/ship/game.ts';
import type { Order } from '../../../../machines/rules/ship/orders.ts';
import { addRoundsToMemory, type MemoryEntry } from '../../../../machines/rules/ship/sight.ts';
import type { ActionView } from '../../../../machines/rules/ship/views.ts';
import { plainGame, prepare } from '../../../../machines/setup/prepare.ts';
import type { Colour, RuleSet } from '../../../../machines/types.ts';
import { ordersIn } from '../../laws/voyages.ts';

export type Stretch = {
  readonly asked: readonly { readonly view: ActionView; readonly order: Order }[];
  readonly rounds: readonly {
    readonly before: GameCourse;
    readonly after: GameCourse;
    readonly fact: Extract<GameFact, { type: 'round.closed' }>;
  }[];
  readonly end: GameCourse;
};

/** Rounds after which a stretch is long enough for any law. */
const MOST_ROUNDS = 150;

export function stretchOf(seed: number, players: number, rules: RuleSet): Stretch {
  const preparation = prepare(plainGame(players, undefined, rules), seed);
  if (!preparation.ok) throw new Error(preparation.refusals.map(({ text }) => text).join('; '));
  const { ship, players: crew } = preparation.prepared;
  const asked: { view: ActionView; order: Order }[] = [];
  const rounds: Stretch['rounds'][number][] = [];
  const memories = new Map<Colour, readonly MemoryEntry[]>();
  let course = startGame(seed, ship);
  while (course.ending === null && course.round < MOST_ROUNDS) {
    const before = course;
    const decided = ordersIn(before, crew, memories);
    asked.push(...decided);
    const orders = decided.map(({ order }) => order);
    const { changes, facts } = playRound(before, orders, drawForRound(seed, before.round));
    course = { ...before, ...changes };
    for (const fact of facts) {
      if (fact.type !== 'round.closed') continue;
      rounds.push({ before, after: course, fact });
      for (const { colour } of crew) {
        const memory = memories.get(colour) ?? [];
        memories.set(
          colour,
          addRoundsToMemory(memory, [{ round: fact.round, sights: fact.seen[colour] ?? [] }]),
        );
      }
    }
    if (course.call === null || course.ending !== null) continue;
    const { by, kind, body, place } = course.call;
    const held = { call: { by, kind, body, place }, result: null };
    const { standings } = course.world;
    course = { ...course, ...resumeAfterMeeting(course, { standings, held }) };
    memories.clear();
  }
  return { asked, rounds, end: course };
}
