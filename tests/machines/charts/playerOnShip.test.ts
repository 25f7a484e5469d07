/** A player on the ship and between meetings: submissions, notes, and the limits of ghosts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { type PlayerContext, playerMachine, selfOf } from '../../../machines/charts/player.ts';
import type { ToPlayer } from '../../../machines/messages.ts';
import { NOT_CALLED } from '../../../machines/rules/floor.ts';
import { NO_PAST } from '../../../machines/rules/record.ts';
import { type PlayerInput, publicTable } from '../../../machines/rules/views.ts';
import type { Colour, Pads } from '../../../machines/types.ts';
import { aBid, aFault, aPlayer, aTable, law } from '../builders.ts';
import { paths } from '../walk.ts';

const event = (fields: object): ToPlayer => fields as ToPlayer;

const asks = (round: number) => event({ type: 'order.requested', round });
const bids = (tick: number) => {
  const table = { ...publicTable(aTable(), 'discussion'), tick, transcript: [] };
  return event({ type: 'bid.requested', table, ...NOT_CALLED });
};
const invites = (turn: number) => event({ type: 'talk.invited', seen: { turn } });
const roundMissed = (round: number) => event({ type: 'round.missed', round });
const turnMissed = (turn: number) => event({ type: 'turn.missed', turn });
const tickMissed = (tick: number) => event({ type: 'tick.missed', tick });
const NOTE = { code: 'intent/no-place', text: 'there is no such place' };

function decided(round: number, pads: Partial<Pads> = { main: `round ${round}` }): ToPlayer {
  const decision = { thought: '', intent: null, pads, notes: [NOTE] };
  const order = { type: 'order', seat: 'red', received: {}, decision } as const;
  return { type: 'mind.decided', round, order };
}

function failed(round: number): ToPlayer {
  const order = { type: 'fault', seat: 'red', code: 'mind/late', text: 'no answer' } as const;
  return { type: 'mind.decided', round, order };
}

function answered(index: number, to: 'table' | 'gallery' = 'table', main = 'said'): ToPlayer {
  return { type: 'mind.answered', to, index, bid: aBid('red', { pads: { main }, notes: [NOTE] }) };
}

function after(events: readonly ToPlayer[], input: Partial<PlayerInput> = {}) {
  let [state, effects] = initialTransition(playerMachine, aPlayer(input));
  const context: PlayerContext[] = [];
  for (const one of events) {
    context.push(state.context);
    [state, effects] = transition(playerMachine, state, one);
  }
  const at = paths(state.value).filter((path) => !path.startsWith('living.ballot'));
  const { before: _before, index: _index, ...known } = state.context;
  return { at, does: effects.map(({ type }) => type), known, was: context.at(-1), all: state };
}

const LISTENING = ['living.floor.listening'];
const IDLE = ['ghost.idle'];

const LIVES = [
  { who: 'a living player', ghost: false, rests: LISTENING, thinks: ['living.floor.deciding'] },
  { who: 'a ghost at work', ghost: true, rests: IDLE, thinks: ['ghost.working'] },
] as const;

describe.each(LIVES)('$who on the ship', ({ ghost, rests, thinks }) => {
  test.each<[string, readonly ToPlayer[], string, readonly string[], main?: string]>([
    ['thinks when asked', [asks(3)], 'consult', thinks],
    ['hands in the order of this round', [asks(3), decided(3)], 'submitOrder', rests, 'round 3'],
    ['thinks on after one of an older round', [asks(3), decided(2)], 'submitOrder', thinks],
    ['writes nothing with a fault', [asks(3), failed(3)], 'submitOrder', rests],
    ['is too late without a request', [decided(3)], 'submitOrder', rests],
    ['is too late for a missed round', [asks(3), roundMissed(3), decided(3)], 'submitOrder', rests],
    ['is waited for no more in a missed round', [asks(3), roundMissed(3)], 'cancelRequest', rests],
    ['thinks on where another round is missed', [asks(3), roundMissed(2)], '', thinks],
    [
      'is asked again in a later round',
      [asks(3), decided(3), asks(4)],
      'consult',
      thinks,
      'round 3',
    ],
  ])('%s', (_, events, does, at, main = '') => {
    const player = after(events, { ghost });
    expect([player.does.join(), player.at, player.known.pads.main]).toEqual([does, at, main]);
  });

  test('a player hears what was wrong with a decision, and nothing after a fault', () => {
    expect(after([asks(3), decided(3)], { ghost }).known.notices).toEqual([NOTE]);
    expect(after([asks(3), decided(3), asks(4), failed(4)], { ghost }).known.notices).toEqual([]);
  });
});

describe('who is gone or dead while deciding', () => {
  test.each([
    ['leaves', 'seat.departed', ['disconnected']],
    ['dies', 'seat.died', IDLE],
  ] as const)('%s: the request to the mind is cancelled', (_, type, at) => {
    expect(after([asks(3), { type }])).toMatchObject({ does: ['cancelRequest'], at });
  });

  test.each([
    ['a living player at rest', [], {}, IDLE, true],
    ['one who was killed while bidding', [bids(0)], {}, IDLE, true],
    ['one who was killed while deciding', [asks(0)], {}, IDLE, true],
  ] as const)('%s dies and is a ghost for good', (_, events, input, at, ghost) => {
    const dead = after([...events, { type: 'seat.died' }], input);
    expect([dead.at, dead.known.ghost]).toEqual([at, ghost]);
    const talked = [...events, { type: 'seat.died' }, invites(2), answered(2, 'gallery')] as const;
    expect(after(talked, input)).toMatchObject({ at: IDLE, does: ['submitBid'] });
  });

  test.each([
    ['a ghost', { ghost: true }],
    ['the living', {}],
  ])('%s who leave do nothing more', (_, input) => {
    const gone = after([{ type: 'seat.departed' }], input);
    const died = { type: 'seat.died' };
    for (const one of [asks(1), bids(1), invites(1), decided(1), answered(1), died])
      expect(after([{ type: 'seat.departed' }, event(one)], input)).toMatchObject({
        at: ['disconnected'],
        does: [],
        known: gone.known,
      });
  });
});

describe('ruling 36: a ghost who talks', () => {
  const ghost = { ghost: true };

  const CHATTING = ['ghost.chatting'];

  test.each<[string, readonly ToPlayer[], string, readonly string[], main?: string]>([
    ['thinks when invited', [invites(4)], 'consult', CHATTING],
    ['is heard for this turn', [invites(4), answered(4, 'gallery')], 'submitBid', IDLE, 'said'],
    ['thinks on after an older one', [invites(4), answered(3, 'gallery')], 'submitBid', CHATTING],
    ['is too late when it is over', [answered(4, 'gallery')], 'submitBid', IDLE],
    ['is waited for no more', [invites(4), turnMissed(4)], 'cancelRequest', IDLE],
    ['is waited for in another turn', [invites(4), turnMissed(3)], '', CHATTING],
  ])('%s', (_, events, does, at, main = '') => {
    const player = after(events, ghost);
    expect([player.does.join(), player.at, player.known.pads.main]).toEqual([does, at, main]);
  });

  test('an answer that comes too late is handed on and written nowhere', () => {
    const late = after([bids(0), tickMissed(0), answered(0)]);
    expect(late).toMatchObject({
      at: LISTENING,
      does: ['submitBid'],
      known: { pads: { main: '' } },
    });
  });

  test('an answer for the gallery is none to a tick of the same number', () => {
    expect(after([bids(4), answered(4, 'gallery')])).toMatchObject({
      at: ['living.floor.bidding'],
      does: ['submitBid'],
      known: { pads: { main: '' } },
    });
  });

  test('a fault drops the notices of its request and keeps the pages', () => {
    const fault: ToPlayer = { type: 'mind.answered', to: 'table', index: 1, bid: aFault('red') };
    const events = [bids(0), answered(0), bids(1), fault];
    expect(after(events).known).toMatchObject({ pads: { main: 'said' }, notices: [] });
    // After a fault, an abandoned tick restores the pages of the faulty tick, not of an earlier one.
    const abandoned = after([...events, tickMissed(1)]);
    expect(abandoned.known.pads.main).toBe('said');
  });

  test('notices add up until the next answer', () => {
    const other = { code: 'vote/cleared', text: 'vote again' };
    const events = [
      event({ type: 'notice.given', note: NOTE }),
      event({ type: 'vote.locked', ballot: 'blue' }),
      event({ type: 'vote.cleared', note: other }),
      event({ type: 'notice.given', note: NOTE }),
    ];
    expect(after(events).known.notices).toEqual([NOTE, other, NOTE]);
    expect(after([...events, event({ type: 'meeting.opened' })]).known.notices).toEqual([]);
  });
});

describe('when a meeting is called', () => {
  const seen = (round: number, did: 'task' | 'vent', deeds?: object) => ({
    round,
    sights: [{ who: 'blue', place: 'Admin', did }],
    ...(deeds === undefined ? {} : { deeds: [deeds] }),
  });
  const rounds = (...all: readonly object[]) => event({ type: 'rounds.seen', rounds: all });
  const opened = (round?: number) =>
    event({ type: 'meeting.opened', ...(round === undefined ? {} : { round }) });
  const KILL = { type: 'kill', victim: 'green', place: 'Admin' };
  const voted = event({ type: 'vote.locked', ballot: 'blue' });

  test('sightings become the brief, in seconds before the call, and the notes stay', () => {
    const brief = { sightings: [], notes: 'mine' };
    const { known } = after([rounds(seen(2, 'task'), seen(6, 'vent')), opened(8)], { brief });
    expect(known.brief).toEqual({
      notes: 'mine',
      sightings: [
        { ago: 5, who: 'blue', place: 'Admin', did: 'vent' },
        { ago: 15, who: 'blue', place: 'Admin', did: 'task' },
      ],
    });
    expect(known).toMatchObject({ memory: [], meetings: 1 });
    expect(after([rounds(seen(2, 'task'))]).known.memory).toHaveLength(1);
  });

  test('deeds become the past, counted from each meeting', () => {
    const vent = { type: 'vent', how: 'in', place: 'Admin' };
    const events = [
      rounds(seen(2, 'task', KILL)),
      rounds(seen(4, 'task', vent)),
      opened(8),
      voted,
      rounds(seen(10, 'task', KILL)),
      opened(20),
      opened(30),
    ];
    expect(after(events.slice(0, 2)).known.deeds).toEqual([
      { ...KILL, round: 2 },
      { ...vent, round: 4 },
    ]);
    expect(after(events.slice(0, 3)).known).toMatchObject({
      deeds: [],
      past: {
        deeds: [
          { ...KILL, meeting: 1, ago: 15 },
          { ...vent, meeting: 1, ago: 10 },
        ],
        votes: [],
      },
    });
    expect(after(events.slice(0, 6)).known).toMatchObject({
      ballot: null,
      meetings: 2,
      past: {
        deeds: [{ meeting: 1 }, { meeting: 1 }, { ...KILL, meeting: 2, ago: 25 }],
        votes: [{ meeting: 1, ballot: 'blue' }],
      },
    });
    expect(after(events).known.past.votes).toEqual([
      { meeting: 1, ballot: 'blue' },
      { meeting: 2, ballot: null },
    ]);
  });

  test('vote and sightings become the past with the next request on the ship, and once only', () => {
    const { past, brief } = after([
      rounds(seen(6, 'vent')),
      opened(8),
      voted,
      asks(8),
      asks(9),
    ]).known;
    expect(past).toMatchObject({
      votes: [{ meeting: 1, ballot: 'blue' }],
      sightings: [{ meeting: 1, ago: 5, who: 'blue', place: 'Admin', did: 'vent' }],
    });
    expect(brief.sightings).toEqual([]);
  });

  test('a full memory keeps crimes, bodies and the last sight of each player, and counts the others', () => {
    const sight = (who: Colour, did: string, round: number) => ({
      round,
      sights: [{ who, place: round % 2 === 0 ? 'Admin' : 'O2', did }],
    });
    const vital = [sight('pink', 'vent', 0), sight('pink', 'dead', 1), sight('green', 'task', 2)];
    const walk = Array.from({ length: 100 }, (_, index) => sight('blue', 'passing', 3 + index));
    const names = (all: readonly { readonly who: Colour; readonly did: string }[]) =>
      all.filter(({ who }) => who !== 'blue').map(({ who, did }) => `${who} ${did}`);
    const kept = ['pink vent', 'pink dead', 'green task'];
    const onShip = after([rounds(...vital, ...walk)]).known;
    expect(onShip.memory).toHaveLength(80);
    expect([names(onShip.faded), onShip.past.forgotten]).toEqual([kept, 20]);
    const atTable = after([rounds(...vital, ...walk), opened(103)]).known;
    expect([names(atTable.past.sightings), atTable.past.forgotten]).toEqual([kept, 20]);
    const later = after([rounds(...vital, ...walk), opened(103), asks(103), opened(104)]).known;
    expect(names(later.past.sightings)).toEqual(kept);
    expect(later.past.sightings.length + later.past.forgotten).toBe(103);
  });

  law(
    'no sight is lost without being counted, however they come',
    fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 4 }), (lengths) => {
      let round = 0;
      const events = lengths.map((length) =>
        rounds(...Array.from({ length }, () => seen(2 * round++, 'task'))),
      );
      const { memory, faded, past, stretches } = after(events).known;
      expect(memory.length + faded.length + past.forgotten).toBe(round);
      expect(stretches.flat()).toHaveLength(round);
    }),
    30,
  );

  test('sights that come in two parts fade as in one', () => {
    const walk = Array.from({ length: 100 }, (_, round) => seen(2 * round, 'vent'));
    const parts = after([rounds(...walk.slice(0, 85)), rounds(...walk.slice(85))]).known;
    const whole = after([rounds(...walk)]).known;
    expect(parts.memory).toEqual(whole.memory);
    expect([parts.faded, parts.past.forgotten]).toEqual([whole.faded, 0]);
    expect(parts.faded.map(({ from }) => from)).toEqual(walk.slice(0, 20).map((one) => one.round));
  });

  test('past sightings are in the order of time, the last ones of a meeting as well', () => {
    const events = [rounds(seen(2, 'task'), seen(6, 'vent')), opened(8), asks(8), decided(8)];
    const more = [rounds(seen(10, 'task'), seen(12, 'vent')), opened(13), asks(13)];
    expect(
      after([...events, ...more]).known.past.sightings.map(({ meeting, ago }) => [meeting, ago]),
    ).toEqual([
      [1, 15],
      [1, 5],
      [2, 7.5],
      [2, 2.5],
    ]);
  });

  test('on its own it brings a brief, or leaves the one that there is', () => {
    const brief = { sightings: [], notes: 'mine' };
    const other = { sightings: [], notes: 'other' };
    expect(after([opened()], { brief }).known).toMatchObject({ brief, meetings: 0 });
    const brought = after([event({ type: 'meeting.opened', brief: other })], { brief });
    expect(brought.known).toMatchObject({ brief: other, meetings: 0, past: { votes: [] } });
  });

  test('a ballot that was locked before is a ballot of the last meeting', () => {
    const { all } = after([voted, opened(3)]);
    expect(paths(all.value)).toContain('living.ballot.undecided');
    const again = after([voted, opened(3), event({ type: 'vote.locked', ballot: 'skip' })]);
    expect(again.known.ballot).toBe('skip');
  });
});

test('a player begins with the input alone', () => {
  const player = aPlayer({ colour: 'blue', role: 'impostor', partners: ['red'] });
  const { all } = after([], player);
  expect(selfOf(all.context)).toEqual({
    colour: 'blue',
    role: 'impostor',
    partners: ['red'],
    persona: player.persona,
    brief: player.brief,
    pads: player.pads,
    past: NO_PAST,
    stretches: [],
    ballot: null,
    notices: [],
  });
  expect(all.context).toMatchObject({ memory: [], deeds: [], meetings: 0 });
  for (const index of [0, 1]) {
    expect(after([answered(index)], player).known.pads.main).toBe('');
    expect(after([tickMissed(index)], player).known.pads.main).toBe('');
  }
});

/** Any event that a player can receive at any time, without events that are never sent to a player who is thinking. */
const someEvent = fc.oneof(
  fc.nat(2).map(bids),
  fc.nat(2).map(asks),
  fc.nat(2).map(invites),
  fc.nat(2).map(tickMissed),
  fc.nat(2).map(roundMissed),
  fc.nat(2).map(turnMissed),
  fc.nat(2).map((round) => decided(round)),
  fc
    .tuple(fc.nat(2), fc.constantFrom('table', 'gallery'))
    .map(([index, to]) => answered(index, to)),
  fc.constantFrom(
    event({ type: 'seat.died' }),
    event({ type: 'seat.departed' }),
    event({ type: 'vote.locked', ballot: 'blue' }),
    event({ type: 'vote.cleared', note: NOTE }),
    event({ type: 'meeting.opened', round: 3 }),
  ),
);

