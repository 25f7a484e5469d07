/** `glassbox persona`: shows and changes the careers and lessons of personas. */

import type { Command } from 'commander';
import { LOOKING, type StoreFlags, withStore } from '../actors/league/leagueStore.ts';
import {
  type ChangedMemory,
  enrolPersona,
  findPersona,
  forgetLessons,
  idOfNew,
  rollBackMemory,
} from '../actors/league/personas.ts';
import { describePersona } from '../actors/stores/result.ts';
import type { Store } from '../actors/stores/store.ts';
import { pluralize } from '../machines/text.ts';
import { MOST_LESSONS } from '../machines/types.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { renderPersona, renderPersonas } from '../visualizer/terminal/personas.ts';
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
    .action(listPersonas);
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
    .action(showPersona);
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
    else print(renderPersonas(personas, textWidth(flags)));
  });
}

async function showPersona(typed: string, flags: PersonaFlags): Promise<void> {
  await withStore(flags, LOOKING, async (store) => {
    const { id, career, memory } = await findPersona(store, typed);
    const history = flags.history ? await store.history(id) : [];
    const document = describePersona(career, memory);
    if (flags.json) printJson({ ...document, ...(flags.history ? { history } : {}) });
    else print(renderPersona(document, career.persona, { history, width: textWidth() }));
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
