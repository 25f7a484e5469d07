/**
 * Trials of mutants: each is put in the place of its source, and the tests are run until one fails.
 *
 * A source is never changed on disk. The tests run in a process of their own, which is killed with a mutant that keeps it
 * busy for ever; the next one goes on with the mutant after it.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createFailure, EXIT } from '../../../cli/exit.ts';
import type { Mutant } from './mutate.ts';

/** What a process is given: it reads it from a file. */
export const trialSchema = z.object({
  path: z.string(),
  source: z.string(),
  tests: z.array(z.string()).readonly(),
  mutants: z.array(z.string()).readonly(),
});

export type Trial = {
  /** The file that the mutants stand in for. */
  readonly path: string;
  readonly source: string;
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
};

/** What a process prints, a line each: that the tests pass without a mutant, in so many milliseconds, and each outcome. */
export const messageSchema = z.union([
  z.object({ soundMs: z.number() }),
  z.object({
    /** The test file that noticed; null for none. */
    noticedBy: z.string().nullable(),
    /** The name of the test; null where the file could not even be loaded. */
    test: z.string().nullable(),
  }),
]);

type TrialOutcome = { readonly noticedBy: string | null; readonly test: string | null };

/** A mutant that never ended. */
const ENDLESS: TrialOutcome = { noticedBy: 'no end', test: 'no end' };

/** How long a process may say nothing, for a mutant: so many times what the tests take without one, and at least so long. */
export type Patience = { readonly leastMs: number; readonly times: number };

const PATIENT: Patience = { leastMs: 30_000, times: 20 };
/** Milliseconds for a process that says nothing at first, and the most for a mutant. */
const MOST_SILENT_MS = 90_000;

const PROGRAM = fileURLToPath(new URL('tryMutants.ts', import.meta.url));

/** Tries mutants one after the other; each outcome is handed on as it comes. */
export async function runTrials(
  { path, source, tests, mutants }: Trial,
  onOutcome: (mutant: Mutant, outcome: TrialOutcome) => void,
  patience: Patience = PATIENT,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trials-'));
  const plan = join(folder, 'plan.json');
  try {
    for (let next = 0; next < mutants.length; ) {
      const rest = mutants.slice(next);
      const trial = { path, source, tests, mutants: rest.map((one) => one.source) };
      writeFileSync(plan, JSON.stringify(trial));
      const { isSound, tried } = await runProcess(plan, patience, (outcome, index) => {
        const mutant = rest[index];
        if (mutant !== undefined) onOutcome(mutant, outcome);
      });
      if (!isSound) {
        const text =
          'without a mutant the tests must pass, and there must be some: run them with vitest';
        throw createFailure(EXIT.unusable, 'mutants/unsound-tests', text);
      }
      next += tried;
      // What was tried when the process was lost is noticed: it never ended.
      const lost = mutants[next];
      if (lost === undefined) continue;
      onOutcome(lost, ENDLESS);
      next += 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Tries mutants until all have been tried or the process is lost. */
async function runProcess(
  plan: string,
  { leastMs, times }: Patience,
  onOutcome: (outcome: TrialOutcome, index: number) => void,
): Promise<{ readonly isSound: boolean; readonly tried: number }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const child = spawn(process.execPath, [PROGRAM, plan], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  let silentMs = MOST_SILENT_MS;
  let timer = setTimeout(kill, silentMs);
  let text = '';
  let isSound = false;
  let tried = 0;
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message = readMessage(line);
      if (message === null) continue;
      if ('soundMs' in message) {
        isSound = true;
        silentMs = Math.min(MOST_SILENT_MS, Math.max(leastMs, times * message.soundMs));
      } else {
        onOutcome(message, tried);
        tried += 1;
      }
    }
    clearTimeout(timer);
    timer = setTimeout(kill, silentMs);
  });
  child.on('close', () => {
    clearTimeout(timer);
    resolve();
  });
  await promise;
  return { isSound, tried };
}

/** Null for what tests print. */
function readMessage(line: string): z.infer<typeof messageSchema> | null {
  if (!line.startsWith(MARK)) return null;
  const read = messageSchema.safeParse(JSON.parse(line.slice(MARK.length)));
  return read.success ? read.data : null;
}

/** What a line of ours begins with. */
export const MARK = 'trial ';
