/** `glassbox persona`: shows and changes the careers and lessons of personas. */

import type { Command } from 'commander';
import { suggestWord } from '../actors/engine/suggestion.ts';
import { createFailure, EXIT, type ExitCode } from '../actors/files/failure.ts';
import { cleanLessons } from '../actors/league/knowledge.ts';
import { LOOKING, type StoreFlags, withStore } from '../actors/league/leagueStore.ts';
import { personaNameOf } from '../actors/league/plan.ts';
import {
  BLANK_MEMORY,
  checkName,
  type MemoryChange,
  normaliseId,
  type PersonaMemory,
  personaId,
} from '../actors/stores/persona.ts';
import { type Career, describePersona } from '../actors/stores/result.ts';
import type { Store } from '../actors/stores/store.ts';
import { formatPercent } from '../machines/text.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { type ColumnWorth, fitTable, wrapLine } from '../visualizer/terminal/table.ts';
import { createStoreOption, parseCount, WIDE_OPTION } from './flags.ts';
import { print, printJson, textWidth } from './output.ts';
import { formatExamples } from './usage.ts';

type PersonaFlags = StoreFlags & {
  readonly model?: string;
  readonly learned?: readonly string[];
  readonly lesson?: number;
  readonly history?: boolean;
  readonly wide?: boolean;
  readonly json?: boolean;
};

const MOST_VERSIONS = 1_000_000;
/** A memory holds no more. */
const MOST_LESSONS = 10;

const ID = ['<id>', 'the id of a persona, such as scripted_dry_joker'] as const;

export function addPersona(program: Command): void {
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

function addPart(persona: Command, name: string, summary: string, description: string): Command {
  return persona
    .command(name)
    .summary(summary)
    .description(description)
    .addOption(createStoreOption())
    .option('--json', 'print it as JSON');
}

function addViews(persona: Command): void {
  addPart(persona, 'list', 'list all personas', 'Lists all personas, with their games and lessons.')
    .option(...WIDE_OPTION)
    .action(async (flags: PersonaFlags) => {
      process.exitCode = await listPersonas(flags);
    });
  addPart(
    persona,
    'show',
    'see a persona',
    'Prints the career and the lessons of a persona, and the game of each lesson.',
  )
    .argument(...ID)
    .option('--history', 'every version of its memory in the store')
    .addHelpText(
      'after',
      formatExamples(['persona show scripted_dry_joker', 'print what it knows']),
    )
    .action(async (id: string, flags: PersonaFlags) => {
      process.exitCode = await showPersona(id, flags);
    });
}

function addLessons(persona: Command): void {
  addPart(
    persona,
    'new',
    'add a persona',
    'Adds a persona to the store before its first game, with its first lessons.',
  )
    .argument('<name>', 'its name, as in a league file')
    .option('--model <model>', 'the model that plays it; default: the offline mind')
    .option('--learned <lesson...>', 'lessons before its first game')
    .action(async (name: string, flags: PersonaFlags) => {
      process.exitCode = await enrolPersona(name, flags);
    });
  addPart(
    persona,
    'forget',
    'make a persona forget',
    'Makes a persona forget all its lessons, or one of them. Its games still count.',
  )
    .argument(...ID)
    .option('--lesson <n>', 'only this one, by its number in "show"', parseCount(1, MOST_LESSONS))
    .action(async (id: string, flags: PersonaFlags) => {
      process.exitCode = await forgetLessons(id, flags);
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
      process.exitCode = await rollBackMemory(id, flags);
    });
}

/** A persona that is there, with its memory. */
type KnownPersona = {
  readonly id: string;
  readonly career: Career;
  readonly memory: PersonaMemory;
};

/** Finds a persona by an id that was typed. */
async function findPersona(store: Store, typed: string): Promise<KnownPersona> {
  const refusal = checkName('persona', typed);
  if (refusal !== null) throw createFailure(EXIT.usage, refusal.code, refusal.text);
  const id = normaliseId(typed);
  const career = await store.career(id);
  if (career !== null) return { id, career, memory: (await store.memory(id)) ?? BLANK_MEMORY };
  const all = await store.personas();
  // A name alone means the persona of that name, whatever its model is.
  const near = all.find((each) => each.endsWith(`_${id}`)) ?? suggestWord(id, all);
  const help = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const text = `there is no persona ${JSON.stringify(id)} in this store${help}`;
  throw createFailure(EXIT.noInput, 'persona/unknown', text);
}

async function listPersonas(flags: PersonaFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const rows: KnownPersona[] = [];
    for (const id of await store.personas()) rows.push(await findPersona(store, id));
    if (flags.json) {
      const personas = rows.map(({ career, memory }) => describePersona(career, memory));
      printJson({ type: 'persona.list', v: 1, personas });
    } else if (rows.length === 0) print('There is no persona in this store yet.');
    else print(renderPersonas(rows, textWidth(flags)));
    return EXIT.done;
  });
}

const LIST_WORTH: ColumnWorth = ['always', 5, 1, 6, 3, 2, 4];

function renderPersonas(rows: readonly KnownPersona[], width: number): string {
  const body = rows.map(({ id, career, memory }) => {
    const {
      games_played: games,
      seats_played: seats,
      win_rate,
      impostor_win_rate,
      crewmate_win_rate,
    } = describePersona(career, memory);
    const rates = [win_rate, impostor_win_rate, crewmate_win_rate].map(formatRate);
    return [clean(id), String(games), String(seats), ...rates, String(memory.lessons.length)];
  });
  const titles = ['persona', 'games', 'seats', 'won', 'as impostor', 'as crew', 'lessons'];
  const more = '--wide shows all.';
  return fitTable([titles, ...body], { width, worth: LIST_WORTH, more }).join('\n');
}

