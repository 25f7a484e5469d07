/** Eval logs: they have the format, each player is there once, and every score and token is found again in the lines. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { createMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import { readCalls } from '../../../actors/minds/openai/calls.ts';
import { inspectLogSchema } from '../../../analysis/inspect/format.ts';
import { createInspectLog } from '../../../analysis/inspect/log.ts';
import type { BidFields, Line, OrderFields } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { aLobby } from '../../actors/laws/journeys.ts';
import { TextSink } from '../../actors/minds/openai/slowServers.ts';
import { meetModels, playModelGame } from '../../actors/telemetry/journals.ts';

const START = Date.UTC(2026, 10, 22);
const OPTIONS = {
  name: 'a.jsonl',
  version: '1.2.3',
  prices: { m: { input: 1, output: 10 } },
  startedAt: () => START,
};

function logOf(text: string, edit: (line: Line) => Line = (line) => line) {
  const read = readJournal(text);
  const journal = { ...read, lines: read.lines.map(edit) };
  const log = createInspectLog(journal, OPTIONS);
  if (log === null) return expect.unreachable('the journal has a first line');
  return { lines: journal.lines, log };
}

/** A game of scripts, some of whose replies go wrong. */
async function playScripts(seed: number): Promise<string> {
  const creation = createMatch(aLobby(8, {}, { fault_rate: 0.05 }), seed);
  if (!creation.ok) return expect.unreachable(JSON.stringify(creation.refusals));
  const sink = new TextSink();
  await playMatch(creation.ready, { sink, time: new SimulatedClock() }).result;
  return sink.text;
}

/** Three meetings, and requests of which some are lost. */
const GAME = await playModelGame(12);
const MEETING = await meetModels(5);
const SCRIPTS = await playScripts(7);

/** The beginning of a journal, up to and with the first line of which this is true. */
function cutAfter(text: string, isLast: (line: string) => boolean): string {
  const rows = text.split('\n');
  return `${rows.slice(0, rows.findIndex(isLast) + 1).join('\n')}\n`;
}

const JOURNALS = [
  ['a game of models and scripts', GAME],
  ['a meeting on its own', MEETING],
  ['a game of scripts', SCRIPTS],
  ['a game that ends in a meeting', cutAfter(GAME, (row) => row.includes('"tick.closed"'))],
  ['a game of one round', cutAfter(GAME, (row) => row.includes('"round.closed"'))],
  ['a first line', cutAfter(GAME, () => true)],
] as const;

const seatsOf = ([header]: readonly Line[]) =>
  header?.type === 'match.opened' ? header.match.seats : [];

/** Every bid and order of a journal, with its player. */
function answersOf(lines: readonly Line[]): readonly (BidFields | OrderFields)[] {
  return lines.flatMap((line): readonly (BidFields | OrderFields)[] => {
    if (line.type === 'tick.closed' || line.type === 'turn.closed') return line.bids;
    return line.type === 'round.closed' ? line.orders : [];
  });
}

/** The scores of all players, counted from the lines and from nothing else. */
function scoresOf(lines: readonly Line[]): readonly Readonly<Record<string, number>>[] {
  const ending = lines.findLast(({ type }) => type === 'game.closed');
  const winner = ending?.type === 'game.closed' ? ending.winner : null;
  const isGame = gameIn(lines[0]) !== null;
  const isOver = lines.some(({ type }) =>
    isGame ? type === 'game.closed' : type === 'meeting.closed',
  );
  const events = lines.flatMap((line) => (line.type === 'round.closed' ? line.events : []));
  const impostors = seatsOf(lines).flatMap(({ colour, role }) =>
    role === 'impostor' ? [colour] : [],
  );
  const lost = new Set<string>([
    ...events.flatMap((event) => (event.type === 'player.killed' ? [event.victim] : [])),
    ...events.flatMap((event) => (event.type === 'seat.departed' ? [event.seat] : [])),
    ...lines.flatMap((line) =>
      line.type === 'verdict.announced' && line.ejected !== null ? [line.ejected] : [],
    ),
    ...lines.flatMap((line) => (line.type === 'seat.departed' ? [line.seat] : [])),
  ]);
  return seatsOf(lines).map((seat) => {
    const { colour } = seat;
    const isImpostor = impostors.includes(colour);
    const side = isImpostor ? 'impostors' : 'crew';
    const votes = lines.flatMap((line) =>
      line.type === 'ballot.revealed' && line.by === colour && !line.void && line.ballot !== 'skip'
        ? [line.ballot]
        : [],
    );
    const asked = answersOf(lines).filter((one) => one.seat === colour);
    const kills = events.filter((one) => one.type === 'player.killed' && one.by === colour);
    const tasks = events.filter(
      (one) => one.type === 'task.stepped' && one.done && one.seat === colour,
    );
    const wasAlive = !('dead' in seat && seat.dead);
    const hits = votes.filter((ballot) => impostors.some((one) => one === ballot));
    const found = {
      won: winner === null ? null : Number(winner === side),
      survived: isOver && wasAlive ? Number(!lost.has(colour)) : null,
      vote_accuracy: isImpostor || votes.length === 0 ? null : hits.length / votes.length,
      kills: isGame && isImpostor ? kills.length : null,
      tasks: isGame && !isImpostor ? tasks.length : null,
      answered:
        asked.length === 0
          ? null
          : asked.filter(({ fault }) => fault === undefined).length / asked.length,
    };
    return Object.fromEntries(
      Object.entries(found).flatMap(([score, value]) => (value === null ? [] : [[score, value]])),
    );
  });
}

