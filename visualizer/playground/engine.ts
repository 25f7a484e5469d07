/** Plays a match in a tab, with the engine and the bytes of the command line. */

import type { z } from 'zod';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { beginJournal } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../actors/engine/match.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { isSlow } from '../../machines/rules/mindKinds.ts';
import { gameMatchSchema, type Match, meetingMatchSchema } from '../../machines/setup/match.ts';
import { isRecord } from '../../machines/text.ts';
import type { Note } from '../../machines/types.ts';
import { MachineRun } from '../charts/machineRun.ts';
import type { FromSiteWorker, MatchChoice } from './protocol.ts';
import { Refusal, refuse } from './refusal.ts';

export async function playChoice(choice: MatchChoice): Promise<FromSiteWorker> {
  try {
    const original = await playFromStart(readChosenMatch(choice), choice.seed);
    const { journal, lines, comparison } =
      choice.forks.length === 0
        ? { ...original, comparison: null }
        : await (await import('./forking.ts')).playForks(original.journal, choice.forks);
    const run = new MachineRun();
    const stepped = lines.map((line) => run.stepTo(line));
    return { type: 'played', played: { journal, stepped, comparison } };
  } catch (error) {
    if (error instanceof Refusal) return { type: 'refused', notes: error.notes };
    throw error;
  }
}

function readChosenMatch({ match, options }: MatchChoice): Match {
  const own = 'options' in match && typeof match.options === 'object' ? match.options : {};
  const whole = { ...match, options: mergeOptions({ ...own }, options) };
  const read = ('call' in match ? meetingMatchSchema : gameMatchSchema).safeParse(whole);
  if (!read.success) throw new Refusal(read.error.issues.map(describeIssue));
  const slow = read.data.seats.find(isSlow);
  if (slow === undefined) return read.data;
  const text = `${slow.colour}: a tab plays offline minds only, found mind ${slow.mind}`;
  throw refuse('site/offline-only', text);
}

function mergeOptions(own: Record<string, unknown>, changes: MatchChoice['options']): object {
  for (const [name, value] of Object.entries(changes)) {
    const before = own[name];
    const areGroups = isRecord(before) && isRecord(value);
    own[name] = areGroups ? mergeOptions({ ...before }, value) : value;
  }
  return own;
}

function describeIssue({ path, message }: z.core.$ZodIssue): Note {
  return { code: 'match/value', text: `${path.join('.')}: ${message}` };
}

/** With minds that answer at once, a match is over in simulated time and no line has a clock. */
async function playFromStart(match: Match, seed: number) {
  const creation = createMatch(match, seed);
  if (!creation.ok) throw new Refusal(creation.refusals);
  const { ready } = creation;
  const sink = new MemorySink();
  const lines: Line[] = [];
  const recorder = beginJournal(ready.headers, { sink, onLine: ({ line }) => lines.push(line) });
  await startMatch({ ...ready, clock: new SimulatedClock(), recorder }).result;
  return { journal: sink.text, lines };
}
