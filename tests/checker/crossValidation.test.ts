/**
 * The compiled stepper does exactly what XState does, step for step: place, context, status, timers, children, every
 * effect in order, and the transitions that were taken. Without this the fast path proves nothing about XState.
 */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { assign, type EventObject, setup } from 'xstate';
import { compiledStepper } from '../../checker/compiled.ts';
import { xstateStepper } from '../../checker/engine.ts';
import { eventsAt, explore } from '../../checker/explore.ts';
import type { Model } from '../../checker/model.ts';
import type { Leap, Stepper } from '../../checker/step.ts';
import { arbiterMachine } from '../../machines/arbiter.ts';
import { galleryMachine } from '../../machines/gallery.ts';
import { meetingMachine } from '../../machines/meeting.ts';
import { meetingWorld } from '../../machines/model/world.ts';
import { playerMachine } from '../../machines/player.ts';
import type { ToArbiter, ToGallery, ToPlayer } from '../../machines/protocol.ts';
import { publicTable } from '../../machines/rules/views.ts';
import { aBid, aFault, aPlayer, aTable, living, SEED, someOptions } from '../machines/builders.ts';
import { Chance } from './chance.ts';
import { ALPHABET, randomChart } from './randomChart.ts';

const THREE = ['red', 'blue', 'green'] as const;

/** A leap without what only its own stepper understands. */
function told({ point, effects, taken }: Leap<unknown>) {
  const { place, context, status, timers, children } = point;
  const { name, value, tags, invoked } = place;
  return {
    name,
    value,
    tags: [...tags].sort(),
    invoked,
    context,
    status,
    timers,
    children,
    effects,
    taken,
  };
}

/** Explores with the compiled stepper and takes every step with XState's engine as well. */
function disagreements<C, E extends EventObject>(model: Model<C, E>, most: number) {
  const fast = compiledStepper<C, E>(model.machine, model.input);
  const slow = xstateStepper<C, E>(model.machine, model.input);
  const different: unknown[] = [];
  const compare = (one: Leap<C>, other: Leap<C>): Leap<C> => {
    if (!isDeepStrictEqual(told(one), told(other))) different.push([told(one), told(other)]);
    return one;
  };
  const both: Stepper<C, E> = {
    engine: 'compiled',
    guards: fast.guards,
    initial: () => compare(fast.initial(), slow.initial()),
    step: (point, event) => compare(fast.step(point, event), slow.step(point, event)),
  };
  const found = explore(model, both, {}, { budget: { states: most, seconds: 60 } });
  return { different, found };
}

describe('the machines of the game, exhaustively', { timeout: 60_000 }, () => {
  test.each([
    { rules: 'house', departures: 1 },
    { rules: 'classic', departures: 0 },
  ] as const)('a meeting of three by $rules rules, in every state and for every event', (game) => {
    const standings = living(...THREE);
    const options = someOptions({ rules: game.rules, patience: 2 });
    const model = {
      name: 'meeting',
      machine: meetingMachine,
      input: aTable({ standings, options, impostors: ['green'] }),
      world: meetingWorld({ faults: true, departures: game.departures, stops: false }),
      promises: [],
    };
    const { different, found } = disagreements(model, 100_000);
    expect(different).toEqual([]);
    expect(found.ended).toBeNull();
    expect(found.transitions).toBeGreaterThan(25_000);
  });

  test('an arbiter', () => {
    const table = aTable({ standings: living(...THREE) });
    const opened = {
      type: 'tick.opened',
      table: publicTable(table, 'discussion'),
      seats: THREE,
      voted: [],
    } as const;
    const bids = [aBid('red', { desire: 3, message: 'where' }), aBid('blue'), aFault('green')];
    const gathered = (tick: number) => ({ type: 'bids.gathered', tick, bids, dice: {} }) as const;
    const alphabet: readonly ToArbiter[] = [
      opened,
      gathered(0),
      gathered(1),
      { type: 'bids.outstanding' } as ToArbiter,
      { type: 'seat.vacated', seat: 'red' },
      { type: 'tick.abandoned' },
      { type: 'bid.late' } as ToArbiter,
    ];
    const { different, found } = disagreements(
      {
        name: 'arbiter',
        machine: arbiterMachine,
        input: { chance: table.chance, options: table.options, seated: THREE },
        world: () => alphabet,
        promises: [],
      },
      500,
    );
    expect(different).toEqual([]);
    expect(found.coverage.report().unreached).toEqual([]);
  });

  test('a player, living and dead', () => {
    const answered = (to: 'table' | 'gallery', stamp: number) =>
      ({ type: 'mind.answered', to, stamp, bid: aBid('red') }) as unknown as ToPlayer;
    const alphabet = [
      { type: 'meeting.opened', brief: { sightings: [], notes: '' } },
      { type: 'bid.requested', table: { tick: 0 }, calledOn: false },
      answered('table', 0),
      answered('gallery', 0),
      { type: 'tick.missed', tick: 0 },
      { type: 'vote.locked', ballot: 'skip' },
      { type: 'vote.cleared', note: { code: 'vote/cleared', text: '' } },
      { type: 'pads.consolidated', main: 'x', line: null },
      { type: 'pads.erased' },
      { type: 'talk.invited', seen: { turn: 0 } },
      { type: 'turn.missed', turn: 0 },
      { type: 'seat.died' },
      { type: 'seat.departed' },
    ] as unknown as readonly ToPlayer[]; // as much of each event as the machine looks at
    for (const ghost of [false, true]) {
      for (const light of [false, true]) {
        const { different, found } = disagreements(
          {
            name: 'player',
            machine: playerMachine,
            input: aPlayer({ ghost, light }),
            world: () => alphabet,
            promises: [],
          },
          400,
        );
        expect(found.broken).toBeNull();
        expect(different).toEqual([]);
        expect(found.transitions).toBeGreaterThan(50);
      }
    }
  });

  test('a gallery', () => {
    const changed = (occasion: string) =>
      ({ type: 'table.changed', occasion, truth: {}, transcript: [] }) as unknown as ToGallery;
    const alphabet: readonly ToGallery[] = [
      changed('ghost'),
      changed('reaction'),
      changed('consolidation'),
      { type: 'ghost.joined', seat: 'blue' },
      { type: 'ghost.answered', turn: 0, bid: aBid('red') },
      { type: 'ghost.answered', turn: 0, bid: aBid('blue') },
      { type: 'turn.ended', dice: {} },
      { type: 'meeting.over' },
    ];
    for (const ghosts of [[], ['red']] as const) {
      const { different, found } = disagreements(
        {
          name: 'gallery',
          machine: galleryMachine,
          input: {
            chance: { seed: 1, meeting: 0 },
            ghosts,
            budget: 2,
            deadlineMs: 10,
            messageTokens: 20,
          },
          world: () => alphabet,
          promises: [],
        },
        400,
      );
      expect(different).toEqual([]);
      expect(found.transitions).toBeGreaterThan(50);
    }
  });
});

