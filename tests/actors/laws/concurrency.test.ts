import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { RunningMeeting } from '../../../actors/engine/match.ts';
import type { Answer, Mind } from '../../../actors/minds/port.ts';
import { countMeeting } from '../../../analysis/counts/statistics.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import type { MeetingMatch } from '../../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';
import { fraction } from './gossip.ts';
import {
  aMind,
  aReply,
  aTable,
  bytesOf,
  linesOf,
  type Meeting,
  meet,
  type Staging,
  slowly,
} from './meetings.ts';
import { replyOf } from './oracle/consequences.ts';
import { findViolations } from './properties.ts';
import { disturbed, turmoil } from './turmoil.ts';

const TIMED = seeds(2, 100);
const DISTURBED = seeds(6, 3000);
const THINKING_MS = 50;

async function timed(
  match: MeetingMatch,
  seed: number,
  staging: (clock: SimulatedClock) => Partial<Staging>,
): Promise<Meeting & { readonly lines: readonly Line[]; readonly at: readonly number[] }> {
  const clock = new SimulatedClock();
  const at: number[] = [];
  const meeting = await meet(match, seed, {
    ...staging(clock),
    clock,
    onLine: () => at.push(clock.elapsed),
  });
  return { ...meeting, lines: linesOf(meeting), at };
}

type Timed = Awaited<ReturnType<typeof timed>>;

function times({ lines, at }: Timed, type: Line['type']): readonly number[] {
  return lines.flatMap((line, index) => (line.type === type ? [at[index] ?? -1] : []));
}

const living = (meeting: Meeting) => bytesOf(meeting, 'living');
const everybody = (clock: SimulatedClock): Partial<Staging> => ({
  recast: (mind) => slowly(mind, clock, () => THINKING_MS),
});

const only =
  (seat: Colour, change: (mind: Mind) => Mind): Staging['recast'] =>
  (mind, who) =>
    who === seat ? change(mind) : mind;

describe('thinking', () => {
  test('a tick of ten players who think for 50 ms takes 50 ms, not 500', async () => {
    const meeting = await timed(aTable({ living: 10 }), 1, everybody);
    const closed = times(meeting, 'tick.closed');
    expect(closed.length).toBeGreaterThan(10);
    expect(closed).toEqual(closed.map((_, tick) => (tick + 1) * THINKING_MS));
  });

  test('all players are asked before any has answered', async () => {
    const asked: Colour[] = [];
    let answered = 0;
    await timed(aTable({ living: 6 }), 1, (clock) => ({
      recast: (mind, seat) => ({
        pace: 'in-time',
        answer: async (request, signal, keepTime) => {
          if (request.index > 0) return mind.answer(request, signal, keepTime);
          asked.push(seat);
          await clock.sleep(THINKING_MS);
          expect(asked).toEqual(COLOURS.slice(0, 6));
          answered += 1;
          return mind.answer(request, signal, keepTime);
        },
      }),
    }));
    expect(answered).toBe(6);
  });

  test(`the order of bids changes no result (seeds 1 to ${TIMED}, 3 orders each)`, async () => {
    for (let seed = 1; seed <= TIMED; seed++) {
      const options = { rules: seed % 2 === 0 ? 'house' : 'classic' } as const;
      const table = aTable({ living: 6, dead: seed % 2 }, { options, fault_rate: 0.1 });
      const atOnce = living(await meet(table, seed));
      for (const order of [1, 2, 3]) {
        const mixed = await timed(table, seed, (clock) => ({
          recast: (mind, seat) =>
            slowly(mind, clock, ({ index }) => {
              return 1 + Math.floor(40 * fraction(order, index, COLOURS.indexOf(seat)));
            }),
        }));
        expect(living(mixed), `seed ${seed}, order ${order}`).toBe(atOnce);
      }
    }
  });

  test(`a pause between steps changes nothing (seeds 1 to ${TIMED})`, async () => {
    for (let seed = 1; seed <= TIMED; seed++) {
      const table = aTable({ living: 5, dead: 1 });
      const paced = { ...table, options: { ...table.options, beat_ms: 700 } };
      const slow = await timed(paced, seed, everybody);
      expect(living(slow), `seed ${seed}`).toBe(living(await meet(table, seed)));
    }
  });

  test(`meetings that are held at the same time do not disturb each other (seeds 1 to ${TIMED})`, async () => {
    const held = Array.from({ length: TIMED }, (_, index) => index + 1);
    const table = aTable({ living: 5, dead: 1 });
    const together = await Promise.all(held.map((seed) => timed(table, seed, everybody)));
    for (const [index, seed] of held.entries()) {
      const one = together[index];
      expect(one === undefined ? '' : living(one)).toBe(living(await meet(table, seed)));
    }
  });
});

