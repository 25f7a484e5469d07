/** A prompt at the table: shared rules, the transcript as far as it goes, and the private tail. */
import type { LivingView } from '../machines/rules/views.ts';
import { openingText, presenceText } from './announcement.ts';
import { type Block, own, sections, shared } from './block.ts';
import type { Identity } from './identity.ts';
import { MEETING_RULES } from './rules.ts';
import { impostorText, noticesText, padsText, seenText, selfText } from './self.ts';
import { datedBrief } from './sightings.ts';
import { TRANSCRIPT_END, transcriptBlocks } from './transcript.ts';

/** Rules, and how to answer on this occasion. */
export function meetingSystem({ table }: LivingView, reply: string): readonly Block[] {
  return [shared(MEETING_RULES[table.rules]), shared(`\n\n${reply}`)];
}

/** What was said, and then what only this player is told. `now` says what is wanted. */
export function meetingUser(
  { you, table }: LivingView,
  identity: Identity,
  now: { readonly announced?: string; readonly advised?: boolean; readonly wanted: string },
): readonly Block[] {
  return [
    shared(`${openingText(table.call, table.seats, table.confirmEjects)}\n\n`),
    ...transcriptBlocks(table.transcript),
    own(
      `${TRANSCRIPT_END}\n\n${sections(
        presenceText(table),
        now.announced ?? '',
        selfText(you, identity),
        seenText(
          datedBrief(you.brief.sightings),
          you.colour,
          'before the meeting',
          you.brief.notes,
        ),
        padsText(you.pads),
        noticesText(you.notices),
        now.advised === true ? impostorText(you, identity) : '',
        now.wanted,
      )}`,
    ),
  ];
}
