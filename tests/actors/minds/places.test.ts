import { expect, test } from 'vitest';
import { readClaims } from '../../../actors/minds/scripted/hearing.ts';
import { cannotBoth, countSteps, walkSeconds } from '../../../actors/minds/scripted/memory.ts';
import { namePlace } from '../../../actors/minds/scripted/wording.ts';
import { PLACES, type Place } from '../../../machines/types.ts';
import { markMessage, placeOf } from '../../../prompts/claims/marking.ts';
import { line } from './sitting.ts';

const findPlaces = (text: string) =>
  [...markMessage(text).matchAll(/#\w+/g)].map(([sign]) => placeOf(sign));

test('every place is heard as it is said', () => {
  for (const place of PLACES) expect(findPlaces(`I was in ${namePlace(place)}.`)).toEqual([place]);
});

test.each<[string, readonly Place[]]>([
  ['I was in the Admin hallway', ['Admin hallway']],
  ['met Blue in the corridor outside MedBay', ['MedBay hallway']],
  ['the nav hall, then nav', ['Navigation hallway', 'Navigation']],
  ['from the Engine hallway to the Upper Engine', ['Engine hallway', 'Upper Engine']],
  ['med bay corridor', ['MedBay hallway']],
  ['the engine is loud', []],
])('"%s" names %j', (text, places) => expect(findPlaces(text)).toEqual(places));

test('who was passed in a hallway was seen in the hallway, not in the room', () => {
  const said = readClaims(
    line('red', 'I passed Blue in the MedBay hallway about ten seconds before the call.'),
    0,
  );
  expect(said).toContainEqual(
    expect.objectContaining({ type: 'sighting', who: 'blue', place: 'MedBay hallway', ago: 10 }),
  );
});

test('a room is one step from its hallway, two from the next room, five seconds on foot', () => {
  expect(countSteps('Admin', 'Admin hallway')).toBe(1);
  expect(countSteps('Admin', 'Cafeteria')).toBe(2);
  expect(walkSeconds('Admin', 'Cafeteria')).toBe(5);
});

test.each<[Place, Place, number, boolean]>([
  ['Admin', 'Cafeteria', 0, false],
  ['Admin', 'Weapons hallway', 4, false],
  ['Admin', 'Weapons hallway', 3, true],
  ['Admin', 'Weapons', 5, true],
  ['Admin', 'Weapons', 6, false],
  ['Admin', 'Reactor', 10, true],
])('%s and %s, %i seconds apart: impossible is %s', (place, other, apart, impossible) => {
  expect(cannotBoth({ place, ago: 10 }, { place: other, ago: 10 + apart })).toBe(impossible);
});

test('old times are stated roughly and tolerate more', () => {
  const one = { place: 'Admin', ago: 120 } as const;
  expect(cannotBoth(one, { place: 'Weapons', ago: 120 })).toBe(false);
  expect(cannotBoth(one, { place: 'Reactor', ago: 120 })).toBe(true);
});