test.each([
  { first: 'a', second: 'b', said: 'ab' },
  { first: 'b', second: 'a', said: 'ba' },
])(
  'of two regions that wait, the one that came first goes first: $said',
  ({ first, second, said }) => {
    const region = (name: string) => ({
      initial: 'idle',
      states: {
        idle: { on: { [`come.${name}`]: 'ready' } },
        ready: {
          always: { guard: 'isOpen', target: 'gone', actions: { type: 'say', params: { name } } },
        },
        gone: {},
      },
    });
    const machine = setup({
      types: { context: {} as { isOpen: boolean; said: string } },
      guards: { isOpen: ({ context }) => context.isOpen },
      actions: {
        open: assign({ isOpen: true }),
        say: assign(({ context }, { name }: { name: string }) => ({ said: context.said + name })),
      },
    }).createMachine({
      id: 'door',
      context: { isOpen: false, said: '' },
      type: 'parallel',
      states: { a: region('a'), b: region('b') } as never, // their events are made of their names
      on: { open: { actions: 'open' } },
    });
    for (const stepperOf of [compiledStepper, xstateStepper]) {
      // Its states are untyped, and with them the whole of it.
      const stepper = stepperOf<{ said: string }, EventObject>(machine as never, undefined);
      let { point } = stepper.initial();
      for (const type of [`come.${first}`, `come.${second}`, 'open']) {
        point = stepper.step(point, { type }).point;
      }
      expect(point.context.said).toBe(said);
    }
  },
);

const CHARTS = 1_200;
const WALKS = 2;
const STEPS = 25;

test(`random charts, walked at random (seed ${SEED}, ${CHARTS} charts)`, {
  timeout: 60_000,
}, () => {
  let steps = 0;
  for (let chart = 0; chart < CHARTS; chart++) {
    const seed = SEED * CHARTS + chart;
    const machine = randomChart(new Chance(seed));
    for (let walk = 0; walk < WALKS; walk++) steps += walked(machine, seed, walk);
  }
  expect(steps).toBeGreaterThan(CHARTS * 10);
});

/** Walks both steppers through a machine, each on its own points; how many steps they went. */
function walked(machine: ReturnType<typeof randomChart>, seed: number, walk: number): number {
  const chance = new Chance(seed ^ ((walk + 1) * 7919));
  const fast = compiledStepper<unknown, EventObject>(machine, undefined);
  const slow = xstateStepper<unknown, EventObject>(machine, undefined);
  const world = () => ALPHABET.map((type) => ({ type }));
  const model = { name: 'random', machine, world, promises: [] };
  const where = (at: string) => `chart of seed ${seed}, walk ${walk}, ${at}`;
  const first = tried(() => fast.initial());
  expect(first?.told, where('start')).toEqual(tried(() => slow.initial())?.told);
  let one = first?.leap.point;
  let other = tried(() => slow.initial())?.leap.point;
  for (let step = 0; step < STEPS; step++) {
    if (one === undefined || other === undefined || one.status !== 'active') return step;
    const children = one.children.map((id) =>
      chance.of([`xstate.done.actor.${id}`, `xstate.error.actor.${id}`]),
    );
    const events = [...eventsAt(model, one), ...children.map((type) => ({ type }))];
    const event = chance.of(events);
    const [from, back] = [one, other];
    const left = tried(() => fast.step(from, event));
    const right = tried(() => slow.step(back, event));
    if (!isDeepStrictEqual(left?.told, right?.told)) {
      expect(left?.told, where(`step ${step}, ${event.type} in ${one.place.name}`)).toEqual(
        right?.told,
      );
    }
    one = left?.leap.point;
    other = right?.leap.point;
  }
  return STEPS;
}

/** A leap with what is told of it; undefined where the machine breaks, in whatever words. */
function tried(step: () => Leap<unknown>) {
  try {
    const leap = step();
    return { leap, told: told(leap) };
  } catch {
    return undefined;
  }
}
