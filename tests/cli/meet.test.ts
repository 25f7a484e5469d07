/** `glassbox meet`: the same seed gives the same journal, and programs can read the output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import { rowOf, rowsOf } from '../actors/engine/journal/records.ts';
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, glassbox, jsonLines } from './shell.ts';

const FILES = { 'a.yaml': SCENARIO };

/** A journal without the fields of the wall clock. */
function timeless(path: string): readonly string[] {
  return rowsOf(readFileSync(path, 'utf8')).map((row) => {
    const { clock: _clock, ...rest } = rowOf(row);
    return JSON.stringify(rest);
  });
}

describe.concurrent('a meeting', () => {
  test('a meeting is printed for people, and its journal goes to a new folder', async () => {
    const cwd = aFolder(FILES);
    const { exit, out, err } = await warmGlassbox(['run', 'a.yaml', '--seed', '7'], { cwd });
    expect(exit).toBe(0);
    expect(out).toContain('RD Red reports the body of PK Pink in Electrical');
    expect(out).toMatch(
      /^\w+( \w+)? after \d+ ticks, seed 7: journals\/the-body-in-electrical-7\.jsonl\n$/m,
    );
    expect(err).toContain('Journal:      journals/the-body-in-electrical-7.jsonl');
    expect(err).toContain('view journals/the-body-in-electrical-7.jsonl');
    expect(err).toContain('why journals/the-body-in-electrical-7.jsonl');
    expect(contents(cwd)).toEqual([
      'a.yaml',
      'journals',
      'journals/the-body-in-electrical-7.jsonl',
    ]);
  });

  test('without a match is the demonstration, with a seed of its own', async () => {
    const cwd = aFolder();
    const { exit, out } = await warmGlassbox(['run', 'electrical', '--quiet'], { cwd });
    expect(exit).toBe(0);
    const [, seed] = /seed (\d+): journals\/.*-\d+\.jsonl\n$/.exec(out) ?? [];
    expect(Number(seed)).toBeLessThan(1_000_000);
    expect(out.split('\n').length).toBe(2);
  });

  test('with the same seed is the same to the byte, at any pace; with another it is another', async () => {
    const cwd = aFolder(FILES);
    const meet = (seed: string, out: string, ...more: readonly string[]) =>
      warmGlassbox(['run', 'a.yaml', '--seed', seed, '--out', out, '-q', ...more], { cwd });
    await Promise.all([
      meet('7', 'one.jsonl'),
      meet('7', 'two.jsonl', '--speed', '100'),
      meet('8', 'other.jsonl'),
    ]);
    expect(timeless(join(cwd, 'one.jsonl'))).toEqual(timeless(join(cwd, 'two.jsonl')));
    expect(timeless(join(cwd, 'one.jsonl'))).not.toEqual(timeless(join(cwd, 'other.jsonl')));
    expect(readFileSync(join(cwd, 'two.jsonl'), 'utf8')).toContain('"clock":{"ms":');
  });

  test('goes beside the first one when the seed comes again', async () => {
    const cwd = aFolder(FILES);
    const meet = () => warmGlassbox(['run', 'a.yaml', '--seed', '7', '-q'], { cwd });
    const ends = await Promise.all([meet(), meet()]);
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(contents(join(cwd, 'journals'))).toEqual([
      'the-body-in-electrical-7-2.jsonl',
      'the-body-in-electrical-7.jsonl',
    ]);
  });

  test('is read from standard input, and named in the letters of a file', async () => {
    const cwd = aFolder();
    const input = SCENARIO.replace('The body in Electrical', '«Crème» / ..\\ brûlée…');
    const { exit, out } = await glassbox(['run', '-', '--seed', '1', '-q'], { cwd, input });
    expect(exit).toBe(0);
    expect(out).toContain(': journals/creme-brulee-1.jsonl\n');
  });
});

describe.concurrent('--json', () => {
  test('a meeting with --json prints only JSON, and the result last', async () => {
    const cwd = aFolder(FILES);
    const { out, err } = await warmGlassbox(
      ['run', 'a.yaml', '--seed', '7', '--json', '--out', 'a.jsonl'],
      { cwd },
    );
    const lines = jsonLines(out);
    expect(err).toBe('');
    expect(lines[0]).toMatchObject({ type: 'match.opened', seed: 7 });
    expect(lines.at(-1)).toEqual({
      type: 'meeting.result',
      v: 1,
      outcome: expect.stringMatching(/^(?:ejected|tie|skipped|empty)$/),
      ejected: lines.findLast(({ type }) => type === 'meeting.closed')?.['ejected'],
      ticks: expect.any(Number),
      unheard: [],
      seed: 7,
      journal: 'a.jsonl',
    });
    const journal = readJournal(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
    expect(journal.damages).toEqual([]);
    expect(lines.slice(0, -1)).toEqual(journal.lines.map(throughGlass));
  });

  test('shows no more than the lens does', async () => {
    const cwd = aFolder(FILES);
    const { out } = await warmGlassbox(
      ['run', 'a.yaml', '--seed', '7', '--json', '--lens', 'table', '--out', 'a.jsonl'],
      { cwd },
    );
    expect(out).not.toContain('internal_thought');
    expect(out).not.toContain('impostor');
    expect(jsonLines(out).at(-1)).toMatchObject({ type: 'meeting.result' });
  });

  test('and --quiet print the result alone', async () => {
    const cwd = aFolder(FILES);
    const { out } = await warmGlassbox(['run', 'a.yaml', '--json', '-q', '--out', 'a.jsonl'], {
      cwd,
    });
    expect(jsonLines(out)).toMatchObject([{ type: 'meeting.result' }]);
  });
});

describe.concurrent('flags win over the file', () => {
  test.each([
    [['--max-ticks', '1'], { outcome: 'unconverged', ejected: null, ticks: 1 }, '"max_ticks":1'],
    [['--fault-rate', '1'], {}, '"fault_rate":1,'],
    [['--rules', 'classic'], {}, '"rules":"classic"'],
    [['--vote-after', '2'], {}, '"vote_after":2'],
  ])('%j', async (flags, result, kept) => {
    const cwd = aFolder({ 'a.yaml': `${SCENARIO}fault_rate: 0.1\noptions: { rules: house }\n` });
    const { exit, out } = await warmGlassbox(
      ['run', 'a.yaml', '--seed', '7', '--json', '-q', '--out', 'a.jsonl', ...flags],
      { cwd },
    );
    expect(exit).toBe(0);
    expect(jsonLines(out)[0]).toMatchObject(result);
    const [header] = rowsOf(readFileSync(join(cwd, 'a.jsonl'), 'utf8'));
    expect(header).toContain(kept);
  });
});
