/** A copy of the options with one more of each kind, and with a new default of `buttons`. */
import * as rows from '../../../machines/rules/optionRows.ts';
import { VERSIONS } from '../../../machines/versions.ts';

export const { countImpostors, FEWEST_SEATS, MOST_SEATS, RECOMMENDED, SILENCE_OPTIONS } = rows;

export const GAME_OPTIONS: readonly rows.OptionRow[] = [
  ...rows.GAME_OPTIONS.map((row) =>
    row.key === 'buttons'
      ? { ...row, default: 3, earlier: [{ until: VERSIONS.rules, default: row.default }] }
      : row,
  ),
  {
    key: 'lifeboats',
    yaml: 'lifeboats',
    type: 'number',
    range: { least: 0, most: 4, step: 1 },
    default: ({ players }) => Math.min(4, players),
    source: 'ours',
    help: 'Boats that nobody can use',
  },
];

export const MEETING_OPTIONS: readonly rows.OptionRow[] = [
  ...rows.MEETING_OPTIONS,
  {
    key: 'gavel',
    yaml: 'gavel',
    type: 'switch',
    default: false,
    source: 'ours',
    help: 'Whether a gavel lies on the table',
  },
];
