/**
 * Recorded games: whole meetings as the terminal tells them, seed and all. Whatever changes a meeting shows here.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { readMeeting } from '../../actors/engine/configFile.ts';
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { createMatch, startMatch } from '../../actors/engine/match.ts';
import { createRenderer } from '../../visualizer/terminal/renderer.ts';
import { expectGolden } from '../support/golden.ts';

const SEED = 7;
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The meeting of an example, told with everything in it, and the last hash of each channel. */
async function told(example: string): Promise<string> {
  const text = readFileSync(path(`../../examples/${example}.yaml`), 'utf8');
  const reading = readMeeting(text);
  if (!reading.ok) throw new Error(reading.notes.map((note) => note.text).join('\n'));
  const creation = createMatch(reading.match, SEED);
  if (!creation.ok) throw new Error(creation.refusals.map((note) => note.text).join('\n'));
  const { headers, ...ready } = creation.ready;
  const tell = createRenderer({ lens: { type: 'glass' }, colour: false, width: 100 });
  const rows: string[] = [];
  const recorder = new Recorder({
    onLine: ({ line }) => rows.push(...tell(line)),
  });
  recorder.write('living', [headers.living]);
  recorder.write('ghosts', [headers.ghosts]);
  const clock = new SimulatedClock();
  await startMatch({ ...ready, clock, recorder }).result;
  const heads = Object.entries(recorder.heads).map(([channel, hash]) => `${channel} ${hash}`);
  return `${[...rows, '', ...heads].join('\n')}\n`;
}

test.each(['four', 'electrical', 'classic', 'trouble'])(
  'the meeting "%s" with seed 7 is told as it was recorded',
  async (example) => {
    expectGolden(`tests/games/${example}.txt`, await told(example));
  },
);
