/** Flags about people who play: which seat they take, where they play, and how long the others wait for them. */
import type { Command } from 'commander';
import type { Lens } from '../../machines/journal/lens.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Colour } from '../../machines/types.ts';
import { createFailure, EXIT } from '../exit.ts';
import { parseCount, parseSeat } from '../options.ts';

export type PlayFlags = {
  /** The seat that a person takes; true for the first that is free. */
  readonly play?: Colour | true;
  /** Played in the terminal and not in the page. */
  readonly terminal?: boolean;
  /** Seconds that everybody waits for a person. */
  readonly think?: number;
};

/** Seconds in which a person has read what was said and written a sentence. */
const THINK = 90;
const MOST_THINKING = 3600;
const MS = 1000;

export function addPlayFlags(command: Command): Command {
  return command
    .option('--play [colour]', 'take a seat yourself, in the browser', parseSeat)
    .option('--terminal', 'with --play: in this terminal instead')
    .option(
      '--think <seconds>',
      `how long people may think (default: ${THINK})`,
      parseCount(1, MOST_THINKING),
    );
}

type ScenarioLike = MatchSeat & { readonly dead?: boolean };

/** The seats with a person in the one that was asked for; people whom the file seats stay where they are. */
export function withPeople<S extends ScenarioLike>(
  seats: readonly S[],
  { play }: PlayFlags,
): readonly S[] {
  if (play === undefined) return seats;
  if (play === true && peopleIn(seats).length > 0) return seats;
  const free = seats.filter(({ dead = false }) => !dead);
  const taken = play === true ? free[0] : free.find(({ colour }) => colour === play);
  if (taken === undefined) {
    const names = free.map(({ colour }) => colour).join(', ');
    const text = `--play ${play}: ${play} has no seat among the living (there are: ${names})`;
    throw createFailure(EXIT.usage, 'play/not-seated', text);
  }
  return seats.map((seat) => (seat === taken ? { ...seat, mind: 'human' } : seat));
}

/** The seats of people. */
export function peopleIn(seats: readonly MatchSeat[]): readonly Colour[] {
  return seats.flatMap(({ colour, mind }) => (mind === 'human' ? [colour] : []));
}

/** Deadlines of a table where people sit: what the flags say, else what the file says, else enough for a person. */
export function deadlines<O extends { readonly deadline_ms?: number | undefined }>(
  seats: readonly MatchSeat[],
  { think }: PlayFlags,
  given: O,
): { readonly deadline_ms?: number } {
  if (peopleIn(seats).length === 0) return {};
  return { deadline_ms: think === undefined ? (given.deadline_ms ?? THINK * MS) : think * MS };
}

/** The same for the rounds of a game. */
export function roundDeadlines<O extends { readonly round_deadline_ms?: number | undefined }>(
  seats: readonly MatchSeat[],
  { think }: PlayFlags,
  given: O,
): { readonly round_deadline_ms?: number } {
  if (peopleIn(seats).length === 0) return {};
  const own = given.round_deadline_ms ?? THINK * MS;
  return { round_deadline_ms: think === undefined ? own : think * MS };
}

/**
 * The lens of a terminal in front of which somebody plays: their own eyes where they play in it, else the table. The
 * glass, which is what everybody gets who asks for nothing, is closed then.
 */
export function lensOfPlay(
  people: readonly Colour[],
  { terminal = false }: PlayFlags,
  lens: Lens,
): Lens {
  const [only] = people;
  if (only === undefined || lens.type === 'table') return lens;
  const own: Lens = terminal ? { type: 'player', seat: only } : { type: 'table' };
  if (lens.type === 'glass' || (terminal && lens.seat === only)) return own;
  const text = `--lens player:${lens.seat}: somebody plays, so this terminal shows the table${terminal ? ', or what they see' : ''}`;
  throw createFailure(EXIT.usage, 'play/lens', text);
}

type More = { readonly games?: number; readonly json?: boolean; readonly live?: number | boolean };

/** Refuses what people can't do: be at many games at once, or share a terminal. */
export function refuseCrowds(
  people: readonly Colour[],
  { games = 1, terminal = false, json = false, live }: PlayFlags & More,
): void {
  if (people.length === 0) {
    if (terminal) throw refusal('play/nobody', '--terminal: nobody plays; --play takes a seat');
    return;
  }
  if (live === false && !terminal)
    throw refusal('play/no-page', '--no-live: people play in the page, or one in the --terminal');
  if (games > 1) throw refusal('play/games', '-n: a person plays one game at a time');
  if (terminal && people.length > 1)
    throw refusal('play/terminal', '--terminal: one person plays in it; leave it out for the page');
  if (terminal && json)
    throw refusal('play/json', '--json: a terminal in which somebody plays is for people');
}

function refusal(code: string, text: string) {
  return createFailure(EXIT.usage, code, text);
}
