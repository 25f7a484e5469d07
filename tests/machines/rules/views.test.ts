import { describe, expect, test } from 'vitest';
import { fixPoll, type Table } from '../../../machines/rules/meeting.ts';
import { NO_PAST, startRecord } from '../../../machines/rules/record.ts';
import type { Ballots } from '../../../machines/rules/tick.ts';
import { fullTruth, ghostView, publicTable } from '../../../machines/rules/views.ts';
import { REQUEST_KINDS } from '../../../machines/types.ts';
import { aReport, aTable, FIVE, living, ORANGE_GOES, QUIET_WORLD } from '../builders.ts';
import { aWorld } from './ship/worlds.ts';

const BALLOTS: Ballots = { red: 'orange', blue: 'orange', green: 'skip' };

function revealed(turned: number, options: Partial<Table['options']> = {}): Table {
  const standings = { ...living(...FIVE), white: 'dead' } as const;
  return aTable({
    standings,
    options,
    ballots: BALLOTS,
    poll: fixPoll(BALLOTS, standings),
    revealed: turned,
    outcome: 'ejected',
    ejected: 'orange',
    remaining: turned === 3 ? 0 : null,
  });
}

describe('ruling 24: before the reveal others see that a player has voted, but not the ballot', () => {
  const table = aTable({ ballots: BALLOTS });

  test('the public seats say who has voted', () => {
    const voted = publicTable(table, 'discussion').seats.filter((seat) => seat.voted);
    expect(voted.map(({ colour }) => colour)).toEqual(['red', 'blue', 'green']);
  });

  test.each(REQUEST_KINDS)(
    'a seat has a colour, a standing and that, and no more, at a tick of %s',
    (requestKind) => {
      for (const seat of publicTable(table, requestKind).seats) {
        expect(Object.keys(seat).sort()).toEqual(['colour', 'standing', 'voted']);
      }
    },
  );

  test('so whoever is voted for, everybody sees the same table', () => {
    const otherwise = aTable({ ballots: { red: 'blue', blue: 'skip', green: 'green' } });
    expect(publicTable(otherwise, 'voting')).toEqual(publicTable(table, 'voting'));
  });

  test('and whoever is the impostor, they see it too', () => {
    const otherwise = aTable({ ballots: BALLOTS, impostors: ['red', 'blue'] });
    expect(publicTable(otherwise, 'voting')).toEqual(publicTable(table, 'voting'));
  });

  test.each([
    [0, false],
    [1, false],
    [2, false],
    [3, true],
  ])('with %i of 3 ballots turned the result is public: %s', (turned, told) => {
    expect(publicTable(revealed(turned), 'reaction').announced !== null).toBe(told);
  });

  test('no result is public before the count, even without ballots', () => {
    const closed = aTable({ poll: fixPoll({}, living(...FIVE)) });
    expect(publicTable(closed, 'reaction').announced).toBeNull();
    expect(publicTable({ ...closed, outcome: 'tie' }, 'reaction').announced).toMatchObject({
      outcome: 'tie',
      ballots: [],
    });
  });
});

describe('the public result', () => {
  const told = (options: Partial<Table['options']>) =>
    publicTable(revealed(3, options), 'reaction').announced;

  test('ruling 25: names voters, and confirms the role', () => {
    expect(told({})).toEqual({
      outcome: 'ejected',
      ejected: 'orange',
      role: 'impostor',
      remaining: 0,
      sentence: 'Orange was The Impostor. 0 Impostors remain.',
      ballots: [
        { voter: 'red', ballot: 'orange', void: false },
        { voter: 'blue', ballot: 'orange', void: false },
        { voter: 'green', ballot: 'skip', void: false },
      ],
    });
  });
});

describe('a living view', () => {
  const table = {
    ...publicTable(aTable({ ballots: BALLOTS }), 'discussion'),
    tick: 4,
    transcript: [],
  };

  test('ruling 24: holds no role, ballot or scratchpad of anybody but the player', () => {
    const text = JSON.stringify(table);
    for (const secret of ['"impostor"', 'crewmate', 'MARK', 'skip', 'ballots'])
      expect(text).not.toContain(secret);
  });
});

describe('ruling 36: a ghost sees the state of the game and no mind', () => {
  test('the truth has every role, standing and ballot before any announcement', () => {
    const table = revealed(0);
    expect(fullTruth(table)).toMatchObject({ ballots: BALLOTS, announced: null, call: table.call });
    expect(fullTruth(table).seats).toContainEqual({
      colour: 'orange',
      role: 'impostor',
      standing: 'living',
    });
    expect(fullTruth(table).seats).toContainEqual({
      colour: 'white',
      role: 'crewmate',
      standing: 'dead',
    });
    expect(Object.keys(fullTruth(table)).sort()).toEqual([
      ...['announced', 'ballots', 'call', 'kills', 'record', 'rules', 'seats', 'ship', 'world'],
    ]);
  });
});

