import { describe, expect, test } from 'vitest';
import {
  impostorsRemaining,
  type MeetingRecord,
  meetingNumber,
  recordCall,
  recordMeeting,
  startRecord,
} from '../../../machines/rules/record.ts';
import { writeRecord } from '../../../prompts/recordText.ts';

const CALL = { by: 'red', kind: 'body', body: 'blue', place: 'Electrical' } as const;

function held(role: 'impostor' | 'crewmate' | null, remaining: number | null): MeetingRecord {
  return {
    call: CALL,
    result: {
      outcome: 'ejected',
      ejected: 'green',
      role,
      remaining,
      ballots: [
        { voter: 'red', ballot: 'green', void: false },
        { voter: null, ballot: 'skip', void: true },
      ],
      sentence:
        remaining === null
          ? 'Green was ejected.'
          : `Green was not An Impostor. ${remaining} Impostors remain.`,
    },
  };
}

test('the number of impostors is hidden where the options say so', () => {
  expect(impostorsRemaining(startRecord(null))).toBeNull();
  expect(writeRecord(startRecord(null), true)).toContain(
    'The number of impostors is not announced.',
  );
  // The screen tells how many remain all the same.
  const told = recordMeeting(startRecord(null), {}, held('crewmate', 2));
  expect(writeRecord(told, true)).toContain('Left at the last reveal: 2.');
});

describe('impostors that are left', () => {
  const before = { red: 'living', green: 'living', pink: 'living' } as const;
  const after = { ...before, green: 'dead' } as const;

  test('the impostors left are all until the screen says otherwise', () => {
    expect(impostorsRemaining(startRecord(2))).toBe(2);
    expect(impostorsRemaining(recordMeeting(startRecord(2), after, held('crewmate', 2)))).toBe(2);
    expect(impostorsRemaining(recordMeeting(startRecord(2), after, held('impostor', 1)))).toBe(1);
  });

  test('are open once an ejection was not confirmed', () => {
    const record = recordMeeting(startRecord(2), after, held(null, null));
    expect(impostorsRemaining(record)).toBeNull();
    expect(writeRecord(record, false)).toContain('How many are left has not been announced.');
  });

  test('are known where nobody was ejected', () => {
    const tie = { call: CALL, result: null };
    expect(impostorsRemaining(recordMeeting(startRecord(2), before, tie))).toBe(2);
  });
});

test('a player who was killed and whose ghost has left was killed', () => {
  const standings = { red: 'living', blue: 'departed', pink: 'departed' } as const;
  const { losses } = recordCall(startRecord(1), { standings, fallen: ['blue'] }, null);
  expect(losses.map(({ who, how }) => [who, how])).toEqual([
    ['blue', 'killed'],
    ['pink', 'left'],
  ]);
});

test('killed, ejected and departed players are listed separately, each with its meeting', () => {
  const living = {
    red: 'living',
    blue: 'living',
    green: 'living',
    pink: 'living',
    tan: 'living',
  } as const;
  const called = recordCall(
    startRecord(1),
    { standings: { ...living, blue: 'dead', pink: 'departed' }, fallen: ['blue'] },
    { done: 3, all: 9 },
  );
  expect(called.losses).toEqual([
    { who: 'blue', how: 'killed', where: 'ship', meeting: 1 },
    { who: 'pink', how: 'left', where: 'ship', meeting: 1 },
  ]);
  const over = recordMeeting(
    called,
    { ...living, blue: 'dead', pink: 'departed', green: 'dead', tan: 'departed' },
    held('crewmate', 1),
  );
  expect(over.losses.slice(2)).toEqual([
    { who: 'green', how: 'ejected', where: 'table', meeting: 1 },
    { who: 'tan', how: 'left', where: 'table', meeting: 1 },
  ]);
  expect([meetingNumber(called), meetingNumber(over)]).toEqual([1, 2]);
  expect(writeRecord(over, true)).toBe(
    [
      '# The game so far (everybody knows this)',
      'Impostors at the start: 1. Left, as last announced: 1.',
      'This is meeting 2.',
      '- Meeting 1: red reported the body of blue in Electrical. Green was not An Impostor. 1 Impostors remain. Votes: red green, a player skip (void).',
      'Killed before meeting 1: blue.',
      'Left the game before meeting 1: pink.',
      'Ejected at meeting 1: green.',
      'Left the game at meeting 1: tan.',
      'Tasks of the whole crew: 3 of 9 steps.',
    ].join('\n'),
  );
  expect(writeRecord(over, false)).not.toContain('Tasks of the whole crew');
  expect(writeRecord(over, false)).toContain('Meetings so far: 1.');
});
