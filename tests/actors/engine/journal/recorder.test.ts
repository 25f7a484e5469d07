import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import {
  beginJournal,
  Recorder,
  type RecorderOptions,
} from '../../../../actors/engine/journal/recorder.ts';
import { MemorySink, type Sink } from '../../../../actors/engine/journal/sink.ts';
import { startMatch } from '../../../../actors/engine/match.ts';
import { lineSchema } from '../../../../machines/journal/lines.ts';
import type { Fact } from '../../../../machines/rules/facts.ts';
import { aBid, aMeetingMatch, aTick } from '../../../machines/builders.ts';
import { readyMatch } from '../../../support/matches.ts';
import { aLobby, playGame } from '../../laws/journeys.ts';
import { meet } from '../../laws/meetings.ts';
import { aRecord, bodyOf, hashOf, ORIGINS, type Row, rowOf, rowsOf } from './records.ts';

class CountingSink implements Sink {
  readonly calls: string[] = [];
  readonly texts: string[] = [];

  write(text: string): void {
    this.calls.push('write');
    this.texts.push(text);
  }

  sync(): void {
    this.calls.push('sync');
  }

  close(): void {
    this.calls.push('close');
  }

  get rows(): readonly Row[] {
    return rowsOf(this.texts.join('')).map(rowOf);
  }
}

function recording(options: Partial<RecorderOptions> = {}) {
  const sink = new CountingSink();
  return { sink, recorder: new Recorder({ sink, ...options }) };
}

const LOCKED: Fact = { type: 'vote.locked', seat: 'red', ballot: 'skip' };
const ERASED: Fact = { type: 'scratchpads.erased' };
const TICK: Fact = { type: 'tick.closed', ...aTick([aBid('red')]) };
const OVER: Fact = { type: 'meeting.closed', outcome: 'tie', ejected: null };

describe('a step', () => {
  test('is written in one piece, however many lines it has', () => {
    const { sink, recorder } = recording();
    recorder.record('living', [LOCKED, ERASED, OVER]);
    recorder.record('ghosts', [{ type: 'ghost.joined', seat: 'white' }]);
    expect(sink.calls).toEqual(['write', 'write']);
    expect(sink.texts.map((text) => rowsOf(text).length)).toEqual([3, 1]);
  });

  test('is synced where replies cost money', () => {
    const { sink, recorder } = recording({ syncEveryStep: true });
    recorder.record('living', [LOCKED, ERASED]);
    recorder.record('living', [OVER]);
    expect(sink.calls).toEqual(['write', 'sync', 'write', 'sync']);
  });

  test('is left to the system otherwise', () => {
    const { sink, recorder } = recording({ syncEveryStep: false });
    recorder.record('living', [LOCKED, ERASED]);
    expect(sink.calls).toEqual(['write']);
  });

  test('is shown line by line once it is written', () => {
    const { sink, recorder } = recording({ onLine: ({ text }) => sink.calls.push(text) });
    recorder.record('living', [LOCKED, ERASED]);
    expect(sink.calls).toEqual(['write', ...rowsOf(sink.texts.join(''))]);
  });
});

describe('a line', () => {
  test('is handed out as the reader finds it, in a game and in a meeting', async () => {
    const { written: meeting } = await meet(aMeetingMatch(), 7);
    const { written: game } = await playGame(aLobby(8, { max_ticks: 6, vote_after: 2 }), 4);
    expect(meeting.length + game.length).toBeGreaterThan(100);
    for (const { line, text } of [...meeting, ...game]) {
      expect(line).toEqual(lineSchema.parse(JSON.parse(text)));
    }
  });
});

describe('the chain', () => {
  test('of a channel holds each line to the one before it, from its own origin', () => {
    const rows = rowsOf(aRecord()).map(rowOf);
    for (const channel of ['living', 'ghosts'] as const) {
      let previous = ORIGINS[channel];
      const own = rows.filter((row) => row['channel'] === channel);
      for (const [seq, row] of own.entries()) {
        expect(row['seq']).toBe(seq);
        expect(row['hash']).toBe(hashOf(previous, bodyOf(row)));
        previous = String(row['hash']);
      }
    }
  });

  test('the heads of a recorder state the lines written so far', () => {
    const { sink, recorder } = recording();
    const { living, ghosts } = ORIGINS;
    expect(recorder.heads).toEqual({ living, ghosts });
    recorder.record('living', [LOCKED, ERASED]);
    expect(recorder.heads).toEqual({ living: sink.rows[1]?.['hash'], ghosts });
  });
});

