/** The flags of commands in which people can play. */
import type { Command } from 'commander';
import type { Colour } from '../machines/types.ts';
import { parseCount, parseSeat } from './options.ts';

export type PlayFlags = {
  /** The seat that a person takes; true for the first that is free. */
  readonly play?: Colour | true;
  /** Played in the terminal and not in the page. */
  readonly terminal?: boolean;
  /** Seconds that everybody waits for a person. */
  readonly think?: number;
};

/** Seconds in which a person has read what was said and written a sentence. */
export const THINK = 90;

const MOST_THINKING = 3600;

export function addPlayFlags(command: Command): Command {
  return command
    .option('--play [colour]', 'take a seat yourself, in the browser', parseSeat)
    .option('--terminal', 'with --play: in this terminal instead')
    .option(
      '--think <seconds>',
      `time a human player may think (default: ${THINK})`,
      parseCount(1, MOST_THINKING),
    );
}
