/**
 * A player: living, ghost or disconnected, for a whole game.
 *
 * The actor holds what nobody else may know (role, brief, scratchpads) and hands it out in its own requests only. Who
 * thinks is a mind behind the effect `consult`; a mind that answers at once leaves no time to be seen bidding.
 */

import { setup } from 'xstate';
import { MOST_ITERATIONS, type ToPlayer, unprovided } from '../messages.ts';
import { SECONDS_PER_ROUND } from '../rules/options.ts';
import { consolidatePads, updatePads } from '../rules/pads.ts';
import { NO_PAST, type OwnPast, type PastDeed } from '../rules/record.ts';
import { addRoundsToMemory, type MemoryEntry, toSightings } from '../rules/ship/sight.ts';
import type { DeedOfRound } from '../rules/ship/views.ts';
import type { Self } from '../rules/views.ts';
import type { Ballot, Note, Pads } from '../types.ts';

/** Errands: transitions of everybody who can be asked what to do on the ship, the living and ghosts at work. */

/** Transitions of somebody who may be asked what to do on the ship. */
export function askedOnShip<T extends string>(target: T) {
  return {
    'order.requested': [
      { guard: 'answersAtOnce', actions: 'consult', description: 'A light mind decides at once.' },
      { target, actions: ['heed', 'consult'], description: 'The mind takes its time.' },
    ],
    'mind.decided': [
      { guard: 'answersAtOnce', actions: 'jot', description: 'Notes of a light mind.' },
      { actions: 'hand', description: 'Too late: the order is discarded.' },
    ],
  } as const;
}

/** Transitions of somebody who thinks about what to do on the ship. */
export function answeringOnShip<T extends string>(target: T) {
  return {
    'mind.decided': [
      {
        guard: 'isThisRound',
        target,
        actions: ['hand', 'jot'],
        description: 'The order is handed in.',
      },
      { actions: 'hand', description: 'A decision for an older round: discarded.' },
    ],
    'round.missed': {
      guard: 'missedThis',
      target,
      actions: 'dismiss',
      description: 'The round went on without this player.',
    },
  } as const;
}

/* What a player knows and keeps to themselves, and what each message does to it. */

export type PlayerInput = Pick<
  Self,
  'colour' | 'role' | 'partners' | 'persona' | 'brief' | 'pads'
> & {
  /** The mind answers in the same breath. */
  readonly light: boolean;
  /** Dead when the game is joined. */
  readonly ghost: boolean;
};

export type PlayerContext = Omit<PlayerInput, 'ghost'> & {
  readonly ghost: boolean;
  readonly ballot: Ballot | null;
  readonly notices: readonly Note[];
  /** What was seen on the ship since the last meeting. */
  readonly memory: readonly MemoryEntry[];
  /** What the player did on the ship since the last meeting. */
  readonly deeds: readonly DeedOfRound[];
  /** What the player did, and how they voted, before. */
  readonly past: OwnPast;
  /** Meetings of the game so far, with the one that is on; 0 for a meeting on its own. */
  readonly meetings: number;
  /** The tick, turn or round of the request that was answered or is open. */
  readonly index: number;
  /** The pads before the last answer: an abandoned tick has not happened. */
  readonly before: Pads;
};

/** What the player knows, as it goes into a request. */
export function selfOf(context: PlayerContext): Self {
  const { colour, role, partners, persona, brief, pads, past, ballot, notices } = context;
  return { colour, role, partners, persona, brief, pads, past, ballot, notices };
}

/** What a message changes. */
export type PlayerChanges = Partial<PlayerContext>;

export function openMeeting(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'meeting.opened') return {};
  const { brief, round } = event;
  const fresh = { ballot: null, notices: [] };
  if (round === undefined) return { ...fresh, brief: brief ?? context.brief };
  const sightings = toSightings(context.memory, round);
  const meetings = context.meetings + 1;
  return {
    ...fresh,
    memory: [],
    deeds: [],
    past: addToPast(context, round),
    meetings,
    brief: { ...context.brief, sightings },
  };
}

/** The past as a meeting is called: the deeds since the last one, and the vote that was cast at it. */
function addToPast({ past, deeds, meetings, ballot }: PlayerContext, round: number): OwnPast {
  const own = deeds.map(
    ({ round: at, ...deed }): PastDeed => ({
      ...deed,
      meeting: meetings + 1,
      ago: (round - at) * SECONDS_PER_ROUND,
    }),
  );
  const votes = meetings === 0 ? past.votes : [...past.votes, { meeting: meetings, ballot }];
  return { deeds: [...past.deeds, ...own], votes };
}

