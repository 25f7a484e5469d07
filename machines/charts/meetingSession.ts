/**
 * A meeting session holds one meeting, on its own or within a game, with the gallery beside it, and waits for the
 * ghosts to finish. The meeting does not know of the gallery.
 */
import { type ActorRefFrom, type AnyEventObject, sendTo, setup } from 'xstate';
import { GALLERY, MEETING, MOST_ITERATIONS, playerId, type ToGallery } from '../messages.ts';
import { layTable, type MeetingSetup, toMeetingRecord } from '../rules/meeting.ts';
import type { PlayerInput } from '../rules/views.ts';
import { COLOURS } from '../types.ts';
import { galleryMachine } from './gallery.ts';
import { type MeetingOutput, meetingMachine } from './meeting.ts';
import { playerMachine } from './player.ts';

export type MeetingSessionInput = {
  readonly setting: MeetingSetup;
  readonly players: readonly PlayerInput[];
  /** Turns of ghost talk. Null if the dead do not watch. */
  readonly ghostBudget: number | null;
};

type MeetingSessionContext = MeetingSessionInput & { readonly result: MeetingOutput | null };

const base = setup({
  types: {
    context: {} as MeetingSessionContext,
    input: {} as MeetingSessionInput,
    output: {} as MeetingOutput,
  },
  actors: { meeting: meetingMachine, player: playerMachine, gallery: galleryMachine },
});

export const meetingSessionMachine = base
  .extend({
    actions: {
      seatPlayers: base.enqueueActions(({ context, enqueue }) => {
        for (const input of context.players) {
          const id = playerId(input.colour);
          enqueue.spawnChild('player', { id, systemId: id, input });
        }
      }),
      closeGallery: sendTo<
        MeetingSessionContext,
        AnyEventObject,
        undefined,
        ActorRefFrom<typeof galleryMachine>,
        AnyEventObject
      >(GALLERY, { type: 'meeting.over' } satisfies ToGallery),
    },
  })
  .createMachine({
    id: 'meetingSession',
    description: 'One meeting with its players and its gallery.',
    context: ({ input }) => ({ ...input, result: null }),
    options: { maxIterations: MOST_ITERATIONS },
    entry: 'seatPlayers',
    invoke: {
      src: 'gallery',
      id: GALLERY,
      systemId: GALLERY,
      input: ({ context }) => ({
        chance: context.setting.chance,
        ghosts:
          context.ghostBudget === null
            ? []
            : COLOURS.filter((colour) => context.setting.standings[colour] === 'dead'),
        budget: context.ghostBudget ?? 0,
        deadlineMs: context.setting.options.deadlineMs,
        messageTokens: context.setting.options.messageTokens,
      }),
      onDone: { target: '.over', description: 'The ghosts have finished.' },
    },
    initial: 'meeting',
    states: {
      meeting: {
        description: 'The meeting is held.',
        invoke: {
          src: 'meeting',
          id: MEETING,
          systemId: MEETING,
          input: ({ context }) => context.setting,
          onDone: {
            target: 'closingGallery',
            actions: [base.assign({ result: ({ event }) => event.output }), 'closeGallery'],
            description: 'The result is known.',
          },
        },
      },
      closingGallery: { description: 'The meeting is over. Ghosts may finish their turn.' },
      over: { type: 'final', description: 'The session is over.' },
    },
    output: ({ context }) =>
      context.result ?? {
        outcome: 'interrupted',
        ejected: null,
        standings: context.setting.standings,
        held: toMeetingRecord(layTable(context.setting)),
      },
  });
