import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ResolvedRound, resolveRound } from '../../../../machines/rules/ship/round.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import { exchangeColours } from '../../../support/exchangeColours.ts';
import { law } from '../../builders.ts';
import { type WildRound, wildRound } from './wild.ts';

const RUNS = 1000;
/** Comparing whole worlds takes its time. */
const EXCHANGES = 250;
const someRound = fc.integer({ min: 0, max: 2 ** 30 }).map(wildRound);
const someExchange = fc.shuffledSubarray([...COLOURS], { minLength: COLOURS.length });

function exchanged<T>(value: T, order: readonly Colour[]): T {
  const to = Object.fromEntries(COLOURS.map((seat, index) => [seat, order[index] ?? seat]));
  return exchangeColours(value, to) as T; // a renaming keeps the shape
}

const play = ({ world, orders, draws }: WildRound) => resolveRound(world, orders, draws);

function unordered({ world, events, seen, ...round }: ResolvedRound): object {
  const bag = (items: readonly unknown[]) =>
    items.map((item) => JSON.stringify(sorted(item))).toSorted();
  return {
    ...round,
    world: { ...world, bodies: bag(world.bodies) },
    events: bag(events),
    seen: Object.fromEntries(Object.entries(seen).map(([seat, sights]) => [seat, bag(sights)])),
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
}

describe('a round', () => {
  law(
    'treats all seats alike: exchanging seats and draws exchanges what comes of it',
    fc.property(someRound, someExchange, (round, order) => {
      const there = unordered(exchanged(play(round), order));
      const here = unordered(play(exchanged(round, order)));
      expect(here).toEqual(there);
    }),
    EXCHANGES,
  );

  law(
    'changes nothing of the world that it began with',
    fc.property(someRound, (round) => {
      const copy = structuredClone(round);
      play(round);
      expect(round).toEqual(copy);
    }),
    300,
  );

  law(
    'refuses an order with a reason, or takes it up',
    fc.property(someRound, ({ world, orders, draws }) => {
      const { events, world: after } = resolveRound(world, orders, draws);
      for (const event of events) {
        if (event.type !== 'intent.refused') continue;
        expect(event.note.text.length).toBeGreaterThan(5);
        expect(after.players[event.seat]?.intent).toBeNull();
      }
    }),
    RUNS,
  );
});

test('the rounds of the laws are wild enough: everything that can happen in one happens in some', () => {
  const types = new Set<string>();
  for (let seed = 0; seed < RUNS; seed++) {
    const { events, call, ending, seen } = play(wildRound(seed));
    for (const { type } of events) types.add(type);
    if (call !== null) types.add(`call by ${call.kind}`);
    if (ending !== null) types.add(`${ending.winner} by ${ending.reason}`);
    for (const sight of Object.values(seen).flat()) types.add(`seen ${sight.did}`);
  }
  expect([...types].toSorted()).toEqual(
    [
      ...['intent.refused', 'seat.faulted', 'seat.departed', 'player.killed', 'vent.used'],
      ...['sabotage.begun', 'sabotage.fixed', 'keypad.entered', 'doors.shut', 'doors.opened'],
      ...['task.stepped', 'call by body', 'call by button'],
      ...[
        'crew by disconnect',
        'impostors by sabotage',
        'impostors by kills',
        'impostors by disconnect',
        'null by faults',
      ],
      ...['passing', 'task', 'visual', 'lurking', 'fixing', 'watching', 'vent', 'kill', 'dead'].map(
        (did) => `seen ${did}`,
      ),
    ].toSorted(),
  );
});
