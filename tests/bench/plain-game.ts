/**
 * The plain loop of a whole game: the same rules and the same minds, with no actor and no journal on the ship.
 *
 * Meetings are held by the actors. What the actors of a game cost is measured against this.
 */

import { SimulatedClock } from '../../actors/engine/clock.ts';
import { startMatch } from '../../actors/engine/match.ts';
import { drawForRound } from '../../actors/engine/orders.ts';
import { createFaultyMind } from '../../actors/minds/faulty.ts';
import type { LightMind, Mind } from '../../actors/minds/port.ts';
import { createScriptedMind } from '../../actors/minds/scripted/mind.ts';
import { BLANK_PADS, updatePads } from '../../machines/rules/pads.ts';
import { NO_PAST, type OwnPast } from '../../machines/rules/record.ts';
import { ownDeeds } from '../../machines/rules/ship/deeds.ts';
import {
  askedSeats,
  type GameCourse,
  type GameFact,
  meetingSetupFor,
  playRound,
  resumeAfterMeeting,
  startGame,
} from '../../machines/rules/ship/game.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import { addToMemory, type MemoryEntry, toSightings } from '../../machines/rules/ship/sight.ts';
import type { DeedOfRound } from '../../machines/rules/ship/views.ts';
import { type ActionView, sceneFor } from '../../machines/rules/ship/views.ts';
import {
  type PlayerSetting,
  type PreparedGame,
  plainGame,
  prepare,
} from '../../machines/setup/prepare.ts';
import type { BySeat, Colour, Note, Outcome, Pads, Standing } from '../../machines/types.ts';
import { readOrder } from '../../prompts/order.ts';

type RoundFact = Extract<GameFact, { type: 'round.closed' }>;

/** What one player carries from round to round. */
type Pocket = {
  memory: readonly MemoryEntry[];
  deeds: readonly DeedOfRound[];
  past: OwnPast;
  pads: Pads;
  notices: readonly Note[];
};

export type PlainGame = {
  readonly course: GameCourse;
  /** Orders that were asked for on the ship. */
  readonly calls: number;
  readonly meetings: readonly { readonly outcome: Outcome; readonly ejected: Colour | null }[];
};

export type Watcher = {
  readonly asked?: (view: ActionView, order: Order) => void;
  readonly played?: (fact: RoundFact, course: GameCourse) => void;
};

export type GameTable = {
  readonly seed: number;
  readonly prepared: PreparedGame;
  readonly minds: BySeat<LightMind>;
  readonly pockets: Map<Colour, Pocket>;
};

/** A match of so many scripted players. */
export function tableFor(seed: number, players: number, faultRate = 0): GameTable {
  const preparation = prepare(plainGame(players), seed);
  if (!preparation.ok) throw new Error(preparation.refusals.map(({ text }) => text).join('; '));
  const { prepared } = preparation;
  const minds: Partial<Record<Colour, LightMind>> = {};
  for (const { colour, persona } of prepared.players) {
    const bare = createScriptedMind(seed, colour, persona.temperament);
    const mind: Mind = faultRate === 0 ? bare : createFaultyMind(bare, seed, colour, faultRate);
    if (mind.pace === 'at-once') minds[colour] = mind;
  }
  const pockets = new Map(prepared.players.map(({ colour }) => [colour, newPocket()]));
  return { seed, prepared, minds, pockets };
}

function newPocket(): Pocket {
  return { memory: [], deeds: [], past: NO_PAST, pads: BLANK_PADS, notices: [] };
}

/** Plays a game to its end. */
export async function playGame(table: GameTable, watcher: Watcher = {}): Promise<PlainGame> {
  let course = startGame(table.seed, table.prepared.ship);
  let calls = 0;
  const meetings: { outcome: Outcome; ejected: Colour | null }[] = [];
  while (course.ending === null) {
    const { round } = course;
    const orders = askedSeats(course).flatMap((seat) => orderOf(table, course, seat, watcher));
    calls += orders.length;
    const { changes, facts } = playRound(course, orders, drawForRound(table.seed, round));
    course = { ...course, ...changes };
    for (const fact of facts) {
      if (fact.type !== 'round.closed') continue;
      remember(table, fact, course);
      watcher.played?.(fact, course);
    }
    if (course.call === null || course.ending !== null) continue;
    const { outcome, ejected, standings, held } = await meet(table, course);
    meetings.push({ outcome, ejected });
    course = { ...course, ...resumeAfterMeeting(course, { standings, held }) };
  }
  return { course, calls, meetings };
}

