/** A check of the meeting on several threads finds exactly what one thread finds. */

import { check } from 'glass-box-checker';
import { checkInWorkers, loadModel, type ModelSource } from 'glass-box-checker/workers';
import { describe, expect, test } from 'vitest';
import { createMeetingModel, listConfigurations } from '../../proofs/run.ts';
import { seeds } from '../support/seeds.ts';

const MEETING = new URL('../../proofs/run.ts', import.meta.url).href;

function meeting(rules: 'house' | 'classic'): ModelSource {
  const request = {
    rules,
    // tests/cli/checkWorkers.test.ts has three.
    players: [seeds(2, 3)],
    ghosts: 0,
    departures: seeds(0, 1),
    faults: true,
    combinations: 'some',
  } as const;
  const [argument] = listConfigurations(null, request);
  return { module: MEETING, export: createMeetingModel.name, argument };
}

type Found = Omit<ReturnType<typeof check>, 'seconds'>;

function untimed({ seconds: _seconds, ...found }: ReturnType<typeof check>): Found {
  return found;
}

describe.concurrent('two workers find what one finds', () => {
  test.each([
    ['a meeting in house rules', meeting('house'), {}],
    ['a meeting in classic rules', meeting('classic'), {}],
    ['a meeting modulo symmetry', meeting('house'), { isSymmetric: true, keepsGraph: true }],
  ])('%s', async (_, source, options) => {
    const alone = untimed(check(await loadModel(source), options));
    // All is left to the workers, however few states wait.
    const together = await checkInWorkers(source, { ...options, workers: 2, fewest: 0 });
    expect(untimed(together)).toEqual(alone);
    expect(alone.states).toBeGreaterThan(5);
  });
});
