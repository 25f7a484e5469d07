/**
 * The arbiter by itself: what is promised about who has the floor, searched beside the meeting.
 *
 * The search for the meeting looks at no score. Here the arbiter that runs is put into the worst world for one player,
 * and into a mirror with two seats exchanged.
 */
import { check, checkInterference, chooseStepper, type PairStep } from 'glass-box-checker';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import type { ToArbiter } from '../../machines/messages.ts';
import type { Weights } from '../../machines/rules/weights.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { aPlot, arbitration, freePlot } from '../../proofs/models/arbitration.ts';
import { mirrorDuet } from '../../proofs/models/mirror.ts';
import type { Plot } from '../../proofs/models/starvation.ts';
import { type Asked, BROKEN, type Searching, verdictOf } from './asked.ts';
import { enacted, type Gathered } from './enactment.ts';
import type { MeetingEvent, Verdict } from './run.ts';
import type { Step } from './shown.ts';

type Arbiter = typeof arbiterMachine;

const BOUND = 'silent-at-most-w';

/** W: how long somebody who bids in every tick can be kept silent. */
export function silentAtMost(
  weights: Weights,
  players: number,
  { budget, now }: Searching,
  machine: Arbiter = arbiterMachine,
): Asked {
  const plot = aPlot(players, { weights });
  const found = check(arbitration(plot, machine), { budget, now, only: [BOUND] });
  const [judged] = found.results;
  if (judged === undefined) throw new Error(`nobody judged ${BOUND}`);
  const { states, transitions, ended, seconds } = found;
  const about = `the arbiter among ${players}`;
  const aside = { about, states, transitions, ended, seconds, asked: [BOUND] };
  // What happens to the arbiter is no event of the meeting; its own telling is in `shown`.
  const verdict: Verdict = { ...judged, verdict: judged.verdict, kind: 'bounded' };
  if (judged.verdict.type !== 'violated') return { aside, verdict };
  const events = judged.verdict.trace.events as readonly ToArbiter[]; // it has no timers but its deadline
  return {
    aside,
    verdict: { ...verdict, shown: starved(plot, events, machine, verdict.sentence) },
  };
}

function starved(plot: Plot, events: readonly ToArbiter[], machine: Arbiter, about: string) {
  const ticks = events.filter(isGathered);
  const floors = floorsIn(plot, ticks, machine);
  return {
    steps: ticks.map(({ bids }, index) => tickStep(index, bids, floors[index] ?? null)),
    note: `${plot.target} has bid in every tick, and is not heard; its ballot is locked, and the dice are against it.`,
    journals: () => {
      const { seated, weights, target } = plot;
      const script = { seated, weights, ticks: withVote(ticks, target), arbiter: machine };
      const title = { name: `${BOUND}: ${seated.length} players`, about };
      const played = enacted({ ...script, title });
      const isSame = floors.every((floor, index) => played.floors[index] === floor);
      return isSame ? [played] : [];
    },
  };
}

/** In the search the target has voted from the beginning: at a table it votes in the first tick. */
function withVote([first, ...others]: readonly Gathered[], target: Colour): readonly Gathered[] {
  if (first === undefined) return [];
  const bids = first.bids.map((bid): Bid => {
    if (bid.type === 'fault' || bid.seat !== target) return bid;
    return { ...bid, reply: { ...bid.reply, vote: 'skip' } };
  });
  return [{ ...first, bids }, ...others];
}

/** Whether two seats can be exchanged. Three players are enough to have two rivals and a tie. */
export function evenHanded(
  weights: Weights,
  { budget, now }: Searching,
  machine: Arbiter = arbiterMachine,
): Asked {
  const plot = freePlot(weights);
  const model = arbitration(plot, machine);
  const { stepper } = chooseStepper<ArbiterBooks, ToArbiter>(model);
  const begun = now();
  const found = checkInterference(mirrorDuet(stepper, plot), { budget, now });
  const { name, sentence, pairs, steps, why } = found;
  const aside = {
    about: `the arbiter among ${plot.seated.length}, and in the mirror`,
    states: pairs,
    transitions: steps,
    ended: why,
    seconds: now() - begun,
    asked: [name],
  };
  const head = { name, sentence, kind: 'interference', expected: 'proved' } as const;
  if (found.leak === null) return { aside, verdict: { ...head, verdict: verdictOf(found) } };
  const { bars } = found.leak;
  return {
    aside,
    verdict: { ...head, verdict: BROKEN, shown: sideBySide(plot, bars, machine, sentence) },
  };
}

function sideBySide(
  plot: Plot,
  bars: readonly PairStep<ToArbiter>[],
  machine: Arbiter,
  about: string,
) {
  const ticksOf = (side: 'left' | 'right') =>
    bars.flatMap((bar) => (isGathered(bar[side]) ? [bar[side]] : []));
  const both = [ticksOf('left'), ticksOf('right')] as const;
  const [one, other] = both.map((ticks) => floorsIn(plot, ticks, machine));
  return {
    steps: both[0].map(({ bids }, index): Step => {
      const step = tickStep(index, bids, one?.[index] ?? null);
      const mirror = tickStep(index, both[1][index]?.bids ?? [], other?.[index] ?? null);
      return { ...step, changes: [], happened: told(step), beside: told(mirror) };
    }),
    note: 'The bids are the same with red and blue exchanged; the floor is not.',
    seen: bars.filter(({ left }) => isGathered(left)).map(({ seen }) => seen),
    journals: () => {
      const { seated, weights } = plot;
      const name = 'no-seat-is-preferred: 3 players';
      return both.map((ticks, index) => {
        const title = {
          name: `${name}, ${index === 0 ? 'as they sit' : 'red and blue exchanged'}`,
          about,
        };
        return enacted({ seated, weights, ticks, title, arbiter: machine });
      });
    },
  };
}

function told({ happened, changes }: Step): string {
  return [happened, ...changes].join(' → ');
}

function isGathered(event: MeetingEvent | ToArbiter | null): event is Gathered {
  return event?.type === 'bids.gathered';
}

/** Who has the floor in each tick. */
function floorsIn(
  plot: Plot,
  ticks: readonly Gathered[],
  machine: Arbiter,
): readonly (Colour | null)[] {
  const model = arbitration(plot, machine);
  const { stepper } = chooseStepper<ArbiterBooks, ToArbiter>(model);
  let { point } = stepper.initial();
  return ticks.map((gathered) => {
    const opening = model.world({ at: point.place.name, context: point.context })[0];
    if (opening !== undefined) point = stepper.step(point, opening).point;
    point = stepper.step(point, gathered).point;
    const spoke = point.context.pending?.lastSpoke ?? {};
    return COLOURS.find((seat) => spoke[seat] === gathered.tick) ?? null;
  });
}

function tickStep(index: number, bids: readonly Bid[], floor: Colour | null): Step {
  const asking = bids.flatMap((bid) =>
    bid.type === 'reply' && bid.reply.message !== ''
      ? [`${bid.seat} asks with ${bid.reply.desire}: “${bid.reply.message}”`]
      : [],
  );
  const at = `tick ${index}`;
  const happened = asking.length === 0 ? 'nobody asks for the floor' : asking.join('; ');
  const changes = [floor === null ? 'nobody has the floor' : `${floor} has the floor`];
  return { at, to: at, happened, changes };
}
