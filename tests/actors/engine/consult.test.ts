import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { type Answer, type Mind, type MindRequest, TIME_UP } from '../../../actors/minds/port.ts';
import type { Colour } from '../../../machines/types.ts';
import { playGame } from '../laws/journeys.ts';
import { aReply, aTable, FAULT, linesOf, meet } from '../laws/meetings.ts';

const DEADLINE_MS = 1000;

/** A meeting of four ticks at most, with another mind in some seats; the others say nothing in no time. */
async function meetWith(minds: Partial<Record<Colour, Mind>>, clock = new SimulatedClock()) {
  const options = { deadline_ms: DEADLINE_MS, max_ticks: 4, vote_after: 4 };
  const meeting = await meet(aTable({ living: 4 }, { options }), 1, {
    clock,
    recast: (mind, seat) => minds[seat] ?? mind,
  });
  return { lines: linesOf(meeting), clock };
}

/** The faults of a seat in each tick of talk; null where it has bid. */
function faultsOf(lines: Awaited<ReturnType<typeof meetWith>>['lines'], seat: Colour) {
  return lines.flatMap((line) =>
    line.type === 'tick.closed' && line.requestKind === 'discussion'
      ? [line.bids.find((bid) => bid.seat === seat)?.fault ?? null]
      : [],
  );
}

describe('an answer that is none', () => {
  const broken = { code: Symbol('code'), ok: false, text: 7 };
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'mind/no-answer'],
    ['null', null, 'mind/no-answer'],
    ['a text', 'ok', 'mind/no-answer'],
    ['a number', 7, 'mind/no-answer'],
    ['an object without ok', { received: {} }, 'mind/no-answer'],
    ['a list', [], 'mind/no-answer'],
    ['a function with ok', Object.assign(() => {}, { ok: true }), 'mind/no-answer'],
    ['a fault without a code', broken, 'mind/failed'],
    ['a fault with a sentence for its code', { ok: false, code: 'Not found' }, 'mind/failed'],
    ['a fault with a code', { ok: false, code: 'mind/tired' }, 'mind/tired'],
    ['JSON that is no reply', { ok: true, received: 7 }, 'reply/not-a-reply'],
    ['no JSON', { ok: true, received: 7n }, 'reply/not-json'],
  ])('such as %s is a fault with a code', async (_, answer, code) => {
    const returns: () => never = () => answer as never;
    const quick: Mind = { pace: 'at-once', answer: returns };
    const slow: Mind = { pace: 'in-time', answer: async () => returns() };
    const { lines } = await meetWith({ red: quick, blue: slow });
    expect(new Set(faultsOf(lines, 'red'))).toEqual(new Set([code]));
    expect(new Set(faultsOf(lines, 'blue'))).toEqual(new Set([code]));
  });
});

describe('a mind that throws', () => {
  const ODD = 'the mind threw something that is no text';
  const get = () => {
    throw new Error('looked at');
  };
  test.each<[string, unknown, string]>([
    ['an error', new Error('broken'), 'broken'],
    ['a text', 'broken', 'broken'],
    ['a long text', 'x'.repeat(201), 'x'.repeat(200)],
    ['nothing', undefined, 'undefined'],
    ['what is no text', { toString: () => ({}) }, ODD],
    ['what throws when it is looked at', new Proxy({}, { get }), ODD],
  ])('%s is at fault, whatever its pace', async (_, thrown, text) => {
    const quick: Mind = {
      pace: 'at-once',
      answer: () => {
        throw thrown;
      },
    };
    const slow: Mind = { pace: 'in-time', answer: () => Promise.reject(thrown) };
    const { lines } = await meetWith({ red: quick, blue: slow });
    const closed = lines.find((line) => line.type === 'tick.closed');
    const bids = closed?.bids.filter(({ seat }) => seat === 'red' || seat === 'blue');
    expect(bids).toMatchObject([
      { seat: 'red', fault: 'mind/threw', text },
      { seat: 'blue', fault: 'mind/threw', text },
    ]);
  });
});

const WORDS: Answer = { ok: true, received: aReply({ message: 'boo' }) };

/** A mind that never answers requests of one kind, and what its signals were aborted with. */
function hanging(keeps: boolean, kind: MindRequest['kind'] | null = null) {
  const reasons: unknown[] = [];
  const mind: Mind = {
    pace: 'in-time',
    answer: (request, signal, keepTime) => {
      if (kind !== null && request.kind !== kind) return Promise.resolve(FAULT);
      if (keeps) keepTime();
      signal.addEventListener('abort', () => reasons.push(`${request.index} ${signal.reason}`));
      return new Promise(() => {});
    },
  };
  return { mind, reasons };
}

