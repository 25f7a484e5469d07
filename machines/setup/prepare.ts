/** Turns a written match into the input of the charts, or into notes about its problems. */

import { createDeck } from '../rules/dice.ts';
import {
  callRefusal,
  type MeetingChance,
  type MeetingSetup,
  QUIET,
  writeResult,
} from '../rules/meeting.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../rules/optionRows.ts';
import {
  defaultGameOptions,
  type GameOptions,
  gameRefusals,
  listComputed,
  type MeetingOptions,
  matchNote,
  mostImpostors,
  omitDefaults,
  readGameOptions,
  readMeetingOptions,
} from '../rules/options.ts';
import { BLANK_PADS } from '../rules/pads.ts';
import {
  type DatedKill,
  type MeetingRecord,
  meetingNumber,
  NO_PAST,
  type PublicCall,
  type PublicRecord,
  startRecord,
} from '../rules/record.ts';
import { mapRefusals } from '../rules/ship/soundness.ts';
import { dealTasks } from '../rules/ship/tasks.ts';
import type { Ship } from '../rules/ship/world.ts';
import type { PlayerInput } from '../rules/views.ts';
import { weightsRefusal } from '../rules/weights.ts';
import {
  type Call,
  COLOURS,
  type Colour,
  type Note,
  type Persona,
  type Role,
  type RuleSet,
  type Seat,
  type ShipMap,
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

export type PreparedMeeting = {
  readonly type: 'meeting';
  readonly setting: MeetingSetup;
  readonly players: readonly PlayerInput[];
  /** The complete match. The same seed prepares it the same way again. */
  readonly match: MeetingMatch;
};

export type PreparedGame = {
  readonly type: 'game';
  readonly seed: number;
  readonly ship: Ship;
  readonly players: readonly PlayerInput[];
  readonly match: GameMatch;
};

type Preparation<P = PreparedMeeting | PreparedGame> =
  | { readonly ok: true; readonly prepared: P }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Sorts seats in lobby order, fills in the defaults of a version or today's, and deals roles and tasks by the seed. */
export function prepare<M extends Match>(
  match: M,
  seed: number,
  version?: number,
): Preparation<M extends MeetingMatch ? PreparedMeeting : PreparedGame>;
export function prepare(match: Match, seed: number, version?: number): Preparation {
  return isMeeting(match)
    ? prepareMeeting(match, seed, version)
    : prepareGame(match, seed, version);
}

function prepareMeeting(
  match: MeetingMatch,
  seed: number,
  version?: number,
): Preparation<PreparedMeeting> {
  const setting = settingFor(match, { seed, meeting: 0 }, version);
  const seated = match.seats.map((seat) => ({ ...seat, standing: standingOf(seat) }));
  const refusals = meetingRefusals({ ...setting, seats: seated });
  if (refusals.length > 0) return { ok: false, refusals };
  const seats = inLobbyOrder(match.seats);
  return {
    ok: true,
    prepared: {
      type: 'meeting',
      setting,
      players: seats.map((seat, index) => playerOf(seat, index, seats, setting.kills)),
      match: closeMatch(match, version),
    },
  };
}

export function closeMatch<M extends Match>(match: M, version?: number): M {
  const seats = inLobbyOrder<Match['seats'][number]>(match.seats);
  return {
    ...match,
    options: omitDefaults(match.options, version),
    seats: seats.map((seat, index) => ({ ...seat, persona: personaOf(seat, index) })),
  };
}

export function settingFor(
  match: MeetingMatch,
  chance: MeetingChance,
  version?: number,
): MeetingSetup {
  const seats = inLobbyOrder(match.seats);
  const record = recordOf(match);
  return {
    chance,
    options: readMeetingOptions(match, version),
    call: callOf(match),
    seats: seats.map(({ colour, role }) => ({ colour, role })),
    circumstances: QUIET,
    standings: Object.fromEntries(seats.map((seat) => [seat.colour, standingOf(seat)])),
    record,
    ship: shipOf(match),
    world: null,
    kills: seats.flatMap((seat) => listKills(seat, meetingNumber(record))),
  };
}

/** The kills whose victims the file names, as in a game. */
function listKills({ colour: by, saw }: MeetingSeat, meeting: number): readonly DatedKill[] {
  return saw.flatMap(({ who, did, victim, place, ago }) =>
    who === by && did === 'kill' && victim !== undefined
      ? { type: 'kill', by, victim, place, meeting, ago, at: -ago }
      : [],
  );
}

/** The record of the file. Without one, everybody knows the number of impostors. */
function recordOf({ record, seats }: MeetingMatch): PublicRecord {
  const impostors = seats.filter(({ role }) => role === 'impostor').length;
  if (record === undefined) return startRecord(impostors);
  const stated = record.impostors === undefined ? impostors : record.impostors;
  return {
    impostors: stated,
    meetings: record.meetings.map((held) => toMeetingRecord(held, stated ?? impostors)),
    losses: record.losses,
    bar: record.bar,
  };
}

type StatedMeeting = NonNullable<MeetingMatch['record']>['meetings'][number];

function toMeetingRecord(stated: StatedMeeting, impostors: number): MeetingRecord {
  const { result: outcome, ballots } = stated;
  const { ejected = null, role = null, remaining = null } = stated;
  const confirmEjects = remaining !== null;
  const told = { role, impostors, remaining: remaining ?? 0 };
  return {
    call: publicCallOf(stated),
    result: {
      outcome,
      ejected,
      role,
      remaining,
      ballots: COLOURS.flatMap((voter) => {
        const ballot = ballots[voter];
        return ballot === undefined ? [] : [{ voter, ballot, void: false }];
      }),
      sentence: writeResult({ outcome, ejected }, told, { confirmEjects }),
    },
  };
}

/** The ship of a meeting, with the default times for its number of players. */
function shipOf(match: MeetingMatch): MeetingSetup['ship'] {
  if (match.map === undefined) return null;
  const options = defaultGameOptions(match.seats.length, match.options.rules);
  return { map: readMap({ map: match.map }), options };
}

function standingOf({ dead }: MeetingSeat): Standing {
  return dead ? 'dead' : 'living';
}

function callOf({ call }: MeetingMatch): Call {
  const { buttons_left: buttonsLeft, cooldown, crisis } = call;
  return { ...publicCallOf(call), buttonsLeft, cooldown, crisis };
}

function publicCallOf({
  by,
  report,
  place,
}: Pick<StatedMeeting, 'by' | 'report' | 'place'>): PublicCall {
  const kind = report === undefined ? 'button' : 'body';
  return { by, kind, body: report ?? null, place: place ?? null };
}

/** The last version of the rules by which a side that leaves through faults loses. */
const LOSING_FAULTS = 2;

function prepareGame(match: GameMatch, seed: number, version?: number): Preparation<PreparedGame> {
  const seats = inLobbyOrder(match.seats);
  const options = readGameOptions(match, version);
  const meeting = readMeetingOptions(match, version);
  const map = readMap(match);
  const refusals = refusalsOfGame(seats, options, meeting, map);
  if (refusals.length > 0) return { ok: false, refusals };
  const roles = drawRoles(seats, options.impostors, { seed });
  const cards = seats.map((seat, index) => ({ ...seat, role: roles[index]?.role ?? 'crewmate' }));
  const { commonTasks: common, longTasks: long, shortTasks: short } = options;
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
        computed: listComputed(match, version),
        seats: roles,
        tasks: dealTasks(map, { common, long, short }, colours, { seed }),
        areFaultsLost: version !== undefined && version <= LOSING_FAULTS,
      },
      players: cards.map((seat, index) => playerOf(seat, index, cards)),
      match: closeMatch({ ...match, seats: cards }, version),
    },
  };
}

