import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isPlayable,
  type Journal,
  JournalReading,
  LATEST_CHARACTER,
  LATEST_ROW,
  LONGEST_ROW,
  MOST_DESCRIBED,
  MOST_FOREIGN_ROWS,
  readJournal,
} from '../../../../actors/engine/journal/reader.ts';
import { FORMAT, VERSIONS } from '../../../../machines/versions.ts';
import { law } from '../../../machines/builders.ts';
import { seeds } from '../../../support/seeds.ts';
import { aRecord, bodyOf, forged, rowOf, rowsOf, textOf } from './records.ts';

const RECORD = aRecord();
const ROWS = rowsOf(RECORD);
const BYTES = Buffer.from(RECORD);
const LINE_BREAK = 0x0a;

/** Findings in a damaged journal, as "line: code". */
function told({ damages }: Journal): readonly string[] {
  return damages.map(({ line, code }) => `${line}: ${code}`);
}

function kept({ bodies }: Journal): readonly number[] {
  const known = ROWS.map((row) => bodyOf(rowOf(row)));
  return bodies.map((body) => known.indexOf(body) + 1);
}

const everyLine = ROWS.map((_, index) => index + 1);
const allBut = (...lines: readonly number[]) => everyLine.filter((line) => !lines.includes(line));

test('an intact journal is read to the last line, and the bodies are the hashed texts', () => {
  const journal = readJournal(RECORD);
  expect(journal.damages).toEqual([]);
  expect(kept(journal)).toEqual(everyLine);
  expect(journal.lines.map(({ hash }) => hash)).toEqual(ROWS.map((row) => rowOf(row)['hash']));
});

/** Where the bodies are, in bytes: from the first to the last character in front of `clock` or `hash`. */
const PLACES = ROWS.flatMap((row, index) => {
  const start = Buffer.byteLength(textOf(ROWS.slice(0, index)));
  const length = Buffer.byteLength(bodyOf(rowOf(row))) - 1;
  return Array.from({ length }, (_, at) => ({ at: start + at, line: index + 1 }));
});

/** The format and the version of the rules: with others the journal is refused as a whole. */
const DECISIVE = ['"format":1', `"rulesVersion":${VERSIONS.rules}`].map((field) => {
  const start = Buffer.byteLength(RECORD.slice(0, RECORD.indexOf(field)));
  return { start, end: start + field.length };
});

function withByte(at: number, byte: number): string {
  const edited = Buffer.from(BYTES);
  edited[at] = byte;
  return edited.toString('utf8');
}

describe('an edited byte', () => {
  law(
    'in a body is told at its line, and every other line is kept',
    fc.property(
      fc.constantFrom(...PLACES),
      fc.integer({ min: 0, max: 255 }),
      ({ at, line }, byte) => {
        fc.pre(byte !== BYTES[at] && byte !== LINE_BREAK);
        fc.pre(DECISIVE.every(({ start, end }) => at < start || at >= end));
        const journal = readJournal(withByte(at, byte));
        expect(journal.damages.map((damage) => damage.line)).toEqual([line]);
        expect(kept(journal)).toEqual(allBut(line));
      },
    ),
    seeds(1000, 3000),
  );

  test('a damaged hash is reported at its line, and the next line is kept', () => {
    const hashes = ROWS.map((row) => String(rowOf(row)['hash']));
    for (const [index, hash] of hashes.entries()) {
      const other = hash.replace(/^./, (first) => (first === '0' ? '1' : '0'));
      const journal = readJournal(RECORD.replace(hash, other));
      expect(told(journal)).toEqual([`${index + 1}: journal/edited`]);
      expect(kept(journal)).toEqual(allBut(index + 1));
    }
  });

  test('a line break within a line damages both halves and no other line', () => {
    const at = BYTES.indexOf('"phase":"reveal"');
    const journal = readJournal(withByte(at, LINE_BREAK));
    expect(told(journal)).toEqual(['8: journal/line', '9: journal/line']);
    expect(kept(journal)).toEqual(allBut(8));
  });

  test.each([
    ['another number', '"ms":1}', '"ms":9}'],
    ['another layout', '"ms":1}', '"ms": 1 }'],
    ['no clock at all', /,"clock":\{"ms":1\}(?=,"hash":"[0-9a-f]{64}"\})/, ''],
    ['a clock where there was none', /(?<="type":"scratchpads.erased")/, ',"clock":{"ms":5}'],
  ])('in `clock` is no damage: %s', (_, from, to) => {
    const edited = RECORD.replace(from, to);
    expect(edited).not.toBe(RECORD);
    const journal = readJournal(typeof from === 'string' ? withClock(from, to) : edited);
    expect(journal.damages).toEqual([]);
    expect(kept(journal)).toEqual(everyLine);
  });

  test('and a clock that is no JSON, or no object, is damage', () => {
    expect(told(readJournal(withClock('"ms":3}', '"ms":}')))).toEqual(['10: journal/line']);
    expect(told(readJournal(withClock('{"ms":3}', '3')))).toEqual(['10: journal/line']);
  });
});

