/** The request to a mind, built from the player's knowledge and the event. */
import { type PlayerContext, selfOf } from './charts/player.ts';
import type { ToPlayer } from './messages.ts';
import type { ActionView } from './rules/ship/views.ts';
import { type GhostView, ghostView, type LivingView } from './rules/views.ts';
import type { RequestKind } from './types.ts';

/** `index` is the tick, the turn of the gallery, or the round, from 0. Reaction and consolidation continue the ticks. */
type RequestOf<Kind, View> = { readonly kind: Kind; readonly index: number; readonly view: View };
export type MindRequest =
  | RequestOf<Exclude<RequestKind, 'ghost'>, LivingView>
  | RequestOf<'ghost', GhostView>
  | RequestOf<'action', ActionView>;

/** Null if the event asks the mind nothing. */
export function requestFor(context: PlayerContext, event: ToPlayer): MindRequest | null {
  if (event.type === 'bid.requested') {
    const { table, calledOn, reminder } = event;
    const { requestKind } = table;
    if (requestKind === 'ghost') return null;
    const view = { you: selfOf(context), table, calledOn, reminder };
    return { kind: requestKind, index: table.tick, view };
  }
  if (event.type === 'order.requested') {
    const { round, shown, scene } = event;
    const truth = context.ghost ? event.truth : null;
    const view = actionView(context, { round, ...shown, scene, truth });
    return { kind: 'action', index: round, view };
  }
  if (event.type !== 'talk.invited') return null;
  return { kind: 'ghost', index: event.seen.turn, view: ghostView(selfOf(context), event.seen) };
}

function actionView(context: PlayerContext, shown: Omit<ActionView, 'you'>): ActionView {
  const { colour, role, partners, persona, pads, notices, memory, faded, deeds, past, ghost } =
    context;
  const own = { colour, role, partners, persona, pads, notices, memory, faded, deeds, past };
  return { you: { ...own, isGhost: ghost }, ...shown };
}
