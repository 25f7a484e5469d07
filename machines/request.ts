/** A request: what a mind is asked, out of what its player knows and what the event shows. */
import { type PlayerContext, selfOf } from './charts/player.ts';
import type { ToPlayer } from './messages.ts';
import type { ActionView } from './rules/ship/views.ts';
import { type GhostView, ghostView, type LivingView, livingView } from './rules/views.ts';
import type { RequestKind } from './types.ts';

export type MindRequest =
  | {
      readonly occasion: Exclude<RequestKind, 'ghost'>;
      /** The tick, from 0. Reaction and consolidation go on counting. */
      readonly stamp: number;
      readonly view: LivingView;
    }
  | {
      readonly occasion: 'ghost';
      /** The turn of the gallery, from 0. */
      readonly stamp: number;
      readonly view: GhostView;
    }
  | {
      readonly occasion: 'action';
      /** The round of the game, from 0. */
      readonly stamp: number;
      readonly view: ActionView;
    };

/** What the mind of this player is asked because of the event; null when it is not asked. */
export function requestFor(context: PlayerContext, event: ToPlayer): MindRequest | null {
  if (event.type === 'bid.requested') {
    const { table, calledOn } = event;
    const { occasion } = table;
    if (occasion === 'ghost') return null;
    return { occasion, stamp: table.tick, view: livingView(selfOf(context), table, calledOn) };
  }
  if (event.type === 'order.requested') {
    const { round, shown, scene } = event;
    return {
      occasion: 'action',
      stamp: round,
      view: actionView(context, { round, ...shown, scene }),
    };
  }
  if (event.type !== 'talk.invited') return null;
  return {
    occasion: 'ghost',
    stamp: event.seen.turn,
    view: ghostView(selfOf(context), event.seen),
  };
}

function actionView(context: PlayerContext, shown: Omit<ActionView, 'you'>): ActionView {
  const { colour, role, partners, persona, pads, notices, memory, ghost } = context;
  return {
    you: { colour, role, partners, persona, pads, notices, memory, isGhost: ghost },
    ...shown,
  };
}
