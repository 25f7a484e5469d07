/** `glassbox export` and `view`: the page and the card of a journal, whole, growing, broken off or too long. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lineSchema } from '../../machines/journal/lines.ts';
import { seeWithMoves } from '../../visualizer/charts/machineRun.ts';
import { describeLong, testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace, type Place } from './session.ts';
import {
  contents,
  expectEnd,
  expectQuiet,
  glassbox,
  jsonLines,
  Running,
  unpacked,
} from './shell.ts';

const HOME = aPlace({ 'a.yaml': SCENARIO });
await HOME.done('run a.yaml --seed 7 --out a.jsonl -q');
const JOURNAL = HOME.read('a.jsonl');
const ROWS = JOURNAL.split(/(?<=\n)/);

/** The lines as parsed, with every default filled in. */
const LINES = seeWithMoves(
  jsonLines(JOURNAL).map((row) => lineSchema.parse(row)),
  { type: 'glass' },
);
/** Longer than a browser can hold. */
const LONG = JOURNAL.repeat(Math.ceil((100 * 1024 * 1024) / JOURNAL.length));

const inPage = (page: string) => jsonLines(`${unpacked(page)}\n`);

/** Visits the page that is served, and ends it. */
async function served<T>(
  line: string,
  place: Place,
  visit: (url: string, out: string) => Promise<T>,
): Promise<T> {
  const running = new Running(line, place);
  await running.said('Ctrl-C');
  const visited = await visit(/http:[^\s"]+/.exec(running.out)?.[0] ?? '', running.out);
  running.process.kill('SIGINT');
  expect((await running.finished).exit).toBe(0);
  return visited;
}

/** The first lines that a page gets. */
async function linesAt(url: string, count: number): Promise<readonly unknown[]> {
  const { body } = await fetch(`${url}events?lens=glass`);
  let rows: readonly string[] = [];
  let text = '';
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString('utf8');
    rows = [...text.matchAll(/^data: (\{.*\})\n/gm)].map(([, row = '']) => row);
    if (rows.length >= count) break;
  }
  return rows.map((row) => JSON.parse(row));
}

describe('export', () => {
  test('writes one page with all of the journal in it', async () => {
    const { run, read } = aPlace({ 'x.jsonl': JOURNAL });
    expectQuiet(await run('export x.jsonl -o x.html'));
    expect(inPage(read('x.html'))).toEqual(LINES);
    expect(read('x.html')).not.toMatch(/(?:src|href)="(?!data:)/);
  });

  test.each([
    ['--lens table', ['internal_thought', '"impostor"', 'scratch', 'hash'], 'match.opened'],
    ['--no-thoughts', ['internal_thought', 'scratchpad_updates'], '"impostor"'],
  ])('the page omits what %s hides', async (flag, secrets, kept) => {
    const { done, read } = aPlace({ 'x.jsonl': JOURNAL });
    await done(`export x.jsonl -o x.html ${flag}`);
    const page = unpacked(read('x.html'));
    for (const secret of secrets) expect(page).not.toContain(secret);
    expect(page).toContain(kept);
  });

  testLong('without a name writes beside the journal, and never over another file', async () => {
    const { cwd, run, read, write } = aPlace({ 'x.jsonl': JOURNAL, 'y.jsonl': JOURNAL });
    const written = async (words = '') => {
      const [line] = jsonLines(expectQuiet(await run(`export x.jsonl --json${words}`)));
      expect(line).toMatchObject({ type: 'export', v: 1, journal: 'x.jsonl' });
      const file = String(line?.['file']);
      expect(Buffer.byteLength(read(file))).toBe(line?.['bytes']);
      return file;
    };
    expect(await written()).toBe('x.html');
    expect(await written()).toBe('x.html');
    write('x.html', 'mine too');
    expect(await written()).toBe('x-2.html');
    const other = await written(' --lens player:red --no-thoughts');
    expect(other).toBe('x.player-red.no-thoughts.html');
    expect(read('x.html')).toBe('mine too');
    for (const journal of ['x.jsonl', 'y.jsonl']) {
      expectEnd(await run(`export x.jsonl -o ${journal}`), 73, `${journal} is a journal`);
      expect(read(journal)).toBe(JOURNAL);
    }
    const piped = await glassbox('export -', { cwd, input: JOURNAL });
    expectEnd(piped, 2, '[usage/missing-mandatory-option-value]');
    expect(piped.out).toBe('');
  });

  test('writes a card as a picture of the size that was asked for, beside the journal', async () => {
    const { run, path, read, write } = aPlace({ 'x.jsonl': JOURNAL });
    const drawn = async (words: string) => {
      const [told] = jsonLines(expectQuiet(await run(`export x.jsonl --json --card ${words}`)));
      const file = String(told?.['file']);
      const picture = readFileSync(path(file));
      expect(picture.length).toBe(told?.['bytes']);
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      return [file, picture.readUInt32BE(16), picture.readUInt32BE(20)];
    };
    expect(await drawn('wide')).toEqual(['x.card.png', 1200, 630]);
    expect(await drawn('wide')).toEqual(['x.card.png', 1200, 630]);
    expect(await drawn('tall --lens table')).toEqual(['x.table.card-tall.png', 1080, 1920]);
    write('x.card.png', 'mine');
    expect(await drawn('wide')).toEqual(['x-2.card.png', 1200, 630]);
    expect(read('x.card.png')).toBe('mine');
    expect(await drawn('wide -o other.png')).toEqual(['other.png', 1200, 630]);
  });

  test.each([
    ['--format inspect', 2, 'examples/inspect.py'],
    ['--card wide --no-thoughts', 2, 'a card holds no thoughts'],
    ['--card square', 2, 'wide, tall'],
    ['--card wide -o .', 73, 'something other than a file'],
  ])('refuses to export with %s', async (words, status, why) => {
    expectEnd(await aPlace({ 'x.jsonl': JOURNAL }).run(`export x.jsonl ${words}`), status, why);
  });

  const FUTURE = '{"channel":"living","seq":0,"type":"match.opened","format":9}\n';
  test.each([
    ['journal/not-a-journal', 'nonsense\n'],
    ['journal/version', FUTURE],
    ['journal/empty', ''],
    ['expected at most 64 MB', LONG],
  ])('refuses what is "%s" and writes nothing', async (words, text) => {
    const { cwd, run } = aPlace({ 'x.jsonl': text });
    expectEnd(await run('export x.jsonl -o x.html'), 65, words);
    expect(contents(cwd)).toEqual(['x.jsonl']);
  });
});

describe('view', () => {
  test('serves the page and the journal until somebody asks for the end', async () => {
    const line = 'view a.jsonl --lens table --json';
    await served(line, HOME, async (url, out) => {
      const told = { type: 'view', v: 1, url, journal: 'a.jsonl', lens: 'table' };
      expect(jsonLines(out)).toEqual([told]);
      expect(await (await fetch(url)).text()).toContain('<title>The Glass Box League</title>');
      const events = await (await fetch(`${url}events?lens=table`)).text();
      expect(events).toContain('meeting.closed');
      expect(events).not.toContain('internal_thought');
      expect((await fetch(`${url}events?lens=glass`)).status).toBe(403);
    });
  });

  test('follows a journal that is still being written', async () => {
    const place = aPlace({ 'x.jsonl': ROWS.slice(0, 5).join('') });
    const got = await served('view x.jsonl --no-open', place, async (url) => {
      const lines = linesAt(url, LINES.length);
      place.write('x.jsonl', JOURNAL);
      return await lines;
    });
    expect(got).toEqual(LINES);
  });

  test('says in a sentence that a journal is too long for a browser', async () => {
    expectEnd(
      await aPlace({ 'x.jsonl': LONG }).run('view x.jsonl'),
      65,
      'expected at most 64 MB of text',
    );
  });
});

testLong('a meeting goes on air while it is held', async () => {
  const running = new Running('run a.yaml --live --speed 50 -q', aPlace({ 'a.yaml': SCENARIO }));
  await running.said('Live: ');
  const url = /http:\S+/.exec(running.err)?.[0] ?? '';
  const events = await (await fetch(`${url}events?lens=table`)).text().catch(() => '');
  expect(events).toContain('match.opened');
  expect((await running.finished).exit).toBe(0);
});

describe.each([
  ['killed between two lines', 0, 0, 'ends in mid-meeting'],
  ['torn in a line', 40, 65, 'journal/torn'],
])('a journal that was %s', (_, cut, exit, says) => {
  test('is exported and viewed up to its last whole line', async () => {
    const place = aPlace({ 'x.jsonl': ROWS.slice(0, 9).join('') + ROWS[9]?.slice(0, cut) });
    expectEnd(await place.run('export x.jsonl -o x.html'), exit, says);
    expect(inPage(place.read('x.html'))).toHaveLength(9);
    const got = await served('view x.jsonl --no-open', place, (url) => linesAt(url, 9));
    expect(got).toHaveLength(9);
  });
});

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;
const textOf = (name: string) => readFileSync(`${EXAMPLES}${name}`, 'utf8');
/** A league plays as games, and an example with a person needs a terminal: other tests cover them. */
const PLAYED = globSync('*.yaml', { cwd: EXAMPLES })
  .filter((name) => !/league\.schema\.json|mind: human/.test(textOf(name)))
  .toSorted();

describeLong.concurrent('each example can be seen and given away', () => {
  test.each(PLAYED)('%s', async (name) => {
    const place = aPlace();
    const isMeeting = /^call:/m.test(textOf(name));
    const path = isMeeting ? 'x.jsonl' : 'x/0001.jsonl';
    const out = isMeeting ? 'x.jsonl' : 'x';
    expectQuiet(await place.run(`run ${EXAMPLES}${name} --out ${out} --seed 2 -q`));
    const types = jsonLines(place.read(path)).map(({ type }) => type);
    expectQuiet(await place.run(`export ${path} -o x.html`));
    expect(inPage(place.read('x.html')).map(({ type }) => type)).toEqual(types);
    const got = await served(`view ${path} --no-open`, place, (url) => linesAt(url, types.length));
    expect(got.map((line) => Reflect.get(Object(line), 'type'))).toEqual(types);
  });
});
