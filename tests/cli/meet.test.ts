/** `glassbox run` of a meeting: the same seed gives the same journal, and programs can read the output. */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import { rowOf, rowsOf } from '../actors/engine/journal/records.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { contents, expectQuiet, glassbox, jsonLines } from './shell.ts';

const FILES = { 'a.yaml': SCENARIO };

/** A journal without the fields of the wall clock. */
const timeless = (text: string): readonly string[] =>
  rowsOf(text).map((row) => JSON.stringify({ ...rowOf(row), clock: undefined }));

describe.concurrent('a meeting', () => {
  test('a meeting is printed for people, and its journal goes to a new folder', async () => {
    const { cwd, run } = aPlace(FILES);
    const { exit, out, err } = await run('run a.yaml --seed 7');
    expect(exit).toBe(0);
    expect(out).toContain('RD Red reports the body of PK Pink in Electrical');
    const journal = 'journals/the-body-in-electrical-7.jsonl';
    expect(out).toMatch(new RegExp(`^\\w+( \\w+)? after \\d+ ticks, seed 7: ${journal}\\n$`, 'm'));
    for (const words of ['Journal:      ', 'view ', 'why ']) expect(err).toContain(words + journal);
    expect(contents(cwd)).toEqual(['a.yaml', 'journals', journal]);
  });

  test('without a match is the demonstration, with a seed of its own', async () => {
    const out = await aPlace().done('run electrical --quiet');
    const [, seed] = /seed (\d+): journals\/.*-\d+\.jsonl\n$/.exec(out) ?? [];
    expect(Number(seed)).toBeLessThan(1_000_000);
    expect(out.split('\n').length).toBe(2);
  });

  test('with the same seed is the same to the byte, at any pace; with another it is another', async () => {
    const { done, read } = aPlace(FILES);
    await done('run a.yaml --seed 7 --out one.jsonl -q');
    await done('run a.yaml --seed 7 --out two.jsonl -q --speed 100');
    await done('run a.yaml --seed 8 --out other.jsonl -q');
    const [one, two] = [read('one.jsonl'), read('two.jsonl')];
    expect(timeless(one)).toEqual(timeless(two));
    expect(timeless(one)).not.toEqual(timeless(read('other.jsonl')));
    expect(two).toContain('"clock":{"ms":');
  });

  test('goes beside the first one when the seed comes again', async () => {
    const { path, done } = aPlace(FILES);
    const meet = () => done('run a.yaml --seed 7 -q');
    await Promise.all([meet(), meet()]);
    expect(contents(path('journals'))).toEqual([
      'the-body-in-electrical-7-2.jsonl',
      'the-body-in-electrical-7.jsonl',
    ]);
  });

  test('is read from standard input, and named in the letters of a file', async () => {
    const { cwd } = aPlace();
    const input = SCENARIO.replace('The body in Electrical', '«Crème» / ..\\ brûlée…');
    const { exit, out } = await glassbox('run - --seed 1 -q', { cwd, input });
    expect(exit).toBe(0);
    expect(out).toContain(': journals/creme-brulee-1.jsonl\n');
  });
});

describe.concurrent('--json', () => {
  const meet = 'run a.yaml --seed 7 --json --out a.jsonl';

  test('a meeting with --json prints only JSON, and the result last', async () => {
    const { run, read } = aPlace(FILES);
    const lines = jsonLines(expectQuiet(await run(meet)));
    expect(lines[0]).toMatchObject({ type: 'match.opened', seed: 7 });
    expect(lines.at(-1)).toEqual({
      ...{ type: 'meeting.result', v: 1, unheard: [], seed: 7, journal: 'a.jsonl' },
      outcome: expect.stringMatching(/^(?:ejected|tie|skipped|empty)$/),
      ejected: lines.findLast(({ type }) => type === 'meeting.closed')?.['ejected'],
      ticks: expect.any(Number),
    });
    const journal = readJournal(read('a.jsonl'));
    expect(journal.damages).toEqual([]);
    expect(lines.slice(0, -1)).toEqual(journal.lines.map(throughGlass));
  });

  test('shows no more than the lens does', async () => {
    const out = await aPlace(FILES).done(`${meet} --lens table`);
    expect(out).not.toContain('internal_thought');
    expect(out).not.toContain('impostor');
    expect(jsonLines(out).at(-1)).toMatchObject({ type: 'meeting.result' });
  });

  test('and --quiet print the result alone', async () => {
    const out = await aPlace(FILES).done(`${meet} -q`);
    expect(jsonLines(out)).toMatchObject([{ type: 'meeting.result' }]);
  });

  test.each([
    ['--max-ticks 1', { outcome: 'unconverged', ejected: null, ticks: 1 }, '"max_ticks":1'],
    ['--fault-rate 1', {}, '"fault_rate":1,'],
    ['--rules classic', {}, '"rules":"classic"'],
    ['--vote-after 2', {}, '"vote_after":2'],
  ])('%s wins over the file', async (flags, result, kept) => {
    const text = `${SCENARIO}fault_rate: 0.1\noptions: { rules: house }\n`;
    const { done, read } = aPlace({ 'a.yaml': text });
    expect(jsonLines(await done(`${meet} -q ${flags}`))[0]).toMatchObject(result);
    expect(rowsOf(read('a.jsonl'))[0]).toContain(kept);
  });
});
