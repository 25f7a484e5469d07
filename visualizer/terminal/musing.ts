/** Musings in print: what is thought on the way, where it says something about others. */

import {
  actionIn,
  roleOf,
  type SeenRound,
  type ShipState,
  thoughtIn,
} from '../../machines/journal/projection.ts';
import type { Colour } from '../../machines/types.ts';
import { ink } from './ink.ts';
import { type Block, INDENT, paragraph } from './page.ts';
import { name } from './seats.ts';

export type Musing = { readonly seat: Colour; readonly thought: string };

/** Orders whose reasons are told when they are carried out. */
const GRAVE: readonly string[] = [
  'kill',
  'vent',
  'surface',
  'sabotage',
  'shut',
  'report',
  'button',
];

/** One thought of a passage: one's own last; through the glass the last that names another player. */
export function musingIn(rounds: readonly SeenRound[], { lens, seats }: ShipState): Musing | null {
  if (lens.type === 'table') return null;
  const names = seats.map(({ colour }) => colour);
  const musings = rounds.flatMap((round) =>
    (round.orders ?? []).flatMap(({ seat }) => {
      const thought = quietThought(round, seat);
      const isTold = lens.type === 'player' ? seat === lens.seat : isAbout(thought, names, seat);
      return isTold && thought.trim() !== '' ? [{ seat, thought }] : [];
    }),
  );
  return musings.at(-1) ?? null;
}

/** What those thought next who had seen something terrible in the round before, unless they did it or call now. */
export function shocksIn(
  round: SeenRound,
  last: SeenRound | null,
  ship: ShipState,
): readonly Musing[] {
  if (last === null) return [];
  return (round.orders ?? []).flatMap(({ seat }) => {
    const sights = last.seen?.[seat] ?? [];
    const isShaken = sights.some(([, , did]) => did === 'kill' || did === 'vent' || did === 'dead');
    if (!isShaken || roleOf(ship, seat) === 'impostor') return [];
    const thought = quietThought(round, seat);
    return thought.trim() === '' ? [] : [{ seat, thought }];
  });
}

/** A thought behind nothing grave; '' when there is none. */
function quietThought(round: SeenRound, seat: Colour): string {
  const isQuiet = !GRAVE.includes(actionIn(round, seat)?.type ?? '');
  return isQuiet ? (thoughtIn(round, seat) ?? '') : '';
}

export function musingBlock({ seat, thought }: Musing): Block {
  const text = [name(seat), ink(': ', 'dim'), ink(thought, 'dim', 'italic')];
  return paragraph([ink(`${INDENT}~ `, 'dim')], text);
}

function isAbout(thought: string, names: readonly Colour[], self: Colour): boolean {
  return names.some(
    (colour) => colour !== self && new RegExp(`\\b${colour}\\b`, 'iu').test(thought),
  );
}
