import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import type { ReadyGame, ReadyMeeting, RunningMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import type { Believer, StatedBelief } from '../../../actors/minds/believer.ts';
import { createBeliefSettings } from '../../../actors/minds/believers.ts';
import { nextTurn } from '../../../actors/ports/time.ts';
import { continueMatch, cutBefore } from '../../../actors/replay/continue.ts';
import { replay } from '../../../actors/replay/replay.ts';
import { WhatIf } from '../../../actors/replay/whatIf.ts';
import type { LineOf } from '../../../machines/journal/lines.ts';
import type { BeliefQuestion } from '../../../machines/rules/beliefs.ts';
import { mapSeats } from '../../../machines/rules/seats.ts';
import { meetingMatchSchema } from '../../../machines/setup/match.ts';
import type { BeliefTimes, BySeat, Colour } from '../../../machines/types.ts';
import { readyMatch } from '../../support/matches.ts';
import { aLobby } from '../laws/journeys.ts';
import { forged } from './journal/records.ts';

type Ready = ReadyGame | ReadyMeeting;

function aGame(seed: number, players = 7): Ready {
  return readyMatch(aLobby(players, { max_ticks: 12 }), seed);
}

const SEEN = meetingMatchSchema.parse({
  name: 'Seen',
  call: { by: 'blue', report: 'pink', place: 'Electrical' },
  map: 'skeld',
  seats: [
    { colour: 'red', role: 'impostor' },
    {
      colour: 'blue',
      role: 'crewmate',
      saw: [{ ago: 5, who: 'red', place: 'Electrical', did: 'kill' }],
    },
    { colour: 'green', role: 'impostor' },
    { colour: 'orange', role: 'crewmate' },
    { colour: 'black', role: 'crewmate' },
    { colour: 'white', role: 'crewmate' },
    { colour: 'pink', role: 'crewmate', dead: true },
  ],
});

function aMeeting(seed: number): Ready {
  return readyMatch(SEEN, seed);
}

type Played = {
  readonly times?: BeliefTimes | null;
  readonly believers?: (own: BySeat<Believer>) => BySeat<Believer>;
  readonly begun?: (match: RunningMatch<unknown>) => void;
};

async function play(
  ready: Ready,
  seed: number,
  { times = null, believers = (own) => own, begun = () => {} }: Played = {},
): Promise<string> {
  const settings = createBeliefSettings(times, ready.match, seed);
  const beliefs =
    settings === null ? null : { ...settings, believers: believers(settings.believers) };
  const sink = new MemorySink();
  const match = playMatch(ready, { sink, beliefs });
  begun(match);
  await match.result;
  return sink.text;
}

const isBelief = (row: string) => row.includes('"channel":"beliefs"');
const without = (text: string) =>
  text
    .split('\n')
    .filter((row) => !isBelief(row))
    .join('\n');
const only = (text: string) => text.split('\n').filter(isBelief).join('\n');
function statedIn(text: string): readonly LineOf<'belief.stated'>[] {
  const { lines, damages } = readJournal(text);
  expect(damages).toEqual([]);
  return lines.flatMap((line) => (line.type === 'belief.stated' ? [line] : []));
}

describe('a match with beliefs', () => {
  test.each([
    { name: 'a game', make: aGame, seed: 4 },
    { name: 'another game', make: aGame, seed: 11 },
    { name: 'a meeting', make: aMeeting, seed: 1 },
  ])(
    'a match with beliefs is the match without them to the byte, except for their channel: $name',
    async (one) => {
      const plain = await play(one.make(one.seed), one.seed);
      for (const times of ['meeting', 'tick'] as const) {
        const asked = await play(one.make(one.seed), one.seed, { times });
        expect(without(asked)).toBe(plain);
        expect(statedIn(asked).length).toBeGreaterThan(times === 'tick' ? 20 : 5);
      }
      expect(plain).not.toContain('belief');
    },
  );

  test('asks each living player of each other one, at the call, after each tick and after the vote', async () => {
    const journal = await play(aMeeting(1), 1, { times: 'tick' });
    const { lines } = readJournal(journal);
    const ticks = lines.flatMap((line) =>
      line.type === 'tick.closed' && line.requestKind === 'discussion' ? [line.tick] : [],
    );
    const living = ['red', 'blue', 'green', 'orange', 'black', 'white'];
    const moments = [
      { moment: 'call' },
      ...ticks.slice(0, -1).map((tick) => ({ moment: 'tick', tick })),
      { moment: 'vote' },
    ];
    const expected = moments.flatMap((moment) =>
      living.map((seat) => ({
        meeting: 1,
        ...moment,
        seat,
        about: living.filter((other) => other !== seat),
      })),
    );
    expect(ticks.length).toBeGreaterThan(2);
    expect(statedIn(journal)).toEqual(expected.map((line) => expect.objectContaining(line)));
    const seldom = await play(aMeeting(1), 1, { times: 'meeting' });
    const beside = (text: string) => only(text).replaceAll(/"(?:seq|hash)":[^,}]*/g, '');
    const kept = beside(journal)
      .split('\n')
      .filter((row) => !row.includes('"moment":"tick"'));
    expect(kept.slice(1)).toEqual(beside(seldom).split('\n').slice(1));
  });
});