function withClock(from: string, to: string): string {
  return textOf(
    ROWS.map((row) => {
      const body = bodyOf(rowOf(row)).length - 1;
      return row.slice(0, body) + row.slice(body).replaceAll(from, to);
    }),
  );
}

describe('lines', () => {
  const moved = (from: number, to: number) =>
    textOf(ROWS.toSpliced(from - 1, 1).toSpliced(to - 1, 0, ROWS[from - 1] ?? ''));

  test('a missing line is reported at the next line of its channel, which cannot be checked without it', () => {
    for (const [index, row] of ROWS.entries()) {
      const { channel } = rowOf(row);
      const next = ROWS.findIndex((other, at) => at > index && rowOf(other)['channel'] === channel);
      const journal = readJournal(textOf(ROWS.toSpliced(index, 1)));
      if (next < 0) expect(journal.damages).toEqual([]);
      else expect(told(journal)).toEqual([`${next}: journal/gap`]);
      expect(kept(journal)).toEqual(next < 0 ? allBut(index + 1) : allBut(index + 1, next + 1));
    }
  });

  test('the earlier of two swapped lines is reported', () => {
    const journal = readJournal(moved(4, 3));
    expect(told(journal)).toEqual(['3: journal/gap']);
    expect(journal.damages[0]?.text).toBe(
      "this line is number 2 of the channel living, expected number 1: lines before it are missing or unreadable, so it can't be checked",
    );
    expect(kept(journal)).toEqual(allBut(4));
  });

  test('a line that is there twice is kept once', () => {
    const journal = readJournal(textOf(ROWS.toSpliced(5, 0, ROWS[4] ?? '')));
    expect(told(journal)).toEqual(['6: journal/gap']);
    expect(journal.damages[0]?.text).toContain('it is there twice or out of place');
    expect(kept(journal)).toEqual(everyLine);
  });

  test('a stretch of lines that is there twice is kept once', () => {
    const journal = readJournal(textOf(ROWS.toSpliced(6, 0, ...ROWS.slice(4, 6))));
    expect(told(journal)).toEqual(['7: journal/gap', '8: journal/gap']);
    expect(kept(journal)).toEqual(everyLine);
  });

  test('a jump in the numbers is reported at its line, even under valid hashes', () => {
    const jumping = (seq: number) => (seq < 3 ? seq : seq + 5);
    const text = forged(RECORD, (row) => row, jumping);
    expect(told(readJournal(text))).toEqual(['5: journal/gap']);
  });

  test('a foreign line at the end is not taken for a torn one', () => {
    expect(told(readJournal(`${RECORD}hello\n`))).toEqual(['12: journal/line']);
    expect(told(readJournal(`${RECORD}hello`))).toEqual(['12: journal/torn']);
  });

  test('how the channels are interleaved is in no hash', () => {
    expect(readJournal(moved(7, 3)).damages).toEqual([]);
  });

  test('the channel of the ghosts can be cut away without a trace', () => {
    const living = ROWS.filter((row) => rowOf(row)['channel'] === 'living');
    expect(readJournal(textOf(living)).damages).toEqual([]);
  });

  test.each([
    [
      'an unknown type',
      '{"channel":"living","type":"vote.bought"}',
      'a type that is not known here: "vote.bought"',
    ],
    ['no JSON', 'hello', 'is no JSON: "hello"'],
    ['other JSON', '[1]', 'is no line of a journal: "[1]"'],
    ['nothing', '', 'is empty'],
    ['a long foreign text', 'x'.repeat(5000), `"${'x'.repeat(60)}…"`],
  ])('%s between two lines is told, and both are kept', (_, row, text) => {
    const journal = readJournal(textOf(ROWS.toSpliced(5, 0, row)));
    expect(told(journal)).toEqual(['6: journal/line']);
    expect(journal.damages[0]?.text).toContain(text);
    expect(kept(journal)).toEqual(everyLine);
  });

  test('a field that nobody knows is damage, even under a hash that fits', () => {
    const text = forged(RECORD, (row, index) => (index === 5 ? { ...row, bribe: 1 } : row));
    expect(told(readJournal(text))).toEqual(['6: journal/line']);
  });

  test('an option that is not known here is named, in whichever kind of match', () => {
    const text = forged(RECORD, (row, index) => {
      const { match } = row;
      return index === 0 && match instanceof Object
        ? { ...row, match: { ...match, options: { lava: true } } }
        : row;
    });
    expect(readJournal(text).damages[0]?.text).toContain('match.options: Unrecognized key: "lava"');
  });

  law(
    'whatever is done to them, each is kept or told, and nothing is kept that was not written',
    fc.property(
      fc.array(
        fc.record({
          at: fc.nat({ max: ROWS.length }),
          remove: fc.nat({ max: 2 }),
          insert: fc.array(fc.oneof(fc.constantFrom(...ROWS), fc.string(), fc.json()), {
            maxLength: 2,
          }),
        }),
        { maxLength: 4 },
      ),
      (edits) => {
        const rows = edits
          .reduce((all, { at, remove, insert }) => all.toSpliced(at, remove, ...insert), ROWS)
          .flatMap((row) => row.split('\n'));
        const journal = readJournal(textOf(rows));
        expect(kept(journal)).not.toContain(0);
        if (journal.lines.length === 0) expect(journal.damages).not.toEqual([]);
        else expect(journal.lines.length + journal.damages.length).toBe(rows.length);
      },
    ),
  );
});

