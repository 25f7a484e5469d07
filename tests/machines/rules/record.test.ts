import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  impostorsRemaining,
  type MeetingRecord,
  meetingNumber,
  type PublicRecord,
  recordCall,
  recordMeeting,
  startRecord,
} from '../../../machines/rules/record.ts';
import type { Colour, Role, Standing } from '../../../machines/types.ts';
import { writeRecord } from '../../../prompts/recordText.ts';
import { law, living, someSeats } from '../builders.ts';

const BUTTON = { by: 'red', kind: 'button', body: null, place: null } as const;
const STOPPED: MeetingRecord = { call: BUTTON, result: null };
const BAR = { done: 1, all: 2 };

function held(
  ejected: Colour | null,
  role: Role | null = null,
  remaining: number | null = null,
): MeetingRecord {
  const outcome = ejected === null ? 'skipped' : 'ejected';
  return {
    call: BUTTON,
    result: { outcome, ejected, role, remaining, ballots: [], sentence: null },
  };
}

test('the number of impostors is hidden where the options say so', () => {
  expect(impostorsRemaining(startRecord(null))).toBeNull();
  expect(writeRecord(startRecord(null), true)).toContain(
    'The number of impostors is not announced.',
  );
  // The screen tells how many remain all the same.
  const told = recordMeeting(startRecord(null), {}, held('green', 'crewmate', 2));
  const open = recordMeeting(startRecord(2), {}, held('green'));
  expect(writeRecord(open, false)).toContain('How many are left has not been announced.');
  expect(writeRecord(told, true)).toContain('Left at the last reveal: 2.');
});

test('killed, ejected and departed players are listed separately, each with its meeting', () => {
  const all = living('red', 'blue', 'green', 'pink', 'tan');
  const called = recordCall(
    startRecord(1),
    { standings: { ...all, blue: 'dead', pink: 'departed' }, fallen: ['blue'] },
    { done: 3, all: 9 },
  );
  const over = recordMeeting(
    called,
    { ...all, blue: 'dead', pink: 'departed', green: 'dead', tan: 'departed' },
    {
      call: { by: 'red', kind: 'body', body: 'blue', place: 'Electrical' },
      result: {
        outcome: 'ejected',
        ejected: 'green',
        role: 'crewmate',
        remaining: 1,
        ballots: [
          { voter: 'red', ballot: 'green', void: false },
          { voter: null, ballot: 'skip', void: true },
        ],
        sentence: 'Green was not An Impostor. 1 Impostors remain.',
      },
    },
  );
  expect(writeRecord(over, true)).toBe(
    [
      '# The game so far',
      ...['Impostors at the start: 1. Left, as last announced: 1.', 'This is meeting 2.'],
      '- Meeting 1: red reported the body of blue in Electrical. Green was not An Impostor. 1 Impostors remain. Votes: red→green, a player→skip (void).',
      ...['Killed before meeting 1: blue.', 'Left the game before meeting 1: pink.'],
      ...['Ejected at meeting 1: green.', 'Left the game at meeting 1: tan.'],
      'Tasks of the whole crew: 3 of 9 steps.',
    ].join('\n'),
  );
  expect(writeRecord(over, false)).not.toContain('Tasks of the whole crew');
  expect(writeRecord(over, false)).toContain('Meetings so far: 1.');
});

describe('as a meeting is called', () => {
  test('everybody sees who is missing: killed where dead or fallen, or else gone, each once', () => {
    const record = recordCall(
      startRecord(1),
      {
        standings: { red: 'living', blue: 'dead', green: 'departed', pink: 'departed' },
        fallen: ['pink'],
      },
      BAR,
    );
    const loss = (who: Colour, how: string) => ({ who, how, where: 'ship', meeting: 1 });
    expect(record).toEqual({
      impostors: 1,
      meetings: [],
      bar: BAR,
      losses: [loss('blue', 'killed'), loss('green', 'left'), loss('pink', 'killed')],
    });
    expect(
      recordCall(
        record,
        { standings: { blue: 'dead', green: 'departed' }, fallen: ['green'] },
        null,
      ),
    ).toEqual({ ...record, bar: null });
  });

  test('the losses of a later one have its number, and those before stay', () => {
    const first = recordCall(startRecord(1), { standings: { blue: 'dead' }, fallen: [] }, BAR);
    const second = recordCall(
      recordMeeting(first, { blue: 'dead' }, STOPPED),
      { standings: { blue: 'dead', green: 'dead' }, fallen: [] },
      BAR,
    );
    expect(second.losses).toEqual([
      { who: 'blue', how: 'killed', where: 'ship', meeting: 1 },
      { who: 'green', how: 'killed', where: 'ship', meeting: 2 },
    ]);
  });
});

