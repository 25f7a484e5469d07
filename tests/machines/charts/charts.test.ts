import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, type AnyStateNode, initialTransition } from 'xstate';
import { arbiterMachine } from '../../../machines/charts/arbiter.ts';
import { galleryMachine } from '../../../machines/charts/gallery.ts';
import { gameMachine } from '../../../machines/charts/game.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { meetingSessionMachine } from '../../../machines/charts/meetingSession.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { createSmallGame } from '../../../proofs/models/ship.ts';
import { aPlayer, aTable, FIVE, someOptions } from '../builders.ts';

const CHANCE = { seed: 1, meeting: 0 };

const CHARTS: readonly { machine: AnyStateMachine; input: unknown; states: readonly string[] }[] = [
  {
    machine: meetingMachine,
    input: aTable(),
    states: [
      ...['interrupt', 'interrupt.checking', 'interrupt.gathering', 'discussion'],
      ...['discussion.listening', 'discussion.bidding', 'discussion.pausing', 'voting'],
      ...['voting.polling', 'voting.polling.listening', 'voting.polling.bidding'],
      ...['voting.polling.pausing', 'voting.counting', 'reveal', 'reveal.turning'],
      ...['reveal.announcing', 'reaction', 'consolidation', 'closed'],
    ],
  },
  {
    machine: arbiterMachine,
    input: { chance: CHANCE, options: someOptions(), seated: FIVE },
    states: ['idle', 'asking', 'waiting'],
  },
  {
    machine: playerMachine,
    input: aPlayer(),
    states: [
      ...['arriving', 'living', 'living.floor', 'living.floor.listening', 'living.floor.bidding'],
      ...['living.floor.deciding', 'living.ballot', 'living.ballot.undecided'],
      ...['living.ballot.lockedIn', 'ghost', 'ghost.working', 'ghost.idle', 'ghost.chatting'],
      'disconnected',
    ],
  },
  {
    machine: galleryMachine,
    input: { chance: CHANCE, ghosts: ['white'], budget: 3, deadlineMs: 1000 },
    states: ['watching', 'empty', 'talking', 'settling', 'closed'],
  },
  {
    machine: meetingSessionMachine,
    input: { setting: aTable(), players: [aPlayer()], ghostBudget: null },
    states: ['meeting', 'closingGallery', 'over'],
  },
  {
    machine: gameMachine,
    input: createSmallGame(4),
    states: [
      ...['round', 'round.opening', 'round.deciding', 'round.judging', 'meeting', 'returning'],
      'over',
    ],
  },
];

function statesOf(node: AnyStateNode): readonly string[] {
  return Object.values(node.states).flatMap((state) => [state.path.join('.'), ...statesOf(state)]);
}

test('charts have the names under which they are drawn and their states are addressed', () => {
  const names = ['meeting', 'arbiter', 'player', 'gallery', 'meetingSession', 'game'];
  expect(CHARTS.map(({ machine }) => machine.id)).toEqual(names);
});

describe.each(CHARTS)('the statechart of $machine.id', ({ machine, input, states }) => {
  test('starts and waits', () => {
    expect(initialTransition(machine, input)[0].status).toBe('active');
  });

  test('has these states and no others', () => {
    expect(statesOf(machine.root).toSorted()).toEqual(states.toSorted());
  });

  test('gives up after 1000 eventless transitions in a row', () => {
    expect(machine.options.maxIterations).toBe(1000);
  });

  test('every state but the last has a description', () => {
    const silent = states.filter((path) => {
      const node = path
        .split('.')
        .reduce<AnyStateNode | undefined>((at, key) => at?.states[key], machine.root);
      return node?.description === undefined;
    });
    const regions = ['living', 'living.floor', 'living.ballot'];
    expect(silent.filter((path) => !regions.includes(path))).toEqual([]);
  });
});
