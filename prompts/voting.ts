/** The voting tick: ballots are asked for, and time is short. */
import type { LivingView } from '../machines/rules/views.ts';
import { type Parts, section } from './block.ts';
import type { Identity } from './identity.ts';
import { talkParts } from './talk.ts';

export function votingParts(view: LivingView, identity: Identity): Parts {
  const { you, table } = view;
  return talkParts(view, identity, (reminders) =>
    section('Now', [
      `Tick ${table.tick}. Voting is open, and it is timed.${
        you.ballot === null
          ? ' You have not voted: vote or skip before the time is up. A missed vote is not a skip.'
          : ''
      }`,
      ...reminders,
    ]),
  );
}
