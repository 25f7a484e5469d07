import { describe, expect, test } from 'vitest';
import {
  type AnsweredRequest,
  type GivenSettings,
  measurePace,
  type ProbeFindings,
  suggestSettings,
} from '../../../analysis/models/modelPace.ts';
import { uniform } from '../../support/endpoint/pick.ts';
import { seeds } from '../../support/seeds.ts';

type Work = { readonly ms: number; readonly tokens: number | null };

const steady = (ms: number, count: number, tokens: number | null = null): readonly Work[] =>
  Array.from({ length: count }, () => ({ ms, tokens }));

function queueAt(slots: number, works: readonly Work[], apartMs = 10): readonly AnsweredRequest[] {
  const free = Array.from({ length: slots }, () => 0);
  return works.map(({ ms, tokens }, index) => {
    const sentAt = index * apartMs;
    const slot = free.indexOf(Math.min(...free));
    const endedAt = Math.max(sentAt, free[slot] ?? 0) + ms;
    free[slot] = endedAt;
    return { sentAt, endedAt, tokens };
  });
}

const oneByOne = (works: readonly Work[]) => queueAt(1, works, 1_000_000);

describe('slots', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('%i are seen where all answers take as long', (slots) => {
    for (const ms of [100, 5_000, 60_000]) {
      const pace = measurePace(oneByOne(steady(ms, 3)), queueAt(slots, steady(ms, 8)));
      expect(pace.slots).toBe(slots);
      // As many waves as needed, less the delays between requests.
      expect(Math.abs(pace.speedup - 8 / Math.ceil(8 / slots))).toBeLessThan(ms === 100 ? 4 : 0.2);
    }
  });

  test('no more are seen than were asked', () => {
    expect(measurePace(oneByOne(steady(1_000, 3)), queueAt(64, steady(1_000, 8))).slots).toBe(8);
    expect(measurePace(oneByOne(steady(1_000, 3)), queueAt(64, steady(1_000, 3))).slots).toBe(3);
  });

  test.each([1, 2, 3, 4, 8])('%i are seen where work goes with the tokens', (slots) => {
    const works = [30, 120, 60, 200, 45, 90, 150, 70].map((tokens) => ({
      ms: tokens * 25,
      tokens,
    }));
    const alone = oneByOne([80, 110, 50].map((tokens) => ({ ms: tokens * 25, tokens })));
    const pace = measurePace(alone, queueAt(slots, works));
    expect(pace.slots).toBe(slots);
    expect(pace.tokensPerSecond).toBe(40);
  });

  test('8 are seen where all become slower together, and the speedup says what that brings', () => {
    const pace = measurePace(oneByOne(steady(1_000, 3)), queueAt(8, steady(8_000, 8)));
    expect(pace.slots).toBe(8);
    expect(pace.speedup).toBeCloseTo(1, 1);
  });

  function countSeen(slots: number, longest: number): ReadonlyMap<number, number> {
    const servers = seeds(400, 20_000);
    const seen = new Map<number, number>();
    for (let seed = 0; seed < servers; seed++) {
      const draw = (what: string) =>
        500 * (1 + (longest - 1) * uniform(`${seed} ${slots} ${what}`));
      const works = (count: number, what: string) =>
        Array.from({ length: count }, (_, at) => ({ ms: draw(`${what} ${at}`), tokens: null }));
      const pace = measurePace(oneByOne(works(3, 'alone')), queueAt(slots, works(8, 'together')));
      seen.set(pace.slots, (seen.get(pace.slots) ?? 0) + 1 / servers);
    }
    return seen;
  }

  const share = (seen: ReadonlyMap<number, number>, least: number, most: number) =>
    [...seen].reduce(
      (sum, [slots, part]) => (slots >= least && slots <= most ? sum + part : sum),
      0,
    );

  // Measured over 400 servers: 0.97, 0.84, 0.76, 0.59 exactly, and 1.00, 0.98, 0.95, 0.85 with one more.
  test.each([
    [1, 0.9, 0.98],
    [2, 0.75, 0.95],
    [3, 0.65, 0.9],
    [4, 0.5, 0.8],
  ])(
    'servers with %i slots, with answers that differ twofold, are measured right in %d of all cases',
    (slots, exactly, nearly) => {
      const seen = countSeen(slots, 2);
      expect(share(seen, slots, slots)).toBeGreaterThan(exactly);
      expect(share(seen, slots, slots + 1)).toBeGreaterThan(nearly);
    },
  );

  // Measured: 0.045, and none with fewer than 5.
  test('a queue that is not there is seen in less than a tenth of cases, where answers differ fourfold', () => {
    const seen = countSeen(8, 4);
    expect(share(seen, 1, 7)).toBeLessThan(0.1);
    expect(share(seen, 1, 4)).toBeLessThan(0.02);
  });
});

