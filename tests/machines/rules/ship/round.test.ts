import { describe, expect, test } from 'vitest';
import { beginMeeting } from '../../../../machines/rules/ship/game.ts';
import { type Colour, SYSTEMS } from '../../../../machines/types.ts';
import {
  aWorld,
  type IntentText,
  type Orders,
  placeOf,
  playRound,
  refusal,
  rounds,
  type Wanted,
} from './worlds.ts';

const busy = (wanted: Wanted = {}) =>
  aWorld({
    ...wanted,
    at: { blue: 'Admin', ...wanted.at },
    players: { blue: { intent: 'wait 9' }, ...wanted.players },
  });
const asks = (wanted: Wanted, orders: Parameters<typeof playRound>[1] = {}) =>
  playRound(busy(wanted), orders).world.asks.blue;
const comes = { green: 'go Admin' } as const;

test('an order or a fault of a player who has left counts for nothing', () => {
  const world = aWorld({ standings: { blue: 'departed' } });
  for (const blue of ['go Admin', { fault: 'mind/late' }, { fault: 'seat/left' }] as const) {
    const round = playRound(world, { blue });
    expect(round.events).toEqual([]);
    expect(round.world.streaks).toEqual({});
    expect(round.world.players.blue).toEqual(world.players.blue);
  }
});

describe('a player is asked', () => {
  test.each([
    ['a round too early', 1, undefined],
    ['when the wait is over', 2, ['done']],
  ])('%s', (_, count, why) => {
    const wait: IntentText = 'wait 2';
    const played = rounds(busy(), { blue: wait }, {});
    expect(played[count - 1]?.world.asks.blue).toEqual(why);
  });

  const walks = { green: 'go Admin hallway' } as const;
  const near = { at: { green: 'Admin hallway' } } as const;
  test.each<[string, Wanted, Orders, readonly string[] | undefined]>([
    ['not while nothing happens', {}, {}, undefined],
    ['when there is nothing to go on with', { players: { blue: {} } }, {}, ['done']],
    ['on arrival', { at: { blue: 'Admin hallway' } }, { blue: 'go Admin' }, ['arrived']],
    ['when an order was refused', {}, { blue: 'kill red' }, ['refused']],
    ['not when an order of another was', {}, { green: 'kill red' }, undefined],
    [
      'a killer for what the victim leaves, and not as a witness',
      { impostors: ['blue'], at: { green: 'Admin' } },
      { blue: 'kill green' },
      ['done', 'body'],
    ],
    ['when somebody comes', near, comes, ['company']],
    ['not when they go', { at: { green: 'Admin' } }, walks, undefined],
    [
      'not when somebody comes in the dark',
      { ...near, crisis: { system: 'lights' } },
      comes,
      undefined,
    ],
    [
      'an impostor also when one of several goes',
      { impostors: ['blue'], at: { green: 'Admin', pink: 'Admin' } },
      walks,
      ['company'],
    ],
    [
      'when somebody is killed before their eyes',
      { at: { red: 'Admin', green: 'Admin' } },
      { red: 'kill green' },
      ['body', 'witness'],
    ],
    [
      'when somebody climbs into a vent before their eyes',
      { at: { red: 'Admin' } },
      { red: 'vent 0' },
      ['witness'],
    ],
    ['when something breaks', {}, { red: 'sabotage comms' }, ['alarm']],
    [
      'when it is mended',
      { crisis: { system: 'comms', held: 1 }, at: { green: 'Communications' } },
      { green: 'fix Communications' },
      ['alarm'],
    ],
  ])('%s', (_, wanted, orders, why) => {
    expect(asks(wanted, orders)).toEqual(why);
  });

  test('a refused order is a wait of one round: the player does not go on with the last intent', () => {
    const world = aWorld({ players: { blue: { intent: 'go Admin' } } });
    const round = playRound(world, { blue: 'kill red' });
    expect([placeOf(round, 'blue'), round.world.players.blue?.intent]).toEqual(['Cafeteria', null]);
  });

  test('when somebody climbs out of a vent, and not while they are in it', () => {
    const hidden = { at: { red: 'Admin' }, players: { red: { vent: 2 } } } as const;
    expect(asks(hidden)).toBeUndefined();
    expect(asks(hidden, { red: 'surface' })).toEqual(['company', 'witness']);
  });

  describe('who comes and goes, as the option says', () => {
    const with2 = { at: { green: 'Admin', pink: 'Admin' } } as const;
    const killer = (killWait: number) => ({
      impostors: ['blue'] as const,
      players: { blue: { intent: 'wait 9', killWait } as const },
    });
    const calm = killer(9);
    const ready = killer(0);
    const asked = ['company'];
    test.each([
      ['few', 'a crewmate: who comes', near, comes, undefined],
      ['few', 'a crewmate: who goes', with2, walks, undefined],
      ['few', 'an impostor who can’t kill yet: who comes', { ...calm, ...near }, comes, undefined],
      ['few', 'an impostor who can’t kill yet: who goes', { ...calm, ...with2 }, walks, undefined],
      ['few', 'an impostor who can kill: who comes', { ...ready, ...near }, comes, asked],
      ['few', 'an impostor who can kill: who goes', { ...ready, ...with2 }, walks, asked],
      ['normal', 'a crewmate: who comes', near, comes, asked],
      ['normal', 'a crewmate: who goes', with2, walks, undefined],
      ['normal', 'an impostor: who comes', { ...calm, ...near }, comes, asked],
      ['normal', 'an impostor: who goes', { ...calm, ...with2 }, walks, asked],
      ['all', 'a crewmate: who comes', near, comes, asked],
      ['all', 'a crewmate: who goes', with2, walks, asked],
      ['all', 'a crewmate: the last who goes', { at: { green: 'Admin' } }, walks, asked],
      ['all', 'an impostor: who goes', { ...calm, ...with2 }, walks, asked],
    ] as const)('%s, %s', (attention, _, wanted, orders, why) => {
      expect(asks({ ...wanted, options: { attention } }, orders)).toEqual(why);
    });

    test.each([
      ['one round too early', 2, undefined],
      ['in the round in which the kill becomes possible', 1, ['company', 'ready']],
    ])('few, an impostor: who comes %s', (_, killWait, why) => {
      const wanted = { ...killer(killWait), ...near, options: { attention: 'few' } } as const;
      expect(asks(wanted, comes)).toEqual(why);
    });

    test.each(['few', 'normal', 'all'] as const)(
      '%s: a body and a crime ask everybody',
      (attention) => {
        const wanted = { at: { red: 'Admin', green: 'Admin' }, options: { attention } } as const;
        const why = asks(wanted, { red: 'kill green' });
        expect(why).toEqual(expect.arrayContaining(['body', 'witness']));
      },
    );
  });

  test('when a body comes in sight, and not again', () => {
    const world = {
      standings: { green: 'dead' },
      world: { bodies: [{ victim: 'green', place: 'Admin' }] },
    } as const;
    const walked = playRound(busy({ ...world, at: { blue: 'Admin hallway' } }), {
      blue: 'go Admin',
    });
    expect(walked.world.asks.blue).toContain('body');
    expect(asks(world)).toBeUndefined();
  });

  test('an impostor when they can kill again', () => {
    const wait: IntentText = 'wait 9';
    const ready = (killWait: number) =>
      asks({ impostors: ['blue'], players: { blue: { intent: wait, killWait } } });
    expect([ready(2), ready(1), ready(0)]).toEqual([undefined, ['ready'], undefined]);
  });
});

