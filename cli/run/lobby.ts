/** The lobby of a run: from a file or from a number of players, with what the flags say on top; refused with reasons. */

import { createMatch, type ReadyGame } from '../../actors/engine/match.ts';
import type { HumanSeats } from '../../actors/minds/human/seats.ts';
import type { ModelMinds } from '../../actors/minds/kinds.ts';
import { findSeatProblems } from '../../actors/minds/openai/seats.ts';
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/options.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { COLOURS } from '../../machines/types.ts';
import { createFailure, EXIT, Failure } from '../exit.ts';
import { openLobby, refusedScenario } from '../input.ts';
import { findBudgetProblems, applyModelFlags as overriddenSeats } from '../modelSeats.ts';
import { chooseDeadlines, chooseRoundDeadlines, createHumanSeats, seatPeople } from '../play.ts';
import { beatMs } from '../printer.ts';
import type { Asked, RunFlags } from './flags.ts';

/** The lobby of the product's own examples. */
const PLAYERS = 8;

/** The lobby that all games of a run begin in, as it is written, and the first game of it. */
export async function lobbyFor(
  flags: Asked,
  speed: number,
  models: ModelMinds,
): Promise<{ readonly lobby: GameMatch; readonly first: ReadyGame; readonly company: HumanSeats }> {
  const lobby = overridden(await written(flags), flags, speed);
  const { deadline_ms: table, round_deadline_ms: ship } = lobby.options;
  const company = createHumanSeats(lobby.seats, { table, ship }, flags);
  const creation = createMatch(lobby, flags.seed, company.minds(models));
  const lacks = [
    ...findSeatProblems(lobby.seats, process.env),
    ...findBudgetProblems(lobby.seats, flags),
  ].filter(
    // Who asks nobody needs no key.
    ({ code }) => flags.dryRun !== true || code !== 'model/no-key',
  );
  const notes = creation.ok ? lacks : creation.refusals;
  if (creation.ok && notes.length === 0) return { lobby, first: creation.ready, company };
  if (flags.config !== undefined) throw refusedScenario(flags.config, notes);
  throw new Failure(EXIT.configuration, notes);
}

async function written({ config, players }: RunFlags): Promise<GameMatch> {
  if (config === undefined) {
    if (players === undefined) return plainGame(PLAYERS);
    if (players <= COLOURS.length) return plainGame(players);
    const text = `expected ${FEWEST_SEATS} to ${MOST_SEATS} seats, found ${players}`;
    throw createFailure(EXIT.configuration, 'game/seats', text);
  }
  if (players !== undefined) {
    const text = '--players: a lobby file says who plays, so leave out one of the two';
    throw createFailure(EXIT.usage, 'usage/players-and-config', text);
  }
  return openLobby(config);
}

/** Flags win over the file. */
function overridden(lobby: GameMatch, flags: RunFlags, speed: number): GameMatch {
  const { impostors, rules, faultRate } = flags;
  const seats = seatPeople(overriddenSeats(lobby.seats, flags), flags);
  return {
    ...lobby,
    seats: [...seats],
    fault_rate: faultRate ?? lobby.fault_rate,
    options: {
      ...lobby.options,
      ...(impostors === undefined ? {} : { impostors }),
      ...(rules === undefined ? {} : { rules }),
      ...chooseDeadlines(seats, flags, lobby.options),
      ...chooseRoundDeadlines(seats, flags, lobby.options),
      beat_ms: beatMs(speed, lobby.options.beat_ms),
    },
  };
}
