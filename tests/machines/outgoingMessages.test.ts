import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initialTransition } from 'xstate';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import type { GalleryContext } from '../../machines/charts/gallery.ts';
import { playerMachine, selfOf } from '../../machines/charts/player.ts';
import { playerId, type ToPlayer } from '../../machines/messages.ts';
import {
  Announcer,
  type Audience,
  createAudience,
  messagesAfterRound,
  messagesFor,
  messagesForGhostFact,
  OUTGOING,
  type OutgoingMessage,
  submitAnswer,
} from '../../machines/outgoing.ts';
import { requestFor } from '../../machines/request.ts';
import { rollDice } from '../../machines/rules/dice.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import { EMPTY_FLOOR, NOT_CALLED } from '../../machines/rules/floor.ts';
import type { RoundEvent } from '../../machines/rules/ship/draft.ts';
import { type GameCourse, startGame } from '../../machines/rules/ship/game.ts';
import { sceneFor } from '../../machines/rules/ship/views.ts';
import { fullTruth, publicTable } from '../../machines/rules/views.ts';
import { REMINDER } from '../../machines/rules/weights.ts';
import type { BySeat, Colour, RequestKind } from '../../machines/types.ts';
import {
  aBid,
  aButton,
  aFault,
  aPlayer,
  aTable,
  aVerdict,
  FIVE,
  law,
  living,
  someOptions,
} from './builders.ts';
import { aWorld } from './rules/ship/worlds.ts';

const NOTE = { code: 'vote/locked', text: 'locked' };
const send = (to: string, message: object) => ({ to, message });
const to = (seat: Colour, message: object) => send(playerId(seat), message);
const event = (fields: object) => fields as never;
const played = (round: number, seen: object = {}, events: readonly RoundEvent[] = []) =>
  event({ type: 'round.closed', round, orders: [], events, paths: {}, deeds: {}, seen });

describe('the answer of a mind goes where it was asked for', () => {
  const bid = aBid('red', { message: 'hi' });
  const order = { type: 'fault', seat: 'red', code: 'mind/late', text: '' } as const;
  test.each<[string, ToPlayer, readonly object[]]>([
    [
      'an order to the round',
      { type: 'mind.decided', round: 3, order },
      [send('orders', { type: 'order.placed', round: 3, order })],
    ],
    [
      'a bid to the table',
      { type: 'mind.answered', to: 'table', index: 4, bid },
      [send('bids', { type: 'bid.placed', tick: 4, bid })],
    ],
    [
      'talk to the gallery',
      { type: 'mind.answered', to: 'gallery', index: 5, bid },
      [send('gallery', { type: 'ghost.answered', turn: 5, bid })],
    ],
    ['nothing else', { type: 'seat.died' }, []],
  ])('%s', (_, answer, messages) => {
    expect(submitAnswer(answer)).toEqual(messages);
  });
});

describe('the arbiter', () => {
  const books = (part: Partial<ArbiterBooks> = {}): ArbiterBooks => ({
    chance: { seed: 1, meeting: 0 },
    options: someOptions(),
    seated: FIVE,
    floor: { ...EMPTY_FLOOR, tick: 11, lastSpoke: { blue: 10 } },
    pending: null,
    opened: {
      type: 'tick.opened',
      table: publicTable(aTable(), 'discussion'),
      seats: ['red', 'blue'],
      voted: [],
    },
    ...part,
  });
  const { requestBids, releaseMissing, placeAbsence, callTime } = OUTGOING.arbiter;

  test('tells whom to wait for, asks each, and says when all are asked', () => {
    const table = { ...publicTable(aTable(), 'discussion'), tick: 11, transcript: [] };
    expect(requestBids(books())).toEqual([
      send('bids', { type: 'bids.awaited', tick: 11, seats: ['red', 'blue'] }),
      // Red has been silent for so long that even a blank bid competes.
      to('red', { type: 'bid.requested', table, calledOn: true, reminder: REMINDER }),
      to('blue', { type: 'bid.requested', table, ...NOT_CALLED }),
      send('bids', { type: 'bids.requested', tick: 11 }),
    ]);
    expect(requestBids(books({ opened: null }))).toEqual([]);
  });

  test('a closed tick releases its late players only', () => {
    const bids = [
      aBid('red'),
      aFault('blue'),
      aFault('green', 'mind/broken'),
      aFault('pink', 'seat/left'),
    ];
    const gathered = event({ type: 'bids.gathered', tick: 11, bids, dice: {} });
    expect(releaseMissing(books(), gathered)).toEqual([
      to('blue', { type: 'tick.missed', tick: 11 }),
    ]);
  });

  test('releases all who were asked in a tick that is abandoned, and the stream', () => {
    const abandoned = event({ type: 'tick.abandoned' });
    expect(releaseMissing(books(), abandoned)).toEqual([
      send('bids', { type: 'tick.abandoned' }),
      to('red', { type: 'tick.missed', tick: 11 }),
      to('blue', { type: 'tick.missed', tick: 11 }),
    ]);
    expect(releaseMissing(books({ opened: null }), abandoned)).toEqual([
      send('bids', { type: 'tick.abandoned' }),
    ]);
  });

  test('hands in the absence of who left, and calls time for the tick that is open', () => {
    const bid = { type: 'fault', seat: 'blue', code: 'seat/left', text: 'left the table' };
    expect(placeAbsence(books(), { type: 'seat.vacated', seat: 'blue' })).toEqual([
      send('bids', { type: 'bid.placed', tick: 11, bid }),
    ]);
    expect(placeAbsence(books(), { type: 'tick.abandoned' })).toEqual([]);
    expect(callTime(books())).toEqual([send('bids', { type: 'time.called', tick: 11 })]);
  });
});

