/**
 * A player for a whole game. The actor holds the player's secrets (role, brief, scratchpads) and shows them only in its
 * own requests. The effect `consult` asks the mind, whose answer comes back as an event, whether the mind takes time or
 * not.
 */
import { setup } from 'xstate';
import { MOST_ITERATIONS, type SightsOfRound, type ToPlayer, unprovided } from '../messages.ts';
import { SECONDS_PER_ROUND } from '../rules/options.ts';
import { consolidatePads, updatePads } from '../rules/pads.ts';
import type { OwnPast, PastDeed, PastSighting } from '../rules/record.ts';
import {
  addRoundsToMemory,
  addToPast,
  keepVital,
  type MemoryEntry,
  toSightings,
} from '../rules/ship/sight.ts';
import type { DeedOfRound } from '../rules/ship/views.ts';
import type { PlayerInput, Self } from '../rules/views.ts';
import type { Pads, Sighting } from '../types.ts';

function askedOnShip<T extends string>(target: T) {
  return {
    'order.requested': {
      target,
      actions: ['noteRequest', 'consult'],
      description: 'The mind is asked for an order.',
    },
    'mind.decided': {
      actions: 'submitOrder',
      description: 'Too late: the order is discarded.',
    },
  } as const;
}

function answeringOnShip<T extends string>(target: T) {
  return {
    'mind.decided': [
      {
        guard: 'isThisRound',
        target,
        actions: ['submitOrder', 'saveNotes'],
        description: 'The order is submitted.',
      },
      { actions: 'submitOrder', description: 'A decision for an older round: discarded.' },
    ],
    'round.missed': {
      guard: 'isMissed',
      target,
      actions: 'cancelRequest',
      description: 'The round went on without this player.',
    },
  } as const;
}

const leavingTheQuestion = {
  'seat.departed': {
    target: '#player.disconnected',
    actions: 'cancelRequest',
    description: 'Left while thinking.',
  },
  'seat.died': { target: '#player.ghost', actions: ['cancelRequest', 'becomeGhost'] },
} as const;

export type PlayerContext = Self & {
  readonly ghost: boolean;
  /** Since the last meeting, as are `deeds`. */
  readonly memory: readonly MemoryEntry[];
  /** Older ones that memory has dropped and that are never forgotten. */
  readonly faded: readonly MemoryEntry[];
  readonly deeds: readonly DeedOfRound[];
  /** Meetings of the game so far, the current one included. 0 for a meeting on its own. */
  readonly meetings: number;
  /** The tick, turn or round of the last request. */
  readonly index: number;
  /** The pads before the last answer, restored if its tick is abandoned. */
  readonly before: Pads;
};

export function selfOf(context: PlayerContext): Self {
  const { colour, role, partners, persona, brief, pads, past, stretches, ballot, notices } =
    context;
  return { colour, role, partners, persona, brief, pads, past, stretches, ballot, notices };
}

type PlayerChanges = Partial<PlayerContext>;

function openMeeting(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'meeting.opened') return {};
  const { brief, round } = event;
  const fresh = { ballot: null, notices: [] };
  if (round === undefined) return { ...fresh, brief: brief ?? context.brief };
  const meeting = context.meetings + 1;
  const { past } = { ...context, ...closeMeeting(context) };
  const done = context.deeds.map(({ round: at, ...deed }): PastDeed => {
    return { ...deed, meeting, ago: (round - at) * SECONDS_PER_ROUND };
  });
  const faded = toSightings(context.faded, round).toReversed();
  return {
    ...fresh,
    memory: [],
    faded: [],
    deeds: [],
    past: addToPast({ ...past, deeds: [...past.deeds, ...done] }, date(faded, meeting)),
    meetings: meeting,
    brief: { ...context.brief, sightings: toSightings(context.memory, round) },
  };
}

/** The past once the game is over, as if a meeting were called now. `rounds` are those not seen yet. */
export function recallGame(
  before: PlayerContext,
  round: number,
  rounds: readonly SightsOfRound[],
): OwnPast {
  const context = { ...before, ...rememberRounds(before, { type: 'rounds.seen', rounds }) };
  return openMeeting(context, { type: 'meeting.opened', round }).past ?? context.past;
}

/** Once a meeting is over, its vote and the sightings before it are part of the past. */
function closeMeeting({ past, meetings, ballot, brief }: PlayerContext): PlayerChanges {
  if (past.votes.length === meetings) return {};
  const votes = [...past.votes, { meeting: meetings, ballot }];
  const seen = date(brief.sightings.toReversed(), meetings);
  return { past: addToPast({ ...past, votes }, seen), brief: { ...brief, sightings: [] } };
}

