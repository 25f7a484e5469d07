/**
 * Voyages: games played on the rules alone, where every world between two rounds can be looked at. A meeting is a die:
 * it votes somebody out or not.
 */

import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { drawForRound } from '../../../machines/rules/dice.ts';
import { NO_PAST } from '../../../machines/rules/record.ts';
import {
  askedSeats,
  type GameCourse,
  type GameFact,
  playRound,
  resumeAfterMeeting,
  shipTruth,
  startGame,
} from '../../../machines/rules/ship/game.ts';
import type { Order } from '../../../machines/rules/ship/orders.ts';
import { addRoundsToMemory, type MemoryEntry } from '../../../machines/rules/ship/sight.ts';
import { type ActionView, sceneFor } from '../../../machines/rules/ship/views.ts';
import type { PlayerInput } from '../../../machines/rules/views.ts';
import { type GameMatchInput, gameMatchSchema } from '../../../machines/setup/match.ts';
import { prepare } from '../../../machines/setup/prepare.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { readOrder } from '../../../prompts/order.ts';
import { dealer } from './gossip.ts';

export type Stage = {
  readonly before: GameCourse;
  readonly asked: readonly { readonly view: ActionView; readonly order: Order }[];
  readonly after: GameCourse;
  readonly fact: Extract<GameFact, { type: 'round.closed' }>;
};

const MOST_ROUNDS = 120;

export function* voyage(
  players: number,
  options: GameMatchInput['options'],
  seed: number,
): Generator<Stage> {
  const seats = COLOURS.slice(0, players).map((colour) => ({ colour }));
  const preparation = prepare(gameMatchSchema.parse({ name: 'a voyage', seats, options }), seed);
  if (!preparation.ok) throw new Error(preparation.refusals.map(({ text }) => text).join('; '));
  const { ship, players: crew } = preparation.prepared;
  const memories = new Map<Colour, readonly MemoryEntry[]>();
  const chance = dealer(seed, 5);
  let course = startGame(seed, ship);
  while (course.ending === null && course.round < MOST_ROUNDS) {
    const before = course;
    const asked = ordersIn(before, crew, memories);
    const orders = asked.map(({ order }) => order);
    const { changes, facts } = playRound(before, orders, drawForRound(seed, before.round));
    course = { ...before, ...changes };
    for (const fact of facts) {
      if (fact.type !== 'round.closed') continue;
      for (const { colour } of crew) {
        const sights = fact.seen[colour] ?? [];
        memories.set(
          colour,
          addRoundsToMemory(memories.get(colour) ?? [], [{ round: fact.round, sights }]),
        );
      }
      yield { before, asked, after: course, fact };
    }
    if (course.call === null || course.ending !== null) continue;
    const { standings } = course.world;
    const living = COLOURS.filter((seat) => standings[seat] === 'living');
    const isEjected = chance.is(0.4);
    const left = isEjected ? { ...standings, [chance.one(living)]: 'dead' as const } : standings;
    const { by, kind, body, place } = course.call;
    const held = { call: { by, kind, body, place }, result: null };
    course = { ...course, ...resumeAfterMeeting(course, { standings: left, held }) };
    memories.clear();
  }
}

/** The orders of the scripted minds that are asked, with what each of them sees. */
export function ordersIn(
  course: GameCourse,
  players: readonly PlayerInput[],
  memories: ReadonlyMap<Colour, readonly MemoryEntry[]>,
): readonly { readonly view: ActionView; readonly order: Order }[] {
  const { world, round, known, record, seed } = course;
  return askedSeats(course).flatMap((seat) => {
    const player = players.find(({ colour }) => colour === seat);
    const scene = sceneFor(world, seat, known);
    if (player === undefined || scene === null) return [];
    const { colour, role, partners, persona, pads } = player;
    const isGhost = world.standings[seat] !== 'living';
    const memory = memories.get(seat) ?? [];
    const { map, options, meeting } = world.ship;
    const own = { colour, role, partners, persona, pads, notices: [], isGhost, memory, faded: [] };
    const you = { ...own, deeds: [], past: NO_PAST };
    const truth = isGhost ? shipTruth(course) : null;
    const view = { you, record, round, rules: meeting.rules, map, options, scene, truth };
    return [{ view, order: orderFor(seed, view) }];
  });
}

function orderFor(seed: number, view: ActionView): Order {
  const { colour, persona } = view.you;
  const mind = createScriptedMind(seed, colour, persona.temperament);
  const answer = mind.answer({ kind: 'action', index: view.round, view });
  const reading = answer.ok ? readOrder(answer.received) : null;
  if (!answer.ok || reading === null || !reading.ok) throw new Error('a scripted mind failed');
  return { type: 'order', seat: colour, received: answer.received, decision: reading.decision };
}
