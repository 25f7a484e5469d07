import { expect, test } from 'vitest';
import type { ShipMap } from '../../../../machines/rules/ship/map.ts';
import { mapRefusals } from '../../../../machines/rules/ship/soundness.ts';
import { aMap } from './maps.ts';

const NO_CONSOLES = { reactor: [], o2: [], lights: [], comms: [] };

test('a small map is fine', () => {
  expect(mapRefusals(aMap())).toEqual([]);
});

test.each<[string, Partial<ShipMap>, string]>([
  [
    'a task in a room that no way leads to',
    {
      openings: {
        Cafeteria: ['Admin hallway'],
        Admin: ['Admin hallway'],
        'Admin hallway': ['Cafeteria', 'Admin'],
      },
    },
    'game/unreachable-task: Fix Wiring is done in Storage, where no way leads from Cafeteria',
  ],
  [
    'no task at all',
    { places: ['Cafeteria', 'MedBay hallway'], openings: {} },
    'game/no-tasks: expected rooms for at least one task, found none on a small ship',
  ],
  [
    'a console in a room that no way leads to',
    {
      places: [...aMap().places, 'Electrical'],
      consoles: { ...NO_CONSOLES, lights: ['Electrical'] },
    },
    'game/unreachable: lights is fixed in Electrical, where no way leads from Cafeteria',
  ],
  [
    'a button that is not on it',
    { button: 'MedBay' },
    'game/map-place: the button names MedBay, which is not on a small ship',
  ],
  [
    'doors of a room that is not on it',
    { doors: ['MedBay'] },
    'game/map-place: doors names MedBay, which is not on a small ship',
  ],
  [
    'a camera that shows a place that is not on it',
    { cameras: { at: 'Admin', show: ['Engine hallway'] } },
    'game/map-place: cameras names Engine hallway, which is not on a small ship',
  ],
  [
    'an opening that leads one way only',
    { openings: { ...aMap().openings, Cafeteria: ['Admin hallway', 'Admin'] } },
    'game/map-opening: Cafeteria opens to Admin, which does not open to Cafeteria',
  ],
  [
    'an opening into itself',
    { openings: { ...aMap().openings, Admin: ['Admin hallway', 'Admin'] } },
    'game/map-opening: Admin opens to itself',
  ],
  [
    'a vent that leads nowhere',
    { vents: [{ id: 0, place: 'Admin', links: [5] }] },
    'game/map-vent: vent 0 leads to 5, which is no vent',
  ],
  [
    'a vent that leads to itself',
    { vents: [{ id: 0, place: 'Admin', links: [0] }] },
    'game/map-vent: vent 0 leads to itself',
  ],
  [
    'a vent without a way back',
    {
      vents: [
        { id: 0, place: 'Admin', links: [1] },
        { id: 1, place: 'Storage', links: [] },
      ],
    },
    'game/map-vent: vent 0 leads to 1, but 1 does not lead back',
  ],
  [
    'two vents of one number',
    {
      vents: [
        { id: 3, place: 'Admin', links: [] },
        { id: 3, place: 'Storage', links: [] },
      ],
    },
    'game/map-vent: expected a number of its own for every vent, found another 3',
  ],
])('a map with %s is refused', (_, map, sentence) => {
  const told = mapRefusals(aMap(map)).map(({ code, text }) => `${code}: ${text}`);
  expect(told).toContain(sentence);
});