describe('the request to a mind', () => {
  const [{ context }] = initialTransition(playerMachine, aPlayer({ colour: 'red' }));
  const table = (requestKind: RequestKind) => ({
    ...publicTable(aTable(), requestKind),
    tick: 7,
    transcript: [],
  });

  test('asks for a bid in the tick of the table, and says that the player is called on', () => {
    const called = { calledOn: true, reminder: REMINDER };
    const event = { type: 'bid.requested', table: table('voting'), ...called } as const;
    expect(requestFor(context, event)).toEqual({
      kind: 'voting',
      index: 7,
      view: { you: selfOf(context), table: event.table, ...called },
    });
    const ghosts = { type: 'bid.requested', table: table('ghost'), ...NOT_CALLED } as const;
    expect(requestFor(context, ghosts)).toBeNull();
  });

  test('asks for an order with all that the player remembers', () => {
    const faded = [{ who: 'blue', place: 'Admin', did: 'kill', from: 1, until: 1 }] as const;
    const [asked] = OUTGOING.game
      .requestOrders(startGame(1, aWorld().ship))
      .flatMap(({ message }) => (message.type === 'order.requested' ? [message] : []));
    if (asked === undefined) throw new Error('expected a request, found none');
    const request = requestFor({ ...context, faded, memory: faded }, asked);
    expect(request).toMatchObject({ kind: 'action', index: 0 });
    expect(request?.view.you).toMatchObject({
      colour: 'red',
      faded,
      memory: faded,
      isGhost: false,
    });
  });
});

describe('the gallery', () => {
  const gallery = (part: Partial<GalleryContext> = {}): GalleryContext => ({
    chance: { seed: 5, meeting: 2 },
    ghosts: ['white', 'tan', 'lime'],
    budget: 3,
    deadlineMs: 1,
    messageTokens: 9,
    turn: 4,
    chat: [],
    glimpse: { requestKind: 'ghost', truth: fullTruth(aTable()), transcript: [] },
    waiting: [],
    asked: ['white', 'tan'],
    answers: {},
    over: false,
    ...part,
  });
  const { inviteGhosts, drawDice, releaseMissing } = OUTGOING.gallery;

  test('the invitation shows asked ghosts the table', () => {
    const seen = {
      requestKind: 'ghost',
      truth: fullTruth(aTable()),
      transcript: [],
      turn: 4,
      chat: [],
    };
    expect(inviteGhosts(gallery())).toEqual([
      to('white', { type: 'talk.invited', seen }),
      to('tan', { type: 'talk.invited', seen }),
    ]);
    expect(inviteGhosts(gallery({ glimpse: null }))).toEqual([]);
  });

  test('the gallery draws dice for the asked ghosts from its own stream, different in each turn', () => {
    const [sent] = drawDice(gallery());
    const dice = rollDice({ seed: 5, meeting: 2, stream: 'gallery', tick: 4 }, ['white', 'tan']);
    expect(sent).toEqual(send('gallery', { type: 'turn.ended', dice }));
    expect(Object.keys(dice).toSorted()).toEqual(['tan', 'white']);
    for (const other of [gallery({ turn: 5 }), gallery({ chance: { seed: 5, meeting: 3 } })])
      expect(drawDice(other)).not.toEqual([sent]);
  });

  test('a turn releases the ghosts who have not answered', () => {
    for (const white of [aBid('white'), aFault('white')])
      expect(releaseMissing(gallery({ answers: { white } }))).toEqual([
        to('tan', { type: 'turn.missed', turn: 4 }),
      ]);
  });
});