describe('after a meeting', () => {
  test('the ejected is ejected, and who else is gone has left the table', () => {
    const before = recordCall(startRecord(1), { standings: { blue: 'dead' }, fallen: [] }, BAR);
    const standings = { blue: 'dead', green: 'dead', pink: 'departed', red: 'living' } as const;
    const record = recordMeeting(before, standings, held('green'));
    expect(record).toEqual({
      impostors: 1,
      bar: BAR,
      meetings: [held('green')],
      losses: [
        { who: 'blue', how: 'killed', where: 'ship', meeting: 1 },
        { who: 'green', how: 'ejected', where: 'table', meeting: 1 },
        { who: 'pink', how: 'left', where: 'table', meeting: 1 },
      ],
    });
    expect(meetingNumber(record)).toBe(2);
    expect(
      recordMeeting(record, { pink: 'departed', lime: 'departed' }, STOPPED).losses.at(-1),
    ).toEqual({ who: 'lime', how: 'left', where: 'table', meeting: 2 });
  });

  test('nobody is ejected by a meeting without a result', () => {
    const { losses } = recordMeeting(startRecord(1), { green: 'departed' }, STOPPED);
    expect(losses).toMatchObject([{ who: 'green', how: 'left' }]);
  });
});

law(
  'nobody is lost twice, and nobody is who lives',
  fc.property(
    someSeats(1, 6),
    fc.array(fc.record({ dead: someSeats(0, 3), gone: someSeats(0, 3) }), { maxLength: 4 }),
    (seats, meetings) => {
      const standings: Partial<Record<Colour, Standing>> = {};
      for (const seat of seats) standings[seat] = 'living';
      let record = startRecord(1);
      for (const { dead, gone } of meetings) {
        for (const seat of dead) if (seats.includes(seat)) standings[seat] = 'dead';
        record = recordCall(record, { standings, fallen: [] }, null);
        for (const seat of gone) if (seats.includes(seat)) standings[seat] = 'departed';
        record = recordMeeting(record, standings, STOPPED);
      }
      const lost = record.losses.map(({ who }) => who);
      expect(new Set(lost).size).toBe(lost.length);
      expect(lost.toSorted()).toEqual(
        meetings.length === 0
          ? []
          : seats.filter((seat) => standings[seat] !== 'living').toSorted(),
      );
    },
  ),
);

describe('impostors that are left', () => {
  const after = (impostors: number | null, ...meetings: readonly MeetingRecord[]) =>
    impostorsRemaining(
      meetings.reduce<PublicRecord>(
        (record, one) => recordMeeting(record, {}, one),
        startRecord(impostors),
      ),
    );
  const confirmed = (remaining: number) => held('blue', 'impostor', remaining);

  test.each<[string, number | null, number | null, readonly MeetingRecord[]]>([
    ['are those of the start', 2, 2, []],
    ['are not told where they are hidden', null, null, []],
    ['are those of the start where no player was ejected', 2, 2, [held(null), STOPPED]],
    ['are those of the last sentence', 3, 1, [confirmed(2), confirmed(1)]],
    ['whatever came after it without one', 3, 2, [confirmed(2), STOPPED, held(null)]],
    ['are told by a sentence where they are hidden', null, 1, [confirmed(1)]],
    ['are open after an ejection that was not confirmed', 2, null, [held('blue')]],
    ['until the next sentence', 2, 1, [held('blue'), confirmed(1)]],
    [
      'are those of the last sentence, though an ejection was not confirmed since',
      2,
      1,
      [confirmed(1), held('green')],
    ],
    ['can be none', 1, 0, [confirmed(0)]],
  ])('%s', (_, start, left, meetings) => {
    expect(after(start, ...meetings)).toBe(left);
  });
});
