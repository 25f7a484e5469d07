import { describe, expect, test } from 'vitest';
import type { AnyStateMachine, EventObject } from 'xstate';
import { compareEngines } from '../../checker/tests/agreement.ts';
import { arbiterMachine } from '../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../machines/charts/gallery.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { playerMachine } from '../../machines/charts/player.ts';
import type { ToArbiter, ToGallery, ToPlayer } from '../../machines/messages.ts';
import { NOT_CALLED } from '../../machines/rules/floor.ts';
import { publicTable } from '../../machines/rules/views.ts';
import { meetingEvents } from '../../proofs/models/meeting.ts';
import { aBid, aFault, aPlayer, aTable, living, someOptions } from '../machines/builders.ts';
import { seeds } from '../support/seeds.ts';
import { KNOBS } from './models.ts';

const THREE = ['red', 'blue', 'green'] as const;

function compare<E extends EventObject>(
  machine: AnyStateMachine,
  input: unknown,
  alphabet: readonly E[],
  most: number,
) {
  const model = { name: machine.id, machine, input, world: () => alphabet, properties: [] };
  const { parted, found } = compareEngines<unknown, E>(model, most);
  expect(parted).toEqual([]);
  return found;
}

const MOST = seeds(100, 100_000);

describe('the machines of the game, exhaustively', () => {
  test.each([
    { rules: 'house', departures: 1 },
    { rules: 'classic', departures: 0 },
  ] as const)(
    `a meeting of three by $rules rules, in up to ${MOST} states and for every event`,
    (game) => {
      const standings = living(...THREE);
      const options = someOptions({ rules: game.rules, patience: 2 });
      const model = {
        name: 'meeting',
        machine: meetingMachine,
        input: aTable({ standings, options, impostors: ['green'] }),
        world: meetingEvents({ ...KNOBS, departures: game.departures }),
        properties: [],
      };
      const { parted, found } = compareEngines(model, MOST);
      expect(parted).toEqual([]);
      expect(found.ended === null).toBe(found.states < MOST);
      expect(found.transitions).toBeGreaterThan(seeds(300, 25_000));
    },
  );

  test('both engines run an arbiter alike', () => {
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
    const input = { chance: table.chance, options: table.options, seated: THREE };
    const found = compare(arbiterMachine, input, alphabet, 500);
    expect(found.coverage.report().unreached).toEqual([]);
  });

  test('both engines run a player alike, living or dead', () => {
    const answered = (to: 'table' | 'gallery', index: number) =>
      ({ type: 'mind.answered', to, index, bid: aBid('red') }) as unknown as ToPlayer;
    const alphabet = [
      { type: 'meeting.opened', brief: { sightings: [], notes: '' } },
      { type: 'bid.requested', table: { tick: 0 }, ...NOT_CALLED },
      answered('table', 0),
      answered('gallery', 0),
      { type: 'tick.missed', tick: 0 },
      { type: 'vote.locked', ballot: 'skip' },
      { type: 'vote.cleared', note: { code: 'vote/cleared', text: '' } },
      { type: 'scratchpads.consolidated', main: 'x', line: null },
      { type: 'scratchpads.erased' },
      { type: 'talk.invited', seen: { turn: 0 } },
      { type: 'turn.missed', turn: 0 },
      { type: 'seat.died' },
      { type: 'seat.departed' },
    ] as unknown as readonly ToPlayer[]; // as much of each event as the machine looks at
    for (const ghost of [false, true]) {
      const found = compare(playerMachine, aPlayer({ ghost }), alphabet, 400);
      expect(found.broken).toBeNull();
      expect(found.transitions).toBeGreaterThan(50);
    }
  });

  test('both engines run a gallery alike', () => {
    const changed = (requestKind: string) =>
      ({ type: 'table.changed', requestKind, truth: {}, transcript: [] }) as unknown as ToGallery;
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
      const chance = { seed: 1, meeting: 0 };
      const input = { chance, ghosts, budget: 2, deadlineMs: 10, messageTokens: 20 };
      const found = compare(galleryMachine, input, alphabet, 400);
      expect(found.transitions).toBeGreaterThan(50);
    }
  });
});