async function showPersona(typed: string, flags: PersonaFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const { id, career, memory } = await findPersona(store, typed);
    const history = flags.history ? await store.history(id) : [];
    if (flags.json) {
      const document = describePersona(career, memory);
      printJson({ ...document, ...(flags.history ? { history } : {}) });
    } else {
      const rows = [...renderPersona(career, memory), ...history.map(renderVersion)];
      print(rows.flatMap((row) => wrapLine(row, textWidth(), LESSON_INDENT)).join('\n'));
    }
    return EXIT.done;
  });
}

/** A lesson goes on behind its number. */
const LESSON_INDENT = 3;

function renderPersona(career: Career, memory: PersonaMemory): readonly string[] {
  const { persona_id, games_played, seats_played, win_rate, impostor_win_rate, crewmate_win_rate } =
    describePersona(career, memory);
  const { model, name } = career.persona;
  const rates = `won ${formatRate(win_rate)}, as impostor ${formatRate(impostor_win_rate)}, as crewmate ${formatRate(crewmate_win_rate)}`;
  const lessons = memory.lessons.flatMap(({ text, from }, index) => [
    `${String(index + 1).padStart(3)}  ${clean(text)}`,
    `     from ${clean(from)}`,
  ]);
  return [
    `${clean(persona_id)}: ${clean(name)}, played by ${clean(model)}`,
    games_played === 0
      ? 'no games yet'
      : `${games_played} games in ${seats_played} seats: ${rates}`,
    '',
    lessons.length === 0 ? 'It has learned nothing yet.' : `Lessons (version ${memory.version}):`,
    ...lessons,
  ];
}

function renderVersion({ version, why, lessons, barrier }: PersonaMemory): string {
  const at = barrier === '' ? '' : `, at ${clean(barrier)}`;
  return `version ${version}: ${why}${at}, ${countLessons(lessons.length)}`;
}

function formatRate(rate: number | null): string {
  return rate === null ? '–' : formatPercent(rate);
}

/** Adding a persona may be the first use of a store. */
const ENROLLING = { ...LOOKING, makesFile: true };

async function enrolPersona(name: string, flags: PersonaFlags): Promise<ExitCode> {
  const { model, learned = [], json = false } = flags;
  const persona = personaNameOf({ name, mind: model === undefined ? 'scripted' : 'openai', model });
  const id = personaId(persona);
  const refusal = checkName('persona', id);
  if (refusal !== null) throw createFailure(EXIT.usage, refusal.code, refusal.text);
  return await withStore(flags, ENROLLING, async (store) => {
    const said = await store.enrol(persona);
    if (said !== 'new') {
      const other = said === 'taken' ? ', with another model and name that spell the same id' : '';
      const text = `the persona ${JSON.stringify(id)} is there already${other}`;
      throw createFailure(EXIT.usage, 'persona/there', text);
    }
    const lessons = cleanLessons(learned).map((text) => ({
      text,
      from: 'the command that added it',
    }));
    if (lessons.length > 0) await store.teach(id, 0, { lessons, why: 'new', barrier: '' });
    if (json) printJson({ type: 'persona.enrolled', v: 1, persona_id: id, lessons });
    else print(`${clean(id)} is added and knows ${countLessons(lessons.length)}.`);
    return EXIT.done;
  });
}

async function forgetLessons(typed: string, flags: PersonaFlags): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const { id, memory } = await findPersona(store, typed);
    const { lesson } = flags;
    if (lesson !== undefined && lesson > memory.lessons.length) {
      const text = `--lesson: ${JSON.stringify(id)} knows ${countLessons(memory.lessons.length)}, found ${lesson}`;
      throw createFailure(EXIT.usage, 'persona/no-such-lesson', text);
    }
    const left =
      lesson === undefined ? [] : memory.lessons.filter((_, index) => index !== lesson - 1);
    await changeMemory(store, id, memory.version, { lessons: left, why: 'forgotten', barrier: '' });
    printChange(flags, id, memory.version + 1, left.length);
    return EXIT.done;
  });
}

async function rollBackMemory(
  typed: string,
  flags: PersonaFlags & { readonly to: number },
): Promise<ExitCode> {
  return await withStore(flags, LOOKING, async (store) => {
    const { id, memory } = await findPersona(store, typed);
    const earlier = await store.memory(id, flags.to);
    if (earlier === null) {
      const versions = (await store.history(id)).map(({ version }) => version);
      const range = versions.length === 0 ? '0' : `0, ${versions.at(0)} to ${versions.at(-1)}`;
      const text = `--to: ${JSON.stringify(id)} has no version ${flags.to} (versions: ${range})`;
      throw createFailure(EXIT.usage, 'persona/no-such-version', text);
    }
    const { lessons } = earlier;
    await changeMemory(store, id, memory.version, { lessons, why: 'rollback', barrier: '' });
    printChange(flags, id, memory.version + 1, lessons.length);
    return EXIT.done;
  });
}

async function changeMemory(
  store: Store,
  id: string,
  seen: number,
  to: MemoryChange,
): Promise<void> {
  const { type } = await store.teach(id, seen, to);
  if (type === 'taught') return;
  const text = `the memory of ${JSON.stringify(id)} was changed by another process just now: look at it and try again`;
  throw createFailure(EXIT.found, 'persona/stale', text);
}

function printChange(
  { json = false }: PersonaFlags,
  id: string,
  version: number,
  lessons: number,
): void {
  if (json) printJson({ type: 'persona.changed', v: 1, persona_id: id, version, lessons });
  else print(`${clean(id)} knows ${countLessons(lessons)} now (version ${version}).`);
}

function countLessons(lessons: number): string {
  return lessons === 1 ? '1 lesson' : `${lessons} lessons`;
}
