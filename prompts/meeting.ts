/** Prompts at the table: shared rules and record, the player's knowledge, the transcript, and the news. */

import type { LivingView, TableView } from '../machines/rules/views.ts';
import { type Brief, type Colour, NUDGE, type Role, SYSTEM } from '../machines/types.ts';
import {
  type Block,
  buildTalkSchema,
  createPassingBlock,
  createStableBlock,
  joinSections,
  LONGEST_NOTE,
  notes,
  type PromptParts,
  record,
  remember,
  thought,
  type WireSchema,
  writeSection,
} from './block.ts';
import type { Identity } from './personas.ts';
import { writePast, writeRecord } from './recordText.ts';
import {
  buildSystem,
  DESIRE,
  MAIN_SCRATCH,
  MEETING_SCRATCH,
  THOUGHT,
  writeReplyFormat,
} from './rules.ts';
import {
  TRANSCRIPT_END,
  writeImpostorAdvice,
  writeNotices,
  writeOpening,
  writePads,
  writePresence,
  writeReveal,
  writeRole,
  writeSeen,
  writeSeenEarlier,
  writeSelf,
  writeTranscript,
} from './viewText.ts';

export function buildMeetingUser(
  { you, table }: LivingView,
  identity: Identity,
  now: {
    readonly announced?: string;
    readonly advised?: boolean;
    readonly wanted: string;
    readonly last?: string;
  },
): readonly Block[] {
  return [
    createStableBlock(
      `${writeRecord(table.record, true)}\n\n${writeOpening(table.call, table)}\n\n`,
    ),
    createStableBlock(
      `${joinSections(
        writeSelf(you, identity),
        now.advised === true ? writeImpostorAdvice(you, identity, true) : '',
        writePast(you.past),
        writeSeenEarlier(you.past, you.colour),
        writeSeen(you.brief, you.colour),
      )}\n\n`,
    ),
    ...writeTranscript(table.transcript),
    createPassingBlock(
      `${TRANSCRIPT_END}\n\n${joinSections(
        writePresence(table, you.ballot),
        now.announced ?? '',
        writePads(you.pads),
        writeNotices(you.notices),
        `${now.wanted}\n${writeRole(you)}${now.last ?? ''}`,
      )}`,
    ),
  ];
}

/* Shared by discussion and voting: the reply format, and the reminders of a tick. */

const TALK_REPLY = writeReplyFormat([
  THOUGHT,
  DESIRE,
  '- message: what you say if you are heard: one to three sentences in your own words; "" for nothing.',
  '- target: the colour of a player whom you address, or null.',
  '- vote_action: null (keep discussing), the colour of a living player, or "skip".',
  MEETING_SCRATCH,
]);

/** In tokens: a thought, a message of 120, a page of notes, and the braces. */
const TALK_TOKENS = 700;

function buildTalkPrompt(view: LivingView, identity: Identity, state: string): PromptParts {
  const { you, table } = view;
  const living = table.seats.flatMap(({ colour, standing }) =>
    standing === 'living' ? colour : [],
  );
  const others = living.filter((colour) => colour !== you.colour);
  return {
    system: buildSystem(table, 'table', TALK_REPLY),
    user: buildMeetingUser(view, identity, {
      advised: true,
      wanted: writeSection('Now', [state, ...listReminders(view)]),
      last: writeLast(view, others),
    }),
    schema: schemaFor(table.seats),
    schemaNow: buildTalkSchema(others, canVote(view) ? [...living, 'skip'] : []),
    schemaName: 'meeting_reply',
    maxTokens: TALK_TOKENS,
  };
}

const schemaFor = remember((seats: TableView['seats']) =>
  buildTalkSchema(seats.map(({ colour }) => colour)),
);

export function canVote({ you, table }: LivingView): boolean {
  return you.ballot === null && table.votesOpen;
}

/** The last lines, which small models follow best. */
function writeLast(view: LivingView, others: readonly Colour[]): string {
  const { you, table } = view;
  const isPartner = (colour: Colour) => Number(you.partners.includes(colour));
  const votes = others.toSorted((a, b) => isPartner(a) - isPartner(b));
  const seen = lastSeen(you.brief);
  const last = others.flatMap((colour) => seen.get(colour) ?? []);
  const spoke = table.transcript.some(({ speaker }) => speaker === you.colour);
  return [
    canVote(view) ? ` You may vote for ${votes.join(', ')} or skip.` : '',
    last.length === 0 ? '' : `\nYou last saw ${last.join(', ')}.`,
    spoke ? '' : `\n${BEGIN[you.role]}`,
  ].join('');
}

const lastSeen = remember(
  ({ sightings }: Brief) =>
    new Map(
      sightings
        .toSorted((a, b) => b.ago - a.ago)
        .map(({ who, place, ago }) => [who, `${who} in ${place} ${ago} s before`]),
    ),
);

const BEGIN: Readonly<Record<Role, string>> = {
  crewmate: 'Say in your own words where you were, whom you saw there and whom you suspect.',
  impostor: 'Say in your own words where you claim to have been and whom you suspect.',
};