function taking(clock: SimulatedClock, ms: number, keeps: boolean, answer: Answer = FAULT): Mind {
  return {
    pace: 'in-time',
    answer: async (_: MindRequest, _signal: AbortSignal, keepTime: () => void) => {
      if (keeps) keepTime();
      await clock.sleep(ms);
      return answer;
    },
  };
}

describe('a mind that does not answer in time', () => {
  test('a mind that misses the deadline is late, and its signal reports it', async () => {
    const { mind, reasons } = hanging(false);
    const { lines, clock } = await meetWith({ red: mind });
    expect(faultsOf(lines, 'red')).toEqual(Array(4).fill('mind/late'));
    expect(reasons.slice(0, 4)).toEqual([0, 1, 2, 3].map((tick) => `${tick} ${TIME_UP}`));
    expect(clock.elapsed).toBeGreaterThanOrEqual(4 * DEADLINE_MS);
  });

  test('a ghost that misses the deadline is informed by its signal', async () => {
    const { mind, reasons } = hanging(false, 'ghost');
    const options = { deadline_ms: DEADLINE_MS, max_ticks: 4, vote_after: 4 };
    const meeting = await meet(aTable({ living: 4, dead: 2 }, { options }), 1, {
      recast: (given, seat) => {
        if (seat === 'yellow') return mind;
        // A ghost that takes its time, and less than there is.
        return seat === 'orange' ? { pace: 'in-time', answer: async () => WORDS } : given;
      },
    });
    const turns = linesOf(meeting).filter((line) => line.type === 'turn.closed');
    const faults = turns.flatMap(({ bids }) => bids.map(({ seat, fault }) => `${seat} ${fault}`));
    expect(new Set(faults)).toEqual(new Set(['orange undefined', 'yellow mind/late']));
    expect(reasons.length).toBeGreaterThan(1);
    // The last turn of the gallery ends with the meeting, which gives no reason.
    expect(
      new Set(reasons.slice(0, -1).map((reason) => `${reason}`.split(' ').slice(1).join(' '))),
    ).toEqual(new Set([TIME_UP]));
  });

  test('a mind on the ship that misses the deadline is informed by its signal', async () => {
    const { mind, reasons } = hanging(false, 'action');
    const seats = (['red', 'blue', 'green', 'pink'] as const).map((colour) => ({ colour }));
    const options = { round_deadline_ms: DEADLINE_MS, max_rounds: 3, impostors: 1 };
    const others: Partial<Record<Colour, Mind>> = {
      green: mind,
      blue: { pace: 'at-once', answer: () => FAULT },
      pink: { pace: 'at-once', answer: () => ({ ok: true, received: 7 }) },
    };
    const recast = (given: Mind, seat: Colour) => others[seat] ?? given;
    const { lines } = await playGame({ name: 'slow', seats, options }, 1, { recast });
    const first = lines.find((line) => line.type === 'round.closed');
    const orders = first?.orders.map(({ seat, fault, received }) => [seat, { fault, received }]);
    expect(Object.fromEntries(orders ?? [])).toMatchObject({
      red: { fault: undefined },
      blue: { fault: 'mind/silent', received: undefined },
      green: { fault: 'mind/late', received: undefined },
      pink: { fault: 'order/not-an-order', received: 7 },
    });
    expect(reasons.slice(0, 2)).toEqual([0, 1].map((round) => `${round} ${TIME_UP}`));
  });

  test('is not given up once it has answered, not even when the match is over', async () => {
    const signals: AbortSignal[] = [];
    const mind: Mind = {
      pace: 'in-time',
      answer: async (_, signal) => {
        signals.push(signal);
        return FAULT;
      },
    };
    await meetWith({ red: mind });
    expect(signals.length).toBeGreaterThanOrEqual(4);
    expect(signals.filter(({ aborted }) => aborted)).toEqual([]);
  });

  test.each([
    { ms: DEADLINE_MS - 1, keeps: false, fault: FAULT.ok ? '' : FAULT.code },
    { ms: DEADLINE_MS + 1, keeps: false, fault: 'mind/late' },
    { ms: 5 * DEADLINE_MS, keeps: true, fault: FAULT.ok ? '' : FAULT.code },
  ])('after $ms ms is judged by the deadline unless it keeps its own time ($keeps)', async (at) => {
    const clock = new SimulatedClock();
    const { lines } = await meetWith({ red: taking(clock, at.ms, at.keeps) }, clock);
    expect(new Set(faultsOf(lines, 'red'))).toEqual(new Set([at.fault]));
  });

  test('is late at the deadline although another one keeps its own time', async () => {
    const clock = new SimulatedClock();
    const { mind, reasons } = hanging(false);
    const { lines } = await meetWith(
      { red: taking(clock, 5 * DEADLINE_MS, true), blue: mind },
      clock,
    );
    expect(faultsOf(lines, 'blue')).toEqual(Array(4).fill('mind/late'));
    expect(reasons.slice(0, 4)).toEqual([0, 1, 2, 3].map((tick) => `${tick} ${TIME_UP}`));
    expect(new Set(faultsOf(lines, 'red'))).not.toContain('mind/late');
    expect(clock.elapsed).toBeGreaterThanOrEqual(4 * 5 * DEADLINE_MS);
  });
});

