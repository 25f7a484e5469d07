import { describe, expect, test } from 'vitest';
import type { PublicRecord } from '../../../../machines/rules/record.ts';
import { type Colour, TEMPERAMENTS } from '../../../../machines/types.ts';
import { aSight, aTask, aView, ordersOf, shareOf, typesOf, type Wanted } from './scenes.ts';

const REACTOR = { system: 'reactor', consoles: ['Reactor', 'Reactor'], done: [] } as const;
const LIGHTS = { system: 'lights', seconds: null, consoles: ['Electrical'], done: [] } as const;
const ON_THE_WAY = { intent: { type: 'task', task: 'chart-course' }, why: ['company'] } as const;

describe('a crewmate and a body', () => {
  test.each(TEMPERAMENTS)('a %s at a body reports it, whatever else is going on', (temperament) => {
    const scene = {
      bodies: [{ victim: 'blue', place: 'Cafeteria' }],
      company: ['green'],
      crisis: { ...REACTOR, seconds: 10 },
    } as const;
    const orders = ordersOf(aView({ scene }), temperament);
    expect(orders.map(({ action }) => action)).toEqual(
      orders.map(() => ({ type: 'report', body: 'blue' })),
    );
  });

  test('a body that is seen from the next place is walked to', () => {
    const scene = { bodies: [{ victim: 'blue', place: 'Weapons hallway' }] } as const;
    const [order] = ordersOf(aView({ scene }));
    expect(order?.action).toEqual({ type: 'go', to: 'Weapons hallway' });
  });
});

describe('a crewmate who saw a crime', () => {
  const memory = [aSight('blue', 'Admin hallway', 'vent')];
  const press = (scene: object) =>
    typesOf(ordersOf(aView({ memory, scene: { place: 'Admin hallway', ...scene } })));

  test('runs to the button', () => expect(press({})).toEqual(['button']));

  test('does not press it while something is broken', () => {
    expect(press({ crisis: LIGHTS })).not.toContain('button');
  });

  test('a crewmate respects the number of meetings to call', () => {
    expect(press({ buttons: 0 })).not.toContain('button');
  });

  test('goes there and waits for as long as the button does not work', () => {
    expect(press({ buttonWait: 2.5 })).toEqual(['button']);
    expect(press({ buttonWait: 5 })).toEqual(['go']);
    expect(press({ buttonWait: 5, place: 'Cafeteria', company: ['green'] })).toEqual(['wait']);
  });

  test('does not stay alone with who did it, not even at the button', () => {
    expect(press({ buttonWait: 5, place: 'Cafeteria', company: ['blue'] })).toEqual(['go']);
    expect(press({ buttons: 0, company: ['blue', 'green'] })).toEqual(['go']);
  });

  test('does not run from somebody who has been voted out since', () => {
    expect(press({ seats: ['red', 'green', 'pink'] })).not.toContain('button');
  });
});

describe('a crewmate and an alarm', () => {
  const fix = (place: 'Security' | 'Navigation', seconds: number) =>
    shareOf(
      ordersOf(aView({ scene: { place, why: ['alarm'], crisis: { ...REACTOR, seconds } } })),
      'fix',
    );

  test('who is near the reactor goes at once', () => expect(fix('Security', 30)).toBe(1));
  test('who is far goes on', () => expect(fix('Navigation', 30)).toBe(0));
  test('who is far runs when time is short', () => expect(fix('Navigation', 25)).toBe(1));

  test('who holds the console holds on', () => {
    const scene = {
      place: 'Reactor',
      why: ['company'],
      company: ['blue'],
      intent: { type: 'fix', at: 'Reactor' },
      crisis: { ...REACTOR, seconds: 20 },
    } as const;
    expect(typesOf(ordersOf(aView({ scene })))).toEqual(['goes on']);
  });

  test('two who set out together take one keypad each', () => {
    const o2 = { system: 'o2', seconds: 30, consoles: ['O2', 'Admin'], done: [] } as const;
    const go = (companion: 'blue' | 'white') =>
      ordersOf(aView({ scene: { company: [companion], crisis: o2 } }), 'leader')[0]?.action;
    expect(go('white')).toEqual({ type: 'fix', at: 'Admin' });
    expect(go('blue')).toEqual({ type: 'fix', at: 'O2' });
  });

  test('a keypad that is done needs nobody', () => {
    const o2 = { system: 'o2', seconds: 30, consoles: ['O2', 'Admin'], done: ['Admin'] } as const;
    const [order] = ordersOf(aView({ scene: { place: 'Weapons', crisis: o2 } }));
    expect(order?.action).toEqual({ type: 'fix', at: 'O2' });
  });

  test('somebody on their way to the button gives it up', () => {
    const scene = { intent: { type: 'button' }, why: ['alarm'], crisis: LIGHTS } as const;
    const orders = ordersOf(aView({ scene: { ...scene, place: 'Weapons' } }));
    expect(typesOf(orders)).not.toContain('goes on');
  });
});

