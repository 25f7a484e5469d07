/** The totals of many games, in words and tables for people. */
import type { Rate, RoleTotals, Totals } from '../../analysis/statistics/totals.ts';
import { formatShare } from '../output.ts';
import { accountText } from './account.ts';
import { table } from './table.ts';

/** All that is counted. */
export function totalsText(totals: Totals): string {
  const { games, wins, reasons, rounds, meetings, calls, ejections, rightEjections } = totals;
  const mean = (sum: number) => (games === 0 ? '0' : (sum / games).toFixed(1));
  return [
    `${games} games, ${mean(rounds)} rounds and ${mean(meetings)} meetings each`,
    '',
    ...table([
      ['crew wins', ...told(wins.crew)],
      ['impostors win', ...told(wins.impostors)],
      ...reasons.map(([how, times]) => [`  ${how}`, String(times)]),
      ['meetings', String(meetings), `${calls.body} for a body, ${calls.button} by the button`],
      ['somebody ejected', ...told(ejections)],
      ['an impostor ejected', ...told(rightEjections)],
    ]),
    '',
    ...rolesTable(totals.roles),
    '',
    ...accountText('', [
      { name: 'crewmates', account: totals.account.crewmate },
      { name: 'impostors', account: totals.account.impostor },
    ]),
    ...(totals.singles === 0
      ? []
      : [`In this table only: ${totals.singles} meetings on their own.`]),
    '',
    'Shares with their 95 % intervals (Wilson), as if all cases were independent of each other.',
  ].join('\n');
}

function rolesTable({ crewmate, impostor }: Totals['roles']): readonly string[] {
  const row = (title: string, cell: (role: RoleTotals) => string) => {
    return [title, cell(crewmate), cell(impostor)];
  };
  const rate = (title: string, of: (role: RoleTotals) => Rate) =>
    row(title, (role) => told(of(role)).join('  '));
  const number = (title: string, of: (role: RoleTotals) => number) =>
    row(title, (role) => String(of(role)));
  return table([
    ['', 'crewmates', 'impostors'],
    number('players', ({ players }) => players),
    rate('survived', ({ survived }) => survived),
    rate('messages of all', ({ speaking }) => speaking),
    rate('meetings unheard', ({ unheard }) => unheard),
    rate('votes on impostors', ({ accuracy }) => accuracy),
    rate('votes to skip', ({ skipped }) => skipped),
    number('votes missed', ({ missed }) => missed),
    rate('claims not true', ({ falsehoods }) => falsehoods),
    number('claims untold', ({ unverifiable }) => unverifiable),
    number('kills', ({ kills }) => kills),
    number('tasks finished', ({ tasksDone }) => tasksDone),
    number('faults', ({ faults }) => faults),
    number('intents refused', ({ refused }) => refused),
  ]);
}

/** "112 of 200" and "56 %, 49 to 63". */
function told({ hits, cases, interval }: Rate): readonly string[] {
  return [`${hits} of ${cases}`, interval === null ? '' : formatShare(interval)];
}
