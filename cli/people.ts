/** People who play: their seats, deadlines and lens, in the page or in the terminal. */

import { clearLine, createInterface, cursorTo } from 'node:readline';
import { createFailure, EXIT } from '../actors/files/failure.ts';
import type { HumanMind } from '../actors/minds/human/humanMind.ts';
import { HumanSeats, listPeople } from '../actors/minds/human/seats.ts';
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';
import type { Lens } from '../machines/journal/lens.ts';
import type { MatchSeat } from '../machines/setup/match.ts';
import type { Colour } from '../machines/types.ts';
import { TerminalSeat, type TypingTerminal } from '../visualizer/terminal/seat.ts';
import { THINK } from './flags.ts';
import { printNote } from './output.ts';
import { columnsOf } from './progress.ts';

export type PlayFlags = {
  /** The seat that a person takes; true for the first that is free. */
  readonly play?: Colour | true;
  readonly terminal?: boolean;
  /** Seconds that everybody waits for a person. */
  readonly think?: number;
};

const MS = 1000;

/** The seats with a person in the one that was asked for; people whom the file seats stay where they are. */
export function seatPeople<S extends MatchSeat & { readonly dead?: boolean }>(
  seats: readonly S[],
  { play }: PlayFlags,
): readonly S[] {
  if (play === undefined) return seats;
  if (play === true && listPeople(seats).length > 0) return seats;
  const free = seats.filter(({ dead = false }) => !dead);
  const taken = play === true ? free[0] : free.find(({ colour }) => colour === play);
  if (taken === undefined) {
    const names = free.map(({ colour }) => colour).join(', ');
    const text = `--as ${play}: ${play} has no seat among the living (there are: ${names})`;
    throw createFailure(EXIT.usage, 'play/not-seated', text);
  }
  return seats.map((seat) => (seat === taken ? { ...seat, mind: 'human' } : seat));
}

type Deadlines<T> = Partial<Readonly<Record<'deadline_ms' | 'round_deadline_ms', T>>>;

/** Deadlines where people sit, of rounds too in a game: by the flags, else the file, else enough for a person. */
export function chooseDeadlines(
  seats: readonly MatchSeat[],
  { think }: PlayFlags,
  given: Deadlines<number | undefined>,
  isGame: boolean,
): Deadlines<number> {
  if (listPeople(seats).length === 0) return {};
  const wait = (ms = THINK * MS) => (think === undefined ? ms : think * MS);
  return {
    deadline_ms: wait(given.deadline_ms),
    ...(isGame ? { round_deadline_ms: wait(given.round_deadline_ms) } : {}),
  };
}

/** A terminal shows a person who plays in it their own view, and else the table. The glass would show secrets. */
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

type PlayContext = Readonly<{ games?: number; json?: boolean; live?: number | boolean }>;

export function refuseCrowds(
  people: readonly Colour[],
  { games = 1, terminal = false, json = false, live }: PlayFlags & PlayContext,
): void {
  if (people.length === 0) return;
  const refuseIf = (isWrong: boolean, code: string, text: string) => {
    if (isWrong) throw createFailure(EXIT.usage, code, text);
  };
  const noPage = '--no-live leaves no page to play in: play in this terminal with --terminal';
  refuseIf(live === false && !terminal, 'play/no-page', noPage);
  refuseIf(games > 1, 'play/games', '-n: a person plays one game at a time, so leave -n out');
  const crowd = '--terminal seats one person: leave it out, and all play in the page';
  refuseIf(terminal && people.length > 1, 'play/terminal', crowd);
  const both =
    '--json can’t be combined with --terminal: the terminal shows the game to the player';
  refuseIf(terminal && json, 'play/json', both);
}

export function createHumanSeats(
  seats: readonly MatchSeat[],
  { table = 0, ship = 0 }: Readonly<Partial<Record<'table' | 'ship', number | undefined>>>,
  { terminal = false }: PlayFlags,
): HumanSeats {
  const seatHere = (player: HumanMind) =>
    new TerminalSeat(player, {
      terminal: openTerminal(),
      now: () => realTime.now(),
      every: repeat,
      soon: (act) => void setImmediate(act),
    });
  return new HumanSeats(listPeople(seats), { table, ship }, terminal ? seatHere : null);
}

function repeat(ms: number, act: () => void): () => void {
  let timer = realTime.setTimeout(next, ms);
  function next(): void {
    timer = realTime.setTimeout(next, ms);
    act();
  }
  return () => realTime.clearTimeout(timer);
}

/** This terminal, for the player at it: typed on standard input, shown on standard error. */
function openTerminal(): TypingTerminal {
  const { stdin: input, stderr: output } = process;
  const isTerminal = input.isTTY === true;
  const lines = createInterface({ input, output, terminal: isTerminal });
  return {
    isTerminal,
    columns: () => (isTerminal ? columnsOf(output) : Infinity),
    open: ({ onLine, onEnd }) => {
      lines.on('line', onLine);
      lines.on('SIGINT', () => realProcess.raise('SIGINT'));
      lines.on('close', onEnd);
    },
    setPrompt: (words) => lines.setPrompt(words),
    prompt: (keepsTyped = false) => lines.prompt(keepsTyped),
    clearLine: () => {
      cursorTo(output, 0);
      clearLine(output, 0);
    },
    print: printNote,
    close: () => lines.close(),
  };
}