describe('a torn journal', () => {
  test('keeps its whole lines wherever it is torn, and tells of the torn one once', () => {
    for (let cut = 1; cut < BYTES.length; cut++) {
      const text = BYTES.subarray(0, cut).toString('utf8');
      const whole = rowsOf(text).length;
      const rest = text.slice(textOf(rowsOf(text)).length);
      const isTorn = rest !== '' && rest !== ROWS[whole];
      const journal = readJournal(text);
      expect(told(journal)).toEqual(isTorn ? [`${whole + 1}: journal/torn`] : []);
      expect(journal.lines.length).toBe(rest === '' || isTorn ? whole : whole + 1);
    }
  });

  test('says how much of the line is left', () => {
    const [damage] = readJournal(RECORD.slice(0, textOf(ROWS.slice(0, 2)).length + 20)).damages;
    expect(damage?.text).toBe(
      'this line breaks off after 20 characters; the 2 intact lines before it are kept',
    );
  });
});

describe('line breaks', () => {
  test.each([
    ['the line breaks of Windows', RECORD.replaceAll('\n', '\r\n')],
    ['the line breaks of old editors', RECORD.replaceAll('\n', '\r')],
    ['a byte order mark', `\uFEFF${RECORD}`],
    ['no line break at the end', RECORD.trimEnd()],
  ])('%s are no damage', (_, text) => {
    const journal = readJournal(text);
    expect(journal.damages).toEqual([]);
    expect(kept(journal)).toEqual(everyLine);
  });
});

