import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { readJournal } from '../../../../actors/engine/journal/reader.ts';
import { NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../../actors/minds/openai/matchModels.ts';
import { createWritingBoard } from '../../../../actors/minds/writing.ts';
import { replay } from '../../../../actors/replay/replay.ts';
import { readCalls } from '../../../../machines/journal/calls.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import type { GameMatch, MeetingMatch } from '../../../../machines/setup/match.ts';
import { plainGame } from '../../../../machines/setup/prepare.ts';
import type { SeatWords } from '../../../../machines/turnPrompt.ts';
import { answerTo } from '../../../support/endpoint/answer.ts';
import type { Asked } from '../../../support/endpoint/asked.ts';
import { atFirst } from '../../../support/endpoint/case.ts';
import { FakeEndpoint, type FakeOptions } from '../../../support/endpoint/fakeEndpoint.ts';
import { faulty } from '../../../support/endpoint/faults.ts';
import { completionBody, type Sent } from '../../../support/endpoint/sent.ts';
import { streamOf } from '../../../support/endpoint/streaming.ts';
import { SEED, seeds, testLong } from '../../../support/seeds.ts';
import { modelTable, playModels } from './slowServers.ts';

type Event =
  | { readonly type: 'line'; readonly line: Line }
  | { readonly type: 'words'; readonly words: readonly SeatWords[] };

type Watched = {
  readonly journal: string;
  readonly events: readonly Event[];
  readonly fake: FakeEndpoint;
};

/** Plays a match whose seats are at an endpoint of this machine; every change of the words is looked at. */
async function playWatched(
  matchAt: (baseUrl: string) => MeetingMatch | GameMatch,
  {
    seed,
    streams,
    ...misbehaves
  }: { seed: number; streams: boolean } & Pick<FakeOptions, 'steps' | 'answer'>,
): Promise<Watched> {
  const fake = await FakeEndpoint.open({ ...misbehaves, seed });
  try {
    const limits = { concurrency: 8, perMinute: null };
    const models = new MatchModels({ seed, prices: {}, budget: NO_LIMIT, limits, streams });
    const events: Event[] = [];
    // Due at once: each word is looked at.
    const board = createWritingBoard({ setTimeout: (look) => look() });
    board.watch((words) => events.push({ type: 'words', words }));
    models.onWriting = (asked, words) => board.note(asked, words);
    const onLine = (line: Line) => {
      board.noteLine(line);
      events.push({ type: 'line', line });
      return true;
    };
    const journal = await playModels(matchAt(fake.baseUrl), seed, models, { onLine });
    return { journal, events, fake };
  } finally {
    await fake.close();
  }
}

const TABLE = (baseUrl: string) => modelTable(4, 6, { max_ticks: 5 }, baseUrl);

function gameAt(baseUrl: string): GameMatch {
  const game = plainGame(5);
  return {
    ...game,
    seats: game.seats.map((seat) => ({ ...seat, mind: 'openai', model: 'm', base_url: baseUrl })),
    options: { ...game.options, max_rounds: 12 },
  };
}

/** The lines as they are hashed; the port of the endpoint, drawn by the system, is taken out. */
function hashedLines(journal: string): readonly unknown[] {
  return journal
    .trimEnd()
    .split('\n')
    .map((text) => {
      const { clock, hash, prev, ...line } = JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, 'x'));
      return line;
    });
}

describe('the journal', () => {
  test.each([
    ['a meeting', TABLE],
    ['a game', gameAt],
  ] as const)('of %s is the same, whether answers are streamed or not', async (_, matchAt) => {
    for (let seed = SEED; seed < SEED + seeds(1, 20); seed += 1) {
      const atOnce = await playWatched(matchAt, { seed, streams: false });
      const streamed = await playWatched(matchAt, { seed, streams: true });
      expect(hashedLines(streamed.journal)).toEqual(hashedLines(atOnce.journal));
      expect(streamed.fake.asked.every(({ body }) => body['stream'] === true)).toBe(true);
      expect(atOnce.events.filter(({ type }) => type === 'words')).toEqual([]);
      expect(streamed.events.some(({ type }) => type === 'words')).toBe(true);
      expect((await replay(readJournal(streamed.journal))).type).toBe('same');
    }
  });
});

