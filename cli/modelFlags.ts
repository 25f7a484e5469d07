/** Flags about language models that several commands share. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { LEVELS, type Level } from '../machines/types.ts';
import { parseCount } from './options.ts';

export type ModelFlags = {
  /** A model for every seat, over whatever the file says. */
  readonly model?: string;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly key?: string;
  readonly level?: Level;
  readonly prices?: string;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxMinutes?: number;
  readonly concurrency: number;
  readonly perMinute?: number;
};

/** More than anybody can mean. */
const MOST = 1_000_000_000;
/** What a hosted endpoint takes from one customer, and a server at home from one player. */
const CONCURRENCY = 8;
const MOST_CONCURRENT = 1_000;

/** Flags of a command, with what it does with the model. */
export function addModelFlags(command: Command, does = 'language model for every seat'): Command {
  return command
    .option('--model <name>', does)
    .option('--base-url <url>', 'endpoint that speaks the OpenAI protocol', parseUrl)
    .option('--key <variable>', 'environment variable that holds the key', parseVariable)
    .addOption(new Option('--level <level>', 'strategy advice in the prompt').choices(LEVELS))
    .option('--prices <file>', 'JSON file with prices in dollars per million tokens')
    .option('--max-calls <n>', 'most requests to models in all', parseCount(0, MOST))
    .option('--max-tokens <n>', 'most tokens in all', parseCount(0, MOST))
    .option('--max-cost <dollars>', 'most dollars in all', parseAmount)
    .option('--max-minutes <n>', 'most minutes in all', parseAmount)
    .option(
      '--concurrency <n>',
      'concurrent requests to one model',
      parseCount(1, MOST_CONCURRENT),
      CONCURRENCY,
    )
    .option('--per-minute <n>', 'requests per minute to one model', parseCount(1, MOST));
}

function parseUrl(text: string): string {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('expected a URL such as http://localhost:11434/v1.');
  }
  return text.replace(/\/+$/, '');
}

function parseVariable(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) {
    throw new InvalidArgumentError(
      'expected the name of an environment variable, never the key itself.',
    );
  }
  return text;
}

function parseAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() === '' || !Number.isFinite(amount) || amount < 0) {
    throw new InvalidArgumentError('expected an amount such as 0.5.');
  }
  return amount;
}