describe('texts that are not a journal', () => {
  const future = forged(RECORD, (row) =>
    row['type'] === 'match.opened' ? { ...row, format: 2 } : row,
  );

  test.each([
    ['an empty file', '', 'empty', 0, 'found an empty file'],
    ['a line break', '\n', 'not-a-journal', 1, 'expected the first line to be match.opened'],
    ['a match', 'name: x\nseats: []\n', 'not-a-journal', 1, 'found "name: x"'],
    ['other NDJSON', '{"a":1}\n{"a":2}\n', 'not-a-journal', 1, 'found "{\\"a\\":1}"'],
    [
      'a journal of the format before',
      '{"channel":"living","seq":0,"type":"game.opened","v":1}\n',
      'version',
      1,
      'found game.opened of an older program',
    ],
    ['a list', '[\n1\n]\n', 'not-a-journal', 1, 'found "["'],
    ['bytes', '\0\u0001\uFFFD', 'not-a-journal', 1, 'found "\\u0000'],
    ['half a header', RECORD.slice(0, 100), 'torn', 1, 'breaks off after 100 characters'],
    ['the first character of one', '{', 'torn', 1, 'breaks off after 1 characters'],
    ['a later format', future.split('\n', 1)[0] ?? '', 'version', 1, 'found format 2'],
  ])('%s is refused as a whole', (_, text, code, line, words) => {
    const { lines, damages } = readJournal(text);
    expect(lines).toEqual([]);
    expect(damages).toMatchObject([{ code: `journal/${code}`, line }]);
    expect(damages[0]?.text).toContain(words);
  });

  test.each([
    ['no version of the rules', /,"rulesVersion":\d+/, '', 'found none: use'],
    ['later rules', /"rulesVersion":\d+/, '"rulesVersion":99', 'found 99'],
    ['forgotten rules', /"rulesVersion":\d+/, '"rulesVersion":1', 'found 1:'],
  ])('a journal of %s is refused as a whole: its defaults are not known', (_, from, to, words) => {
    const { lines, damages } = readJournal(RECORD.replace(from, to));
    expect(lines).toEqual([]);
    expect(damages).toMatchObject([{ code: 'journal/rules', line: 1 }]);
    expect(damages[0]?.text).toContain(words);
  });

  test(`a later format says what would help`, () => {
    const [header = ''] = rowsOf(future);
    expect(readJournal(`${header}\n`).damages[0]?.text).toBe(
      `expected a journal of format ${FORMAT}, found format 2: use the version that wrote it`,
    );
  });

  test('a journal without its header is reported, and its other channel is kept', () => {
    const journal = readJournal(textOf(ROWS.slice(1)));
    expect(told(journal)).toEqual(['2: journal/gap']);
    expect(kept(journal)).toEqual(allBut(1, 3));
  });
});

/** Reads a text that comes in parts of these lengths, over and over. */
function readParts(text: string, lengths: readonly number[]): Journal {
  const reading = new JournalReading();
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = Math.max(1, lengths[turn % lengths.length] ?? 1);
    if (!reading.add(text.slice(at, at + length))) break;
    at += length;
  }
  return reading.end();
}

describe('a text that comes in parts', () => {
  law(
    'is read as it is in one piece, whatever its line breaks are and however it is damaged',
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom('', '\uFEFF'),
      fc.array(fc.constantFrom('', '{', 'hello', '{"a":1}', ...ROWS), { maxLength: 40 }),
      fc.nat({ max: RECORD.length }),
      (lengths, rowBreak, mark, more, cut) => {
        const rows = [...ROWS.slice(0, 4), ...more, ...ROWS.slice(4)];
        const text = `${mark}${rows.map((row) => `${row}${rowBreak}`).join('')}`.slice(0, -cut);
        expect(readParts(text, lengths)).toEqual(readJournal(text));
      },
    ),
  );

  test('keeps its intact lines as they were written, if that is asked for', () => {
    const reading = new JournalReading({ keepsRows: true });
    reading.add(textOf(ROWS.toSpliced(3, 0, 'hello')).replaceAll('\n', '\r\n'));
    expect(kept(reading.end())).toEqual(everyLine);
    expect(reading.rows).toEqual(ROWS);
  });
});

