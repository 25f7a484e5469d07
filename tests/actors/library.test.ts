import { describe, expect, test } from 'vitest';
import {
  applyLine,
  emptyProjection,
  forkMatch,
  type LightMind,
  lensFor,
  type MatchOptions,
  MatchRefused,
  meetingMachine,
  parseLens,
  readChart,
  readJournal,
  replayMatch,
  resumeMatch,
  startMatch,
} from '../../actors/index.ts';
import { map, statistics } from '../../actors/unstable.ts';
import { aRecord, forged } from './engine/journal/records.ts';

/** Waits on the ship; says one thing at the table and skips, for a house meeting waits for every vote. */
const parrot: LightMind = {
  pace: 'at-once',
  answer: ({ kind }) => ({
    ok: true,
    received:
      kind === 'action'
        ? { action: { type: 'wait' } }
        : {
            internal_thought: 'Polly.',
            desire_to_speak: 9,
            message: 'Polly wants a cracker.',
            vote_action: 'skip',
          },
  }),
};

const MUTE = {
  ok: true,
  received: { desire_to_speak: 2, message: 'I saw nothing.', vote_action: null },
} as const;

const MEETING = `
name: Four
call: { by: red }
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink, role: impostor }]
`;

async function played(options: MatchOptions) {
  const match = startMatch(options);
  return { result: await match.result, journal: match.journal() };
}

describe('a match', () => {
  test('is a plain game of eight without any option, and the same each time', async () => {
    const [one, other] = [await played({}), await played({ seed: 1 })];
    expect(one.result).toMatchObject({ type: 'game' });
    expect(readJournal(one.journal).lines[0]).toMatchObject({ type: 'match.opened', seed: 1 });
    expect(other).toEqual(one);
  });

  test('that starts at the table is a meeting, as text and as an object', async () => {
    const text = await played({ match: MEETING, seed: 3 });
    const object = await played({
      match: {
        name: 'Four',
        call: { by: 'red' },
        seats: [
          { colour: 'red' },
          { colour: 'blue' },
          { colour: 'green' },
          { colour: 'pink', role: 'impostor' },
        ],
      },
      seed: 3,
    });
    expect(text.result.type).toBe('meeting');
    expect(object).toEqual(text);
  });

  test('is played with minds of one’s own, and every line is seen as it is written', async () => {
    const lines: string[] = [];
    const { journal } = await played({
      players: 5,
      seed: 4,
      minds: { red: parrot },
      onLine: ({ type }) => lines.push(type),
    });
    expect(lines).toEqual(readJournal(journal).lines.map(({ type }) => type));
    expect(journal).toContain('Polly');
  });

  test.each([
    ['at once', { pace: 'at-once', answer: () => MUTE }],
    ['with a promise', { pace: 'in-time', answer: async () => MUTE }],
  ] as const)(
    'of minds that answer %s and never vote leaves timers their moment',
    async (_, mind) => {
      const minds = { red: mind, blue: mind, green: mind, pink: mind };
      const stopping = new AbortController();
      const { signal } = stopping;
      const endless = startMatch({ match: MEETING, minds, signal });
      setTimeout(() => stopping.abort(), 1);
      expect(await endless.result).toMatchObject({ outcome: 'interrupted' });
      const limited = await played({ match: MEETING, minds, maxTicks: 5 });
      expect(limited.result).toMatchObject({ outcome: 'unconverged', ticks: 5 });
      expect(() => startMatch({ signal })).toThrow('aborted');
    },
  );

  test.each([
    ['stop', 'interrupted'],
    ['end', 'unfinished'],
  ] as const)('can be asked to %s, also from its first line on', async (act, reason) => {
    const early = startMatch({ players: 5 });
    early[act]();
    expect(await early.result).toMatchObject({ winner: null, reason });
    const late = startMatch({
      players: 5,
      onLine: ({ type }) => type === 'round.closed' && late[act](),
    });
    expect(await late.result).toMatchObject({ winner: null, reason, rounds: 1 });
  });

  test.each([
    [{ players: 3 }, 'players: expected 4 to 15, found 3 [match/players]'],
    [{ players: 16 }, 'players: expected 4 to 15, found 16 [match/players]'],
    [{ maxTicks: 0 }, 'maxTicks: expected a whole number from 1, found 0 [match/maxTicks]'],
    [{ seed: -1 }, 'seed: expected a whole number from 0, found -1 [match/seed]'],
    [{ seed: 1.5 }, 'found 1.5 [match/seed]'],
    [{ minds: { red: {} as never } }, 'red: expected a mind'],
    [{ minds: { red: null as never } }, 'red: expected a mind'],
    [{ playrs: 5 } as never, '"playrs"'],
    [{ match: { name: 'x', seats: [{ colour: 'red' }] } }, 'expected 4 to 15 seats, found 1'],
    [
      { match: { name: 'x', call: { by: 'red' }, seats: [{ colour: 'red', dead: 3 as never }] } },
      'seats.0.dead: expected true or false',
    ],
    [{ match: `${MEETING}limit: 3` }, 'limit'],
    [
      { match: MEETING.replace('{ colour: blue }', '{ colour: blue, mind: human }') },
      "blue: a person can't play here",
    ],
    [
      { match: MEETING.replace('{ colour: blue }', '{ colour: blue, mind: openai }') },
      '[model/no-name]',
    ],
    [{ match: MEETING.replace('{ colour: blue }', '{ colour: blue, mind: command }') }, 'blue'],
    [{ match: 'name: [' }, 'match/'],
    [{ match: MEETING.replace('call: { by: red }', 'call: { by: lime }') }, 'lime'],
    [
      { players: 4, minds: { white: parrot } },
      'minds: white has no seat (seated: red, blue, green, pink) [match/no-such-seat]',
    ],
  ] satisfies [MatchOptions, string][])('that makes no sense is refused: %j', (options, words) => {
    expect(() => startMatch(options)).toThrow(MatchRefused);
    expect(() => startMatch(options)).toThrow(words);
  });
});

