import { describe, expect, test } from 'vitest';
import {
  COLOURS,
  type Colour,
  type Environment,
  type EnvironmentOptions,
  MatchRefused,
  type Mind,
  type Observation,
  openEnvironment,
  readJournal,
  replayMatch,
  StepRefused,
  startMatch,
} from '../../actors/index.ts';
import { nextTurn } from '../../actors/ports/time.ts';
import { replyLegally } from '../support/policy.ts';

const MEETING = `
name: Four
call: { by: red }
options: { max_ticks: 8 }
seats: [{ colour: red }, { colour: blue }, { colour: green }, { colour: pink, role: impostor }]
`;

function nameMoment(asked: Observation): string {
  const { kind, index } = asked;
  if (asked.kind === 'action') return `${kind} ${index}`;
  const { record } = asked.kind === 'ghost' ? asked.view.truth : asked.view.table;
  return `${kind} ${index} ${record.meetings.length}`;
}

/** Plays to the end, each turn in the order of the colours or backwards, and keeps the replies. */
async function playOut(env: Environment, seed: number, isBackwards = false, isSlow = false) {
  const replies = new Map<string, object>();
  let state = await env.reset();
  while (!state.terminated && !state.truncated) {
    for (const seat of isBackwards ? state.asked.toReversed() : state.asked) {
      const observation = env.observe(seat);
      if (observation === null) throw new Error(`expected a question to ${seat}`);
      const reply = replyLegally(observation, seed);
      replies.set(`${seat} ${nameMoment(observation)}`, reply);
      for (let turn = 0; isSlow && turn < 5; turn++) await nextTurn();
      await env.step(seat, reply);
    }
    state = env.state();
  }
  return { state, replies, journal: env.journal() };
}

const CIRCLE: { self?: object } = {};
CIRCLE.self = CIRCLE;

