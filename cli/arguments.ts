/** Arguments of the command line that several commands share, and how their values are read. */
import { randomInt } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { type Lens, parseLens } from '../machines/journal/lens.ts';
import { COLOURS, type Colour } from '../machines/types.ts';
import { EXIT, failure } from './failure.ts';

/** Seeds that people can read out to each other. Any whole number that JavaScript holds exactly is accepted. */
const SEEDS = 1_000_000;

/** Reads a whole number within limits, written in digits. */
export function parseCount(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^\d+$/.test(text) || count < least || count > most) {
      throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}.`);
    }
    return count;
  };
}

export const parseSeed = parseCount(0, Number.MAX_SAFE_INTEGER);

/** Chance enters here and nowhere else: a run without --seed gets one, and says which. */
export function drawSeed(): number {
  return randomInt(SEEDS);
}

export function parseRate(text: string): number {
  const rate = Number(text);
  if (text.trim() === '' || Number.isNaN(rate) || rate < 0 || rate > 1) {
    throw new InvalidArgumentError('expected a share from 0 to 1.');
  }
  return rate;
}

/** A file that is written: standard output has other uses. */
export function parseDestination(text: string): string {
  if (text === '' || text === '-') throw new InvalidArgumentError('expected the name of a file.');
  return text;
}

/** A seat, by its colour in any case. */
export function parseSeat(text: string): Colour {
  const seat = COLOURS.find((colour) => colour === text.trim().toLowerCase());
  if (seat === undefined) throw new InvalidArgumentError('expected a colour such as red.');
  return seat;
}

function parseLensArgument(text: string): Lens {
  const lens = parseLens(text);
  if (lens === null) {
    throw new InvalidArgumentError('expected table, glass, or player:COLOUR such as player:red.');
  }
  return lens;
}

export function lensOption(): Option {
  return new Option('--lens <lens>', 'what to show: table, glass or player:COLOUR')
    .argParser(parseLensArgument)
    .default({ type: 'glass' }, 'glass');
}

/** Refuses to look with the eyes of somebody who is not there; null is a table that nobody knows. */
export function checkLens(lens: Lens, seated: readonly string[] | null): void {
  if (lens.type !== 'player' || seated === null || seated.includes(lens.seat)) return;
  throw failure(
    EXIT.usage,
    'lens/not-seated',
    `--lens player:${lens.seat}: ${lens.seat} has no seat (seated: ${seated.join(', ')})`,
  );
}
