/** A check on several threads from the command line: what it prints, what it refuses, and its memory. */
import { describe, expect, test } from 'vitest';
import { testLong } from '../support/seeds.ts';
import { glassbox, jsonLines } from './shell.ts';

describe.concurrent('glassbox check --workers', () => {
  testLong('says the same as without, ballots and all', async () => {
    const flags = [
      'check',
      '--rules',
      'house',
      '--faults',
      '--departures',
      '1',
      '--no-symmetry',
      '--combinations',
      'some',
    ];
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

  testLong('memory that is not enough is an undecided search', async () => {
    const flags = ['--rules', 'house', '--property', 'ends', '--max-memory', '1'];
    const { exit, out } = await glassbox(['check', ...flags]);
    expect(exit).toBe(5);
    expect(out).toContain('incomplete: the budget of 1 MB ended the search: ends');
  });

  testLong(
    'a search that is too large for the heap ends by itself, and says what it covered',
    async () => {
      const large = [
        '--players',
        '10',
        '--faults',
        '--departures',
        '1',
        '--max-states',
        '50000000',
      ];
      const { exit, out, err } = await glassbox(
        ['check', '--verbose', ...large, '--property', 'vote-lock'],
        {
          env: { NODE_OPTIONS: '--max-old-space-size=150' },
        },
      );
      expect({ exit, err }).toEqual({ exit: 5, err: '' });
      expect(out).toMatch(/incomplete: the budget of \d+ MB ended the search: vote-lock/);
      expect(out).toMatch(/ticks in part +[1-9]/);
    },
  );
});
