/**
 * Subjects: the tables that are checked, each under one rule set and in one world.
 *
 * Without a scenario a table is plain: crewmates, a button, the shipped options. Roles decide nothing in a meeting but
 * what the last sentence says, so the plain table has none but crewmates, and its seats are all alike.
 */

import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { weightsRefusal } from '../../machines/rules/weights.ts';
import { type MeetingMatch, meetingMatchSchema } from '../../machines/setup/match.ts';
import { inLobbyOrder, prepare, settingFor } from '../../machines/setup/prepare.ts';
import { COLOURS, type Colour, RULE_SETS, type RuleSet } from '../../machines/types.ts';
import type { Knobs } from '../../proofs/models/world.ts';
import { createFailure, EXIT } from '../exit.ts';
import { refusedScenario } from '../input.ts';
import type { CheckFlags } from './flags.ts';

export type Subject = {
  readonly rules: RuleSet;
  /** Living players. */
  readonly players: number;
  readonly ghosts: number;
  readonly setting: MeetingSetup;
  readonly knobs: Knobs;
  /** What a journal of it says first; its options are those of the setting. */
  readonly scenario: MeetingMatch;
};

/** Two faults in a row and a player is out: more make more states and nothing new. */
const PATIENCE = 2;
/** Chance is an event of the world there: no seed decides anything. */
export const CHANCE = { seed: 0, meeting: 0 } as const;

/** What is to be checked, rule set by rule set. */
export function subjects(
  read: { readonly path: string; readonly scenario: MeetingMatch } | null,
  flags: CheckFlags,
): readonly Subject[] {
  const given = read === null ? null : { ...read, scenario: patient(read.scenario) };
  const sets = flags.rules === undefined ? rulesOf(given?.scenario) : [flags.rules];
  const sizes = flags.players ?? [given === null ? FEWEST : livingIn(given.scenario)];
  return sets.flatMap((rules) =>
    sizes.map((players) => {
      const scenario = given === null ? plain(players, flags.ghosts) : cut(given, players);
      const ruled = { ...scenario, options: { ...scenario.options, rules } };
      return subjectOf(given?.path ?? null, ruled, flags);
    }),
  );
}

const FEWEST = 3;

function rulesOf(scenario: MeetingMatch | undefined): readonly RuleSet[] {
  return scenario === undefined ? RULE_SETS : [scenario.options.rules ?? 'house'];
}

function subjectOf(path: string | null, scenario: MeetingMatch, flags: CheckFlags): Subject {
  const players = livingIn(scenario);
  const setting = settingFor(scenario, CHANCE);
  const refusal = weightsRefusal(setting.options.weights, players);
  if (refusal !== null) throw refusedScenario(path ?? 'the plain table', [refusal]);
  return {
    rules: setting.options.rules,
    players,
    ghosts: scenario.seats.length - players,
    setting,
    knobs: {
      faults: flags.faults === true,
      departures: flags.departures,
      stops: flags.stops === true,
    },
    scenario,
  };
}

function plain(players: number, ghosts: number): MeetingMatch {
  const seats = COLOURS.slice(0, players + ghosts);
  return meetingMatchSchema.parse({
    name: 'A plain table',
    options: { patience: PATIENCE },
    call: { by: COLOURS[0] },
    seats: seats.map((colour, index) => ({ colour, dead: index >= players })),
  });
}

function patient(scenario: MeetingMatch): MeetingMatch {
  const { options } = scenario;
  return { ...scenario, options: { ...options, patience: options.patience ?? PATIENCE } };
}

function livingIn({ seats }: MeetingMatch): number {
  return seats.filter(({ dead }) => !dead).length;
}

/** A scenario with so many of its players: the caller, and then as they sit. Its dead stay. */
function cut(
  { path, scenario }: { readonly path: string; readonly scenario: MeetingMatch },
  players: number,
): MeetingMatch {
  const preparation = prepare(scenario, CHANCE.seed);
  if (!preparation.ok) throw refusedScenario(path, preparation.refusals);
  const living = inLobbyOrder(scenario.seats).filter(({ dead }) => !dead);
  if (players > living.length) {
    const text = `--players: the scenario has ${living.length} living players, found ${players}`;
    throw createFailure(EXIT.usage, 'check/too-few-players', text);
  }
  const { by } = scenario.call;
  const callerFirst = living.toSorted(
    (one, other) => Number(other.colour === by) - Number(one.colour === by),
  );
  const kept = callerFirst.slice(0, players);
  const seats = scenario.seats.filter((seat) => seat.dead || kept.includes(seat));
  const isSeated = ({ who }: { readonly who: Colour }) =>
    seats.some(({ colour }) => colour === who);
  return { ...scenario, seats: seats.map((seat) => ({ ...seat, saw: seat.saw.filter(isSeated) })) };
}