export function rememberRounds(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'rounds.seen') return {};
  const memory = addRoundsToMemory(context.memory, event.rounds);
  const done: DeedOfRound[] = [];
  for (const { round, deeds } of event.rounds) {
    if (deeds !== undefined) done.push(...deeds.map((deed) => ({ ...deed, round })));
  }
  return done.length === 0 ? { memory } : { memory, deeds: [...context.deeds, ...done] };
}

/** The notebooks after a decision on the ship. */
export function applyDecision(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'mind.decided') return {};
  const { order } = event;
  if (order.type === 'fault') return { notices: [] };
  const { pads, notes } = order.decision;
  return { pads: updatePads(context.pads, pads), notices: notes };
}

export function noteRequest(event: ToPlayer): PlayerChanges {
  if (event.type === 'bid.requested') return { index: event.table.tick };
  if (event.type === 'order.requested') return { index: event.round };
  return event.type === 'talk.invited' ? { index: event.seen.turn } : {};
}

/** The notebooks after an answer, and what the engine has to say about it next time. */
export function applyAnswer(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'mind.answered') return {};
  const { bid, index } = event;
  if (bid.type === 'fault') return { index, before: context.pads, notices: [] };
  const pads = updatePads(context.pads, bid.reply.pads);
  return { index, pads, before: context.pads, notices: bid.reply.notes };
}

export function keepPads(context: PlayerContext, event: ToPlayer): PlayerChanges {
  if (event.type !== 'scratchpads.consolidated') return {};
  const { main, line } = event;
  return {
    pads: {
      ...consolidatePads(context.pads, main === null ? null : { main }, line ?? ''),
      meeting: context.pads.meeting,
    },
  };
}

/* What the states of a player are made of: messages, guards and actions, each of them one call. */

const base = setup({
  types: {
    context: {} as PlayerContext,
    events: {} as ToPlayer,
    input: {} as PlayerInput,
  },
});

/** The named parts from which the states of a player are built. */
export const player = base.extend({
  guards: {
    isGhost: ({ context }) => context.ghost,
    answersAtOnce: ({ context }) => context.light,
    isCurrent: ({ context, event }) =>
      event.type === 'mind.answered' &&
      event.index === context.index &&
      event.to === (context.ghost ? 'gallery' : 'table'),
    isThisRound: ({ context, event }) =>
      event.type === 'mind.decided' && event.round === context.index,
    missedThis: ({ context, event }) =>
      (event.type === 'round.missed' && event.round === context.index) ||
      (event.type === 'tick.missed' && event.tick === context.index) ||
      (event.type === 'turn.missed' && event.turn === context.index),
  },
  actions: {
    /** Asks the mind; its answer comes back as `mind.answered`, or goes straight on when it is light. */
    consult: () => unprovided('player.consult'),
    /** Tells a mind that nobody waits for it any more. */
    dismiss: () => unprovided('player.dismiss'),
    /** Hands the bid of `mind.answered` on: to the bid stream, or to the gallery. */
    place: () => unprovided('player.place'),
    /** Hands the order of `mind.decided` on. */
    hand: () => unprovided('player.hand'),
    open: base.assign(({ context, event }) => openMeeting(context, event)),
    remember: base.assign(({ context, event }) => rememberRounds(context, event)),
    jot: base.assign(({ context, event }) => applyDecision(context, event)),
    heed: base.assign(({ event }) => noteRequest(event)),
    note: base.assign(({ context, event }) => applyAnswer(context, event)),
    takeBack: base.assign(({ context }) => ({ pads: context.before })),
    lock: base.assign(({ event }) =>
      event.type === 'vote.locked' ? { ballot: event.ballot } : {},
    ),
    unlock: base.assign(({ context, event }) =>
      event.type === 'vote.cleared'
        ? { ballot: null, notices: [...context.notices, event.note] }
        : {},
    ),
    takeNotice: base.assign(({ context, event }) =>
      event.type === 'notice.given' ? { notices: [...context.notices, event.note] } : {},
    ),
    keep: base.assign(({ context, event }) => keepPads(context, event)),
    erase: base.assign(({ context }) => ({ pads: { main: context.pads.main, meeting: '' } })),
    die: base.assign({ ghost: true }),
  },
});

/* A ghost: watches the table, talks to other ghosts, and may have a task to finish. */