function listReminders(view: LivingView): readonly string[] {
  const { you, table, calledOn, reminder } = view;
  const spoke = table.transcript.findLast(({ speaker }) => speaker === you.colour);
  const isNudged = table.transcript.some(({ speaker }) => speaker === SYSTEM);
  return [
    spoke === undefined ? 'You have not spoken yet.' : `You last spoke at t ${spoke.tick}.`,
    you.ballot === null ? '' : 'Your vote is locked. You can still speak; leave vote_action null.',
    canVote(view) && table.tick >= LATE_TICK ? VOTE_SOON : '',
    isNudged ? `System said "${NUDGE}": ${canVote(view) ? VOTE_NOW : 'say only what is new'}.` : '',
    reminder === null ? '' : `${reminder}. ${SILENT}${calledOn ? EVEN_EMPTY : ''}`,
  ];
}

/** From here on a missing vote is called for. */
const LATE_TICK = 8;
const VOTE_SOON = 'Vote as soon as you would not change your mind: the meeting ends when all have.';
const VOTE_NOW = 'the discussion has run long. Vote now, or skip';
const SILENT = 'You have been silent for a while: say what you saw and whom you suspect.';
const EVEN_EMPTY = ' An empty message may win the floor, and then everybody sees your silence.';

export function buildDiscussionPrompt(view: LivingView, identity: Identity): PromptParts {
  const { you, table } = view;
  const ticks = table.clock.openAfter - table.tick;
  const opening = ticks <= 1 ? 'in the next tick' : `in ${ticks} ticks`;
  const votes = table.votesOpen
    ? `Votes are open.${you.ballot === null ? ' You have not voted.' : ''}`
    : `Votes are not open yet: leave vote_action null. They open ${opening}.`;
  const state = `Tick ${table.tick} of the discussion. ${votes}${writeTimeLeft(table)}`;
  return buildTalkPrompt(view, identity, state);
}

/** Empty if there is no time limit. */
function writeTimeLeft({ clock, tick }: TableView): string {
  if (clock.closeAfter === null) return '';
  const left = Math.max(0, clock.closeAfter - tick);
  return left <= 1
    ? ' This is the last tick before the poll closes.'
    : ` The poll closes after ${left} ticks, this one counted.`;
}

export function buildVotingPrompt(view: LivingView, identity: Identity): PromptParts {
  const { you, table } = view;
  const limit = table.clock.closeAfter === null ? 'without a time limit' : 'and it is timed';
  const missing = you.ballot === null ? writeMissing(table) : '';
  const state = `Tick ${table.tick}. Voting is open, ${limit}.${writeTimeLeft(table)}${missing}`;
  return buildTalkPrompt(view, identity, state);
}

function writeMissing({ clock }: TableView): string {
  return clock.closeAfter === null
    ? ' You have not voted: vote or skip.'
    : ' You have not voted: vote or skip before the time is up. A missed vote is not a skip.';
}

/* The last two ticks: everybody takes in the result, then keeps what matters in the main scratchpad. */

/** Both ticks share this text, so that a provider can cache it with the transcript. */
const NOTES_REPLY = writeReplyFormat([THOUGHT, MEETING_SCRATCH, MAIN_SCRATCH]);
const buildNotesSchema = (pads: WireSchema) =>
  record({ internal_thought: thought, scratchpad_updates: pads });
const NOTES_SCHEMA = buildNotesSchema(notes('meeting_scratch', 'main_scratch'));
const NOTES_NOW = {
  reaction: NOTES_SCHEMA,
  consolidation: buildNotesSchema(notes('main_scratch')),
};

const NOTES_WANTED = {
  reaction:
    'Process the result: who voted for whom, who was right, who lied. Write meeting_scratch and main_scratch. There is nothing to say and nothing to vote on.',
  consolidation: `Write main_scratch: who claimed what, who contradicted whom, who voted how, whom you trust. It replaces what you have (at most ${LONGEST_NOTE} characters), so keep what still matters. meeting_scratch is erased after this: leave it null.`,
} as const;
/** A thought and two pages of notes, or one whole page. */
const NOTES_TOKENS = { reaction: 800, consolidation: 1200 } as const;

export type NotesKind = keyof typeof NOTES_WANTED;

/** The prompt of the last two ticks, for the living and for ghosts. `writeUser` gets the section that asks. */
export function buildNotes(
  kind: NotesKind,
  table: Pick<TableView, 'rules' | 'ship'>,
  writeUser: (wanted: string) => readonly Block[],
): PromptParts {
  return {
    system: buildSystem(table, 'table', NOTES_REPLY),
    user: writeUser(writeSection('Now', [NOTES_WANTED[kind]])),
    schema: NOTES_SCHEMA,
    schemaNow: NOTES_NOW[kind],
    schemaName: 'notes',
    maxTokens: NOTES_TOKENS[kind],
  };
}

function writeResult({ you, table: { announced } }: LivingView): string {
  const reveal = writeReveal(announced);
  return announced?.ejected === you.colour
    ? `${reveal}\nYou are the ejected player: from now on you are a ghost.`
    : reveal;
}

export function buildNotesPrompt(
  kind: NotesKind,
  view: LivingView,
  identity: Identity,
): PromptParts {
  const announced = writeResult(view);
  return buildNotes(kind, view.table, (wanted) =>
    buildMeetingUser(view, identity, { announced, wanted }),
  );
}
