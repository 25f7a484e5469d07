import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { Answer, Mind, MindRequest } from '../../../actors/minds/port.ts';
import type { MeetingMatch } from '../../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';
import { fraction } from './gossip.ts';
import { aMind, aTable, bytesOf, FAULT, linesOf, meet, slowly } from './meetings.ts';
import { tokensOf } from './oracle/talk.ts';

const HELD = seeds(4, 200);
const SEEDS = Array.from({ length: HELD }, (_, index) => index + 1);
const DEADLINE_MS = 150;
const LIVING_MS = 50;
const options = { deadline_ms: DEADLINE_MS };

const TABLES: Readonly<Record<string, (seed: number) => MeetingMatch>> = {
  'in house rules with two dead': () => aTable({ living: 5, dead: 2 }, { options }),
  'in classic rules with faults': () =>
    aTable({ living: 6, dead: 1 }, { fault_rate: 0.2, options: { ...options, rules: 'classic' } }),
  'when the ejected is the first ghost': (seed) =>
    aTable({ living: 5 }, { options: { ...options, confirm_ejects: seed % 2 === 0 } }),
};

type Gallery = {
  readonly ghosts?: NonNullable<MeetingMatch['ghosts']>;
  readonly recast?: (mind: Mind, seat: Colour, clock: SimulatedClock) => Mind;
};

const asGhost =
  (answer: (request: MindRequest) => Answer) =>
  (mind: Mind): Mind =>
    mind.pace === 'in-time'
      ? mind
      : {
          pace: 'at-once',
          answer: (request) => (request.kind === 'ghost' ? answer(request) : mind.answer(request)),
        };

const LOUD: Answer = {
  ok: true,
  received: {
    internal_thought: 'They can hear me!',
    desire_to_speak: 10,
    message: `Red, it was Blue! ${'They lie! '.repeat(50)}`,
    target: 'red',
    vote_action: 'blue',
    scratchpad_updates: { main_scratch: 'Tell everybody.', meeting_scratch: 'Tell everybody.' },
  },
};

const GALLERIES: Readonly<Record<string, Gallery>> = {
  silent: { recast: asGhost(() => FAULT) },
  loud: { recast: asGhost(() => LOUD) },
  broken: {
    recast: asGhost(() => {
      throw new Error('a ghost threw');
    }),
  },
  rubbish: { recast: asGhost(() => ({ ok: true, received: ['boo', { vote_action: 7 }] })) },
  'cut short': { ghosts: { present: true, budget: 2 } },
  speechless: { ghosts: { present: true, budget: 0 } },
  absent: { ghosts: { present: false, budget: 30 } },
};

const ABSENT: Gallery = {
  ghosts: { present: false, budget: 30 },
  recast: (mind, _, clock) => taking(mind, clock, () => 0),
};

const UNHURRIED: Readonly<Record<string, Gallery>> = {
  slow: {
    recast: (mind, seat, clock) =>
      taking(mind, clock, ({ index }) => {
        const share = fraction(index, COLOURS.indexOf(seat));
        return Math.ceil(share * 2 * DEADLINE_MS);
      }),
  },
  'never done': { recast: (mind, _, clock) => taking(mind, clock, () => 1_000_000) },
  dumb: {
    recast: (mind, _, clock) => {
      const paced = taking(mind, clock, () => 0);
      return {
        pace: 'in-time',
        answer: (request, signal, keepTime) =>
          request.kind === 'ghost'
            ? new Promise(() => {})
            : paced.answer(request, signal, keepTime),
      };
    },
  },
};

/** A mind that takes as long as the living do, and as a ghost as long as it likes. */
function taking(mind: Mind, clock: SimulatedClock, ghostMs: (request: MindRequest) => number) {
  return slowly(mind, clock, (request) =>
    request.kind === 'ghost' ? ghostMs(request) : LIVING_MS,
  );
}

/** The channels of a meeting, and when each line of the living was written. */
type Haunted = {
  readonly living: string;
  readonly ghosts: string;
  readonly livingAt: readonly number[];
};

