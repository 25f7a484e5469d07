/** Scenes for tests of the minds on the ship. Each names only its subject. The rest is a quiet cafeteria. */

import { decideAction } from '../../../../actors/minds/scripted/ship/action.ts';
import { applyLessons } from '../../../../actors/minds/scripted/traits.ts';
import { defaultGameOptions, type GameOptions } from '../../../../machines/rules/options.ts';
import { NO_PAST, startRecord } from '../../../../machines/rules/record.ts';
import { SKELD } from '../../../../machines/rules/ship/map.ts';
import type { MemoryEntry } from '../../../../machines/rules/ship/sight.ts';
import type { ActionView, ShipScene, TaskCard } from '../../../../machines/rules/ship/views.ts';
import {
  COLOURS,
  type Colour,
  type Deed,
  type Place,
  type Temperament,
} from '../../../../machines/types.ts';
import type { WireOrder } from '../../../../prompts/order.ts';

export function aTask(card: Partial<TaskCard> = {}): TaskCard {
  const base = { id: 'chart-course', name: 'Chart Course', kind: 'short', visual: false } as const;
  return { ...base, next: 'Navigation', rounds: 1, steps: 0, of: 1, ...card };
}

function aScene(scene: Partial<ShipScene> = {}): ShipScene {
  const base: ShipScene = {
    why: ['done'],
    place: 'Cafeteria',
    vent: null,
    intent: null,
    here: [],
    company: [],
    bodies: [],
    tasks: [aTask()],
    killWait: null,
    sabotageWait: null,
    buttons: 1,
    buttonWait: 0,
    crisis: null,
    shut: [],
    closable: null,
    bar: null,
    heads: null,
    cameraLight: false,
    seats: COLOURS.slice(0, 8),
  };
  const company = scene.company ?? [];
  const place = scene.place ?? base.place;
  return { ...base, here: company.map((who) => ({ who, place })), ...scene };
}

export type Wanted = {
  readonly role?: 'crewmate' | 'impostor';
  readonly scene?: Partial<ShipScene>;
  readonly memory?: readonly MemoryEntry[];
  readonly options?: Partial<GameOptions>;
  readonly page?: string;
  readonly isGhost?: boolean;
};

/** The view of red in round 40; as an impostor red has white for a partner, a knife that is ready and no sabotage. */
export function aView({ role = 'crewmate', memory = [], ...wanted }: Wanted = {}): ActionView {
  const waits = role === 'impostor' ? { killWait: 0, sabotageWait: 30, closable: SKELD.doors } : {};
  return {
    you: {
      colour: 'red',
      role,
      partners: role === 'impostor' ? ['white'] : [],
      persona: { name: 'Ann', temperament: 'observer', notes: '' },
      pads: { main: wanted.page ?? '', meeting: '' },
      notices: [],
      isGhost: wanted.isGhost ?? false,
      memory,
      faded: [],
      deeds: [],
      past: NO_PAST,
    },
    record: startRecord(2),
    round: 40,
    rules: 'house',
    map: SKELD,
    options: { ...defaultGameOptions(8, 'house'), ...wanted.options },
    scene: aScene({ ...waits, ...wanted.scene }),
    truth: null,
  };
}

export function aSight(who: Colour, place: Place, did: Deed, round = 39): MemoryEntry {
  return { who, place, did, from: round, until: round };
}

export function ordersOf(
  view: ActionView,
  temperament: Temperament = 'observer',
  times = 200,
): readonly WireOrder[] {
  return Array.from({ length: times }, (_, seed) =>
    decideAction(view, seed, applyLessons(temperament)[view.you.role].shipTraits),
  );
}

export function shareOf(orders: readonly WireOrder[], type: string): number {
  return orders.filter(({ action: chosen }) => chosen?.type === type).length / orders.length;
}

/** The types of all that red may do, in alphabetical order. */
export function typesOf(orders: readonly WireOrder[]): readonly string[] {
  return [...new Set(orders.map(({ action: chosen }) => chosen?.type ?? 'goes on'))].sort();
}
