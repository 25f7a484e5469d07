import { expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { replay } from '../../../actors/replay/replay.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { playStopped } from '../../journals/offline.ts';
import { forged, rowsOf, textOf } from '../engine/journal/records.ts';

/** A game that each of its players at the table ends, while they are asked and a ghost thinks. */
const TEXT = await playStopped(plainGame(5), 1, { how: 'stop', kind: 'discussion', index: 2 });

test('a game that is stopped several times writes its end once, and plays again to the byte', async () => {
  const { lines } = readJournal(TEXT);
  expect(lines.filter(({ type }) => type === 'end.requested').length).toBe(1);
  expect(lines.filter(({ type }) => type === 'stop.requested').length).toBe(1);
  expect(lines.some(({ type }) => type === 'turn.closed')).toBe(true);
  expect(await replay(readJournal(TEXT))).toMatchObject({ type: 'same' });
});

test('a replay detects a repeated stop, and no ghost waits for missing lines', async () => {
  const rows = rowsOf(TEXT).flatMap((row) =>
    row.includes('"type":"stop.requested"') ? [row, row, row, row] : [row],
  );
  const text = forged(textOf(rows), (row) => row);
  expect(readJournal(text).damages).toEqual([]);
  expect(await replay(readJournal(text))).toMatchObject({ type: 'different' });
});
