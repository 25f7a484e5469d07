/** The discussion tick: talk, and in `house` a vote when ready. */
import type { LivingView } from '../machines/rules/views.ts';
import { type Parts, section } from './block.ts';
import type { Identity } from './identity.ts';
import { talkParts } from './talk.ts';

export function discussionParts(view: LivingView, identity: Identity): Parts {
  const { you, table } = view;
  return talkParts(view, identity, (reminders) =>
    section('Now', [
      `Tick ${table.tick} of the discussion. ${
        table.votesOpen
          ? `Votes are open.${you.ballot === null ? ' You have not voted.' : ''}`
          : 'Votes are not open yet: leave vote_action null.'
      }`,
      ...reminders,
    ]),
  );
}
