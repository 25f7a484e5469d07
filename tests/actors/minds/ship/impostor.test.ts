import { describe, expect, test } from 'vitest';
import { decideAction } from '../../../../actors/minds/scripted/ship/action.ts';
import { applyLessons } from '../../../../actors/minds/scripted/traits.ts';
import type { ShipScene } from '../../../../machines/rules/ship/views.ts';
import { TEMPERAMENTS } from '../../../../machines/types.ts';
import { aSight, aTask, aView, ordersOf, shareOf, typesOf, type Wanted } from './scenes.ts';

const LIGHTS = { system: 'lights', seconds: null, consoles: ['Electrical'], done: [] } as const;

/** Blue is beside the impostor, and green next door. */
const PASSER_BY = [
  { who: 'blue', place: 'Storage' },
  { who: 'green', place: 'Admin hallway' },
] as const;

function impostor(scene: Partial<ShipScene>, wanted: Wanted = {}) {
  return ordersOf(aView({ role: 'impostor', scene, ...wanted }), 'accuser');
}

describe('an impostor and a victim', () => {
  test('often kills somebody who is alone', () => {
    const share = shareOf(impostor({ place: 'Storage', company: ['blue'] }), 'kill');
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(1);
  });

  test('never before the cooldown is over', () => {
    const early = impostor({ place: 'Storage', company: ['blue'], killWait: 2.5 });
    expect(shareOf(early, 'kill')).toBe(0);
  });

  test.each(TEMPERAMENTS)('a %s does not kill before a witness', (temperament) => {
    const view = aView({
      role: 'impostor',
      scene: { place: 'Storage', company: ['blue', 'green'] },
    });
    expect(shareOf(ordersOf(view, temperament), 'kill')).toBe(0);
  });

  test('is more careful when somebody might walk in', () => {
    const scene = { place: 'Storage', company: ['blue'], closable: [] } as const;
    const share = shareOf(impostor({ ...scene, here: PASSER_BY }), 'kill');
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(0.75 * shareOf(impostor(scene), 'kill'));
  });

  test('in the dark a witness sees nothing, but in a hallway there is no dark', () => {
    const scene = { company: ['blue', 'green'], crisis: LIGHTS } as const;
    expect(shareOf(impostor({ ...scene, place: 'Storage' }), 'kill')).toBeGreaterThan(0.4);
    expect(shareOf(impostor({ ...scene, place: 'Admin hallway' }), 'kill')).toBe(0);
  });

  test('a player next door is a witness if the crew sees far', () => {
    const alone = { place: 'Storage', company: ['blue'], closable: [] } as const;
    const scene = { ...alone, here: PASSER_BY };
    expect(shareOf(impostor(scene, { options: { crewVision: 1.25 } }), 'kill')).toBe(0);
  });

  test('kills before everybody when that wins the game', () => {
    const scene = { place: 'Storage', company: ['blue', 'green'] } as const;
    const last = { ...scene, seats: ['red', 'blue', 'green', 'pink', 'white'] } as const;
    expect(shareOf(impostor(last), 'kill')).toBe(1);
    const notYet = { ...scene, seats: [...last.seats, 'orange'] } as const;
    expect(shareOf(impostor(notYet), 'kill')).toBe(0);
    const known = [aSight('orange', 'Admin', 'dead')];
    expect(shareOf(impostor(notYet, { memory: known }), 'kill')).toBe(1);
  });

  test('two impostors with two victims share them', () => {
    const scene = { place: 'Storage', company: ['blue', 'green', 'white'] } as const;
    const victims = impostor(scene).flatMap(({ action }) =>
      action?.type === 'kill' ? action.whom : [],
    );
    // Red comes before white, so the first victim is red's.
    expect(new Set(victims)).toEqual(new Set(['blue']));
  });

  test.each(TEMPERAMENTS)('a %s strikes with the partner for certain', (temperament) => {
    // A partner who hesitates would leave the other alone with a witness.
    const scene = { place: 'Storage', company: ['blue', 'green', 'white'] } as const;
    const share = (wanted: Partial<Wanted>) =>
      shareOf(ordersOf(aView({ role: 'impostor', scene, ...wanted }), temperament), 'kill');
    expect(share({})).toBe(1);
    const since = (rounds: number) => [aSight('white', 'Admin', 'kill', 40 - rounds)];
    const { killCooldown } = aView().options;
    expect(share({ memory: since(killCooldown / 2.5) })).toBe(1);
    expect(share({ memory: since(killCooldown / 2.5 - 1) })).toBe(0);
    const crowd = { ...scene, company: [...scene.company, 'pink'] } as const;
    expect(share({ scene: crowd })).toBe(0);
    const here = [...scene.company.map((who) => ({ who, place: 'Storage' }) as const)];
    const near = { ...scene, here: [...here, { who: 'pink', place: 'Admin hallway' }] } as const;
    expect(share({ scene: near })).toBe(0);
  });

  test('a witness who stands alone beside the body is never let go', () => {
    const bodies = [{ victim: 'pink', place: 'Storage' }] as const;
    const scene = { place: 'Storage', company: ['blue'], bodies } as const;
    expect(shareOf(impostor(scene), 'kill')).toBe(1);
    const elsewhere = [{ victim: 'pink', place: 'Admin hallway' }] as const;
    expect(shareOf(impostor({ ...scene, bodies: elsewhere }), 'kill')).toBeLessThan(1);
    expect(shareOf(impostor({ ...scene, company: ['blue', 'green'] }), 'kill')).toBe(0);
  });

  test('never kills the partner', () => {
    expect(shareOf(impostor({ place: 'Storage', company: ['white'] }), 'kill')).toBe(0);
  });

  test('shuts a victim in when somebody might come', () => {
    const even = { place: 'Storage', company: ['blue'], here: PASSER_BY } as const;
    expect(shareOf(impostor(even), 'shut')).toBeGreaterThan(0.2);
    expect(shareOf(impostor({ ...even, closable: ['MedBay'] }), 'shut')).toBe(0);
  });

  test('goes after somebody who is alone next door', () => {
    const here = [{ who: 'blue', place: 'Storage' }] as const;
    const orders = impostor({ place: 'Admin hallway', here });
    expect(orders[0]?.action).toMatchObject({ type: 'follow', whom: 'blue' });
    const shut = ['Storage'] as const;
    expect(shareOf(impostor({ place: 'Admin hallway', here, shut }), 'follow')).toBe(0);
  });
});

