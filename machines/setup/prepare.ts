/** From a match as it is written to what the statecharts are given, or to what is wrong with it and how to mend it. */
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
  type Colour,
  type Note,
  type Persona,
  type RuleSet,
  type Seat,
  type Standing,
  TEMPERAMENTS,
  type Temperament,
} from '../types.ts';
import {
  type GameMatch,
  type GameSeat,
  gameMatchSchema,
  isMeeting,
  type Match,
  type MeetingMatch,
  type MeetingSeat,
  readMap,
} from './match.ts';
import {
  decodeGameOptions,
  decodeMeetingOptions,
  encodeGameOptions,
  encodeMeetingOptions,
} from './options.ts';

/** What a player brings to the table. */
export type PlayerSetting = Omit<Self, 'ballot' | 'notices'>;

/** A meeting before it is called. */
export type PreparedMeeting = {
  readonly type: 'meeting';
  readonly setting: MeetingSetup;
  readonly players: readonly PlayerSetting[];
  /** The match with nothing left open: with the same seed it is prepared in the same way again. */
  readonly match: MeetingMatch;
};

/** A game before its first round. */
export type PreparedGame = {
  readonly type: 'game';
  readonly seed: number;
  readonly ship: GameSetting;
  readonly players: readonly PlayerSetting[];
  /** The match with nothing left open: with the same seed it is prepared in the same way again. */
  readonly match: GameMatch;
};

/** What the statecharts of a game are given. */
export type GameSetting = {
  readonly map: ShipMap;
  readonly options: GameOptions;
  readonly meeting: MeetingOptions;
  /** In lobby order, roles dealTasks. */
  readonly seats: readonly Seat[];
  readonly tasks: BySeat<readonly Task[]>;
};

export type Preparation<P = PreparedMeeting | PreparedGame> =
  | { readonly ok: true; readonly prepared: P }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Prepares a match: seats in lobby order, defaults filled in, roles and tasks dealTasks by the seed. */
export function prepare(match: MeetingMatch, seed: number): Preparation<PreparedMeeting>;
export function prepare(match: GameMatch, seed: number): Preparation<PreparedGame>;
export function prepare(match: Match, seed: number): Preparation;
export function prepare(match: Match, seed: number): Preparation {
  return isMeeting(match) ? prepareMeeting(match, seed) : prepareGame(match, seed);
}

function prepareMeeting(match: MeetingMatch, seed: number): Preparation<PreparedMeeting> {
  const setting = settingFor(match, { seed, meeting: 0 });
  const refusals = lobbyRefusals({
    seats: match.seats.map((seat) => ({ ...seat, standing: standingOf(seat) })),
    call: setting.call,
    options: setting.options,
  });
  if (refusals.length > 0) return { ok: false, refusals };
  const seats = inLobbyOrder(match.seats);
  return {
    ok: true,
    prepared: {
      type: 'meeting',
      setting,
      players: seats.map((seat, index) => playerOf(seat, index, seats)),
      match: closeMeeting(match),
    },
  };
}

/** A meeting with nothing left open: with the same seed it is prepared in the same way again. */
export function closeMeeting(match: MeetingMatch): MeetingMatch {
  const { options } = settingFor(match, { seed: 0, meeting: 0 });
  const seats = inLobbyOrder(match.seats);
  return {
    ...match,
    options: encodeMeetingOptions(options),
    seats: seats.map((seat, index) => ({ ...seat, persona: personaOf(seat, index) })),
  };
}

/** The table of a meeting as it is written: whether it would be refused is not asked. */
export function settingFor(match: MeetingMatch, chance: MeetingChance): MeetingSetup {
  const seats = inLobbyOrder(match.seats);
  return {
    chance,
    options: decodeMeetingOptions(match.options, seats.filter(({ dead }) => !dead).length),
    call: callOf(match),
    seats: seats.map(({ colour, role }) => ({ colour, role })),
    circumstances: QUIET,
    standings: Object.fromEntries(seats.map((seat) => [seat.colour, standingOf(seat)])),
  };
}

function standingOf({ dead }: MeetingSeat): Standing {
  return dead ? 'dead' : 'living';
}

function callOf({ call }: MeetingMatch): Call {
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

function prepareGame(match: GameMatch, seed: number): Preparation<PreparedGame> {
  const seats = inLobbyOrder(match.seats);
  const base = defaultGameOptions(seats.length, match.options.rules);
  const impostors = match.options.impostors ?? countImpostors(seats, base.impostors);
  const options = decodeGameOptions({ ...match.options, impostors }, seats.length);
  const meeting = decodeMeetingOptions(match.options, seats.length);
  const map = readMap(match);
  const refusals = refusalsOfGame(seats, options, meeting, map);
  if (refusals.length > 0) return { ok: false, refusals };
  const roles = drawRoles(seats, options.impostors, { seed });
  const cards = seats.map((seat, index) => ({ ...seat, role: roles[index]?.role ?? 'crewmate' }));
  const counts = {
    common: options.commonTasks,
    long: options.longTasks,
    short: options.shortTasks,
  };
  const colours = seats.map(({ colour }) => colour);
  return {
    ok: true,
    prepared: {
      type: 'game',
      seed,
      ship: {
        map,
        options,
        meeting,
        seats: roles,
        tasks: dealTasks(map, counts, colours, { seed }),
      },
      players: cards.map((seat, index) => playerOf(seat, index, cards)),
      match: {
        ...match,
        options: encodeGameOptions(options, meeting),
        seats: cards.map((seat, index) => ({ ...seat, persona: personaOf(seat, index) })),
      },
    },
  };
}

/** Everything that is wrong with a game, in the order in which it should be mended. */
function refusalsOfGame(
  seats: readonly GameSeat[],
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

/** A game of a number of players, in lobby order, with temperaments dealt in turn. How many is not checked. */
export function plainGame(players: number, impostors?: number, rules?: RuleSet): GameMatch {
  const match = gameMatchSchema.parse({
    name: `${players} players`,
    seats: COLOURS.slice(0, Math.max(0, players)).map((colour) => ({ colour })),
  });
  return { ...match, options: { impostors, rules } };
}

/** The persona of a seat. Without one, temperaments are dealt in turn. */
export function personaOf({ persona }: Pick<MeetingSeat, 'persona'>, index: number): Persona {
  if (typeof persona === 'object') return persona;
  const temperament: Temperament =
    persona ?? TEMPERAMENTS[index % TEMPERAMENTS.length] ?? 'observer';
  return { name: temperament, temperament, notes: '' };
}

export function inLobbyOrder<S extends { readonly colour: Colour }>(seats: readonly S[]): S[] {
  return seats.toSorted(
    (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
  );
}

type SeatWithRole = Pick<MeetingSeat, 'colour' | 'role' | 'persona' | 'notes'> &
  Partial<Pick<MeetingSeat, 'saw'>>;

function playerOf(
  seat: SeatWithRole,
  index: number,
  seats: readonly SeatWithRole[],
): PlayerSetting {
  const { colour, role, saw = [], notes } = seat;
  const partners = seats.filter((one) => one.role === 'impostor' && one.colour !== colour);
  return {
    colour,
    role,
    partners: role === 'impostor' ? partners.map((partner) => partner.colour) : [],
    persona: personaOf(seat, index),
    brief: { sightings: saw, notes },
    pads: BLANK_PADS,
  };
}
