/**
 * The mirror: two copies of the arbiter get the same bids with two seats exchanged, and whoever has the floor in one
 * must be who has it in the other, exchanged. Ties that go by seat show here, and nowhere sooner.
 */
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { conspiracy } from './conspiracy.ts';
import { decisive, type Plot } from './starvation.ts';

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

/** A machine at rest, as its stepper knows it. */
type Rest = { readonly place: { readonly name: string }; readonly context: ArbiterBooks };

/** Steps an arbiter. */
export type ArbiterStepper<P extends Rest> = {
  initial(): { readonly point: P };
  step(point: P, event: ToArbiter): { readonly point: P };
};

type Side<P> = { readonly point: P; readonly isMirror: boolean };

/** Who had the floor last. */
function speaker({ context }: Rest): Colour | null {
  const said = context.pending?.transcript.at(-1);
  return COLOURS.find((colour) => colour === said?.speaker) ?? null;
}

/** Nobody is named and nobody has voted: that would only make more ticks of the same kind. */
function isPlain(event: ToArbiter): boolean {
  if (event.type === 'tick.opened') return event.voted.length === 0;
  return event.type !== 'bids.gathered' || !JSON.stringify(event.bids).includes('sus');
}

/** Two copies of an arbiter, one in the mirror, as a search for interference takes them. */
export function mirrorDuet<P extends Rest>(stepper: ArbiterStepper<P>, plot: Plot) {
  const { point } = stepper.initial();
  const world = conspiracy(plot);
  const view = decisive(plot);
  const situation = ({ point: { place, context } }: Side<P>) => ({ at: place.name, context });
  const first = (isMirror: boolean) => ({ state: { point, isMirror }, seen: [] });
  return {
    name: 'no-seat-is-preferred',
    sentence: 'Two seats exchanged, and the floor goes where it went, exchanged.',
    starts: [[first(false), first(true)]] as const,
    inputs: (left: Side<P>) =>
      world(situation(left))
        .filter(isPlain)
        .map((event) => ({ left: event, right: mirrored(event) })),
    step: ({ point: before, isMirror }: Side<P>, event: ToArbiter) => {
      const after = stepper.step(before, event).point;
      const has = speaker(after);
      return {
        state: { point: after, isMirror },
        seen: [isMirror && has !== null ? exchanged(has) : has],
      };
    },
    look: ({ point: { place } }: Side<P>) => place.name,
    whole: (side: Side<P>) => [side.isMirror, side.point.place.name, view(situation(side))],
  };
}
