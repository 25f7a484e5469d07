/** Games for the laws: a lobby is played from a seed, in simulated time, and handed back as its journal. */

import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { ChartEngine } from '../../../actors/engine/effects.ts';
import type { RecordedLine } from '../../../actors/engine/journal/recorder.ts';
import { type GameFinish, type RunningMatch, startMatch } from '../../../actors/engine/match.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import {
  type GameMatch,
  type GameMatchInput,
  gameMatchSchema,
  type MeetingMatch,
  meetingMatchSchema,
} from '../../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { readyMatch, recordLines } from '../../support/matches.ts';
import type { LineOf } from './oracle/property.ts';

export type Casting = {
  readonly clock: SimulatedClock;
  /** Another mind for a seat; the one that was cast is given. */
  readonly recast: (mind: Mind, seat: Colour) => Mind;
  /** Called with the game when it has begun: from here somebody may stop it. */
  readonly begun: (played: RunningMatch<GameFinish>) => void;
  readonly onLine: (line: RecordedLine) => void;
  readonly engine: ChartEngine;
};

export type Game = {
  readonly score: GameFinish;
  readonly written: readonly RecordedLine[];
  readonly lines: readonly Line[];
};

export async function playGame(
  lobby: GameMatchInput,
  seed: number,
  { clock = new SimulatedClock(), recast, begun, onLine, engine }: Partial<Casting> = {},
): Promise<Game> {
  const ready = readyMatch(gameMatchSchema.parse(lobby), seed);
  const { recorder, written } = recordLines(ready, onLine);
  const minds = recast === undefined ? ready.minds : mapSeats(ready.minds, recast);
  const stepped = engine === undefined ? {} : { engine };
  const played = startMatch({ ...ready, minds, clock, recorder, ...stepped });
  begun?.(played);
  const score = await played.result;
  return { score, written, lines: written.map(({ line }) => line) };
}

/** A lobby that stops after `max_rounds`. Minds that only fail would play for long. */
export function aLobby(
  players: number,
  options: GameMatchInput['options'] = {},
  more: Partial<GameMatchInput> = {},
): GameMatch {
  const seats = COLOURS.slice(0, players).map((colour) => ({ colour }));
  return gameMatchSchema.parse({ name: `${players} players`, seats, options, ...more });
}

export const gameLines = ({ lines }: Game): Line[] => [...lines];

export function gameText({ written }: Game): string {
  return written.map(({ text }) => `${text}\n`).join('');
}

/** The options of a lobby that concern its meetings. */
const MEETING_OPTIONS = Object.keys(meetingMatchSchema.shape.options.unwrap().shape);

/** The meetings of a game, each as the journal of a meeting on its own, without its ghosts. */
export function* meetingsOf(lines: readonly Line[]): Generator<readonly Line[]> {
  const [header] = lines;
  const game = gameIn(header);
  if (header?.type !== 'match.opened' || game === null) return;
  const gone = new Set<Colour>();
  let meeting: Line[] | null = null;
  for (const line of lines) {
    if (line.channel === 'ghosts' || line.type === 'end.requested') continue;
    if (line.type === 'round.closed') {
      for (const event of line.events) {
        if (event.type === 'player.killed') gone.add(event.victim);
        if (event.type === 'seat.departed') gone.add(event.seat);
      }
      continue;
    }
    if (line.type === 'phase.entered' && line.phase === 'interrupt') meeting = [];
    if (line.type === 'meeting.called') meeting?.unshift(openingOf(header, game, gone, line));
    meeting?.push(line);
    if (line.type !== 'meeting.closed' || meeting === null) continue;
    yield meeting.map((one, seq) => ({ ...one, seq }));
    for (const one of meeting) {
      if (one.type === 'seat.departed') gone.add(one.seat);
      if (one.type === 'verdict.announced' && one.ejected !== null) gone.add(one.ejected);
    }
    meeting = null;
  }
}

/** Ruling 47: the default slope of silence is the least above Δ/(N + 1), for at least three players, and the grace is N. */
function forLiving(options: MeetingOptions, living: number): MeetingOptions {
  const { weights = {} } = options;
  const { mention = 2, accusation = 3, voted = 1, silence } = weights;
  const slope = Math.floor((10 + 5 + mention + accusation + voted) / (Math.max(living, 3) + 1)) + 1;
  return { ...options, weights: { ...weights, silence: { slope, grace: living, ...silence } } };
}

type MeetingOptions = MeetingMatch['options'];

function openingOf(
  { seed, channel, hash, rulesVersion }: LineOf<'match.opened'>,
  game: GameMatch,
  gone: ReadonlySet<Colour>,
  { by, body }: LineOf<'meeting.called'>,
): Line {
  const options = Object.entries(game.options).filter(([name]) => MEETING_OPTIONS.includes(name));
  const match = meetingMatchSchema.parse({
    name: game.name,
    call: body === null ? { by } : { by, report: body },
    options: forLiving(Object.fromEntries(options), game.seats.length - gone.size),
    seats: game.seats.map(({ colour, role }) => ({ colour, role, dead: gone.has(colour) })),
  });
  return { type: 'match.opened', channel, hash, format: 1, rulesVersion, seq: 0, seed, match };
}
