import { beforeAll, describe, expect, test } from 'vitest';
import { type Lens, seeThrough } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { listBids, readWeights } from '../../../visualizer/page/game/story/bids.ts';
import { describeStep } from '../../../visualizer/page/game/story/sentences.ts';
import {
  countUntil,
  createStory,
  NO_CHARTS,
  type Story,
} from '../../../visualizer/page/game/story/story.ts';
import { bids, speeches, votes } from './reading.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';

const GLASS: Lens = { type: 'glass' };
const journals = new Map<string, readonly Line[]>();

beforeAll(async () => {
  for (const name of ['electrical', 'classic', 'trouble', 'ghosts', 'four'])
    journals.set(name, await recordedMeeting(name, 7));
  journals.set('a game', await recordedGame(2));
  journals.set('another game', await recordedGame(5));
});

const NAMES = ['electrical', 'classic', 'trouble', 'ghosts', 'four', 'a game', 'another game'];

function linesOf(name: string): readonly Line[] {
  return journals.get(name) ?? [];
}

function upTo(lines: readonly Line[], { channel, seq }: Pick<Line, 'channel' | 'seq'>) {
  return lines.slice(0, 1 + lines.findIndex((one) => one.channel === channel && one.seq === seq));
}

function seen(lines: readonly Line[], lens: Lens): Story {
  return createStory(seeThrough(lines, lens), NO_CHARTS, lens);
}

describe.each(NAMES)('at every step of %s', (name) => {
  test('the story matches the journal', () => {
    const lines = linesOf(name);
    const story = seen(lines, GLASS);
    expect(story.moments.length).toBeGreaterThan(20);
    for (const [step, { line, meeting, feedLength: told }] of story.moments.entries()) {
      const before = upTo(lines, line);
      const rows = meeting?.tick == null ? [] : listBids(meeting.tick);
      const shown = rows.map(({ seat, terms, total }) => {
        const given = Object.values(terms).filter((term) => term !== 0);
        return `${seat} ${given.join(' ')} = ${total}`;
      });
      expect(shown, `bids at step ${step}`).toEqual(expect.arrayContaining([...bids(before)]));
      const said = story.feed
        .slice(0, told)
        .flatMap(({ item }) =>
          item.type === 'speech' ? [`${item.speaker} > ${item.target ?? ''}: ${item.message}`] : [],
        );
      expect(said, `transcript at step ${step}`).toEqual(speeches(before));
    }
  });

  test('the step has a description', () => {
    const story = seen(linesOf(name), GLASS);
    for (const step of story.moments.keys()) expect(describeStep(story, step)).not.toBe('');
  });

  test('the table holds no role, thought, ballot or place before its time', () => {
    const story = seen(linesOf(name), { type: 'table' });
    for (const { players, minds, meeting, ship, line } of story.moments) {
      expect(minds.thoughts).toEqual({});
      expect(minds.pads).toEqual({});
      expect(ship?.places ?? {}).toEqual({});
      expect(meeting?.tick?.scores).toBeUndefined();
      for (const ballot of Object.values(meeting?.locked ?? {})) expect(ballot).toBeNull();
      if (line.type !== 'game.closed') for (const { role } of players) expect(role).toBeNull();
    }
    expect(story.gallery).toEqual([]);
  });
});

describe('bids', () => {
  test('each total is the sum of its terms, and the winner is first', () => {
    for (const name of NAMES) {
      for (const { line } of seen(linesOf(name), GLASS).moments) {
        if (line.type !== 'tick.closed') continue;
        const rows = listBids(line);
        for (const { terms, total, fault } of rows)
          if (fault === '' && (line.scores ?? []).length > 0)
            expect(Object.values(terms).reduce((sum, term) => sum + term, 0)).toBe(total);
        if (line.floor != null) expect(rows[0]?.seat).toBe(line.floor);
      }
    }
  });

  test.each([
    ['3', { slope: 6, grace: 0, cap: null }],
    ['4', { slope: 6, grace: 3, cap: null }],
  ])('have the boost of the last three living by rules %s', (rules, silence) => {
    const lines = linesOf('a game').map((line) =>
      line.type === 'match.opened' ? { ...line, rulesVersion: Number(rules) } : line,
    );
    expect(readWeights(seen(lines, GLASS).moments[0]?.line, 3)?.silence).toEqual(silence);
  });

  test('have the weights of the header, which only the glass shows', () => {
    for (const name of NAMES) {
      const [header] = linesOf(name);
      const line = seen(linesOf(name), GLASS).moments[0]?.line;
      const seats = line?.type === 'match.opened' ? line.match.seats.length : 0;
      const weights = readWeights(line, seats);
      expect(readWeights(seen(linesOf(name), { type: 'table' }).moments[0]?.line, 4)).toBeNull();
      const options = header?.type === 'match.opened' ? header.match.options : undefined;
      if (options?.weights === undefined) continue;
      const { recent_speaker: recentSpeaker, ...terms } = options.weights;
      expect(weights).toMatchObject({ ...terms, recentSpeaker });
    }
  });
});

describe('a long journal', () => {
  const TICKS = 10_000;

  test('moments of a tick share everything that the tick did not change', () => {
    const short = linesOf('electrical');
    const start = short.findIndex(({ type }) => type === 'tick.closed');
    const tick = short[start];
    if (tick?.type !== 'tick.closed') throw new Error('no tick');
    const many = Array.from(
      { length: TICKS },
      (_, index): Line => ({ ...tick, tick: index, seq: start + index }),
    );
    const lines = [...short.slice(0, start), ...many];
    const story = seen(lines, GLASS);
    expect(story.moments.length).toBeGreaterThanOrEqual(TICKS);
    const ticks = story.moments.slice(-TICKS);
    // A tick reuses everything that it does not change, so its cost does not grow.
    const built = (part: (moment: (typeof ticks)[number]) => unknown) =>
      new Set(ticks.map(part)).size;
    expect(built(({ players }) => players)).toBe(1);
    expect(built(({ meeting }) => meeting?.locked)).toBe(1);
    expect(built(({ meeting }) => meeting?.turned)).toBe(1);
    expect(built(({ minds }) => minds.pads)).toBe(1);
    expect(built(({ ballots }) => ballots)).toBe(1);
  });

  test('counts by halving', () => {
    expect(countUntil([], 3)).toBe(0);
    expect([0, 1, 2, 3, 9].map((step) => countUntil([1, 2, 2, 5], step))).toEqual([0, 1, 3, 3, 4]);
  });
});

test('votes are described as they are revealed', () => {
  const lines = linesOf('electrical');
  const story = seen(lines, GLASS);
  const last = story.moments.findLast(({ line }) => line.type === 'poll.closed');
  const locked = Object.entries(last?.meeting?.locked ?? {}).map(
    ([voter, ballot]) => `${voter} > ${ballot}`,
  );
  expect(locked.toSorted()).toEqual(
    votes(
      lines.slice(
        0,
        lines.findIndex(({ type }) => type === 'poll.counted'),
      ),
    ),
  );
});
