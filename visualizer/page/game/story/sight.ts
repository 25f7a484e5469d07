/** Sight: the places that a player sees from where they are, by the options of the lobby (docs/decisions/0013). */

import type { ShipState } from '../../../../machines/journal/projection.ts';
import type { Colour, Place, Role } from '../../../../machines/types.ts';
import type { MapPlan } from '../../../charts/mapLayout.ts';

/** Vision from which one sees into the places next to one's own, and into those behind them. */
const NEAR = 1.25;
const FAR = 2.5;

export function fieldOfView(
  { places: standing, sabotage, options, shutDoors }: ShipState,
  { places, openings }: Pick<MapPlan, 'places' | 'openings'>,
  { seat, role }: { readonly seat: Colour; readonly role: Role | null },
): readonly Place[] {
  const from = standing[seat];
  if (from === undefined || !places.includes(from)) return [];
  const isDark = role !== 'impostor' && sabotage?.system === 'lights';
  if (isDark) return from.endsWith('hallway') ? [from] : [];
  const { impostor_vision, crew_vision } = options;
  const vision = (role === 'impostor' ? impostor_vision : crew_vision) ?? 1;
  const steps = vision >= FAR ? 2 : Number(vision >= NEAR);
  const isShut = (place: Place) => shutDoors.some((room) => room === place);
  let seen: readonly Place[] = [from];
  for (let step = 0; step < steps; step++) {
    const next = seen.flatMap((place) => (isShut(place) ? [] : (openings[place] ?? [])));
    seen = [...new Set([...seen, ...next.filter((place) => !isShut(place))])];
  }
  return seen;
}
