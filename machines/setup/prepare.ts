/** From a scenario to the setting of a meeting: what the statecharts are given, and what is wrong with it. */
import {
  countImpostors,
  drawRoles,
  lobbyRefusals,
  rolesRefusal,
  seatingRefusals,
} from '../rules/lobby.ts';
import { type MeetingChance, type MeetingSetup, QUIET } from '../rules/meeting.ts';
import {
  defaultGameOptions,
  type GameOptions,
  gameRefusals,
  type MeetingOptions,
} from '../rules/options.ts';
import { BLANK_PADS } from '../rules/pads.ts';
import type { ShipMap } from '../rules/ship/map.ts';
import { mapRefusals } from '../rules/ship/soundness.ts';
import { dealTasks, type Task } from '../rules/ship/tasks.ts';
import type { Self } from '../rules/views.ts';
import { weightsRefusal } from '../rules/weights.ts';
import {
  type BySeat,
  type Call,
  COLOURS,
  type Note,
  type Persona,
  type RuleSet,
  type Seat,
  type Standing,
  TEMPERAMENTS,
  type Temperament,
} from '../types.ts';
import {
  type Lobby,
  type LobbySeat,
  lobbySchema,
  mapOf,
  type Scenario,
  type ScenarioSeat,
} from './match.ts';
import { decodeGameOptions, decodeMeetingOptions, encodeGameOptions } from './options.ts';

/** What a player brings to the table. */
export type Seated = Omit<Self, 'ballot' | 'notices'>;

export type Laid =
  | { readonly ok: true; readonly setting: MeetingSetup; readonly players: readonly Seated[] }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Lays the table for a scenario: seats in lobby order, defaults filled in, refused when it makes no sense. */
export function lay(scenario: Scenario, chance: MeetingChance): Laid {
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
export function settingOf(scenario: Scenario, chance: MeetingChance): MeetingSetup {
  const seats = inLobbyOrder(scenario.seats);
  return {
    chance,
    options: decodeMeetingOptions(scenario.options, seats.filter(({ dead }) => !dead).length),
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
    pads: BLANK_PADS,
  };
}

/* Boarding: from a lobby to the crew of a ship, with roles and tasks dealt by the seed, or what is wrong with it. */

/** A game before its first round: what the statecharts are given. */
export type Crew = {
  readonly map: ShipMap;
  readonly options: GameOptions;
  readonly meeting: MeetingOptions;
  /** In lobby order, roles dealt. */
  readonly seats: readonly Seat[];
  readonly tasks: BySeat<readonly Task[]>;
};

export type Boarding =
  | {
      readonly ok: true;
      readonly crew: Crew;
      readonly players: readonly Seated[];
      /** The lobby with nothing left open: with the same seed it gives the same crew again. */
      readonly lobby: Lobby;
    }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Everybody aboard, defaults filled in; refused when it makes no sense. */
export function board(lobby: Lobby, chance: { readonly seed: number }): Boarding {
  const seats = lobbySeatsInOrder(lobby.seats);
  const base = defaultGameOptions(seats.length, lobby.options.rules);
  const options = decodeGameOptions(
    {
      ...lobby.options,
      impostors: lobby.options.impostors ?? countImpostors(seats, base.impostors),
    },
    seats.length,
  );
  const meeting = decodeMeetingOptions(lobby.options, seats.length);
  const map = mapOf(lobby);
  const refusals = gameRefusalsOf(seats, options, meeting, map);
  if (refusals.length > 0) return { ok: false, refusals };
  const roles = drawRoles(seats, options.impostors, chance);
  const counts = {
    common: options.commonTasks,
    long: options.longTasks,
    short: options.shortTasks,
  };
  const colours = seats.map(({ colour }) => colour);
  return {
    ok: true,
    crew: { map, options, meeting, seats: roles, tasks: dealTasks(map, counts, colours, chance) },
    players: seats.map((seat, index) => gamePlayer(seat, index, roles)),
    lobby: {
      ...lobby,
      options: encodeGameOptions(options, meeting),
      seats: seats.map((seat, index) => ({
        ...seat,
        role: roles[index]?.role,
        persona: personaOf(seat, index),
      })),
    },
  };
}

/** A lobby of so many players, in lobby order, with temperaments dealt in turn. How many there may be is not asked. */
export function plainLobby(players: number, impostors?: number, rules?: RuleSet): Lobby {
  const lobby = lobbySchema.parse({
    name: `${players} players`,
    seats: COLOURS.slice(0, Math.max(0, players)).map((colour) => ({ colour })),
  });
  return { ...lobby, options: { impostors, rules } };
}

/** Everything that is wrong with a lobby, in the order in which it should be mended. */
function gameRefusalsOf(
  seats: readonly LobbySeat[],
  options: GameOptions,
  meeting: MeetingOptions,
  map: ShipMap,
): readonly Note[] {
  const seating = seatingRefusals(
    seats.map(({ colour }) => colour),
    'game',
  );
  // How many impostors there may be is asked of a table that may sit down.
  if (seating.length > 0) return seating;
  const game = gameRefusals(options, seats.length);
  const roles = game.length > 0 ? null : rolesRefusal(seats, options.impostors);
  const weights = weightsRefusal(meeting.weights, seats.length);
  return [...game, ...[roles, weights].filter((note) => note !== null), ...mapRefusals(map)];
}

function lobbySeatsInOrder(seats: readonly LobbySeat[]): readonly LobbySeat[] {
  return seats.toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
}

function gamePlayer(seat: LobbySeat, index: number, roles: readonly Seat[]): Seated {
  const role = roles[index]?.role ?? 'crewmate';
  const partners = roles.filter((one) => one.role === 'impostor' && one.colour !== seat.colour);
  return {
    colour: seat.colour,
    role,
    partners: role === 'impostor' ? partners.map(({ colour }) => colour) : [],
    persona: personaOf(seat, index),
    brief: { sightings: [], notes: seat.notes },
    pads: BLANK_PADS,
  };
}
