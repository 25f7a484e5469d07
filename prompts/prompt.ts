/**
 * The prompt: what a mind is sent for a request. A function of the view and of who plays; nothing else goes in.
 */
import type { ActionView } from '../machines/rules/ship/views.ts';
import type { GhostView, LivingView } from '../machines/rules/views.ts';
import { actionParts } from './action.ts';
import type { Parts } from './block.ts';
import { consolidationParts } from './consolidation.ts';
import { discussionParts } from './discussion.ts';
import { ghostParts } from './ghost.ts';
import type { Identity } from './identity.ts';
import { reactionParts } from './reaction.ts';
import { type ReflectionView, reflectionParts } from './reflection.ts';
import { votingParts } from './voting.ts';

/** What a prompt is made of: a request of a game, or the reflection after it. */
export type Asked =
  | {
      readonly occasion: 'discussion' | 'voting' | 'reaction' | 'consolidation';
      readonly view: LivingView;
    }
  | { readonly occasion: 'ghost'; readonly view: GhostView }
  | { readonly occasion: 'action'; readonly view: ActionView }
  | { readonly occasion: 'reflection'; readonly view: ReflectionView };

export type Prompt = Parts & {
  readonly occasion: Asked['occasion'];
  /** Names the game, so that a provider keeps its players' requests together. */
  readonly cacheKey: string;
};

export function promptFor(asked: Asked, identity: Identity): Prompt {
  return { occasion: asked.occasion, cacheKey: identity.game, ...partsOf(asked, identity) };
}

function partsOf(asked: Asked, identity: Identity): Parts {
  switch (asked.occasion) {
    case 'discussion':
      return discussionParts(asked.view, identity);
    case 'voting':
      return votingParts(asked.view, identity);
    case 'reaction':
      return reactionParts(asked.view, identity);
    case 'consolidation':
      return consolidationParts(asked.view, identity);
    case 'ghost':
      return ghostParts(asked.view, identity);
    case 'action':
      return actionParts(asked.view, identity);
    case 'reflection':
      return reflectionParts(asked.view, identity);
  }
}
