import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import { taskSites } from '../../../machines/rules/ship/tasks.ts';
import type { MapTarget, OfferedAction, TurnScene } from '../../../machines/turnPrompt.ts';
import { COLOURS, PLACES, type Place } from '../../../machines/types.ts';
import type { MapPlan } from '../../../visualizer/charts/mapLayout.ts';
import type { DrawnBox } from '../../../visualizer/charts/svg.ts';
import {
  ARROWS,
  findNext,
  fitMap,
  type LaidTurnMap,
  layOutTurnMap,
  type TouchedTarget,
} from '../../../visualizer/page/game/story/turnMap.ts';

const PLAN: MapPlan = { ...SKELD, tasks: taskSites(SKELD) };
const [YOU, ...OTHERS] = COLOURS;

function anAction(kind: MapTarget['kind'], of: string, place: Place): OfferedAction {
  const label = `${kind} ${of} ${place}`;
  return { does: '', what: '', hint: '', label, action: {}, target: { kind, of, place } };
}

const place = fc.constantFrom(...PLACES);

/** Random knowledge and orders of a seat. */
const turns = fc
  .record({
    own: place,
    seen: fc.uniqueArray(
      fc.record({
        seat: fc.constantFrom(...OTHERS),
        place,
        isDead: fc.boolean(),
        now: fc.boolean(),
      }),
      { selector: ({ seat }) => seat },
    ),
    others: fc.uniqueArray(
      fc.record({ kind: fc.constantFrom('task', 'console', 'screen', 'button'), place }),
      { selector: (each) => `${each.kind} ${each.place}`, maxLength: 12 },
    ),
    vents: fc.subarray([...SKELD.vents]),
  })
  .map(({ own, seen, others, vents }) => {
    const scene: TurnScene = {
      place: own,
      vent: null,
      seen: seen.map(({ now, ...each }) => ({ ...each, ago: now ? 0 : 5 })),
      sabotage: null,
      shut: [],
      heads: null,
    };
    const actions = [
      ...PLACES.filter((to) => to !== own).map((to) => anAction('place', '', to)),
      ...seen.flatMap(({ seat, place: where, isDead }) =>
        isDead
          ? [anAction('body', seat, where)]
          : [anAction('player', seat, where), anAction('player', seat, where)],
      ),
      ...others.map((each) => anAction(each.kind, each.place, each.place)),
      ...vents.map(({ id, place: where }) => anAction('vent', String(id), where)),
      anAction('self', '', own),
    ];
    return { scene, actions };
  });

/** Boxes of the map in windows that people have, in pixels, and how large a target is there at least. */
const BOXES = [
  { name: '1440 x 900', width: 1020, height: 600, least: 28, places: 28 },
  { name: '1280 x 720', width: 900, height: 460, least: 28, places: 28 },
  { name: 'a tablet', width: 1000, height: 620, least: 42, places: 42 },
  { name: 'a phone upright', width: 346, height: 522, least: 42, places: 40 },
  { name: 'a phone on its side', width: 556, height: 336, least: 42, places: 40 },
] as const;

function overlap(one: DrawnBox, other: DrawnBox): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** The targets that arrow keys reach from one target. */
function reached(targets: LaidTurnMap['targets']): ReadonlySet<TouchedTarget> {
  const found = new Set(targets.slice(0, 1));
  for (const target of found) {
    for (const way of Object.values(ARROWS)) {
      const next = findNext(targets, target, way);
      if (next !== null) found.add(next);
    }
  }
  return found;
}

describe.each(BOXES)('in the window of $name', ({ width, height, least, places }) => {
  const frame = fitMap(width, height);
  const lay = ({ scene, actions }: { scene: TurnScene; actions: readonly OfferedAction[] }) =>
    layOutTurnMap({ you: YOU, scene, actions, goesOn: 'waiting', plan: PLAN, frame, least });

  test('every order is on the map once, at a target that is large enough and covers no other', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { targets } = lay(turn);
        const labels = targets.flatMap(({ orders }) => orders.map(({ label }) => label));
        const offered = turn.actions.map(({ label }) => label);
        expect(labels.toSorted()).toEqual([...offered, 'Go on waiting'].toSorted());
        const small = targets.filter(({ kind }) => kind !== 'place');
        for (const [index, { key, kind, box }] of targets.entries()) {
          const size = Math.min(box.width, box.height) / frame.unit;
          expect(size, key).toBeGreaterThanOrEqual((kind === 'place' ? places : least) - 0.01);
          const same = kind === 'place' ? targets : small;
          for (const other of same.filter((each) => targets.indexOf(each) > index))
            if ((kind === 'place') === (other.kind === 'place'))
              expect(overlap(box, other.box), `${key} and ${other.key}`).toBe(false);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('the arrow keys lead to every target, and everybody whom the seat knows of is shown once', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const { targets, tokens } = lay(turn);
        expect(reached(targets).size).toBe(targets.length);
        const shown = tokens.map(({ seat }) => seat).toSorted();
        expect(shown).toEqual([YOU, ...turn.scene.seen.map(({ seat }) => seat)].toSorted());
        for (const { x, y } of tokens) {
          expect(Math.min(x, y)).toBeGreaterThan(0);
          expect(x).toBeLessThan(frame.width * frame.unit);
          expect(y).toBeLessThan(frame.height * frame.unit);
        }
      }),
      { numRuns: 40 },
    );
  });
});