const PRESSES = { blue: 'button' } as const;
const REPORTS = { blue: 'report green' } as const;

describe('the button', () => {
  test.each<[string, Wanted, string | null]>([
    ['works with one emergency meeting left', { players: { blue: { buttons: 1 } } }, null],
    ['does not work with none left', { players: { blue: { buttons: 0 } } }, 'call/no-button'],
    ['works with no round of the cooldown left', { world: { buttonWait: 0 } }, null],
    ['does not work with one', { world: { buttonWait: 1 } }, 'call/cooldown'],
    ...SYSTEMS.map((system): [string, Wanted, string] => [
      `does not work in a crisis of ${system}`,
      { crisis: { system, left: 9 } },
      'call/crisis',
    ]),
    [
      'works behind shut doors',
      { world: { doors: [{ room: 'Cafeteria', shut: 3, wait: 9 }] } },
      null,
    ],
  ])('%s', (_, wanted, code) => {
    const { call, ...round } = playRound(aWorld(wanted), PRESSES);
    expect(refusal({ call, ...round }, 'blue')).toBe(code);
    if (code !== null) expect(call).toBeNull();
    else expect(call).toMatchObject({ by: 'blue', kind: 'button', body: null, buttonsLeft: 1 });
  });

  test('a meeting costs its caller one button and the others none', () => {
    const round = playRound(aWorld({ options: { buttons: 2 } }), PRESSES);
    const { players } = round.call === null ? round.world : beginMeeting(round.world, round.call);
    expect([players.blue?.buttons, players.green?.buttons]).toEqual([1, 2]);
  });

  test.each([
    ['15 s: not in the sixth round', 5, false],
    ['15 s: in the seventh', 6, true],
  ])('a cooldown of %s', (_, before, isCalled) => {
    const world = aWorld({ world: { buttonWait: 6 } });
    const idle = Array.from({ length: before }, () => ({}));
    expect(rounds(world, ...idle, PRESSES).at(-1)?.call !== null).toBe(isCalled);
  });

  test('the button does not work in a crisis that begins in the same round', () => {
    const round = playRound(aWorld(), { ...PRESSES, red: 'sabotage lights' });
    expect(refusal(round, 'blue')).toBe('call/crisis');
  });

  test('the button works in the round that ends the crisis', () => {
    const world = aWorld({
      crisis: { system: 'lights', held: 1 },
      at: { green: 'Electrical' },
      players: { green: { intent: 'fix Electrical' } },
    });
    expect(playRound(world, PRESSES).call?.by).toBe('blue');
  });

  test('is in Cafeteria: who is elsewhere walks there, and presses when they have arrived', () => {
    const world = aWorld({ at: { blue: 'Admin' } });
    const [first, second, third] = rounds(world, PRESSES, {}, {});
    expect(first && placeOf(first, 'blue')).toBe('Admin hallway');
    expect([second && placeOf(second, 'blue'), second?.call]).toEqual(['Cafeteria', null]);
    expect(third?.call?.by).toBe('blue');
  });

  test('waits for a player who is shut in', () => {
    const doors = [{ room: 'MedBay', shut: 2, wait: 9 }] as const;
    const round = playRound(aWorld({ at: { blue: 'MedBay' }, world: { doors } }), PRESSES);
    expect([round.call, refusal(round, 'blue')]).toEqual([null, null]);
    expect(round.world.players.blue?.intent?.type).toBe('button');
  });

  test('works for an impostor, and not out of a vent', () => {
    expect(playRound(aWorld(), { red: 'button' }).call?.by).toBe('red');
    const hidden = aWorld({ players: { red: { vent: 2 } } });
    expect(refusal(playRound(hidden, { red: 'button' }), 'red')).toBe('intent/in-vent');
  });
});

