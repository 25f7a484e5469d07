/** `glassbox why`: its output, the stored result, resuming, and errors. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { whyResultSchema } from '../../analysis/why/result.ts';
import { testLong } from '../support/seeds.ts';
import { warmGlassbox } from './session.ts';
import { aFolder } from './shell.ts';

const cwd = aFolder();
const play = ['run', 'electrical', '--seed', '4', '--out', 'a.jsonl', '--lens', 'table'];
const played = warmGlassbox(play, { cwd });

async function why(...args: readonly string[]) {
  await played;
  return warmGlassbox(['why', ...args], { cwd });
}

const STAKES = ['run/0001.jsonl', '--stakes', '--continuations', '2', '--what', 'kills'];

/** Weighs the stakes of a game once, because tests may be skipped or reordered. */
const weigh = once(async () => {
  await warmGlassbox('run --players 4 --seed 3 --out run -q', { cwd });
  return why(...STAKES);
});

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let working: Promise<T> | undefined;
  return () => {
    working ??= work();
    return working;
  };
}

function readKept(file = 'a.why.json') {
  return whyResultSchema.parse(JSON.parse(readFileSync(join(cwd, file), 'utf8')));
}

testLong(
  'the answers are ranked, kept beside the journal, and not asked a second time',
  async () => {
    const first = await why('a.jsonl', '--what', 'messages');
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
    writeFileSync(join(cwd, 'a.why.json'), JSON.stringify(marked));
    const second = await why('a.jsonl', '--what', 'messages,ballots', '--all');
    expect(second.exit).toBe(0);
    const more = readKept();
    expect(more.answers.filter(({ what }) => what === 'messages')).toHaveLength(asked);
    expect(more.answers.some(({ what }) => what === 'ballots')).toBe(true);
    expect(more.answers.find(({ id }) => id === one.id)?.words).toBe('a mark');
    expect(more.answers.filter(({ words }) => words !== 'a mark')).toEqual(
      expect.arrayContaining(rest),
    );
  },
);

test('--json prints the kept result, and --out keeps it elsewhere', async () => {
  const args = [
    'a.jsonl',
    '--what',
    'ballots',
    '--until',
    'meeting',
    '--strict',
    '--out',
    'b.json',
  ];
  const { exit, out } = await why(...args, '--json');
  expect(exit).toBe(0);
  expect(out).toBe(readFileSync(join(cwd, 'b.json'), 'utf8'));
  const { answers, check } = readKept('b.json');
  expect(answers.every(({ until }) => until === 'meeting')).toBe(true);
  expect(check?.forks).toBe(new Set(answers.map(({ line }) => line)).size + 2);
});

test('--shapley shares the credit of a meeting, again where it is to be surer', async () => {
  const args = [
    'a.jsonl',
    '--what',
    'messages',
    '--shapley',
    '--until',
    'meeting',
    '--out',
    'd.json',
  ];
  const few = await why(...args, '--orders', '2');
  expect([few.exit, few.err]).toEqual([0, '\nKept in d.json\n']);
  expect(few.out).toMatch(/^Shapley values of \d+ messages of meeting 1, for: \w+ is ejected$/m);
  expect(few.out).toMatch(/^2 orders drawn by seed 1, \d+ sets played; ± is a standard error/m);
  expect(await why(...args, '--orders', '2')).toEqual(few);
  const more = await why(...args, '--orders', '3');
  expect(more.out).toContain('3 orders drawn');
  const [credit, ...others] = readKept('d.json').credits;
  expect([credit?.orders, others]).toEqual([3, []]);
});

test('the schema of the file is printed, and has every key of it', async () => {
  await why('a.jsonl', '--what', 'ballots', '--until', 'meeting', '--out', 'c.json');
  const { exit, out } = await warmGlassbox('schema why', { cwd });
  expect(exit).toBe(0);
  expect(Object.keys(JSON.parse(out).properties)).toEqual(Object.keys(readKept('c.json')));
});

test.each([
  [['a.jsonl', '--what', 'lies'], 2, 'usage/invalid-argument', 'expected some of messages'],
  [
    ['a.jsonl', '--what', 'messages', '--by', 'truth'],
    2,
    'why/idle-replacement',
    '--by truth is for claims',
  ],
  [['a.jsonl', '--player', 'lime'], 2, 'why/no-such-player', 'has no player lime'],
  [['a.jsonl', '--meeting', '3'], 2, 'why/no-such-meeting', 'has 1 meeting, found 3'],
  [['a.jsonl', '--what', 'claims', '--shapley'], 2, 'why/not-shared', 'found claims'],
  [['a.jsonl', '--stakes'], 2, 'why/not-weighed', 'a meeting on its own'],
  [['a.jsonl', '--samples', '2'], 2, 'why/idle-samples', 'answer alike each time'],
  [['gone.jsonl'], 66, 'input/cannot-read', 'expected a journal'],
])('%j is refused', async (args, status, code, words) => {
  const { exit, err, out } = await why(...args);
  expect([exit, out]).toEqual([status, '']);
  expect(err).toContain(words);
  expect(err).toContain(`[${code}]`);
});

test('a file that holds something else is refused and left as it is', async () => {
  writeFileSync(join(cwd, 'mine.json'), '{"my": "thesis"}');
  const { exit, err } = await why('a.jsonl', '--out', 'mine.json');
  expect(exit).toBe(65);
  expect(err).toContain('[why/not-a-result]');
  expect(readFileSync(join(cwd, 'mine.json'), 'utf8')).toBe('{"my": "thesis"}');
});

