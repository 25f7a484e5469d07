/**
 * An enactment: what was done to the arbiter alone, done to it at a table of its own.
 *
 * The minds say what the script says, and the dice fall as they did in the search: no seed would make them. A dead
 * player makes up the number where the table is too small for a lobby.
 */
import type { ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import { ARBITER, MEETING, type ToArbiter } from '../../machines/messages.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { FEWEST_SEATS, rangeOf } from '../../machines/rules/options.ts';
import type { Weights } from '../../machines/rules/weights.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import type { Cue, Ensemble } from '../../proofs/models/ensemble.ts';
import { handedIn, restOf, thinking } from '../../proofs/models/room.ts';
import { tableOfSeats } from '../../proofs/models/tables.ts';
import { companyOf, heardFrom } from './hearing.ts';
import { type Recited, recited } from './recital.ts';

export type Gathered = Extract<ToArbiter, { type: 'bids.gathered' }>;

export type Script = {
  readonly title: { readonly name: string; readonly about: string };
  readonly seated: readonly Colour[];
  readonly weights: Weights;
  /** The bids and the dice of each tick. */
  readonly ticks: readonly Pick<Gathered, 'bids' | 'dice'>[];
  readonly arbiter?: typeof arbiterMachine;
};

/** Plays a script to its end; says in each tick who had the floor. */
export function enacted({ title, seated, weights, ticks, arbiter }: Script): {
  readonly text: string;
  readonly floors: readonly (Colour | null)[];
  /** The number of the last line of the living at the beginning, and after each tick. */
  readonly ends: readonly number[];
} {
  const setting = settingOf(seated, weights);
  const cast = { setting, players: playersOf(setting), ghostBudget: null };
  const company = companyOf(
    cast,
    (basket, chance) =>
      heardFrom(basket, chance).map((event) =>
        event.type === 'bids.gathered'
          ? { ...event, dice: ticks[event.tick]?.dice ?? event.dice }
          : event,
      ),
    arbiter,
  );
  const next = (ensemble: Ensemble) => nextIn(ensemble, seated, ticks);
  const found = recited({ company, setting, ghostBudget: null, title, next });
  return { text: found.text, floors: floorsOf(found), ends: endsOf(found) };
}

function floorsOf({ facts }: Recited): readonly (Colour | null)[] {
  return facts.flatMap((fact) =>
    fact.type === 'tick.closed' && fact.decision !== null ? [fact.decision.floor] : [],
  );
}

/** The header has the number 0, and each fact the next one. */
function endsOf({ facts }: Recited): readonly number[] {
  const lines = facts.flatMap(({ type }, index) => (type === 'tick.closed' ? [index + 1] : []));
  return [Math.max(0, (lines[0] ?? 1) - 1), ...lines];
}

/** The next bid of the script, or time passes until somebody is asked for one. */
function nextIn(ensemble: Ensemble, seated: readonly Colour[], ticks: Script['ticks']): Cue | null {
  const { tick } = restOf<ArbiterBooks>(ensemble, ARBITER).context.floor;
  const [seat] = thinking(ensemble, seated);
  if (seat === undefined) {
    const [timer] = restOf(ensemble, MEETING).timers;
    return timer === undefined ? null : { type: 'timer', actor: MEETING, event: timer.event };
  }
  const bid = ticks[tick]?.bids.find((candidate): candidate is Bid => candidate.seat === seat);
  return bid === undefined ? null : handedIn(ensemble, bid);
}

function settingOf(seated: readonly Colour[], weights: Weights): MeetingSetup {
  const dead = COLOURS.filter((seat) => !seated.includes(seat));
  const ghosts = dead.slice(0, Math.max(0, FEWEST_SEATS - seated.length));
  // Whoever says nothing has failed in the script; that must not send them away.
  return tableOfSeats(seated, ghosts, { weights, patience: rangeOf('patience').most });
}

function playersOf({ seats, standings }: MeetingSetup) {
  return seats.map(({ colour, role }) => ({
    colour,
    role,
    partners: [],
    persona: { name: 'Ann', temperament: 'observer' as const, notes: '' },
    brief: { sightings: [], notes: '' },
    pads: { main: '', meeting: '' },
    light: false,
    ghost: standings[colour] === 'dead',
  }));
}
