import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import {
  DEADLINE_LIMITS,
  type DeadlineLimits,
  GameDeadlines,
  type LoadingModel,
  ModelStart,
} from '../../../../actors/minds/openai/deadlines.ts';
import { EndpointPace } from '../../../../actors/minds/openai/pace.ts';

const S = 1000;
const URL_ONE = 'http://one/v1';
const DEADLINE_MS = 60 * S;
const MOST_STEPS = 10_000;

type Player = {
  /** In seconds: when its request is sent; left out, it waits for its turn for ever. */
  readonly sent?: number;
  readonly answered?: number;
  readonly failed?: number;
  readonly gone?: number;
  readonly again?: readonly (readonly [ended: number, sent: number])[];
  readonly bytes?: readonly number[];
};

class Game {
  readonly clock = new SimulatedClock();
  readonly start = new ModelStart();
  readonly paused: (readonly [seconds: number, code: string, text: string])[] = [];
  readonly loading: LoadingModel[] = [];
  readonly #deadlines: GameDeadlines;
  readonly #pace = new EndpointPace();

  constructor({ isCold = false, limits = {} }: { isCold?: boolean; limits?: object } = {}) {
    const usual: DeadlineLimits = { tickMs: 300 * S, waitMs: 300 * S };
    if (!isCold) this.start.noteAnswer();
    this.#deadlines = new GameDeadlines({
      time: this.clock,
      limits: { ...usual, ...limits },
      onPause: (code, text) => this.paused.push([this.clock.now() / S, code, text]),
      onLoading: (one) => this.loading.push(one),
    });
  }

  open({ index = 0, ms = DEADLINE_MS, baseUrl = URL_ONE } = {}) {
    const model = { baseUrl, model: 'm', pace: this.#pace, start: this.start };
    return this.#deadlines.open(model, { kind: 'discussion', index }, ms);
  }

  at(seconds: number, work: () => void): void {
    this.clock.setTimeout(work, seconds * S - this.clock.now());
  }

  runTo(seconds: number): void {
    let isThere = false;
    this.at(seconds, () => {
      isThere = true;
    });
    for (let steps = 0; !isThere && this.clock.next(); steps++) {
      if (steps > MOST_STEPS) throw new Error('time stands still');
    }
  }

  /** Asks all at this moment; a request that is lost is made again at once, and who is late is gone. In seconds. */
  ask(players: readonly Player[], tick: Parameters<Game['open']>[0] = {}) {
    const from = this.clock.now() / S;
    const seats = players.map(() => this.open(tick));
    return players.map((player, index) => {
      const seat = seats[index] ?? this.open();
      const seen = { late: null as number | null, lost: [] as number[], text: '', seat };
      const now = () => this.clock.now() / S - from;
      const at = (seconds: number, work: () => void) => this.at(from + seconds, work);
      let end: ((isAnswered: boolean) => void) | null = null;
      const send = () => {
        end = seat.send(() => {
          seen.lost.push(now());
          end?.(false);
          send();
        });
      };
      const close = (isAnswered: boolean) => {
        end?.(isAnswered);
        seat.close(isAnswered);
      };
      seat.missed.signal.addEventListener('abort', () => {
        seen.late = now();
        seen.text = seat.text;
        queueMicrotask(() => close(false));
      });
      const { sent, answered, failed, gone, again = [], bytes = [] } = player;
      if (sent !== undefined) at(sent, send);
      if (answered !== undefined) at(answered, () => close(true));
      if (failed !== undefined) at(failed, () => close(false));
      if (gone !== undefined) at(gone, () => seat.close(false));
      for (const [ended, next] of again) {
        at(ended, () => end?.(false));
        at(next, send);
      }
      for (const second of bytes) at(second, () => seat.noteBytes());
      return seen;
    });
  }
}

function playTick(players: readonly Player[], seconds = 1000, game = new Game()) {
  const seen = game.ask(players);
  game.runTo(game.clock.now() / S + seconds);
  return { game, late: seen.map(({ late }) => late), lost: seen.map(({ lost }) => lost), seen };
}

const times = (count: number, player: Player): Player[] =>
  Array.from({ length: count }, () => player);
const SILENT: Player = { sent: 0 };
const ANSWERED: Player = { sent: 0, answered: 1 };

test('a tick may take five minutes, and a model may load or rest for ten, where the user says nothing', () => {
  expect(DEADLINE_LIMITS).toEqual({ tickMs: 5 * 60 * S, waitMs: 10 * 60 * S });
});