const sum = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((total, one) => total + (one ?? 0), 0);

describe.each(JOURNALS)('the log of %s', (_, text) => {
  const { lines, log } = logOf(text);

  test('has the format, and its text is JSON that says the same', () => {
    expect(inspectLogSchema.parse(log)).toEqual(log);
    expect(JSON.parse(JSON.stringify(log))).toEqual(log);
  });

  test('has each player once, in the order of the lobby', () => {
    const colours = seatsOf(lines).map(({ colour }) => colour);
    expect(log.samples.map(({ id }) => id)).toEqual(colours);
    expect(log.eval.dataset.sample_ids).toEqual(colours);
    expect(Object.keys(log.eval.model_roles)).toEqual(colours);
  });

  test('has a question for each request of the lines, and the answer that was read', () => {
    for (const { id, messages } of log.samples) {
      const own = answersOf(lines).filter(({ seat }) => seat === id);
      expect(messages.filter(({ role }) => role === 'user')).toHaveLength(own.length);
      const received = own.flatMap((one) => (one.received === undefined ? [] : [one.received]));
      const answers = messages.filter(({ role }) => role === 'assistant');
      expect(answers.map(({ content }) => JSON.parse(content))).toEqual(received);
      expect(new Set(messages.map((message) => message.id)).size).toBe(messages.length);
      for (const { metadata } of messages) {
        expect(lines[Number(metadata['line']) - 1]?.hash).toBe(metadata['hash']);
      }
    }
  });

  test('has the scores that are counted from the lines, and their means', () => {
    const counted = scoresOf(lines);
    const values = log.samples.map(({ scores }) =>
      Object.fromEntries(Object.entries(scores).map(([score, { value }]) => [score, value])),
    );
    expect(values).toEqual(counted);
    for (const { name: score, metrics, scored_samples, unscored_samples } of log.results?.scores ??
      []) {
      const known = counted.flatMap((one) => one[score] ?? []);
      expect(metrics['mean']?.value).toBeCloseTo(sum(known) / known.length, 12);
      expect([scored_samples, unscored_samples]).toEqual([
        known.length,
        counted.length - known.length,
      ]);
    }
  });

  test('has an event for each request to a model, and their tokens add up', () => {
    const calls = readCalls(lines);
    const events = log.samples.flatMap((sample) =>
      sample.events.flatMap((event) => (event.event === 'model' ? [event] : [])),
    );
    const ids = (numbers: readonly unknown[]) => numbers.map(Number).toSorted((a, b) => a - b);
    expect(ids(events.map(({ metadata }) => metadata['id']))).toEqual(
      ids(calls.map(({ id }) => id)),
    );
    const prompt = sum(calls.map(({ usage }) => usage.promptTokens));
    const completion = sum(calls.map(({ usage }) => usage.completionTokens));
    const dollars = (prompt * 1 + completion * 10) / 1e6;
    for (const usages of [
      Object.values(log.stats.model_usage),
      Object.values(log.stats.role_usage),
      log.samples.flatMap(({ model_usage }) => Object.values(model_usage)),
      log.samples.flatMap(({ role_usage }) => Object.values(role_usage)),
      events.flatMap(({ output }) => output.usage ?? []),
    ]) {
      const cached = sum(usages.map((usage) => usage.input_tokens_cache_read));
      expect(sum(usages.map(({ input_tokens }) => input_tokens)) + cached).toBe(prompt);
      expect(sum(usages.map(({ output_tokens }) => output_tokens))).toBe(completion);
      expect(sum(usages.map(({ total_tokens }) => total_tokens))).toBe(prompt + completion);
      expect(sum(usages.map(({ total_cost }) => total_cost))).toBeCloseTo(dollars, 9);
    }
  });
});

