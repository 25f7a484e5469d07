/** From journal to spans: each span once, whoever reads the journal, when, and in how many pieces. */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { readCalls } from '../../../actors/minds/openai/calls.ts';
import { cutBefore } from '../../../actors/replay/continue.ts';
import { JournalSpans } from '../../../actors/telemetry/journalSpans.ts';
import type { OtlpSpan } from '../../../actors/telemetry/otlp.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { attributesOf } from '../../support/collector.ts';
import { seeds } from '../../support/seeds.ts';
import { aLobby, gameLines, playGame } from '../laws/journeys.ts';
import { goOnAt, modelTable, toLines } from '../minds/openai/slowServers.ts';
import { meetModels, OPTIONS, playModelGame, readSpans } from './journals.ts';

const SEEDS = Array.from({ length: seeds(3, 60) }, (_, index) => index + 1);
const JOURNALS = [
  ...(await Promise.all(SEEDS.map(async (seed) => ['game', seed, await playModelGame(seed)]))),
  ...(await Promise.all(SEEDS.map(async (seed) => ['meeting', seed, await meetModels(seed)]))),
].map(([kind, seed, text]) => ({ kind, seed, lines: toLines(String(text)), text: String(text) }));
const [aGame] = JOURNALS;
const aMeeting = JOURNALS[SEEDS.length];
if (aGame === undefined || aMeeting === undefined) throw new Error('there are no journals');

const named = (spans: readonly OtlpSpan[], name: RegExp) =>
  spans.filter((span) => name.test(span.name));
const ms = (nano: string) => Number(BigInt(nano) / 1_000_000n) - OPTIONS.timeAt(0);
const count = (lines: readonly Line[], type: Line['type']) =>
  lines.filter((line) => line.type === type).length;

