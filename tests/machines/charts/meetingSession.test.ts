/** A meeting session: the players it seats, its messages to meeting and gallery, and its end. */
import { describe, expect, test } from 'vitest';
import { createActor, type EventObject, fromCallback, setup } from 'xstate';
import type { GalleryInput } from '../../../machines/charts/gallery.ts';
import type { MeetingOutput } from '../../../machines/charts/meeting.ts';
import {
  type MeetingSessionInput,
  meetingSessionMachine,
} from '../../../machines/charts/meetingSession.ts';
import { GALLERY, MEETING, playerId } from '../../../machines/messages.ts';
import type { MeetingSetup } from '../../../machines/rules/meeting.ts';
import type { PlayerInput } from '../../../machines/rules/views.ts';
import type { Colour } from '../../../machines/types.ts';
import { aPlayer, aTable, living } from '../builders.ts';

const SETTING: MeetingSetup = aTable({
  standings: { ...living('red', 'blue'), white: 'dead', green: 'departed', tan: 'dead' },
  options: { deadlineMs: 900, messageTokens: 33 },
});

const OUTPUT: MeetingOutput = {
  outcome: 'skipped',
  ejected: null,
  standings: { red: 'living' },
  held: { call: { by: 'blue', kind: 'button', body: null, place: null }, result: null },
};

function start(part: Partial<MeetingSessionInput> = {}) {
  const given = {
    players: [] as PlayerInput[],
    gallery: [] as unknown[],
    meeting: [] as unknown[],
  };
  const heard: string[] = [];
  const ending = setup({
    types: { input: {} as unknown, output: {} as MeetingOutput, context: {} as object },
  });
  const meeting = ending.createMachine({
    context: ({ input }) => {
      given.meeting.push(input);
      return {};
    },
    initial: 'on',
    states: { on: { on: { end: 'done' } }, done: { type: 'final' } },
    output: () => OUTPUT,
  });
  const gallery = setup({
    types: { input: {} as GalleryInput, context: {} as object },
  }).createMachine({
    context: ({ input }) => {
      given.gallery.push(input);
      return {};
    },
    initial: 'open',
    states: {
      open: { on: { end: 'done', '*': { actions: ({ event }) => void heard.push(event.type) } } },
      done: { type: 'final' },
    },
  });
  const player = fromCallback<EventObject, PlayerInput>(
    ({ input }) => void given.players.push(input),
  );
  const machine = meetingSessionMachine.provide({
    // Stubs that only end.
    actors: { meeting: meeting as never, gallery: gallery as never, player: player as never },
  });
  const input = { setting: SETTING, players: [], ghostBudget: 4, ...part };
  const actor = createActor(machine, { input }).start();
  const end = (name: string) =>
    (actor.system.get(name) as { send: (event: EventObject) => void }).send({ type: 'end' }); // by its name
  return { actor, given, heard, end };
}

describe('at its beginning', () => {
  test('it seats each player under their own name, and none where a game has done so', () => {
    const players = (['red', 'blue'] as const).map((colour) => aPlayer({ colour }));
    const { actor, given } = start({ players });
    expect(given.players).toEqual(players);
    const system = actor.system as { get: (name: string) => unknown };
    const isSeated = (colour: Colour) => system.get(playerId(colour)) !== undefined;
    expect([isSeated('red'), isSeated('blue'), isSeated('white')]).toEqual([true, true, false]);
    expect(start().given.players).toEqual([]);
  });

  test('a session passes its setting to the meeting', () => {
    expect(start().given.meeting).toEqual([SETTING]);
  });

  test.each([
    ['who is dead, in the order of the colours', 4, ['white', 'tan'], 4],
    ['nobody where the dead do not watch', null, [], 0],
    ['who is dead, also without a turn to talk', 0, ['white', 'tan'], 0],
  ] as const)('the gallery has %s', (_, ghostBudget, ghosts, budget) => {
    const { chance } = SETTING;
    expect(start({ ghostBudget }).given.gallery).toEqual([
      { chance, ghosts, budget, deadlineMs: 900, messageTokens: 33 },
    ]);
  });
});

describe('it is over', () => {
  test("a session ends with the meeting's result once the ghosts are done", () => {
    const { actor, heard, end } = start();
    expect(heard).toEqual([]);
    end(MEETING);
    expect([actor.getSnapshot().value, heard]).toEqual(['closingGallery', ['meeting.over']]);
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', context: { result: OUTPUT } });
    end(GALLERY);
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: OUTPUT, value: 'over' });
  });

  test('a session without a finished meeting ends as interrupted', () => {
    const { actor, end } = start();
    end(GALLERY);
    const { by, kind, body, place } = SETTING.call;
    expect(actor.getSnapshot()).toMatchObject({ status: 'done' });
    expect(actor.getSnapshot().output).toEqual({
      outcome: 'interrupted',
      ejected: null,
      standings: SETTING.standings,
      held: { call: { by, kind, body, place }, result: null },
    });
  });
});