function orderOf(
  table: GameTable,
  course: GameCourse,
  seat: Colour,
  watcher: Watcher,
): readonly Order[] {
  const view = viewOf(table, course, seat);
  const mind = table.minds[seat];
  const pocket = table.pockets.get(seat);
  if (view === null || mind === undefined || pocket === undefined) return [];
  const order = decided(seat, mind, view);
  watcher.asked?.(view, order);
  pocket.notices = [];
  if (order.type === 'order') pocket.pads = updatePads(pocket.pads, order.decision.pads);
  return [order];
}

function viewOf(
  { prepared, pockets }: GameTable,
  course: GameCourse,
  seat: Colour,
): ActionView | null {
  const { world, round, known, record } = course;
  const scene = sceneFor(world, seat, known);
  const player = prepared.players.find(({ colour }) => colour === seat);
  const pocket = pockets.get(seat);
  if (scene === null || player === undefined || pocket === undefined) return null;
  const { colour, role, partners, persona } = player;
  const isGhost = world.standings[seat] !== 'living';
  const { map, options, meeting } = world.ship;
  const you = { colour, role, partners, persona, isGhost, ...pocket };
  return { you, record, round, rules: meeting.rules, map, options, scene };
}

function decided(seat: Colour, mind: LightMind, view: ActionView): Order {
  const failed = (code: string, text: string): Order => ({ type: 'fault', seat, code, text });
  try {
    const answer = mind.answer({ kind: 'action', index: view.round, view });
    if (!answer.ok) return failed(answer.code, answer.text);
    const reading = readOrder(answer.received);
    if (!reading.ok) return failed(reading.code, reading.text);
    return { type: 'order', seat, received: answer.received, decision: reading.decision };
  } catch {
    return failed('mind/threw', 'the mind threw');
  }
}

function remember(
  { pockets }: GameTable,
  { round, seen, events }: RoundFact,
  course: GameCourse,
): void {
  for (const [seat, pocket] of pockets) {
    pocket.memory = addToMemory(pocket.memory, round, seen[seat] ?? []);
    const deeds = ownDeeds(events, seat, course.world);
    pocket.deeds = [...pocket.deeds, ...deeds.map((deed) => ({ ...deed, round }))];
    for (const event of events) {
      if (event.type === 'intent.refused' && event.seat === seat) {
        pocket.notices = [...pocket.notices, event.note];
      }
    }
  }
}

async function meet(table: GameTable, course: GameCourse) {
  const setting = meetingSetupFor(course);
  if (setting === null) throw new Error('a meeting is held without a call');
  const standings: Partial<Record<Colour, Standing>> = { ...setting.standings };
  const { pockets, minds } = table;
  const players = table.prepared.players.map((player) => briefed(player, pockets, course.round));
  const { outcome, ejected } = await startMatch({
    type: 'meeting',
    setting,
    players,
    minds,
    ghostBudget: null,
    clock: new SimulatedClock(),
    recorder: null,
    onFacts: (facts) => {
      for (const fact of facts) {
        if (fact.type === 'seat.departed') standings[fact.seat] = 'departed';
        const pocket = 'seat' in fact ? pockets.get(fact.seat) : undefined;
        if (pocket === undefined) continue;
        if (fact.type === 'scratchpads.updated') pocket.pads = updatePads(pocket.pads, fact.pads);
        if (fact.type === 'scratchpads.consolidated' && fact.main !== null) {
          pocket.pads = { main: fact.main, meeting: '' };
        }
      }
    },
  }).result;
  if (ejected !== null) standings[ejected] = 'dead';
  for (const pocket of pockets.values()) pocket.memory = [];
  const { by, kind, body, place } = setting.call;
  const result = { outcome, ejected, role: null, remaining: null, ballots: [], sentence: null };
  return { outcome, ejected, standings, held: { call: { by, kind, body, place }, result } };
}

function briefed(
  player: PlayerSetting,
  pockets: GameTable['pockets'],
  round: number,
): PlayerSetting {
  const pocket = pockets.get(player.colour);
  if (pocket === undefined) return player;
  const sightings = toSightings(pocket.memory, round);
  return { ...player, brief: { ...player.brief, sightings }, pads: pocket.pads };
}
