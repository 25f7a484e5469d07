/** `glassbox persona`: shows and changes the careers and lessons of personas. */

import { LOOKING, type StoreFlags, withStore } from '../actors/league/leagueStore.ts';
import {
  type ChangedMemory,
  enrolPersona,
  findPersona,
  forgetLessons,
  idOfNew,
  rollBackMemory,
} from '../actors/league/personas.ts';
import type { PersonaMemory, PersonaName } from '../actors/stores/persona.ts';
import { describePersona } from '../actors/stores/result.ts';
import type { Store } from '../actors/stores/store.ts';
import { formatPercent, pluralize } from '../machines/text.ts';
import { MOST_LESSONS } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { fitColumns, type TableColumn, wrapLine } from '../visualizer/terminal/table.ts';
import { createStoreOption, parseCount, WIDE_OPTION } from './flags.ts';
import { print, printJson, textWidth } from './output.ts';
import type { ProgramCommand } from './usage.ts';

type PersonaFlags = StoreFlags & {
  readonly model?: string;
  readonly learned?: readonly string[];
  readonly lesson?: number;
  readonly history?: boolean;
  readonly wide?: boolean;
  readonly json?: boolean;
};

const MOST_VERSIONS = 1_000_000;

const ID = ['<id>', 'the id of a persona, such as scripted_dry_joker'] as const;

export function addPersona(program: ProgramCommand): void {
  const persona = program
    .command('persona')
    .usage('<command>')
    .helpCommand('help [command]', 'show help')
    .description(
      'Shows and changes what personas of leagues have done and learned. The same model under two names is two personas, which share nothing.',
    );
  addViews(persona);
  addLessons(persona);
}

function addPart(
  persona: ProgramCommand,
  name: string,
  summary: string,
  description: string,
): ProgramCommand {
  return persona
    .command(name)
    .summary(summary)
    .description(description)
    .addOption(createStoreOption())
    .option('--json', 'print it as JSON');
}

function addViews(persona: ProgramCommand): void {
  addPart(persona, 'list', 'list all personas', 'Lists all personas, with their games and lessons.')
    .option(...WIDE_OPTION)
    .action(listPersonas);
  addPart(
    persona,
    'show',
    'see a persona',
    'Prints the career and the lessons of a persona, and the game of each lesson.',
  )
    .argument(...ID)
    .option('--history', 'every version of its memory in the store')
    .examples(['persona show scripted_dry_joker', 'print what it knows'])
    .action(showPersona);
}

function addLessons(persona: ProgramCommand): void {
  addPart(
    persona,
    'new',
    'add a persona',
    'Adds a persona to the store before its first game, with its first lessons.',
  )
    .argument('<name>', 'its name, as in a league file')
    .option('--model <model>', 'the model that plays it; default: the offline mind')
    .option('--learned <lesson...>', 'lessons before its first game')
    .action(addPersonaTo);
  addPart(
    persona,
    'forget',
    'make a persona forget',
    'Makes a persona forget all its lessons, or one of them. Its games still count.',
  )
    .argument(...ID)
    .option('--lesson <n>', 'only this one, by its number in "show"', parseCount(1, MOST_LESSONS))
    .action(async (id: string, flags: PersonaFlags) => {
      await changePersona(flags, (store) => forgetLessons(store, id, flags.lesson));
    });
  addPart(
    persona,
    'rollback',
    'go back to an earlier memory',
    'Gives a persona the memory of an earlier version, as a new version.',
  )
    .argument(...ID)
    .requiredOption('--to <version>', 'the version', parseCount(0, MOST_VERSIONS))
    .action(async (id: string, flags: PersonaFlags & { readonly to: number }) => {
      await changePersona(flags, (store) => rollBackMemory(store, id, flags.to));
    });
}

async function listPersonas(flags: PersonaFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const personas = [];
    for (const id of await store.personas()) {
      const { career, memory } = await findPersona(store, id);
      personas.push(describePersona(career, memory));
    }
    if (flags.json) printJson({ type: 'persona.list', v: 1, personas });
    else if (personas.length === 0) print('There is no persona in this store yet.');
    else {
      const fit = { width: textWidth(flags), more: '--wide shows all.' };
      print(fitColumns(COLUMNS, personas, fit).join('\n'));
    }
  });
}

async function showPersona(typed: string, flags: PersonaFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const { id, career, memory } = await findPersona(store, typed);
    const history = flags.history ? await store.history(id) : [];
    const document = describePersona(career, memory);
    if (flags.json) printJson({ ...document, ...(flags.history ? { history } : {}) });
    else print(renderPersona(document, career.persona, history));
  });
}

/** Adding a persona may be the first use of a store. */
const ENROLLING = { ...LOOKING, makesFile: true };

async function addPersonaTo(name: string, flags: PersonaFlags): Promise<void> {
  const { model, learned = [], json = false } = flags;
  const persona = { name, model, learned };
  const id = idOfNew(persona);
  await withStore(flags, ENROLLING, async (store) => {
    const lessons = await enrolPersona(store, persona);
    if (json) printJson({ type: 'persona.enrolled', v: 1, persona_id: id, lessons });
    else print(`${clean(id)} is added and knows ${pluralize(lessons.length, 'lesson')}.`);
  });
}

async function changePersona(
  flags: PersonaFlags,
  change: (store: Store) => Promise<ChangedMemory>,
): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const { id, version, lessons } = await change(store);
    if (flags.json) printJson({ type: 'persona.changed', v: 1, persona_id: id, version, lessons });
    else print(`${clean(id)} knows ${pluralize(lessons, 'lesson')} now (version ${version}).`);
  });
}

type ListedPersona = ReturnType<typeof describePersona>;

const COLUMNS: readonly TableColumn<ListedPersona>[] = [
  ['persona', 'always', (one) => clean(one.persona_id)],
  ['games', 5, (one) => String(one.games_played)],
  ['seats', 1, (one) => String(one.seats_played)],
  ['won', 6, (one) => formatRate(one.win_rate)],
  ['as impostor', 3, (one) => formatRate(one.impostor_win_rate)],
  ['as crew', 2, (one) => formatRate(one.crewmate_win_rate)],
  ['lessons', 4, (one) => String(one.learned.lessons.length)],
];

/** A lesson goes on behind its number. */
const LESSON_INDENT = 3;

function renderPersona(
  one: ListedPersona,
  { model, name }: PersonaName,
  history: readonly PersonaMemory[],
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
  return rows.flatMap((row) => wrapLine(row, textWidth(), LESSON_INDENT)).join('\n');
}

function renderVersion({ version, why, lessons, barrier }: PersonaMemory): string {
  const at = barrier === '' ? '' : `, at ${clean(barrier)}`;
  return `version ${version}: ${why}${at}, ${pluralize(lessons.length, 'lesson')}`;
}

function formatRate(rate: number | null): string {
  return rate === null ? '–' : formatPercent(rate);
}