async function haunt(table: MeetingMatch, seed: number, gallery: Gallery): Promise<Haunted> {
  const clock = new SimulatedClock();
  const { ghosts, recast } = gallery;
  const match = ghosts === undefined ? table : { ...table, ghosts };
  const livingAt: number[] = [];
  const meeting = await meet(match, seed, {
    clock,
    onLine: ({ channel }) => {
      if (channel === 'living') livingAt.push(clock.elapsed);
    },
    ...(recast === undefined ? {} : { recast: (mind, seat) => recast(mind, seat, clock) }),
  });
  return { living: bytesOf(meeting, 'living'), ghosts: bytesOf(meeting, 'ghosts'), livingAt };
}

function everySeed(table: (seed: number) => MeetingMatch, gallery: Gallery) {
  let held: Promise<readonly Haunted[]> | null = null;
  return () => {
    held ??= Promise.all(SEEDS.map((seed) => haunt(table(seed), seed, gallery)));
    return held;
  };
}

/** Asserts that the living are the same; gives in how many meetings the ghosts were not. */
function compare(one: readonly Haunted[], other: readonly Haunted[]): number {
  for (const [index, seed] of SEEDS.entries())
    expect(one[index]?.living, `seed ${seed}`).toBe(other[index]?.living);
  return SEEDS.filter((_, index) => one[index]?.ghosts !== other[index]?.ghosts).length;
}

describe.each(Object.entries(TABLES))('%s', (_, table) => {
  const light = everySeed(table, {});
  const alone = everySeed(table, ABSENT);

  test.each(Object.entries(GALLERIES))(
    'a gallery that is %s changes no byte of the living',
    async (_name, gallery) => {
      const different = compare(await everySeed(table, gallery)(), await light());
      // The galleries were not the same, so there was something to tell apart.
      expect(different).toBeGreaterThan(SEEDS.length / 2);
    },
  );

  test.each(Object.entries(UNHURRIED))(
    'nobody waits for a gallery that is %s',
    async (_name, gallery) => {
      const haunted = await everySeed(table, gallery)();
      expect(compare(haunted, await alone())).toBeGreaterThan(SEEDS.length / 2);
      const times = (meetings: readonly Haunted[]) => meetings.map(({ livingAt }) => livingAt);
      expect(times(haunted)).toEqual(times(await alone()));
    },
  );

  test(`minds that take their time say what light ones say (seeds 1 to ${HELD})`, async () => {
    compare(await alone(), await light());
  });
});

test('the ejected joins the ghosts and is heard there only', async () => {
  let joined = 0;
  for (const seed of SEEDS) {
    const meeting = await meet(aTable({ living: 5 }, { options }), seed);
    const { ejected } = meeting.result;
    const lines = linesOf(meeting);
    const arrivals = lines.flatMap((line) => (line.type === 'ghost.joined' ? [line.seat] : []));
    expect(arrivals).toEqual(ejected === null ? [] : [ejected]);
    if (ejected === null) continue;
    joined += 1;
    const turns = lines.flatMap((line) => (line.type === 'turn.closed' ? [line] : []));
    expect(
      turns.map(({ requestKind, bids }) => [requestKind, bids.map(({ seat }) => seat)]),
    ).toEqual([
      ['reaction', [ejected]],
      ['consolidation', [ejected]],
    ]);
    const verdict = lines.findIndex(({ type }) => type === 'verdict.announced');
    const after = lines
      .slice(verdict + 1)
      .flatMap((line) => (line.type === 'tick.closed' ? line.bids : []));
    expect(after.map(({ seat }) => seat)).not.toContain(ejected);
  }
  expect(joined).toBeGreaterThan(SEEDS.length / 2);
});

test('a ghost is cut short like anybody else, so that no echo fills the gallery (35, 36)', async () => {
  const table = aTable({ living: 4, dead: 1 }, { options: { message_tokens: 20 } });
  const echo = 'It was Blue, it was Blue. '.repeat(100);
  const meeting = await meet(table, 1, {
    recast: (mind, seat) =>
      seat === 'orange' ? aMind(() => ({ desire_to_speak: 5, message: echo })) : mind,
  });
  const said = linesOf(meeting).flatMap((line) =>
    line.type === 'turn.closed' ? (line.said ?? []) : [],
  );
  expect(said).not.toEqual([]);
  for (const { message } of said) expect(tokensOf(message)).toBeLessThanOrEqual(20);
});