describe('the start of a model', () => {
  test('it is cold until it has answered, and again when it says that it loads', () => {
    const start = new ModelStart();
    expect(start.isCold).toBe(true);
    start.noteAnswer();
    expect(start.isCold).toBe(false);
    start.noteLoading();
    expect(start.isCold).toBe(true);
  });

  test('the wait for a loading model starts with the first request, and restarts after an answer', () => {
    const start = new ModelStart();
    expect([start.wait(70), start.wait(100), start.wait(170)]).toEqual([0, 30, 100]);
    start.noteAnswer();
    expect([start.wait(200), start.wait(210)]).toEqual([0, 10]);
    start.giveUp();
    expect([start.wait(300), start.wait(301)]).toEqual([0, 1]);
  });
});

describe('players who get no answer where others do are late', () => {
  test.each([
    [1, 2, [61]],
    [2, 3, [61, 61]],
    [3, 5, [61, 61, 61]],
  ])('%i who are fewer than half, beside %i', (silent, answered, late) => {
    const played = playTick([...times(silent, SILENT), ...times(answered, ANSWERED)], 100);
    expect(played.late.slice(0, silent)).toEqual(late);
    expect(played.game.paused).toEqual([]);
    expect(played.seen[0]?.text).toBe('no answer within 60 s of asking');
  });

  test.each([
    [1, 1],
    [2, 2],
    [2, 1],
    [4, 4],
  ])('%i who are half of them or more, beside %i, get more time', (silent, answered) => {
    const played = playTick([...times(silent, SILENT), ...times(answered, ANSWERED)], 100);
    expect(played.late).toEqual(played.late.map(() => null));
    expect(played.seen[0]?.seat.deadlineMs).toBe(120 * S);
  });

  test('players who were asked and failed say nothing for the endpoint: no answer, more time', () => {
    const { late, seen } = playTick([SILENT, ...times(2, { sent: 0, failed: 1 })], 100);
    expect([late[0], seen[0]?.seat.deadlineMs]).toEqual([null, 120 * S]);
  });

  test('one answer among those that failed is enough', () => {
    const { late } = playTick([SILENT, ANSWERED, { sent: 0, failed: 1 }], 100);
    expect(late[0]).toBe(61);
  });

  const LATER = { sent: 30 };
  test.each<[name: string, others: readonly Player[], late: number]>([
    [
      'of four, with the third of them that ends',
      [ANSWERED, { ...LATER, answered: 62 }, { ...LATER, answered: 63 }],
      63,
    ],
    [
      'of five, with the third of them that ends',
      [ANSWERED, { ...LATER, answered: 62 }, { ...LATER, failed: 63 }, LATER],
      63,
    ],
    [
      'of four, whoever never had a turn',
      [
        ANSWERED,
        { ...LATER, answered: 62 },
        { ...LATER, answered: 63 },
        { gone: 10 },
        { gone: 10 },
        {},
      ],
      63,
    ],
  ])('it is judged when more than half are over: %s', (_, others, late) => {
    // Signs of life: it is not lost, and the time of its player goes on.
    const silent = { ...SILENT, bytes: [10, 20, 30, 40, 50, 60, 70, 80] };
    expect(playTick([silent, ...others], 88).late[0]).toBe(late);
  });

  test('who is late is asked no more, whatever comes for others', () => {
    const game = new Game();
    const [x, a, ...others] = Array.from({ length: 5 }, () => game.open());
    const lost: number[] = [];
    x?.send(() => lost.push(game.clock.now()));
    const end = a?.send(() => {});
    for (const one of others) {
      const done = one.send(() => {});
      game.at(1, () => {
        done(true);
        one.close(true);
      });
    }
    game.at(62, () => {
      end?.(true);
      a?.close(true);
    });
    game.runTo(1000);
    expect([x?.missed.signal.aborted, lost]).toEqual([true, [31_000]]);
    expect(game.clock.next()).toBe(false);
  });
});