describe('a crewmate and company', () => {
  test('goes on with the task when somebody passes', () => {
    const scene = { ...ON_THE_WAY, company: ['blue', 'green'] } as const;
    expect(typesOf(ordersOf(aView({ scene })))).toEqual(['goes on']);
  });

  test('often leaves when alone with somebody whom the notebook says to watch', () => {
    const page = 'Nobody was ejected. Watch Blue: near the body.';
    const alone = { ...ON_THE_WAY, company: ['blue'] } as const;
    const three = { ...ON_THE_WAY, company: ['blue', 'green'] } as const;
    const sceptic = (scene: typeof alone | typeof three) =>
      shareOf(ordersOf(aView({ scene, page }), 'sceptic'), 'go');
    expect(sceptic(alone)).toBeGreaterThan(0.3);
    expect(sceptic(three)).toBe(0);
  });

  test('does not leave somebody who was seen at a visual task', () => {
    const page = 'Nobody was ejected. Watch Blue: near the body.';
    const scene = { ...ON_THE_WAY, company: ['blue'] } as const;
    const memory = [aSight('blue', 'MedBay', 'visual')];
    expect(shareOf(ordersOf(aView({ scene, page, memory }), 'sceptic'), 'go')).toBe(0);
  });

  test('a follower keeps to others more than a sceptic does', () => {
    const view = aView({ scene: { company: ['blue'] } });
    const kept = (temperament: 'follower' | 'sceptic') => {
      const orders = ordersOf(view, temperament);
      return orders.filter(({ internal_thought }) => /Blue/.test(internal_thought)).length;
    };
    expect(kept('follower')).toBeGreaterThan(2 * kept('sceptic'));
  });
});

describe('a crewmate and the list', () => {
  test('the nearest task comes first, give or take a habit of three steps', () => {
    const tasks = [aTask(), aTask({ id: 'swipe-card', next: 'Admin' })];
    const chosen = (place: 'Cafeteria' | 'Admin') =>
      new Set(
        ordersOf(aView({ scene: { place, tasks } })).flatMap(({ action }) =>
          action?.type === 'task' ? action.task : [],
        ),
      );
    // Four steps against two, and six against none.
    expect(chosen('Cafeteria')).toEqual(new Set(['swipe-card', 'chart-course']));
    expect(chosen('Admin')).toEqual(new Set(['swipe-card']));
  });

  test('a task behind shut doors waits, and whoever is shut in sits it out', () => {
    const tasks = [aTask({ id: 'divert-security', next: 'Security' }), aTask()];
    const around = ordersOf(aView({ scene: { tasks, shut: ['Security'] } }));
    expect(
      around.some(({ action }) => action?.type === 'task' && action.task !== 'chart-course'),
    ).toBe(false);
    const shutIn = ordersOf(aView({ scene: { tasks, shut: ['Cafeteria'] } }));
    expect(typesOf(shutIn)).toEqual(['wait']);
  });

  test('so few are left that the next death may decide: who has a suspect calls a meeting', () => {
    const page = 'Nobody was ejected. Watch Blue: my gut says so.';
    const lost = [{ who: 'white', how: 'killed', where: 'ship', meeting: 1 }] as const;
    const call = (
      seats: readonly Colour[],
      wanted: Wanted = {},
      losses: PublicRecord['losses'] = lost,
    ) => {
      const view = aView({ page, ...wanted, scene: { seats, ...wanted.scene } });
      return shareOf(ordersOf({ ...view, record: { ...view.record, losses } }, 'leader'), 'button');
    };
    const six = ['red', 'blue', 'green', 'pink', 'orange', 'yellow'] as const;
    expect(call(six)).toBeGreaterThan(0.1);
    expect(call([...six, 'black'])).toBe(0);
    expect(call([...six, 'black'], { memory: [aSight('black', 'Admin', 'dead')] })).toBeGreaterThan(
      0,
    );
    // A table that began so small has lost nobody yet.
    expect(call(six, {}, [])).toBe(0);
    expect(call(six, { page: '' })).toBe(0);
    expect(call(six, { scene: { seats: six, buttonWait: 5 } })).toBe(0);
    expect(call(six, { scene: { seats: six, buttons: 0 } })).toBe(0);
  });

  test('the more are alive, the longer it takes until somebody is missed', () => {
    const seats = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black', 'white'] as const;
    const others = seats.filter((who) => who !== 'red');
    const call = (count: number, ago: number) => {
      const living = seats.slice(0, count);
      const memory = [
        aSight('red', 'Admin', 'task', 0),
        ...others.map((who) => aSight(who, 'Admin', 'passing', who === 'blue' ? 40 - ago : 39)),
      ];
      const view = aView({ memory, scene: { seats: living, tasks: [aTask()] } });
      return shareOf(ordersOf(view, 'accuser'), 'button');
    };
    // 12 + 1.2 n ln n: 21.7 rounds among five, 32.0 among eight.
    expect(call(5, 21)).toBe(0);
    expect(call(5, 22)).toBeGreaterThan(0);
    expect(call(8, 31)).toBe(0);
    expect(call(8, 32)).toBeGreaterThan(0);
  });

  test('a crewmate with a finished list keeps moving', () => {
    const tasks = [aTask({ next: null, steps: 1 })];
    expect(typesOf(ordersOf(aView({ scene: { tasks } })))).toEqual(['go', 'wait', 'watch']);
  });

  test('a ghost of the crew goes on with its tasks where ghosts do', () => {
    expect(typesOf(ordersOf(aView({ isGhost: true })))).toEqual(['task']);
    const tasks = [aTask({ next: null, steps: 1 })];
    expect(typesOf(ordersOf(aView({ isGhost: true, scene: { tasks } })))).toEqual(['wait']);
  });
});
