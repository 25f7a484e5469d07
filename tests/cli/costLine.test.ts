/** Gauges appear only on a terminal, and only while work is in progress. */
import { expect, test } from 'vitest';
import { createCostLine } from '../../cli/models.ts';

const SPENT = {
  calls: 12,
  promptTokens: 3456,
  cachedTokens: 0,
  completionTokens: 78,
  dollars: 0.0123,
  unpriced: 0,
};

function aScreen(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { written, isTTY, columns, write: (text: string) => written.push(text) };
}

test('what models cost is one line that makes room for others and comes back', () => {
  const screen = aScreen(true);
  const gauge = createCostLine(screen);
  const print = () => screen.write('a message\n');
  gauge.above(print);
  gauge.show(SPENT);
  gauge.above(print);
  gauge.end();
  gauge.end();
  gauge.show(SPENT);
  gauge.above(print);
  const line = '\r\u001B[K12 requests, 3,456 tokens in, 78 out, $0.0123';
  const clear = '\r\u001B[K';
  const message = 'a message\n';
  expect(screen.written).toEqual([message, line, clear, message, line, clear, message]);
});

test('it never takes a second line, and is for terminals only', () => {
  const narrow = aScreen(true, 20);
  createCostLine(narrow).show(SPENT);
  expect(narrow.written[0]).toBe('\r\u001B[K12 requests, 3,456 ');
  const pipe = aScreen(false);
  const gauge = createCostLine(pipe);
  gauge.show(SPENT);
  gauge.end();
  expect(pipe.written).toEqual([]);
});
