/** A file of prices, as its owner edits it. */
import { readFileSync } from 'node:fs';
import { type Prices, readPrices } from '../../actors/minds/openai/prices.ts';
import { createFailure, describeSystemError, EXIT } from '../exit.ts';

export function openPrices(path: string): Prices {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw createFailure(
      EXIT.noInput,
      'input/cannot-read',
      `${path} can't be read: ${describeSystemError(error)}`,
    );
  }
  const reading = readPrices(text);
  if (reading.ok) return reading.prices;
  throw createFailure(EXIT.configuration, 'prices/not-valid', `${path}: ${reading.text}`);
}
