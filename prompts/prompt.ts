/** The prompt of a request: a function of the view and the identity of the player, nothing else. */

import type { BeliefQuestion } from '../machines/rules/beliefs.ts';
import type { ActionView } from '../machines/rules/ship/views.ts';
import type { GhostView, LivingView } from '../machines/rules/views.ts';
import { buildActionPrompt } from './action.ts';
import { buildBeliefPrompt } from './belief.ts';
import { LONGEST_NOTE, type PromptParts, record, type WireSchema } from './block.ts';
import { buildGhostPrompt } from './ghost.ts';
import { buildDiscussionPrompt, buildNotesPrompt, buildVotingPrompt } from './meeting.ts';
import type { Identity } from './personas.ts';
import { buildReflectionPrompt, type ReflectionView } from './reflection.ts';

export type PromptRequest =
  | {
      readonly kind: 'discussion' | 'voting' | 'reaction' | 'consolidation';
      readonly view: LivingView;
    }
  | { readonly kind: 'ghost'; readonly view: GhostView }
  | { readonly kind: 'action'; readonly view: ActionView }
  | ({ readonly kind: 'belief' } & BeliefQuestion)
  | { readonly kind: 'reflection'; readonly view: ReflectionView };

export type Prompt = PromptParts & {
  readonly requestKind: PromptRequest['kind'];
  /** Identifies the game, so that a provider keeps its players' requests together. */
  readonly cacheKey: string;
};

export function buildPrompt(asked: PromptRequest, identity: Identity): Prompt {
  const parts = buildParts(asked, identity);
  const schemaNow = fitNotes(parts);
  return { requestKind: asked.kind, cacheKey: identity.game, ...parts, schemaNow };
}

/** Characters that a token has at least, as in lists and counts, and those of an answer beside its texts. */
const [LEAST_PER_TOKEN, FRAME] = [2.6, 250];

/** Bounds the scratchpads, so that even the longest answer fits into its tokens. */
function fitNotes({ schema, schemaNow = schema, maxTokens }: PromptParts): WireSchema {
  const { scratchpad_updates: pads, ...others } = schemaNow.properties;
  if (pads === undefined || !('properties' in pads)) return schemaNow;
  const texts = Object.values(others).map(
    (field) => ('maxLength' in field && field.maxLength) || 0,
  );
  const left = maxTokens * LEAST_PER_TOKEN - FRAME - texts.reduce((sum, most) => sum + most, 0);
  const share = Math.floor(left / pads.required.length);
  const page = { type: ['string', 'null'], maxLength: Math.min(LONGEST_NOTE, share) } as const;
  const fitted = record(Object.fromEntries(pads.required.map((pad) => [pad, page])));
  return record({ ...others, scratchpad_updates: fitted });
}

function buildParts(asked: PromptRequest, identity: Identity): PromptParts {
  switch (asked.kind) {
    case 'discussion':
      return buildDiscussionPrompt(asked.view, identity);
    case 'voting':
      return buildVotingPrompt(asked.view, identity);
    case 'reaction':
    case 'consolidation':
      return buildNotesPrompt(asked.kind, asked.view, identity);
    case 'ghost':
      return buildGhostPrompt(asked.view, identity);
    case 'action':
      return buildActionPrompt(asked.view, identity);
    case 'belief':
      return buildBeliefPrompt(asked, identity);
    case 'reflection':
      return buildReflectionPrompt(asked.view, identity);
  }
}
