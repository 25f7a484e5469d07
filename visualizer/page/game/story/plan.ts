/** The plan of the ship of a journal: The Skeld, or the one that its lobby describes. */
import type { SeenOf } from '../../../../machines/journal/lens.ts';
import { PLACES } from '../../../../machines/types.ts';
import type { MapPlan } from '../../../charts/mapLayout.ts';

type Chart = SeenOf<'game.opened'>['lobby']['map'];

/** What is said from one side of an opening holds from both. */
export function planOf(map: Chart, skeld: MapPlan): MapPlan {
  if (typeof map === 'string') return skeld;
  const opens = PLACES.flatMap((from) =>
    (map.openings[from] ?? []).map((to) => [from, to] as const),
  );
  const places = PLACES.filter((place) => place === map.button || opens.flat().includes(place));
  const next = (place: (typeof PLACES)[number]) =>
    places.filter((other) =>
      opens.some(([a, b]) => (a === place && b === other) || (a === other && b === place)),
    );
  return {
    name: map.name,
    places,
    openings: Object.fromEntries(places.map((place) => [place, next(place)])),
    vents: map.vents,
    doors: map.doors,
    cameras: map.cameras,
    adminTable: map.admin_table,
    button: map.button,
    consoles: map.consoles,
    tasks: skeld.tasks.filter(({ place }) => places.includes(place)),
  };
}
