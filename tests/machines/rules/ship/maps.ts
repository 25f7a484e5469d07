import type { Place, ShipMap } from '../../../../machines/types.ts';

type Openings = Readonly<Partial<Record<Place, readonly Place[]>>>;

/** Cafeteria and Storage on either side of a hallway that Admin opens to as well. */
export function aMap(map: Partial<ShipMap> = {}): ShipMap {
  const openings: Openings = map.openings ?? {
    Cafeteria: ['Admin hallway'],
    Storage: ['Admin hallway'],
    Admin: ['Admin hallway'],
    'Admin hallway': ['Cafeteria', 'Admin', 'Storage'],
  };
  return {
    name: 'a small ship',
    places: ['Cafeteria', 'Storage', 'Admin', 'Admin hallway'],
    vents: [],
    doors: [],
    cameras: null,
    adminTable: null,
    button: 'Cafeteria',
    consoles: { reactor: [], o2: [], lights: [], comms: [] },
    ...map,
    openings,
  };
}