function date(seen: readonly Sighting[], meeting: number): readonly PastSighting[] {
  return seen.map((sighting) => ({ ...sighting, meeting }));
}

function rememberRounds(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'rounds.seen') return {};
  const dropped: MemoryEntry[] = [];
  const memory = addRoundsToMemory(context.memory, event.rounds, dropped);
  const done: DeedOfRound[] = [];
  for (const { round, deeds } of event.rounds) {
    if (deeds !== undefined) done.push(...deeds.map((deed) => ({ ...deed, round })));
  }
  const deeds = done.length === 0 ? context.deeds : [...context.deeds, ...done];
  const stretches = [...context.stretches];
  stretches[context.meetings] = [...(stretches[context.meetings] ?? []), ...event.rounds];
  if (dropped.length === 0) return { memory, deeds, stretches };
  const { past } = context;
  const old = [...context.faded, ...dropped];
  const faded = keepVital(old, memory);
  const forgotten = past.forgotten + old.length - faded.length;
  return { memory, deeds, stretches, faded, past: { ...past, forgotten } };
}

function applyDecision(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'mind.decided') return {};
  const { order } = event;
  if (order.type === 'fault') return { notices: [] };
  const { pads, notes } = order.decision;
  return { pads: updatePads(context.pads, pads), notices: notes };
}

function noteRequest(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type === 'bid.requested') return { index: event.table.tick };
  if (event.type === 'order.requested') return { index: event.round, ...closeMeeting(context) };
  return event.type === 'talk.invited' ? { index: event.seen.turn } : {};
}

function applyAnswer(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'mind.answered') return {};
  const { bid, index } = event;
  if (bid.type === 'fault') return { index, before: context.pads, notices: [] };
  const pads = updatePads(context.pads, bid.reply.pads);
  return { index, pads, before: context.pads, notices: bid.reply.notes };
}

function keepPads(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'scratchpads.consolidated') return {};
  const { main, line } = event;
  return {
    pads: {
      ...consolidatePads(context.pads, main === null ? null : { main }, line ?? ''),
      meeting: context.pads.meeting,
    },
  };
}

const base = setup({
  types: { context: {} as PlayerContext, events: {} as ToPlayer, input: {} as PlayerInput },
});

const player = base.extend({
  guards: {
    isGhost: ({ context }) => context.ghost,
    isCurrent: ({ context, event }) =>
      event.type === 'mind.answered' &&
      event.index === context.index &&
      event.to === (context.ghost ? 'gallery' : 'table'),
    isThisRound: ({ context, event }) =>
      event.type === 'mind.decided' && event.round === context.index,
    isMissed: ({ context, event }) =>
      (event.type === 'round.missed' && event.round === context.index) ||
      (event.type === 'tick.missed' && event.tick === context.index) ||
      (event.type === 'turn.missed' && event.turn === context.index),
  },
  actions: {
    consult: () => unprovided('player.consult'),
    cancelRequest: () => unprovided('player.cancelRequest'),
    submitBid: () => unprovided('player.submitBid'),
    submitOrder: () => unprovided('player.submitOrder'),
    openMeeting: base.assign(({ context, event }) => openMeeting(context, event)),
    rememberRounds: base.assign(({ context, event }) => rememberRounds(context, event)),
    saveNotes: base.assign(({ context, event }) => applyDecision(context, event)),
    noteRequest: base.assign(({ context, event }) => noteRequest(context, event)),
    saveAnswer: base.assign(({ context, event }) => applyAnswer(context, event)),
    restorePads: base.assign(({ context }) => ({ pads: context.before })),
    lockVote: base.assign(({ event }) =>
      event.type === 'vote.locked' ? { ballot: event.ballot } : {},
    ),
    clearVote: base.assign(({ context, event }) =>
      event.type === 'vote.cleared'
        ? { ballot: null, notices: [...context.notices, event.note] }
        : {},
    ),
    addNotice: base.assign(({ context, event }) =>
      event.type === 'notice.given' ? { notices: [...context.notices, event.note] } : {},
    ),
    consolidatePads: base.assign(({ context, event }) => keepPads(context, event)),
    erasePads: base.assign(({ context }) => ({ pads: { main: context.pads.main, meeting: '' } })),
    becomeGhost: base.assign({ ghost: true }),
  },
});

