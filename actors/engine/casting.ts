/** Casting: which mind thinks for which seat of a scenario, and what the journal says about it up front. */

import type { Body } from '../../machines/journal/codec.ts';
import { FORMAT } from '../../machines/journal/lines.ts';
import type { Chance } from '../../machines/rules/meeting.ts';
import {
  optionsOf,
  type Scenario,
  type ScenarioSeat,
  wireOptions,
} from '../../machines/setup/scenario.ts';
import { inLobbyOrder, type Laid, lay, personaOf } from '../../machines/setup/setting.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import type { Mind } from '../minds/port.ts';
import { type ModelMinds, mindFor } from './seating.ts';

/** A scenario with everything that it needs to be played. */
export type Cast = {
  readonly laid: Extract<Laid, { ok: true }>;
  readonly minds: BySeat<Mind>;
  /** Turns of ghost talk; null when the dead do not watch. */
  readonly ghostBudget: number | null;
  /** The first line of each channel. */
  readonly headers: { readonly living: Body; readonly ghosts: Body };
};

export type Casting = { readonly ok: true; readonly cast: Cast } | Extract<Laid, { ok: false }>;

/** Casts a scenario, or says why it makes no sense. */
export function castOf(
  scenario: Scenario,
  chance: Chance,
  models: ModelMinds | null = null,
): Casting {
  const laid = lay(scenario, chance);
  if (!laid.ok) return laid;
  const seats = inLobbyOrder(scenario.seats);
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const [index, seat] of seats.entries()) {
    minds[seat.colour] = mindFor(seat, index, {
      seed: chance.seed,
      faultRate: scenario.fault_rate,
      models,
    });
  }
  const ghosts = ghostTurns(scenario);
  return {
    ok: true,
    cast: {
      laid,
      minds,
      ghostBudget: ghosts.present ? ghosts.budget : null,
      headers: headersOf(scenario, chance),
    },
  };
}

/** Whether the dead watch, and for how many turns of talk in a meeting. */
export function ghostTurns({ ghosts }: Pick<Scenario, 'ghosts'>) {
  return ghosts ?? { present: true, budget: DEFAULT_GHOST_TURNS };
}

/** A turn of talk for the ghosts at every tick of an ordinary meeting. */
const DEFAULT_GHOST_TURNS = 30;

/**
 * What the journal says first. Whatever concerns ghosts alone is in their own channel, so that the channel of the
 * living is the same whoever haunts it.
 */
export function headersOf(scenario: Scenario, { seed, meeting }: Chance): Cast['headers'] {
  const { ghosts: _ghosts, ...rest } = scenario;
  const ghosts = ghostTurns(scenario);
  const living = scenario.seats.filter(({ dead }) => !dead).length;
  const seats = inLobbyOrder(scenario.seats).map((seat, index) =>
    seat.dead ? remains(seat) : { ...seat, persona: personaOf(seat, index) },
  );
  const dead = scenario.seats.filter((seat) => seat.dead);
  return {
    living: {
      type: 'journal.opened',
      v: FORMAT,
      seed,
      meeting,
      scenario: { ...rest, options: wireOptions(optionsOf(scenario, living)), seats },
    },
    ghosts: {
      type: 'gallery.opened',
      present: ghosts.present,
      budget: ghosts.budget,
      minds: Object.fromEntries(
        dead.map(({ colour, mind, persona = null, saw, notes }) => [
          colour,
          { mind, persona, saw, notes },
        ]),
      ),
    },
  };
}

/** What the living know of a dead seat. */
function remains({ colour, role }: ScenarioSeat): Partial<ScenarioSeat> {
  return { colour, role, dead: true };
}
