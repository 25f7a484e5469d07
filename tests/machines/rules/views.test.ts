import { describe, expect, test } from 'vitest';
import { fixPoll, type Table, writeResult } from '../../../machines/rules/meeting.ts';
import type { Ballots } from '../../../machines/rules/tick.ts';
import {
  fullTruth,
  ghostView,
  livingView,
  publicTable,
  type Self,
} from '../../../machines/rules/views.ts';
import { REQUEST_KINDS } from '../../../machines/types.ts';
import { aTable, FIVE, living } from '../builders.ts';

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

function aSelf(self: Partial<Self> = {}): Self {
  return {
    colour: 'orange',
    role: 'impostor',
    partners: ['tan'],
    persona: { name: 'MARK-persona', temperament: 'joker', notes: '' },
    brief: { sightings: [], notes: 'MARK-brief' },
    pads: { main: 'MARK-main', meeting: 'MARK-meeting' },
    past: { deeds: [], votes: [{ meeting: 1, ballot: 'skip' }] },
    ballot: 'blue',
    notices: [{ code: 'vote/locked', text: 'MARK-notice' }],
    ...self,
  };
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

  test('ruling 25: hides the voters where votes are anonymous', () => {
    expect(told({ anonymousVotes: true })?.ballots.map(({ voter }) => voter)).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('hides the role where ejections are not confirmed', () => {
    expect(told({ confirmEjects: false })).toMatchObject({
      ejected: 'orange',
      role: null,
      remaining: null,
      sentence: 'Orange was ejected.',
    });
    expect(
      writeResult(
        { outcome: 'ejected', ejected: 'orange' },
        { role: 'impostor', impostors: 1, remaining: 0 },
        { confirmEjects: false },
      ),
    ).toBe('Orange was ejected.');
  });
});

test('the public call omits the state of the button', () => {
  expect(publicTable(aTable(), 'discussion').call).toEqual({
    by: 'red',
    kind: 'button',
    body: null,
    place: null,
  });
});

test('ruling 39: a classic discussion says that votes are not open', () => {
  const classic = aTable({ options: { rules: 'classic' } });
  expect(publicTable(classic, 'discussion').votesOpen).toBe(false);
  expect(publicTable(classic, 'voting').votesOpen).toBe(true);
  expect(publicTable(aTable(), 'discussion').votesOpen).toBe(true);
});

describe('a living view', () => {
  const table = {
    ...publicTable(aTable({ ballots: BALLOTS }), 'discussion'),
    tick: 4,
    transcript: [],
  };

  test('a view is the player’s own knowledge and the public table', () => {
    const view = livingView(aSelf(), table, true);
    expect(Object.keys(view).sort()).toEqual(['calledOn', 'reminder', 'table', 'you']);
    expect(view).toMatchObject({ you: aSelf(), table, calledOn: true });
  });

  test('ruling 9: only a player silent for too long gets the reminder', () => {
    const reminder = "You can't just be silent, that ruins the fun";
    expect(livingView(aSelf(), table, true).reminder).toBe(reminder);
    expect(livingView(aSelf(), table, false).reminder).toBeNull();
  });

  test('ruling 24: holds no role, ballot or scratchpad of anybody but the player', () => {
    const blue = aSelf({
      colour: 'blue',
      role: 'crewmate',
      partners: [],
      ballot: null,
      notices: [],
    });
    const text = JSON.stringify(livingView(blue, table, false).table);
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
      'announced',
      'ballots',
      'call',
      'record',
      'rules',
      'seats',
      'ship',
      'world',
    ]);
  });

  test('and names and roles whatever the options hide from the living', () => {
    const told = fullTruth(revealed(3, { anonymousVotes: true, confirmEjects: false })).announced;
    expect(told?.role).toBe('impostor');
    expect(told?.ballots.map(({ voter }) => voter)).toEqual(['red', 'blue', 'green']);
  });

  test('a ghost view has no ballot of its own and no notices', () => {
    const seen = {
      requestKind: 'ghost',
      turn: 2,
      truth: fullTruth(aTable()),
      transcript: [],
      chat: [],
    } as const;
    const view = ghostView(aSelf(), seen);
    expect(Object.keys(view.you).sort()).toEqual([
      'brief',
      'colour',
      'pads',
      'partners',
      'past',
      'persona',
      'role',
    ]);
    expect(view).toMatchObject({ ...seen, you: { colour: 'orange', role: 'impostor' } });
    expect(JSON.stringify(view)).not.toContain('MARK-notice');
  });
});
