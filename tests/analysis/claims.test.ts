import { describe, expect, test } from 'vitest';
import { Whereabouts } from '../../analysis/claims/whereabouts.ts';
import type { LineOf } from '../../machines/journal/lines.ts';
import { markMessage } from '../../prompts/claims/marking.ts';
import { findPlaceClaims, type PlaceClaim, readAgo } from '../../prompts/claims/reading.ts';

describe('a claim', () => {
  test.each([
    ['I was in Admin.', ['blue Admin null']],
    ['I was in the Admin hallway when the call came.', ['blue Admin hallway 5']],
    ['Right before the call I was in nav.', ['blue Navigation 5']],
    ['I saw Red in Storage about ten seconds before the call.', ['red Storage 10']],
    ['Count Red with me. I saw them in O2 just before the call, I vouch for them.', ['red O2 5']],
    [
      'Red was with me in Shields, so I can vouch for them.',
      ['red Shields null', 'blue Shields null'],
    ],
    ['The last I saw of Red was in MedBay half a minute before the call.', ['red MedBay 30']],
    ['I saw Red vent in Lower Engine.', ['red Lower Engine null']],
    ['I was in Reactor and I don’t believe you were.', ['blue Reactor null']],
    [
      'You said O2, yet I saw you in Electrical 20 seconds before the call.',
      ['green Electrical 20'],
    ],
    [
      'I came from Admin, Green, and when the call came I was in Reactor.',
      ['blue Admin null', 'blue Reactor 5'],
    ],
    [
      'I was in Cafeteria right before the call, Green, and Red was with me.',
      ['blue Cafeteria 5', 'red Cafeteria 5'],
    ],
    ['Were you in Admin? I saw Red in Storage?', []],
    ['I did not see Red in Storage.', []],
    ['I was not in Admin.', []],
    ['Red is down in the Admin hallway.', []],
    ['I trust Red. I was in a good mood.', []],
  ])('%s', (message, expected) => {
    const claims = findPlaceClaims({ speaker: 'blue', target: 'green', message });
    expect(claims.map(({ about, place, ago }) => `${about} ${place} ${ago}`)).toEqual(expected);
  });

  test.each([
    ['about a minute and a half before the call', 90],
    ['roughly a minute before', 60],
    ['maybe thirty-five seconds before the call', 35],
    ['2 minutes ago', 120],
    ['15s before', 15],
    ['when they called us', 5],
    ['I went there', null],
  ])('the time of "%s"', (text, seconds) => expect(readAgo(markMessage(text))).toBe(seconds));
});

describe('the truth', () => {
  const place = { channel: 'living', seq: 0, hash: '' } as const;
  const opened = { map: 'skeld', seats: [{ colour: 'red' }, { colour: 'blue' }] } as const;
  const round = (
    number: number,
    paths: LineOf<'round.closed'>['paths'],
  ): LineOf<'round.closed'> => ({
    ...place,
    ...{ type: 'round.closed', round: number, orders: [], events: [], paths, deeds: {}, seen: {} },
  });
  const claim = (where: PlaceClaim['place'], ago: number | null): PlaceClaim => {
    return { type: 'place', by: 'blue', about: 'red', place: where, ago };
  };

  /** Red walks to Admin in rounds 0 and 1 and stays until a call after forty rounds: a hundred seconds. */
  function walked(): Whereabouts {
    const whereabouts = new Whereabouts(opened);
    whereabouts.pass(round(0, { red: ['Admin hallway'] }));
    whereabouts.pass(round(1, { red: ['Admin'] }));
    for (let number = 2; number < 40; number++) whereabouts.pass(round(number, {}));
    return whereabouts;
  }

  test.each([
    ['Admin', 5, 'true'],
    ['Admin', null, 'true'],
    ['Admin hallway', null, 'true'],
    ['Cafeteria', null, 'true'],
    ['Storage', null, 'false'],
    ['Cafeteria', 5, 'false'],
    ['Admin hallway', 60, 'false'],
    ['Admin hallway', 90, 'true'],
    ['Admin', 240, 'unverifiable'],
  ] as const)('of %s %s seconds before the call is %s', (where, ago, truth) => {
    expect(walked().judge(claim(where, ago))).toBe(truth);
  });

  test('before the last meeting is unverifiable, and at the meeting all players were at the table', () => {
    const whereabouts = walked();
    whereabouts.gather();
    expect(whereabouts.judge(claim('Admin', 5))).toBe('unverifiable');
    whereabouts.pass(round(40, {}));
    expect(whereabouts.judge(claim('Admin', null))).toBe('false');
    expect(whereabouts.judge(claim('Cafeteria', 5))).toBe('true');
  });
});