const cutOf = (journal: string) => `${journal.split('\n').slice(0, 20).join('\n')}\n`;

test('a journal that names a program starts it only when it is trusted', async () => {
  const command = '{ colour: blue, mind: command, command: "false" }';
  const named = startMatch({ match: MEETING.replace('{ colour: blue }', command), seed: 3 });
  await named.result;
  const cut = cutOf(named.journal());
  expect(() => resumeMatch(cut)).toThrow('[mind/not-trusted]');
  await expect(resumeMatch(cut, { minds: { blue: parrot } }).result).resolves.toMatchObject({
    recorded: 20,
  });
  await expect(resumeMatch(cut, { runMinds: true }).result).resolves.toMatchObject({
    recorded: 20,
  });
});

/** A journal that can be watched, of a meeting that nobody can hold. */
const ODD = forged(aRecord(), ({ match, ...row }) =>
  match instanceof Object ? { ...row, match: { ...match, call: { by: 'banana' } } } : row,
);

describe('a journal', async () => {
  const { journal } = await played({ players: 6, seed: 7, minds: { red: parrot } });

  test('plays again to the same lines without its minds', async () => {
    expect(await replayMatch(journal)).toMatchObject({ type: 'same', unfinished: false });
  });

  test('that was cut is resumed to the same living lines', async () => {
    const cut = journal.split('\n').slice(0, 20).join('\n');
    const match = resumeMatch(`${cut}\n`, { minds: { red: parrot } });
    expect(await match.result).toMatchObject({ recorded: 20, end: { type: 'game.closed' } });
    const living = (text: string) =>
      readJournal(text).lines.filter(({ channel }) => channel === 'living');
    expect(living(match.journal())).toEqual(living(journal));
  });

  test('is forked with another mind and other words', async () => {
    const at = { type: 'tick', meeting: 0, tick: 1 } as const;
    const match = forkMatch(journal, { at, say: { blue: 'It was me.' } });
    const { recorded, played: more } = await match.result;
    const fork = match.journal();
    expect(fork.split('\n').slice(0, recorded)).toEqual(journal.split('\n').slice(0, recorded));
    expect(readJournal(fork)).toMatchObject({ damages: [] });
    expect(readJournal(fork).lines).toHaveLength(recorded + more);
    expect(fork).toContain('It was me.');
  });

  test.each([
    [() => replayMatch('rubbish'), 'journal/not-a-journal'],
    [() => replayMatch(undefined as never), 'expected the text of a journal'],
    [() => resumeMatch(journal), 'journal/over'],
    [() => replayMatch(ODD), 'found banana [match/not-seated]'],
    [() => resumeMatch(ODD), 'found banana [match/not-seated]'],
    [() => forkMatch(journal, { at: { type: 'round', round: 9999 } }), 'journal/no-such-moment'],
    [() => replayMatch(journal.replace('Polly', 'Molly')), 'line '],
    [
      () => forkMatch(journal, { at: { type: 'round', round: 1 }, say: { tan: 'Hm.' } }),
      'say: tan has no seat',
    ],
    [() => resumeMatch(cutOf(journal), { minds: { tan: parrot } }), 'minds: tan has no seat'],
  ] as const)('that will not do is refused (%#)', (act, words) => {
    expect(act).toThrow(MatchRefused);
    expect(act).toThrow(words);
  });

  test('is followed through a lens, line by line', () => {
    const lens = parseLens('table');
    if (lens === null) return expect.unreachable();
    const see = lensFor(lens);
    let state = emptyProjection(lens);
    for (const line of readJournal(journal).lines) {
      const seen = see(line);
      if (seen !== null) state = applyLine(state, seen);
    }
    expect(state).not.toEqual(emptyProjection(lens));
    expect(JSON.stringify(state)).not.toContain('Polly.');
  });
});

test('charts, rules and analysis are there', () => {
  expect(readChart(meetingMachine).nodes.length).toBeGreaterThan(10);
  expect(map.SKELD.places).toHaveLength(21);
  expect(Object.keys(statistics)).not.toEqual([]);
});
