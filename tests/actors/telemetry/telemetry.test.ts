/** The door of telemetry: what it is given can't break a match, and a match that goes on keeps its times. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { realWeb } from '../../../actors/ports/web.ts';
import { Telemetry } from '../../../actors/telemetry/telemetry.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { Collector } from '../../support/collector.ts';
import { toLines } from '../minds/openai/slowServers.ts';
import { meetModels } from './journals.ts';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 22);

/** A clock whose date is set by hand; its timers never go off. */
class SetClock extends SimulatedClock {
  at = START;

  override date(): number {
    return this.at;
  }
}

async function atCollector() {
  const collector = await Collector.open();
  const notes: string[] = [];
  const time = new SetClock();
  const open = () => {
    const telemetry = Telemetry.open({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      version: '1.2.3',
      prices: {},
      time,
      web: realWeb,
      onNote: (text) => notes.push(text),
    });
    if (telemetry === null) return expect.unreachable();
    return telemetry;
  };
  return { collector, notes, time, open };
}

const lines = toLines(await meetModels(2));
const cut = lines.findIndex(({ type }) => type === 'tick.closed') + 1;
const lengthMs = Number(lines[cut - 1]?.clock?.['ms']);
const ms = (nano: string | undefined) => Number(BigInt(nano ?? 0) / 1_000_000n);

describe('a match that goes on an hour later', () => {
  test('begins when it began, and ends an hour later: what was open is from before', async () => {
    const { collector, notes, time, open } = await atCollector();
    const first = open();
    first.begin([]);
    for (const line of lines.slice(0, cut)) first.note(line);
    await first.close();
    const sent = collector.spans.length;
    time.at = START + HOUR_MS;
    const second = open();
    second.takeUp({ lines: lines.slice(0, cut), startedAt: () => START });
    for (const line of lines.slice(cut)) second.note(line);
    await second.close();
    const [before, after] = [collector.spans.slice(0, sent), collector.spans.slice(sent)];
    expect(before.length).toBeGreaterThan(2);
    for (const span of before) expect(ms(span.endTimeUnixNano)).toBeLessThan(START + HOUR_MS);
    const root = after.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(ms(root?.startTimeUnixNano)).toBeLessThan(START + HOUR_MS);
    expect(ms(root?.endTimeUnixNano)).toBeGreaterThan(START + HOUR_MS);
    const tick = after.find(({ name }) => name.startsWith('tick'));
    expect(ms(tick?.startTimeUnixNano)).toBe(START + HOUR_MS);
    expect(lengthMs).toBeGreaterThan(0);
    for (const span of collector.spans)
      expect(ms(span.endTimeUnixNano)).toBeGreaterThanOrEqual(ms(span.startTimeUnixNano));
    expect(notes).toEqual([]);
    await collector.close();
  });
});

test('a match that is said to begin after it went on has begun before', async () => {
  const { collector, open } = await atCollector();
  const telemetry = open();
  const startedAt = () => START + 10 * HOUR_MS;
  telemetry.takeUp({ lines: lines.slice(0, cut), startedAt });
  for (const line of lines.slice(cut)) telemetry.note(line);
  await telemetry.close();
  const root = collector.spans.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(START - ms(root?.startTimeUnixNano)).toBeGreaterThanOrEqual(0);
  await collector.close();
});

test('a line of which nothing can be made costs the spans of its match and one note', async () => {
  const { collector, notes, open } = await atCollector();
  const telemetry = open();
  const broken: Line[] = lines.map((line, index) =>
    index === cut ? Object.defineProperty({ ...line }, 'clock', { get: fail }) : line,
  );
  telemetry.begin([]);
  for (const line of broken) telemetry.note(line);
  telemetry.begin([]);
  for (const line of broken) telemetry.note(line);
  telemetry.takeUp({ lines: broken, startedAt: () => START });
  telemetry.noteWhole(broken);
  await telemetry.close();
  expect(notes).toEqual(["telemetry: the spans of a match can't be made: no clock"]);
  await collector.close();
});

function fail(): never {
  throw new Error('no clock');
}
