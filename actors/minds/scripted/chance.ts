/** Chance of one mind: seeded picks, a value of (seed, colour, moment, lane) only, so order does not matter. */
import { drawWords } from '../../../machines/rules/dice.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';

const TWO_32 = 2 ** 32;
/** Lanes that each colour has to itself within the 4,096 of a moment. */
const LANES = 128;
/** A multiple of the length of most lists, and the lane that draws it. */
const ROTA = 27_720;
const ROTA_LANE = 127;

const FIRST_LANES: ReadonlyMap<Colour, number> = new Map(
  COLOURS.map((colour, index) => [colour, index * LANES]),
);

/** The player who draws and the time: `moment` is any whole number below 2^32. */
export type MindChance = {
  readonly seed: number;
  readonly colour: Colour;
  readonly moment: number;
};

export function drawFraction(chance: MindChance, lane: number): number {
  const own = (FIRST_LANES.get(chance.colour) ?? 0) + (lane % LANES);
  const moment = { seed: chance.seed, meeting: 0, stream: 'mind', tick: chance.moment } as const;
  return drawWords(moment, own)[0] / TWO_32;
}

export function pick<T>(chance: MindChance, lane: number, list: readonly T[]): T | undefined {
  return list[Math.floor(drawFraction(chance, lane) * list.length)];
}

/** Where a moment begins in any list that is counted out: the same for every colour. */
export function drawRotation({ seed, moment }: MindChance): number {
  return Math.floor(drawFraction({ seed, colour: 'red', moment }, ROTA_LANE) * ROTA);
}
