/**
 * The meetings to check, with their models. Without a match file the table is plain: crewmates, a button and the
 * default options. Roles affect only the final sentence of a meeting, so all seats of the plain table are alike.
 */
import type { Model } from 'glass-box-checker';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { weightsRefusal } from '../../machines/rules/weights.ts';
import { type MeetingMatch, meetingMatchSchema } from '../../machines/setup/match.ts';
import { inLobbyOrder, prepare, settingFor } from '../../machines/setup/prepare.ts';
import { COLOURS, type Colour, type Note, RULE_SETS, type RuleSet } from '../../machines/types.ts';
import type { Combinations } from '../models/closings.ts';
import {
  factoredEvents,
  type MeetingKnobs,
  meetingEvents,
  PATIENCE,
  SOME_TROUBLE,
} from '../models/meeting.ts';
import { seatSymmetry } from '../models/symmetry.ts';
import { listMeetingProperties } from '../properties/meeting.ts';
import type { MeetingProperty } from '../properties/property.ts';

export type MeetingConfiguration = ReturnType<typeof toConfiguration>;

export type CheckRequest = {
  readonly players?: readonly number[];
  readonly rules?: RuleSet;
  readonly ghosts: number;
  /** By default one, and faults, up to `MOST_TROUBLED` players. */
  readonly departures?: number;
  readonly faults?: boolean;
  readonly combinations?: Combinations;
  readonly stops?: boolean;
};

export class RefusedConfiguration extends Error {
  /** The refused match, or null if the request is wrong. */
  readonly place: string | null;
  readonly notes: readonly Note[];

  constructor(place: string | null, notes: readonly Note[]) {
    super(notes.map(({ text }) => text).join('; '));
    this.place = place;
    this.notes = notes;
  }
}

export type MeetingModel = Model<Table, ToMeeting>;

/** Chance is an event of the world, so the seed has no effect. */
export const CHANCE = { seed: 0, meeting: 0 } as const;

export function listConfigurations(
  read: { readonly path: string; readonly match: MeetingMatch } | null,
  request: CheckRequest,
): readonly MeetingConfiguration[] {
  const given = read === null ? null : { ...read, match: withPatience(read.match) };
  const stated = request.rules ?? (given && (given.match.options.rules ?? 'house'));
  const sets = stated === null ? RULE_SETS : [stated];
  const sizes = request.players ?? [given === null ? FEWEST : countLiving(given.match)];
  return sets.flatMap((rules) =>
    sizes.map((players) => {
      const match =
        given === null ? createPlainTable(players, request.ghosts) : cutToPlayers(given, players);
      const ruled = { ...match, options: { ...match.options, rules } };
      return createConfiguration(given?.path ?? null, ruled, request);
    }),
  );
}

const FEWEST = 3;

export function toConfiguration(match: MeetingMatch, setting: MeetingSetup, knobs: MeetingKnobs) {
  const players = countLiving(match);
  const ghosts = match.seats.length - players;
  // Journals of this meeting have the same match. Its options are those of the setting.
  return { rules: setting.options.rules, players, ghosts, setting, knobs, match };
}

function createConfiguration(
  path: string | null,
  match: MeetingMatch,
  request: CheckRequest,
): MeetingConfiguration {
  const players = countLiving(match);
  const setting = settingFor(match, CHANCE);
  const refusal = weightsRefusal(setting.options.weights, players);
  if (refusal !== null) throw new RefusedConfiguration(path ?? 'the plain table', [refusal]);
  const isTroubled = players <= MOST_TROUBLED;
  return toConfiguration(match, setting, {
    faults: request.faults ?? isTroubled,
    combinations: request.combinations ?? (players > MOST_COMBINED ? 'folded' : 'all'),
    departures: request.departures ?? Number(isTroubled),
    stops: request.stops === true,
  });
}

/** Above this number of living players, faults and departures take minutes. */
const MOST_TROUBLED = 4;
/** Above this number of living players, bids are folded unless the request says otherwise. */
const MOST_COMBINED = 3;

function createPlainTable(players: number, ghosts: number): MeetingMatch {
  const seats = COLOURS.slice(0, players + ghosts);
  return meetingMatchSchema.parse({
    name: 'A plain table',
    options: { patience: PATIENCE },
    call: { by: COLOURS[0] },
    seats: seats.map((colour, index) => ({ colour, dead: index >= players })),
  });
}

function withPatience(match: MeetingMatch): MeetingMatch {
  const { options } = match;
  return { ...match, options: { ...options, patience: options.patience ?? PATIENCE } };
}

function countLiving({ seats }: MeetingMatch): number {
  return seats.filter(({ dead }) => !dead).length;
}

/** Reduces a match to `players` living players: the caller, then the others in seat order. Its dead players stay. */
function cutToPlayers(
  { path, match }: { readonly path: string; readonly match: MeetingMatch },
  players: number,
): MeetingMatch {
  const preparation = prepare(match, CHANCE.seed);
  if (!preparation.ok) throw new RefusedConfiguration(path, preparation.refusals);
  const living = inLobbyOrder(match.seats).filter(({ dead }) => !dead);
  if (players > living.length) {
    const text = `--players: the match has ${living.length} living players, found ${players}`;
    throw new RefusedConfiguration(null, [{ code: 'check/too-few-players', text }]);
  }
  const { by } = match.call;
  const callerFirst = living.toSorted(
    (one, other) => Number(other.colour === by) - Number(one.colour === by),
  );
  const kept = callerFirst.slice(0, players);
  const seats = match.seats.filter((seat) => seat.dead || kept.includes(seat));
  const isSeated = ({ who }: { readonly who: Colour }) =>
    seats.some(({ colour }) => colour === who);
  return { ...match, seats: seats.map((seat) => ({ ...seat, saw: seat.saw.filter(isSeated) })) };
}

export function createMeetingModel({
  setting,
  knobs,
}: Pick<MeetingConfiguration, 'setting' | 'knobs'>): MeetingModel {
  const living = Object.values(setting.standings).filter((standing) => standing === 'living');
  return {
    name: `${setting.options.rules}, ${living.length} players`,
    machine: meetingMachine,
    input: setting,
    world: meetingEvents(knobs),
    ...factoredEvents(knobs),
    properties: listMeetingProperties(setting, knobs),
    symmetry: seatSymmetry(setting),
  };
}

export function listAllProperties(): readonly MeetingProperty[] {
  const properties = RULE_SETS.flatMap((rules) => {
    const setting = settingFor({ ...createPlainTable(FEWEST, 1), options: { rules } }, CHANCE);
    return listMeetingProperties(setting, { ...SOME_TROUBLE, departures: setting.seats.length });
  });
  return [...new Map(properties.map((property) => [property.name, property])).values()];
}