describe('what offline minds believe', () => {
  test('a belief follows the facts: a witness is sure, an impostor knows, and the rest add up to the number of impostors', async () => {
    const stated = statedIn(await play(aMeeting(1), 1, { times: 'meeting' }));
    const of = (seat: Colour, moment: string) =>
      stated.find((line) => line.seat === seat && line.moment === moment)?.probabilities ?? {};
    expect(of('blue', 'call').red).toBeGreaterThan(0.9);
    for (const moment of ['call', 'vote']) {
      expect(of('red', moment)).toEqual({ blue: 0, green: 1, orange: 0, black: 0, white: 0 });
      expect(of('green', moment)).toEqual({ red: 1, blue: 0, orange: 0, black: 0, white: 0 });
    }
    for (const seat of ['blue', 'orange', 'black', 'white'] as const) {
      const shares = Object.values(of(seat, 'call'));
      expect(shares).toHaveLength(5);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(2, 2);
    }
    // Blue has said it by then, and who heard it believes it more than before.
    for (const seat of ['orange', 'black', 'white'] as const) {
      expect(of(seat, 'vote').red ?? 0).toBeGreaterThan(of(seat, 'call').red ?? 1);
    }
  });
});

describe('a journal with beliefs', () => {
  test('is played again from the record alone', async () => {
    const journal = await play(aGame(4), 4, { times: 'tick' });
    expect(await replay(readJournal(journal))).toMatchObject({ type: 'same', unfinished: false });
  });

  test('a replay detects a belief of another value, moment or set of players', async () => {
    const journal = await play(aMeeting(1), 1, { times: 'meeting' });
    const edits = [
      { seat: 'white' },
      { moment: 'vote' },
      { meeting: 2 },
      { about: ['red'] },
      { probabilities: { red: 0.5 }, missing: {} },
    ];
    for (const edit of edits) {
      let isDone = false;
      const text = forged(journal, (row) => {
        if (isDone || row['type'] !== 'belief.stated') return row;
        isDone = true;
        return { ...row, ...edit };
      });
      expect((await replay(readJournal(text))).type).toBe('different');
    }
  });

  test('a match with beliefs continues from any break and reaches the same end', async () => {
    const seed = 4;
    const journal = await play(aGame(seed), seed, { times: 'meeting' });
    const rows = journal.split('\n').slice(0, -1);
    const stated = rows.flatMap((row, at) => (row.includes('belief.stated') ? [at] : []));
    for (const at of [3, stated[0], (stated[0] ?? 0) + 1, stated[9], stated.at(-1)]) {
      const past = `${rows.slice(0, at).join('\n')}\n`;
      const sink = new MemorySink();
      const ready = aGame(seed);
      const { believers = {} } = createBeliefSettings('meeting', ready.match, seed) ?? {};
      const match = continueMatch(readJournal(past), {
        sink,
        believers,
        models: () => expect.unreachable(),
      });
      expect((await match.result).difference).toBeNull();
      const whole = past + sink.text;
      expect(only(whole)).toBe(only(journal));
      expect(without(whole).split('\n').toSorted()).toEqual(
        without(journal).split('\n').toSorted(),
      );
    }
  });

  test('a continuation without believers asks nobody and repeats the record', async () => {
    const journal = await play(aGame(4), 4, { times: 'meeting' });
    const past = cutBefore(readJournal(journal), { type: 'tick', meeting: 0, tick: 1 });
    if (past === null) return expect.unreachable();
    const sink = new MemorySink();
    const match = continueMatch(past, { sink, models: () => expect.unreachable() });
    expect((await match.result).difference).toBeNull();
    expect(sink.text).not.toContain('belief');
    expect(sink.text.length).toBeGreaterThan(1000);
  });

  test('`why` finds it the same without a change, and asks for no belief', async () => {
    const journal = readJournal(await play(aMeeting(1), 1, { times: 'tick' }));
    const record = WhatIf.open(journal, { models: null, standIns: false });
    const tick = journal.lines.findIndex(({ type }) => type === 'tick.closed');
    const { difference, lines } = await record.compare(tick);
    expect(difference).toBeNull();
    expect(lines).toBe(journal.lines.filter(({ channel }) => channel !== 'beliefs').length);
  });
});

