/** One meeting on its own, in a table. */
import type { SeatStats, SingleMeeting } from '../../analysis/statistics/meeting.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { accountText } from './account.ts';
import { table } from './table.ts';

const TITLES = ['player', 'role', 'said', 'votes', 'faults'];

/** What everybody did, and what the columns mean. */
export function meetingTable(meeting: SingleMeeting): string {
  const { seed, outcome, ejected, ejectedRole, ticks, messages, players } = meeting;
  const who = ejected === null ? '' : ` ${ejected} (${ejectedRole})`;
  return [
    `seed ${seed}: ${outcome}${who}, ${ticks} ticks, ${messages} messages`,
    '',
    ...table([TITLES, ...players.map(rowOf)]),
    '',
    'votes: against impostors, against crew, skipped, missed',
    '',
    ...accountText(
      'player',
      players.map(({ seat, account }) => ({ name: seat, account })),
    ),
  ].join('\n');
}

function rowOf({ seat, role, persona, messages, votes, faults }: SeatStats): readonly string[] {
  return [
    clean(persona === '' ? seat : `${seat}, ${persona}`),
    role,
    String(messages),
    [votes.impostor, votes.crewmate, votes.skip, votes.missed].join(' / '),
    String(faults),
  ];
}