describe('a stream that breaks off', () => {
  test('a cut stream costs the tokens that came, and its reserve is released', async () => {
    const body = completionBody({ content: 'x'.repeat(400) }, 'stop');
    const sends = streamOf(body, { seed: 'cost', share: 0.5, ending: 'cut' });
    const { journal } = await playWatched(TABLE, {
      seed: SEED,
      streams: true,
      steps: [atFirst(sends)],
    });
    const [call] = readCalls(readJournal(journal).lines);
    expect(call).toMatchObject({
      failure: 'upstream',
      usage: { promptTokens: null, completionTokens: null },
    });
    expect(call?.estimate.completion).toBeGreaterThan(0);
    expect(call?.estimate.completion).toBeLessThanOrEqual(100);
    expect(journal).not.toContain('"written"');
  });
});

function isTick(event: Event): boolean {
  return event.type === 'line' && event.line.type === 'tick.closed';
}

function recordedWords(line: Line, seat: string): { thought: string; message: string } | null {
  if (line.type !== 'tick.closed' && line.type !== 'turn.closed') return null;
  const bid = line.bids.find((one) => one.seat === seat);
  const received: Record<string, unknown> = Object(bid?.received);
  if (bid === undefined || !('internal_thought' in received)) return null;
  return {
    thought: String(received['internal_thought'] ?? ''),
    message: String(received['message'] ?? ''),
  };
}

describe('words in progress during a match', () => {
  test('words in progress only grow, and are gone when their line appears', async () => {
    for (let seed = SEED; seed < SEED + seeds(1, 40); seed += 1) {
      const { events } = await playWatched(TABLE, { seed, streams: true });
      const shown = new Map<string, SeatWords>();
      let compared = 0;
      for (const event of events) {
        if (event.type === 'words') {
          for (const words of event.words) {
            const before = shown.get(words.seat);
            expect(words.thought.startsWith(before?.thought ?? '')).toBe(true);
            expect(words.message.startsWith(before?.message ?? '')).toBe(true);
            shown.set(words.seat, words);
          }
          const seats = event.words.map(({ seat }) => seat);
          for (const seat of shown.keys())
            if (!seats.some((one) => one === seat)) shown.delete(seat);
        } else {
          expect([...shown.values()].filter(({ seat }) => recordedWords(event.line, seat))).toEqual(
            [],
          );
        }
        if (event.type === 'line') compared += 1;
      }
      expect(compared).toBeGreaterThan(0);
      expect(shown.size).toBe(0);
    }
  });

  test('words in progress reach the whole line', async () => {
    const { events } = await playWatched(TABLE, { seed: SEED, streams: true });
    const last = new Map<string, SeatWords>();
    let compared = 0;
    for (const event of events) {
      if (event.type === 'words') for (const words of event.words) last.set(words.seat, words);
      else
        for (const [seat, { thought, message }] of last) {
          const recorded = recordedWords(event.line, seat);
          if (recorded === null) continue;
          expect({ thought, message }).toEqual(recorded);
          compared += 1;
        }
    }
    expect(compared).toBeGreaterThan(3);
  });

  test('is gone when its request has failed, and begins anew with the next', async () => {
    const content = JSON.stringify({ internal_thought: 'x '.repeat(200), message: 'never' });
    const body = completionBody({ content }, 'stop');
    const sends = streamOf(body, { seed: 'anew', share: 0.7, ending: 'cut', mostBytes: 64 });
    const steps = [atFirst(sends)];
    const { events } = await playWatched(TABLE, { seed: SEED, streams: true, steps });
    const written = events
      .slice(0, events.findIndex(isTick))
      .flatMap((event) => (event.type === 'words' ? [event.words] : []));
    const isFirst = ({ thought }: SeatWords) => thought.startsWith('x x');
    const lastOfFirst = written.findLastIndex((words) => words.some(isFirst));
    expect(lastOfFirst).toBeGreaterThanOrEqual(0);
    expect(written[lastOfFirst + 1]?.some(isFirst)).toBe(false);
    expect(written[lastOfFirst + 1]).toEqual([]);
    expect(written.slice(lastOfFirst).some((words) => words.some((one) => !isFirst(one)))).toBe(
      true,
    );
  });

  testLong('begins anew with each request, at an endpoint where a third goes wrong', async () => {
    const steps = faulty(0.3, SEED);
    const { events, fake } = await playWatched(TABLE, { seed: SEED, streams: true, steps });
    expect(fake.asked.length).toBeGreaterThan(8);
    const last = events.findLast(({ type }) => type === 'words');
    expect(last).toEqual({ type: 'words', words: [] });
  });

  test('is gone when a round of the ship is over', async () => {
    const { events } = await playWatched(gameAt, { seed: SEED, streams: true });
    let words: readonly SeatWords[] = [];
    let rounds = 0;
    for (const event of events) {
      if (event.type === 'words') words = event.words;
      else if (event.line.type === 'round.closed') {
        expect(words.filter(({ requestKind }) => requestKind === 'action')).toEqual([]);
        rounds += 1;
      }
    }
    expect(rounds).toBeGreaterThan(3);
    expect(words).toEqual([]);
  });
});

