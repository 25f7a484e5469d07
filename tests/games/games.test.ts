/**
 * Recorded games: whole meetings and whole games as the terminal tells them, seed and all. Whatever changes a game shows
 * here, and is read before it is recorded anew.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { readMeeting } from '../../actors/engine/configFile.ts';
import { startMatch } from '../../actors/engine/match.ts';
import type { Match } from '../../machines/setup/match.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import { createRenderer } from '../../visualizer/terminal/renderer.ts';
import { expectGolden } from '../support/golden.ts';
import { readyMatch, recordLines } from '../support/matches.ts';

const SEED = 7;
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The meeting of an example, told with everything in it, and the last hash of each channel. */
async function tellMeeting(example: string): Promise<string> {
  const text = readFileSync(path(`../../examples/${example}.yaml`), 'utf8');
  const reading = readMeeting(text);
  if (!reading.ok) throw new Error(reading.notes.map((note) => note.text).join('\n'));
  return await tell(reading.value, SEED);
}

async function tell(match: Match, seed: number): Promise<string> {
  const ready = readyMatch(match, seed);
  const render = createRenderer({ lens: { type: 'glass' }, colour: false, width: 100 });
  const rows: string[] = [];
  const { recorder } = recordLines(ready, ({ line }) => rows.push(...render(line)));
  const clock = new SimulatedClock();
  await startMatch({ ...ready, clock, recorder }).result;
  const heads = Object.entries(recorder.heads).map(([channel, hash]) => `${channel} ${hash}`);
  return `${[...rows, '', ...heads].join('\n')}\n`;
}

test.each(['four', 'electrical', 'classic', 'trouble'])(
  'the meeting "%s" with seed 7 is told as it was recorded',
  async (example) => {
    expectGolden(`tests/games/${example}.txt`, await tellMeeting(example));
  },
);

test.each([
  { players: 4, rules: 'house', seed: 3 },
  { players: 6, rules: 'house', seed: 17 },
  { players: 8, rules: 'classic', seed: 5 },
] as const)(
  'the $rules game of $players with seed $seed is told as it was recorded',
  async ({ players, rules, seed }) => {
    const told = await tell(plainGame(players, undefined, rules), seed);
    expectGolden(`tests/games/${rules}-of-${players}.txt`, told);
  },
);
