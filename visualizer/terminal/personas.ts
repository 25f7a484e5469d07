import { formatPercent, pluralize } from '../../machines/text.ts';
import { clean } from './layout.ts';
import { fitColumns, type TableColumn, wrapLine } from './table.ts';

type ListedPersona = {
  readonly persona_id: string;
  readonly learned: Memory;
  readonly games_played: number;
  readonly seats_played: number;
  readonly win_rate: number | null;
  readonly impostor_win_rate: number | null;
  readonly crewmate_win_rate: number | null;
};

type Memory = {
  readonly version: number;
  readonly lessons: readonly { readonly text: string; readonly from: string }[];
};
type PastMemory = Memory & { readonly why: string; readonly barrier: string };

const COLUMNS: readonly TableColumn<ListedPersona>[] = [
  ['persona', 'always', (one) => clean(one.persona_id)],
  ['games', 5, (one) => String(one.games_played)],
  ['seats', 1, (one) => String(one.seats_played)],
  ['won', 6, (one) => formatRate(one.win_rate)],
  ['as impostor', 3, (one) => formatRate(one.impostor_win_rate)],
  ['as crew', 2, (one) => formatRate(one.crewmate_win_rate)],
  ['lessons', 4, (one) => String(one.learned.lessons.length)],
];

export function renderPersonas(personas: readonly ListedPersona[], width: number): string {
  return fitColumns(COLUMNS, personas, { width, more: '--wide shows all.' }).join('\n');
}

/** A lesson goes on behind its number. */
const LESSON_INDENT = 3;

export function renderPersona(
  one: ListedPersona,
  { model, name }: { readonly model: string; readonly name: string },
  { history, width }: { readonly history: readonly PastMemory[]; readonly width: number },
): string {
  const { games_played: games, seats_played: seats } = one;
  const { version, lessons } = one.learned;
  const rates = `won ${formatRate(one.win_rate)}, as impostor ${formatRate(one.impostor_win_rate)}, as crewmate ${formatRate(one.crewmate_win_rate)}`;
  const rows = [
    `${clean(one.persona_id)}: ${clean(name)}, played by ${clean(model)}`,
    games === 0
      ? 'no games yet'
      : `${pluralize(games, 'game')} in ${pluralize(seats, 'seat')}: ${rates}`,
    '',
    lessons.length === 0 ? 'It has learned nothing yet.' : `Lessons (version ${version}):`,
    ...lessons.flatMap(({ text, from }, index) => [
      `${String(index + 1).padStart(3)}  ${clean(text)}`,
      `     from ${clean(from)}`,
    ]),
    ...history.map(renderVersion),
  ];
  return rows.flatMap((row) => wrapLine(row, width, LESSON_INDENT)).join('\n');
}

function renderVersion({ version, why, lessons, barrier }: PastMemory): string {
  const at = barrier === '' ? '' : `, at ${clean(barrier)}`;
  return `version ${version}: ${why}${at}, ${pluralize(lessons.length, 'lesson')}`;
}

function formatRate(rate: number | null): string {
  return rate === null ? '–' : formatPercent(rate);
}