law(
  'whatever has happened: a request is thought about once, an answer handed on once, and pages change by an answer',
  fc.property(fc.array(someEvent, { maxLength: 8 }), someEvent, (before, last) => {
    const { does, was, known, at } = after([...before, last]);
    const consults = does.filter((effect) => effect === 'consult').length;
    const handed = does.filter(
      (effect) => effect === 'submitBid' || effect === 'submitOrder',
    ).length;
    expect(consults).toBeLessThanOrEqual(
      last.type.endsWith('.requested') || last.type === 'talk.invited' ? 1 : 0,
    );
    expect(handed).toBeLessThanOrEqual(last.type.startsWith('mind.') ? 1 : 0);
    if (known.pads.main !== was?.pads.main)
      expect(['mind.answered', 'mind.decided', 'tick.missed']).toContain(last.type);
    if (last.type === 'seat.departed') expect(at).toEqual(['disconnected']);
    expect(at.some((path) => path.startsWith('ghost'))).toBe(
      known.ghost && at[0] !== 'disconnected',
    );
  }),
  400,
);

function effectsOf(events: readonly ToPlayer[], input: Partial<PlayerInput> = {}) {
  let [state, effects] = initialTransition(playerMachine, aPlayer(input));
  for (const one of events) [state, effects] = transition(playerMachine, state, one);
  return {
    effects: effects.map(({ type, info }) => ({ type, given: info.context as PlayerContext })), // its player
    player: state.context,
  };
}