describe('an impostor at a body', () => {
  const bodies = [{ victim: 'blue', place: 'Electrical' }] as const;
  const scene = { place: 'Electrical', bodies, killWait: 27.5 } as const;
  const memory = [aSight('blue', 'Electrical', 'dead')];

  test('reports it the less, the more knives would have to wait for it', () => {
    const place = 'Storage';
    const there = { ...scene, place, bodies: [{ victim: 'blue', place }] } as const;
    const own = [aSight('blue', place, 'dead', 39)];
    const share = (seats: ShipScene['seats']) =>
      shareOf(impostor({ ...there, seats }, { memory: own }), 'report');
    const seats = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'] as const;
    expect(share(seats)).toBeGreaterThan(share([...seats, 'white']) * 1.4);
    expect(share([...seats, 'white'])).toBeGreaterThan(0);
  });

  test('leaves it on foot or by the vent, and seldom reports it', () => {
    const orders = impostor(scene, { memory });
    expect(typesOf(orders)).toEqual(['go', 'report', 'vent']);
    expect(shareOf(orders, 'report')).toBeLessThan(0.35);
  });

  test('uses no vent before the eyes of the crew', () => {
    const orders = impostor({ ...scene, company: ['green'] }, { memory });
    expect(shareOf(orders, 'vent')).toBe(0);
    expect(shareOf(orders, 'report')).toBeGreaterThan(0.6);
  });

  test('the partner may watch', () => {
    expect(shareOf(impostor({ ...scene, company: ['white'] }, { memory }), 'vent')).toBeGreaterThan(
      0,
    );
  });

  test('where there is no vent one walks', () => {
    const place = 'Storage';
    const there = { ...scene, place, bodies: [{ victim: 'blue', place }] } as const;
    const orders = impostor(there, { memory: [aSight('blue', place, 'dead')] });
    expect(typesOf(orders)).toEqual(['go', 'report']);
  });
});

describe('an impostor in a vent', () => {
  test('climbs out where nobody is', () => {
    expect(typesOf(impostor({ place: 'MedBay', vent: 6 }))).toEqual(['surface']);
  });

  test('never climbs out before the eyes of the crew', () => {
    const orders = impostor({ place: 'MedBay', vent: 6, company: ['blue'] });
    expect(typesOf(orders)).toEqual(['vent', 'wait']);
  });

  test('does not come up beside the body it has left', () => {
    const bodies = [{ victim: 'blue', place: 'MedBay' }] as const;
    expect(shareOf(impostor({ place: 'MedBay', vent: 6, bodies }), 'surface')).toBe(0);
  });

  test('crawls to vents that are linked only', () => {
    const bodies = [{ victim: 'blue', place: 'MedBay' }] as const;
    const targets = impostor({ place: 'MedBay', vent: 6, bodies }).flatMap(({ action }) =>
      action?.type === 'vent' ? action.to : [],
    );
    expect(new Set(targets)).toEqual(new Set([3, 5]));
  });
});

