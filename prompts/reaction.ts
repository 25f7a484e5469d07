/** The reaction tick after the reveal: everybody takes in the result, and nobody speaks. */
import type { LivingView } from '../machines/rules/views.ts';
import { revealText } from './announcement.ts';
import { type Parts, section } from './block.ts';
import type { Identity } from './identity.ts';
import { meetingSystem, meetingUser } from './meeting.ts';
import { MAIN_SCRATCH, MEETING_SCRATCH, replyText, THOUGHT } from './rules.ts';
import { notes, record, text } from './schema.ts';

export const REACTION_REPLY = replyText([THOUGHT, MEETING_SCRATCH, MAIN_SCRATCH]);
export const REACTION_SCHEMA = record({
  internal_thought: text,
  scratchpad_updates: notes('meeting_scratch', 'main_scratch'),
});
export const REACTION_WANTED = section('Now', [
  'Process the result: who voted for whom, who was right, who was lied to. Update your scratchpads. There is nothing to say and nothing to vote on.',
]);
/** Tokens: a thought and two pages of notes. */
export const REACTION_TOKENS = 800;

export function reactionParts(view: LivingView, identity: Identity): Parts {
  const announced = revealText(view.table.told);
  return {
    system: meetingSystem(view, REACTION_REPLY),
    user: meetingUser(view, identity, { announced, wanted: REACTION_WANTED }),
    schema: REACTION_SCHEMA,
    schemaName: 'reaction',
    maxTokens: REACTION_TOKENS,
  };
}
