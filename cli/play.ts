/** Playing yourself: the flags of `--play`, and the page or the terminal in which people play. */

import { setTimeout as rest } from 'node:timers/promises';
import type { HumanMind } from '../actors/minds/human/humanMind.ts';
import { HumanSeats, listPeople } from '../actors/minds/human/seats.ts';
import type { Lens } from '../machines/journal/lens.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import type { Colour } from '../machines/types.ts';
import type { Broadcast } from '../visualizer/server/broadcast.ts';
import {
  createPromptRoute,
  createSeatRoutes,
  type PageSource,
  type PromptSource,
} from '../visualizer/server/routes.ts';
import type { Route } from '../visualizer/server/server.ts';
import { TerminalSeat } from '../visualizer/terminal/seat.ts';
import { capitalize } from '../visualizer/text.ts';
import { createFailure, EXIT } from './exit.ts';
import { openTerminal } from './input.ts';
import { printNote } from './output.ts';
import { type PlayFlags, THINK } from './playFlags.ts';
import { openBrowser } from './serve.ts';

const MS = 1000;

type AnyTableSeat = MatchSeat & { readonly dead?: boolean };

/** The seats with a person in the one that was asked for; people whom the file seats stay where they are. */
export function seatPeople<S extends AnyTableSeat>(
  seats: readonly S[],
  { play }: PlayFlags,
): readonly S[] {
  if (play === undefined) return seats;
  if (play === true && listPeople(seats).length > 0) return seats;
  const free = seats.filter(({ dead = false }) => !dead);
  const taken = play === true ? free[0] : free.find(({ colour }) => colour === play);
  if (taken === undefined) {
    const names = free.map(({ colour }) => colour).join(', ');
    const text = `--play ${play}: ${play} has no seat among the living (there are: ${names})`;
    throw createFailure(EXIT.usage, 'play/not-seated', text);
  }
  return seats.map((seat) => (seat === taken ? { ...seat, mind: 'human' } : seat));
}

/** Deadlines of a table where people sit: what the flags say, else what the file says, else enough for a person. */
export function chooseDeadlines<O extends { readonly deadline_ms?: number | undefined }>(
  seats: readonly MatchSeat[],
  { think }: PlayFlags,
  given: O,
): { readonly deadline_ms?: number } {
  if (listPeople(seats).length === 0) return {};
  return { deadline_ms: think === undefined ? (given.deadline_ms ?? THINK * MS) : think * MS };
}

/** The same for the rounds of a game. */
export function chooseRoundDeadlines<O extends { readonly round_deadline_ms?: number | undefined }>(
  seats: readonly MatchSeat[],
  { think }: PlayFlags,
  given: O,
): { readonly round_deadline_ms?: number } {
  if (listPeople(seats).length === 0) return {};
  const own = given.round_deadline_ms ?? THINK * MS;
  return { round_deadline_ms: think === undefined ? own : think * MS };
}

/**
 * The lens of a terminal in front of which somebody plays: their own eyes where they play in it, else the table. The
 * glass, which is what everybody gets who asks for nothing, is closed then.
 */
export function choosePlayLens(
  people: readonly Colour[],
  { terminal = false }: PlayFlags,
  lens: Lens,
): Lens {
  const [only] = people;
  if (only === undefined || lens.type === 'table') return lens;
  const own: Lens = terminal ? { type: 'player', seat: only } : { type: 'table' };
  if (lens.type === 'glass' || (terminal && lens.seat === only)) return own;
  const text = `--lens player:${lens.seat}: a person plays, so this terminal shows the table${terminal ? ', or what that player sees' : ''}`;
  throw createFailure(EXIT.usage, 'play/lens', text);
}

type PlayContext = {
  readonly games?: number;
  readonly json?: boolean;
  readonly live?: number | boolean;
};

/** Refuses what people can't do: be at many games at once, or share a terminal. */
export function refuseCrowds(
  people: readonly Colour[],
  { games = 1, terminal = false, json = false, live }: PlayFlags & PlayContext,
): void {
  if (people.length === 0) {
    if (terminal)
      throw createPlayFailure(
        'play/no-player',
        '--terminal needs a player: add --play to take a seat',
      );
    return;
  }
  if (live === false && !terminal)
    throw createPlayFailure(
      'play/no-page',
      '--no-live leaves no page to play in: play in this terminal with --terminal',
    );
  if (games > 1)
    throw createPlayFailure('play/games', '-n: a person plays one game at a time, so leave it out');
  if (terminal && people.length > 1)
    throw createPlayFailure(
      'play/terminal',
      '--terminal seats one person: leave it out, and all play in the page',
    );
  if (terminal && json)
    throw createPlayFailure(
      'play/json',
      '--json can’t be combined with --terminal: the terminal shows the game to the player',
    );
}

function createPlayFailure(code: string, text: string) {
  return createFailure(EXIT.usage, code, text);
}

/** The seats of the people at a table, in the page or in this terminal. */
export function createHumanSeats(
  seats: readonly MatchSeat[],
  {
    table = 0,
    ship = 0,
  }: { readonly table?: number | undefined; readonly ship?: number | undefined },
  { terminal = false }: PlayFlags,
): HumanSeats {
  const seatHere = (player: HumanMind) =>
    new TerminalSeat(player, {
      terminal: openTerminal(),
      now: () => performance.now(),
      every: (ms, act) => {
        const timer = setInterval(act, ms);
        return () => clearInterval(timer);
      },
      soon: (act) => void setImmediate(act),
    });
  return new HumanSeats(listPeople(seats), { table, ship }, terminal ? seatHere : null);
}

/** Milliseconds that the game waits for its players to come. */
const PATIENCE_MS = 600_000;

/** The routes of the page of a game with people in it. Prompts hold secrets, so they are refused until the end. */
export function createPlayRoutes(
  people: HumanSeats,
  feed: Broadcast,
  page: PageSource,
  promptOf: PromptSource,
): readonly Route[] {
  const prompts = createPromptRoute(feed, promptOf);
  return [
    ...createSeatRoutes({ feed, page, holder: (token) => people.findPlayer(token) }),
    (asked) => (feed.isOver ? prompts(asked) : null),
  ];
}

/** Prints where each player plays, and waits until all have come. */
export async function welcomePlayers(people: HumanSeats, url: string): Promise<void> {
  for (const { seat, hash } of people.links)
    printNote(`${capitalize(seat)} plays here: ${url}${hash}`);
  printNote(`To watch:${' '.repeat(6)}${url}`);
  const [first] = people.links;
  if (first !== undefined) openBrowser(`${url}${first.hash}`);
  printNote('It begins when the page is open.');
  const patience = new AbortController();
  const late = rest(PATIENCE_MS, 'late', { signal: patience.signal }).catch(() => 'late');
  const came = await Promise.race([people.waitForAll().then(() => 'here'), late]);
  patience.abort();
  if (came === 'late')
    throw createFailure(EXIT.noInput, 'play/no-player-came', 'no player came within ten minutes');
}

export function createNoPageFailure() {
  const text = 'the page to play in can’t be served; play in this terminal with --terminal';
  return createFailure(EXIT.unreachable, 'play/no-page', text);
}
