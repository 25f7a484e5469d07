/** Checks a map, so that no game begins with unreachable places or impossible tasks. */
import { type Note, type Place, type ShipMap, SYSTEMS, type Vent } from '../../types.ts';
import { matchNote } from '../options.ts';
import { distance, neighbours } from './map.ts';
import { findUnreachable, tasksOn } from './tasks.ts';

/** All problems of a map, in the order in which to fix them. */
export function mapRefusals(map: ShipMap): readonly Note[] {
  const strangers = [...placesNamed(map)].flatMap(([what, places]) =>
    places
      .filter((place) => !map.places.includes(place))
      .map((place) =>
        matchNote('map-place', `${what} names ${place}, which is not on ${map.name}`),
      ),
  );
  if (strangers.length > 0) return strangers;
  return [
    ...openingRefusals(map),
    ...map.vents.flatMap((vent) => ventRefusals(map, vent)),
    ...consoleRefusals(map),
    ...taskRefusals(map),
  ];
}

function placesNamed(map: ShipMap): ReadonlyMap<string, readonly Place[]> {
  return new Map<string, readonly Place[]>([
    ...Object.entries(map.openings).map(([place, to]) => [`the opening of ${place}`, to] as const),
    ...map.vents.map(({ id, place }) => [`vent ${id}`, [place]] as const),
    ...SYSTEMS.map((system) => [`${system}`, map.consoles[system]] as const),
    ['doors', map.doors],
    ['cameras', map.cameras === null ? [] : [map.cameras.at, ...map.cameras.show]],
    ['the Admin table', map.adminTable === null ? [] : [map.adminTable]],
    ['the button', [map.button]],
  ]);
}

function openingRefusals(map: ShipMap): readonly Note[] {
  return map.places.flatMap((place) =>
    neighbours(map, place)
      .filter((next) => next === place || !neighbours(map, next).includes(place))
      .map((next) =>
        matchNote(
          'map-opening',
          next === place
            ? `${place} opens to itself`
            : `${place} opens to ${next}, which does not open to ${place}`,
        ),
      ),
  );
}

function ventRefusals(map: ShipMap, { id, links }: Vent): readonly Note[] {
  const notes: Note[] = [];
  const ids = map.vents.map((vent) => vent.id);
  // Two vents with one number would report the same problem twice.
  if (ids.indexOf(id) !== ids.lastIndexOf(id)) {
    notes.push(
      matchNote('map-vent', `expected a number of its own for every vent, found another ${id}`),
    );
  }
  for (const link of links) {
    const other = map.vents.find((vent) => vent.id === link);
    if (other === undefined)
      notes.push(matchNote('map-vent', `vent ${id} leads to ${link}, which is no vent`));
    else if (link === id) notes.push(matchNote('map-vent', `vent ${id} leads to itself`));
    else if (!other.links.includes(id)) {
      notes.push(
        matchNote('map-vent', `vent ${id} leads to ${link}, but ${link} does not lead back`),
      );
    }
  }
  return notes;
}

function consoleRefusals(map: ShipMap): readonly Note[] {
  return SYSTEMS.flatMap((system) =>
    map.consoles[system]
      .filter((room) => distance(map, map.button, room) === Infinity)
      .map((room) =>
        matchNote(
          'unreachable',
          `${system} is fixed in ${room}, where no way leads from ${map.button}`,
        ),
      ),
  );
}

function taskRefusals(map: ShipMap): readonly Note[] {
  if (tasksOn(map).length === 0)
    return [
      matchNote('no-tasks', `expected rooms for at least one task, found none on ${map.name}`),
    ];
  return findUnreachable(map).map(({ task, room }) =>
    matchNote(
      'unreachable-task',
      `${task.name} is done in ${room}, where no way leads from ${map.button}`,
    ),
  );
}
