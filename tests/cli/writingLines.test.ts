/** The cost and the lines in progress below the printed text: they are overwritten and leave nothing behind. */
import { describe, expect, test } from 'vitest';
import { createCostLine, describeCost } from '../../cli/models.ts';
import type { SeatWords } from '../../machines/turnPrompt.ts';
import { COLOURS } from '../../machines/types.ts';
import { countColumns } from '../../visualizer/terminal/layout.ts';
import { formatWriting } from '../../visualizer/terminal/writing.ts';

const ESCAPE = '\u001B';
const TOKENS = new RegExp(`${ESCAPE}\\[\\d*[A-Z]|[\\r\\n]|[^\\r\\n${ESCAPE}]+`, 'g');
const UP = new RegExp(`^${ESCAPE}\\[(\\d+)A$`);

/** A terminal emulator with the features that these lines need. */
function aTerminal({ columns = 60, rows = 24 } = {}) {
  const lines = [''];
  let at = 0;
  const step = (token: string) => {
    const up = UP.exec(token)?.[1];
    if (token === '\r') return;
    if (token === '\n') {
      at += 1;
      lines[at] ??= '';
    } else if (up !== undefined) at -= Number(up);
    else if (token === '\u001B[K') lines[at] = '';
    else if (token === '\u001B[J') {
      lines[at] = '';
      lines.length = at + 1;
    } else lines[at] += token;
  };
  return {
    isTTY: true,
    columns,
    rows,
    write: (text: string) => {
      for (const token of text.match(TOKENS) ?? []) step(token);
    },
    lines,
  };
}

function words(seat: SeatWords['seat'], thought: string, message = ''): SeatWords {
  return { seat, requestKind: 'discussion', thought, message };
}

const SPENT = {
  ...{ calls: 12, promptTokens: 3456, cachedTokens: 0, completionTokens: 78 },
  ...{ estimatedTokens: 0, dollars: 0.0123, unpriced: 0 },
};
const COST = '12 requests, 3,456 tokens in, 78 out, $0.0123';

test.each([
  [{}, COST],
  [{ calls: 1, cachedTokens: 1024 }, '1 request, 3,456 tokens in (1,024 cached), 78 out, $0.0123'],
  [{ dollars: 0 }, '12 requests, 3,456 tokens in, 78 out, $0.0000'],
  // A request that was refused has cost nothing, whatever the price.
  [{ dollars: 0, unpriced: 11 }, '12 requests, 3,456 tokens in, 78 out, price unknown'],
  [{ unpriced: 11 }, `${COST} and 11 of unknown price`],
  [{ estimatedTokens: 9200 }, COST.replace(', $', ', about 9,200 that were never counted, $')],
])('the cost of %j is "%s"', (more, words) => {
  expect(describeCost({ ...SPENT, ...more })).toBe(words);
});

describe('on a terminal', () => {
  test('each model has a line above the cost, and they go as they came', () => {
    const terminal = aTerminal();
    const line = createCostLine(terminal);
    line.show(SPENT);
    line.write([words('red', 'It was me'), words('orange', 'Red', 'Red, where we')]);
    expect(terminal.lines).toEqual([
      'Red     thinks: It was me',
      'Orange  writes: Red, where we',
      COST,
    ]);
    line.write([words('orange', 'Red', 'Red, where were you?')]);
    expect(terminal.lines).toEqual(['Orange  writes: Red, where were you?', COST]);
    line.write([]);
    expect(terminal.lines).toEqual([COST]);
    line.end();
    expect(terminal.lines).toEqual(['']);
  });

  test('lines that are printed meanwhile appear above them', () => {
    const terminal = aTerminal();
    const line = createCostLine(terminal);
    line.write([words('red', 'a'), words('blue', 'b')]);
    line.above(() => terminal.write('Tick 1\n'));
    expect(terminal.lines).toEqual(['Tick 1', 'Red     thinks: a', 'Blue    thinks: b']);
    line.end();
    line.write([words('red', 'c')]);
    line.above(() => terminal.write('Tick 2\n'));
    expect(terminal.lines).toEqual(['Tick 1', 'Tick 2', '']);
  });

  test('ten models at once take no more than four of its eight rows', () => {
    const terminal = aTerminal({ rows: 8 });
    createCostLine(terminal).write(COLOURS.slice(0, 10).map((seat) => words(seat, 'hm')));
    expect(terminal.lines).toHaveLength(4);
  });

  test('the cost makes room for others and comes back, until the end', () => {
    const terminal = aTerminal({ columns: 80 });
    const line = createCostLine(terminal);
    const print = (words: string) => line.above(() => terminal.write(`${words}\n`));
    print('one');
    line.show(SPENT);
    expect(terminal.lines).toEqual(['one', COST]);
    print('two');
    expect(terminal.lines).toEqual(['one', 'two', COST]);
    line.end();
    line.end();
    line.show(SPENT);
    print('three');
    expect(terminal.lines).toEqual(['one', 'two', 'three', '']);
  });

  test('the cost never takes a second line', () => {
    const terminal = aTerminal({ columns: 20 });
    createCostLine(terminal).show(SPENT);
    expect(terminal.lines).toEqual([COST.slice(0, 19)]);
  });

  test('without one nothing is written', () => {
    const terminal = { ...aTerminal(), isTTY: false };
    const line = createCostLine(terminal);
    line.show(SPENT);
    line.write([words('red', 'a')]);
    line.end();
    expect(terminal.lines).toEqual(['']);
  });
});

describe('a line', () => {
  test.each([
    ['the end of a long text', `${'So it goes. '.repeat(9)}It was Blue.`],
    ['wide letters', '我觉得是红色的人因为他一直在电力室附近走来走去'.repeat(3)],
    ['pictures', '🚀'.repeat(50)],
    ['letters of several parts', 'e\u0301'.repeat(80)],
  ])('of %s fits into its columns', (_, thought) => {
    for (const columns of [20, 21, 39, 40, 79]) {
      const [line = ''] = formatWriting([words('red', thought)], columns);
      expect(countColumns(line)).toBeLessThanOrEqual(columns);
      expect(countColumns(line)).toBeGreaterThanOrEqual(columns - 1);
      expect(line).toMatch(/^Red {5}thinks: …/);
    }
  });

  test('is one line of visible characters, whatever a model writes', () => {
    const [line = ''] = formatWriting([words('red', '', 'a\n\u001B[2Jb\u202Ec\r\td')], 79);
    expect(line).toBe('Red     writes: a bc d');
  });
});