const BY_VOTES = /^(?:ejected|tie|skipped)$/;
const DEADLINE_MS = 100;
const LATE: Answer = { ok: false, code: 'mind/late', text: 'no reply before the deadline' };

describe('a mind that is slower than the deadline', () => {
  const table = (patience: number) =>
    aTable({ living: 6 }, { options: { deadline_ms: DEADLINE_MS, patience } });
  const slow = (patience: number, ms: number, seed = 1) =>
    timed(table(patience), seed, (clock) => ({
      recast: only('blue', (mind) => slowly(mind, clock, () => ms)),
    }));

  test(`a mind that is late in every tick changes no result by its answers (seeds 1 to ${TIMED})`, async () => {
    for (let seed = 1; seed <= TIMED; seed++) {
      for (const patience of [5, 100]) {
        const late = await slow(patience, DEADLINE_MS + THINKING_MS, seed);
        const silent = await timed(table(patience), seed, () => ({
          recast: only('blue', () => ({ pace: 'at-once', answer: () => LATE })),
        }));
        expect(living(late), `seed ${seed}`).toBe(living(silent));
      }
    }
  });

  test('a late answer is recorded outside the hash', async () => {
    const { lines } = await slow(100, DEADLINE_MS + THINKING_MS);
    const late = lines.flatMap(({ clock }) => clock?.['late'] ?? []).flat();
    const faults = lines.flatMap((line) => (line.type === 'seat.faulted' ? [line] : []));
    expect(faults.length).toBeGreaterThan(10);
    expect(new Set(faults.map(({ seat, code }) => `${seat} ${code}`))).toEqual(
      new Set(['blue mind/late']),
    );
    expect(late.length).toBeGreaterThanOrEqual(faults.length - 1);
    for (const [tick, reply] of late.entries()) {
      expect(reply).toMatchObject({ tick, seat: 'blue', type: 'reply' });
    }
  });

  test('is in time at the last millisecond before the deadline', async () => {
    const { lines } = await slow(5, DEADLINE_MS - 1);
    expect(lines.filter(({ type }) => type === 'seat.faulted')).toEqual([]);
  });

  test('holds the table up until the deadline and no longer', async () => {
    const [first, second] = times(await slow(100, 10 * DEADLINE_MS), 'tick.closed');
    expect([first, second]).toEqual([DEADLINE_MS, 2 * DEADLINE_MS]);
  });

  test('a mind is informed by its signal if its answer is no longer needed', async () => {
    const aborts: number[] = [];
    await timed(table(3), 1, (clock) => ({
      recast: only('blue', () => ({
        pace: 'in-time',
        answer: (_, signal) => {
          signal.addEventListener('abort', () => aborts.push(clock.elapsed));
          return new Promise(() => {});
        },
      })),
    }));
    expect(aborts).toEqual([DEADLINE_MS, 2 * DEADLINE_MS, 3 * DEADLINE_MS]);
  });

  test('is disconnected by its fifth fault in a row, and nobody waits for it then', async () => {
    const meeting = await slow(5, DEADLINE_MS + 1);
    const departures = meeting.lines.flatMap((line) =>
      line.type === 'seat.departed' ? [[line.seat, line.reason]] : [],
    );
    expect(departures).toEqual([['blue', 'faults']]);
    expect(times(meeting, 'seat.departed')).toEqual([5 * DEADLINE_MS]);
    expect(times(meeting, 'tick.closed').slice(5)).toEqual(
      times(meeting, 'tick.closed')
        .slice(5)
        .map(() => 5 * DEADLINE_MS),
    );
  });

  test('that answers the fifth time is not disconnected', async () => {
    const { lines } = await timed(table(5), 1, (clock) => ({
      recast: only('blue', (mind) =>
        slowly(mind, clock, ({ index }) => (index % 5 === 4 ? 0 : DEADLINE_MS + 1)),
      ),
    }));
    const streaks = lines.flatMap((line) => (line.type === 'seat.faulted' ? [line.streak] : []));
    expect(Math.max(...streaks)).toBe(4);
    expect(lines.filter(({ type }) => type === 'seat.departed')).toEqual([]);
  });
});