describe.each(JOURNALS)('a $kind of models (seed $seed)', ({ kind, lines }) => {
  const spans = readSpans(lines);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const [root, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);

  test('has one span for each tick, turn, round, meeting and request, and one for all', () => {
    expect(others).toEqual([]);
    expect(root?.name).toBe(`invoke_workflow ${kind}`);
    expect(named(spans, /^tick /)).toHaveLength(count(lines, 'tick.closed'));
    expect(named(spans, /^turn /)).toHaveLength(count(lines, 'turn.closed'));
    expect(named(spans, /^round$/)).toHaveLength(count(lines, 'round.closed'));
    const meetings = kind === 'game' ? count(lines, 'meeting.called') : 0;
    expect(named(spans, /^meeting$/)).toHaveLength(meetings);
    expect(named(spans, /^chat m$/)).toHaveLength(readCalls(lines).length);
    expect(readCalls(lines).length).toBeGreaterThan(10);
  });

  test('ends every span once, in one trace, under a parent that is there', () => {
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    for (const { traceId, spanId, parentSpanId } of spans) {
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
      if (parentSpanId !== undefined) expect(byId.has(parentSpanId)).toBe(true);
    }
  });

  test('keeps the times of the journal: nothing begins before its parent or ends before it begins', () => {
    for (const { name, startTimeUnixNano, endTimeUnixNano, parentSpanId } of spans) {
      expect(ms(endTimeUnixNano)).toBeGreaterThanOrEqual(ms(startTimeUnixNano));
      const parent = byId.get(parentSpanId ?? '');
      if (parent === undefined) continue;
      expect(ms(startTimeUnixNano)).toBeGreaterThanOrEqual(ms(parent.startTimeUnixNano));
      // The gallery may be done after the meeting, and a request that was given up after its tick.
      if (!/^(?:turn|chat)/.test(name))
        expect(ms(endTimeUnixNano)).toBeLessThanOrEqual(ms(parent.endTimeUnixNano));
    }
    const stamps = lines.flatMap(({ clock }) => clock?.['ms'] ?? []);
    expect(ms(root?.endTimeUnixNano ?? '0')).toBeLessThanOrEqual(Math.max(...stamps.map(Number)));
  });

  test('puts each request into the tick, turn or round in which it was made', () => {
    for (const call of named(spans, /^chat/)) {
      const told = attributesOf(call);
      const parent = byId.get(call.parentSpanId ?? '');
      const index = { round: 'glassbox.round', tick: 'glassbox.tick', turn: 'glassbox.turn' };
      const [word] = (parent?.name ?? '').split(' ');
      const key = Object.entries(index).find(([name]) => name === word)?.[1] ?? '';
      expect(attributesOf(parent ?? call)[key]).toBe(told['glassbox.index']);
    }
  });

  test('puts the requests of a player in a tick one behind the other', () => {
    // A refused request takes no simulated time.
    const slow = lines.map((line) => {
      const calls = line.clock?.['calls'];
      if (!Array.isArray(calls)) return line;
      return {
        ...line,
        clock: { ...line.clock, calls: calls.map((call) => ({ ...call, ms: 7 })) },
      };
    });
    const all = readSpans(slow);
    const starts = new Map(all.map((span) => [span.spanId, ms(span.startTimeUnixNano)]));
    const ends = new Map<string, number>();
    const calls = named(all, /^chat/);
    for (const call of calls) {
      const key = `${call.parentSpanId} ${attributesOf(call)['gen_ai.agent.name']}`;
      const begins = ends.get(key) ?? starts.get(call.parentSpanId ?? '');
      expect(ms(call.startTimeUnixNano)).toBe(begins);
      ends.set(key, ms(call.startTimeUnixNano) + 7);
    }
    expect(ends.size).toBeLessThan(calls.length);
  });

  test('adds up each meeting, with what was noted by its end, and has its ticks and turns in it', () => {
    const meetings = kind === 'game' ? named(spans, /^meeting$/) : [root];
    const noted = meetings.map(() => 0);
    const turns = meetings.map(() => 0);
    let [at, isOpen] = [-1, false];
    for (const line of lines) {
      const talk = readCalls([line]).filter(({ requestKind }) => requestKind !== 'action');
      if (isOpen) noted[at] = (noted[at] ?? 0) + talk.length;
      if (line.type === 'meeting.called') [at, isOpen] = [at + 1, true];
      if (line.type === 'meeting.closed') isOpen = false;
      if (line.type === 'turn.closed') turns[at] = (turns[at] ?? 0) + 1;
    }
    const told = meetings.map((one) => attributesOf(one ?? { attributes: [] }));
    expect(told.map((one) => Number(one['glassbox.usage.calls'] ?? 0))).toEqual(noted);
    const inside = (id: string | undefined) =>
      named(spans, /^turn/).filter(({ parentSpanId }) => parentSpanId === id).length;
    expect(meetings.map((one) => inside(one?.spanId))).toEqual(turns);
  });

  test('adds up: what the whole says of requests, tokens and dollars is the sum of them', () => {
    const calls = named(spans, /^chat/).map(attributesOf);
    const sum = (name: string) => calls.reduce((all, one) => all + Number(one[name] ?? 0), 0);
    const whole = attributesOf(root ?? { attributes: [] });
    expect(whole['glassbox.usage.calls']).toBe(calls.length);
    expect(whole['glassbox.usage.input_tokens']).toBe(sum('gen_ai.usage.input_tokens'));
    expect(whole['glassbox.usage.output_tokens']).toBe(sum('gen_ai.usage.output_tokens'));
    expect(whole['glassbox.usage.cost']).toBeCloseTo(sum('gen_ai.usage.cost'), 9);
    const dollars = sum('gen_ai.usage.input_tokens') + 10 * sum('gen_ai.usage.output_tokens');
    expect(whole['glassbox.usage.cost']).toBeCloseTo(dollars / 1e6, 9);
  });

  test('goes on at any line: the spans of both pieces are those of the whole', () => {
    const step = Math.max(1, Math.floor(lines.length / seeds(12, 60)));
    for (let cut = 0; cut <= lines.length; cut += step) {
      const before = new JournalSpans(OPTIONS);
      const first = lines.slice(0, cut).flatMap((line) => before.read(line));
      const after = new JournalSpans(OPTIONS);
      for (const line of lines.slice(0, cut)) after.read(line);
      const second = [...lines.slice(cut).flatMap((line) => after.read(line)), ...after.end()];
      expect([...first, ...second]).toEqual(spans);
    }
  });
});

