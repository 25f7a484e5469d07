/** The record in words: the public record, the player's own past, and for ghosts the truth. */

import { SECONDS_PER_ROUND } from '../machines/rules/options.ts';
import {
  type AnnouncedResult,
  impostorsRemaining,
  type MeetingRecord,
  meetingNumber,
  type OwnDeed,
  type OwnPast,
  type PlayerLoss,
  type PublicCall,
  type PublicRecord,
  type SecretDeed,
  type WorldTruth,
} from '../machines/rules/record.ts';
import type { DeedOfRound } from '../machines/rules/ship/views.ts';
import type { ShipTruth, Truth } from '../machines/rules/views.ts';
import type { Colour } from '../machines/types.ts';
import { remember, writeSection } from './block.ts';

export const writeRecord = remember((record: PublicRecord, isAtTable: boolean) => {
  const { meetings, bar } = record;
  return writeSection('The game so far', [
    writeImpostorCount(record),
    isAtTable
      ? `This is meeting ${meetingNumber(record)}.`
      : `Meetings so far: ${meetings.length}.`,
    ...meetings.map((held, index) => `- Meeting ${index + 1}: ${writeMeeting(held)}`),
    ...listLosses(record.losses),
    isAtTable && bar !== null ? `Tasks of the whole crew: ${bar.done} of ${bar.all} steps.` : '',
  ]);
});

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

export function writeCall({ by, kind, body, place }: PublicCall): string {
  const where = place === null ? '' : ` in ${place}`;
  return kind === 'body'
    ? `${by} reported the body of ${body}${where}`
    : `${by} pressed the button`;
}

function writeMeeting({ call, result }: MeetingRecord): string {
  if (result === null) return `${writeCall(call)}. It ended without a count.`;
  const votes = writeVotes(result, '(void)') || 'No votes.';
  return `${writeCall(call)}. ${result.sentence ?? ''} ${votes}`.replace(/ {2,}/g, ' ');
}

/** Empty if nobody voted. */
export function writeVotes({ ballots }: AnnouncedResult, isVoid: string): string {
  const votes = ballots.map(
    (one) => `${one.voter ?? 'a player'}→${one.ballot}${one.void ? ` ${isVoid}` : ''}`,
  );
  return votes.length === 0 ? '' : `Votes: ${votes.join(', ')}.`;
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

/** Deeds after the last of `held` meetings are dated by the end of the game. */
export function writePast({ deeds, votes }: OwnPast, held?: number): string {
  return writeDeeds(deeds, votes, held);
}

const writeDeeds = remember((deeds: OwnPast['deeds'], cast: OwnPast['votes'], held?: number) => {
  const stretches = Map.groupBy(deeds, ({ meeting }) => meeting);
  const lines = [...stretches].map(([meeting, done]) => {
    const what = meeting > (held ?? Infinity) ? 'the end' : `meeting ${meeting}`;
    const told = done.map((deed) => `${writeDeed(deed)} (${deed.ago} s)`);
    return `- Before ${what} you ${told.join('; ')}`;
  });
  const votes = cast.map(({ meeting, ballot }) => `${ballot ?? 'none'} at meeting ${meeting}`);
  return writeSection('What you did yourself', [
    ...lines,
    votes.length === 0 ? '' : `- Your votes: ${votes.join(', ')}`,
  ]);
});

export function writeDeedsSince(deeds: readonly DeedOfRound[]): string {
  return writeSection(
    'What you did since then',
    deeds.map((deed) => `- ${deed.round * SECONDS_PER_ROUND} s: you ${writeDeed(deed)}`),
  );
}

const VENTED = {
  in: 'climbed into a vent',
  through: 'crawled on by vent',
  out: 'climbed out of a vent',
};

function writeDeed(deed: OwnDeed | SecretDeed): string {
  switch (deed.type) {
    case 'kill':
      return `killed ${deed.victim} in ${deed.place}`;
    case 'vent':
      return `${VENTED[deed.how]} in ${deed.place}`;
    case 'sabotage':
      return `sabotaged ${deed.system}`;
    case 'shut':
      return `shut the doors of ${deed.room}`;
    case 'fake':
      return `faked a task in ${deed.place}`;
    case 'fix':
      return `helped to fix ${deed.system}`;
    case 'task':
      return `${deed.done ? 'finished' : 'worked on'} ${deed.task} in ${deed.place}`;
  }
}

/** The ghosts' knowledge of the game, without any mind's thoughts. Ballots come in later and follow separately. */
export const listTruth = remember(
  (
    { seats, world, kills }: ShipTruth,
    record: PublicRecord,
    isAtTable: boolean,
  ): readonly string[] => {
    const when = isAtTable ? ' at the call' : '';
    const rows = seats.map(({ colour, role, standing }) => {
      const place = world?.places[colour];
      const tasks = world?.tasks[colour];
      const impostor = world?.impostors[colour];
      const facts = [
        `${colour}: ${role}, ${standing}`,
        place && `in ${place}${when}`,
        impostor?.hidden && 'inside a vent',
        impostor?.faking && 'faking a task',
        impostor && `can kill ${writeDelay(impostor.wait)}`,
        tasks && `tasks ${tasks.done} of ${tasks.of} steps`,
      ];
      return `- ${facts.filter((fact) => fact).join(', ')}`;
    });
    const stretches = Map.groupBy(world?.deeds ?? kills ?? [], ({ meeting }) => meeting);
    const current = isAtTable ? null : meetingNumber(record);
    const deeds = [...stretches].map(([meeting, all]) => {
      const isCurrent = meeting === current;
      const told = all.map(
        (deed) => `${isCurrent ? deed.at : deed.ago} s ${deed.by} ${writeDeed(deed)}`,
      );
      return `- ${isCurrent ? 'Seconds of the game' : `Seconds before meeting ${meeting}`}: ${told.join('; ')}`;
    });
    return [
      ...rows,
      world === null ? '' : `${isAtTable ? 'At the call' : 'Now'}: ${writeShip(world)}`,
      deeds.length === 0 ? '' : 'What nobody living was told:',
      ...deeds,
    ];
  },
);

function writeShip({ crisis, sabotageWait, shut }: WorldTruth): string {
  const left = crisis?.seconds == null ? '' : `, ${crisis.seconds} s left`;
  const sabotage = crisis === null ? 'none' : `${crisis.system}${left}`;
  return `sabotage ${sabotage}; the next one possible ${writeDelay(sabotageWait)}; doors shut: ${shut.join(', ') || 'none'}`;
}

export function writeDelay(seconds: number): string {
  return seconds <= 0 ? 'now' : `in ${seconds} s`;
}

export function writeDeath(victim: Colour, truth: ShipTruth | null): string {
  const deeds = truth?.world?.deeds ?? truth?.kills;
  const kill = deeds?.find((deed) => deed.type === 'kill' && deed.victim === victim);
  const how = kill?.type === 'kill' ? `${kill.by} killed you in ${kill.place}` : 'a ghost';
  return `You are dead: ${how}.`;
}

/** The ballots so far, which the living do not see before the reveal. */
export function writeBallots({ seats, ballots }: Truth): string {
  const votes = seats.flatMap(({ colour }) => {
    const ballot = ballots[colour];
    return ballot === undefined ? [] : [`${colour}→${ballot}`];
  });
  return writeSection('The ballots (ghosts only)', [
    votes.length === 0 ? '' : `${votes.join(', ')}.`,
  ]);
}
