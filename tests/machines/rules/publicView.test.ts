/** What everybody and what ghosts are shown of a table, whole: a field more is a secret out, a field less is a lie. */
import { expect, test } from 'vitest';
import type { Table } from '../../../machines/rules/meeting.ts';
import { startRecord, type WorldTruth } from '../../../machines/rules/record.ts';
import { fullTruth, ghostView, livingView, publicTable } from '../../../machines/rules/views.ts';
import { aReport, aTable, living, ORANGE_GOES } from '../builders.ts';
import { aWorld } from './ship/worlds.ts';

const { map, options } = aWorld().ship;
const SHIP = { map, options };
const RECORD = { ...startRecord(2), bar: { done: 3, all: 9 } };
const WORLD: WorldTruth = { places: { red: 'Admin' }, tasks: {}, deeds: [] };
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
  past: { deeds: [], votes: [] },
} as const;

test.each([
  [true, "You can't just be silent, that ruins the fun"],
  [false, null],
])('who is called on (%s) is reminded of it: %s', (calledOn, reminder) => {
  const you = { ...SELF, ballot: null, notices: [] };
  const table = { ...publicTable(called(), 'discussion'), tick: 3, transcript: [] };
  expect(livingView(you, table, calledOn)).toEqual({ you, table, calledOn, reminder });
});

test('a ghost has no ballot and no notices', () => {
  const seen = {
    requestKind: 'ghost',
    turn: 2,
    truth: fullTruth(called()),
    transcript: [],
    chat: [],
  } as const;
  expect(
    ghostView({ ...SELF, ballot: 'skip', notices: [{ code: 'a/b', text: '' }] }, seen),
  ).toEqual({
    you: SELF,
    ...seen,
  });
});