const GHOST = { ghost: true };

describe('in one step', () => {
  test.each([
    ['a bid', [bids(3)], {}],
    ['an order', [asks(3)], {}],
    ['an order of a ghost', [asks(3)], GHOST],
    ['talk among ghosts', [invites(3)], GHOST],
  ] as const)('a mind that is asked for %s finds its request noted', (_, events, input) => {
    const { effects } = effectsOf(events, input);
    expect(effects).toMatchObject([{ type: 'consult', given: { index: 3 } }]);
  });

  test.each([
    ['a bid', 'submitBid', [bids(3), answered(3, 'table', 'new')], {}],
    ['an order', 'submitOrder', [asks(3), decided(3, { main: 'new' })], {}],
    ['an order of a ghost', 'submitOrder', [asks(3), decided(3, { main: 'new' })], GHOST],
    ['talk among ghosts', 'submitBid', [invites(3), answered(3, 'gallery', 'new')], GHOST],
  ] as const)('%s is handed in before its notes are kept', (_, type, events, input) => {
    const { effects, player } = effectsOf(events, input);
    expect(effects).toMatchObject([{ type, given: { pads: { main: '' } } }]);
    expect(player.pads.main).toBe('new');
  });

  test.each([
    ['bids', bids(3)],
    ['decides', asks(3)],
  ])('the mind of a player who %s is dismissed before its player is dead', (_, request) => {
    const { effects, player } = effectsOf([request, { type: 'seat.died' }]);
    expect(effects).toMatchObject([{ type: 'cancelRequest', given: { ghost: false } }]);
    expect(player.ghost).toBe(true);
  });
});

describe('an answer', () => {
  law(
    'to a tick that is abandoned is taken back, and none before it',
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (texts) => {
      const answers = texts.flatMap((main, index) => {
        const answer = {
          type: 'mind.answered',
          to: 'table',
          index,
          bid: aBid('red', { pads: { main } }),
        };
        return [bids(index), event(answer)];
      });
      const missed = tickMissed(texts.length - 1);
      const { player } = effectsOf([...answers, missed]);
      expect(player.pads.main).toBe(texts.at(-2) ?? '');
    }),
  );
});

test('before the first request no tick that is missed takes a page back', () => {
  const kept = event({ type: 'scratchpads.consolidated', main: 'kept', line: null });
  for (const tick of [0, 1]) {
    const { player } = effectsOf([kept, tickMissed(tick)]);
    expect(player.pads.main).toBe('kept');
  }
});