const { map, options } = aWorld().ship;
const SHIP = { map, options };
const RECORD = { ...startRecord(2), bar: { done: 3, all: 9 } };
const WORLD = { ...QUIET_WORLD, places: { red: 'Admin' } } as const;
const CALL = aReport({ by: 'blue', body: 'white', place: 'O2', buttonsLeft: 0, cooldown: 7 });

function called(
  part: Partial<Omit<Table, 'options' | 'seats'>> = {},
  rules: 'house' | 'classic' = 'house',
) {
  return aTable({
    standings: { ...living('red', 'blue'), white: 'dead', tan: 'departed' },
    impostors: ['red'],
    ballots: { red: 'skip' },
    call: CALL,
    options: {
      rules,
      confirmEjects: false,
      anonymousVotes: true,
      votingTime: 10,
      discussionTime: 5,
      secondsPerTick: 5,
    },
    record: RECORD,
    ship: SHIP,
    world: WORLD,
    ...part,
  });
}

test('the public table', () => {
  expect(publicTable(called(), 'discussion')).toEqual({
    requestKind: 'discussion',
    rules: 'house',
    seats: [
      { colour: 'red', standing: 'living', voted: true },
      { colour: 'blue', standing: 'living', voted: false },
      { colour: 'white', standing: 'dead', voted: false },
      { colour: 'tan', standing: 'departed', voted: false },
    ],
    call: { by: 'blue', kind: 'body', body: 'white', place: 'O2' },
    votesOpen: true,
    clock: { openAfter: 0, closeAfter: null },
    confirmEjects: false,
    anonymousVotes: true,
    announced: null,
    record: RECORD,
    ship: SHIP,
  });
});

test.each([
  ['discussion', false],
  ['voting', true],
] as const)('in classic votes are open in %s: %s', (requestKind, votesOpen) => {
  expect(publicTable(called({}, 'classic'), requestKind)).toMatchObject({
    rules: 'classic',
    votesOpen,
    clock: { openAfter: 1, closeAfter: 3 },
  });
});

test('a seat without a standing has left', () => {
  const table = aTable({ standings: living('red', 'blue') });
  const gone = { ...table, standings: living('red') };
  expect(publicTable(gone, 'voting').seats[1]).toMatchObject({ standing: 'departed' });
  expect(fullTruth(gone).seats[1]).toMatchObject({ standing: 'departed' });
});

test('the truth, which ghosts see', () => {
  expect(fullTruth(called())).toEqual({
    seats: [
      { colour: 'red', role: 'impostor', standing: 'living' },
      { colour: 'blue', role: 'crewmate', standing: 'living' },
      { colour: 'white', role: 'crewmate', standing: 'dead' },
      { colour: 'tan', role: 'crewmate', standing: 'departed' },
    ],
    ballots: { red: 'skip' },
    call: CALL,
    rules: 'house',
    announced: null,
    record: RECORD,
    ship: SHIP,
    world: WORLD,
    kills: [],
  });
});

test('once it is public, ghosts see who voted and what role it was, whatever the options hide', () => {
  const ballots = ORANGE_GOES;
  const table = aTable({
    ballots,
    poll: { ballots, void: [], missed: [], deserted: false },
    outcome: 'ejected',
    ejected: 'orange',
    remaining: 0,
    revealed: 5,
    options: { confirmEjects: false, anonymousVotes: true },
  });
  expect(fullTruth(table).announced).toMatchObject({
    role: 'impostor',
    remaining: 0,
    ballots: [{ voter: 'red' }, {}, {}, {}, {}],
  });
  expect(publicTable(table, 'reaction').announced).toMatchObject({
    role: null,
    remaining: null,
    sentence: 'Orange was ejected.',
    ballots: [{ voter: null }, {}, {}, {}, {}],
  });
});

const SELF = {
  colour: 'red',
  role: 'crewmate',
  partners: [],
  persona: { name: 'Ann', temperament: 'observer', notes: '' },
  brief: { sightings: [], notes: '' },
  pads: { main: '', meeting: '' },
  past: NO_PAST,
} as const;

test('a ghost has no ballot and no notices', () => {
  const seen = {
    requestKind: 'ghost',
    turn: 2,
    truth: fullTruth(called()),
    transcript: [],
    chat: [],
  } as const;
  expect(
    ghostView(
      { ...SELF, stretches: [], ballot: 'skip', notices: [{ code: 'a/b', text: '' }] },
      seen,
    ),
  ).toEqual({ you: SELF, ...seen });
});
