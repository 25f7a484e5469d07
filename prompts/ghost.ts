/** The prompt of the ghost chat. A ghost's reply has no field for a vote. */
import type { GhostView } from '../machines/rules/views.ts';
import {
  type Block,
  createPassingBlock,
  createStableBlock,
  desire,
  joinSections,
  message,
  notes,
  type PromptParts,
  record,
  thought,
  writeSection,
} from './block.ts';
import { buildNotes } from './meeting.ts';
import type { Identity } from './personas.ts';
import { listTruth, writeBallots, writeDeath, writePast, writeRecord } from './recordText.ts';
import { buildSystem, DESIRE, MEETING_SCRATCH, THOUGHT, writeReplyFormat } from './rules.ts';
import {
  TRANSCRIPT_END,
  writeOpening,
  writePads,
  writeReveal,
  writeSeen,
  writeSeenEarlier,
  writeSelf,
  writeTranscript,
} from './viewText.ts';

const CHAT_REPLY = writeReplyFormat([
  THOUGHT,
  DESIRE,
  '- message: what you tell the other ghosts: one or two sentences in your own words; "" for nothing.',
  MEETING_SCRATCH,
]);
const CHAT_SCHEMA = record({
  internal_thought: thought,
  desire_to_speak: desire,
  message,
  scratchpad_updates: notes('meeting_scratch'),
});
/** In tokens: a thought, a message of 120 and some notes. */
const CHAT_TOKENS = 600;

export function buildGhostPrompt(view: GhostView, identity: Identity): PromptParts {
  const { requestKind, truth, turn } = view;
  if (requestKind === 'reaction' || requestKind === 'consolidation')
    return buildNotes(requestKind, truth, (wanted) => buildGhostUser(view, identity, wanted));
  const wanted = writeSection('Now', [
    `Turn ${turn} of the ghosts. Comment for the other ghosts and for those who watch: who lies, who is close, what is about to go wrong. You cannot influence the living.`,
  ]);
  return {
    system: buildSystem(truth, 'gallery', CHAT_REPLY),
    user: buildGhostUser(view, identity, wanted),
    schema: CHAT_SCHEMA,
    schemaName: 'ghost_chat',
    maxTokens: CHAT_TOKENS,
  };
}

const GHOST_LINES = writeSection('What was said', [
  'A line with "ghost" is what a ghost said to the other ghosts, where the meeting stood by then. The living never hear it.',
]);

function buildGhostUser(view: GhostView, identity: Identity, wanted: string): readonly Block[] {
  const { you, truth, transcript, chat } = view;
  return [
    createStableBlock(
      `${joinSections(
        writeRecord(truth.record, true),
        writeOpening(truth.call, null),
        writeSection('The truth (ghosts only)', listTruth(truth, truth.record, true)),
      )}\n\n`,
    ),
    createStableBlock(
      `${joinSections(
        writeSelf(you, identity, writeDeath(you.colour, truth)),
        writePast(you.past),
        writeSeenEarlier(you.past, you.colour),
        writeSeen(you.brief, you.colour),
        GHOST_LINES,
      )}\n\n`,
    ),
    ...writeTranscript(transcript, chat),
    createPassingBlock(
      `${TRANSCRIPT_END}\n\n${joinSections(
        truth.announced === null ? writeBallots(truth) : writeReveal(truth.announced),
        writePads(you.pads),
        `${wanted}\nYou are ${you.colour}, a ghost.`,
      )}`,
    ),
  ];
}