describe('a game of models', () => {
  const { lines, log } = logOf(GAME);

  test('is over: status, winner and models are those of the journal', () => {
    expect(log).toMatchObject({
      version: 2,
      status: 'success',
      eval: { task: 'glassbox_game', model: 'a.test/m', created: '2026-11-22T00:00:00.000Z' },
    });
    const models = log.samples.map(({ output }) => output.model);
    expect(models.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'a.test/m'),
      ...Array.from({ length: 3 }, () => 'glassbox/scripted'),
    ]);
    expect(readCalls(lines).length).toBeGreaterThan(50);
  });

  test('shows requests that failed as such, and none of them with an answer of the game', () => {
    const failed = readCalls(lines).filter(({ failure }) => failure !== null);
    expect(failed.length).toBeGreaterThan(3);
    const events = log.samples.flatMap(({ events: own }) =>
      own.flatMap((event) => (event.event === 'model' ? [event] : [])),
    );
    const wrong = events.filter(({ error }) => error !== null);
    expect(wrong).toHaveLength(failed.length);
    expect(wrong.every(({ output }) => output.error !== null)).toBe(true);
    const replies = failed.filter(({ reply }) => reply !== null).length;
    expect(wrong.filter(({ output }) => output.choices.length > 0)).toHaveLength(replies);
    const right = events.filter(({ error }) => error === null);
    expect(right.every(({ input, output }) => input.length === 1 && output.completion !== '')).toBe(
      true,
    );
  });

  test('tells each player what was said at the table, and never what another was asked', () => {
    const said = lines.flatMap((line) =>
      line.type === 'tick.closed' && line.said !== null ? [line.said] : [],
    );
    expect(said.length).toBeGreaterThan(2);
    const thoughts = lines.flatMap((line) =>
      line.type === 'tick.closed'
        ? line.bids.flatMap(({ received }) => {
            const thought =
              typeof received === 'object' && received !== null
                ? Reflect.get(received, 'internal_thought')
                : null;
            return typeof thought === 'string' && thought.length > 20 ? [thought] : [];
          })
        : [],
    );
    expect(thoughts.length).toBeGreaterThan(2);
    const questions = log.samples.map(({ messages }) =>
      messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n'),
    );
    const first = said[0];
    expect(questions.some((text) => text.includes(`${first?.speaker}: ${first?.message}`))).toBe(
      true,
    );
    for (const text of questions) {
      for (const thought of thoughts) expect(text).not.toContain(thought);
    }
  });
});

describe('what ghosts say', () => {
  test('reaches the dead, and no player who lives to the end', () => {
    const { log } = logOf(SCRIPTS);
    const heard = (isAlive: boolean) =>
      log.samples.flatMap(({ metadata, messages }) =>
        (metadata['fate'] === 'alive') === isAlive
          ? messages.filter(
              ({ role, content }) => role === 'user' && content.includes(' (to the ghosts): '),
            )
          : [],
      );
    expect(heard(false).length).toBeGreaterThan(0);
    expect(heard(true)).toEqual([]);
  });
});

describe('a match that is not over', () => {
  test.each(JOURNALS.slice(3))('%s: has begun, and nobody has won or survived', (_, text) => {
    const { log } = logOf(text);
    expect(log.status).toBe('started');
    expect(log.results).toBeNull();
    expect(log.stats.completed_at).toBe('');
    for (const { scores, completed_at } of log.samples) {
      expect(completed_at).toBeNull();
      expect(scores).not.toHaveProperty('won');
      expect(scores).not.toHaveProperty('survived');
    }
  });
});

