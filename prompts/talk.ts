/** What discussion and voting have in common: the reply of the design, and the reminders that come with a tick. */
import type { LivingView } from '../machines/rules/views.ts';
import { NUDGE, SYSTEM } from '../machines/types.ts';
import type { Parts } from './block.ts';
import type { Identity } from './identity.ts';
import { meetingSystem, meetingUser } from './meeting.ts';
import { MEETING_SCRATCH, replyText, THOUGHT } from './rules.ts';
import { talkSchema } from './schema.ts';

const REPLY = replyText([
  THOUGHT,
  '- desire_to_speak: 0-10 urgency.',
  '- message: what you say if you get the floor: one to three sentences in your own voice; "" for nothing.',
  "- target: optional, the colour of who you're addressing; else null.",
  '- vote_action: null (keep discussing), the colour of a living player (vote), or "skip".',
  MEETING_SCRATCH,
]);

/** Tokens: a thought, a message of 120, a page of notes, and the braces. */
const MOST_TOKENS = 700;

/** The prompt of a tick of talk. `wanted` are the lines that say where the meeting stands. */
export function talkParts(
  view: LivingView,
  identity: Identity,
  wanted: (lines: readonly string[]) => string,
): Parts {
  const { seats } = view.table;
  const seated = seats.map(({ colour }) => colour);
  const living = seats.filter(({ standing }) => standing === 'living').map(({ colour }) => colour);
  return {
    system: meetingSystem(view, REPLY),
    user: meetingUser(view, identity, { advised: true, wanted: wanted(reminders(view)) }),
    schema: talkSchema(seated, living),
    schemaName: 'meeting_reply',
    maxTokens: MOST_TOKENS,
  };
}

/** Whether the player's vote is in; the nudge once System has spoken; the reminder of who is called on. */
function reminders({ you, table, reminder }: LivingView): readonly string[] {
  const spoke = table.transcript.findLast(({ speaker }) => speaker === you.colour);
  const isNudged = table.transcript.some(({ speaker }) => speaker === SYSTEM);
  return [
    spoke === undefined ? 'You have not spoken yet.' : `You last spoke at t ${spoke.t}.`,
    ...(you.ballot === null
      ? []
      : [`Your vote for ${you.ballot} is locked. You can still speak; leave vote_action null.`]),
    ...(isNudged && you.ballot === null && table.votesOpen
      ? [`System said "${NUDGE}": the discussion has run long. Vote now, or skip.`]
      : []),
    ...(isNudged && !(you.ballot === null && table.votesOpen)
      ? [`System said "${NUDGE}": say only what is new.`]
      : []),
    ...(reminder === null
      ? []
      : [
          `${reminder}. You have been silent for long: say what you saw and whom you suspect. An empty message may win the floor, and then everybody sees your silence.`,
        ]),
  ];
}
