/** Recorded meetings, complete or damaged: printing, comparing and exporting them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import { ENGINE } from '../../machines/versions.ts';
import { forged, rowOf, rowsOf, textOf } from '../actors/engine/journal/records.ts';
import { testLong } from '../support/seeds.ts';
import { SCENARIO } from './scenario.ts';
import { warmGlassbox } from './session.ts';
import { aFolder, failureLine, glassbox, jsonLines, sh } from './shell.ts';

const FOLDER = aFolder({ 'a.yaml': SCENARIO });
const meeting = await warmGlassbox(
  ['run', 'a.yaml', '--seed', '7', '--lens', 'glass', '--out', 'a.jsonl'],
  { cwd: FOLDER },
);
const JOURNAL = readFileSync(join(FOLDER, 'a.jsonl'), 'utf8');
const ROWS = rowsOf(JOURNAL);
/** A tick in the middle, by its place in the file from 0. */
const TICK = ROWS.findIndex((row) => row.includes('"tick":3,'));

function run(command: string, text: string | Buffer, ...more: readonly string[]) {
  const cwd = aFolder({ 'x.jsonl': text });
  return warmGlassbox([command, 'x.jsonl', ...more], { cwd });
}

describe.concurrent('an intact journal', () => {
  test('shows the meeting as it was played', async () => {
    const { exit, out, err } = await run('watch', JOURNAL);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(`${out}${meeting.out.split('\n').at(-2)}\n`).toBe(meeting.out);
  });

  testLong('is the same to the byte when it is played again, from standard input too', async () => {
    const { exit, out, err } = await glassbox(['verify', '-'], { input: JOURNAL });
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const [replayed, judged, ...more] = out.split('\n');
    expect(replayed).toBe(
      `the same: standard input was played again, and all ${ROWS.length} lines are identical to the byte`,
    );
    expect(judged).toMatch(/^✓ standard input: \d+ steps, \d+ properties hold, \d+ did not apply$/);
    expect(more).toEqual(['']);
  });

  testLong('is the same for a program', async () => {
    const { out } = await run('verify', JOURNAL, '--json');
    const replay = { type: 'same', lines: ROWS.length, unfinished: false };
    const judged = { isWhole: true, isFinished: true };
    expect(jsonLines(out)).toMatchObject([
      { type: 'verify.journal', v: 1, journal: 'x.jsonl', replay, judged },
    ]);
  });

  test('is shown through a lens, line by line', async () => {
    const { exit, out } = await run('watch', JOURNAL, '--json', '--lens', 'player:green');
    expect(exit).toBe(0);
    const lines = jsonLines(out);
    expect(lines.length).toBeLessThanOrEqual(ROWS.length);
    expect(lines[0]).toMatchObject({ type: 'match.opened' });
    expect(out).not.toContain('"role":"impostor"');
    expect(out).not.toContain('"hash"');
  });

  test('does not know who was not seated', async () => {
    const { exit, err } = await run('watch', JOURNAL, '--lens', 'player:coral');
    expect(exit).toBe(2);
    expect(err).toMatch(
      failureLine('lens/not-seated: --lens player:coral: coral has no seat (seated: red,'),
    );
  });

  test('has a transcript in the format of the design, to the letter', async () => {
    const { exit, out, err } = await run('transcript', JOURNAL);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const { transcript, ...rest } = JSON.parse(out);
    expect(rest).toEqual({});
    expect(transcript.length).toBeGreaterThan(3);
    for (const entry of transcript) {
      expect(Object.keys(entry)).toEqual(
        entry.target === undefined
          ? ['speaker', 'message', 't']
          : ['speaker', 'target', 'message', 't'],
      );
    }
    const said = readJournal(JOURNAL).lines.flatMap((line) =>
      line.type === 'tick.closed' && line.said !== null ? [line.said.message] : [],
    );
    const spoken = transcript.filter(({ speaker }: { speaker: string }) => speaker !== 'System');
    expect(spoken.map(({ message }: { message: string }) => message)).toEqual(said);
  });

  test('a journal that ends in mid-meeting is shown up to its end, with a note', async () => {
    const beginning = textOf(ROWS.slice(0, TICK));
    const watched = await run('watch', beginning, '--lens', 'table');
    expect(watched).toMatchObject({ exit: 0, err: 'The journal ends in mid-meeting: x.jsonl\n' });
    const replayed = await run('verify', beginning);
    expect(replayed.exit).toBe(0);
    expect(replayed.out).toContain(`all ${TICK} lines are identical to the byte, up to where`);
  });
});