export const ghostState = player.createStateConfig({
  description: 'Dead: sees everything, talks to ghosts only.',
  initial: 'haunting',
  states: {
    haunting: {
      description: 'Watches the table.',
      on: {
        'talk.invited': [
          {
            guard: 'answersAtOnce',
            actions: 'consult',
            description: 'A light mind talks at once.',
          },
          { target: 'musing', actions: ['heed', 'consult'] },
        ],
        'mind.answered': [
          { guard: 'answersAtOnce', actions: 'note', description: 'Notes of a light mind.' },
          { actions: 'place', description: 'Too late: discarded.' },
        ],
        ...askedOnShip('errand'),
      },
    },
    errand: {
      description: 'Thinks about a task left undone, or about a sabotage.',
      on: answeringOnShip('haunting'),
    },
    musing: {
      description: 'Thinks about what to tell the other ghosts.',
      on: {
        'mind.answered': [
          { guard: 'isCurrent', target: 'haunting', actions: ['place', 'note'] },
          { actions: 'place', description: 'An answer to an older request: discarded.' },
        ],
        'turn.missed': { guard: 'missedThis', target: 'haunting', actions: 'dismiss' },
      },
    },
  },
});

/* The living: they bid for the floor, decide what to do on the ship, and vote. */

export const floorState = player.createStateConfig({
  initial: 'listening',
  states: {
    listening: {
      description: 'Listens to who has the floor.',
      on: {
        'bid.requested': [
          { guard: 'answersAtOnce', actions: 'consult', description: 'A light mind bids at once.' },
          {
            target: 'bidding',
            actions: ['heed', 'consult'],
            description: 'The mind takes its time.',
          },
        ],
        'mind.answered': [
          { guard: 'answersAtOnce', actions: 'note', description: 'Notes of a light mind.' },
          { actions: 'place', description: 'Too late: the bid stream discards it.' },
        ],
        ...askedOnShip('deciding'),
        'tick.missed': {
          guard: 'missedThis',
          actions: 'takeBack',
          description: 'The tick was abandoned: it has not happened.',
        },
      },
    },
    bidding: {
      description: 'Thinks about what to bid.',
      on: {
        'mind.answered': [
          {
            guard: 'isCurrent',
            target: 'listening',
            actions: ['place', 'note'],
            description: 'The bid is handed in.',
          },
          { actions: 'place', description: 'An answer to an older request: discarded.' },
        ],
        'tick.missed': {
          guard: 'missedThis',
          target: 'listening',
          actions: 'dismiss',
          description: 'The tick went on without this player.',
        },
        'seat.departed': {
          target: '#player.disconnected',
          actions: 'dismiss',
          description: 'Left while thinking.',
        },
        'seat.died': { target: '#player.ghost', actions: ['dismiss', 'die'] },
      },
    },
    deciding: {
      description: 'Thinks about what to do on the ship.',
      on: {
        ...answeringOnShip('listening'),
        'seat.departed': {
          target: '#player.disconnected',
          actions: 'dismiss',
          description: 'Left while thinking.',
        },
        'seat.died': { target: '#player.ghost', actions: ['dismiss', 'die'] },
      },
    },
  },
});

export const ballotState = player.createStateConfig({
  initial: 'undecided',
  states: {
    undecided: {
      description: 'Has not voted.',
      on: { 'vote.locked': { target: 'lockedIn', actions: 'lock', description: 'Binding.' } },
    },
    lockedIn: {
      description: 'Has voted and cannot change it; may still speak.',
      on: {
        'vote.cleared': {
          target: 'undecided',
          actions: 'unlock',
          description: 'Classic: the player voted for has left.',
        },
        'meeting.opened': { target: 'undecided', actions: 'open', description: 'A new meeting.' },
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
    memory: [],
    deeds: [],
    past: NO_PAST,
    meetings: 0,
    index: -1,
    before: input.pads,
  }),
  options: { maxIterations: MOST_ITERATIONS },
  initial: 'arriving',
  on: {
    'meeting.opened': { actions: 'open', description: 'A meeting begins.' },
    'rounds.seen': { actions: 'remember', description: 'What was to be seen on the ship.' },
    'notice.given': { actions: 'takeNotice', description: 'Why something did not count.' },
    'scratchpads.consolidated': { actions: 'keep', description: 'What is kept of the meeting.' },
    'scratchpads.erased': { actions: 'erase', description: 'The meeting scratchpad is empty.' },
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
      on: { 'seat.died': { target: 'ghost', actions: 'die', description: 'Killed or ejected.' } },
      states: { floor: floorState, ballot: ballotState },
    },
    ghost: ghostState,
    disconnected: {
      description: 'Gone for the rest of the game: is asked nothing and says nothing.',
    },
  },
});