describe('the wall clock', () => {
  const FACTS = [LOCKED, TICK, OVER];

  test('the end of a channel carries the heads after its body', () => {
    const { sink, recorder } = recording({ readClock: () => ({ ms: 5 }) });
    recorder.record('living', FACTS);
    expect(sink.rows.map(({ clock }) => clock)).toEqual([undefined, { ms: 5 }, { ms: 5 }]);
    expect(sink.texts[0]).toMatch(
      /"type":"meeting\.closed","clock":\{"ms":5\},"hash":"[0-9a-f]{64}"\}\n$/,
    );
  });

  test('is nowhere in simulated time', () => {
    const { sink, recorder } = recording();
    recorder.record('living', FACTS);
    expect(sink.rows.some((row) => 'clock' in row)).toBe(false);
  });

  test('is in no hash', () => {
    const early = recording({ readClock: () => ({ ms: 1 }) });
    const late = recording({ readClock: () => ({ ms: 2 }) });
    for (const { recorder } of [early, late]) recorder.record('living', FACTS);
    late.recorder.noteLate({ tick: 0 });
    expect(early.recorder.heads).toEqual(late.recorder.heads);
  });

  test('has the answers since the last line, in order of arrival, and not in a line of beliefs', () => {
    let now = 1000;
    const { sink, recorder } = recording({ readClock: () => ({ ms: now }) });
    const askedMs = recorder.readMs();
    for (const seat of ['pink', 'blue'] as const) {
      now += 700;
      recorder.noteArrival(seat, askedMs);
    }
    recorder.write('beliefs', [{ type: 'beliefs.opened', times: 'meeting', version: 1 }]);
    recorder.record('ghosts', [{ type: 'ghost.joined', seat: 'white' }]);
    recorder.noteArrival('white', recorder.readMs());
    recorder.record('living', [LOCKED, ERASED]);
    expect(sink.rows.map(({ clock }) => clock)).toEqual([
      undefined,
      {
        arrived: [
          ['pink', 700],
          ['blue', 1400],
        ],
      },
      { arrived: [['white', 0]] },
      undefined,
    ]);
  });

  test('has no answers in simulated time, and none for a line that is only played again', () => {
    const again = recording({ readClock: () => null });
    for (const { sink, recorder } of [again, recording()]) {
      recorder.noteArrival('pink', recorder.readMs());
      recorder.record('living', [LOCKED]);
      expect(sink.rows.some((row) => 'clock' in row)).toBe(false);
    }
  });

  test('takes a late reply into the next line of the living, once, and never into one of the ghosts', () => {
    const { sink, recorder } = recording();
    recorder.noteLate({ tick: 1, seat: 'blue' });
    recorder.noteLate({ tick: 1, seat: 'red' });
    recorder.record('ghosts', [{ type: 'ghost.joined', seat: 'white' }]);
    recorder.record('living', [LOCKED, ERASED]);
    const late = [
      { seat: 'blue', tick: 1 },
      { seat: 'red', tick: 1 },
    ];
    expect(sink.rows.map(({ clock }) => clock)).toEqual([undefined, { late }, undefined]);
  });

  test('keeps the requests of each channel for its next new line', () => {
    let isNew = false;
    const { sink, recorder } = recording({ isNew: () => isNew });
    recorder.noteCall({ id: 1 });
    recorder.noteCall({ id: 2 }, 'beliefs');
    recorder.noteLate({ tick: 1 });
    const beliefs = () =>
      recorder.write('beliefs', [{ type: 'beliefs.opened', times: 'meeting', version: 1 }]);
    beliefs();
    recorder.record('living', [LOCKED]);
    isNew = true;
    beliefs();
    recorder.record('living', [LOCKED, ERASED]);
    beliefs();
    expect(sink.rows.map(({ clock }) => clock)).toEqual([
      undefined,
      { late: [{ tick: 1 }] },
      { calls: [{ id: 2 }] },
      { calls: [{ id: 1 }] },
      undefined,
      undefined,
    ]);
  });

  test('of a game is in the lines that end something, counted from its start', async () => {
    const ready = readyMatch(aLobby(7, { max_ticks: 8, vote_after: 2 }), 4);
    const sink = new MemorySink();
    let now = 5000;
    const time = { now: () => now };
    const recorder = beginJournal(ready.headers, { sink, time });
    now += 20;
    await startMatch({ ...ready, clock: new SimulatedClock(), recorder }).result;
    const stamps = new Map(
      rowsOf(sink.text).map((row) => [rowOf(row)['type'], Object(rowOf(row)['clock']).ms]),
    );
    const ending = ['round.closed', 'tick.closed', 'turn.closed', 'meeting.closed', 'game.closed'];
    expect(stamps.get('match.opened')).toBe(0);
    for (const [type, ms] of stamps)
      if (type !== 'match.opened')
        expect([type, ms]).toEqual([type, ending.includes(String(type)) ? 20 : undefined]);
    expect([...stamps.keys()]).toEqual(expect.arrayContaining(ending));
  });

  test.each([
    [0, false, undefined],
    [0, true, 0],
    [40, false, 40],
    [40, true, 40],
  ])('of a header has the beat %i, in real time: %s', (beatMs, isReal, beat) => {
    const sink = new MemorySink();
    const { headers } = readyMatch(aMeetingMatch(), 1);
    beginJournal(headers, { sink, beatMs, time: isReal ? { now: () => 7 } : null });
    const [header = ''] = rowsOf(sink.text);
    expect(Object(rowOf(header)['clock']).beat).toBe(beat);
  });
});
