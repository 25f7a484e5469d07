/** What the states of a player are made of: messages, guards and actions, each of them one call. */
import { setup } from 'xstate';
import { type ToPlayer, unprovided } from '../../messages.ts';
import * as knowledge from './knowledge.ts';

const base = setup({
  types: {
    context: {} as knowledge.PlayerContext,
    events: {} as ToPlayer,
    input: {} as knowledge.PlayerInput,
  },
});

/** The named parts from which the states of a player are built. */
export const player = base.extend({
  guards: {
    isGhost: ({ context }) => context.ghost,
    answersAtOnce: ({ context }) => context.light,
    isCurrent: ({ context, event }) =>
      event.type === 'mind.answered' &&
      event.stamp === context.stamp &&
      event.to === (context.ghost ? 'gallery' : 'table'),
    isThisRound: ({ context, event }) =>
      event.type === 'mind.decided' && event.round === context.stamp,
    missedThis: ({ context, event }) =>
      (event.type === 'round.missed' && event.round === context.stamp) ||
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
    /** Hands the order of `mind.decided` on. */
    hand: () => unprovided('player.hand'),
    open: base.assign(({ context, event }) => knowledge.opened(context, event)),
    remember: base.assign(({ context, event }) => knowledge.saw(context, event)),
    jot: base.assign(({ context, event }) => knowledge.decided(context, event)),
    heed: base.assign(({ event }) => knowledge.stamped(event)),
    note: base.assign(({ context, event }) => knowledge.answered(context, event)),
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
    keep: base.assign(({ context, event }) => knowledge.kept(context, event)),
    erase: base.assign(({ context }) => ({ pads: { main: context.pads.main, meeting: '' } })),
    die: base.assign({ ghost: true }),
  },
});