function askedLater() {
  const open: { readonly question: BeliefQuestion; give(answer: StatedBelief | null): void }[] = [];
  const believer: Believer = {
    pace: 'in-time',
    source: 'model',
    believe: (question) => {
      const { promise, resolve } = Promise.withResolvers<StatedBelief | null>();
      open.push({ question, give: resolve });
      return promise;
    },
  };
  return { open, believer };
}

function statesEvenly({ about }: BeliefQuestion): StatedBelief {
  const probabilities = Object.fromEntries(about.map((seat) => [seat, 0.25]));
  return { source: 'model', answer: { ok: true, received: { probabilities } } };
}

const everySeat = (believer: Believer) => (own: BySeat<Believer>) => mapSeats(own, () => believer);

describe('answers that take their time', () => {
  test('come in any order and are written in one, and the match does not wait for them', async () => {
    const texts: string[] = [];
    for (const order of [1, -1, 7]) {
      const { open, believer } = askedLater();
      const played = play(aMeeting(1), 1, { times: 'tick', believers: everySeat(believer) });
      for (let turns = 0; turns < 10; turns++) await nextTurn();
      const asked = open.length;
      expect(asked).toBeGreaterThan(20);
      for (let index = 0; index < asked; index++) {
        const at = (((index * order) % asked) + asked) % asked;
        const one = open[order === 7 && asked % 7 === 0 ? index : at];
        one?.give(statesEvenly(one.question));
        if (index % 3 === 0) await null;
      }
      texts.push(only(await played));
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]?.split('\n').length).toBeGreaterThan(20);
  });

  test('are not waited for when the operator ends the match, and it is said that they are missing', async () => {
    const { open, believer } = askedLater();
    const [first] = ['blue'] as const;
    const journal = await play(aMeeting(1), 1, {
      times: 'meeting',
      believers: (own) => ({ ...own, [first]: believer }),
      begun: (match) => {
        void (async () => {
          while (open.length < 2) await nextTurn();
          match.stop();
        })();
      },
    });
    expect(open).toHaveLength(2);
    const missing = statedIn(journal).filter(({ seat }) => seat === first);
    expect(missing.map(({ source, fault }) => [source, fault])).toEqual([
      ['model', 'belief/stopped'],
      ['model', 'belief/stopped'],
    ]);
    expect(await replay(readJournal(journal))).toMatchObject({ type: 'same' });
  });

  test('a seat without a believer has no line, and a believer that throws leaves its reason', async () => {
    const nobody: Believer = { pace: 'in-time', source: 'own', believe: async () => null };
    const broken: Believer = {
      pace: 'in-time',
      source: 'own',
      believe: async () => {
        throw new Error('no such thing');
      },
    };
    const journal = await play(aMeeting(1), 1, {
      times: 'meeting',
      believers: (own) => ({ ...own, blue: nobody, orange: broken }),
    });
    const stated = statedIn(journal);
    expect(stated.some(({ seat }) => seat === 'blue')).toBe(false);
    expect(stated.filter(({ seat }) => seat === 'orange')).toMatchObject([
      { source: 'own', fault: 'mind/threw', text: 'no such thing', probabilities: {} },
      { moment: 'vote', fault: 'mind/threw' },
    ]);
    expect(await replay(readJournal(journal))).toMatchObject({ type: 'same' });
  });

  test.each([
    ['nonsense', 'I would say Red', { fault: 'belief/not-a-belief' }],
    ['a list', [0.5], { fault: 'belief/not-a-belief' }],
    ['nothing', null, { fault: 'belief/not-a-belief' }],
    ['none of the names', { probabilities: { pink: 1 } }, { fault: 'belief/not-a-belief' }],
    [
      'numbers out of range, percents and names that are missing',
      { probabilities: { red: 1.2, green: '40%', black: -0.1, orange: 'likely' }, why: 'x' },
      {
        probabilities: { green: 0.4 },
        missing: {
          red: 'belief/out-of-range',
          orange: 'belief/no-number',
          black: 'belief/out-of-range',
          white: 'belief/no-name',
        },
      },
    ],
    [
      'sums of five',
      { red: 1, green: 1, orange: 1, black: 1, white: 1 },
      {
        about: ['red', 'green', 'orange', 'black', 'white'],
        probabilities: { red: 1, green: 1, orange: 1, black: 1, white: 1 },
      },
    ],
  ])('%s are kept as they came, and read again in a replay', async (_, received, expected) => {
    const strange: Believer = {
      pace: 'in-time',
      source: 'model',
      believe: async () => ({ source: 'model', answer: { ok: true, received } }),
    };
    const journal = await play(aMeeting(1), 1, {
      times: 'meeting',
      believers: (own) => ({ ...own, blue: strange }),
    });
    const [stated] = statedIn(journal).filter(({ seat }) => seat === 'blue');
    expect(stated).toMatchObject({ ...expected, received });
    expect(await replay(readJournal(journal))).toMatchObject({ type: 'same' });
  });
});