describe('a journal', () => {
  test('that is read from its text has the spans that it had while it was played', async () => {
    const { written } = await playGame(aLobby(5, { max_ticks: 3, vote_after: 1 }), 4);
    const played = readSpans(written.map(({ line }) => line));
    const read = readSpans(toLines(written.map(({ text }) => `${text}\n`).join('')));
    expect(played.length).toBeGreaterThan(10);
    expect(JSON.stringify(read)).toBe(JSON.stringify(played));
  });

  test('without times is told by the clock of the game: a round has 2.5 s, a tick one', async () => {
    const lines = gameLines(await playGame(aLobby(5, { max_ticks: 3, vote_after: 1 }), 4));
    const spans = readSpans(lines);
    const [root] = named(spans, /^invoke/);
    const [rounds, ticks] = [count(lines, 'round.closed'), count(lines, 'tick.closed')];
    expect(ticks).toBeGreaterThan(0);
    expect(ms(root?.endTimeUnixNano ?? '')).toBe(rounds * 2500 + ticks * 1000);
    expect(attributesOf(root ?? { attributes: [] })['glassbox.time']).toBe('logical');
    expect(
      attributesOf(named(readSpans(aGame.lines), /^invoke/)[0] ?? { attributes: [] }),
    ).toMatchObject({ 'glassbox.time': 'measured' });
  });

  test('of the same seed is another trace where other times or answers are in it', async () => {
    const again = toLines(await playModelGame(1));
    const id = (lines: readonly Line[]) => readSpans(lines)[0]?.traceId;
    expect(id(again)).toBe(id(aGame.lines));
    const slower = again.map((line) =>
      line.type === 'round.closed' ? { ...line, clock: { ...line.clock, ms: 987_654 } } : line,
    );
    expect(id(slower)).not.toBe(id(aGame.lines));
  });

  test('that breaks off has the spans that have ended, and says how many have not', () => {
    const at = aGame.lines.findIndex(({ type }) => type === 'tick.closed') + 1;
    expect(at).toBeGreaterThan(1);
    const reading = new JournalSpans(OPTIONS);
    const spans = aGame.lines.slice(0, at).flatMap((line) => reading.read(line));
    expect([...spans, ...reading.end()].map(({ name }) => name)).not.toContain('meeting');
    expect(reading.openCount).toBe(2);
    expect(new JournalSpans(OPTIONS)).toMatchObject({ openCount: 0, traceId: null });
  });

  test('keeps a request to its own meeting, wherever in it the request was noted', () => {
    const all = JOURNALS.map(({ lines }) => lines);
    const lines = all.find((one) => count(one, 'meeting.called') > 1) ?? [];
    const second = lines.findLastIndex(({ type }) => type === 'meeting.called');
    // A turn of the ghosts may be over before the first tick.
    const turn = lines.findIndex(({ type }, at) => at > second && type === 'turn.closed');
    expect(turn).toBeGreaterThan(second);
    const moved = lines.toSpliced(turn, 1).toSpliced(second + 2, 0, ...lines.slice(turn, turn + 1));
    const closed = moved.findIndex(({ type }, at) => at > second && type === 'tick.closed');
    const { calls, ...stamp } = moved[closed]?.clock ?? {};
    expect(Array.isArray(calls)).toBe(true);
    const early = moved.map((line, at) => {
      if (at === closed) return { ...line, clock: stamp };
      return at === second + 1 ? { ...line, clock: { ...line.clock, calls } } : line;
    });
    const shapes = (spans: readonly OtlpSpan[]) =>
      named(spans, /^chat/).map(({ spanId: _, ...span }) => JSON.stringify(span));
    expect(shapes(readSpans(early)).toSorted()).toEqual(shapes(readSpans(moved)).toSorted());
  });

  test('without the lines of the ghosts is in the same trace', () => {
    const living = aMeeting.lines.filter(({ channel }) => channel === 'living');
    const [one] = readSpans(living);
    expect(one?.traceId).toBe(readSpans(aMeeting.lines)[0]?.traceId);
  });
});

