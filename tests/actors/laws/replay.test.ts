import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import {
  chainHash,
  chainOrigin,
  joinLine,
  type RecordedLine,
} from '../../../actors/engine/journal/recorder.ts';
import type { RunningMeeting } from '../../../actors/engine/match.ts';
import { type Replay, replay } from '../../../actors/replay/replay.ts';
import type { Channel, Line } from '../../../machines/journal/lines.ts';
import type { MeetingMatch } from '../../../machines/setup/match.ts';
import { COLOURS, type Colour, type Phase } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';
import { dealer, fraction, gossip } from './gossip.ts';
import {
  aMind,
  aTable,
  following,
  linesOf,
  type Meeting,
  meet,
  slowly,
  textOf,
} from './meetings.ts';
import { disturbed, turmoil } from './turmoil.ts';

type Recording = (seed: number) => Promise<Meeting>;
type Act = (held: RunningMeeting) => void;

const stop: Act = (held) => held.stop();
const leave =
  (...seats: readonly Colour[]): Act =>
  (held) => {
    for (const seat of seats) held.leave(seat);
  };

const THINKING_MS = 50;
const BEAT_MS = 20;
const options = { deadline_ms: 100 };
const house = aTable({ living: 6, dead: 1 }, { options });
const classic = aTable({ living: 6, dead: 1 }, { options: { ...options, rules: 'classic' } });
const paced = aTable({ living: 6, dead: 1 }, { options: { ...options, beat_ms: BEAT_MS } });
const faulty = aTable({ living: 6, dead: 1 }, { options, fault_rate: 0.3 });

/** Everybody thinks for a while, and something comes from outside at some moment. */
function disturbing(table: MeetingMatch, at: (seed: number) => number, act: Act): Recording {
  return (seed) => {
    const clock = new SimulatedClock();
    return meet(table, seed, {
      clock,
      recast: (mind) => slowly(mind, clock, () => THINKING_MS),
      begun: (held) => clock.setTimeout(() => act(held), at(seed)),
    });
  };
}

/** Something comes from outside soon after a phase has begun. */
function disturbingIn(phase: Phase, table: MeetingMatch, act: Act): Recording {
  return (seed) => {
    const clock = new SimulatedClock();
    const mark = `"phase":"${phase}"`;
    let isDue = true;
    let held: RunningMeeting | null = null;
    return meet(table, seed, {
      clock,
      recast: (mind) => slowly(mind, clock, () => THINKING_MS),
      begun: (begun) => {
        held = begun;
      },
      onLine: ({ body }) => {
        if (!isDue || !body.includes(mark)) return;
        isDue = false;
        clock.setTimeout(() => held !== null && act(held), BEAT_MS / 4);
      },
    });
  };
}

/** Everybody votes at once but red, who never does, and leaves at some moment. */
function deserting(table: MeetingMatch, at: (seed: number) => number): Recording {
  return (seed) => {
    const clock = new SimulatedClock();
    const vote = (seat: Colour) => (seat === 'red' ? null : 'skip');
    return meet(table, seed, {
      clock,
      recast: (_, seat) =>
        slowly(
          aMind(() => ({ message: 'Well.', vote_action: vote(seat) })),
          clock,
          () => THINKING_MS,
        ),
      begun: (held) => clock.setTimeout(() => held.leave('red'), at(seed)),
    });
  };
}

/** In the middle of tick `seed`, and in the pause after it; two pauses come before the first tick. */
const inTick = (seed: number) => seed * THINKING_MS + THINKING_MS / 2;
const inPause = (seed: number) => 2 * BEAT_MS + (seed + 1) * (THINKING_MS + BEAT_MS) - BEAT_MS / 2;

/** Minds of all paces, some slower than the deadline, and ghosts as slow. */
const unpunctual: Recording = (seed) => {
  const clock = new SimulatedClock();
  return meet(house, seed, {
    clock,
    recast: (mind, seat) =>
      slowly(mind, clock, ({ index }) =>
        Math.floor(130 * fraction(seed, index, COLOURS.indexOf(seat))),
      ),
  });
};