describe('an endpoint that answers half of them or fewer', () => {
  test('has twice the time, again and again, up to the limit: then the game pauses', () => {
    const { game, late, seen } = playTick(times(8, SILENT));
    expect(late).toEqual(times(8, SILENT).map(() => null));
    expect(game.paused[0]).toEqual([
      300,
      'timeout',
      `8 of 8 players asked at ${URL_ONE} got no answer within 300 s; --max-tick allows more`,
    ]);
    expect(new Set(game.paused.map(([seconds]) => seconds))).toEqual(new Set([300]));
    expect(seen[0]?.seat.deadlineMs).toBe(300 * S);
  });

  test.each([
    [times(1, SILENT), 'the player'],
    [times(2, SILENT), '2 of 2 players'],
    [[...times(3, SILENT), ANSWERED], '3 of 4 players'],
    [[...times(1, SILENT), { gone: 1 }], 'the player'],
  ])('says how many were left without one: %#', (players, who) => {
    const { game } = playTick(players);
    expect(game.paused[0]?.[2]).toBe(
      `${who} asked at ${URL_ONE} got no answer within 300 s; --max-tick allows more`,
    );
  });

  test.each([
    [120, 120],
    [121, 121],
    [60, 60],
    [10, 10],
  ])('has at most %i s, whatever the match gives: %i', (seconds, until) => {
    const game = new Game({ limits: { tickMs: seconds * S } });
    playTick([SILENT], 1000, game);
    expect(game.paused[0]?.[0]).toBe(until);
  });

  test('keeps its time in the ticks that follow; another endpoint has its own', () => {
    const game = new Game();
    playTick(times(2, { sent: 0, answered: 61 }), 100, game);
    const next = [game.open({ index: 1 }), game.open({ index: 1, baseUrl: 'http://two/v1' })];
    expect(next.map(({ deadlineMs }) => deadlineMs)).toEqual([120 * S, 60 * S]);
    expect(game.open({ index: 1, ms: 10 * S }).deadlineMs).toBe(20 * S);
  });
});

describe('a tick is counted for itself', () => {
  test('the same tick of a later meeting begins anew', () => {
    const game = new Game();
    playTick(times(4, ANSWERED), 10, game);
    const { late, seen } = playTick([SILENT, ANSWERED], 100, game);
    // One of two, and not one of six.
    expect([late[0], seen[0]?.seat.deadlineMs]).toEqual([null, 120 * S]);
  });

  test('while one of it is under way it is the same', () => {
    const game = new Game();
    const early = game.ask([{ sent: 0, answered: 50 }, ANSWERED, ANSWERED]);
    game.runTo(10);
    const { late } = playTick([SILENT], 200, game);
    expect(early.map((one) => one.late)).toEqual([null, null, null]);
    // One of four; the answer at 50 s gave it its time anew.
    expect(late).toEqual([60]);
  });

  test('players at another endpoint, or in another tick, are no others', () => {
    const game = new Game();
    game.ask(times(4, ANSWERED), { index: 1 });
    game.ask(times(4, ANSWERED), { baseUrl: 'http://two/v1' });
    const { late, seen } = playTick([SILENT, ANSWERED], 100, game);
    expect([late[0], seen[0]?.seat.deadlineMs]).toEqual([null, 120 * S]);
  });
});

describe('the time of a player', () => {
  const others = times(3, ANSWERED);

  test('does not run before its request is sent', () => {
    expect(playTick([{ sent: 500 }, ...others], 700).late[0]).toBe(560);
  });

  test('stands still between two requests, and is one time for all of them', () => {
    // 19 s of silence since the others were answered, ten at our own gate, 41 of silence.
    const { late } = playTick([{ sent: 0, again: [[20, 30]] }, ...others], 200);
    expect(late[0]).toBe(71);
    const thrice = playTick(
      [
        {
          sent: 2,
          again: [
            [12, 40],
            [60, 70],
          ],
        },
        ...others,
      ],
      200,
    );
    // 10 and 20 and 30 seconds.
    expect(thrice.late[0]).toBe(100);
  });

  test('does not run between two requests, whatever becomes of others meanwhile', () => {
    const later = { sent: 100, answered: 150 };
    const { late } = playTick([{ sent: 0, again: [[20, 200]] }, later, ...others], 300);
    expect(late[0]).toBe(241);
  });

  test('is over to the millisecond, however closely it is looked at before', () => {
    const looks = [60.998, 60.999].map((answered) => ({ sent: 30, answered }));
    const silent = { ...SILENT, bytes: [10, 20, 30, 40, 50] };
    expect(playTick([silent, ...looks, ...times(2, ANSWERED)], 100).late[0]).toBe(61);
  });

  test('that is over between two requests is judged as it is', () => {
    const later: readonly Player[] = [
      { sent: 30, answered: 70 },
      { sent: 30, answered: 75 },
    ];
    const silent = { sent: 0, again: [[60.5, 900]], bytes: [10, 20, 30, 40, 50] } as const;
    const [first, ...rest] = playTick([silent, ...later, { sent: 0, answered: 0 }], 85).late;
    expect([first, rest]).toEqual([75, [null, null, null]]);
  });

  test('begins anew when the endpoint answers one that may have stood before it', () => {
    const queue = [1, 40, 80, 130].map((answered) => ({ sent: 0, answered }));
    expect(playTick([SILENT, ...queue], 300).late[0]).toBe(190);
  });

  test('begins anew even when it was over, and nothing was decided yet', () => {
    const others: readonly Player[] = [
      { sent: 0, answered: 62 },
      ...[63, 64, 65].map((answered) => ({ sent: 30, answered })),
    ];
    const { late } = playTick([SILENT, ...others], 300);
    expect(late[0]).toBe(122);
  });

  test('counts a player once, however often it is asked again', () => {
    // Two of four: slow. If each request counted it would be two of six.
    const { seen, late } = playTick(
      [...times(2, { sent: 0, again: [[20, 20]] }), ...times(2, ANSWERED)],
      100,
    );
    expect(late).toEqual([null, null, null, null]);
    expect(seen[0]?.seat.deadlineMs).toBe(120 * S);
  });
});