/** Green lies dead in MedBay, where blue is. */
function found(wanted: Wanted = {}) {
  return aWorld({
    ...wanted,
    standings: { green: 'dead', ...wanted.standings },
    at: { blue: 'MedBay', green: 'MedBay', ...wanted.at },
    world: { bodies: [{ victim: 'green', place: 'MedBay' }], ...wanted.world },
  });
}

describe('a report', () => {
  test('works in the own place', () => {
    const call = { by: 'blue', kind: 'body', body: 'green', place: 'MedBay' };
    expect(playRound(found(), REPORTS).call).toMatchObject(call);
  });

  test.each<[string, Wanted, Orders, Colour, string]>([
    [
      'a step away, whatever one can see',
      { at: { blue: 'MedBay hallway' }, options: { crewVision: 5 } },
      REPORTS,
      'blue',
      'call/no-body',
    ],
    ['without a body', { world: { bodies: [] } }, REPORTS, 'blue', 'call/no-body'],
    [
      'by the dead',
      { rules: 'classic', standings: { blue: 'dead' } },
      REPORTS,
      'blue',
      'intent/ghost',
    ],
    [
      'out of a vent',
      { at: { red: 'MedBay' }, players: { red: { vent: 6 } } },
      { red: REPORTS.blue },
      'red',
      'intent/in-vent',
    ],
  ])('does not work %s', (_, wanted, orders, seat, code) => {
    const round = playRound(found(wanted), orders);
    expect([round.call, refusal(round, seat)]).toEqual([null, code]);
  });

  test('costs no button', () => {
    const { call, world } = playRound(found(), REPORTS);
    const { players } = call === null ? world : beginMeeting(world, call);
    expect(players.blue?.buttons).toBe(world.players.blue?.buttons);
  });

  test('needs no button, no patience, no quiet and no light', () => {
    const { call, world } = playRound(
      found({
        players: { blue: { buttons: 0 } },
        crisis: { system: 'o2', left: 9 },
        world: { buttonWait: 5 },
      }),
      REPORTS,
    );
    expect([call?.by, world.players.blue?.buttons]).toEqual(['blue', 0]);
    expect(playRound(found({ crisis: { system: 'lights' } }), REPORTS).call?.by).toBe('blue');
  });

  test('names a body that was there when the round began', () => {
    const world = aWorld({ at: { red: 'MedBay', blue: 'MedBay', green: 'MedBay' } });
    const round = playRound(world, { red: 'kill green', ...REPORTS });
    expect([round.call, refusal(round, 'blue')]).toEqual([null, 'call/no-body']);
    expect(playRound(round.world, REPORTS).call?.body).toBe('green');
  });

  test('can be made by the killer', () => {
    const world = found({ at: { red: 'MedBay' } });
    expect(playRound(world, { red: 'report green' }).call?.by).toBe('red');
  });

  test('works for a body whose ghost has left the game since', () => {
    expect(playRound(found({ standings: { green: 'departed' } }), REPORTS).call?.body).toBe(
      'green',
    );
  });
});

describe('of several who call', () => {
  test.each([
    ['blue', { blue: 9, pink: 1 }],
    ['pink', { blue: 1, pink: 9 }],
  ] as const)('one is heard, by draw: %s', (caller, draws) => {
    const round = playRound(aWorld(), { ...PRESSES, pink: 'button' }, draws);
    expect(round.call?.by).toBe(caller);
    expect(refusal(round, caller === 'blue' ? 'pink' : 'blue')).toBeNull();
  });

  test('a report is heard before a button, whatever is drawn', () => {
    const round = playRound(found(), { ...REPORTS, pink: 'button' }, { pink: 9 });
    expect(round.call).toMatchObject({ by: 'blue', kind: 'body' });
  });

  test('who is refused is not drawn', () => {
    const world = aWorld({ players: { pink: { buttons: 0 } } });
    const round = playRound(world, { ...PRESSES, pink: 'button' }, { pink: 9 });
    expect(round.call?.by).toBe('blue');
  });
});
