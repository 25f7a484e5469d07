/** Three philosophers, three forks. Run it: node checker/examples/dining-philosophers.ts */

import { check, type Model, renderReport } from 'glass-box-checker';
import { assign, setup } from 'xstate';

/** The holder of each fork, or null for a free fork. */
type DiningTable = { readonly forks: readonly (number | null)[] };
type Act = { readonly type: 'take' | 'leave'; readonly who: number };

const SEATS = [0, 1, 2] as const;

/** A philosopher takes the two forks in this order. In the cured version one of them starts with the other fork. */
function hands(who: number, isCured: boolean): readonly [number, number] {
  const [left, right] = [who, (who + 1) % SEATS.length];
  return isCured && who === SEATS.length - 1 ? [right, left] : [left, right];
}

/** The next fork that a philosopher needs, or null while eating. */
function wanted({ forks }: DiningTable, who: number, isCured: boolean): number | null {
  return hands(who, isCured).find((fork) => forks[fork] !== who) ?? null;
}

function canTake(table: DiningTable, who: number, isCured: boolean): boolean {
  const fork = wanted(table, who, isCured);
  return fork !== null && table.forks[fork] === null;
}

export function philosophers(isCured: boolean): Model<DiningTable, Act> {
  const machine = setup({
    types: { context: {} as DiningTable, events: {} as Act },
    guards: {
      isFree: ({ context, event }) => canTake(context, event.who, isCured),
      eats: ({ context, event }) => wanted(context, event.who, isCured) === null,
    },
    actions: {
      take: assign(({ context, event }) => ({
        forks: context.forks.with(wanted(context, event.who, isCured) ?? 0, event.who),
      })),
      leave: assign(({ context, event }) => ({
        forks: context.forks.map((holder) => (holder === event.who ? null : holder)),
      })),
    },
  }).createMachine({
    id: 'table',
    context: { forks: SEATS.map(() => null) },
    on: { take: { guard: 'isFree', actions: 'take' }, leave: { guard: 'eats', actions: 'leave' } },
  });
  return {
    name: isCured ? 'philosophers, one left-handed' : 'philosophers',
    machine,
    world: ({ context }) =>
      SEATS.flatMap((who): readonly Act[] => {
        if (wanted(context, who, isCured) === null) return [{ type: 'leave', who }];
        return canTake(context, who, isCured) ? [{ type: 'take', who }] : [];
      }),
    properties: [
      { name: 'goes-on', sentence: 'There is always a next step.', kind: 'deadlock-free' },
    ],
  };
}

if (import.meta.main) {
  for (const isCured of [false, true])
    console.log(`${renderReport(check(philosophers(isCured)))}\n`);
}
