import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import type { Sink } from '../../../actors/engine/journal/sink.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import { continueMatch, cutBefore } from '../../../actors/replay/continue.ts';
import { aLobby, playGame } from '../laws/journeys.ts';

/** A sink that knows how much of its text would survive a power cut. */
class SyncedSink implements Sink {
  text = '';
  synced = '';
  syncs = 0;

  write(text: string): void {
    this.text += text;
  }

  sync(): void {
    this.syncs += 1;
    this.synced = this.text;
  }

  close(): void {}
}

/** Milliseconds that the slow mind takes for each answer. */
const THINKS_MS = 700;

function slowMind(mind: Mind | undefined, time: SimulatedClock): Mind {
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      await time.sleep(THINKS_MS);
      return (
        mind?.answer(request, signal, keepTime) ?? { ok: false, code: 'mind/silent', text: '' }
      );
    },
  };
}

const { written } = await playGame(aLobby(6, { max_ticks: 4, vote_after: 1 }), 3);
const whole = `${written.map(({ text }) => text).join('\n')}\n`;

function rowsBefore(journal: string, round: number): string {
  const past = cutBefore(readJournal(journal), { type: 'round', round });
  const rows = journal.split('\n').slice(0, past?.lines.length ?? 0);
  return `${rows.join('\n')}\n`;
}

async function goOn(past: string, isReal: boolean) {
  const time = new SimulatedClock();
  const sink = new SyncedSink();
  const match = continueMatch(readJournal(past), {
    sink,
    models: () => expect.unreachable(),
    successors: (minds) => (isReal ? { ...minds, red: slowMind(minds.red, time) } : minds),
    isReal,
    time,
  });
  const { difference, played } = await match.result;
  expect(difference).toBeNull();
  expect(played).toBeGreaterThan(10);
  return { sink, played, journal: past + sink.text, elapsed: time.elapsed };
}

function stampsOf(journal: string): readonly number[] {
  const { lines, damages } = readJournal(journal);
  expect(damages).toEqual([]);
  return lines.flatMap(({ clock }) => (typeof clock?.['ms'] === 'number' ? [clock['ms']] : []));
}

describe('a match that goes on in real time', () => {
  test('has every new line on the disk, synced once a step', async () => {
    const { sink, played } = await goOn(rowsBefore(whole, 5), true);
    expect(sink.synced).toBe(sink.text);
    expect(sink.syncs).toBeGreaterThan(5);
    expect(sink.syncs).toBeLessThan(played);
  });

  test('counts the time of its whole journal, also when it is resumed twice', async () => {
    const first = await goOn(rowsBefore(whole, 5), true);
    expect(stampsOf(first.journal).at(-1)).toBe(first.elapsed);
    expect(stampsOf(rowsBefore(whole, 5))).toEqual([]);
    const past = rowsBefore(first.journal, 30);
    const last = Math.max(...stampsOf(past));
    expect(last).toBeGreaterThan(THINKS_MS);
    const second = await goOn(past, true);
    const after = stampsOf(second.journal);
    expect(after).toEqual(after.toSorted((a, b) => a - b));
    expect(after.at(-1)).toBe(last + second.elapsed);
  });
});

test('a match that goes on in simulated time has no times, and is left to the system', async () => {
  const { sink, journal } = await goOn(rowsBefore(whole, 5), false);
  expect(stampsOf(journal)).toEqual([]);
  expect(sink.syncs).toBe(0);
  expect(journal).toBe(whole);
});

test('a fork without a change is its file, to the byte and in the order of both channels', async () => {
  const rows = whole.trimEnd().split('\n');
  const rounds = readJournal(whole).lines.flatMap((line) =>
    line.type === 'round.closed' ? [line.round] : [],
  );
  for (const round of rounds.slice(0, -8).filter((one) => one % 12 === 0)) {
    const { journal } = await goOn(rowsBefore(whole, round), false);
    expect(journal.trimEnd().split('\n')).toEqual(rows);
  }
});

test('a match that was killed between its two headers goes on with its ghosts', async () => {
  const [header = ''] = whole.split('\n');
  const { journal } = await goOn(`${header}\n`, false);
  const rowsOf = (text: string, channel: string) =>
    text.split('\n').filter((row) => row.includes(`"channel":"${channel}"`));
  for (const channel of ['living', 'ghosts'])
    expect(rowsOf(journal, channel)).toEqual(rowsOf(whole, channel));
});
