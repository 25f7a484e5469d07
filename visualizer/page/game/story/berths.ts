/** Berths: where on the map the tokens of players stand, so that nobody hides another. */

import type { ShipState } from '../../../../machines/journal/projection.ts';
import type { Colour, Place } from '../../../../machines/types.ts';
import { type MapPlan, type PlacedRoom, placeRooms, placeVent } from '../../../charts/mapLayout.ts';

export type Token = {
  readonly seat: Colour;
  readonly x: number;
  readonly y: number;
  /** `glimpse` is where somebody was seen last, through another player's eyes. */
  readonly kind: 'living' | 'vent' | 'body' | 'glimpse';
  readonly place: Place;
};

/** Between the middles of two tokens where there is room, in pixels of the map. */
const STEP = 46;
/** From the wall to the middle of a token. */
const SIDE = 24;
/** From the name in the middle of a room to the tokens below and above it; where the button is there is more to clear. */
const CLEAR = 34;
const CLEAR_OF_BUTTON = 70;

export function tokensOn(ship: ShipState, plan: MapPlan): readonly Token[] {
  const standing = [...people(ship), ...bodies(ship)];
  return placeRooms(plan).flatMap((drawn) => {
    const here = standing.filter(({ place }) => place === drawn.place);
    const vents = here.filter(({ kind }) => kind === 'vent');
    const others = here.filter(({ kind }) => kind !== 'vent');
    const clear = drawn.place === plan.button ? CLEAR_OF_BUTTON : CLEAR;
    const row = { all: others.length, clear };
    return [
      ...others.map((one, index) => ({ ...one, ...berth(drawn, index, row) })),
      ...vents.map((one, index) => ({ ...one, ...placeVent(drawn, index) })),
    ];
  });
}

type Standing = Pick<Token, 'seat' | 'kind' | 'place'>;

function people({ seats, places, inVents, lens, lastSeen }: ShipState): readonly Standing[] {
  return seats.flatMap(({ colour: seat }): readonly Standing[] => {
    const place = places[seat];
    if (place !== undefined) {
      return [{ seat, place, kind: inVents.includes(seat) ? 'vent' : 'living' }];
    }
    const glimpse = lastSeen[seat];
    if (glimpse === undefined || lens.type !== 'player') return [];
    return [{ seat, place: glimpse.place, kind: glimpse.did === 'dead' ? 'body' : 'glimpse' }];
  });
}

function bodies({ bodies: lying, lastSeen }: ShipState): readonly Standing[] {
  return lying
    .filter(({ victim }) => lastSeen[victim]?.did !== 'dead')
    .map(({ victim, place }) => ({ seat: victim, place, kind: 'body' }));
}

/** The first row stands below the name of a room, the second above it; hallways have one row along them. */
function berth({ main, isHallway }: PlacedRoom, index: number, { all, clear }: Row) {
  const isUpright = isHallway && main.height > main.width;
  const length = (isUpright ? main.height : main.width) - 2 * SIDE;
  const fits = Math.floor(length / STEP) + 1;
  const below = isHallway ? all : Math.min(all, Math.max(fits, Math.ceil(all / 2)));
  const isBelow = index < below;
  const inRow = isBelow ? below : all - below;
  const step = Math.min(STEP, length / Math.max(1, inRow - 1));
  const along = ((isBelow ? index : index - below) - (inRow - 1) / 2) * step;
  const [x, y] = [main.x + main.width / 2, main.y + main.height / 2];
  if (isUpright) return { x, y: y + along };
  const aside = isHallway ? 0 : clear;
  return { x: x + along, y: y + (isBelow ? aside : -aside) };
}

type Row = { readonly all: number; readonly clear: number };