describe('a match that was killed', () => {
  test('and resumed elsewhere is one trace with one end', async () => {
    const journal = readJournal(aMeeting.text);
    const past = cutBefore(journal, { type: 'tick', meeting: 0, tick: 2 });
    const rows = aMeeting.text.split('\n').slice(0, past?.lines.length ?? 0);
    const server = { seed: 9, slots: 1, workMs: () => 300 };
    const resumed = await goOnAt(server, `${rows.join('\n')}\n`);
    const first = new JournalSpans(OPTIONS);
    const before = (past?.lines ?? []).flatMap((line) => first.read(line));
    const second = new JournalSpans(OPTIONS);
    const spans = resumed.lines.map((line) => second.read(line));
    const after = [...spans.slice(past?.lines.length).flat(), ...second.end()];
    expect(before.length).toBeGreaterThan(3);
    const all = [...before, ...after];
    expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(all.length);
    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1);
    expect(all.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
    expect(all).toEqual(readSpans(resumed.lines));
  });

  test('and forked ends what begins in the fork, and leaves the rest to its original', async () => {
    const at = aGame.lines.findIndex(({ type }) => type === 'tick.closed') + 1;
    const fork = new JournalSpans(OPTIONS);
    for (const line of aGame.lines.slice(0, at)) fork.read(line);
    fork.leaveOpen();
    const spans = aGame.lines.slice(at).flatMap((line) => fork.read(line));
    const whole = readSpans(aGame.lines);
    const open = whole.find(({ name }) => name === 'meeting');
    expect(spans.map(({ spanId }) => spanId)).not.toContain(open?.spanId);
    expect(named(spans, /^invoke/)).toEqual([]);
    expect(named(spans, /^tick/)[0]?.parentSpanId).toBe(open?.spanId);
  });
});