describe('the memory of a mind that answers at once', () => {
  async function rememberedOf(first: object) {
    const requests: MindRequest[] = [];
    const mind: Mind = {
      pace: 'at-once',
      answer: (request) => {
        requests.push(request);
        return { ok: true, received: requests.length === 1 ? { ...aReply(), ...first } : aReply() };
      },
    };
    await meetWith({ red: mind });
    const [, second] = requests;
    if (second?.kind !== 'discussion') return expect.unreachable('expected a second tick');
    const { notices, pads } = second.view.you;
    return { notices: notices.map(({ code }) => code), pads };
  }
  const EMPTY = { main: '', meeting: '' };

  test.each<[string, object, object]>([
    ['nothing', {}, { notices: [], pads: EMPTY }],
    ['one note', { target: 7 }, { notices: ['reply/field'], pads: EMPTY }],
    [
      'two notes',
      { target: 7, vote_action: 7 },
      { notices: ['reply/field', 'reply/field'], pads: EMPTY },
    ],
    [
      'a page for the game',
      { scratchpad_updates: { main_scratch: 'Red lies.' } },
      { notices: [], pads: { main: 'Red lies.', meeting: '' } },
    ],
    [
      'a page for the meeting',
      { scratchpad_updates: { meeting_scratch: 'Red lies.' } },
      { notices: [], pads: { main: '', meeting: 'Red lies.' } },
    ],
  ])('%s', async (_, first, remembered) => {
    expect(await rememberedOf(first)).toMatchObject(remembered);
  });

  test.each<[string, object, readonly string[], string]>([
    ['nothing', {}, [], ''],
    ['a note', { internal_thought: 7 }, ['reply/field'], ''],
    ['a page', { scratchpad_updates: { main_scratch: 'Go left.' } }, [], 'Go left.'],
  ])('on the ship: %s', async (_, first, codes, main) => {
    const seen: { readonly codes: readonly string[]; readonly main: string }[] = [];
    const mind: Mind = {
      pace: 'at-once',
      answer: (request) => {
        if (request.kind !== 'action') return FAULT;
        const { notices, pads } = request.view.you;
        seen.push({ codes: notices.map(({ code }) => code), main: pads.main });
        const own = seen.length === 1 ? first : {};
        return { ok: true, received: { action: null, ...own } };
      },
    };
    const seats = (['red', 'blue', 'green', 'pink'] as const).map((colour) => ({ colour }));
    const game = { name: 'notes', seats, options: { max_rounds: 3, impostors: 1 } };
    await playGame(game, 1, { recast: (given, seat) => (seat === 'green' ? mind : given) });
    expect(seen[0]).toEqual({ codes: [], main: '' });
    expect(seen[1]?.codes.filter((code) => code === 'reply/field')).toEqual(codes);
    expect(seen[1]?.main).toBe(main);
  });

  test('a note is said once', async () => {
    const seen: (readonly string[])[] = [];
    const mind: Mind = {
      pace: 'at-once',
      answer: (request) => {
        if (request.kind === 'discussion')
          seen.push(request.view.you.notices.map(({ code }) => code));
        return { ok: true, received: { ...aReply(), ...(seen.length === 1 ? { target: 7 } : {}) } };
      },
    };
    await meetWith({ red: mind });
    expect(seen).toEqual([[], ['reply/field'], [], []]);
  });
});
