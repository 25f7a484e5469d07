/** From a scenario to the setting of a meeting: what the statecharts are given, and what is wrong with it. */

import { lobbyRefusals } from '../rules/lobby.ts';
import { type Chance, QUIET, type Setting } from '../rules/meeting.ts';
import { BLANK } from '../rules/pads.ts';
import type { Self } from '../rules/views.ts';
import {
  type Call,
  COLOURS,
  type Note,
  type Persona,
  type Standing,
  TEMPERAMENTS,
  type Temperament,
} from '../types.ts';
import { optionsOf, type Scenario, type ScenarioSeat } from './scenario.ts';

/** What a player brings to the table. */
export type Seated = Omit<Self, 'ballot' | 'notices'>;

export type Laid =
  | { readonly ok: true; readonly setting: Setting; readonly players: readonly Seated[] }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Lays the table for a scenario: seats in lobby order, defaults filled in, refused when it makes no sense. */
export function lay(scenario: Scenario, chance: Chance): Laid {
  const setting = settingOf(scenario, chance);
  const refusals = lobbyRefusals({
    seats: scenario.seats.map((seat) => ({ ...seat, standing: standingOf(seat) })),
    call: setting.call,
    options: setting.options,
  });
  if (refusals.length > 0) return { ok: false, refusals };
  const seats = inLobbyOrder(scenario.seats);
  return { ok: true, setting, players: seats.map((seat, index) => seated(seat, index, seats)) };
}

/** The table of a scenario as it is written: whether a lobby would take it is not asked. */
export function settingOf(scenario: Scenario, chance: Chance): Setting {
  const seats = inLobbyOrder(scenario.seats);
  return {
    chance,
    options: optionsOf(scenario, seats.filter(({ dead }) => !dead).length),
    call: callOf(scenario),
    seats: seats.map(({ colour, role }) => ({ colour, role })),
    circumstances: QUIET,
    standings: Object.fromEntries(seats.map((seat) => [seat.colour, standingOf(seat)])),
  };
}

function standingOf({ dead }: ScenarioSeat): Standing {
  return dead ? 'dead' : 'living';
}

/** The persona of a seat. Without one, temperaments are dealt in turn. */
export function personaOf({ persona }: Pick<ScenarioSeat, 'persona'>, index: number): Persona {
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