function refusalsOfGame(
  seats: readonly GameSeat[],
  options: GameOptions,
  meeting: MeetingOptions,
  map: ShipMap,
): readonly Note[] {
  const seating = seatingRefusals(seats.map(({ colour }) => colour));
  // The number of impostors is checked only for a valid table.
  if (seating.length > 0) return seating;
  const game = gameRefusals(options, seats.length);
  const roles = game.length > 0 ? null : rolesRefusal(seats, options.impostors);
  const weights = weightsRefusal(meeting.weights, seats.length);
  return [...game, ...[roles, weights].filter((note) => note !== null), ...mapRefusals(map)];
}

/** A game with this many players in lobby order, with temperaments in turn. The number is not checked. */
export function plainGame(players: number, impostors?: number, rules?: RuleSet): GameMatch {
  const match = gameMatchSchema.parse({
    name: `${players} players`,
    seats: COLOURS.slice(0, Math.max(0, players)).map((colour) => ({ colour })),
  });
  return { ...match, options: { impostors, rules } };
}

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
  Partial<Pick<MeetingSeat, 'saw' | 'dead'>>;

function playerOf(
  seat: SeatWithRole,
  index: number,
  seats: readonly SeatWithRole[],
  kills: readonly DatedKill[] = [],
): PlayerInput {
  const { colour, role, saw = [], notes, dead: ghost = false } = seat;
  const partners = seats.filter((one) => one.role === 'impostor' && one.colour !== colour);
  const deeds = kills.flatMap(({ by, at: _, ...own }) => (by === colour ? own : []));
  return {
    colour,
    role,
    partners: role === 'impostor' ? partners.map((partner) => partner.colour) : [],
    persona: personaOf(seat, index),
    brief: { sightings: saw, notes },
    pads: BLANK_PADS,
    past: { ...NO_PAST, deeds },
    ghost,
  };
}

