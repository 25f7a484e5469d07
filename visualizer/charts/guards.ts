/** The values that guards have now, and the numbers behind them. */
import { type AnyMachineSnapshot, and } from 'xstate';
import { livingSeats, type Table } from '../../machines/rules/meeting.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { listGuards } from './chart.ts';
import type { GuardValue, GuardValues } from './moves.ts';

const DETAILS: Readonly<Record<string, (context: never) => string>> = {
  everyoneVoted: (table: Table) => {
    const living = livingSeats(table);
    return `${living.filter((seat) => table.ballots[seat] !== undefined).length} of ${living.length}`;
  },
  leaverIsLiving: (table: Table) =>
    `${livingSeats(table).length} of ${table.seats.length} are alive`,
  everyBallotTurned: ({ poll, revealed }: Table) =>
    `${revealed} of ${Object.keys(poll?.ballots ?? {}).length}`,
  isOpenTick: ({ floor }: { readonly floor: { readonly tick: number } }) => `tick ${floor.tick}`,
  hasEveryGhostAnswered: (turn: {
    readonly asked: readonly Colour[];
    readonly answers: BySeat<unknown>;
  }) => `${Object.keys(turn.answers).length} of ${turn.asked.length}`,
};

export function evaluateGuards(snapshot: AnyMachineSnapshot): GuardValues {
  if (snapshot.status !== 'active') return {};
  return Object.fromEntries(
    snapshot._nodes
      .flatMap(listGuards)
      .map(({ name, guard }) => [name, evaluate(snapshot, name, guard)]),
  );
}

/** The guards of the transitions that an event could have taken here. */
export function listRefusals(snapshot: AnyMachineSnapshot, event: string): readonly string[] {
  const asked = snapshot._nodes.flatMap(listGuards).filter(({ eventType }) => eventType === event);
  return [...new Set(asked.map(({ name }) => name))];
}

/** XState evaluates the guard. */
function evaluate(snapshot: AnyMachineSnapshot, name: string, guard: unknown): GuardValue {
  const { context } = snapshot;
  let isAsked = false;
  const event = new Proxy(
    { type: '' },
    {
      get: () => {
        isAsked = true;
      },
    },
  );
  const whole = and([guard as never]); // a guard of any machine
  const check: unknown = Reflect.get(whole, 'check');
  if (typeof check !== 'function') throw new Error('XState has no check of a guard');
  const holds: unknown = check(snapshot, { context, event }, whole);
  const detail = name.split(' ').flatMap((part) => DETAILS[part]?.(context as never) ?? []);
  return { value: isAsked ? null : holds === true, detail: detail.join() };
}
