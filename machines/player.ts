/**
 * A player: living, ghost or disconnected, for a whole game.
 *
 * The actor holds what nobody else may know (role, brief, scratchpads) and hands it out in its own requests only. Who
 * thinks is a mind behind the effect `consult`; a mind that answers at once leaves no time to be seen bidding.
 */
import { setup } from 'xstate';
import { MOST_ITERATIONS, type ToPlayer, unprovided } from './protocol.ts';
import { consolidated, noted } from './rules/scratchpads.ts';
import type { Self } from './rules/views.ts';
import type { Ballot, Brief, Note, Pads } from './types.ts';

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
  /** The tick or turn of the request that was answered or is open. */
  readonly stamp: number;
  /** The pads before the last answer: an abandoned tick has not happened. */
  readonly before: Pads;
};

/** What the player knows, as it goes into a request. */
export function selfOf(context: PlayerContext): Self {
  const { colour, role, partners, persona, brief, pads, ballot, notices } = context;
  return { colour, role, partners, persona, brief, pads, ballot, notices };
}

type Changes = Partial<PlayerContext>;

function opened(context: PlayerContext, brief: Brief | undefined): Changes {
  return { ballot: null, notices: [], brief: brief ?? context.brief };
}

function asked(event: ToPlayer): Changes {
  if (event.type === 'bid.requested') return { stamp: event.table.tick };
  return event.type === 'talk.invited' ? { stamp: event.seen.turn } : {};
}

/** The notebooks after an answer, and what the engine has to say about it next time. */
function answered(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'mind.answered') return {};
  const { bid, stamp } = event;
  if (bid.type === 'fault') return { stamp, before: context.pads, notices: [] };
  const pads = noted(context.pads, bid.reply.pads);
  return { stamp, pads, before: context.pads, notices: bid.reply.notes };
}

function kept(context: PlayerContext, event: ToPlayer): Changes {
  if (event.type !== 'pads.consolidated') return {};
  const { main, line } = event;
  return {
    pads: {
      ...consolidated(context.pads, main === null ? null : { main }, line ?? ''),
      meeting: context.pads.meeting,
    },
  };
}

const base = setup({
  types: {
    context: {} as PlayerContext,
    events: {} as ToPlayer,
    input: {} as PlayerInput,
  },
});

const player = base.extend({
  guards: {
    isGhost: ({ context }) => context.ghost,
    answersAtOnce: ({ context }) => context.light,
    isCurrent: ({ context, event }) =>
      event.type === 'mind.answered' &&
      event.stamp === context.stamp &&
      event.to === (context.ghost ? 'gallery' : 'table'),
    missedThis: ({ context, event }) =>
      (event.type === 'tick.missed' && event.tick === context.stamp) ||
      (event.type === 'turn.missed' && event.turn === context.stamp),
  },
  actions: {
    /** Asks the mind; its answer comes back as `mind.answered`, or goes straight on when it is light. */
    consult: () => unprovided('player.consult'),
    /** Tells a mind that nobody waits for it any more. */
    dismiss: () => unprovided('player.dismiss'),
    /** Hands the bid of `mind.answered` on: to the bid stream, or to the gallery. */
    place: () => unprovided('player.place'),
    open: base.assign(({ context, event }) =>
      event.type === 'meeting.opened' ? opened(context, event.brief) : {},
    ),
    heed: base.assign(({ event }) => asked(event)),
    note: base.assign(({ context, event }) => answered(context, event)),
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
    keep: base.assign(({ context, event }) => kept(context, event)),
    erase: base.assign(({ context }) => ({ pads: { main: context.pads.main, meeting: '' } })),
    die: base.assign({ ghost: true }),
  },
});

const floor = player.createStateConfig({
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
  },
});

const ballot = player.createStateConfig({
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

const ghost = player.createStateConfig({
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
      },
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

export const playerMachine = player.createMachine({
  id: 'player',
  description: 'One player for a whole game: living, ghost or disconnected.',
  context: ({ input }) => ({ ...input, ballot: null, notices: [], stamp: -1, before: input.pads }),
  options: { maxIterations: MOST_ITERATIONS },
  initial: 'arriving',
  on: {
    'meeting.opened': { actions: 'open', description: 'A meeting begins.' },
    'notice.given': { actions: 'takeNotice', description: 'Why something did not count.' },
    'pads.consolidated': { actions: 'keep', description: 'What is kept of the meeting.' },
    'pads.erased': { actions: 'erase', description: 'The meeting scratchpad is empty.' },
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
      states: { floor, ballot },
    },
    ghost,
    disconnected: { description: 'Gone for the rest of the game: asked nothing, tells nothing.' },
  },
});
