import type { Projection } from '../../machines/journal/projection.ts';
import { SECONDS_PER_ROUND } from '../../machines/rules/options.ts';
import { capitalize } from '../../machines/text.ts';
import type { Ballot, BySeat, Colour } from '../../machines/types.ts';
import { badgeOf, formatClock, type TextPiece } from '../text.ts';
import {
  GLUE,
  joinPhrases,
  NUMBER_WIDTH,
  type Phrase,
  type StyledText,
  styled,
  type TextStyle,
} from './layout.ts';

/** The nearest of the sixteen colours that every terminal has. */
const HUES: Readonly<Record<Colour, readonly TextStyle[]>> = {
  red: ['redBright'],
  blue: ['blueBright'],
  green: ['green'],
  pink: ['magentaBright'],
  orange: ['yellow'],
  yellow: ['yellowBright'],
  black: ['gray'],
  // In the colour of the terminal's own text: white is unreadable on white.
  white: [],
  purple: ['magenta'],
  brown: ['yellow', 'dim'],
  cyan: ['cyanBright'],
  lime: ['greenBright'],
  maroon: ['red', 'dim'],
  rose: ['magentaBright', 'dim'],
  banana: ['yellowBright', 'dim'],
  gray: ['white', 'dim'],
  tan: ['white'],
  coral: ['red'],
};

export type Names = BySeat<string>;

export type Scene = { readonly state: Projection; readonly names: Names };

/** "RD", painted. */
export function seatCode(seat: Colour): StyledText {
  return styled(badgeOf(seat).code, ...HUES[seat], 'inverse');
}

export function player(seat: Colour): Phrase {
  return [seatCode(seat), GLUE, styled(capitalize(seat), ...HUES[seat], 'bold')];
}

/** "RD Red (Ada)" where a name is known. */
export function playerWithName(seat: Colour, names: Names): Phrase {
  const name = names[seat];
  return name === undefined ? player(seat) : [...player(seat), styled(` (${name})`, 'dim')];
}

export function candidateText(ballot: Ballot): Phrase {
  return ballot === 'skip' ? [styled('skip', 'bold')] : player(ballot);
}

export function paintPieces(pieces: readonly TextPiece[]): Phrase {
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? styled(piece) : player(piece.seat),
  );
}

export function players(seats: readonly Colour[]): Phrase {
  return joinPhrases(seats.map(player), styled(', '));
}

/** "Red", where many are named and their places matter more. */
export function name(seat: Colour): StyledText {
  return styled(capitalize(seat), ...HUES[seat], 'bold');
}

export function listNames(seats: readonly Colour[]): Phrase {
  return seats.flatMap((seat, index) => {
    if (index === 0) return [name(seat)];
    return [styled(index === seats.length - 1 ? ' and ' : ', '), name(seat)];
  });
}

export function clockLead(round: number): StyledText {
  return styled(`${formatClock(round).padStart(NUMBER_WIDTH + 1)} `, 'dim');
}

/** "12 s", without half seconds. */
export function formatSeconds(rounds: number): string {
  return `${Math.floor(rounds * SECONDS_PER_ROUND)} s`;
}

/** Phrases that the id of a task does not tell: "fix-wiring" is "fix the wiring". */
const TASK_PHRASES: Readonly<Record<string, string>> = {
  'clear-asteroids': 'shoot the asteroids',
  'align-output': 'align the engine',
  'submit-scan': 'submit to the scan',
  download: 'download data',
  divert: 'divert power',
};

/** "swipe the card": the first word is the verb. */
export function describeTask(task: string): string {
  const [verb = ''] = task.split('-');
  return TASK_PHRASES[task] ?? TASK_PHRASES[verb] ?? task.replace('-', ' the ');
}

/** The phrase for one player: "swipes the card"; for several it stays as it is. */
export function conjugate(words: string, count: number): string {
  if (count !== 1) return words;
  const [verb = '', ...rest] = words.split(' ');
  return [thirdPerson(verb), ...rest].join(' ');
}

function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/u.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh|o)$/u.test(verb) ? `${verb}es` : `${verb}s`;
}