const ghostState = player.createStateConfig({
  description: 'Dead: sees everything and talks to ghosts only.',
  initial: 'idle',
  states: {
    idle: {
      description: 'Watches the table and is asked nothing.',
      on: {
        'talk.invited': { target: 'chatting', actions: ['noteRequest', 'consult'] },
        'mind.answered': { actions: 'submitBid', description: 'Too late: discarded.' },
        ...askedOnShip('working'),
      },
    },
    working: {
      description: 'Thinks about an unfinished task or a sabotage.',
      on: answeringOnShip('idle'),
    },
    chatting: {
      description: 'Thinks about a message to the other ghosts.',
      on: {
        'mind.answered': [
          { guard: 'isCurrent', target: 'idle', actions: ['submitBid', 'saveAnswer'] },
          { actions: 'submitBid', description: 'An answer to an older request: discarded.' },
        ],
        'turn.missed': { guard: 'isMissed', target: 'idle', actions: 'cancelRequest' },
      },
    },
  },
});

const floorState = player.createStateConfig({
  initial: 'listening',
  states: {
    listening: {
      description: 'Listens to the speaker.',
      on: {
        'bid.requested': {
          target: 'bidding',
          actions: ['noteRequest', 'consult'],
          description: 'The mind is asked for a bid.',
        },
        'mind.answered': { actions: 'submitBid', description: 'Too late: the bid is discarded.' },
        ...askedOnShip('deciding'),
        'tick.missed': {
          guard: 'isMissed',
          actions: 'restorePads',
          description: 'The tick was abandoned and has not happened.',
        },
      },
    },
    bidding: {
      description: 'Thinks about a bid.',
      on: {
        'mind.answered': [
          {
            guard: 'isCurrent',
            target: 'listening',
            actions: ['submitBid', 'saveAnswer'],
            description: 'The bid is submitted.',
          },
          { actions: 'submitBid', description: 'An answer to an older request: discarded.' },
        ],
        'tick.missed': {
          guard: 'isMissed',
          target: 'listening',
          actions: 'cancelRequest',
          description: 'The tick went on without this player.',
        },
        ...leavingTheQuestion,
      },
    },
    deciding: {
      description: 'Thinks about an order on the ship.',
      on: {
        ...answeringOnShip('listening'),
        ...leavingTheQuestion,
      },
    },
  },
});

const ballotState = player.createStateConfig({
  initial: 'undecided',
  states: {
    undecided: {
      description: 'Has not voted.',
      on: { 'vote.locked': { target: 'lockedIn', actions: 'lockVote', description: 'Binding.' } },
    },
    lockedIn: {
      description: 'Has voted and cannot change the vote. May still speak.',
      on: {
        'vote.cleared': {
          target: 'undecided',
          actions: 'clearVote',
          description: 'Classic rules: the player voted for has left.',
        },
        'meeting.opened': {
          target: 'undecided',
          actions: 'openMeeting',
          description: 'A new meeting.',
        },
      },
    },
  },
});

export const playerMachine = player.createMachine({
  id: 'player',
  description: 'One player for a whole game: living, ghost or disconnected.',
  context: ({ input }) => ({
    ...input,
    ballot: null,
    notices: [],
    stretches: [],
    memory: [],
    faded: [],
    deeds: [],
    meetings: 0,
    index: -1,
    before: input.pads,
  }),
  options: { maxIterations: MOST_ITERATIONS },
  initial: 'arriving',
  on: {
    'meeting.opened': { actions: 'openMeeting', description: 'A meeting begins.' },
    'rounds.seen': { actions: 'rememberRounds', description: 'Sights on the ship.' },
    'notice.given': {
      actions: 'addNotice',
      description: 'The engine explains why something did not count.',
    },
    'scratchpads.consolidated': {
      actions: 'consolidatePads',
      description: 'The notes kept from the meeting.',
    },
    'scratchpads.erased': { actions: 'erasePads', description: 'The meeting scratchpad is empty.' },
    'seat.departed': { target: '.disconnected', description: 'Gone for the rest of the game.' },
  },
  states: {
    arriving: {
      description: 'Takes a seat.',
      always: [{ guard: 'isGhost', target: 'ghost' }, { target: 'living' }],
    },
    living: {
      description: 'At the table.',
      type: 'parallel',
      on: {
        'seat.died': { target: 'ghost', actions: 'becomeGhost', description: 'Killed or ejected.' },
      },
      states: { floor: floorState, ballot: ballotState },
    },
    ghost: ghostState,
    disconnected: { description: 'Gone for the rest of the game.' },
  },
});
