/** `glassbox why`: its output, the stored result, resuming, and errors. */
import { existsSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { whyResultSchema } from '../../analysis/why/result.ts';
import { testLong } from '../support/seeds.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet } from './shell.ts';

const { run, done, path, read, write } = aPlace();
await done('run electrical --seed 4 --out a.jsonl -q');
const why = (words: string) => run(`why ${words}`);

const STAKES = 'run/0001.jsonl --stakes --continuations 2 --what kills';

/** Weighs the stakes of a game once, because tests may be skipped or reordered. */
let weighing: ReturnType<typeof why> | undefined;
function weigh(): ReturnType<typeof why> {
  weighing ??= done('run --players 4 --seed 3 --out run -q').then(() => why(STAKES));
  return weighing;
}

const readKept = (file = 'a.why.json') => whyResultSchema.parse(JSON.parse(read(file)));

testLong(
  'the answers are ranked, kept beside the journal, and not asked a second time',
  async () => {
    const first = await why('a.jsonl --what messages');
    expect([first.exit, first.err]).toEqual([0, '\nKept in a.why.json\n']);
    expect(first.out).toMatch(
      /^a\.jsonl: .+ ejected\nnull check: 5 forks without a change, each identical /,
    );
    expect(first.out).toMatch(
      /\d+ questions \(messages \d+\); \d+ changes? something; every mind is offline/,
    );
    const kept = readKept();
    const asked = kept.answers.length;
    expect(asked).toBeGreaterThan(5);
    // Stored answers are trusted, so a mark in one stays unless the question is asked again.
    const [one, ...rest] = kept.answers;
    if (one === undefined) return expect.unreachable();
    const marked = { ...kept, answers: [{ ...one, words: 'a mark' }, ...rest.slice(0, 3)] };
    write('a.why.json', JSON.stringify(marked));
    await done('why a.jsonl --what messages,ballots --all');
    const more = readKept();
    expect(more.answers.filter(({ what }) => what === 'messages')).toHaveLength(asked);
    expect(more.answers.some(({ what }) => what === 'ballots')).toBe(true);
    expect(more.answers.find(({ id }) => id === one.id)?.words).toBe('a mark');
    const others = more.answers.filter(({ words }) => words !== 'a mark');
    expect(others).toEqual(expect.arrayContaining(rest));
  },
);

test('--json prints the kept result, and --out keeps it elsewhere', async () => {
  const out = await done('why a.jsonl --what ballots --until meeting --strict --out b.json --json');
  expect(out).toBe(read('b.json'));
  const { answers, check } = readKept('b.json');
  expect(answers.every(({ until }) => until === 'meeting')).toBe(true);
  expect(check?.forks).toBe(new Set(answers.map(({ line }) => line)).size + 2);
  // The schema has every key of the file.
  const schema = JSON.parse(await done('schema why'));
  expect(Object.keys(schema.properties)).toEqual(Object.keys(readKept('b.json')));
});

test('--shapley shares the credit of a meeting, again where it is to be surer', async () => {
  const shared = 'a.jsonl --what messages --shapley --until meeting --out d.json --orders';
  const few = await why(`${shared} 2`);
  expect([few.exit, few.err]).toEqual([0, '\nKept in d.json\n']);
  expect(few.out).toMatch(/^Shapley values of \d+ messages of meeting 1, for: \w+ is ejected$/m);
  expect(few.out).toMatch(/^2 orders drawn by seed 1, \d+ sets played; ± is a standard error/m);
  const meetings = few.out.match(/(?<=in meeting )\d+(?=, tick)/g) ?? [];
  expect(new Set(meetings)).toEqual(new Set(['1']));
  expect(await why(`${shared} 2`)).toEqual(few);
  expect((await why(`${shared} 3`)).out).toContain('3 orders drawn');
  const [credit, ...others] = readKept('d.json').credits;
  expect([credit?.orders, others]).toEqual([3, []]);
});

test.each([
  ['a.jsonl --what lies', 2, 'usage/invalid-argument', 'expected some of messages'],
  ['a.jsonl --what messages --by truth', 2, 'why/idle-replacement', '--by truth is for claims'],
  ['a.jsonl --player lime', 2, 'why/no-such-player', 'has no player lime'],
  ['a.jsonl --meeting 3', 2, 'why/no-such-meeting', 'has 1 meeting, found 3'],
  ['a.jsonl --what claims --shapley', 2, 'why/not-shared', 'found claims'],
  ['a.jsonl --stakes', 2, 'why/not-weighed', 'a meeting on its own'],
  ['a.jsonl --samples 2', 2, 'why/idle-samples', 'answer alike each time'],
  ['gone.jsonl', 66, 'input/cannot-read', 'expected a journal'],
])('%s is refused', async (words, status, code, sentence) => {
  const found = await why(words);
  expectEnd(found, status, sentence, `[${code}]`);
  expect(found.out).toBe('');
});

test('a file that holds something else is refused and left as it is', async () => {
  const thesis = '{"my": "thesis"}';
  write('mine.json', thesis);
  expectEnd(await why('a.jsonl --out mine.json'), 65, '[why/not-a-result]');
  expect(read('mine.json')).toBe(thesis);
});

test('the result of another journal is refused', async () => {
  await done('run electrical --seed 5 --out other.jsonl -q');
  await done('why other.jsonl --what ballots --until meeting');
  expectEnd(await why('a.jsonl --out other.why.json'), 65, '[why/other-journal]');
});

test('a journal that is torn, not over, or played by others is refused, and nothing is written', async () => {
  const text = read('a.jsonl');
  write('torn.jsonl', text.slice(0, -40));
  write('open.jsonl', `${text.split('\n').slice(0, 20).join('\n')}\n`);
  expectEnd(await why('torn.jsonl'), 65, '[journal/');
  expectEnd(await why('open.jsonl'), 2, '[why/unfinished]');
  for (const name of ['torn', 'open']) expect(existsSync(path(`${name}.why.json`))).toBe(false);
});

testLong('--stakes draws the chance of the crew along a game, and keeps it', async () => {
  const { exit, out, err } = await weigh();
  expect(exit, err).toBe(0);
  expect(out).toMatch(/^chance of the crew at \d+ moments, from 2 continuations each/m);
  expect(out).toMatch(/^[▁▂▃▄▅▆▇█]+$/m);
  expect(readKept('run/0001.why.json').stakes).toHaveLength(1);
  expect(await why(STAKES)).toMatchObject({ exit: 0, out });
});

test('each journal of a folder gets a line, and refused ones are named at the end', async () => {
  const text = read('a.jsonl');
  const torn = text.slice(0, text.length / 2);
  const study = aPlace({ '1.jsonl': text, '2.jsonl': torn, '3.jsonl': text });
  const ask = (more = '') => study.run(`why . --what ballots --until meeting${more}`);
  const asked = await ask();
  expectEnd(asked, 65, "Of 3 journals, 1 journal can't be asked about", /2\.jsonl.*journal\/torn/);
  const rows = asked.out.trimEnd().split('\n');
  expect(rows.map((row) => row.slice(0, row.indexOf(' ')))).toEqual(['./1.jsonl:', './3.jsonl:']);
  expect(rows[0]).toMatch(/: \d+ of \d+ questions change something, \d+ the ejection(; most|$)/);
  expect(rows[1]?.slice('./3.jsonl'.length)).toBe(rows[0]?.slice('./1.jsonl'.length));
  const kept = [1, 2, 3].map((name) => existsSync(study.path(`${name}.why.json`)));
  expect(kept).toEqual([true, false, true]);
  for (const own of ['--out x.json', '--samples 2', '--shapley', '--meeting 1']) {
    const refused = await ask(` ${own}`);
    expectEnd(refused, 2, '[why/one-journal]', own.replace(/ .*/, ''));
    expect(refused.out).toBe('');
  }
});

test('export puts the findings into the page, without words for other lenses, and omits those of another journal', async () => {
  const notesIn = (file: string): unknown => {
    const packed = / id="why">([^<]*)</.exec(read(file))?.[1];
    if (packed === undefined) return null;
    return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString());
  };
  const exported = (journal: string, lens: string) =>
    run(`export ${journal} -o ${lens}.html --lens ${lens}`);
  await weigh();
  for (const lens of ['glass', 'table']) expectQuiet(await exported('run/0001.jsonl', lens));
  const { moments, swings } = readKept('run/0001.why.json').stakes[0] ?? {};
  const kept = { continuations: 2, standIns: [], points: { length: moments?.length } };
  expect(notesIn('glass.html')).toMatchObject({ stakes: kept });
  expect(notesIn('table.html')).toMatchObject({ stakes: kept, credits: [] });
  const words = (swings ?? []).flatMap(({ after }) => (after.what === '' ? [] : [after.what]));
  for (const what of words) expect(JSON.stringify(notesIn('table.html'))).not.toContain(what);
  write('foreign.jsonl', read('a.jsonl'));
  const result = read('run/0001.why.json');
  for (const [text, reason] of [
    [result, 'that of another one .+\\[why/other-journal\\]'],
    [JSON.stringify({ ...JSON.parse(result), v: 1 }), 'version 1 by .+\\[why/other-version\\]'],
  ] as const) {
    write('foreign.why.json', text);
    const foreign = await exported('foreign.jsonl', 'glass');
    expectEnd(foreign, 0, new RegExp(`^foreign\\.why\\.json is left out: .+ ${reason}\\n$`));
    expect(notesIn('glass.html')).toBeNull();
  }
});