test('pace is measured from the times and tokens of four answers', () => {
  const together = [
    { sentAt: 0, endedAt: 1_000, tokens: 10 },
    { sentAt: 0, endedAt: 2_000, tokens: 20 },
    { sentAt: 0, endedAt: 4_000, tokens: 30 },
    { sentAt: 1_000, endedAt: 6_000, tokens: 40 },
  ];
  const alone = [
    { sentAt: 0, endedAt: 1_000, tokens: 10 },
    { sentAt: 2_000, endedAt: 5_000, tokens: 50 },
  ];
  expect(measurePace(alone, together)).toMatchObject({
    aloneMs: 2_000,
    medianMs: 3_000,
    slowestMs: 5_000,
    tokensPerSecond: 15,
    tokensPerSecondTogether: 100 / 6,
    speedup: 8 / 6,
  });
  const uncounted = together.map((one, index) => (index === 0 ? { ...one, tokens: null } : one));
  expect(measurePace(alone, uncounted).tokensPerSecondTogether).toBeNull();
});

const GIVEN: GivenSettings = {
  concurrency: 8,
  perMinute: null,
  tickMs: 300_000,
  waitMs: 300_000,
  hasEffort: false,
};

const FOUND: ProbeFindings = {
  pace: {
    aloneMs: 2_000,
    medianMs: 2_000,
    slowestMs: 2_500,
    tokensPerSecond: 40,
    tokensPerSecondTogether: 300,
    slots: 8,
    speedup: 8,
  },
  together: 8,
  coldMs: 2_000,
  thinks: false,
  takenInMinute: null,
  context: { tokens: 8_192, source: '/models: max_model_len' },
  neededContext: 8_192,
};

const withPace = (pace: Partial<ProbeFindings['pace']>) => ({ pace: { ...FOUND.pace, ...pace } });

describe('what to set', () => {
  test.each<[string, Partial<ProbeFindings>, Partial<GivenSettings>, readonly string[]]>([
    ['nothing where all is well', {}, {}, []],
    ['one slot', withPace({ slots: 1, speedup: 1 }), {}, ['--concurrency 1']],
    ['three slots', withPace({ slots: 3, speedup: 2.6 }), {}, ['--concurrency 3']],
    ['as it is set already', withPace({ slots: 3, speedup: 2.6 }), { concurrency: 3 }, []],
    ['slots that bring half', withPace({ slots: 8, speedup: 4 }), {}, []],
    ['slots that bring less', withPace({ slots: 8, speedup: 3.9 }), {}, ['--concurrency 4']],
    ['slots that bring nothing', withPace({ slots: 8, speedup: 0.9 }), {}, ['--concurrency 1']],
    ['no speed at all', withPace({ slots: 8, speedup: 0 }), {}, ['--concurrency 1']],
    ['a quick queue', withPace({ slots: 1, speedup: 1, slowestMs: 999 }), {}, []],
    [
      'a queue that is no longer',
      withPace({ slots: 1, slowestMs: 1_000 }),
      {},
      ['--concurrency 1'],
    ],
    ['a third of the longest tick', withPace({ slowestMs: 100_000 }), {}, []],
    ['more than that', withPace({ slowestMs: 100_001 }), {}, ['--max-tick 6m']],
    ['a tick that is long already', withPace({ slowestMs: 100_001 }), { tickMs: 600_000 }, []],
    ['half of the time to load', { coldMs: 150_000 }, {}, []],
    ['more than half', { coldMs: 150_001 }, {}, ['--max-wait 6m']],
    ['a limit of the minute', { takenInMinute: 7 }, {}, ['--per-minute 7']],
    ['a limit that is kept already', { takenInMinute: 7 }, { perMinute: 7 }, []],
    ['a limit that is set too high', { takenInMinute: 7 }, { perMinute: 8 }, ['--per-minute 7']],
    ['a limit that took one', { takenInMinute: 1 }, {}, ['--per-minute 1']],
    ['a minute that others have used', { takenInMinute: 0 }, {}, []],
    ['quick thoughts', { ...withPace({ aloneMs: 20_000 }), thinks: true }, {}, []],
    ['long thoughts', { ...withPace({ aloneMs: 20_001 }), thinks: true }, {}, ['--effort low']],
    ['long answers without', withPace({ aloneMs: 20_001 }), {}, []],
    [
      'long thoughts that were asked for',
      { ...withPace({ aloneMs: 20_001 }), thinks: true },
      { hasEffort: true },
      [],
    ],
    [
      'a context that is too small',
      { neededContext: 8_193 },
      {},
      ['--max-model-len of vLLM: 16384'],
    ],
    [
      'one of Ollama',
      { context: { tokens: 4_096, source: '/api/ps' }, neededContext: 4_309 },
      {},
      ['OLLAMA_CONTEXT_LENGTH of Ollama: 8192'],
    ],
    ['one that nobody has said', { context: null, neededContext: 1_000_000 }, {}, []],
  ])('%s', (_, found, given, expected) => {
    const settings = suggestSettings({ ...FOUND, ...found }, { ...GIVEN, ...given });
    expect(settings.map(({ set }) => set)).toEqual(expected);
    for (const { why } of settings) expect(why).not.toMatch(/NaN|Infinity|undefined/);
  });
});
