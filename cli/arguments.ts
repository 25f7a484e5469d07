/** Arguments of the command line that several commands share, and how their values are read. */
import { randomInt } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { type Lens, parseLens } from '../machines/lens.ts';

/** Seeds that people can read out to each other. Any whole number that JavaScript holds exactly is accepted. */
const SEEDS = 1_000_000;

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(seed) || seed < 0) {
    throw new InvalidArgumentError(`expected a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
  }
  return seed;
}

/** Chance enters here and nowhere else: a run without --seed gets one, and says which. */
export function drawSeed(): number {
  return randomInt(SEEDS);
}

export function parseCount(least: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (text.trim() === '' || !Number.isSafeInteger(count) || count < least) {
      throw new InvalidArgumentError(`expected a whole number of at least ${least}.`);
    }
    return count;
  };
}

export function parseRate(text: string): number {
  const rate = Number(text);
  if (text.trim() === '' || Number.isNaN(rate) || rate < 0 || rate > 1) {
    throw new InvalidArgumentError('expected a share from 0 to 1.');
  }
  return rate;
}

export function parseLensArgument(text: string): Lens {
  const lens = parseLens(text);
  if (lens === null) {
    throw new InvalidArgumentError('expected table, glass, or player:COLOUR such as player:red.');
  }
  return lens;
}
