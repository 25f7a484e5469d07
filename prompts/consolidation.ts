/** The consolidation tick: what matters of the meeting goes to the main scratchpad, because the other is erased. */
import { PAGE_LENGTH } from '../machines/rules/scratchpads.ts';
import type { LivingView } from '../machines/rules/views.ts';
import { revealText } from './announcement.ts';
import { type Parts, section } from './block.ts';
import type { Identity } from './identity.ts';
import { meetingSystem, meetingUser } from './meeting.ts';
import { MAIN_SCRATCH, replyText, THOUGHT } from './rules.ts';
import { notes, record, text } from './schema.ts';

export const CONSOLIDATION_REPLY = replyText([THOUGHT, MAIN_SCRATCH]);
export const CONSOLIDATION_SCHEMA = record({
  internal_thought: text,
  scratchpad_updates: notes('main_scratch'),
});
export const CONSOLIDATION_WANTED = section('Now', [
  `Save the important information of this meeting to main_scratch: who claimed what, who contradicted whom, who voted how, whom you trust. meeting_scratch is erased after this. What you write replaces main_scratch whole (at most ${PAGE_LENGTH} characters), so keep what still matters.`,
]);
/** Tokens: a thought and a whole page. */
export const CONSOLIDATION_TOKENS = 1200;

export function consolidationParts(view: LivingView, identity: Identity): Parts {
  const announced = revealText(view.table.told);
  return {
    system: meetingSystem(view, CONSOLIDATION_REPLY),
    user: meetingUser(view, identity, { announced, wanted: CONSOLIDATION_WANTED }),
    schema: CONSOLIDATION_SCHEMA,
    schemaName: 'consolidation',
    maxTokens: CONSOLIDATION_TOKENS,
  };
}
