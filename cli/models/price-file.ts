/** A file of prices, as its owner edits it. */
import { readFileSync } from 'node:fs';
import { type Prices, readPrices } from '../../actors/minds/openai/prices.ts';
import { EXIT, failure, reasonOf } from '../failure.ts';

export function openPrices(path: string): Prices {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw failure(EXIT.noInput, 'input/cannot-read', `${path} can't be read: ${reasonOf(error)}`);
  }
  const reading = readPrices(text);
  if (reading.ok) return reading.prices;
  throw failure(EXIT.configuration, 'prices/not-valid', `${path}: ${reading.text}`);
}
