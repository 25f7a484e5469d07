/**
 * No seat is preferred: two copies of the arbiter get the same bids with two seats exchanged, and whoever has the floor
 * in one must be who has it in the other, exchanged.
 */
import { expect, test } from 'vitest';
import { stepperFor } from '../../checker/check.ts';
import { type Duet, interference } from '../../checker/interference.ts';
import type { Point } from '../../checker/step.ts';
import type { Books } from '../../machines/arbiter.ts';
import { conspiracy } from '../../machines/model/conspiracy.ts';
import { decisive } from '../../machines/model/starvation.ts';
import type { ToArbiter } from '../../machines/protocol.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { type ArbiterModel, aModel, aPlot, tiesBySeat } from './plots.ts';

const EXCHANGED: Readonly<Record<string, string>> = { red: 'blue', blue: 'red' };

/** A value with red and blue exchanged wherever they stand, in names, keys and messages. */
function exchanged<T>(value: T): T {
  const text = JSON.stringify(value).replace(/\b(red|blue)\b/g, (name) => EXCHANGED[name] ?? name);
  return JSON.parse(text); // of the same type: colours became colours
}

/** The same event with the seats exchanged, in the order of the seats as the arbiter gets it. */
function mirrored(event: ToArbiter): ToArbiter {
  const other = exchanged(event);
  const order = ({ seat }: Bid) => COLOURS.indexOf(seat);
  if (other.type !== 'bids.gathered') return other;
  return { ...other, bids: other.bids.toSorted((one, two) => order(one) - order(two)) };
}

function speaker({ context }: Point<Books>): Colour | null {
  const said = context.pending?.transcript.at(-1);
  return COLOURS.find((colour) => colour === said?.speaker) ?? null;
}

/** Nobody is named and nobody has voted: that would only make more ticks of the same kind. */
function isPlain(event: ToArbiter): boolean {
  if (event.type === 'tick.opened') return event.voted.length === 0;
  return event.type !== 'bids.gathered' || !JSON.stringify(event.bids).includes('sus');
}

type Side = { readonly point: Point<Books>; readonly isMirror: boolean };

function mirrorDuet(model: ArbiterModel): Duet<Side, ToArbiter> {
  const { stepper } = stepperFor(model);
  const { point } = stepper.initial();
  const plot = { ...aPlot(3), world: 'free', alike: false } as const;
  const world = conspiracy(plot);
  const view = decisive(plot);
  const situation = ({ point: { place, context } }: Side) => ({ at: place.name, context });
  return {
    name: 'seats',
    sentence: 'No seat is preferred.',
    starts: [
      [
        { state: { point, isMirror: false }, seen: [] },
        { state: { point, isMirror: true }, seen: [] },
      ],
    ],
    doses: (left) =>
      world(situation(left))
        .filter(isPlain)
        .map((event) => ({ left: event, right: mirrored(event) })),
    step: ({ point: before, isMirror }, event) => {
      const after = stepper.step(before, event).point;
      const has = speaker(after);
      return {
        state: { point: after, isMirror },
        seen: [isMirror && has !== null ? exchanged(has) : has],
      };
    },
    look: ({ point: { place } }) => place.name,
    whole: (side) => [side.isMirror, side.point.place.name, view(situation(side))],
  };
}

test('ruling 5: two seats exchanged, and the floor goes where it went', { timeout: 40_000 }, () => {
  const found = interference(mirrorDuet(aModel(aPlot(3))));
  expect(found).toMatchObject({ verdict: 'proved', leak: null });
});

test('planted: ties go by seat, and two runs side by side show it', () => {
  const found = interference(mirrorDuet(aModel(aPlot(3), tiesBySeat)));
  expect(found).toMatchObject({ verdict: 'violated', leak: { at: 'seen[0]' } });
  expect(found.leak?.bars.at(-1)?.seen.flat()).toHaveLength(2);
});
