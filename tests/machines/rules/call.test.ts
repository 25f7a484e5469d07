import { describe, expect, test } from 'vitest';
import { type Circumstances, callRefusal, QUIET } from '../../../machines/rules/meeting.ts';
import type { BySeat, Call, Standing } from '../../../machines/types.ts';
import { aButton, aReport } from '../builders.ts';

const TABLE: BySeat<Standing> = { red: 'living', blue: 'living', white: 'dead', pink: 'departed' };

function code(call: Call, circumstances: Circumstances = QUIET): string | null {
  return callRefusal(call, TABLE, circumstances)?.code ?? null;
}

describe.each([
  { kind: 'a report', call: aReport },
  { kind: 'the button', call: aButton },
])('$kind', ({ call }) => {
  test('is good for a living player', () => expect(code(call())).toBeNull());

  test.each([
    ['the dead', 'white'],
    ['who left', 'pink'],
    ['who has no seat', 'coral'],
  ] as const)('is refused to %s', (_, by) => expect(code(call({ by }))).toBe('call/not-living'));

  test('is refused while a meeting runs', () => {
    expect(code(call(), { meetingRunning: true, gameOver: false })).toBe('call/meeting-running');
  });

  test('is refused when the game is over, whatever else is wrong', () => {
    expect(code(call({ by: 'white' }), { meetingRunning: true, gameOver: true })).toBe(
      'call/game-over',
    );
  });
});

describe('a report names a dead player', () => {
  test.each([
    ['the dead', 'white', null],
    ['the living', 'blue', 'call/no-body'],
    ['the reporter', 'red', 'call/no-body'],
    ['who died and has left since', 'pink', null],
    ['who has no seat', 'coral', 'call/no-body'],
    ['nobody', null, 'call/no-body'],
  ] as const)('%s', (_, body, refusal) => expect(code(aReport({ body }))).toBe(refusal));

  test('and needs no button, no patience and no quiet', () => {
    expect(code(aReport({ buttonsLeft: 0, cooldown: 30, crisis: 'reactor' }))).toBeNull();
  });
});

describe('the button', () => {
  test.each<[string, Partial<Call>, string | null]>([
    ['works with one meeting left', { buttonsLeft: 1 }, null],
    ['does not with none', { buttonsLeft: 0 }, 'call/no-button'],
    ['works when the cooldown is over', { cooldown: 0 }, null],
    ['does not a moment before', { cooldown: 0.1 }, 'call/cooldown'],
    ['does not in a crisis', { crisis: 'lights' }, 'call/crisis'],
    [
      'names what is missing first',
      { buttonsLeft: 0, cooldown: 5, crisis: 'o2' },
      'call/no-button',
    ],
    ['then how long to wait', { cooldown: 5, crisis: 'o2' }, 'call/cooldown'],
  ])('%s', (_, call, refusal) => expect(code(aButton(call))).toBe(refusal));

  test('says why in words', () => {
    const text = (call: Call) => callRefusal(call, TABLE, QUIET)?.text;
    expect(text(aButton({ cooldown: 12 }))).toContain('12 s');
    expect(text(aButton({ crisis: 'comms' }))).toContain('(comms)');
    expect(text(aReport({ body: 'blue' }))).toContain('found blue');
  });
});
