import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { playerMachine } from '../../../../machines/charts/player.ts';
import { canonical } from '../../../../machines/journal/canonical.ts';
import { playerId, type ToPlayer } from '../../../../machines/messages.ts';
import {
  messagesAfterRound,
  OUTGOING,
  type OutgoingMessage,
  type UnreadRounds,
} from '../../../../machines/outgoing.ts';
import { requestFor } from '../../../../machines/request.ts';
import { BLANK_PADS } from '../../../../machines/rules/pads.ts';
import { NO_PAST } from '../../../../machines/rules/record.ts';
import {
  askedSeats,
  type GameCourse,
  meetingSetupFor,
  playRound,
  resumeAfterMeeting,
} from '../../../../machines/rules/ship/game.ts';
import { type ResolvedRound, resolveRound } from '../../../../machines/rules/ship/round.ts';
import { toWorldTruth } from '../../../../machines/rules/ship/truth.ts';
import { livingPlayers } from '../../../../machines/rules/ship/world.ts';
import { isRecord, readField } from '../../../../machines/text.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import { dealer } from '../../../actors/laws/gossip.ts';
import { exchangeColours } from '../../../support/exchangeColours.ts';
import { expectGolden } from '../../../support/golden.ts';
import { law } from '../../builders.ts';
import { likelyOrders, type WildRound, wildCourse, wildRound } from './wild.ts';

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

/*
 * Records wild games: a hash for each aspect of thirty games. A change of the rules changes it, and
 * the column says where to look.
 */

const GAMES = 240;
const GAMES_IN_ROW = 30;
const LONGEST_GAME = 9;
const ASPECTS = [
  'world',
  'events',
  'ways',
  'seen',
  'truth',
  'requests',
  'players',
  'calls',
] as const;
type Aspects = Readonly<Record<(typeof ASPECTS)[number], unknown>>;

const quietPlayer = playerMachine.provide({
  actions: {
    consult: () => undefined,
    cancelRequest: () => undefined,
    submitBid: () => undefined,
    submitOrder: () => undefined,
  },
});

function seatPlayers({ world }: GameCourse) {
  const { seats } = world.ship;
  const impostors = seats.filter(({ role }) => role === 'impostor').map(({ colour }) => colour);
  return seats.map(({ colour, role }) => {
    const partners = role === 'impostor' ? impostors.filter((one) => one !== colour) : [];
    const persona = { name: colour, temperament: 'joker', notes: '' } as const;
    const own = { colour, role, partners, persona, pads: BLANK_PADS, past: NO_PAST };
    const ghost = world.standings[colour] === 'dead';
    const input = { ...own, brief: { sightings: [], notes: '' }, ghost };
    return createActor(quietPlayer, { input }).start();
  });
}

/** Ends a meeting at once: one of the living may be ejected. */
function holdMeeting(course: GameCourse, place: number): Partial<GameCourse> {
  const ejected = livingPlayers(course.world)[place] ?? null;
  const out = ejected === null ? {} : { [ejected]: 'dead' as const };
  const outcome = ejected === null ? 'skipped' : 'ejected';
  const shown = { role: null, remaining: null, ballots: [], sentence: '' };
  const call = { by: 'red', kind: 'button', body: null, place: null } as const;
  return resumeAfterMeeting(course, {
    standings: { ...course.world.standings, ...out },
    held: { call, result: { outcome, ejected, ...shown } },
    faulted: ejected !== null && place % 2 === 0 ? [ejected] : [],
  });
}

function* playWild(seed: number): Generator<Aspects> {
  const draw = dealer(seed, 79);
  let course = wildCourse(seed);
  let unread: UnreadRounds = {};
  const players = seatPlayers(course);
  const contextOf = (id: string) =>
    players.map((one) => one.getSnapshot().context).find(({ colour }) => playerId(colour) === id);
  const tell = ({ to, message }: OutgoingMessage) => {
    const at = players.findIndex((one) => playerId(one.getSnapshot().context.colour) === to);
    if (at >= 0) players[at]?.send(message as ToPlayer); // by its address
  };
  for (let round = 0; round < LONGEST_GAME && course.ending === null; round++) {
    const asking = OUTGOING.game.requestOrders(course);
    const asked = askedSeats(course);
    const orders = likelyOrders(draw, course.world).filter(({ seat }) => asked.includes(seat));
    const requests = asking.map(({ to, message }) => {
      const context = contextOf(to);
      if (context === undefined) return [message];
      const request = requestFor(context, message as ToPlayer); // by its address
      return [withoutShip(request), readField(message, 'truth') === null];
    });
    for (const one of asking) tell(one);
    for (const order of orders)
      tell({
        to: playerId(order.seat),
        message: { type: 'mind.decided', round: course.round, order },
      });
    const draws = COLOURS.map((seat, at) => [seat, draw.below(2 ** 20) * 32 + at] as const);
    const { changes, facts } = playRound(course, orders, Object.fromEntries(draws));
    course = { ...course, ...changes };
    for (const fact of facts) {
      const after = messagesAfterRound(unread, fact, course);
      unread = after.unread;
      for (const one of after.messages) tell(one);
    }
    const setup = meetingSetupFor(course);
    const truth = toWorldTruth(course);
    if (setup !== null) {
      const opened = { type: 'meeting.opened', round: course.round } as const;
      for (const seat of COLOURS) tell({ to: playerId(seat), message: opened });
      course = { ...course, ...holdMeeting(course, draw.below(8)) };
    }
    const { ship: _, ...world } = course.world;
    const played = facts.flatMap((fact) => (fact.type === 'round.closed' ? [fact] : []));
    yield {
      world: [world, course.known, course.record, course.chronicle, course.ending],
      events: played.map(({ events }) => events),
      ways: played.map(({ paths, deeds }) => [paths, deeds]),
      seen: played.map(({ seen }) => seen),
      truth,
      requests,
      players: players
        .map((one) => one.getSnapshot())
        .map(({ value, context }) => [
          value,
          { ...context, stretches: context.stretches.flat().length },
        ]),
      calls: setup === null ? null : { ...setup, ship: null },
    };
  }
}

/** The map and the options are long, and no round changes them. */
function withoutShip(request: unknown): unknown {
  const view = readField(request, 'view');
  return isRecord(view) ? { ...view, map: null, options: null } : null;
}

test('wild games end as recorded', () => {
  const rows: string[] = [];
  for (let row = 0; row < GAMES / GAMES_IN_ROW; row++) {
    const hashes = ASPECTS.map((name) => ({ name, hash: createHash('sha256') }));
    for (let game = 0; game < GAMES_IN_ROW; game++) {
      for (const aspects of playWild(row * GAMES_IN_ROW + game))
        for (const { name, hash } of hashes) hash.update(canonical(aspects[name]));
    }
    const cells = hashes.map(({ hash }) => hash.digest('hex').slice(0, 8));
    rows.push(`| ${[row, ...cells].join(' | ')} |`);
  }
  const title = `# The course of ${GAMES} wild games`;
  const head = [`| row | ${ASPECTS.join(' | ')} |`, `|${'---|'.repeat(ASPECTS.length + 1)}`];
  expectGolden('tests/golden/rounds.md', `${title}\n\n${[...head, ...rows].join('\n')}\n`);
});
