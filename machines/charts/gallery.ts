/**
 * The ghost gallery: the dead watch with full sight and talk among themselves.
 *
 * It is told what happened at the table and sends nothing back. When a turn of talk is still open it lets the table
 * pass by; only the last two occasions of a meeting are kept for it.
 */
import { setup } from 'xstate';
import { MOST_ITERATIONS, type ToGallery, unprovided } from '../messages.ts';
import type { GhostFact } from '../rules/facts.ts';
import { pickGhostUtterance } from '../rules/floor.ts';
import type { MeetingChance } from '../rules/meeting.ts';
import { writeMechanicalLine } from '../rules/pads.ts';
import { withEntry } from '../rules/seats.ts';
import { LATE } from '../rules/tick.ts';
import type { GalleryLine, GhostView, Truth } from '../rules/views.ts';
import {
  type Bid,
  type BySeat,
  COLOURS,
  type Colour,
  type Die,
  type RequestKind,
  type Utterance,
} from '../types.ts';

export type GalleryInput = {
  readonly chance: MeetingChance;
  readonly ghosts: readonly Colour[];
  /** Turns of talk that this meeting may cost; the last two occasions come on top. */
  readonly budget: number;
  readonly deadlineMs: number;
  /** Longest line of a ghost, in tokens; the rest is cut, as at the table (ruling 35). */
  readonly messageTokens: number;
};

type TableGlimpse = {
  readonly requestKind: RequestKind;
  readonly truth: Truth;
  readonly transcript: readonly Utterance[];
};

export type GalleryContext = GalleryInput & {
  readonly turn: number;
  readonly chat: readonly GalleryLine[];
  /** What the ghosts see in the turn that is open. */
  readonly glimpse: TableGlimpse | null;
  /** What waits for the end of the turn: at most one glimpse of each occasion. */
  readonly waiting: readonly TableGlimpse[];
  /** Who was invited to this turn; a ghost who joins later is asked next time. */
  readonly asked: readonly Colour[];
  readonly answers: BySeat<Bid>;
  readonly over: boolean;
};

/** What each ghost is shown in the turn that is open. */
export function viewForGhosts(context: GalleryContext): Omit<GhostView, 'you'> | null {
  if (context.glimpse === null) return null;
  const { turn, chat, glimpse } = context;
  return { ...glimpse, turn, chat };
}

type GalleryChanges = Partial<GalleryContext>;

/** Talk that nobody has come to yet is replaced by newer talk; reaction and consolidation wait their turn. */
function queueGlimpse(context: GalleryContext, glimpse: TableGlimpse): GalleryChanges {
  const isTalk = glimpse.requestKind === 'ghost';
  const spent = context.turn + (context.glimpse === null ? 0 : 1);
  if (isTalk && spent >= context.budget) return {};
  const kept = context.waiting.filter(({ requestKind }) => requestKind !== 'ghost');
  return { waiting: [...kept, glimpse] };
}

function beginTurn(context: GalleryContext): GalleryChanges {
  const [glimpse = null, ...waiting] = context.waiting;
  return { glimpse, waiting, asked: context.ghosts, answers: {} };
}

function bidsOf(context: GalleryContext): readonly Bid[] {
  return COLOURS.filter((ghost) => context.asked.includes(ghost)).map(
    (seat) =>
      context.answers[seat] ?? {
        type: 'fault',
        seat,
        code: LATE,
        text: 'no answer before the deadline',
      },
  );
}

/** The end of a turn: who was heard, and what the ghosts keep when it was the last. */
function endTurn(
  context: GalleryContext,
  dice: BySeat<Die>,
): { readonly changes: GalleryChanges; readonly facts: readonly GhostFact[] } {
  const { turn, glimpse, chat } = context;
  const requestKind = glimpse?.requestKind ?? 'ghost';
  const bids = bidsOf(context);
  const said =
    requestKind === 'ghost' ? pickGhostUtterance(bids, dice, context.messageTokens) : null;
  const facts: GhostFact[] = [{ type: 'turn.closed', turn, requestKind, bids, dice, said }];
  if (requestKind === 'consolidation' && glimpse !== null) {
    facts.push(...bids.map((bid) => consolidateGhost(bid, glimpse.truth)), {
      type: 'scratchpads.erased',
    });
  }
  return {
    changes: {
      turn: turn + 1,
      chat: said === null ? chat : [...chat, { ...said, heard: glimpse?.transcript.length ?? 0 }],
      glimpse: null,
    },
    facts,
  };
}

function consolidateGhost(bid: Bid, { ballots, announced: told }: Truth): GhostFact {
  const { seat } = bid;
  const main = bid.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
  const wasAlive = ballots[seat] !== undefined || told?.ejected === seat;
  const line =
    wasAlive && told !== null
      ? writeMechanicalLine(ballots[seat], told.outcome, told.ejected)
      : 'Meeting: I watched it as a ghost.';
  return { type: 'scratchpads.consolidated', seat, main, line: main === null ? line : null };
}

