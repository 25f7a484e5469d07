/** A crossing with lights for cars and pedestrians. Run it: node checker/examples/traffic-light.ts */

import { check, type Model, renderReport } from 'glass-box-checker';
import { createMachine, not, stateIn } from 'xstate';

type Signal = { readonly type: 'tick' | 'button' | 'walk.over' };

/** In the version with the planted bug, cars get green while someone may still be walking. */
export function crossing(isFixed: boolean): Model<unknown, Signal> {
  const mayGo = isFixed ? not(stateIn({ walk: 'go' })) : () => true;
  const machine = createMachine({
    id: 'crossing',
    type: 'parallel',
    states: {
      cars: {
        initial: 'green',
        states: {
          green: { on: { tick: 'yellow' } },
          yellow: { on: { tick: 'red' } },
          red: { on: { tick: { target: 'green', guard: mayGo } } },
        },
      },
      walk: {
        initial: 'stop',
        states: {
          stop: { on: { button: 'asked' } },
          asked: { always: { guard: stateIn({ cars: 'red' }), target: 'go' } },
          go: { on: { 'walk.over': 'stop' } },
        },
      },
    },
  });
  return {
    name: isFixed ? 'crossing' : 'crossing with a bug',
    machine,
    world: () => [{ type: 'tick' }, { type: 'button' }, { type: 'walk.over' }],
    properties: [
      {
        name: 'safe',
        sentence: 'No pedestrian walks while cars have green.',
        kind: 'never',
        holds: ({ at }) => at === 'cars.green & walk.go',
      },
      {
        name: 'served',
        sentence: 'A pedestrian who presses the button eventually walks.',
        kind: 'leads-to',
        from: ({ at }) => at.endsWith('walk.asked'),
        holds: ({ at }) => at.endsWith('walk.go'),
        fair: [{ name: 'time goes on', helps: (_, { type }) => type === 'tick' }],
      },
    ],
  };
}

if (import.meta.main) {
  for (const isFixed of [false, true]) console.log(`${renderReport(check(crossing(isFixed)))}\n`);
}
