import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { throughGlass } from '../../machines/journal/lens.ts';
import { lineSchema } from '../../machines/journal/lines.ts';
import { testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, contents, glassbox, jsonLines, Running, unpacked } from './shell.ts';

const FOLDER = aFolder({ 'a.yaml': SCENARIO });
await glassbox('run a.yaml --seed 7 --out a.jsonl -q', { cwd: FOLDER });
const JOURNAL = readFileSync(join(FOLDER, 'a.jsonl'), 'utf8');

/** The lines as parsed, with every default filled in. */
const LINES = JOURNAL.trimEnd()
  .split('\n')
  .map((row) => throughGlass(lineSchema.parse(JSON.parse(row))));

function exported(text: string, ...more: readonly string[]) {
  const cwd = aFolder({ 'x.jsonl': text });
  const page = () => readFileSync(join(cwd, 'x.html'), 'utf8');
  return { cwd, page, done: glassbox(['export', 'x.jsonl', '-o', 'x.html', ...more], { cwd }) };
}

describe('export', () => {
  test('writes one page with all of the journal in it', async () => {
    const { done, page } = exported(JOURNAL);
    const { exit, err } = await done;
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(jsonLines(`${unpacked(page())}\n`)).toEqual(LINES);
    expect(page()).not.toMatch(/(?:src|href)="(?!data:)/);
  });

  test('the page omits lines that the lens hides, and thoughts with --no-thoughts', async () => {
    const table = exported(JOURNAL, '--lens', 'table');
    const bare = exported(JOURNAL, '--no-thoughts');
    await Promise.all([table.done, bare.done]);
    for (const secret of ['internal_thought', '"impostor"', 'scratch', 'hash'])
      expect(unpacked(table.page())).not.toContain(secret);
    for (const secret of ['internal_thought', 'scratchpad_updates'])
      expect(unpacked(bare.page())).not.toContain(secret);
    expect(unpacked(bare.page())).toContain('"impostor"');
  });

  testLong('without a name writes beside the journal, and never over another file', async () => {
    const cwd = aFolder({ 'x.jsonl': JOURNAL, 'y.jsonl': JOURNAL });
    const written = async (...words: readonly string[]) => {
      const { exit, err, out } = await warmGlassbox(['export', ...words, '--json'], { cwd });
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      const [line] = jsonLines(out);
      expect(line).toMatchObject({ type: 'export', v: 1, journal: 'x.jsonl' });
      const file = String(line?.['file']);
      expect(readFileSync(join(cwd, file)).length).toBe(line?.['bytes']);
      return file;
    };
    expect(await written('x.jsonl')).toBe('x.html');
    expect(await written('x.jsonl')).toBe('x.html');
    writeFileSync(join(cwd, 'x.html'), 'mine too');
    expect(await written('x.jsonl')).toBe('x-2.html');
    expect(await written('x.jsonl', '--lens', 'player:red', '--no-thoughts')).toBe(
      'x.player-red.no-thoughts.html',
    );
    expect(readFileSync(join(cwd, 'x.html'), 'utf8')).toBe('mine too');
    for (const journal of ['x.jsonl', 'y.jsonl']) {
      const { exit, err } = await warmGlassbox(`export x.jsonl -o ${journal}`, { cwd });
      expect(exit).toBe(73);
      expect(err).toContain(`${journal} is a journal`);
      expect(readFileSync(join(cwd, journal), 'utf8')).toBe(JOURNAL);
    }
    const piped = await glassbox('export -', { cwd, input: JOURNAL });
    expect(piped).toMatchObject({ exit: 2, out: '' });
    expect(piped.err).toContain('[usage/missing-mandatory-option-value]');
  });

  test('writes a card as a picture of the size that was asked for, beside the journal', async () => {
    const cwd = aFolder({ 'x.jsonl': JOURNAL });
    const drawn = async (...words: readonly string[]) => {
      const line = ['export', 'x.jsonl', '--card', ...words, '--json'];
      const { exit, err, out } = await warmGlassbox(line, { cwd });
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      const [told] = jsonLines(out);
      const file = String(told?.['file']);
      const picture = readFileSync(join(cwd, file));
      expect(picture.length).toBe(told?.['bytes']);
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      return [file, picture.readUInt32BE(16), picture.readUInt32BE(20)];
    };
    expect(await drawn('wide')).toEqual(['x.card.png', 1200, 630]);
    expect(await drawn('wide')).toEqual(['x.card.png', 1200, 630]);
    expect(await drawn('tall', '--lens', 'table')).toEqual(['x.table.card-tall.png', 1080, 1920]);
    writeFileSync(join(cwd, 'x.card.png'), 'mine');
    expect(await drawn('wide')).toEqual(['x-2.card.png', 1200, 630]);
    expect(readFileSync(join(cwd, 'x.card.png'), 'utf8')).toBe('mine');
    expect(await drawn('wide', '-o', 'other.png')).toEqual(['other.png', 1200, 630]);
  });

  test.each([
    [['--format', 'inspect'], 2, 'examples/inspect.py'],
    [['--card', 'wide', '--no-thoughts'], 2, 'a card holds no thoughts'],
    [['--card', 'square'], 2, 'wide, tall'],
    [['--card', 'wide', '-o', '.'], 73, 'something other than a file'],
  ])('refuses to export with %j', async (words, status, why) => {
    const cwd = aFolder({ 'x.jsonl': JOURNAL });
    const { exit, err } = await warmGlassbox(['export', 'x.jsonl', ...words], { cwd });
    expect(exit).toBe(status);
    expect(err).toContain(why);
  });

  test.each([
    { text: 'nonsense\n', code: 'journal/not-a-journal' },
    {
      text: '{"channel":"living","seq":0,"type":"match.opened","format":9}\n',
      code: 'journal/version',
    },
    { text: '', code: 'journal/empty' },
  ])('refuses $code and writes nothing', async ({ text, code }) => {
    const { done, cwd } = exported(text);
    const { exit, err } = await done;
    expect(exit).toBe(65);
    expect(err).toContain(code);
    expect(contents(cwd)).toEqual(['x.jsonl']);
  });
});

describe('view', () => {
  test('serves the page and the journal until somebody asks for the end', async () => {
    const words = ['view', 'a.jsonl', '--lens', 'table', '--json'];
    const running = new Running(words, { cwd: FOLDER });
    await running.said('Ctrl-C');
    const [line] = jsonLines(running.out);
    expect(line).toMatchObject({ type: 'view', v: 1, journal: 'a.jsonl', lens: 'table' });
    const url = String(line?.['url']);
    expect(await (await fetch(url)).text()).toContain('<title>The Glass Box League</title>');
    const events = await (await fetch(`${url}events?lens=table`)).text();
    expect(events).toContain('meeting.closed');
    expect(events).not.toContain('internal_thought');
    expect((await fetch(`${url}events?lens=glass`)).status).toBe(403);
    running.process.kill('SIGINT');
    expect((await running.finished).exit).toBe(0);
  });

  test('follows a journal that is still being written', async () => {
    const rows = JOURNAL.split(/(?<=\n)/);
    const cwd = aFolder({ 'x.jsonl': rows.slice(0, 5).join('') });
    const running = new Running('view x.jsonl --no-open', { cwd });
    await running.said('Ctrl-C');
    const url = /http:\S+/.exec(running.out)?.[0] ?? '';
    const events = fetch(`${url}events?lens=glass`).then((response) => response.text());
    writeFileSync(join(cwd, 'x.jsonl'), JOURNAL);
    const got = [...(await events).matchAll(/^data: (\{.*)$/gm)].map(([, row]) =>
      JSON.parse(row ?? ''),
    );
    expect(got).toEqual(LINES);
    running.process.kill('SIGTERM');
    expect((await running.finished).exit).toBe(0);
  });

  test('says in a sentence that a journal is too long for a browser', async () => {
    const cwd = aFolder({ 'x.jsonl': Buffer.alloc(100 * 1024 * 1024, 'x') });
    const { exit, err } = await glassbox('view x.jsonl', { cwd });
    expect(exit).toBe(65);
    expect(err).toContain('expected at most 64 MB of text');
  });
});

testLong('a meeting goes on air while it is held', async () => {
  const cwd = aFolder({ 'a.yaml': SCENARIO });
  const running = new Running('run a.yaml --live --speed 50 -q', { cwd });
  await running.said('Live: ');
  const url = /http:\S+/.exec(running.err)?.[0] ?? '';
  const events = await (await fetch(`${url}events?lens=table`)).text().catch(() => '');
  expect(events).toContain('match.opened');
  expect((await running.finished).exit).toBe(0);
});
