/**
 * The ghost gallery: the dead see everything, talk among themselves and send nothing back to the table. Table events
 * during an open turn replace each other, except the last two occasions of a meeting, which are queued.
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
import { type Bid, type BySeat, COLOURS, type Colour, type Die } from '../types.ts';

export type GalleryInput = {
  readonly chance: MeetingChance;
  readonly ghosts: readonly Colour[];
  /** Turns of talk in this meeting, without the last two occasions. */
  readonly budget: number;
  readonly deadlineMs: number;
  /** Longest line of a ghost in tokens. The rest is cut, as at the table (ruling 35). */
  readonly messageTokens: number;
};

type TableGlimpse = Pick<GhostView, 'requestKind' | 'truth' | 'transcript'>;

export type GalleryContext = GalleryInput & {
  readonly turn: number;
  readonly chat: readonly GalleryLine[];
  readonly glimpse: TableGlimpse | null;
  /** Glimpses for later turns, at most one of each occasion. */
  readonly waiting: readonly TableGlimpse[];
  /** The ghosts invited to this turn. A ghost who joins later is asked next time. */
  readonly asked: readonly Colour[];
  readonly answers: BySeat<Bid>;
  readonly over: boolean;
};

export function viewForGhosts(context: GalleryContext): Omit<GhostView, 'you'> | null {
  const { turn, chat, glimpse } = context;
  return glimpse && { ...glimpse, turn, chat };
}

type GalleryChanges = Partial<GalleryContext>;

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

/** What the gallery says of a ghost who has not answered. A mind may report its own lateness in other words. */
export const NO_ANSWER = 'no answer before the deadline';

function bidsOf(context: GalleryContext): readonly Bid[] {
  return COLOURS.filter((ghost) => context.asked.includes(ghost)).map(
    (seat) => context.answers[seat] ?? { type: 'fault', seat, code: LATE, text: NO_ANSWER },
  );
}

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
  types: { context: {} as GalleryContext, events: {} as ToGallery, input: {} as GalleryInput },
  actions: {
    announceFacts: (_, _told: { readonly facts: readonly GhostFact[] }) =>
      unprovided('gallery.announceFacts'),
  },
  delays: { deadline: ({ context }) => context.deadlineMs },
});

export const galleryMachine = base
  .extend({
    guards: {
      hasGlimpse: ({ context }) => context.waiting.length > 0,
      hasNoGhosts: ({ context }) => context.ghosts.length === 0,
      isMeetingOver: ({ context }) => context.over,
      hasEveryGhostAnswered: ({ context }) =>
        context.asked.every((ghost) => context.answers[ghost] !== undefined),
      isThisTurn: ({ context, event }) =>
        (event.type === 'ghost.answered' || event.type === 'time.called') &&
        event.turn === context.turn,
    },
    actions: {
      queueGlimpse: base.assign(({ context, event }) =>
        event.type === 'table.changed' ? queueGlimpse(context, event) : {},
      ),
      addGhost: base.enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== 'ghost.joined') return;
        enqueue.assign({ ghosts: [...context.ghosts, event.seat] });
        enqueue({
          type: 'announceFacts',
          params: { facts: [{ type: 'ghost.joined', seat: event.seat }] },
        });
      }),
      beginTurn: base.assign(({ context }) => beginTurn(context)),
      dropGlimpses: base.assign({ waiting: [] }),
      collectAnswer: base.assign(({ context, event }) =>
        event.type === 'ghost.answered'
          ? { answers: withEntry(context.answers, event.bid.seat, event.bid) }
          : {},
      ),
      noteMeetingOver: base.assign({ over: true }),
      inviteGhosts: () => unprovided('gallery.inviteGhosts'),
      /** Sends this actor `turn.ended` with the dice of the gallery. */
      drawDice: () => unprovided('gallery.drawDice'),
      releaseMissing: () => unprovided('gallery.releaseMissing'),
      /** Ends the turn. An engine that lets minds keep their own time overrides it and waits for the last answer. */
      callTime: base.raise(({ context }) => ({ type: 'time.called', turn: context.turn })),
      endTurn: base.enqueueActions(({ context, event, enqueue }) => {
        if (event.type !== 'turn.ended') return;
        const { changes, facts } = endTurn(context, event.dice);
        enqueue.assign(changes);
        enqueue({ type: 'announceFacts', params: { facts } });
      }),
      announceEnd: base.enqueueActions(({ context, enqueue }) => {
        enqueue({
          type: 'announceFacts',
          params: { facts: [{ type: 'gallery.closed', turns: context.turn }] },
        });
      }),
    },
  })
  .createMachine({
    id: 'gallery',
    description: 'The dead watch and talk among themselves. The table does not wait for them.',
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
      'table.changed': { actions: 'queueGlimpse', description: 'Something happened at the table.' },
      'ghost.joined': { actions: 'addGhost', description: 'Somebody died.' },
      'meeting.over': { actions: 'noteMeetingOver', description: 'Closes after the queued turns.' },
    },
    initial: 'watching',
    states: {
      watching: {
        description: 'No ghost is asked.',
        always: [
          { guard: 'hasNoGhosts', target: 'empty', description: 'There are no ghosts.' },
          { guard: 'hasGlimpse', target: 'talking', actions: 'beginTurn' },
          { guard: 'isMeetingOver', target: 'closed', actions: 'announceEnd' },
        ],
      },
      empty: {
        description: 'Nobody is dead.',
        entry: 'dropGlimpses',
        on: {
          'ghost.joined': {
            target: 'watching',
            actions: 'addGhost',
            description: 'The first ghost.',
          },
          'table.changed': { description: 'No ghost sees it.' },
          'meeting.over': { target: 'closed', actions: 'noteMeetingOver' },
        },
      },
      talking: {
        description: 'Every ghost is asked at once.',
        entry: 'inviteGhosts',
        after: { deadline: { actions: 'callTime', description: 'The time of this turn is up.' } },
        always: { guard: 'hasEveryGhostAnswered', target: 'settling' },
        on: {
          'ghost.answered': { guard: 'isThisTurn', actions: 'collectAnswer' },
          'time.called': {
            guard: 'isThisTurn',
            target: 'settling',
            description: 'Ghosts who have not answered miss their turn.',
          },
        },
      },
      settling: {
        description: 'The dice of the gallery decide which ghost is heard.',
        entry: ['releaseMissing', 'drawDice'],
        on: { 'turn.ended': { target: 'watching', actions: 'endTurn' } },
      },
      closed: { type: 'final', description: 'The gallery is closed.' },
    },
  });