describe('what is scored', () => {
  test('is there for every score in a game with ejections, kills and faults', () => {
    const { log } = logOf(SCRIPTS);
    expect(log.results?.scores.map(({ name }) => name)).toEqual([
      'won',
      'survived',
      'vote_accuracy',
      'kills',
      'tasks',
      'answered',
    ]);
    const means = new Map(
      log.results?.scores.map(({ name, metrics }) => [name, metrics['mean']?.value ?? 0]),
    );
    for (const name of ['won', 'survived', 'vote_accuracy', 'answered']) {
      expect(means.get(name), name).toBeGreaterThan(0);
      expect(means.get(name), name).toBeLessThan(1);
    }
    for (const name of ['kills', 'tasks']) expect(means.get(name), name).toBeGreaterThan(0);
  });
});

test('a ballot that did not count is no vote of its player', () => {
  const isVote = (line: Line) => line.type === 'ballot.revealed' && line.ballot !== 'skip';
  expect(logOf(SCRIPTS).lines.filter(isVote).length).toBeGreaterThan(2);
  const { log } = logOf(SCRIPTS, (line) =>
    line.type === 'ballot.revealed' ? { ...line, void: true } : line,
  );
  for (const { scores } of log.samples) expect(scores).not.toHaveProperty('vote_accuracy');
});

describe('what the clock of a journal says', () => {
  test('of a request belongs to the meeting in which it was noted; one of no moment has no question', () => {
    const calls = [0, 9999].map((index) => ({
      id: 5000 + index,
      seat: 'red',
      requestKind: 'discussion',
      index,
      mode: 'text',
      ms: 10,
    }));
    let called = 0;
    const { log, lines } = logOf(GAME, (line) => {
      if (line.type === 'meeting.called') called += 1;
      const isHere = line.type === 'phase.entered' && called === 2;
      return isHere ? { ...line, clock: { calls } } : line;
    });
    expect(called).toBe(3);
    const planted = readCalls(lines).filter(({ id }) => (id ?? 0) >= 5000).length;
    expect(planted).toBeGreaterThanOrEqual(2);
    const questions = log.samples.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.event === 'model' && Number(event.metadata['id']) >= 5000
          ? [event.input.map(({ content }) => content.split('\n').at(-1))]
          : [],
      ),
    );
    expect(questions).toHaveLength(planted);
    const kinds = new Set(questions.map(([question]) => question));
    expect(kinds).toEqual(new Set(['Meeting 2, tick 0: discussion.', undefined]));
  });

  test('of tokens from a cache is counted beside those of the prompt', () => {
    const { lines, log } = logOf(GAME.replaceAll('"cachedTokens":null', '"cachedTokens":100'));
    const calls = readCalls(lines);
    const counted = calls.filter(({ usage }) => usage.cachedTokens !== null);
    const prompt = sum(calls.map(({ usage }) => usage.promptTokens));
    const cached = sum(calls.map(({ usage }) => Math.min(usage.promptTokens ?? 0, 100)));
    expect(counted.length).toBeGreaterThan(50);
    expect(cached).toBeGreaterThan(5000);
    const usage = log.stats.model_usage['a.test/m'];
    expect(usage?.input_tokens_cache_read).toBe(cached);
    expect(usage?.input_tokens).toBe(prompt - cached);
  });

  test('of a request of nobody at the table is counted, and is no request of a player', () => {
    const [first = '', ...others] = MEETING.split('\n');
    const call = { id: 999, seat: 'yellow', mode: 'text', ms: 1e12, usage: { promptTokens: 7.6 } };
    const planted = first.replace(/"clock":\{/, `"clock":{"calls":[${JSON.stringify(call)}],`);
    expect(planted).not.toBe(first);
    const { log } = logOf([planted, ...others].join('\n'));
    expect(inspectLogSchema.parse(log)).toEqual(log);
    expect(log.stats.role_usage['yellow']?.input_tokens).toBe(8);
    expect(log.stats.model_usage['none/none']?.input_tokens).toBe(8);
    expect(log.samples.some(({ role_usage }) => 'yellow' in role_usage)).toBe(false);
  });

  test('of times beyond all calendars makes no moment that is none', () => {
    const far = MEETING.replace(/"ms":\d+/, '"ms":9007199254740991');
    expect(far).not.toBe(MEETING);
    const { log } = logOf(far);
    expect(inspectLogSchema.parse(log)).toEqual(log);
  });
});