test.each([
  ['goes on', null, 61.05, 61],
  ['was stopped, and answers are there', 65, 31.05, null],
  ['was stopped, and none is there', 65, 31.15, 65],
])('a deadline while the process %s', (_, awakeAt, answered, expected) => {
  const game = new Game();
  const { clock } = game;
  if (awakeAt !== null)
    game.at(30, () => {
      clock.now = () => Math.max(clock.elapsed, awakeAt * S);
    });
  const { late } = playTick([{ sent: 0, answered }, ...times(3, ANSWERED)], 100, game);
  expect(late[0]).toBe(expected);
});

describe('a request that is lost is made again', () => {
  test('after half the deadline where one was answered that came later', () => {
    const others = [{ sent: 5, answered: 6 }, ...times(6, { sent: 29.5 })];
    expect(playTick([SILENT, ...others], 88).lost[0]).toEqual([30]);
  });

  test('and not before, however closely it is looked at', () => {
    const others = [
      { sent: 5, answered: 6 },
      { sent: 5, failed: 29.999 },
      ...times(6, { sent: 29 }),
    ];
    expect(playTick([SILENT, ...others], 40).lost[0]).toEqual([30]);
  });

  test('after twice as long the next time, also when its player has waited for too long and is not judged yet', () => {
    // The first request is lost at 30 s and the question fails at 60.5 s. Later requests have 120 s.
    const others = [
      { sent: 5, answered: 6 },
      ...times(5, { sent: 59 }),
      ...times(12, { sent: 118 }),
      ...times(40, { sent: 177 }),
    ];
    const { lost, late } = playTick([{ sent: 0, again: [[60.5, 60.5]] }, ...others], 230);
    expect([lost[0], late[0]]).toEqual([[30, 180.5], null]);
  });

  test('after twice as long in the time that it is given beside', () => {
    const others = [
      { sent: 5, answered: 6 },
      { sent: 35, answered: 36 },
    ];
    const { lost, game } = playTick([SILENT, SILENT, ...others]);
    // Half of them wait: they get 120, 240 and 300 s, and half of that is twice as much for the second request.
    expect([lost[0], game.paused.length > 0]).toEqual([[30], true]);
  });

  test('and not while bytes come', () => {
    const others = times(3, ANSWERED);
    expect(playTick([SILENT, ...others], 60).lost[0]).toEqual([31]);
    expect(playTick([{ ...SILENT, bytes: [20] }, ...others], 60).lost[0]).toEqual([50]);
    // Before it is sent there is nothing to be heard of.
    expect(playTick([{ sent: 10, bytes: [5] }, ...others], 60).lost[0]).toEqual([]);
  });

  test('after the whole time where none was answered that came later', () => {
    const { lost, game } = playTick([SILENT]);
    // At 60, 120 and 240 s the time is doubled before anything is lost.
    expect([lost, game.paused.length]).toEqual([[[]], 1]);
  });
});