const RECORDINGS: Readonly<Record<string, Recording>> = {
  'in house rules': (seed) => meet(house, seed),
  'in classic rules': (seed) => meet(classic, seed),
  'with faults': (seed) => meet(faulty, seed),
  'with anonymous votes': (seed) =>
    meet(aTable({ living: 6 }, { options: { anonymous_votes: true } }), seed),
  'with a limit': (seed) => meet(aTable({ living: 6 }, { options: { max_ticks: 4 } }), seed),
  'without anybody watching': (seed) =>
    meet(aTable({ living: 5, dead: 1 }, { ghosts: { present: false } }), seed),
  'with players who leave': (seed) => {
    const seats = house.seats.map((seat, index) =>
      index % 3 === 1 ? { ...seat, leaves: dealer(seed, index).below(12) } : seat,
    );
    return meet({ ...house, seats }, seed);
  },
  'of gossips': (seed) => meet(house, seed, { recast: following(gossip(seed)) }),
  'of minds that are late': unpunctual,
  'in which somebody leaves inside a tick': disturbing(house, inTick, leave('blue')),
  'in which somebody leaves between ticks': disturbing(paced, inPause, leave('red')),
  'in which several leave at once': disturbing(classic, inTick, leave('green', 'red')),
  'in which the last player without a ballot leaves inside a tick': deserting(house, inTick),
  'in which the last player without a ballot leaves between ticks': deserting(paced, inPause),
  'in which somebody leaves during the reveal': disturbingIn('reveal', paced, leave('blue')),
  'in which somebody leaves during the reaction': disturbingIn('reaction', house, leave('blue')),
  'in which somebody leaves in the consolidation': disturbingIn(
    'consolidation',
    house,
    leave('blue'),
  ),
  'that is stopped during the reveal': disturbingIn('reveal', paced, stop),
  'that is stopped during the reaction': disturbingIn('reaction', house, stop),
  'that is stopped inside a tick': disturbing(house, inTick, stop),
  'that is stopped between ticks': disturbing(paced, inPause, stop),
  'that runs out of its budget': disturbing(classic, inTick, (held) => held.end()),
};

const RECORDED = seeds(2, 60);
const SEEDS = Array.from({ length: RECORDED }, (_, index) => index + 1);
const WILD = seeds(5, 2000);

const replayed = (text: string) => replay(readJournal(text));

/** Says nothing when the replay is the same, and what differs when it is not. */
function difference(run: Replay): string {
  if (run.type === 'same') return '';
  const { line, recorded, replayed: found } = run.difference;
  return `line ${line}:\n${recorded.slice(0, 300)}\n${found.slice(0, 300)}`;
}

describe('a meeting', () => {
  test.each(Object.entries(RECORDINGS))(
    `%s plays again (seeds 1 to ${RECORDED})`,
    async (_, record) => {
      for (const seed of SEEDS) {
        const meeting = await record(seed);
        const run = await replayed(textOf(meeting));
        expect(difference(run), `seed ${seed}`).toBe('');
        expect(run).toEqual({ type: 'same', lines: meeting.written.length, unfinished: false });
      }
    },
  );

  test(`a meeting in which everything goes wrong replays (seeds 1 to ${WILD})`, async () => {
    const differences: string[] = [];
    for (let seed = 1; seed <= WILD; seed++) {
      const clock = new SimulatedClock();
      const staging = { ...disturbed(seed, clock), clock };
      const meeting = await meet(turmoil(seed), seed, staging).catch(() => null);
      if (meeting === null) continue;
      const run = difference(await replayed(textOf(meeting)));
      if (run !== '') differences.push(`seed ${seed}, ${run}`);
    }
    expect(differences.slice(0, 5).join('\n\n')).toBe('');
  });
});

const MOST_CUTS = seeds(5, 1000);

/** Numbers of lines after which a journal breaks off, evenly spread, with the first and the last few among them. */
function cuts(lines: number): readonly number[] {
  const step = Math.max(1, Math.floor(lines / MOST_CUTS));
  return Array.from({ length: lines }, (_, index) => index + 1).filter(
    (cut) => cut % step === 0 || cut < 4 || cut > lines - 4,
  );
}

const END = '"type":"meeting.closed"';

async function torn(rows: readonly string[], cut: number): Promise<string> {
  // Every other cut goes through a line.
  const end = cut % 2 === 0 ? '' : (rows[cut]?.slice(0, 30) ?? '');
  const text = `${rows.slice(0, cut).join('\n')}\n${end}`;
  const run = await replayed(text);
  if (run.type !== 'same' || run.lines !== cut) return `cut after ${cut}: ${difference(run)}`;
  if (text.includes(END) && cut < rows.length) return '';
  return run.unfinished === cut < rows.length ? '' : `cut after ${cut}: finished or not?`;
}

const rowsOf = (meeting: Meeting) => textOf(meeting).split('\n').slice(0, -1);

describe('a torn journal', () => {
  test.each(Object.entries(RECORDINGS))(
    '%s plays as far as it goes (seed 2)',
    async (_, record) => {
      const rows = rowsOf(await record(2));
      const end = rows.findIndex((row) => row.includes(END));
      const broken: string[] = [];
      for (const cut of cuts(rows.length)) {
        if (cut <= end || cut === rows.length) broken.push(await torn(rows, cut));
      }
      expect(broken.join('')).toBe('');
    },
  );

  test(`that lacks only the last words of the ghosts plays as far as it goes (seeds 1 to ${RECORDED})`, async () => {
    for (const seed of SEEDS) {
      const rows = rowsOf(await meet(house, seed));
      const end = rows.findIndex((row) => row.includes(END));
      expect(end + 1).toBeLessThan(rows.length);
      for (let cut = end + 1; cut < rows.length; cut++)
        expect(await torn(rows, cut), `seed ${seed}`).toBe('');
    }
  });
});