describe('the game', () => {
  const course = (asked: readonly Colour[], part: Partial<GameCourse> = {}): GameCourse => {
    const world = aWorld();
    const asks = Object.fromEntries(asked.map((seat) => [seat, ['done' as const]]));
    return { ...startGame(1, world.ship), round: 6, world: { ...world, asks }, ...part };
  };
  const { requestOrders, callTime, releaseMissing, stopMeeting } = OUTGOING.game;

  test('a round names the asked players, asks each with their scene, and says when all are asked', () => {
    const game = course(['blue', 'green']);
    const { map, options, meeting } = game.world.ship;
    const shown = { rules: meeting.rules, map, options, record: game.record };
    expect(requestOrders(game)).toEqual([
      send('orders', { type: 'orders.awaited', round: 6, seats: ['blue', 'green'] }),
      ...(['blue', 'green'] as const).map((seat) =>
        to(seat, {
          type: 'order.requested',
          round: 6,
          shown,
          scene: sceneFor(game.world, seat, game.known),
          truth: null,
        }),
      ),
      send('orders', { type: 'orders.requested', round: 6 }),
    ]);
    expect(requestOrders(course([]))).toEqual([
      send('orders', { type: 'orders.awaited', round: 6, seats: [] }),
      send('orders', { type: 'orders.requested', round: 6 }),
    ]);
  });

  test('only the dead are sent the truth: what nobody saw changes no request to the living', () => {
    const deed = { type: 'kill', by: 'red', victim: 'pink', place: 'Navigation' } as const;
    const ask = (chronicle: GameCourse['chronicle'], killWait: number) => {
      const world = aWorld({
        rules: 'classic',
        standings: { pink: 'dead' },
        players: { red: { killWait } },
        world: { asks: { blue: ['done'], green: ['done'], pink: ['done'] } },
      });
      return requestOrders({ ...startGame(1, world.ship), round: 6, world, chronicle });
    };
    const [secret, plain] = [ask([{ ...deed, round: 1, meeting: 1 }], 7), ask([], 0)];
    const to = (messages: readonly OutgoingMessage[], seat: Colour) =>
      messages.find((one) => one.to === `player:${seat}`);
    for (const seat of ['blue', 'green'] as const)
      expect(to(secret, seat)).toEqual(to(plain, seat));
    expect(to(secret, 'pink')).not.toEqual(to(plain, 'pink'));
    expect(to(secret, 'pink')?.message).toMatchObject({
      truth: {
        world: { deeds: [{ ...deed, ago: 12.5, at: 2.5 }], impostors: { red: { wait: 17.5 } } },
      },
    });
  });

  test('the game calls time for its round and releases the late players', () => {
    const orders = [
      { type: 'fault', seat: 'red', code: 'mind/late', text: '' },
      { type: 'fault', seat: 'blue', code: 'mind/broken', text: '' },
      { type: 'order', seat: 'green', received: {}, decision: {} },
    ];
    expect(callTime(course([]))).toEqual([send('orders', { type: 'time.called', round: 6 })]);
    const gathered = event({ type: 'orders.gathered', round: 5, orders, draws: {} });
    expect(releaseMissing(course([]), gathered)).toEqual([
      to('red', { type: 'round.missed', round: 5 }),
    ]);
    expect(releaseMissing(course([]), event({ type: 'orders.outstanding' }))).toEqual([]);
  });

  test.each([
    ['interrupted', 'interrupted'],
    ['unfinished', 'unconverged'],
  ] as const)('a wish to stop it as %s stops the meeting as %s', (reason, outcome) => {
    expect(stopMeeting(course([]), { type: 'game.stopped', reason })).toEqual([
      send('meeting', { type: 'meeting.stopped', outcome }),
    ]);
    expect(stopMeeting(course([]), { type: 'orders.outstanding' })).toEqual([]);
  });

  const sight = (did: 'lurking' | 'task') => ({ who: 'blue', place: 'Admin', did }) as const;
  const first = messagesAfterRound(
    {},
    played(0, { red: [sight('lurking')], green: [] }),
    course(['green']),
  );
  const seen = (seat: Colour, ...rounds: readonly object[]) =>
    to(seat, { type: 'rounds.seen', rounds });
  const [round0, round1] = [
    { round: 0, sights: [sight('lurking')] },
    { round: 1, sights: [sight('task')] },
  ];

  test('sights go to the players who decide next, and wait for the others to be asked', () => {
    expect(first.messages).toEqual([seen('green', { round: 0, sights: [] })]);
    expect(first.unread).toHaveProperty('red', [round0]);
    const fact = played(1, { red: [sight('task')] });
    const second = messagesAfterRound(first.unread, fact, course(['red']));
    expect(second.messages).toEqual([seen('red', round0, round1)]);
    expect(second.unread).not.toHaveProperty('red');
  });

  test('a call sends sights to everybody who saw something, including players who died meanwhile', () => {
    const unread = { ...first.unread, blue: [round0] };
    const fact = played(1, { red: [sight('task')] });
    const second = messagesAfterRound(unread, fact, course([], { call: aButton() }));
    expect(second.messages).toEqual([seen('red', round0, round1), seen('blue', round0)]);
    expect(second.unread).toEqual({});
    expect(messagesAfterRound({}, played(0), course(['red'])).messages).toEqual([]);
  });

  test('a round has the own way and intent, and what everybody hears without who did it', () => {
    const events: readonly RoundEvent[] = [
      { type: 'sabotage.begun', by: 'red', system: 'lights' },
      { type: 'doors.shut', by: 'red', room: 'Storage' },
      { type: 'vent.used', seat: 'red', how: 'in', vent: 2, place: 'Admin' },
      { type: 'seat.departed', seat: 'green', reason: 'faults' },
      { type: 'doors.opened', room: 'MedBay' },
    ];
    const order = (seat: Colour, intent: object) => {
      return { type: 'order', seat, received: {}, decision: { intent } };
    };
    const fact = event({
      ...{ type: 'round.closed', round: 4, events, deeds: {}, seen: { blue: [] } },
      paths: { red: ['O2'], blue: ['Admin hallway', 'Admin'] },
      orders: [order('red', { type: 'button' }), order('blue', { type: 'go', to: 'Admin' })],
    });
    const told = messagesAfterRound({}, fact, course(['blue'])).messages[0];
    expect(told).toEqual(
      seen('blue', {
        round: 4,
        sights: [],
        path: ['Admin hallway', 'Admin'],
        intent: { type: 'go', to: 'Admin' },
        heard: [
          { type: 'sabotage.begun', system: 'lights' },
          { type: 'doors.shut', room: 'Storage' },
          { type: 'seat.departed', seat: 'green' },
          { type: 'doors.opened', room: 'MedBay' },
        ],
      }),
    );
  });

  test('sights of the last round wait for a look back, also those of a player who would be asked', () => {
    const ending = { winner: 'crew', reason: 'tasks' } as const;
    const fact = played(1, { red: [sight('task')] });
    const last = messagesAfterRound(first.unread, fact, course(['red'], { ending }));
    expect(last.messages).toEqual([]);
    expect(last.unread.red).toEqual([round0, round1]);
    const announcer = new Announcer(() => ({ ghostsWatch: true, round: 0 }));
    expect([...announcer.ofGame([fact], course(['red'], { ending }))]).toEqual([[]]);
    expect(announcer.unreadOf('red')).toEqual([round1]);
    expect(announcer.unreadOf('blue')).toEqual([]);
    const copy = new Announcer(() => ({ ghostsWatch: true, round: 0 }), announcer);
    expect(copy.unreadOf('red')).toEqual([round1]);
  });

  test('a refusal, a death and a departure are sent at once', () => {
    const events: readonly RoundEvent[] = [
      { type: 'intent.refused', seat: 'red', intent: { type: 'button' }, note: NOTE },
      { type: 'player.killed', by: 'red', victim: 'blue', place: 'Admin' },
      { type: 'seat.departed', seat: 'green', reason: 'faults' },
    ];
    expect(messagesAfterRound({}, played(0, {}, events), course([])).messages).toEqual([
      to('red', { type: 'notice.given', note: NOTE }),
      to('blue', { type: 'seat.died' }),
      to('green', { type: 'seat.departed' }),
    ]);
  });

  test('a fact that is no round tells nobody anything', () => {
    const unread = { red: [] };
    expect(
      messagesAfterRound(unread, { type: 'end.requested', reason: 'unfinished' }, course([])),
    ).toEqual({ unread, messages: [] });
  });

  test('deeds arrive with the sights, or alone if there were none', () => {
    const events = [{ type: 'player.killed', by: 'red', victim: 'blue', place: 'Admin' }] as const;
    const { messages, unread } = messagesAfterRound({}, played(2, {}, events), course(['red']));
    const deeds = [{ type: 'kill', victim: 'blue', place: 'Admin' }];
    expect(messages[0]).toEqual(
      to('red', { type: 'rounds.seen', rounds: [{ round: 2, sights: [], deeds }] }),
    );
    expect(unread).toEqual({ blue: [], green: [], pink: [], orange: [] });
  });
});