test('a late answer of the ejected to a tick is not taken for one to a turn of the gallery', async () => {
  const options = { deadline_ms: DEADLINE_MS };
  const table = aTable({ living: 4, dead: 1 }, { options, ghosts: { present: true, budget: 2 } });
  // Blue votes at once and is late in tick 2, when the others vote. Turn 2 of the gallery is the reaction.
  const meeting = await timed(table, 1, (clock) => ({
    recast: (_, seat) =>
      slowly(
        aMind(({ kind: requestKind, index }) => ({
          internal_thought: `${requestKind} ${index}`,
          vote_action: index === 2 || seat === 'blue' ? 'blue' : null,
        })),
        clock,
        ({ kind: requestKind, index }) => {
          if (requestKind === 'ghost') return seat === 'blue' ? 60 : 0;
          return seat === 'blue' && index === 2 ? DEADLINE_MS + 20 : 10;
        },
      ),
  }));
  expect(meeting.result.ejected).toBe('blue');
  const turns = meeting.lines.flatMap((line) => (line.type === 'turn.closed' ? [line] : []));
  expect(turns.map(({ turn, requestKind }) => [turn, requestKind])).toContainEqual([2, 'reaction']);
  for (const { turn, bids } of turns) {
    for (const bid of bids) expect(replyOf(bid)?.internal_thought).toBe(`ghost ${turn}`);
  }
});

const cycle: Record<string, unknown> = { message: 'round' };
cycle['self'] = cycle;
const booby = {
  get message(): string {
    throw new Error('a reply that bites');
  },
};
const throwing = (thrown: unknown) => () => {
  throw thrown;
};
const answering = (answer: unknown) => () => answer;
const sending = (received: unknown) => answering({ ok: true, received });
const skipping = (message: string) => aReply({ desire_to_speak: 10, vote_action: 'skip', message });

const HOSTILE: Readonly<Record<string, () => unknown>> = {
  throws: throwing(new Error('no')),
  'throws nothing': throwing(undefined),
  'throws what is no text': throwing(Object.create(null)),
  'answers undefined': answering(undefined),
  'answers null': answering(null),
  'answers a word': answering('red'),
  'fails without a reason': answering({ ok: false }),
  'fails for a reason that is no text': answering({ ok: false, code: 7, text: { why: null } }),
  'answers without a reply': answering({ ok: true }),
  'sends a huge message': sending(skipping('Me! '.repeat(seeds(50_000, 500_000)))),
  'sends a number': sending(7),
  'sends a function': sending(() => 'red'),
  'sends a big integer': sending({ desire_to_speak: 10n }),
  'sends a circle': sending(cycle),
  'sends a getter that throws': sending(booby),
  'sends half a character': sending(skipping('Red \ud83d')),
  'sends a prototype': sending(
    JSON.parse('{"__proto__": {"target": "red"}, "vote_action": "skip"}'),
  ),
  'sends text that is JSON': sending(JSON.stringify(skipping('I am text.'))),
};

describe.each(Object.entries(HOSTILE))('a mind that %s', (_, answer) => {
  const table = aTable({ living: 5, dead: 1 }, { options: { deadline_ms: DEADLINE_MS } });
  const atOnce: Mind = { pace: 'at-once', answer: answer as () => Answer };
  const inTime: Mind = { pace: 'in-time', answer: async (request) => atOnce.answer(request) };
  const abrupt: Mind = { pace: 'in-time', answer: answer as () => Promise<Answer> };

  test.each([
    ['at once', atOnce, 'blue'],
    ['in time', inTime, 'blue'],
    ['without a promise', abrupt, 'blue'],
    ['as a ghost', atOnce, 'yellow'],
    ['as a slow ghost', inTime, 'yellow'],
  ] as const)('%s can’t end a meeting, and its journal can be read', async (_name, mind, seat) => {
    const meeting = await timed(table, 1, () => ({ recast: only(seat, () => mind) }));
    expect(meeting.result.outcome).toMatch(BY_VOTES);
    expect(findViolations(meeting.lines)).toEqual([]);
  });
});

test('a mind that never answers can’t end a meeting', async () => {
  const never: Mind = { pace: 'in-time', answer: () => new Promise(() => {}) };
  const meeting = await timed(aTable({ living: 4 }), 1, () => ({ recast: () => never }));
  expect(meeting.result.outcome).toBe('empty');
  expect(findViolations(meeting.lines)).toEqual([]);
});