function forged(
  written: readonly RecordedLine[],
  index: number,
  edit: (body: string) => string,
): string {
  const last: { [C in Channel]: string } = {
    living: chainOrigin('living'),
    ghosts: chainOrigin('ghosts'),
    beliefs: chainOrigin('beliefs'),
  };
  const rows = written.map(({ channel, body }, at) => {
    const told = at === index ? edit(body) : body;
    expect(at !== index || told !== body, 'something was edited').toBe(true);
    last[channel] = chainHash(last[channel], told);
    return `${joinLine(told, null, last[channel])}\n`;
  });
  return rows.join('');
}

type Forgery = {
  readonly name: string;
  readonly where: (line: Line) => boolean;
  readonly edit: (body: string, line: Line) => string;
};

const swap = (body: string, from: string, to: string) => body.replace(from, () => to);
const quoted = (text: string | undefined) => JSON.stringify(text ?? '');

const FORGERIES: readonly Forgery[] = [
  {
    name: 'what the speaker had bid',
    where: (line) => line.type === 'tick.closed' && (line.said?.message ?? '') !== '',
    edit: (body, line) =>
      line.type === 'tick.closed' ? swap(body, quoted(line.said?.message), '"I lied."') : body,
  },
  {
    name: 'what was said',
    where: (line) => line.type === 'tick.closed' && line.said !== null,
    edit: (body) => body.replace(/("said":\{"message":)"(?:[^"\\]|\\.)*"/, '$1"I lied."'),
  },
  {
    name: 'a die',
    where: (line) => line.type === 'tick.closed' && line.scores.length > 0,
    edit: (body) => body.replace(/"die":(\d)/, (_, face) => `"die":${(Number(face) % 6) + 1}`),
  },
  {
    name: 'a ballot that was locked',
    where: ({ type }) => type === 'vote.locked',
    edit: (body) =>
      body.replace(/"ballot":"(\w+)"/, (_, was) => `"ballot":"${was === 'skip' ? 'red' : 'skip'}"`),
  },
  {
    name: 'the sentence',
    where: ({ type }) => type === 'verdict.announced',
    edit: (body) => body.replace(/"sentence":"/, '"sentence":"Alas! '),
  },
  {
    name: 'what a ghost was heard to say',
    where: (line) => line.type === 'turn.closed' && line.said !== null,
    edit: (body) => body.replace(/("said":\{"message":)"(?:[^"\\]|\\.)*"/, '$1"Boo!"'),
  },
  {
    name: 'the end',
    where: ({ type }) => type === 'meeting.closed',
    edit: (body) => body.replace(/"outcome":"\w+"/, '"outcome":"empty"'),
  },
];

describe('a forged journal', () => {
  test.each(FORGERIES)(
    `is found out by the line: $name (seeds 1 to ${RECORDED})`,
    async ({ where, edit }) => {
      for (const seed of SEEDS) {
        const meeting = await meet(house, seed);
        const lines = linesOf(meeting);
        const index = lines.findLastIndex(where);
        const line = lines[index];
        if (line === undefined)
          throw new Error(`seed ${seed}: expected a line to forge, found none`);
        const text = forged(meeting.written, index, (body) => edit(body, line));
        expect(readJournal(text).damages).toEqual([]);
        expect(await replayed(text), `seed ${seed}`).toMatchObject({
          type: 'different',
          difference: { line: index + 1, channel: line.channel },
        });
      }
    },
  );

  test('that was chained anew and not edited still plays', async () => {
    const { written } = await meet(house, 1);
    const text = forged(written, -1, (body) => body);
    expect(await replayed(text)).toMatchObject({ type: 'same', lines: written.length });
  });

  test('of another seed differs in the first tick', async () => {
    const meeting = await meet(house, 1);
    const text = forged(meeting.written, 0, (body) => swap(body, '"seed":1,', '"seed":2,'));
    const first = linesOf(meeting).findIndex(({ type }) => type === 'tick.closed');
    expect(await replayed(text)).toMatchObject({
      type: 'different',
      difference: { line: first + 1 },
    });
  });

  test('a replay detects a journal from which a departure was removed', async () => {
    const { written } = await disturbing(house, inTick, leave('blue'))(3);
    const rows = written.filter(({ body }) => !body.includes('"type":"seat.departed"'));
    expect(rows).toHaveLength(written.length - 1);
    expect((await replayed(forged(renumbered(rows), -1, (body) => body))).type).toBe('different');
  });
});

function renumbered(written: readonly RecordedLine[]): readonly RecordedLine[] {
  const next: { [C in Channel]: number } = { living: 0, ghosts: 0, beliefs: 0 };
  return written.map((line) => ({
    ...line,
    body: line.body.replace(/"seq":\d+/, () => `"seq":${next[line.channel]++}`),
  }));
}