describe('nothing is left behind', () => {
  test('a request that has ended leaves no timer', () => {
    const game = new Game();
    const seat = game.open();
    const end = seat.send(() => {});
    game.at(1, () => end(false));
    expect([game.clock.next(), game.clock.next()]).toEqual([true, false]);
    const again = seat.send(() => {});
    again(true);
    seat.close(true);
    expect(game.clock.next()).toBe(false);
  });

  test('bytes and words without a request are nobody’s', () => {
    const game = new Game({ isCold: true });
    const seat = game.open();
    seat.noteBytes();
    seat.noteWords();
    expect([game.start.isCold, game.clock.next()]).toEqual([true, false]);
  });

  test('words of a model that is there do not begin the time anew', () => {
    const game = new Game();
    const [x] = game.ask([SILENT, ...times(3, ANSWERED)]);
    game.at(40, () => x?.seat.noteWords());
    game.runTo(100);
    expect(x?.late).toBe(61);
  });
});

describe('a model that has not answered yet', () => {
  test('is waited for, with a report every five seconds, and makes nobody late', () => {
    const { game, late } = playTick(times(2, SILENT), 299, new Game({ isCold: true }));
    expect([late, game.paused]).toEqual([[null, null], []]);
    const moments = [...new Set(game.loading.map(({ ms }) => ms / S))];
    expect(moments).toEqual(Array.from({ length: 59 }, (_, index) => 5 * (index + 1)));
    expect(game.loading[0]).toEqual({
      baseUrl: URL_ONE,
      model: 'm',
      says: null,
      ms: 5 * S,
      mostMs: 300 * S,
    });
  });

  test('is asked again halfway through the wait, once', () => {
    const { lost } = playTick([SILENT], 1000, new Game({ isCold: true }));
    expect(lost).toEqual([[150]]);
  });

  test('and is never there pauses the game once, and nothing runs on', () => {
    const game = new Game({ isCold: true, limits: { waitMs: 7 * S } });
    playTick([SILENT], 1000, game);
    expect(game.loading.map(({ ms }) => ms)).toEqual([5 * S]);
    expect(game.paused).toEqual([
      [7, 'loading', `m at ${URL_ONE} was not ready after 7 s; --max-wait allows more`],
    ]);
    expect(game.clock.next()).toBe(false);
  });

  test.each([4.999, 5, 5.001])(
    'pauses the game after %d s, at whatever moment it is looked at',
    (seconds) => {
      const game = new Game({ isCold: true, limits: { waitMs: seconds * S } });
      playTick([SILENT], 1000, game);
      expect(game.paused.map(([at]) => at)).toEqual([seconds]);
    },
  );

  test('is waited for anew by who asks after that', () => {
    const game = new Game({ isCold: true, limits: { waitMs: 7 * S } });
    playTick([SILENT], 1000, game);
    playTick([SILENT], 6, game);
    expect(game.paused).toHaveLength(1);
    game.runTo(1008);
    expect(game.paused.map(([seconds]) => seconds)).toEqual([7, 1007]);
  });

  test('has loaded with its first answer: from then on the time of players runs', () => {
    const players = [{ sent: 0, answered: 200 }, ...times(2, { sent: 0, answered: 201 }), SILENT];
    const { game, late } = playTick(players, 400, new Game({ isCold: true }));
    expect([late, game.paused]).toEqual([[null, null, null, 261], []]);
  });

  test('has loaded with its first words: the time of their player begins with them', () => {
    const game = new Game({ isCold: true });
    const [x] = game.ask([SILENT], { ms: 2 * S });
    game.at(12, () => x?.seat.noteWords());
    const deadlines = [13.999, 14.001].map((seconds) => {
      game.runTo(seconds);
      return x?.seat.deadlineMs;
    });
    expect([game.start.isCold, deadlines]).toEqual([false, [2 * S, 4 * S]]);
  });

  test('that says that it loads is cold again, and may do so for as long as there is', () => {
    const game = new Game();
    const seat = game.open();
    expect(seat.mayLoad('Loading model')).toBe(300 * S);
    expect(game.start.isCold).toBe(true);
    expect(game.loading).toEqual([
      { baseUrl: URL_ONE, model: 'm', says: 'Loading model', ms: 0, mostMs: 300 * S },
    ]);
    const answers: number[] = [];
    for (const second of [299.999, 300, 301]) {
      game.at(second, () => answers.push(seat.mayLoad('Loading model')));
    }
    game.runTo(302);
    // A player who asks after the pause waits anew.
    expect(answers).toEqual([1, 0, 300 * S]);
    expect(game.paused.map(([seconds, code]) => [seconds, code])).toEqual([[300, 'loading']]);
    expect(game.loading.map(({ ms }) => ms)).toEqual([0, 299_999, 0]);
  });
});