const base = setup({
  types: {
    context: {} as GalleryContext,
    events: {} as ToGallery,
    input: {} as GalleryInput,
  },
  actions: {
    tell: (_, _told: { readonly facts: readonly GhostFact[] }) => unprovided('gallery.tell'),
  },
  delays: { deadline: ({ context }) => context.deadlineMs },
});

export const galleryMachine = base
  .extend({
    guards: {
      somethingWaits: ({ context }) => context.waiting.length > 0,
      nobodyIsHere: ({ context }) => context.ghosts.length === 0,
      isDone: ({ context }) => context.over,
      everyGhostAnswered: ({ context }) =>
        context.asked.every((ghost) => context.answers[ghost] !== undefined),
      isThisTurn: ({ context, event }) =>
        (event.type === 'ghost.answered' || event.type === 'time.called') &&
        event.turn === context.turn,
    },
    actions: {
      watch: base.assign(({ context, event }) =>
        event.type === 'table.changed' ? queueGlimpse(context, event) : {},
      ),
      welcome: base.enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== 'ghost.joined') return;
        enqueue.assign({ ghosts: [...context.ghosts, event.seat] });
        enqueue({ type: 'tell', params: { facts: [{ type: 'ghost.joined', seat: event.seat }] } });
      }),
      begin: base.assign(({ context }) => beginTurn(context)),
      forget: base.assign({ waiting: [] }),
      collect: base.assign(({ context, event }) =>
        event.type === 'ghost.answered'
          ? { answers: withEntry(context.answers, event.bid.seat, event.bid) }
          : {},
      ),
      noteEnd: base.assign({ over: true }),
      /** Invites every ghost to talk; the dice of the turn come back as data of `turn.ended`. */
      inviteGhosts: () => unprovided('gallery.inviteGhosts'),
      /** Draws the dice of the gallery and sends `turn.ended` to this actor. */
      drawDice: () => unprovided('gallery.drawDice'),
      releaseMissing: () => unprovided('gallery.releaseMissing'),
      /** Ends the turn; where minds keep a time of their own, once the last of them has answered. */
      callTime: base.raise(({ context }) => ({ type: 'time.called', turn: context.turn })),
      endTurn: base.enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== 'turn.ended') return;
        const { changes, facts } = endTurn(context, event.dice);
        enqueue.assign(changes);
        enqueue({ type: 'tell', params: { facts } });
      }),
      close: base.enqueueActions(({ context, enqueue }) => {
        enqueue({
          type: 'tell',
          params: { facts: [{ type: 'gallery.closed', turns: context.turn }] },
        });
      }),
    },
  })
  .createMachine({
    id: 'gallery',
    description: 'The dead watch and talk among themselves; nothing waits for them.',
    context: ({ input }) => ({
      ...input,
      turn: 0,
      chat: [],
      glimpse: null,
      waiting: [],
      asked: [],
      answers: {},
      over: false,
    }),
    options: { maxIterations: MOST_ITERATIONS },
    on: {
      'table.changed': { actions: 'watch', description: 'Something happened at the table.' },
      'ghost.joined': { actions: 'welcome', description: 'Somebody died.' },
      'meeting.over': { actions: 'noteEnd', description: 'Closes after what still waits.' },
    },
    initial: 'watching',
    states: {
      watching: {
        description: 'No ghost is asked.',
        always: [
          { guard: 'nobodyIsHere', target: 'empty', description: 'There are no ghosts.' },
          { guard: 'somethingWaits', target: 'talking', actions: 'begin' },
          { guard: 'isDone', target: 'closed', actions: 'close' },
        ],
      },
      empty: {
        description: 'Nobody is dead.',
        entry: 'forget',
        on: {
          'ghost.joined': {
            target: 'watching',
            actions: 'welcome',
            description: 'The first ghost.',
          },
          'table.changed': { description: 'Nobody sees it.' },
          'meeting.over': { target: 'closed', actions: 'noteEnd' },
        },
      },
      talking: {
        description: 'Every ghost is asked at once.',
        entry: 'inviteGhosts',
        after: { deadline: { actions: 'callTime', description: 'The time of this turn is up.' } },
        always: { guard: 'everyGhostAnswered', target: 'settling' },
        on: {
          'ghost.answered': { guard: 'isThisTurn', actions: 'collect' },
          'time.called': {
            guard: 'isThisTurn',
            target: 'settling',
            description: 'Slow ghosts miss their turn.',
          },
        },
      },
      settling: {
        description: 'The dice of the gallery decide who is heard.',
        entry: ['releaseMissing', 'drawDice'],
        on: { 'turn.ended': { target: 'watching', actions: 'endTurn' } },
      },
      closed: { type: 'final', description: 'The lights go out.' },
    },
  });
