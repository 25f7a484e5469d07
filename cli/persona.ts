/** `glassbox persona`: what personas have done in leagues, and what they have learned. */
import type { Command } from 'commander';
import { createStoreOption, parseCount } from './flags.ts';
import { formatExamples } from './options.ts';
import type { PersonaFlags } from './personas.ts';

const MOST_VERSIONS = 1_000_000;
/** A memory holds no more. */
const MOST_LESSONS = 10;

const ID = ['<id>', 'the id of a persona, such as scripted_dry_joker'] as const;

export function addPersona(program: Command): void {
  const persona = program
    .command('persona')
    .usage('<command>')
    .helpCommand('help [command]', 'show help')
    .summary('see what personas have learned')
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
  addPart(
    persona,
    'list',
    'list all personas',
    'Lists all personas, with their games and lessons.',
  ).action(async (flags: PersonaFlags) => {
    const { listPersonas } = await import('./personas.ts');
    process.exitCode = await listPersonas(flags);
  });
  addPart(
    persona,
    'show',
    'see a persona',
    'Prints what a persona has done, what it knows, and where it learned each lesson.',
  )
    .argument(...ID)
    .option('--history', 'every version of its memory in the store')
    .addHelpText(
      'after',
      formatExamples(['persona show scripted_dry_joker', 'print what it knows']),
    )
    .action(async (id: string, flags: PersonaFlags) => {
      const { showPersona } = await import('./personas.ts');
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
    .option('--learned <lesson...>', 'what it knows before its first game')
    .action(async (name: string, flags: PersonaFlags) => {
      const { enrolPersona } = await import('./personas.ts');
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
      const { forgetLessons } = await import('./personas.ts');
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
      const { rollBackMemory } = await import('./personas.ts');
      process.exitCode = await rollBackMemory(id, flags);
    });
}
