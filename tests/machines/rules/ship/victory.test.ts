import { expect, test } from 'vitest';
import { endMeeting } from '../../../../machines/rules/ship/game.ts';
import type { GameEnding } from '../../../../machines/rules/ship/world.ts';
import { plainGame, prepare } from '../../../../machines/setup/prepare.ts';
import type { BySeat, Colour, Standing } from '../../../../machines/types.ts';
import { aWorld, playRound, type Wanted } from './worlds.ts';

const FOUR = { seats: ['red', 'blue', 'green', 'pink'] } as const;
const done = { progress: [{ steps: 1, worked: 0 }] };
const almost = { progress: [{ steps: 0, worked: 1 }], intent: 'task swipe-card' } as const;
const leave = { fault: 'seat/left' };

const nearlyDone = (wanted: Wanted = {}) =>
  aWorld({
    ...FOUR,
    ...wanted,
    at: { blue: 'Admin', ...wanted.at },
    players: { blue: almost, green: done, pink: done, ...wanted.players },
  });

const told = ({ ending }: { readonly ending: GameEnding | null }) =>
  ending === null ? null : `${ending.winner} by ${ending.reason}`;
const ends = (wanted: Wanted, orders: Parameters<typeof playRound>[1] = {}) =>
  told(playRound(aWorld({ ...FOUR, ...wanted }), orders));
const meets = (wanted: Wanted, standings: BySeat<Standing>, faulted: readonly Colour[] = []) => {
  const world = aWorld({ ...FOUR, ...wanted });
  return told(endMeeting(world, { ...world.standings, ...standings }, faulted));
};
const SEVEN = ['red', 'blue', 'green', 'pink', 'orange', 'yellow', 'black'] as const;
const TWO = { seats: SEVEN, impostors: ['red', 'blue'] } as const;
const BLUE_DEAD = { standings: { blue: 'dead' } } as const;
const MELTING = { crisis: { system: 'reactor', left: 1 } } as const;
const STABS = { red: 'kill pink' } as const;
const late = { fault: 'mind/late' };
const FIRST = { patience: 1 } as const;

test.each<[string, Wanted, Parameters<typeof playRound>[1], string | null]>([
  ['nothing has happened: the game goes on', {}, {}, null],
  ['kills: impostors win at parity', BLUE_DEAD, STABS, 'impostors by kills'],
  ['kills: not one before parity', {}, STABS, null],
  ['sabotage: impostors win when the time is up', MELTING, {}, 'impostors by sabotage'],
  ['sabotage: not a round before', { crisis: { system: 'o2', left: 2 } }, {}, null],
  ['disconnect: crew win when the last impostor leaves', {}, { red: leave }, 'crew by disconnect'],
  ['disconnect: not while another impostor plays', TWO, { red: leave }, null],
  ['disconnect: leavers bring parity', BLUE_DEAD, { pink: leave }, 'impostors by disconnect'],
  ['disconnect: above parity the game goes on', {}, { pink: leave }, null],
  ['faults: the last impostor gave no answers', FIRST, { red: late }, 'null by faults'],
  ['faults: not while another impostor plays', { ...TWO, ...FIRST }, { red: late }, null],
  ['faults: to parity', { ...BLUE_DEAD, ...FIRST }, { pink: late }, 'null by faults'],
  ['faults: the whole crew', FIRST, { blue: late, green: late, pink: late }, 'null by faults'],
  ['faults: above parity the game goes on', FIRST, { pink: late }, null],
  ['faults: an outage counts for nobody', FIRST, { red: { fault: 'outage/empty' } }, null],
  [
    'faults: a kill that would not have been enough',
    { seats: SEVEN.slice(0, 5), standings: { orange: 'dead' }, ...FIRST },
    { ...STABS, blue: late },
    'null by faults',
  ],
  [
    'faults: a kill that was enough',
    { ...BLUE_DEAD, ...FIRST },
    { ...STABS, green: late },
    'impostors by kills',
  ],
  ['faults: who leaves loses', FIRST, { red: leave }, 'crew by disconnect'],
  [
    'faults: by the rules before version 3 the others win',
    { ...FIRST, areFaultsLost: true },
    { red: late },
    'crew by disconnect',
  ],
  [
    'a leaving impostor does not stop the reactor',
    MELTING,
    { red: leave },
    'impostors by sabotage',
  ],
  ['sabotage beats a kill', { ...BLUE_DEAD, ...MELTING }, STABS, 'impostors by sabotage'],
])('in a round, %s', (_, wanted, orders, ending) => {
  expect(ends(wanted, orders)).toBe(ending);
});

