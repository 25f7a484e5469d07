/** A check that is ended, kept in a file and continued: by a budget, by Ctrl-C, and what is no such file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeLong } from '../support/seeds.ts';
import { aFolder, failureLine, glassbox, jsonLines, Running } from './shell.ts';

const SMALL = [
  ...['check', '--rules', 'house', '--faults', '--departures', '1'],
  ...['--property', 'vote-lock', 'ends', 'ends-if-all-vote', 'can-tie', 'never-stuck'],
];

/** The last line, without what differs from run to run. */
function readResult(out: string): unknown {
  const last = JSON.stringify(jsonLines(out).at(-1), (name, value) =>
    ['seconds', 'statesPerSecond', 'peakMemoryBytes', 'bytes'].includes(name) ? null : value,
  );
  return JSON.parse(last);
}

const RESULT = z.object({
  runs: z.array(z.object({ searches: z.array(z.object({ ended: z.string().nullable() })) })),
});

describeLong.concurrent('a search that is kept', () => {
  test.each([
    {
      name: 'bid by bid',
      more: ['--players', '3', '--combinations', 'folded'],
      cuts: ['50', '300', '700'],
    },
    {
      name: 'tick by tick',
      more: ['--players', '2', '--combinations', 'some', '--no-symmetry'],
      cuts: ['50', '250'],
    },
  ])('and continued ends as one that was not ended, $name', async ({ more, cuts }) => {
    const cwd = aFolder();
    const flags = [...SMALL, ...more];
    const whole = await glassbox([...flags, '--json'], { cwd });
    expect(whole.exit).toBe(0);
    const [first = '', ...others] = cuts;
    const cut = await glassbox([...flags, '--max-states', first, '--checkpoint', 'a.search'], {
      cwd,
    });
    expect(cut.exit).toBe(5);
    expect(cut.err).toMatch(
      /^\nWhat was found is kept in a\.search\. Go on: \S.* check .*--players \d .*--resume a\.search\n$/,
    );
    expect(cut.err).not.toContain('--max-states');
    for (const states of others) {
      const again = [...flags, '--max-states', states, '--resume', 'a.search'];
      expect((await glassbox(again, { cwd })).exit).toBe(5);
    }
    const rest = await glassbox([...flags, '--resume', 'a.search', '--json'], { cwd });
    expect({ exit: rest.exit, err: rest.err }).toEqual({ exit: 0, err: '' });
    expect(readResult(rest.out)).toEqual(readResult(whole.out));
  });

  test('is not kept where only searches beside it were cut short, and says so', async () => {
    const cwd = aFolder();
    const flags = ['check', '--players', '3', '--rules', 'house', '--max-states', '260'];
    const cut = await glassbox([...flags, '--checkpoint', 'a.search'], { cwd });
    expect(cut.exit).toBe(5);
    expect(cut.err).toContain(
      'The search of the meeting came to its end, so nothing is kept of it',
    );
    expect(existsSync(join(cwd, 'a.search'))).toBe(false);
  });

  test('Ctrl-C ends what is on and what comes after it as incomplete, and what was closed stands', async () => {
    const sizes = [
      'check',
      '--rules',
      'house',
      '--players',
      '2..10',
      '--faults',
      '--departures',
      '1',
    ];
    const running = new Running([...sizes, '--property', 'vote-lock', '--json']);
    await running.said('check.run');
    running.signal('SIGINT');
    const { exit, out, err } = await running.finished;
    expect(exit).toBe(5);
    expect(err).toContain('The search ends here and says what it has covered. Press Ctrl-C again');
    const { runs } = RESULT.parse(jsonLines(out).at(-1));
    const ends = runs.map(({ searches }) => searches[0]?.ended);
    expect(ends).toHaveLength(9);
    expect(ends[0]).toBeNull();
    expect(ends.at(-1)).toBe('an interruption');
  });
});

describe.concurrent('what can’t be continued is refused', () => {
  test.each([
    ['--checkpoint of two searches', [], ['--checkpoint', 'b'], 2, 'check/one-search'],
    [
      '--resume of two searches',
      [],
      ['--players', '2..3', '--rules', 'house', '--resume', 'a.search'],
      2,
      'check/one-search',
    ],
    ['other players', ['2'], ['--players', '3', '--rules', 'house'], 2, 'checkpoint/other-search'],
    ['other rules', ['2'], ['--players', '2', '--rules', 'classic'], 2, 'checkpoint/other-search'],
    [
      'faults',
      ['2'],
      ['--players', '2', '--rules', 'house', '--faults'],
      2,
      'checkpoint/other-search',
    ],
    [
      'without symmetry',
      ['2'],
      ['--players', '2', '--rules', 'house', '--no-symmetry'],
      2,
      'checkpoint/other-search',
    ],
    [
      'another property',
      ['2'],
      ['--players', '2', '--rules', 'house', '--property', 'ends'],
      2,
      'checkpoint/other-search',
    ],
    [
      'no such file',
      [],
      ['--players', '2', '--rules', 'house', '--resume', 'nowhere'],
      66,
      'input/cannot-read',
    ],
    [
      'another file',
      [],
      ['--players', '2', '--rules', 'house', '--resume', 'text'],
      65,
      'checkpoint/damaged',
    ],
    [
      'over another file',
      [],
      ['--players', '2', '--rules', 'house', '--checkpoint', 'text'],
      73,
      'output/not-a-checkpoint',
    ],
    ['with --game', [], ['--game', '--checkpoint', 'a'], 2, 'check/not-together'],
  ] as const)('%s', async (_, [kept], flags, status, code) => {
    const cwd = aFolder({ text: 'a text' });
    const small = ['check', '--rules', 'house', '--players', '2', '--max-states', '5'];
    if (kept !== undefined) await glassbox([...small, '--checkpoint', 'a.search'], { cwd });
    const resume = kept === undefined ? [] : ['--resume', 'a.search'];
    const { exit, out, err } = await glassbox(['check', ...flags, ...resume], { cwd });
    expect({ exit, out }).toEqual({ exit: status, out: '' });
    expect(err).toMatch(failureLine(code));
  });

  test('a file that is cut or changed', async () => {
    const cwd = aFolder();
    const small = ['check', '--rules', 'house', '--players', '3'];
    await glassbox([...small, '--max-states', '40', '--checkpoint', 'a.search'], { cwd });
    const kept = readFileSync(join(cwd, 'a.search'));
    const changed = Buffer.from(kept);
    changed[kept.length >> 1] = (changed[kept.length >> 1] ?? 0) ^ 4;
    for (const bytes of [kept.subarray(0, -9), changed]) {
      writeFileSync(join(cwd, 'b.search'), bytes);
      const { exit, err } = await glassbox([...small, '--resume', 'b.search'], { cwd });
      expect(exit).toBe(65);
      expect(err).toMatch(failureLine('checkpoint/damaged'));
    }
  });
});