test('the result of another journal is refused', async () => {
  await warmGlassbox('run electrical --seed 5 --out other.jsonl --lens table', { cwd });
  await why('other.jsonl', '--what', 'ballots', '--until', 'meeting');
  const { exit, err } = await why('a.jsonl', '--out', 'other.why.json');
  expect(exit).toBe(65);
  expect(err).toContain('[why/other-journal]');
});

test('a journal that is torn, not over, or played by others is refused, and nothing is written', async () => {
  await played;
  const rows = readFileSync(join(cwd, 'a.jsonl'), 'utf8').split('\n');
  writeFileSync(join(cwd, 'torn.jsonl'), rows.join('\n').slice(0, -40));
  writeFileSync(join(cwd, 'open.jsonl'), `${rows.slice(0, 20).join('\n')}\n`);
  const torn = await why('torn.jsonl');
  expect([torn.exit, torn.err]).toEqual([65, expect.stringContaining('[journal/')]);
  const open = await why('open.jsonl');
  expect([open.exit, open.err]).toEqual([2, expect.stringContaining('[why/unfinished]')]);
  expect(existsSync(join(cwd, 'torn.why.json')) || existsSync(join(cwd, 'open.why.json'))).toBe(
    false,
  );
});

testLong('--stakes draws the chance of the crew along a game, and keeps it', async () => {
  const { exit, out, err } = await weigh();
  expect(exit, err).toBe(0);
  expect(out).toMatch(/^chance of the crew at \d+ moments, from 2 continuations each/m);
  expect(out).toMatch(/^[▁▂▃▄▅▆▇█]+$/m);
  const { stakes } = readKept('run/0001.why.json');
  expect(stakes).toHaveLength(1);
  expect(await why(...STAKES)).toMatchObject({ exit: 0, out });
});

test('each journal of a folder gets a line, and refused ones are named at the end', async () => {
  await played;
  const text = readFileSync(join(cwd, 'a.jsonl'), 'utf8');
  const torn = text.slice(0, text.length / 2);
  const study = aFolder({ '1.jsonl': text, '2.jsonl': torn, '3.jsonl': text });
  const ask = (...more: readonly string[]) =>
    warmGlassbox(['why', '.', '--what', 'ballots', '--until', 'meeting', ...more], { cwd: study });
  const asked = await ask();
  expect(asked.exit).toBe(65);
  const rows = asked.out.trimEnd().split('\n');
  expect(rows.map((row) => row.slice(0, row.indexOf(' ')))).toEqual(['./1.jsonl:', './3.jsonl:']);
  expect(rows[0]).toMatch(/: \d+ of \d+ questions change something, \d+ the ejection(; most|$)/);
  expect(rows[1]?.slice('./3.jsonl'.length)).toBe(rows[0]?.slice('./1.jsonl'.length));
  expect(asked.err).toContain('Of 3 journals, 1 journal can’t be asked about'.replace('’', "'"));
  expect(asked.err).toMatch(/2\.jsonl.*journal\/torn/);
  expect([1, 2, 3].map((name) => existsSync(join(study, `${name}.why.json`)))).toEqual([
    true,
    false,
    true,
  ]);
  for (const own of [['--out', 'x.json'], ['--samples', '2'], ['--shapley'], ['--meeting', '1']]) {
    const refused = await ask(...own);
    expect([refused.exit, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain('[why/one-journal]');
    expect(refused.err).toContain(own[0]);
  }
});

test('export puts the findings into the page, without words for other lenses, and omits those of another journal', async () => {
  const notesIn = (file: string): unknown => {
    const html = readFileSync(join(cwd, file), 'utf8');
    const packed = / id="why">([^<]*)</.exec(html)?.[1];
    if (packed === undefined) return null;
    return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString());
  };
  const write = (journal: string, lens: string, file = `${lens}.html`) =>
    warmGlassbox(`export ${journal} -o ${file} --lens ${lens}`, { cwd });
  await weigh();
  for (const lens of ['glass', 'table']) expect((await write('run/0001.jsonl', lens)).exit).toBe(0);
  const { moments, swings } = readKept('run/0001.why.json').stakes[0] ?? {};
  const kept = { continuations: 2, standIns: [], points: { length: moments?.length } };
  expect(notesIn('glass.html')).toMatchObject({ stakes: kept });
  expect(notesIn('table.html')).toMatchObject({ stakes: kept, credits: [] });
  const words = (swings ?? []).flatMap(({ after }) => (after.what === '' ? [] : [after.what]));
  for (const what of words) expect(JSON.stringify(notesIn('table.html'))).not.toContain(what);
  copyFileSync(join(cwd, 'a.jsonl'), join(cwd, 'foreign.jsonl'));
  copyFileSync(join(cwd, 'run/0001.why.json'), join(cwd, 'foreign.why.json'));
  const foreign = await write('foreign.jsonl', 'glass', 'foreign.html');
  expect(foreign).toMatchObject({
    exit: 0,
    err: expect.stringMatching(
      /^foreign\.why\.json is left out: .+ that of another one .+\[why\/other-journal\]\n$/,
    ),
  });
  expect(notesIn('foreign.html')).toBeNull();
  writeFileSync(
    join(cwd, 'foreign.why.json'),
    JSON.stringify({ ...readKept('run/0001.why.json'), v: 1 }),
  );
  const early = await write('foreign.jsonl', 'glass', 'early.html');
  expect(early).toMatchObject({
    exit: 0,
    err: expect.stringMatching(
      /^foreign\.why\.json is left out: .+ version 1 by .+\[why\/other-version\]\n$/,
    ),
  });
});