const GREEN_DEAD = { standings: { green: 'dead' } } as const;
test.each<[string, Wanted, Parameters<typeof playRound>[1], string | null]>([
  ['the crew wins', {}, {}, 'crew by tasks'],
  [
    'the crew does not win with one step left',
    { players: { green: { progress: [{ steps: 0, worked: 1 }] } } },
    {},
    null,
  ],
  [
    'the tasks of who leaves are off the bar',
    { seats: SEVEN.slice(0, 5), players: { orange: done } },
    { blue: leave },
    'crew by tasks',
  ],
  ['a kill to parity comes first', GREEN_DEAD, STABS, 'impostors by kills'],
  ['a kill above parity does not', {}, STABS, 'crew by tasks'],
  ['sabotage comes first', MELTING, {}, 'impostors by sabotage'],
  ['the last impostor leaves first', GREEN_DEAD, { red: leave, pink: leave }, 'crew by disconnect'],
])('when the last task is done in a round, %s', (_, wanted, orders, ending) => {
  expect(told(playRound(nearlyDone(wanted), orders))).toBe(ending);
});

test('whoever leaves has killed nobody', () => {
  const round = playRound(aWorld(FOUR), { ...STABS, red: leave });
  expect([round.ending?.winner, round.world.bodies]).toEqual(['crew', []]);
});

test.each<[string, Wanted, BySeat<Standing>, string | null]>([
  ['vote: crew win when the last impostor is voted out', {}, { red: 'dead' }, 'crew by vote'],
  ['vote: not with an impostor left', TWO, { red: 'dead' }, null],
  ['vote: impostors win at parity', BLUE_DEAD, { pink: 'dead' }, 'impostors by vote'],
  ['vote: not one before parity', {}, { pink: 'dead' }, null],
  ['disconnect: the last impostor leaves', {}, { red: 'departed' }, 'crew by disconnect'],
  ['disconnect: to parity', BLUE_DEAD, { pink: 'departed' }, 'impostors by disconnect'],
  [
    'a vote against an impostor does not explain leaving crewmates',
    { ...TWO, standings: { yellow: 'dead', black: 'dead' } },
    { red: 'dead', green: 'departed', pink: 'departed' },
    'impostors by disconnect',
  ],
  [
    'a vote against a crewmate does not explain a leaving impostor',
    {},
    { red: 'departed', blue: 'dead' },
    'crew by disconnect',
  ],
  [
    'tasks: the bar may be full because of who is gone',
    { players: { blue: done, green: done } },
    { pink: 'departed' },
    'crew by tasks',
  ],
  ['a countdown that the meeting ended is no defeat', MELTING, {}, null],
])('after a meeting, %s', (_, wanted, standings, ending) => {
  expect(meets(wanted, standings)).toBe(ending);
});

test.each<[string, Wanted, BySeat<Standing>, readonly Colour[], string | null]>([
  ['the last impostor', {}, { red: 'departed' }, ['red'], 'null by faults'],
  ['one of two impostors', TWO, { red: 'departed' }, ['red'], null],
  ['one, after a vote', TWO, { red: 'departed', blue: 'dead' }, ['red'], 'null by faults'],
  ['to parity', BLUE_DEAD, { pink: 'departed' }, ['pink'], 'null by faults'],
  ['beside the last impostor', {}, { pink: 'departed', red: 'dead' }, ['pink'], 'crew by vote'],
])('faults at a meeting: %s', (_, wanted, standings, faulted, ending) => {
  expect(meets(wanted, standings, faulted)).toBe(ending);
});

test.each([
  [2, true],
  [3, false],
])('games of rules %i give the win to the others: %s', (version, areFaultsLost) => {
  const preparation = prepare(plainGame(4), 1, version);
  expect(preparation.ok && preparation.prepared.ship.areFaultsLost).toBe(areFaultsLost);
});