describe.concurrent('a journal that was written anew with hashes that fit', () => {
  test.each([
    [
      'a score',
      (row: object) => ({ ...row, scores: [{ seat: 'red', total: 99 }] }),
      /"total\\?":99|scores/,
    ],
    ['who had the floor', (row: object) => ({ ...row, floor: null }), /floor/],
    ['a speech', (row: object) => ({ ...row, said: null }), /said/],
  ])('is found out by the replay, and by nothing else: %s', async (_, edit, words) => {
    const text = forged(JOURNAL, (row, index) => (index === TICK ? { ...row, ...edit(row) } : row));
    expect(readJournal(text).damages).toEqual([]);
    const { exit, out, err } = await run('verify', text);
    expect({ exit, err }).toEqual({ exit: 1, err: '' });
    const [first = '', recorded = '', replayed = ''] = out.split('\n');
    expect(first).toMatch(
      new RegExp(`^different: x\\.jsonl, line ${TICK + 1} \\(living\\), from character \\d+$`),
    );
    expect(recorded).toMatch(/^ recorded "/);
    expect(replayed).toMatch(/^ replayed "/);
    expect(`${recorded}${replayed}`).toMatch(words);
  });

  test('is found out for a program', async () => {
    const text = forged(JOURNAL, (row, index) => (index === TICK ? null : row));
    const { exit, out } = await run('verify', text, '--json');
    expect(exit).toBe(1);
    expect(jsonLines(out)).toMatchObject([
      {
        type: 'verify.journal',
        v: 1,
        replay: { type: 'different', difference: { channel: 'living' } },
      },
    ]);
  });

  test.each([
    ['the same version', ENGINE, `This version (${ENGINE}) says that it played it`],
    ['another version', '0.0.9+rules1', `It was played by 0.0.9+rules1, and this is ${ENGINE}`],
    ['a version that does not say', undefined, 'It does not say which version played it'],
    ['rubbish', '\u001b[31m evil', 'It does not say which version played it'],
  ])('is told with the version that the journal names: %s', async (_, engine, words) => {
    const text = forged(JOURNAL, (row, index) => {
      if (index === 0) return { ...row, clock: { engine } };
      return index === TICK ? { ...row, said: null } : row;
    });
    expect((await run('verify', text)).out).toContain(words);
  });

  test('with a match that can’t be played is refused', async () => {
    const text = forged(JOURNAL, (row) => {
      const { match } = row;
      return match instanceof Object ? { ...row, match: { ...match, seats: [] } } : row;
    });
    const { exit, err } = await run('verify', text);
    expect(exit).toBe(65);
    expect(err).toMatch(
      failureLine('journal/unplayable: x.jsonl cannot be played: expected 4 to 15'),
    );
  });
});

const cut = JOURNAL.slice(0, textOf(ROWS.slice(0, TICK)).length + 40);
const edited = textOf(ROWS.with(TICK, ROWS[TICK]?.replace('"tick":3', '"tick":4') ?? ''));
const missing = textOf(ROWS.toSpliced(TICK, 1));

describe.concurrent('a damaged journal', () => {
  const LINE = TICK + 1;
  const EDITED = `glassbox: x.jsonl, line ${LINE}: this line does not fit its hash: it was edited after it was written [journal/edited]\n`;
  const TORN = `glassbox: x.jsonl, line ${LINE}: this line breaks off after 40 characters; the ${TICK} intact lines before it are kept [journal/torn]\n`;

  test('that was edited shows all other lines, and says which one is gone', async () => {
    const [watched, told, transcript, replayed] = await Promise.all([
      run('watch', edited, '--json'),
      run('watch', edited),
      run('transcript', edited),
      run('verify', edited, '--json'),
    ]);
    for (const { exit, err } of [watched, told, transcript, replayed]) {
      expect({ exit, err }).toEqual({ exit: 65, err: EDITED });
    }
    const lines = jsonLines(watched.out);
    expect(lines.slice(0, -1)).toEqual(readJournal(edited).lines.map(throughGlass));
    expect(lines.length - 1).toBe(ROWS.length - 1);
    const problems = [{ code: 'journal/edited', text: expect.stringContaining(`line ${LINE}`) }];
    expect(lines.at(-1)).toEqual({ type: 'error', v: 1, exit: 65, problems });
    expect(told.out).toContain('The meeting is over');
    expect(JSON.parse(transcript.out).transcript).not.toContainEqual(
      expect.objectContaining({ t: 3, speaker: rowOf(ROWS[TICK] ?? '')['floor'] }),
    );
    // Nothing is replayed: a gap in the record would appear as a difference that nobody caused.
    expect(jsonLines(replayed.out)).toMatchObject([{ type: 'error', exit: 65 }]);
  });

  test('that is torn shows all whole lines, and is played up to there', async () => {
    const [watched, transcript, replayed] = await Promise.all([
      run('watch', cut),
      run('transcript', cut),
      run('verify', cut),
    ]);
    for (const { exit, err } of [watched, transcript, replayed]) {
      expect({ exit, err }).toEqual({ exit: 65, err: TORN });
    }
    expect(watched.out).toContain('── Discussion');
    expect(JSON.parse(transcript.out).transcript.length).toBeGreaterThan(0);
    expect(replayed.out).toContain(`all ${TICK} lines are identical to the byte, up to where`);
  });

  const [header = ''] = ROWS;
  test.each<[string, string | Buffer, string, string]>([
    ['with a missing line', missing, 'journal/gap', ': this line is number'],
    ['that is empty', '', 'journal/empty', 'x.jsonl: expected a journal, found an empty file'],
    [
      'of the future',
      `${header.replace('"format":1', '"format":9')}\n`,
      'journal/version',
      'use the version that wrote it',
    ],
    [
      'of bytes',
      Buffer.from([0, 1, 2, 0xff, 0xfe, 10, 200]),
      'journal/not-a-journal',
      'line 1: expected',
    ],
    [
      'that is JSON of another kind',
      '{"hello":1}\n',
      'journal/not-a-journal',
      'found "{\\"hello\\":1}"',
    ],
    [
      'that is half a header',
      header.slice(0, 99),
      'journal/torn',
      'breaks off after 99 characters',
    ],
  ])('%s', async (_, text, code, words) => {
    const { exit, out, err } = await run('verify', text, '--json');
    expect(exit).toBe(65);
    expect(err).toMatch(failureLine(`${code}: x.jsonl`));
    expect(err).toContain(words);
    expect(jsonLines(out)).toMatchObject([{ type: 'error', v: 1, exit: 65, problems: [{ code }] }]);
  });
});

describe.concurrent('pictures', () => {
  test.each([
    ['mermaid', /^stateDiagram-v2\n/],
    ['svg', /^<svg [\s\S]*<\/svg>\n$/],
    ['json', /^\{\n/],
  ])('of a statechart come as %s', async (format, look) => {
    const { exit, out, err } = await warmGlassbox([
      'chart',
      '--machine',
      'player',
      '--format',
      format,
    ]);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(look);
    if (format === 'json') expect(JSON.parse(out)).toBeInstanceOf(Object);
  });

  test('charts are printed as JSON with the drawing or its file', async () => {
    const cwd = aFolder();
    const words = ['chart', '--map', '--json'];
    const [drawn] = jsonLines((await warmGlassbox(words, { cwd })).out);
    const plain = await warmGlassbox(['chart', '--map'], { cwd });
    expect(drawn).toMatchObject({ type: 'chart', v: 1, machine: null, map: true, format: 'svg' });
    expect(drawn?.['text']).toBe(plain.out);
    const [written] = jsonLines((await warmGlassbox([...words, '--out', 'm.svg'], { cwd })).out);
    expect(written).toEqual({
      ...{ type: 'chart', v: 1, machine: null, map: true, format: 'svg', file: 'm.svg' },
      bytes: drawn?.['bytes'],
    });
    expect(readFileSync(join(cwd, 'm.svg'), 'utf8')).toBe(plain.out);
  });

  testLong('go to a file, and the schema is JSON', async () => {
    const cwd = aFolder();
    const line = '$GLASSBOX chart --format svg --out c.svg && $GLASSBOX schema && cat c.svg >&2';
    const { exit, out, err } = await sh(line, cwd);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('then.required', ['name', 'call', 'seats']);
    expect(err).toContain('</svg>');
  });
});
