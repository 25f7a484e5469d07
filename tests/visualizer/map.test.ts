import { describe, expect, test } from 'vitest';
import { neighbours, SKELD } from '../../machines/rules/ship/map.ts';
import { taskSites } from '../../machines/rules/ship/tasks.ts';
import { HALLWAYS, PLACES, type Place } from '../../machines/types.ts';
import {
  findOpenings,
  findSharedEdge,
  type MapPlan,
  type PlacedRoom,
  placeRooms,
  placeVent,
} from '../../visualizer/charts/mapLayout.ts';
import { drawMap } from '../../visualizer/charts/mapSvg.ts';
import type { DrawnBox, DrawnPoint } from '../../visualizer/charts/svg.ts';
import { expectGolden } from '../support/golden.ts';

const PLAN: MapPlan = { ...SKELD, tasks: taskSites(SKELD) };
const PICTURE = drawMap(PLAN);
const drawn = placeRooms(PLAN);

function pieces(kind: string): readonly string[] {
  return [...PICTURE.matchAll(new RegExp(`<\\w+ class="${kind}"[^>]*>`, 'g'))].map(([it]) => it);
}

function isInside({ x, y }: DrawnPoint, { main }: PlacedRoom, room: number): boolean {
  return (
    x - room >= main.x &&
    x + room <= main.x + main.width &&
    y - room >= main.y &&
    y + room <= main.y + main.height
  );
}

function overlap(one: DrawnBox, other: DrawnBox): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

describe('the layout', () => {
  test('has every place once, and none on top of another', () => {
    expect(drawn.map(({ place }) => place).toSorted()).toEqual(PLACES.toSorted());
    for (const one of drawn)
      for (const other of drawn) {
        if (one === other) continue;
        const boxes = one.boxes.flatMap((a) => other.boxes.map((b) => overlap(a, b)));
        expect(boxes, `${one.place} and ${other.place}`).not.toContain(true);
      }
  });

  test('places touch where the map opens, once, and nowhere else', () => {
    for (const [index, one] of drawn.entries())
      for (const other of drawn.slice(index + 1)) {
        const edges = one.boxes.flatMap((a) =>
          other.boxes.flatMap((b) => findSharedEdge(a, b) ?? []),
        );
        const isOpen = neighbours(SKELD, one.place).includes(other.place);
        expect(edges.length, `${one.place} and ${other.place}`).toBe(isOpen ? 1 : 0);
      }
  });

  test('vents are inside their places and apart from each other', () => {
    for (const one of drawn) {
      const vents = SKELD.vents.filter(({ place }) => place === one.place);
      for (const index of vents.keys())
        expect(isInside(placeVent(one, index), one, 13), one.place).toBe(true);
    }
  });

  test('in boxes that touch in a corner there is no opening', () => {
    const box = { x: 0, y: 0, width: 10, height: 10 };
    expect(findSharedEdge(box, { ...box, x: 10 })).toEqual({
      from: { x: 10, y: 0 },
      to: { x: 10, y: 10 },
    });
    expect(findSharedEdge(box, { ...box, x: 10, y: 10 })).toBeNull();
    expect(findSharedEdge(box, { ...box, x: 11 })).toBeNull();
    expect(findSharedEdge(box, { ...box, y: 10, x: 4 })).toEqual({
      from: { x: 4, y: 10 },
      to: { x: 10, y: 10 },
    });
  });
});

describe('the picture', () => {
  test.each<[string, number, string]>([
    ['door', 13 + 1, 'the 13 doors, and one in the legend'],
    ['sign vent', 14 + 1, 'the 14 vents, and one in the legend'],
    ['crawl', 3 + 3 + 1 + 1 + 1 + 1, 'two triangles and four lines'],
    ['sign console', 6 + 4, 'six consoles, and the four systems in the legend'],
    ['sign watch', 4 + 1 + 1 + 3, 'four cameras, their screens, the table, and the legend'],
    ['sign button', 1 + 1, 'the button, and the legend'],
    ['task visual', 5 + 1, 'five visual tasks, and one in the legend'],
    ['passage', 0, 'no opening without a hallway'],
  ])('%s: %i, that is %s', (kind, count) => {
    expect(pieces(kind)).toHaveLength(count);
  });

  test('has a floor for every place, so that a page can light it', () => {
    const floors = [...PICTURE.matchAll(/data-place="([^"]+)"/g)].map(([, place]) => place);
    expect(floors.toSorted()).toEqual(PLACES.toSorted());
  });

  test('has a description for screen readers', () => {
    expect(PICTURE).toContain('aria-label="Map of The Skeld: 14 rooms, 7 hallways, 14 vents."');
  });

  test('loads nothing and runs nothing', () => {
    expect(PICTURE).not.toMatch(/<script|href=|url\(|@import/);
    const hostile = drawMap({ ...PLAN, name: '</text><script>alert(1)</script>' });
    expect(hostile).not.toContain('<script');
  });

  test('is docs/skeld.svg', () => {
    expectGolden('docs/skeld.svg', PICTURE);
  });
});

describe('another map', () => {
  const places: readonly Place[] = ['Cafeteria', 'Admin', 'Storage', 'Admin hallway'];
  const plan: MapPlan = {
    ...PLAN,
    name: 'the annexe',
    places,
    openings: {
      Cafeteria: ['Admin hallway', 'Admin'],
      Admin: ['Cafeteria', 'Admin hallway'],
      'Admin hallway': ['Cafeteria', 'Admin'],
    },
    vents: [
      { id: 7, place: 'Storage', links: [8] },
      { id: 8, place: 'Cafeteria', links: [7] },
    ],
    doors: [],
    cameras: null,
  };

  test('a map of its own is drawn from its data, with a line for each extra opening', () => {
    const picture = drawMap(plan);
    for (const place of places) expect(picture).toContain(`data-place="${place}"`);
    expect(picture).not.toContain('data-place="MedBay"');
    expect(picture.match(/class="passage"/g)).toHaveLength(1);
    expect(picture.match(/class="crawl"/g)).toHaveLength(1);
    expect(picture).not.toContain('data-door');
  });

  test('has no arm of a hallway to a room that it does not open to', () => {
    const boxes = (openings: MapPlan['openings']) =>
      placeRooms({ ...plan, openings }).find(({ place }) => place === 'Admin hallway')?.boxes;
    expect(boxes(plan.openings)).toHaveLength(2);
    expect(boxes({ 'Admin hallway': ['Cafeteria'] })).toHaveLength(1);
  });

  test('every opening of The Skeld has a hallway, and 13 have a door', () => {
    const openings = findOpenings(PLAN, drawn);
    expect(openings).toHaveLength(22);
    expect(openings.filter(({ hasDoor }) => hasDoor)).toHaveLength(13);
    const halls: readonly Place[] = HALLWAYS;
    for (const { room, hallway, edge } of openings) {
      expect([halls.includes(room), halls.includes(hallway)]).toEqual([false, true]);
      expect(edge).not.toBeNull();
    }
  });
});