const withoutClock = (journal: string) =>
  journal.replace(/,"clock":\{[^\n]*\},"hash":"/g, ',"hash":"');

describe('an environment', () => {
  test.each([1, 3, 8])(
    'with %i outside seats plays the game of the same replies',
    async (count) => {
      const seats = COLOURS.slice(0, count);
      const [one, other] = [1, 2].map(() => openEnvironment({ seats, seed: 5 }));
      if (one === undefined || other === undefined) throw new Error('expected two');
      const { journal, state, replies } = await playOut(one, 7);
      expect(state).toMatchObject({ terminated: true, truncated: false, asked: [] });
      expect((await playOut(other, 7, true)).journal).toBe(journal);
      expect(await replayMatch(journal)).toMatchObject({ type: 'same' });

      const tape = (seat: Colour): Mind => ({
        pace: 'in-time',
        answer: async (asked) => {
          const received = replies.get(`${seat} ${nameMoment(asked)}`) ?? replyLegally(asked, 7);
          return { ok: true, received };
        },
      });
      const [header] = readJournal(journal).lines;
      if (header?.type !== 'match.opened') throw new Error('expected a header');
      const { name } = header.match;
      const match = startMatch({
        match: {
          name,
          seats: COLOURS.slice(0, 8).map((colour) => {
            return { colour, mind: seats.includes(colour) ? 'outside' : 'scripted' };
          }),
        } as never,
        seed: 5,
        minds: Object.fromEntries(seats.map((seat) => [seat, tape(seat)])),
      });
      await match.result;
      expect(withoutClock(match.journal())).toBe(withoutClock(journal));
    },
  );

  test('plays the same game where the policy takes its time, as a ghost, too', async () => {
    for (const seed of [2, 7]) {
      const [quick, slow] = await Promise.all(
        [false, true].map((isSlow) =>
          playOut(openEnvironment({ seats: ['red'], seed }), 7, false, isSlow),
        ),
      );
      expect(quick?.journal).toMatch(/"seat":"red"[^\n]*"type":"turn.closed"/);
      expect(slow?.journal === quick?.journal, `seed ${seed}`).toBe(true);
    }
  });

  test('plays the same and has no journal where none is kept', async () => {
    const [kept, other] = await Promise.all(
      [true, false].map((keepsJournal) =>
        playOut(openEnvironment({ seats: ['red'], seed: 5, keepsJournal }), 7),
      ),
    );
    expect(other?.state).toEqual(kept?.state);
    expect(other?.replies).toEqual(kept?.replies);
    expect([kept?.journal === '', other?.journal]).toEqual([false, '']);
  });

  test('rewards the side that has won, and a meeting’s side by the ejection', async () => {
    const seats = COLOURS.slice(0, 8);
    const { state, journal } = await playOut(openEnvironment({ seats, seed: 3 }), 1);
    const [header] = readJournal(journal).lines;
    const { result } = state;
    if (header?.type !== 'match.opened' || result?.type !== 'game')
      throw new Error('expected a game');
    for (const { colour, role } of header.match.seats) {
      const isWinner = (role === 'impostor') === (result.winner === 'impostors');
      expect(state.rewards[colour]).toBe(isWinner ? 1 : -1);
    }
    const env = openEnvironment({ config: MEETING, seats: ['red', 'pink'], seed: 1 });
    let { asked } = await env.reset();
    while (asked.length > 0) {
      for (const seat of asked)
        await env.step(seat, { vote_action: seat === 'red' ? 'skip' : 'blue' });
      ({ asked } = env.state());
    }
    const { ejected } = env.state().result as { ejected: string | null };
    const red = ejected === null ? 0 : ejected === 'pink' ? 1 : -1;
    expect(env.state().rewards).toEqual({ red, pink: red === 0 ? 0 : -red });
  });

  test('shows view, prompt, schema and choices, to the minds of a match as well', async () => {
    const env = openEnvironment({ seed: 2 });
    const { asked } = await env.reset();
    expect(asked).toEqual(['red']);
    const shown = env.observe('red');
    expect(shown).toMatchObject({ kind: 'action', seat: 'red', index: 0 });
    expect(shown?.prompt.user).toContain('# ');
    expect(shown?.prompt.schema).toHaveProperty('properties.action');
    expect(env.legalChoices('red')?.actions.length).toBeGreaterThan(5);
    expect(env.legalChoices('blue')).toBeNull();
    env.close();

    const seen: Observation[] = [];
    const mind: Mind = {
      pace: 'at-once',
      answer: (asked) => {
        seen.push(asked);
        return { ok: true, received: replyLegally(asked, 1) };
      },
    };
    await startMatch({ seed: 2, minds: { red: mind } }).result;
    expect(seen[0]?.prompt.user).toBe(shown?.prompt.user);
    expect(seen[0]?.choices).toEqual(shown?.choices);
  });

  test('shows no choice that a policy could change for others', async () => {
    const open = async () => {
      const env = openEnvironment({ seed: 2 });
      await env.reset();
      return env.legalChoices('red')?.actions ?? [];
    };
    const before = JSON.stringify(await open());
    for (const action of await open()) Reflect.set(action, 'type', 'kill');
    expect(JSON.stringify(await open())).toBe(before);
  });

  test.each([
    ['text without an object', 'hello there'],
    ['another object', { answer: 42 }],
    ['nothing', undefined],
    ['a circle', CIRCLE],
    ['a number that JSON lacks', 10n],
  ])('takes %s for an unreadable reply, which costs the turn', async (_, reply) => {
    const env = openEnvironment({ seed: 2 });
    await env.reset();
    const { note, asked, reward } = await env.step('red', reply);
    expect(note?.code).toMatch(/^(reply|order)\//);
    expect({ asked, reward }).toEqual({ asked: ['red'], reward: 0 });
    expect(env.observe('red')?.index).toBeGreaterThan(0);
    env.close();
  });

  test('refuses a reply that nobody is asked for, and goes on', async () => {
    const env = openEnvironment({ seats: ['red', 'blue'] });
    await expect(env.step('red', {})).rejects.toThrow(StepRefused);
    await env.reset();
    const { asked } = await env.step('red', { action: null });
    expect(asked).toEqual(['blue']);
    await expect(env.step('red', { action: null })).rejects.toThrow('asked: blue');
    await expect(env.step('green', {})).rejects.toThrow('found green');
    env.close();
    await expect(env.step('blue', {})).rejects.toThrow('the match is over');
    expect(env.state()).toMatchObject({ truncated: true, terminated: false, rewards: { red: 0 } });
  });

  test.each([
    ['a game', {}],
    ['a meeting', { config: MEETING.replace('max_ticks: 8', 'max_ticks: 100') }],
  ])('ends %s at the turn limit by its rules', async (_, options: EnvironmentOptions) => {
    const env = openEnvironment({ ...options, seats: ['red', 'blue'], turnLimit: 3 });
    let { asked } = await env.reset();
    while (asked.length > 0) {
      for (const seat of asked) await env.step(seat, { action: null, message: '' });
      ({ asked } = env.state());
    }
    expect(env.state()).toMatchObject({ truncated: true, rewards: { red: 0, blue: 0 } });
    expect(await replayMatch(env.journal())).toMatchObject({ type: 'same', unfinished: false });
  });

  test('goes on without a policy that never replies', async () => {
    const over = Promise.withResolvers<void>();
    const env = openEnvironment({
      seats: ['red'],
      timeSliceMs: 1,
      onLine: ({ type }) => type === 'game.closed' && over.resolve(),
    });
    await env.reset();
    await over.promise;
    expect(env.journal()).toContain('"fault":"mind/late"');
    expect(await replayMatch(env.journal())).toMatchObject({ type: 'same' });
  });

  test('ends with its signal', async () => {
    const stop = new AbortController();
    const env = openEnvironment({ seats: ['red', 'blue'], signal: stop.signal });
    await env.reset();
    stop.abort();
    expect(env.state()).toMatchObject({ truncated: true, asked: [] });
    await expect(env.reset()).rejects.toThrow('aborted');
  });

  test('plays another seed when it is reset, and the same one again', async () => {
    const env = openEnvironment({ seed: 1 });
    const first = async (seed?: number) => {
      await env.reset(seed === undefined ? {} : { seed });
      return env.observe('red')?.prompt.user;
    };
    const [one, two, again] = [await first(), await first(9), await first()];
    expect(two).not.toBe(one);
    expect(again).toBe(two);
    await expect(env.reset({ seed: -1 })).rejects.toThrow(MatchRefused);
    env.close();
  });

  test.each([
    [{ seed: 1.5 }, 'seed'],
    [{ players: 3 }, 'players'],
    [{ seats: ['tan'] }, 'tan has no seat'],
    [{ opponents: { tan: {} } }, 'tan has no seat'],
    [{ opponents: { blue: 1 } }, 'expected a mind'],
    [{ seats: ['red'], opponents: { red: { pace: 'at-once', answer: () => ({}) } } }, 'two-minds'],
    [{ turnLimit: 0 }, 'turnLimit'],
    [{ timeSliceMs: Number.NaN }, 'timeSliceMs'],
    [{ seat: ['red'] }, 'unknown-option'],
    [{ config: 'seats: 4' }, 'seats'],
    [{ config: MEETING.replace('blue', 'blue, mind: human'), seats: ['red'] }, 'no-person'],
  ])('refuses %j', (options, words) => {
    expect(() => openEnvironment(options as never)).toThrow(words);
  });
});
