import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Mind } from '../../../actors/minds/port.ts';
import { watchThinking } from '../../../actors/minds/thinking.ts';
import type { Lens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import type { GameStatus } from '../../../machines/turnPrompt.ts';
import {
  Broadcast,
  filterStatus,
  LensStream,
  type Viewer,
} from '../../../visualizer/server/broadcast.ts';
import { recordedMeeting } from './recorded.ts';

let lines: readonly Line[] = [];
beforeAll(async () => {
  lines = await recordedMeeting('ghosts', 3);
});

const NOW: GameStatus = {
  ms: 5000,
  thinkers: [
    { seat: 'red', requestKind: 'discussion', since: 1000 },
    { seat: 'blue', requestKind: 'discussion', since: 2000 },
    { seat: 'pink', requestKind: 'ghost', since: 500 },
  ],
  failures: [{ seat: 'blue', code: 'endpoint/timeout' }],
  writing: [
    { seat: 'red', requestKind: 'discussion', thought: 'I did it', message: 'Wher' },
    { seat: 'pink', requestKind: 'ghost', thought: 'Red did it', message: '' },
  ],
};

describe('who is waited for', () => {
  test('Glass hears of everybody, and of every request that failed', () => {
    const { thinking, failures, tableMs, waitedFor } = filterStatus({ type: 'glass' }, NOW);
    expect(thinking).toEqual([
      { seat: 'red', ms: 4000 },
      { seat: 'blue', ms: 3000 },
      { seat: 'pink', ms: 4500 },
    ]);
    expect(failures).toEqual(NOW.failures);
    expect([tableMs, waitedFor]).toEqual([4000, null]);
  });

  test('Table hears that the table thinks, and not who', () => {
    expect(filterStatus({ type: 'table' }, NOW)).toEqual({
      waitedFor: null,
      thinking: [],
      failures: [],
      tableMs: 4000,
      writing: [],
    });
  });

  test('a player also gets the status of their own seat', () => {
    const red = filterStatus({ type: 'player', seat: 'red' }, NOW);
    expect(red).toEqual({
      waitedFor: null,
      thinking: [{ seat: 'red', ms: 4000 }],
      failures: [],
      tableMs: 4000,
      writing: [],
    });
  });

  test('only the glass sees words while a model writes them', () => {
    expect(filterStatus({ type: 'glass' }, NOW).writing).toEqual([
      { seat: 'red', thought: 'I did it', message: 'Wher' },
      { seat: 'pink', thought: 'Red did it', message: '' },
    ]);
  });

  test.each(['action', 'ghost'] as const)('nobody at the table hears of a %s', (requestKind) => {
    const now: GameStatus = { ...NOW, thinkers: [{ seat: 'red', requestKind, since: 0 }] };
    for (const lens of [{ type: 'table' }, { type: 'player', seat: 'blue' }] as const)
      expect(filterStatus(lens, now)).toMatchObject({
        ...{ thinking: [], tableMs: null, waitedFor: null },
      });
  });

  test('everybody hears who is the last to be waited for at the table, and Glass also on the ship', () => {
    const last = (requestKind: 'voting' | 'action' | 'ghost', lens: Lens) => {
      const pink = { seat: 'pink', requestKind, since: 0 } as const;
      return filterStatus(lens, { ...NOW, thinkers: [pink] }).waitedFor;
    };
    const lenses: readonly Lens[] = [
      { type: 'glass' },
      { type: 'table' },
      { type: 'player', seat: 'red' },
    ];
    expect(lenses.map((lens) => last('voting', lens))).toEqual(['pink', 'pink', 'pink']);
    expect(lenses.map((lens) => last('action', lens))).toEqual(['pink', null, null]);
    expect(lenses.map((lens) => last('ghost', lens))).toEqual([null, null, null]);
  });

  test('a status without news for a lens is not sent', () => {
    const feed = new Broadcast({ type: 'glass' });
    const [glass, table] = [aViewer(), aViewer()];
    feed.streamThrough({ type: 'glass' })?.join(glass, -1);
    feed.streamThrough({ type: 'table' })?.join(table, -1);
    for (const count of [2, 3])
      feed.setStatus((lens) =>
        filterStatus(lens, { ...NOW, thinkers: NOW.thinkers.slice(0, count) }),
      );
    expect(glass.texts).toHaveLength(2);
    expect(table.texts).toHaveLength(1);
  });

  test('words that grow are sent to the glass, and nothing to the others', () => {
    const feed = new Broadcast({ type: 'glass' });
    const lenses = [{ type: 'glass' }, { type: 'table' }, { type: 'player', seat: 'red' }] as const;
    const viewers = lenses.map((lens) => {
      const viewer = aViewer();
      feed.streamThrough(lens)?.join(viewer, -1);
      return viewer;
    });
    for (const thought of ['I', 'I did', 'I did it']) {
      const writing = [{ seat: 'red', requestKind: 'discussion', thought, message: '' } as const];
      feed.setStatus((lens) => filterStatus(lens, { ...NOW, writing }));
    }
    expect(viewers.map(({ texts }) => texts.length)).toEqual([3, 1, 1]);
    expect(viewers[0]?.texts.at(-1)).toContain('I did it');
  });

  test('a mind is in the status while it thinks, and its failure until the next question', async () => {
    const reports: GameStatus[] = [];
    let answer: (answer: Answer) => void = () => {};
    const attention = watchThinking(
      () => 0,
      (now) => reports.push(now),
    );
    const slow: Mind = { pace: 'in-time', answer: () => new Promise((go) => (answer = go)) };
    const { red } = attention.watchMinds({ red: slow });
    const status = () => {
      const now = reports.at(-1);
      return now === undefined ? undefined : filterStatus({ type: 'glass' }, now);
    };
    const request = { kind: 'action', index: 0 } as const;
    const asked = () => {
      if (red?.pace !== 'in-time') throw new Error('a slow mind stays one');
      return Reflect.apply(red.answer, red, [request, new AbortController().signal]);
    };
    const first = asked();
    expect(status()?.thinking).toEqual([{ seat: 'red', ms: 0 }]);
    answer({ ok: false, code: 'endpoint/timeout', text: '' });
    await first;
    expect(status()).toMatchObject({
      thinking: [],
      failures: [{ seat: 'red', code: 'endpoint/timeout' }],
    });
    const second = asked();
    expect(status()?.failures).toEqual([]);
    answer({ ok: true, received: {} });
    await second;
    expect(status()).toMatchObject({ thinking: [], failures: [] });
  });
});

function aViewer(most = Number.POSITIVE_INFINITY): Viewer & { texts: string[]; isOver: boolean } {
  const viewer = {
    texts: [] as string[],
    isOver: false,
    write: (text: string) => viewer.texts.push(text) < most,
    end: () => {
      viewer.isOver = true;
    },
  };
  return viewer;
}

describe('a viewer who reads slowly', () => {
  test('is sent nothing until they have read, and loses nothing', () => {
    const stream = new LensStream({ type: 'glass' });
    const slow = aViewer(1);
    stream.join(slow, -1);
    for (const line of lines) {
      stream.add(line);
      stream.setStatus(() => filterStatus({ type: 'glass' }, NOW));
    }
    stream.end();
    expect(slow.texts).toHaveLength(1);
    for (let reads = 0; !slow.isOver && reads < lines.length; reads++) stream.pump(slow);
    expect(slow.texts.join('').match(/^data: \{.*"channel"/gm)).toHaveLength(lines.length);
    expect(slow.isOver).toBe(true);
  });

  test('does not hold up the next game for other viewers', () => {
    const feed = new Broadcast({ type: 'glass' });
    const slow = aViewer(1);
    feed.streamThrough({ type: 'glass' })?.join(slow, -1);
    for (const line of lines) feed.add(line);
    feed.startNext();
    expect(feed.size).toBe(1);
    const late = aViewer();
    feed.streamThrough({ type: 'glass' })?.join(late, -1);
    expect(late.texts).toEqual([]);
    for (const line of lines.slice(0, 3)) feed.add(line);
    expect(late.texts).toHaveLength(3);
  });
});
