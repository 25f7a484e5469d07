/** Recorded meetings, complete or damaged: printing, comparing and exporting them. */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import { ENGINE } from '../../machines/versions.ts';
import { forged, type Row, rowOf, rowsOf, textOf } from '../actors/engine/journal/records.ts';
import { testLong } from '../support/seeds.ts';
import { SCENARIO } from './matches.ts';
import { aPlace } from './session.ts';
import { expectEnd, expectQuiet, glassbox, jsonLines, sh } from './shell.ts';

const HOME = aPlace({ 'a.yaml': SCENARIO });
const printed = await HOME.done('run a.yaml --seed 7 --lens glass --out a.jsonl');
const JOURNAL = HOME.read('a.jsonl');
const ROWS = rowsOf(JOURNAL);
/** A tick in the middle, by its place in the file from 0. */
const TICK = ROWS.findIndex((row) => row.includes('"tick":3,'));

const run = (command: string, text: string | Buffer, more = '') =>
  aPlace({ 'x.jsonl': text }).run(`${command} x.jsonl${more}`);
const withTick = (edit: (row: Row) => Row | null) =>
  forged(JOURNAL, (row, index) => (index === TICK ? edit(row) : row));

describe.concurrent('an intact journal', () => {
  test('shows the meeting as it was played', async () => {
    const out = expectQuiet(await run('watch', JOURNAL));
    expect(`${out}${printed.split('\n').at(-2)}\n`).toBe(printed);
  });

  testLong('is the same to the byte when it is played again, from standard input too', async () => {
    const out = expectQuiet(await glassbox('verify -', { input: JOURNAL }));
    const [replayed, judged, ...more] = out.split('\n');
    expect(replayed).toBe(
      `the same: standard input was played again, and all ${ROWS.length} lines are identical to the byte`,
    );
    expect(judged).toMatch(/^✓ standard input: \d+ steps, \d+ properties hold, \d+ did not apply$/);
    expect(more).toEqual(['']);
  });

  testLong('is reported as the same by verify --json', async () => {
    const { out } = await run('verify', JOURNAL, ' --json');
    const replay = { type: 'same', lines: ROWS.length, unfinished: false };
    const judged = { isWhole: true, isFinished: true };
    expect(jsonLines(out)).toMatchObject([
      { type: 'verify.journal', v: 1, journal: 'x.jsonl', replay, judged },
    ]);
  });

  test('is shown through a lens, line by line', async () => {
    const { exit, out } = await run('watch', JOURNAL, ' --json --lens player:green');
    expect(exit).toBe(0);
    const lines = jsonLines(out);
    expect(lines.length).toBeLessThanOrEqual(ROWS.length);
    expect(lines[0]).toMatchObject({ type: 'match.opened' });
    expect(out).not.toContain('"role":"impostor"');
    expect(out).not.toContain('"hash"');
  });

  test('cannot be watched through the lens of a player without a seat', async () => {
    const text = '--lens player:coral: coral has no seat (seated: red,';
    expectEnd(await run('watch', JOURNAL, ' --lens player:coral'), 2, `lens/not-seated: ${text}`);
  });

  test('has a transcript in the format of the design, to the letter', async () => {
    const { transcript, ...rest } = JSON.parse(expectQuiet(await run('transcript', JOURNAL)));
    expect(rest).toEqual({});
    expect(transcript.length).toBeGreaterThan(3);
    for (const entry of transcript) {
      const aim = entry.target === undefined ? [] : ['target'];
      expect(Object.keys(entry)).toEqual(['speaker', ...aim, 'message', 't']);
    }
    const said = readJournal(JOURNAL).lines.flatMap((line) =>
      line.type === 'tick.closed' && line.said !== null ? [line.said.message] : [],
    );
    const spoken = transcript.filter(({ speaker }: { speaker: string }) => speaker !== 'System');
    expect(spoken.map(({ message }: { message: string }) => message)).toEqual(said);
  });

  test('a journal that ends in mid-meeting is shown up to its end, with a note', async () => {
    const beginning = textOf(ROWS.slice(0, TICK));
    const watched = await run('watch', beginning, ' --lens table');
    expect(watched).toMatchObject({ exit: 0, err: 'The journal ends in mid-meeting: x.jsonl\n' });
    const replayed = await run('verify', beginning);
    expect(replayed.exit).toBe(0);
    expect(replayed.out).toContain(`all ${TICK} lines are identical to the byte, up to where`);
  });
});

