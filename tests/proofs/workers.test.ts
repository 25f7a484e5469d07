/** A check of the meeting on several threads finds exactly what one thread finds, on the command line too. */

import { check } from 'glass-box-checker';
import { checkInWorkers, loadModel, type ModelSource } from 'glass-box-checker/workers';
import { describe, expect, test } from 'vitest';
import { createMeetingModel, listConfigurations } from '../../proofs/run.ts';
import { glassbox, jsonLines } from '../cli/shell.ts';
import { seeds } from '../support/seeds.ts';

const MEETING = new URL('../../proofs/run.ts', import.meta.url).href;

function meeting(rules: 'house' | 'classic'): ModelSource {
  const request = { rules, players: [3], ghosts: 0, departures: seeds(0, 1), faults: true };
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

describe.concurrent('glassbox check --workers', () => {
  test('says the same as without, ballots and all', async () => {
    const flags = ['check', '--rules', 'house', '--faults', '--departures', '1', '--no-symmetry'];
    const printed = async (...more: readonly string[]) => {
      const { exit, out } = await glassbox([...flags, '--json', ...more]);
      const timeless = JSON.stringify(jsonLines(out), (name, value) =>
        ['seconds', 'statesPerSecond', 'peakMemoryBytes'].includes(name) ? null : value,
      );
      return { exit, lines: JSON.parse(timeless) };
    };
    const [one, two] = await Promise.all([printed(), printed('--workers', '2')]);
    expect(two).toEqual(one);
    expect(one.exit).toBe(0);
  });

  test.each(['0', 'x', '1000', '1.5'])('%s is a mistake of usage', async (workers) => {
    const { exit, out, err } = await glassbox(['check', '--workers', workers]);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain('--workers: expected a whole number from 1 to 32, found');
  });

  test('memory that is not enough is an undecided search', async () => {
    const flags = ['--rules', 'house', '--property', 'ends', '--max-memory', '1'];
    const { exit, out } = await glassbox(['check', ...flags]);
    expect(exit).toBe(5);
    expect(out).toContain('incomplete: the budget of 1 MB ended the search: ends');
  });
});