describe('from outside', () => {
  const undecided = (
    clock: SimulatedClock,
    more: (held: RunningMeeting) => void,
  ): Partial<Staging> => ({
    recast: (_, seat) =>
      slowly(
        aMind(() => ({ message: 'Well.', vote_action: seat === 'red' ? null : 'skip' })),
        clock,
        () => THINKING_MS,
      ),
    begun: more,
  });
  const after = (clock: SimulatedClock, ms: number, act: () => void) => clock.setTimeout(act, ms);
  const phases = ({ lines }: Timed) =>
    lines.flatMap((line) => (line.type === 'phase.entered' ? [line.phase] : []));

  test.each([
    ['of the operator waits for no mind any longer', 'stop', 120],
    ['as a record has it waits for those who answered', 'stopAsRecorded', 150],
  ] as const)('a stop %s: the meeting ends after the tick that is open', async (_, stop, end) => {
    const meeting = await timed(aTable({ living: 5 }), 1, (clock) => ({
      ...everybody(clock),
      begun: (held) => after(clock, 120, () => held[stop]()),
    }));
    expect(meeting.result).toMatchObject({ outcome: 'interrupted', ejected: null, ticks: 3 });
    expect(times(meeting, 'tick.closed')).toEqual([50, 100, end]);
    expect(times(meeting, 'meeting.closed')).toEqual([end]);
    expect(findViolations(meeting.lines)).toEqual([]);
  });

  test('a stop in the reaction takes no verdict back: the last line, the statistics and the laws agree', async () => {
    const meeting = await timed(aTable({ living: 5 }), 1, (clock) => ({
      recast: () =>
        slowly(
          aMind(() => ({ message: 'Well.', vote_action: 'red' })),
          clock,
          () => THINKING_MS,
        ),
      begun: (held) => after(clock, THINKING_MS * 1.5, () => held.stop()),
    }));
    expect(phases(meeting).at(-1)).toBe('reaction');
    expect(meeting.result).toMatchObject({ outcome: 'interrupted', ejected: 'red' });
    expect(countMeeting(meeting.lines)).toMatchObject({ outcome: 'interrupted', ejected: 'red' });
    expect(findViolations(meeting.lines)).toEqual([]);
  });

  test('a stop of a budget still consolidates', async () => {
    const meeting = await timed(aTable({ living: 5 }), 1, (clock) => ({
      ...everybody(clock),
      begun: (held) => after(clock, 120, () => held.end()),
    }));
    expect(meeting.result.outcome).toBe('unconverged');
    expect(phases(meeting)).toEqual(['interrupt', 'discussion', 'consolidation']);
    expect(findViolations(meeting.lines)).toEqual([]);
  });

  test('the poll closes at once when the last player without a ballot leaves (21)', async () => {
    const meeting = await timed(aTable({ living: 5 }), 1, (clock) =>
      undecided(clock, (held) => after(clock, 75, () => held.leave('red'))),
    );
    expect(times(meeting, 'seat.departed')).toEqual([75]);
    expect(times(meeting, 'poll.closed')).toEqual([75]);
    expect(meeting.result).toMatchObject({ outcome: 'skipped', ticks: 1 });
    const ticks = meeting.lines.flatMap((line) => (line.type === 'tick.closed' ? [line.tick] : []));
    // Tick 1 was open and has not happened.
    expect(ticks).toEqual([0, 2, 3]);
    expect(findViolations(meeting.lines)).toEqual([]);
  });

  test('a stop holds although the last player without a ballot leaves before its tick is over', async () => {
    const meeting = await timed(aTable({ living: 5 }), 1, (clock) =>
      undecided(clock, (held) => {
        after(clock, 60, () => held.stop());
        after(clock, 75, () => held.leave('red'));
      }),
    );
    expect(findViolations(meeting.lines)).toEqual([]);
    expect(meeting.result.outcome).toBe('interrupted');
    expect(phases(meeting)).toEqual(['interrupt', 'discussion']);
  });

  test('no ballot is cleared when the poll was never closed and the meeting looks back (20)', async () => {
    const options = { rules: 'classic', max_ticks: 4 } as const;
    const meeting = await timed(aTable({ living: 5 }, { options }), 1, (clock) => ({
      recast: (_, seat) =>
        slowly(
          aMind(() => ({ message: 'Well.', vote_action: seat === 'blue' ? 'red' : null })),
          clock,
          () => THINKING_MS,
        ),
      begun: (held) => after(clock, 225, () => held.leave('red')),
    }));
    expect(times(meeting, 'seat.departed')).toEqual([225]);
    expect(phases(meeting).at(-1)).toBe('consolidation');
    expect(findViolations(meeting.lines)).toEqual([]);
    const kept = meeting.lines.flatMap((line) =>
      line.type === 'scratchpads.consolidated' && line.seat === 'blue' ? [line.line] : [],
    );
    expect(kept).toEqual([expect.stringContaining('I voted red')]);
  });

  test('who leaves after having bid has said nothing, and nobody waits for who leaves before', async () => {
    const meeting = await timed(aTable({ living: 5 }), 1, (clock) => ({
      recast: (_, seat) =>
        slowly(
          aMind(() => ({ desire_to_speak: seat === 'red' ? 10 : 1, message: 'Me.' })),
          clock,
          () => (seat === 'red' ? 10 : seat === 'blue' ? 5000 : THINKING_MS),
        ),
      begun: (held) => {
        after(clock, 20, () => held.leave('red'));
        after(clock, 30, () => held.leave('blue'));
        after(clock, 120, () => held.stopAsRecorded());
      },
    }));
    const [first] = meeting.lines.flatMap((line) => (line.type === 'tick.closed' ? [line] : []));
    expect(['green', 'pink', 'orange']).toContain(first?.floor);
    expect(times(meeting, 'tick.closed')).toEqual([50, 100, 150]);
    expect(findViolations(meeting.lines)).toEqual([]);
  });

  test.each([
    ['has left already', ['red', 'red']],
    ['is dead', ['red', 'orange']],
    ['has no seat', ['red', 'tan']],
  ] as const)('nothing happens when somebody leaves who %s', async (_, seats) => {
    const leaving = (leavers: readonly Colour[]) =>
      timed(aTable({ living: 4, dead: 1 }), 1, (clock) => ({
        ...everybody(clock),
        begun: (held) => after(clock, 75, () => leavers.forEach((seat) => void held.leave(seat))),
      }));
    const once = await leaving(['red']);
    expect(findViolations(once.lines)).toEqual([]);
    expect(linesBy(await leaving(seats))).toEqual(linesBy(once));
  });

  test('nothing happens when the meeting is over', async () => {
    let kept: RunningMeeting | null = null;
    const meeting = await meet(aTable({ living: 4 }), 1, {
      begun: (held) => {
        kept = held;
      },
    });
    const lines = meeting.written.length;
    const held: RunningMeeting | null = kept;
    if (held === null) throw new Error('expected a meeting');
    stopAndLeave(held);
    expect(meeting.written).toHaveLength(lines);
  });

  test('an answer that comes when the meeting is over, and ghosts still talk, is let go', async () => {
    const table = aTable({ living: 4, dead: 1 }, { options: { deadline_ms: DEADLINE_MS } });
    const meeting = await timed(table, 1, (clock) => ({
      recast: (mind, seat) =>
        slowly(mind, clock, ({ kind: requestKind }) => {
          if (requestKind === 'ghost') return 5 * DEADLINE_MS;
          return seat === 'blue' && requestKind === 'consolidation' ? DEADLINE_MS + 1 : 30;
        }),
    }));
    expect(meeting.result.outcome).toMatch(BY_VOTES);
    expect(findViolations(meeting.lines)).toEqual([]);
  });

  test(`no property is violated whenever somebody leaves or stops the run (seeds 1 to ${DISTURBED})`, async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= DISTURBED; seed++) {
      const complaints = await timed(turmoil(seed), seed, (clock) => disturbed(seed, clock)).then(
        ({ lines }) =>
          findViolations(lines).map(({ code, line, text }) => `${line}: ${code}: ${text}`),
        (error: unknown) => [`broken off: ${error instanceof Error ? error.message : error}`],
      );
      broken.push(...complaints.map((complaint) => `seed ${seed}: ${complaint}`));
    }
    expect(broken.join('\n')).toBe('');
  });
});

function linesBy(meeting: Meeting): readonly string[] {
  return living(meeting).split('\n');
}

function stopAndLeave(held: RunningMeeting): void {
  held.stop();
  held.leave('red');
}