describe('messages from the facts of a meeting', () => {
  const standings = { ...living('red', 'blue'), white: 'dead' } as const;
  const table = aTable({ standings });
  const audience = (watch = true, round: number | null = null) =>
    createAudience(table, { ghostsWatch: watch, round });
  const learned = (fact: Fact, from: Audience = audience(), at = table) =>
    messagesFor(from, fact, at).messages;

  const LOCKED = { type: 'vote.locked', seat: 'red', ballot: 'blue' } as const;
  const ERASED = { type: 'scratchpads.erased' } as const;
  const kept = (seat: Colour) =>
    ({ type: 'scratchpads.consolidated', seat, main: null, line: 'x' }) as const;

  test('an announcer that goes on from another knows the audience of the meeting', () => {
    const announcer = new Announcer(() => ({ ghostsWatch: true, round: 0 }));
    const called: Fact = event({ type: 'meeting.called' });
    for (const _ of announcer.ofMeeting([called], table));
    const copy = new Announcer(() => ({ ghostsWatch: true, round: 0 }), announcer);
    expect([...copy.ofMeeting([LOCKED], table)]).toEqual([[to('red', LOCKED)]]);
  });

  test('who is dead when it is called is a ghost from the beginning, who watches or not', () => {
    expect(audience()).toEqual({
      seats: ['red', 'blue', 'white'],
      ghosts: ['white'],
      watching: ['white'],
      transcript: [],
      round: null,
    });
    expect(audience(false, 8)).toMatchObject({ ghosts: ['white'], watching: [], round: 8 });
  });

  test('the call reaches everybody at the table, with the round where there is a game', () => {
    const fact: Fact = { type: 'meeting.called', call: table.call };
    const all = ['red', 'blue', 'white'] as const;
    expect(learned(fact)).toEqual(all.map((seat) => to(seat, { type: 'meeting.opened' })));
    expect(learned(fact, audience(true, 0))).toEqual(
      all.map((seat) => to(seat, { type: 'meeting.opened', round: 0 })),
    );
  });

  test.each<[string, Fact, readonly object[]]>([
    ['a locked vote its voter', LOCKED, [to('red', LOCKED)]],
    [
      'a refused vote its voter',
      { type: 'vote.refused', seat: 'red', vote: 'white', note: NOTE },
      [to('red', { type: 'notice.given', note: NOTE })],
    ],
    [
      'a cleared vote its voter',
      { type: 'vote.cleared', seat: 'red', leaver: 'blue' },
      [
        to('red', {
          type: 'vote.cleared',
          note: {
            code: 'vote/cleared',
            text: 'blue has left: your vote for them is void and you may vote again',
          },
        }),
      ],
    ],
    [
      'a departure who departs',
      { type: 'seat.departed', seat: 'blue', reason: 'left', during: 'tick' },
      [to('blue', { type: 'seat.departed' })],
    ],
    ['what is kept its player', kept('red'), [to('red', kept('red'))]],
    ['the end of the pages the living', ERASED, [to('red', ERASED), to('blue', ERASED)]],
    ['a fault nobody', { type: 'seat.faulted', seat: 'red', code: 'mind/late', streak: 1 }, []],
    ['pages nobody', { type: 'scratchpads.updated', seat: 'red', pads: { main: 'x' } }, []],
    ['the discussion nobody', { type: 'phase.entered', phase: 'discussion' }, []],
    ['the reveal nobody', { type: 'phase.entered', phase: 'reveal' }, []],
    [
      'a result without an ejection nobody',
      { type: 'verdict.announced', sentence: '', outcome: 'tie', ejected: null },
      [],
    ],
  ])('%s', (_, fact, messages) => {
    expect(learned(fact)).toEqual(messages);
    expect(messagesFor(audience(), fact, table).audience).toEqual(audience());
  });

  const shown = (requestKind: string, transcript: readonly object[] = []) => ({
    to: 'gallery',
    message: { type: 'table.changed', requestKind, truth: fullTruth(table), transcript },
  });

  test.each(['reaction', 'consolidation'] as const)('ghosts who watch see the %s', (phase) => {
    const fact: Fact = { type: 'phase.entered', phase };
    expect(learned(fact)).toEqual([shown(phase)]);
    expect(learned(fact, audience(false))).toEqual([]);
  });

  describe('a tick of talk', () => {
    const said = { tick: 3, speaker: 'red', target: null, message: 'hi' } as const;
    const closed = (decision: ReturnType<typeof aVerdict> | null): Fact => ({
      type: 'tick.closed',
      tick: 3,
      requestKind: 'discussion',
      bids: [],
      dice: {},
      decision,
    });

    test('is shown to ghosts who watch, with all that was said', () => {
      const first = messagesFor(audience(), closed(aVerdict({ said })), table);
      expect(first.messages).toEqual([shown('ghost', [said])]);
      const second = messagesFor(first.audience, closed(aVerdict({ said })), table);
      expect(second.messages).toEqual([shown('ghost', [said, said])]);
      expect(messagesFor(audience(false), closed(aVerdict({ said })), table)).toEqual({
        audience: { ...audience(false), transcript: [said] },
        messages: [],
      });
    });

    test('ghosts get no message of a tick in which nobody competes for the floor', () => {
      expect(messagesFor(audience(), closed(null), table)).toEqual({
        audience: audience(),
        messages: [],
      });
    });
  });

  describe('an ejection', () => {
    const fact: Fact = {
      type: 'verdict.announced',
      sentence: '',
      outcome: 'ejected',
      ejected: 'blue',
    };
    const dead = aTable({ standings: { ...standings, blue: 'dead' } });

    test.each([
      ['where ghosts watch', true, ['white', 'blue']],
      ['and where they do not: the ejected alone does', false, ['blue']],
    ] as const)('makes a ghost, %s', (_, watch, watching) => {
      const { audience: after, messages } = messagesFor(audience(watch), fact, dead);
      expect(messages).toEqual([
        to('blue', { type: 'seat.died' }),
        send('gallery', { type: 'ghost.joined', seat: 'blue' }),
      ]);
      expect(after).toEqual({ ...audience(watch), ghosts: ['white', 'blue'], watching });
      // From now on the gallery announces the erased pages.
      expect(learned(ERASED, after, dead)).toEqual([to('red', ERASED)]);
    });

    test('an ejected player who has left meanwhile becomes no ghost', () => {
      const gone = aTable({ standings: { ...standings, blue: 'departed' } });
      expect(messagesFor(audience(), fact, gone)).toEqual({ audience: audience(), messages: [] });
    });
  });

  test.each<[string, GhostFact, readonly object[]]>([
    ['what a ghost keeps is its own', kept('white'), [to('white', kept('white'))]],
    ['the end of the pages is that of all ghosts', ERASED, [to('white', ERASED)]],
    ['that one joined is for the journal', { type: 'ghost.joined', seat: 'white' }, []],
    ['that it closed as well', { type: 'gallery.closed', turns: 2 }, []],
  ])('of the gallery: %s', (_, fact, messages) => {
    expect(messagesForGhostFact(audience(), fact)).toEqual(messages);
    expect(messagesForGhostFact(audience(false), fact)).toEqual(messages);
  });
});

law(
  'what is unread is kept in order until its player is asked, and told once',
  fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 8 }), (rounds) => {
    let unread: BySeat<readonly { readonly round: number }[]> = {};
    const told: number[] = [];
    const expected: number[] = [];
    const world = aWorld();
    for (const [round, [sees, isAsked]] of rounds.entries()) {
      if (sees) expected.push(round);
      const seen = sees ? { red: [] } : {};
      const asks = isAsked ? { red: ['done' as const] } : {};
      const game = { ...startGame(1, world.ship), world: { ...world, asks } };
      const step = messagesAfterRound(unread as never, played(round, seen), game);
      unread = step.unread;
      for (const { message } of step.messages)
        if (message.type === 'rounds.seen') told.push(...message.rounds.map((one) => one.round));
      if (isAsked) expect(told).toEqual(expected);
    }
    const left = unread.red ?? [];
    expect([...told, ...left.map(({ round }) => round)]).toEqual(expected);
  }),
);