describe('a request', () => {
  const told = (spans: readonly OtlpSpan[]) => named(spans, /^chat/).map(attributesOf);

  test('has the attributes of the conventions', () => {
    const [first] = named(readSpans(aMeeting.lines), /^chat/);
    expect(first).toMatchObject({ name: 'chat m', kind: 3 });
    expect(attributesOf(first ?? { attributes: [] })).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'ollama',
      'gen_ai.request.model': 'm',
      'gen_ai.output.type': 'json',
      'server.address': 'localhost',
      'server.port': 11434,
      'gen_ai.conversation.id': first?.traceId,
    });
  });

  test('that failed has an error and its kind', () => {
    const spans = named(readSpans(aMeeting.lines), /^chat/);
    const failures = readCalls(aMeeting.lines).filter(({ failure }) => failure !== null);
    expect(failures.length).toBeGreaterThan(0);
    const failed = spans.filter(({ status }) => status !== undefined);
    expect(failed.map(({ status }) => status?.message).toSorted()).toEqual(
      failures.map(({ failure }) => failure).toSorted(),
    );
    for (const span of failed) {
      expect(span.status?.code).toBe(2);
      expect(attributesOf(span)['error.type']).toBe(span.status?.message?.split(' ')[0]);
    }
  });

  test.each([
    ['https://api.openai.com/v1', 'openai', 'api.openai.com', 443],
    ['https://api.openai.com/v1/', 'openai', 'api.openai.com', 443],
    [undefined, 'openai', 'api.openai.com', 443],
    ['https://generativelanguage.googleapis.com/v1beta/openai', 'gcp.gemini', /google/, 443],
    ['https://api.mistral.ai/v1', 'mistral_ai', 'api.mistral.ai', 443],
    ['https://api.x.ai/v1', 'x_ai', 'api.x.ai', 443],
    ['https://openrouter.ai/api/v1', 'openrouter', 'openrouter.ai', 443],
    ['http://gpu.home:9000/v1', 'gpu.home', 'gpu.home', 9000],
    ['http://user:secret@gpu.home/v1', 'gpu.home', 'gpu.home', 80],
    ['nowhere', '_OTHER', undefined, undefined],
  ])('at %s is one to %s', (baseUrl, provider, address, port) => {
    const seats = modelTable(3, 5).seats.map(({ base_url: _, ...seat }) =>
      baseUrl === undefined ? seat : { ...seat, base_url: baseUrl },
    );
    const spans = readSpans(aMeeting.lines, { seats });
    const red = told(spans).find((one) => one['gen_ai.agent.name'] === 'red');
    expect(red?.['gen_ai.provider.name']).toBe(provider);
    if (address instanceof RegExp) expect(red?.['server.address']).toMatch(address);
    else expect(red?.['server.address']).toBe(address);
    expect(red?.['server.port']).toBe(port);
    expect(JSON.stringify(spans)).not.toContain('secret');
  });

  test('tells what was answered only where that is asked for, and never a thought beside it', () => {
    const answers = aMeeting.lines.flatMap((line) =>
      line.type === 'tick.closed' ? line.bids.map(({ received }) => received) : [],
    );
    const thoughts = answers.flatMap((answer) => {
      const thought = Object(answer)['internal_thought'];
      return typeof thought === 'string' && thought.length > 10 ? [thought] : [];
    });
    expect(thoughts.length).toBeGreaterThan(3);
    const silent = JSON.stringify(readSpans(aMeeting.lines));
    expect(silent).not.toContain('gen_ai.output.messages');
    for (const thought of thoughts) expect(silent).not.toContain(thought);
    const open = named(readSpans(aMeeting.lines, { hasContent: true }), /^chat/);
    const message = open[0]?.attributes.find(({ key }) => key === 'gen_ai.output.messages');
    const content = JSON.stringify(message);
    expect(content).toContain('assistant');
    expect(content).toContain('internal_thought');
    const failed = open.filter(({ status }) => status !== undefined);
    expect(failed.length).toBeGreaterThan(0);
    expect(JSON.stringify(failed)).not.toContain('gen_ai.output.messages');
  });

  test('costs what the endpoint says, else what the price says, else nothing is said', () => {
    const withCost = (cost: number | null) =>
      aMeeting.lines.map((line) => {
        const calls = line.clock?.['calls'];
        if (!Array.isArray(calls)) return line;
        const priced = calls.map((call) => ({ ...call, usage: { ...call.usage, cost } }));
        return { ...line, clock: { ...line.clock, calls: priced } };
      });
    const costs = (lines: readonly Line[], prices = OPTIONS.prices) =>
      told(readSpans(lines, { prices })).map((one) => one['gen_ai.usage.cost']);
    expect(new Set(costs(withCost(0.25)))).toEqual(new Set([0.25]));
    expect(costs(withCost(null)).some((cost) => typeof cost === 'number')).toBe(true);
    expect(new Set(costs(withCost(null), {}))).toEqual(new Set([undefined]));
  });
});

test('what is no request, and lines that are missing, break nothing', () => {
  const spoilt = aGame.lines.map((line, index) =>
    index % 3 === 0
      ? { ...line, clock: { ms: Number.NaN, calls: [null, 7, { seat: 'red' }] } }
      : line,
  );
  expect(() => readSpans(spoilt)).not.toThrow();
  for (let gap = 1; gap < aGame.lines.length; gap += 7) {
    const spans = readSpans(aGame.lines.filter((_, index) => index !== gap));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  }
});
