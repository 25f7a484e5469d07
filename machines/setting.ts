/** From a scenario to the setting of a meeting: what the statecharts are given, and what is wrong with it. */

import { QUIET } from './rules/call.ts';
import { lobbyRefusals } from './rules/lobby.ts';
import { BLANK } from './rules/scratchpads.ts';
import type { Chance, Setting } from './rules/table.ts';
import type { Self } from './rules/views.ts';
import { optionsOf, type Scenario, type ScenarioSeat } from './scenario.ts';
import {
  type Call,
  COLOURS,
  type Note,
  type Persona,
  type Standing,
  TEMPERAMENTS,
  type Temperament,
} from './types.ts';

/** What a player brings to the table. */
export type Seated = Omit<Self, 'ballot' | 'notices'>;

export type Laid =
  | { readonly ok: true; readonly setting: Setting; readonly players: readonly Seated[] }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Lays the table for a scenario: seats in lobby order, defaults filled in, refused when it makes no sense. */
export function lay(scenario: Scenario, chance: Chance): Laid {
  const seats = inLobbyOrder(scenario.seats);
  const living = seats.filter(({ dead }) => !dead).length;
  const options = optionsOf(scenario, living);
  const call = callOf(scenario);
  const standing = (seat: ScenarioSeat): Standing => (seat.dead ? 'dead' : 'living');
  const refusals = lobbyRefusals({
    seats: scenario.seats.map((seat) => ({ ...seat, standing: standing(seat) })),
    call,
    options,
  });
  if (refusals.length > 0) return { ok: false, refusals };
  const setting: Setting = {
    chance,
    options,
    call,
    seats: seats.map(({ colour, role }) => ({ colour, role })),
    circumstances: QUIET,
    standings: Object.fromEntries(seats.map((seat) => [seat.colour, standing(seat)])),
  };
  return { ok: true, setting, players: seats.map((seat, index) => seated(seat, index, seats)) };
}

/** The persona of a seat. Without one, temperaments are dealt in turn. */
export function personaOf({ persona }: ScenarioSeat, index: number): Persona {
  if (typeof persona === 'object') return persona;
  const temperament: Temperament =
    persona ?? TEMPERAMENTS[index % TEMPERAMENTS.length] ?? 'observer';
  return { name: temperament, temperament, notes: '' };
}

export function inLobbyOrder(seats: Scenario['seats']): Scenario['seats'] {
  return seats.toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
}

function callOf({ call }: Scenario): Call {
  return {
    by: call.by,
    kind: call.report === undefined ? 'button' : 'body',
    body: call.report ?? null,
    place: call.place ?? null,
    buttonsLeft: call.buttons_left,
    cooldown: call.cooldown,
    crisis: call.crisis,
  };
}

function seated(seat: ScenarioSeat, index: number, seats: Scenario['seats']): Seated {
  const partners = seats.filter(
    ({ colour, role }) => role === 'impostor' && colour !== seat.colour,
  );
  return {
    colour: seat.colour,
    role: seat.role,
    partners: seat.role === 'impostor' ? partners.map(({ colour }) => colour) : [],
    persona: personaOf(seat, index),
    brief: { sightings: seat.saw, notes: seat.notes },
    pads: BLANK,
  };
}
