import { describe, expect, test } from 'vitest';
import { atPace, meetingMatchSchema } from '../../../machines/setup/match.ts';
import { DEEPEST } from '../../../machines/text.ts';
import { aMeetingMatch, FIVE, seatsFor } from '../builders.ts';

const PLAIN = { name: 'a test', call: { by: 'red' }, seats: seatsFor(FIVE) };

function refused(change: object): string | null {
  const result = meetingMatchSchema.safeParse({ ...PLAIN, ...change });
  return result.success ? null : (result.error.issues[0]?.path.join('.') ?? '');
}

const SKIPPED = { by: 'red', result: 'skipped', ballots: { red: 'skip', blue: 'red' } };

function withSaw(change: object): object {
  const saw = [{ who: 'blue', place: 'Admin', ...change }];
  return { seats: [{ colour: 'red', saw }] };
}

function withConsoles(count: number): object {
  const consoles = { reactor: Array.from({ length: count }, () => 'Reactor') };
  return { map: { name: 'x', button: 'Reactor', openings: {}, consoles } };
}

function withBody(levels: number): object {
  let body: object = {};
  for (let level = 0; level < levels; level++) body = { body };
  return { seats: [{ colour: 'red', extra_body: body }] };
}

describe('the schema refuses unknown keys', () => {
  test.each<[string, object, string | null]>([
    ['the plain match is fine', {}, null],
    ['a mistyped key', { optoins: {} }, ''],
    ['a mistyped option', { options: { anonymous_vote: true } }, 'options'],
    ['an option in the spelling of the code', { options: { votingTime: 15 } }, 'options'],
    ['a mistyped weight', { options: { weights: { mentoin: 1 } } }, 'options.weights'],
    [
      'a mistyped key of silence',
      { options: { weights: { silence: { slop: 1 } } } },
      'options.weights.silence',
    ],
    ['a mistyped key of the call', { call: { by: 'red', boddy: 'blue' } }, 'call'],
    ['a mistyped key of a seat', { seats: [{ color: 'red' }] }, 'seats.0.colour'],
    ['ruling 17: an unknown colour', { seats: [{ colour: 'mauve' }] }, 'seats.0.colour'],
    [
      'ruling 34: System, whose name no seat may bear',
      { seats: [{ colour: 'system' }] },
      'seats.0.colour',
    ],
    ['a colour in capitals', { seats: [{ colour: 'Red' }] }, 'seats.0.colour'],
    ['an unknown role', { seats: [{ colour: 'red', role: 'jester' }] }, 'seats.0.role'],
    ['an unknown rule set', { options: { rules: 'modern' } }, 'options.rules'],
    ['an unknown room', { call: { by: 'red', place: 'Office' } }, 'call.place'],
    ['a crisis that is none: doors', { call: { by: 'red', crisis: 'doors' } }, 'call.crisis'],
    ['no call', { call: undefined }, 'call'],
    ['no name', { name: '' }, 'name'],
    ['a share of faults above all', { fault_rate: 1.1 }, 'fault_rate'],
    ['all of them is fine', { fault_rate: 1 }, null],
    ['a sighting after the call', withSaw({ ago: -1 }), 'seats.0.saw.0.ago'],
    ['a sighting at the call is fine', withSaw({ ago: 0 }), null],
    ['no turn of ghost talk is fine', { ghosts: { budget: 0 } }, null],
    ['jammed comms are fine', { call: { by: 'red', crisis: 'comms' } }, null],
    ['a ballot to skip is fine', { record: { meetings: [SKIPPED] } }, null],
    ['ten buttons', { call: { by: 'red', buttons_left: 10 } }, 'call.buttons_left'],
    ['three consoles', withConsoles(3), 'map'],
    ['two consoles are fine', withConsoles(2), null],
    ['a deep body is fine', withBody(DEEPEST - 1), null],
    ['a body without end', withBody(DEEPEST + 1), 'seats.0.extra_body'],
  ])('%s', (_, change, path) => {
    expect(refused(change)).toBe(path);
  });
});

describe('defaults are filled in when a match is resolved', () => {
  test('seats and call have theirs', () => {
    const match = aMeetingMatch({ seats: [{ colour: 'red' }] });
    expect(match.seats[0]).toEqual({
      colour: 'red',
      role: 'crewmate',
      dead: false,
      mind: 'scripted',
      votes: 'freely',
      saw: [],
      notes: '',
    });
    expect(match.call).toEqual({ by: 'red', buttons_left: 1, cooldown: 0, crisis: null });
    expect(match).toMatchObject({ about: '', fault_rate: 0, options: {} });
  });
});

test('a pace changes no other option', () => {
  const match = aMeetingMatch({ options: { rules: 'classic', beat_ms: 300 } });
  expect(atPace(match, 0)).toEqual({ ...match, options: { rules: 'classic', beat_ms: 0 } });
});
