/** A stretch of play for the laws of the minds on the ship: rounds with scripted minds, and meetings without a word. */

import { drawForRound } from '../../../../actors/engine/orders.ts';
import { createScriptedMind } from '../../../../actors/minds/scripted/mind.ts';
import { NO_PAST } from '../../../../machines/rules/record.ts';
import {
  askedSeats,
  type GameCourse,
  type GameFact,
  playRound,
  resumeAfterMeeting,
  startGame,
} from '../../../../machines/rules/ship/game.ts';
import type { Order } from '../../../../machines/rules/ship/orders.ts';
import { addToMemory, type MemoryEntry } from '../../../../machines/rules/ship/sight.ts';
import { type ActionView, sceneFor } from '../../../../machines/rules/ship/views.ts';
import { type PlayerSetting, plainGame, prepare } from '../../../../machines/setup/prepare.ts';
import type { Colour, RuleSet } from '../../../../machines/types.ts';
import { readOrder } from '../../../../prompts/order.ts';

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
    const orders = askedSeats(before).flatMap((seat) => {
      const view = viewOf(crew, before, seat, memories.get(seat) ?? []);
      if (view === null) return [];
      const order = orderFor(seed, view);
      asked.push({ view, order });
      return [order];
    });
    const { changes, facts } = playRound(before, orders, drawForRound(seed, before.round));
    course = { ...before, ...changes };
    for (const fact of facts) {
      if (fact.type !== 'round.closed') continue;
      rounds.push({ before, after: course, fact });
      for (const { colour } of crew) {
        const memory = memories.get(colour) ?? [];
        memories.set(colour, addToMemory(memory, fact.round, fact.seen[colour] ?? []));
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

function viewOf(
  players: readonly PlayerSetting[],
  { world, round, known, record }: GameCourse,
  seat: Colour,
  memory: readonly MemoryEntry[],
): ActionView | null {
  const player = players.find(({ colour }) => colour === seat);
  const scene = sceneFor(world, seat, known);
  if (player === undefined || scene === null) return null;
  const { colour, role, partners, persona, pads } = player;
  const isGhost = world.standings[seat] !== 'living';
  const { map, options, meeting } = world.ship;
  const own = { colour, role, partners, persona, pads, notices: [], isGhost, memory };
  const you = { ...own, deeds: [], past: NO_PAST };
  return { you, record, round, rules: meeting.rules, map, options, scene };
}

function orderFor(seed: number, view: ActionView): Order {
  const { colour, persona } = view.you;
  const mind = createScriptedMind(seed, colour, persona.temperament);
  const answer = mind.answer({ kind: 'action', index: view.round, view });
  const reading = answer.ok ? readOrder(answer.received) : null;
  if (!answer.ok || reading === null || !reading.ok) throw new Error('a scripted mind failed');
  return { type: 'order', seat: colour, received: answer.received, decision: reading.decision };
}