describe('bounds', () => {
  test.each([
    [MOST_DESCRIBED - 1, MOST_DESCRIBED - 1],
    [MOST_DESCRIBED, MOST_DESCRIBED],
    [MOST_DESCRIBED + 1, MOST_DESCRIBED],
    [1_000_000, MOST_DESCRIBED],
  ])('of %d damages %d are described, and all are counted', (count, described) => {
    const text = `${textOf(ROWS.slice(0, 5))}${'\n'.repeat(count)}${textOf(ROWS.slice(5))}`;
    const journal = readJournal(text);
    expect(journal).toMatchObject({ damageCount: count, isTorn: false });
    expect(journal.damages).toHaveLength(described);
    expect(journal.damages.at(-1)).toMatchObject({ line: 5 + described, code: 'journal/line' });
    expect(kept(journal)).toEqual(everyLine);
    expect(isPlayable(journal)).toBe(false);
  });

  test.each([
    [LATEST_ROW - 1, true],
    [LATEST_ROW, false],
  ])('a journal behind %d foreign lines is found: %s', (count, isFound) => {
    const reading = new JournalReading();
    expect(reading.add('From: me\n'.repeat(count))).toBe(isFound);
    reading.add(RECORD);
    const journal = reading.end();
    expect(told(journal).slice(0, 1)).toEqual([
      isFound ? '1: journal/line' : '1: journal/not-a-journal',
    ]);
    expect(kept(journal)).toEqual(isFound ? everyLine : []);
    expect(journal.damageCount).toBe(isFound ? count : 1);
  });

  test.each([
    [0, true],
    [1, false],
  ])('a journal behind a line that is %d characters too long is found: %s', (more, isFound) => {
    const reading = new JournalReading();
    expect(reading.add(`${'x'.repeat(LATEST_CHARACTER - (ROWS[0] ?? '').length + more)}\n`)).toBe(
      true,
    );
    reading.add(RECORD);
    const journal = reading.end();
    expect(journal.lines.length > 0).toBe(isFound);
    expect(journal.damages[0]?.text).toContain(
      isFound ? 'expected a line of at most' : `in the first ${LATEST_CHARACTER} characters`,
    );
  });

  test.each([
    [MOST_FOREIGN_ROWS, true],
    [MOST_FOREIGN_ROWS + 1, false],
  ])('what follows %d foreign lines is read: %s', (count, isRead) => {
    const reading = new JournalReading();
    reading.add(textOf(ROWS.slice(0, 5)));
    expect(reading.add('\n'.repeat(count))).toBe(isRead);
    reading.add(textOf(ROWS.slice(5)));
    const journal = reading.end();
    expect(kept(journal)).toEqual(isRead ? everyLine : everyLine.slice(0, 5));
    expect(journal.damageCount).toBe(isRead ? count : count + 1);
    const last = isRead ? 'journal/line' : 'journal/foreign';
    expect(journal.damages.at(-1)?.code).toBe(last);
  });

  test('lines that were damaged are never foreign, however many there are', () => {
    const rows = new Array<string>(LATEST_ROW).fill(
      `${ROWS[1]?.slice(0, 40)}${ROWS[1]?.slice(50)}`,
    );
    const reading = new JournalReading();
    expect(reading.add(textOf(rows))).toBe(true);
    reading.add(RECORD);
    expect(reading.end().lines.length).toBeGreaterThan(0);
  });

  test('a torn end is known behind any number of damages', () => {
    const rows = ROWS.toSpliced(5, 0, ...new Array<string>(MOST_DESCRIBED).fill(''));
    const journal = readJournal(textOf(rows).slice(0, -10));
    expect(journal).toMatchObject({ damageCount: MOST_DESCRIBED + 1, isTorn: true });
    expect(isPlayable(journal)).toBe(false);
    expect(isPlayable(readJournal(RECORD.slice(0, -10)))).toBe(true);
  });

  /** A line whose speech is so long that the line has that many characters. */
  const stretched = (length: number) => {
    const grown = (by: number) =>
      forged(RECORD, (row, index) =>
        index === 0 ? { ...row, clock: { x: 'x'.repeat(by) } } : row,
      );
    const [header = ''] = rowsOf(grown(0));
    return grown(length - header.length);
  };

  test.each([
    [LONGEST_ROW, []],
    [LONGEST_ROW + 1, ['1: journal/line']],
  ])('a line of %d characters', (length, damages) => {
    const text = stretched(length);
    expect(text.indexOf('\n')).toBe(length);
    const journal = readJournal(text);
    expect(told(journal)).toEqual(damages);
    expect(journal.lines.length + journal.damageCount).toBe(ROWS.length);
  });

  const nested = (depth: number) =>
    forged(RECORD, (row, index) => (index === 0 ? { ...row, clock: { x: 0 } } : row)).replace(
      '{"x":0}',
      `{"x":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}`,
    );

  test.each([
    [1000, []],
    [1001, ['1: journal/line']],
    [100_000, ['1: journal/line']],
  ])('a line that is nested %d deep', (depth, damages) => {
    expect(told(readJournal(nested(depth)))).toEqual(damages);
  });
});
