/** Berths: where on the map the tokens of players stand, so that nobody hides another. */
import type { Colour, Place } from '../../../machines/types.ts';
import { type Drawn, drawnPlaces, ventSpot } from '../../map/layout.ts';
import type { Plan } from '../../map/plan.ts';
import type { Ship } from './ship.ts';

export type Token = {
  readonly seat: Colour;
  readonly x: number;
  readonly y: number;
  /** `glimpse` is where somebody was seen last, through another player's eyes. */
  readonly kind: 'living' | 'vent' | 'body' | 'glimpse';
  readonly place: Place;
};

/** Between the middles of two tokens, in pixels of the map. */
const STEP = 34;
/** From the wall to the middle of a token. */
const SIDE = 20;
/** Below the upper wall of a room its name is written. */
const NAME = 26;

export function tokensOn(ship: Ship, plan: Plan): readonly Token[] {
  const standing = [...people(ship), ...bodies(ship)];
  return drawnPlaces(plan).flatMap((drawn) => {
    const here = standing.filter(({ place }) => place === drawn.place);
    const vents = here.filter(({ kind }) => kind === 'vent');
    const others = here.filter(({ kind }) => kind !== 'vent');
    return [
      ...others.map((one, index) => ({ ...one, ...berth(drawn, index, others.length) })),
      ...vents.map((one, index) => ({ ...one, ...ventSpot(drawn, index) })),
    ];
  });
}

type Standing = Pick<Token, 'seat' | 'kind' | 'place'>;

function people({ voyage, glimpses }: Ship): readonly Standing[] {
  return voyage.seats.flatMap(({ colour: seat }): readonly Standing[] => {
    const place = voyage.places[seat];
    if (place !== undefined) {
      return [{ seat, place, kind: voyage.vented.includes(seat) ? 'vent' : 'living' }];
    }
    const glimpse = glimpses[seat];
    if (glimpse === undefined || voyage.lens.type !== 'player') return [];
    return [{ seat, place: glimpse.place, kind: glimpse.did === 'dead' ? 'body' : 'glimpse' }];
  });
}

function bodies({ voyage, glimpses }: Ship): readonly Standing[] {
  return voyage.bodies
    .filter(({ victim }) => glimpses[victim]?.did !== 'dead')
    .map(({ victim, place }) => ({ seat: victim, place, kind: 'body' }));
}

function berth({ main, isHallway }: Drawn, index: number, all: number) {
  const isUpright = isHallway && main.height > main.width;
  const top = isHallway ? 0 : NAME;
  const columns = isUpright ? 1 : Math.max(1, Math.floor((main.width - 2 * SIDE) / STEP) + 1);
  const rows = Math.ceil(all / columns);
  const inRow = Math.min(columns, all - Math.floor(index / columns) * columns);
  const x = main.x + main.width / 2 + ((index % columns) - (inRow - 1) / 2) * STEP;
  const middle = main.y + top + (main.height - top) / 2;
  return { x, y: middle + (Math.floor(index / columns) - (rows - 1) / 2) * STEP };
}