describe('an impostor and sabotage', () => {
  const quiet = { place: 'Storage', killWait: 20, sabotageWait: 0 } as const;

  test('breaks something now and then, and not while something is broken', () => {
    expect(shareOf(impostor(quiet), 'sabotage')).toBeGreaterThan(0.1);
    expect(shareOf(impostor({ ...quiet, crisis: LIGHTS }), 'sabotage')).toBe(0);
    expect(shareOf(impostor({ ...quiet, sabotageWait: 2.5 }), 'sabotage')).toBe(0);
  });

  test('prefers the lights before a kill', () => {
    const lights = (killWait: number) => {
      const orders = impostor({ ...quiet, killWait });
      const systems = orders.flatMap(({ action }) =>
        action?.type === 'sabotage' ? action.system : [],
      );
      return systems.filter((system) => system === 'lights').length / systems.length;
    };
    expect(lights(10)).toBeGreaterThan(lights(12.5) + 0.1);
  });

  test('leaves the partner every other round', () => {
    const view = aView({ role: 'impostor', scene: quiet });
    expect(shareOf(ordersOf({ ...view, round: 41 }), 'sabotage')).toBe(0);
  });

  test("an impostor's ghost only sabotages, if ghosts do so", () => {
    const view = aView({ role: 'impostor', isGhost: true, scene: { sabotageWait: 0 } });
    expect(typesOf(ordersOf(view))).toEqual(['sabotage']);
    const early = aView({ role: 'impostor', isGhost: true, scene: { sabotageWait: 5 } });
    expect(typesOf(ordersOf(early))).toEqual(['wait']);
  });
});

describe('an impostor among the others', () => {
  const busy = { killWait: 20, place: 'Storage' } as const;
  const visual = aTask({
    id: 'prime-shields',
    name: 'Prime Shields',
    visual: true,
    next: 'Shields',
  });

  test('poses apart from the partner: the second of two takes the next place', () => {
    const tasks = [
      aTask({ id: 'fix-wiring', next: 'Admin' }),
      aTask({ id: 'fuel-engines', next: 'Admin' }),
      aTask({ id: 'chart-course', next: 'Navigation' }),
    ];
    const scene = { place: 'Cafeteria', company: ['white'], tasks, killWait: 30 } as const;
    const posesOf = (colour: 'red' | 'white') => {
      const view = aView({ role: 'impostor', scene });
      const other = colour === 'red' ? 'white' : 'red';
      const own = {
        ...view,
        you: { ...view.you, colour, partners: [other] },
        scene: { ...view.scene, company: [other], here: [{ who: other, place: 'Cafeteria' }] },
      } as const;
      return Array.from({ length: 100 }, (_, seed) => {
        const { action } = decideAction(own, seed, applyLessons('accuser').impostor.shipTraits);
        return action?.type === 'fake' ? tasks.find(({ id }) => id === action.task)?.next : null;
      }).filter((place) => place !== null);
    };
    expect(new Set(posesOf('red'))).toEqual(new Set(['Admin']));
    // A habit of up to three steps is the exception: for some of them Navigation comes first.
    const second = posesOf('white');
    expect(second.filter((place) => place === 'Navigation').length).toBeGreaterThan(
      second.length * 0.8,
    );
  });

  test('keeps a crewmate company now and then, and never a partner', () => {
    const alone = { place: 'Storage', killWait: 30, tasks: [] } as const;
    const with_ = (who: 'white' | 'blue') =>
      ordersOf(aView({ role: 'impostor', scene: { ...alone, company: [who] } }), 'follower').filter(
        ({ internal_thought }) => /White|Blue/.test(internal_thought),
      ).length;
    expect(with_('blue')).toBeGreaterThan(0);
    expect(with_('white')).toBe(0);
  });

  test('poses at tasks, and at no visual one', () => {
    const poses = impostor({ ...busy, tasks: [visual, aTask()] }).flatMap(({ action }) =>
      action?.type === 'fake' ? action.task : [],
    );
    expect(new Set(poses)).toEqual(new Set(['chart-course']));
  });

  test('where visual tasks show nothing, one poses there too', () => {
    const orders = impostor({ ...busy, tasks: [visual] }, { options: { visualTasks: false } });
    expect(shareOf(orders, 'fake')).toBeGreaterThan(0);
  });

  test('mends what two others would mend anyhow, and nothing alone', () => {
    const crisis = {
      ...LIGHTS,
      system: 'reactor',
      seconds: 20,
      consoles: ['Reactor', 'Reactor'],
    } as const;
    const scene = { ...busy, place: 'Reactor', crisis } as const;
    expect(typesOf(impostor({ ...scene, company: ['blue', 'green'] }))).toEqual(['fix']);
    expect(typesOf(impostor({ ...scene, company: ['blue'] }))).not.toContain('fix');
  });
});
