/** The players of one game, in a table. */
import type { GameStats, PlayerStats } from '../../analysis/statistics/game.ts';
import { howItEnded } from '../../analysis/statistics/totals.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { accountText } from './account.ts';
import { table } from './table.ts';

const TITLES = ['player', 'role', 'fate', 'said', 'votes', 'kills', 'tasks', 'claims', 'faults'];

/** What everybody did, and what the columns mean. */
export function playersTable(game: GameStats): string {
  const { seed, rounds, meetings, players } = game;
  const ejected = meetings.flatMap(({ ejected: who, ejectedRole }) =>
    who === null ? [] : [`${who} (${ejectedRole})`],
  );
  return [
    `seed ${seed}: ${howItEnded(game)}, ${rounds} rounds, ${meetings.length} meetings`,
    `ejected: ${ejected.length === 0 ? 'nobody' : ejected.join(', ')}`,
    '',
    ...table([TITLES, ...players.map(rowOf)]),
    '',
    'said: messages, and their share where one was alive · votes: against impostors, against crew, skipped, missed',
    'tasks: finished, steps · claims of place and time: true, false, not to be told',
    '',
    ...accountText(
      'player',
      players.map(({ seat, account }) => ({ name: seat, account })),
    ),
  ].join('\n');
}

function rowOf(player: PlayerStats): readonly string[] {
  const { seat, role, persona, fate, until, messages, heard, votes, tasks, claims } = player;
  const share = heard === 0 ? '' : ` (${Math.round((100 * messages) / heard)} %)`;
  return [
    clean(persona === '' ? seat : `${seat}, ${persona}`),
    role,
    until === null ? fate : `${fate}, round ${until}`,
    `${messages}${share}`,
    [votes.impostor, votes.crewmate, votes.skip, votes.missed].join(' / '),
    String(player.kills),
    role === 'impostor' ? '' : `${tasks.done} (${tasks.steps})`,
    [claims.true, claims.false, claims.unverifiable].join(' / '),
    String(player.faults),
  ];
}
