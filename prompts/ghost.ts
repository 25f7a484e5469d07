/** Ghost chat: the dead see everything and talk among themselves; a ghost's reply has no field for a vote. */
import type { GhostView } from '../machines/rules/views.ts';
import { openingText, revealText, truthText } from './announcement.ts';
import { type Block, own, type Parts, section, sections, shared } from './block.ts';
import {
  CONSOLIDATION_REPLY,
  CONSOLIDATION_SCHEMA,
  CONSOLIDATION_TOKENS,
  CONSOLIDATION_WANTED,
} from './consolidation.ts';
import type { Identity } from './identity.ts';
import { REACTION_REPLY, REACTION_SCHEMA, REACTION_TOKENS, REACTION_WANTED } from './reaction.ts';
import { GALLERY_RULES, MEETING_SCRATCH, replyText, THOUGHT } from './rules.ts';
import { notes, record, text, whole } from './schema.ts';
import { padsText, seenText, selfText } from './self.ts';
import { datedBrief } from './sightings.ts';
import { chatText, TRANSCRIPT_END, transcriptBlocks } from './transcript.ts';

const CHAT_REPLY = replyText([
  THOUGHT,
  '- desire_to_speak: 0-10 urgency.',
  '- message: what you tell the other ghosts: one or two sentences in your own voice; "" for nothing.',
  MEETING_SCRATCH,
]);
const CHAT_SCHEMA = record({
  internal_thought: text,
  desire_to_speak: whole,
  message: text,
  scratchpad_updates: notes('meeting_scratch'),
});
/** Tokens: a thought, a message of 120 and some notes. */
const CHAT_TOKENS = 600;

export function ghostParts(view: GhostView, identity: Identity): Parts {
  switch (view.occasion) {
    case 'reaction':
      return {
        system: systemWith(REACTION_REPLY),
        user: userWith(view, identity, REACTION_WANTED),
        schema: REACTION_SCHEMA,
        schemaName: 'reaction',
        maxTokens: REACTION_TOKENS,
      };
    case 'consolidation':
      return {
        system: systemWith(CONSOLIDATION_REPLY),
        user: userWith(view, identity, CONSOLIDATION_WANTED),
        schema: CONSOLIDATION_SCHEMA,
        schemaName: 'consolidation',
        maxTokens: CONSOLIDATION_TOKENS,
      };
    default:
      return {
        system: systemWith(CHAT_REPLY),
        user: userWith(view, identity, chatWanted(view)),
        schema: CHAT_SCHEMA,
        schemaName: 'ghost_chat',
        maxTokens: CHAT_TOKENS,
      };
  }
}

function chatWanted({ turn }: GhostView): string {
  return section('Now', [
    `Turn ${turn} of the ghosts. Comment for the other ghosts and for those who watch: who lies, who is close, what is about to go wrong. You cannot influence the living.`,
  ]);
}

function systemWith(reply: string): readonly Block[] {
  return [shared(GALLERY_RULES), shared(`\n\n${reply}`)];
}

function userWith(view: GhostView, identity: Identity, wanted: string): readonly Block[] {
  const { you, truth, transcript, chat } = view;
  return [
    shared(`${openingText(truth.call, truth.seats, null)}\n\n`),
    ...transcriptBlocks(transcript),
    own(
      `${TRANSCRIPT_END}\n\n${sections(
        chatText(chat),
        truthText(truth),
        truth.told === null ? '' : revealText(truth.told),
        selfText(you, identity, true),
        seenText(
          datedBrief(you.brief.sightings),
          you.colour,
          'before the meeting',
          you.brief.notes,
        ),
        padsText(you.pads),
        wanted,
      )}`,
    ),
  ];
}