describe('thoughts beside an answer', () => {
  const THOUGHTS = 'Who was in Electrical? Red, I say. '.repeat(130);

  /** An endpoint whose model thinks before it answers, in a field of its own. */
  const thinking = (asked: Asked, seed: number): Sent => {
    const sent = answerTo(asked, seed);
    if (sent.type !== 'body') throw new Error('the player has no words');
    const body = JSON.parse(sent.text);
    const [choice] = body.choices;
    const message = { reasoning_content: THOUGHTS, ...choice.message };
    return { ...sent, text: JSON.stringify({ ...body, choices: [{ ...choice, message }] }) };
  };
  const answer = (asked: Asked) => thinking(asked, SEED);
  let playing: Promise<Watched> | null = null;
  const stream = () => {
    playing ??= playWatched(TABLE, { seed: SEED, streams: true, answer });
    return playing;
  };

  testLong(
    'is shown as its thoughts from their end, until the thought of the answer begins',
    async () => {
      const { events } = await stream();
      const last = new Map<string, string>();
      let [grown, replaced] = [0, 0];
      for (const event of events) {
        if (event.type === 'line') continue;
        for (const { seat, thought, message } of event.words) {
          const before = last.get(seat) ?? '';
          expect(thought.length).toBeLessThanOrEqual(4000);
          if (THOUGHTS.includes(thought)) {
            if (thought.length > before.length && message === '') grown += 1;
          } else if (THOUGHTS.includes(before)) replaced += 1;
          last.set(seat, thought);
        }
        for (const seat of last.keys())
          if (!event.words.some((words) => words.seat === seat)) last.delete(seat);
      }
      expect(grown).toBeGreaterThan(10);
      expect(replaced).toBeGreaterThan(3);
    },
  );

  test('thoughts beside an answer change no journal', async () => {
    const atOnce = await playWatched(TABLE, { seed: SEED, streams: false, answer });
    const streamed = await stream();
    expect(hashedLines(streamed.journal)).toEqual(hashedLines(atOnce.journal));
    expect(streamed.journal).not.toContain('Who was in Electrical?');
  });
});

describe('the board of words in progress', () => {
  const words = (thought: string) => ({ thought, message: '' });
  const asked = (seat: 'red' | 'blue', kind: SeatWords['requestKind'] = 'discussion') => ({
    seat,
    kind,
  });

  function aBoard() {
    const time = new SimulatedClock();
    const board = createWritingBoard(time);
    const looks: (readonly string[])[] = [];
    board.watch((writing) => looks.push(writing.map(({ seat, thought }) => `${seat} ${thought}`)));
    return { time, board, looks };
  }

  test('a spectator sees growing words ten times a second at most, in the order of the seats', () => {
    const { time, board, looks } = aBoard();
    board.note(asked('blue'), words('a'));
    board.note(asked('red'), words('b'));
    board.note(asked('blue'), words('ac'));
    expect(looks).toEqual([]);
    while (time.next());
    expect(looks).toEqual([['red b', 'blue ac']]);
    expect(time.now()).toBe(100);
  });

  test('a spectator sees at once that words are void, and no update without words', () => {
    const { time, board, looks } = aBoard();
    board.note(asked('red'), null);
    board.note(asked('red'), words('a'));
    board.note(asked('red'), null);
    expect(looks).toEqual([[]]);
    while (time.next());
    expect(looks).toEqual([[]]);
  });

  test('a spectator sees the words of a ghost until the gallery closes, whatever the table does', () => {
    const { time, board, looks } = aBoard();
    board.note(asked('red', 'ghost'), words('a'));
    board.note(asked('blue'), words('b'));
    while (time.next());
    const own = { seq: 1, hash: '' };
    board.noteLine({ ...own, type: 'phase.entered', channel: 'living', phase: 'voting' });
    expect(looks.at(-1)).toEqual(['red a']);
    board.noteLine({ ...own, type: 'gallery.closed', channel: 'ghosts', turns: 1 });
    expect(looks.at(-1)).toEqual([]);
  });
});
