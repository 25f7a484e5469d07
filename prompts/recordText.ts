/** The record in words: the public record, the player's own past, and for ghosts the truth. */

import { SECONDS_PER_ROUND } from '../machines/rules/options.ts';
import {
  type DatedDeed,
  impostorsRemaining,
  type MeetingRecord,
  meetingNumber,
  type OwnDeed,
  type OwnPast,
  type PlayerLoss,
  type PublicCall,
  type PublicRecord,
} from '../machines/rules/record.ts';
import type { DeedOfRound } from '../machines/rules/ship/views.ts';
import type { Truth } from '../machines/rules/views.ts';
import { writeSection } from './block.ts';

/** At the table it includes the number of the current meeting. */
export function writeRecord(record: PublicRecord, isAtTable: boolean): string {
  const { meetings, bar } = record;
  return writeSection('The game so far (everybody knows this)', [
    writeImpostorCount(record),
    isAtTable
      ? `This is meeting ${meetingNumber(record)}.`
      : `Meetings so far: ${meetings.length}.`,
    ...meetings.map((held, index) => `- Meeting ${index + 1}: ${writeMeeting(held)}`),
    ...listLosses(record.losses),
    isAtTable && bar !== null ? `Tasks of the whole crew: ${bar.done} of ${bar.all} steps.` : '',
  ]);
}

function writeImpostorCount(record: PublicRecord): string {
  const { impostors, meetings } = record;
  const left = impostorsRemaining(record);
  const start = impostors === null ? 'The number of impostors is not announced.' : '';
  if (impostors === null)
    return left === null ? start : `${start} Left at the last reveal: ${left}.`;
  const count = `Impostors at the start: ${impostors}.`;
  if (left === null) return `${count} How many are left has not been announced.`;
  return meetings.length === 0 ? count : `${count} Left, as last announced: ${left}.`;
}

/** "red reported the body of blue in Electrical" */
export function writeCall({ by, kind, body, place }: PublicCall): string {
  const where = place === null ? '' : ` in ${place}`;
  return kind === 'body'
    ? `${by} reported the body of ${body}${where}`
    : `${by} pressed the button`;
}

function writeMeeting({ call, result }: MeetingRecord): string {
  if (result === null) return `${writeCall(call)}. It ended without a count.`;
  const ballots = result.ballots.map(
    ({ voter, ballot, void: isVoid }) =>
      `${voter ?? 'a player'} ${ballot}${isVoid ? ' (void)' : ''}`,
  );
  const votes = ballots.length === 0 ? 'No votes.' : `Votes: ${ballots.join(', ')}.`;
  return `${writeCall(call)}. ${result.sentence ?? ''} ${votes}`.replace(/ {2,}/g, ' ');
}

const HOW: Readonly<Record<PlayerLoss['how'], string>> = {
  killed: 'Killed',
  ejected: 'Ejected',
  left: 'Left the game',
};

/** "Killed before meeting 2: blue, tan." Killed, ejected and departed players are listed separately. */
function listLosses(losses: readonly PlayerLoss[]): readonly string[] {
  const groups = Map.groupBy(
    losses,
    ({ how, where, meeting }) =>
      `${HOW[how]} ${where === 'ship' ? 'before' : 'at'} meeting ${meeting}`,
  );
  return [...groups].map(([what, all]) => `${what}: ${all.map(({ who }) => who).join(', ')}.`);
}

export function writePast(past: OwnPast): string {
  const stretches = Map.groupBy(past.deeds, ({ meeting }) => meeting);
  const lines = [...stretches].map(
    ([meeting, deeds]) =>
      `- Seconds before meeting ${meeting}: ${deeds.map((deed) => `${deed.ago} s ${writeDeed(deed)}`).join('; ')}`,
  );
  const votes = past.votes.map(
    ({ meeting, ballot }) => `${ballot ?? 'none'} at meeting ${meeting}`,
  );
  return writeSection('What you did yourself', [
    ...lines,
    votes.length === 0 ? '' : `- Your votes: ${votes.join(', ')}`,
  ]);
}

export function writeDeedsSince(deeds: readonly DeedOfRound[]): string {
  return writeSection(
    'What you did since then',
    deeds.map((deed) => `- ${deed.round * SECONDS_PER_ROUND} s: ${writeDeed(deed)}`),
  );
}

const VENTED = {
  in: 'climbed into a vent',
  through: 'crawled on by vent',
  out: 'climbed out of a vent',
};

function writeDeed(deed: OwnDeed): string {
  switch (deed.type) {
    case 'kill':
      return `you killed ${deed.victim} in ${deed.place}`;
    case 'vent':
      return `you ${VENTED[deed.how]} in ${deed.place}`;
    case 'sabotage':
      return `you sabotaged ${deed.system}`;
    case 'shut':
      return `you shut the doors of ${deed.room}`;
    case 'fix':
      return `you helped to fix ${deed.system}`;
    case 'task':
      return `you ${deed.done ? 'finished' : 'did a step of'} ${deed.task} in ${deed.place}`;
  }
}

/**
 * The ghosts' knowledge of the game, without any mind's thoughts. It is complete at the call. The ballots follow
 * separately, because they come in during the meeting.
 */
export function writeTruth({ seats, world }: Truth): string {
  const rows = seats.map(({ colour, role, standing }) => {
    const [place, tasks] = [world?.places[colour], world?.tasks[colour]];
    return `- ${[
      `${colour}: ${role}, ${standing}`,
      ...(place === undefined ? [] : [`was in ${place} at the call`]),
      ...(tasks === undefined ? [] : [`tasks ${tasks.done} of ${tasks.of} steps`]),
    ].join(', ')}`;
  });
  const deeds = (world?.deeds ?? []).map((deed) => `- ${writeSecretDeed(deed)}`);
  return writeSection('The truth (ghosts only)', [
    ...rows,
    deeds.length === 0 ? '' : 'What nobody living was told:',
    ...deeds,
  ]);
}

/** The ballots so far, which the living do not see before the reveal. */
export function writeBallots({ seats, ballots }: Truth): string {
  const votes = seats.flatMap(({ colour }) => {
    const ballot = ballots[colour];
    return ballot === undefined ? [] : [`${colour} voted ${ballot}`];
  });
  return writeSection('The ballots (ghosts only)', [
    votes.length === 0 ? '' : `${votes.join(', ')}.`,
  ]);
}

function writeSecretDeed(deed: DatedDeed): string {
  const when = `${deed.ago} s before meeting ${deed.meeting}`;
  switch (deed.type) {
    case 'kill':
      return `${deed.by} killed ${deed.victim} in ${deed.place}, ${when}`;
    case 'vent':
      return `${deed.by} climbed ${deed.how === 'in' ? 'into' : 'out of'} a vent in ${deed.place}, ${when}`;
    case 'sabotage':
      return `${deed.by} sabotaged ${deed.system}, ${when}`;
  }
}