export type SeatedTable = {
  readonly seats: readonly (Seat & {
    readonly standing: Standing;
    /** Sightings. Names in them must have a seat. */
    readonly saw?: readonly { readonly who: Colour; readonly victim?: Colour | undefined }[];
  })[];
  readonly call: Call;
  readonly options: MeetingOptions;
};

export function meetingRefusals(table: SeatedTable): readonly Note[] {
  const seats = tableRefusals(table);
  if (seats.length > 0) return seats;
  const standings = Object.fromEntries(
    table.seats.map(({ colour, standing }) => [colour, standing]),
  );
  const living = table.seats.filter(({ standing }) => standing === 'living').length;
  const call = callRefusal(table.call, standings, QUIET);
  const weights = weightsRefusal(table.options.weights, living);
  return [call, weights].filter((note) => note !== null);
}

function seatingRefusals(colours: readonly Colour[]): readonly Note[] {
  const notes: Note[] = [];
  if (colours.length < FEWEST_SEATS || colours.length > MOST_SEATS) {
    const text = `expected ${FEWEST_SEATS} to ${MOST_SEATS} seats, found ${colours.length}`;
    notes.push(matchNote('seats', text));
  }
  const twice = COLOURS.filter((colour) => colours.filter((other) => other === colour).length > 1);
  if (twice.length > 0) {
    const text = `expected a different colour for each seat, found ${twice.join(', ')} more than once`;
    notes.push(matchNote('duplicate-seat', text));
  }
  return notes;
}

function tableRefusals({ seats, call }: SeatedTable): readonly Note[] {
  const colours = seats.map(({ colour }) => colour);
  const notes: Note[] = [...seatingRefusals(colours)];
  const say = (code: string, text: string) => void notes.push(matchNote(code, text));
  const impostors = seats.filter(({ role }) => role === 'impostor').length;
  const most = mostImpostors(seats.length);
  if (seats.length > 0 && impostors === seats.length) {
    say('all-impostors', 'expected at least one crewmate, found only impostors');
  } else if (impostors > most) {
    const sides = `${most} of ${seats.length} to be impostors, found ${impostors}`;
    say('impostors', `expected at most ${sides}`);
  }
  const seated = `a seated player (${colours.join(', ')})`;
  // Without seats, the missing seats are the problem.
  for (const named of seats.length === 0 ? [] : [call.by, call.body]) {
    if (named === null || colours.includes(named)) continue;
    say('not-seated', `expected a call by or about ${seated}, found ${named}`);
  }
  for (const { colour, saw = [] } of seats) {
    const named = saw.flatMap(({ who, victim = who }) => [who, victim]);
    const nobody = named.find((who) => !colours.includes(who));
    if (nobody === undefined) continue;
    say('saw-unknown-player', `expected ${colour} to have seen ${seated}, found ${nobody}`);
  }
  return notes;
}

// Roles: some may be fixed. The rest are drawn, each choice equally likely.

export type OpenSeat = { readonly colour: Colour; readonly role?: Role | undefined };

export function rolesRefusal(seats: readonly OpenSeat[], impostors: number): Note | null {
  const named = seats.filter(({ role }) => role === 'impostor').length;
  const free = seats.filter(({ role }) => role !== 'crewmate').length;
  if (named <= impostors && impostors <= free) return null;
  const found =
    named > impostors
      ? `${named} seats that are named as one`
      : `only ${free} seats that are not named crewmate`;
  return matchNote('roles', `expected ${impostors} to be impostors, found ${found}`);
}

export function drawRoles(
  seats: readonly OpenSeat[],
  impostors: number,
  chance: { readonly seed: number },
): readonly Seat[] {
  const inOrder = inLobbyOrder(seats);
  const named = inOrder.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
  const open = inOrder.filter(({ role }) => role === undefined).map(({ colour }) => colour);
  const draw = createDeck(chance.seed, 'roles');
  while (named.length < impostors && open.length > 0)
    named.push(...open.splice(draw(open.length), 1));
  return inOrder.map(({ colour }) => ({
    colour,
    role: named.includes(colour) ? 'impostor' : 'crewmate',
  }));
}