describe.concurrent('a journal that was written anew with hashes that fit', () => {
  test.each([
    ['a score', { scores: [{ seat: 'red', total: 99 }] }, /"total\\?":99|scores/],
    ['who had the floor', { floor: null, said: null }, /floor/],
    ['a speech', { said: null }, /said/],
  ])('is found out by the replay, and by nothing else: %s', async (_, other, words) => {
    const text = withTick((row) => ({ ...row, ...other }));
    expect(readJournal(text).damages).toEqual([]);
    const { exit, out, err } = await run('verify', text);
    expect({ exit, err }).toEqual({ exit: 1, err: '' });
    const [first = '', recorded = '', replayed = ''] = out.split('\n');
    const place = `line ${TICK + 1} \\(living\\), from character \\d+`;
    expect(first).toMatch(new RegExp(`^different: x\\.jsonl, ${place}$`));
    expect(recorded).toMatch(/^ recorded "/);
    expect(replayed).toMatch(/^ replayed "/);
    expect(`${recorded}${replayed}`).toMatch(words);
    expect(out).toMatch(/\nOnly the recorded steps were judged: \d+ steps, \d+ properties hold/);
    expect(out).not.toContain('✓');
  });

  test('is reported as different by verify --json', async () => {
    const { exit, out } = await run(
      'verify',
      withTick(() => null),
      ' --json',
    );
    expect(exit).toBe(1);
    const replay = { type: 'different', difference: { channel: 'living' } };
    expect(jsonLines(out)).toMatchObject([{ type: 'verify.journal', v: 1, replay }]);
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
      const call = { by: 'coral' };
      return match instanceof Object ? { ...row, match: { ...match, call } } : row;
    });
    const words = / cannot be played: expected a call by or about a seated player .* found coral/;
    const cut = textOf(rowsOf(text).slice(0, TICK));
    for (const command of ['verify', 'why', 'resume']) {
      const { exit, err } = await run(command, command === 'resume' ? cut : text);
      expect([command, exit]).toEqual([command, 65]);
      expect(err).toMatch(words);
      expect(err).toContain('[journal/unplayable]');
    }
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
    const shown = async (command: string, more = '') => {
      const { exit, out, err } = await run(command, edited, more);
      expect({ exit, err }).toEqual({ exit: 65, err: EDITED });
      return out;
    };
    const lines = jsonLines(await shown('watch', ' --json'));
    expect(lines.slice(0, -1)).toEqual(readJournal(edited).lines.map(throughGlass));
    expect(lines.length - 1).toBe(ROWS.length - 1);
    const problems = [{ code: 'journal/edited', text: expect.stringContaining(`line ${LINE}`) }];
    expect(lines.at(-1)).toEqual({ type: 'error', v: 1, exit: 65, problems });
    expect(await shown('watch')).toContain('The meeting is over');
    const gone = { t: 3, speaker: rowOf(ROWS[TICK] ?? '')['floor'] };
    const { transcript } = JSON.parse(await shown('transcript'));
    expect(transcript).not.toContainEqual(expect.objectContaining(gone));
    // Nothing is replayed: a gap in the record would appear as a difference that nobody caused.
    const replayed = jsonLines(await shown('verify', ' --json'));
    expect(replayed).toMatchObject([{ type: 'error', exit: 65 }]);
  });

  test('that is torn shows all whole lines, and is played up to there', async () => {
    const shown = async (command: string) => {
      const { exit, out, err } = await run(command, cut);
      expect({ exit, err }).toEqual({ exit: 65, err: TORN });
      return out;
    };
    expect(await shown('watch')).toContain('── Discussion');
    expect(JSON.parse(await shown('transcript')).transcript.length).toBeGreaterThan(0);
    const words = `all ${TICK} lines are identical to the byte, up to where`;
    expect(await shown('verify')).toContain(words);
  });
  const [header = ''] = ROWS;
  const future = `${header.replace('"format":1', '"format":9')}\n`;
  const NO = 'not-a-journal';

  test.each<[string, string | Buffer, string, string]>([
    ['with a missing line', missing, 'gap', ': this line is number'],
    ['that is empty', '', 'empty', 'x.jsonl: expected a journal, found an empty file'],
    ['of the future', future, 'version', 'use the version that wrote it'],
    ['of bytes', Buffer.from('\0\x01\x02\xff\xfe\n\xc8', 'latin1'), NO, 'line 1: expected'],
    ['that is JSON of another kind', '{"hello":1}\n', NO, 'found "{\\"hello\\":1}"'],
    ['that is half a header', header.slice(0, 99), 'torn', 'breaks off after 99 characters'],
  ])('%s', async (_, text, code, words) => {
    const found = await run('verify', text, ' --json');
    expectEnd(found, 65, `journal/${code}: x.jsonl`, words);
    const problems = [{ code: `journal/${code}` }];
    expect(jsonLines(found.out)).toMatchObject([{ type: 'error', v: 1, exit: 65, problems }]);
  });
});

describe.concurrent('pictures', () => {
  test.each([
    ['mermaid', /^stateDiagram-v2\n/],
    ['svg', /^<svg [\s\S]*<\/svg>\n$/],
    ['json', /^\{\n/],
  ])('of a statechart come as %s', async (format, look) => {
    const out = expectQuiet(await HOME.run(`chart --machine player --format ${format}`));
    expect(out).toMatch(look);
    if (format === 'json') expect(JSON.parse(out)).toBeInstanceOf(Object);
  });

  test('charts are printed as JSON with the drawing or its file', async () => {
    const { done, read } = aPlace();
    const [drawn] = jsonLines(await done('chart --map --json'));
    const plain = await done('chart --map');
    const told = { type: 'chart', v: 1, machine: null, map: true, format: 'svg' };
    expect(drawn).toMatchObject({ ...told, text: plain });
    const [written] = jsonLines(await done('chart --map --json --out m.svg'));
    expect(written).toEqual({ ...told, file: 'm.svg', bytes: drawn?.['bytes'] });
    expect(read('m.svg')).toBe(plain);
  });

  testLong('go to a file, and the schema is JSON', async () => {
    const line = '$GLASSBOX chart --format svg --out c.svg && $GLASSBOX schema && cat c.svg >&2';
    const found = await sh(line, aPlace().cwd);
    expectEnd(found, 0, '</svg>');
    expect(JSON.parse(found.out)).toHaveProperty('then.required', ['name', 'call', 'seats']);
  });
});
