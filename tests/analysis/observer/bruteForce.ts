/**
 * Brute force to check the ideal observer: plays every game that the rules allow on a small ship and keeps those
 * that look the same to one crewmate.
 */

import { encode, lineOf } from '../../../machines/journal/codec.ts';
import { throughLens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { writeResult } from '../../../machines/rules/meeting.ts';
import type { GameOptions } from '../../../machines/rules/options.ts';
import {
  type GameCourse,
  playRound,
  resumeAfterMeeting,
  startGame,
} from '../../../machines/rules/ship/game.ts';
import { encodeGameOptions } from '../../../machines/setup/options.ts';
import { type BySeat, COLOURS, type Colour, type Standing } from '../../../machines/types.ts';
import {
  createSmallGame,
  type ShipEnvironment,
  shipEvents,
  shipView,
} from '../../../proofs/models/ship.ts';

export type SmallTable = {
  readonly players: number;
  readonly impostors: number;
  readonly options: Partial<GameOptions>;
  readonly environment: ShipEnvironment;
};

/** A game that may be the one that is played, and who its impostors are. */
type Candidate = { readonly team: readonly Colour[]; readonly course: GameCourse };

/** One true game, and all that look the same to the witness. */
export type Moment = {
  readonly witness: Colour;
  readonly truth: Candidate;
  readonly lines: readonly Line[];
  readonly candidates: readonly Candidate[];
};

export function openMoment(table: SmallTable, witness: Colour, team: readonly Colour[]): Moment {
  const others = COLOURS.slice(0, table.players).filter((colour) => colour !== witness);
  const teams = subsets(others).filter(({ length }) => length === table.impostors);
  const candidates = teams.map((one) => startCandidate(table, one));
  const truth = startCandidate(table, team);
  return { witness, truth, lines: [headerOf(table, truth)], candidates };
}

function subsets<T>(all: readonly T[]): readonly (readonly T[])[] {
  return all.reduce<readonly (readonly T[])[]>(
    (sets, one) => sets.flatMap((set) => [set, [...set, one]]),
    [[]],
  );
}

function startCandidate({ players, options }: SmallTable, team: readonly Colour[]): Candidate {
  const { ship } = createSmallGame(players, options);
  const seats = ship.seats.map(({ colour }) => ({
    colour,
    role: team.includes(colour) ? ('impostor' as const) : ('crewmate' as const),
  }));
  return { team, course: startGame(1, { ...ship, seats }) };
}

function headerOf({ impostors }: SmallTable, { course }: Candidate): Line {
  const { map, options, meeting, seats } = course.world.ship;
  const { adminTable: admin_table, places: _places, ...written } = map;
  const match = {
    name: '',
    about: '',
    options: {
      ...encodeGameOptions({ ...options, ...IN_RANGE, impostors }, meeting),
      // Shorter than any lobby has it.
      kill_cooldown: options.killCooldown,
    },
    map: { ...written, admin_table },
    seats: seats.map((seat) => ({ ...seat, mind: 'scripted' as const })),
  };
  return lineOf({ type: 'match.opened', format: 1, rulesVersion: 2, seed: 1, match }, place(0));
}

const IN_RANGE = { killCooldown: 10, reactorSeconds: 15 };

function place(seq: number) {
  return { channel: 'living', seq, hash: '' } as const;
}

/** One more round of a candidate: the course after it and the lines that it wrote. */
type Next = { readonly candidate: Candidate; readonly lines: readonly Line[] };

function playAll(
  { team, course }: Candidate,
  seq: number,
  environment: ShipEnvironment,
): readonly Next[] {
  const events = shipEvents(environment)({ at: 'round.deciding', context: course });
  return events.flatMap((event) => {
    if (event.type !== 'orders.gathered') return [];
    const { changes, facts } = playRound(course, event.orders, event.draws);
    const after = { ...course, ...changes };
    const written = facts.map((fact) => encode(fact));
    if (after.call !== null) written.push(encode({ type: 'meeting.called', call: after.call }));
    const lines = written.map((body, index) => lineOf(body, place(seq + index)));
    return [{ candidate: { team, course: after }, lines }];
  });
}

function shown(lines: readonly Line[], witness: Colour, { course, team }: Candidate): string {
  const { standings, ship } = course.world;
  const dead = COLOURS.filter((colour) => standings[colour] === 'dead');
  const game = { hasBar: ship.options.taskBar === 'always', players: { impostors: team } };
  return JSON.stringify(
    lines.map((line) => throughLens(line, { type: 'player', seat: witness }, { dead, game })),
  );
}

/**
 * Plays a round: the true game goes the way that is picked, of those that end in a call or of those that do not, where
 * there are such; null when the game is over, or the witness dead.
 */
export function playOn(
  { environment }: SmallTable,
  { witness, truth, lines, candidates }: Moment,
  { isCalled, pick }: { readonly isCalled: boolean; readonly pick: (ways: number) => number },
): Moment | null {
  const seq = lines.length;
  const all = playAll(truth, seq, environment);
  const fitting = all.filter(({ candidate }) => (candidate.course.call !== null) === isCalled);
  const ways = fitting.length === 0 ? all : fitting;
  const way = ways[pick(ways.length)];
  if (way === undefined || hasEnded(way.candidate, witness)) return null;
  const look = shown(way.lines, witness, way.candidate);
  const kept = new Map<string, Candidate>();
  for (const candidate of candidates) {
    for (const next of playAll(candidate, seq, environment)) {
      if (hasEnded(next.candidate, witness)) continue;
      if (shown(next.lines, witness, next.candidate) !== look) continue;
      kept.set(keyOf(next.candidate), next.candidate);
    }
  }
  return {
    witness,
    truth: way.candidate,
    lines: [...lines, ...way.lines],
    candidates: [...kept.values()],
  };
}

/** Ends a meeting: it ejects a player or nobody; null when the game is over, or the witness ejected. */
export function endMeetingOf(
  { witness, truth, lines, candidates }: Moment,
  ejected: Colour | null,
): Moment | null {
  if (ejected === witness) return null;
  const seq = lines.length;
  const over = (candidate: Candidate) => closeMeeting(candidate, ejected, seq);
  const own = over(truth);
  if (hasEnded(own.candidate, witness)) return null;
  const look = shown(own.lines, witness, own.candidate);
  const kept = candidates
    .map(over)
    .filter((one) => !hasEnded(one.candidate, witness))
    .filter((one) => shown(one.lines, witness, one.candidate) === look);
  return {
    witness,
    truth: own.candidate,
    lines: [...lines, ...own.lines],
    candidates: kept.map(({ candidate }) => candidate),
  };
}

function closeMeeting({ team, course }: Candidate, ejected: Colour | null, seq: number): Next {
  const { standings: before } = course.world;
  const standings: BySeat<Standing> = ejected === null ? before : { ...before, [ejected]: 'dead' };
  const outcome = ejected === null ? 'skipped' : 'ejected';
  const remaining = team.filter((one) => standings[one] === 'living').length;
  const role = ejected === null ? null : team.includes(ejected) ? 'impostor' : 'crewmate';
  const told = { role, impostors: team.length, remaining } as const;
  const sentence = writeResult({ outcome, ejected }, told, { confirmEjects: true });
  const held = {
    call: { by: 'red', kind: 'button', body: null, place: null },
    result: null,
  } as const;
  const after = { ...course, ...resumeAfterMeeting(course, { standings, held }) };
  const bodies = [
    { type: 'verdict.announced', sentence, outcome, ejected },
    { type: 'meeting.closed', outcome, ejected },
  ] as const;
  return {
    candidate: { team, course: after },
    lines: bodies.map((body, index) => lineOf(body, place(seq + index))),
  };
}

function hasEnded({ course }: Candidate, witness: Colour): boolean {
  return course.ending !== null || course.world.standings[witness] !== 'living';
}

function keyOf({ team, course }: Candidate): string {
  const moved = course.world.ship.seats.map(({ colour }) => course.world.players[colour]?.moved);
  return JSON.stringify([team, shipView({ at: '', context: course }), moved]);
}

/** The teams of all games that look as this one does. */
export function teamsByBruteForce({ candidates }: Moment): readonly string[] {
  return [...new Set(candidates.map(({ team }) => team.join()))].sort();
}
