/** `glassbox persona`: who plays in leagues, what they have done, and what they have learned. */
import type { Command } from 'commander';
import { storeOption } from './league.ts';
import { formatExamples, parseCount } from './options.ts';
import type { PersonaFlags } from './persona/personas.ts';

const MOST_VERSIONS = 1_000_000;
/** A memory holds no more. */
const MOST_LESSONS = 10;

const ID = ['<id>', 'the id of a persona, such as scripted_dry_joker'] as const;

export function addPersona(program: Command): void {
  const persona = program
    .command('persona')
    .usage('<command>')
    .helpCommand('help [command]', 'explain a command')
    .summary('see what personas have learned')
    .description(
      'Personas of leagues: what they have done and learned. The same model under two names are two personas, which share nothing.',
    );
  addViews(persona);
  addLessons(persona);
}

function part(persona: Command, name: string, summary: string, description: string): Command {
  return persona
    .command(name)
    .summary(summary)
    .description(description)
    .addOption(storeOption())
    .option('--json', 'print it as JSON');
}

function addViews(persona: Command): void {
  part(
    persona,
    'list',
    'list all personas',
    'Lists all personas, with their games and lessons.',
  ).action(async (flags: PersonaFlags) => {
    const { list } = await import('./persona/personas.ts');
    process.exitCode = await list(flags);
  });
  part(
    persona,
    'show',
    'see a persona',
    'Says what a persona has done, what it knows, and where it learned each lesson.',
  )
    .argument(...ID)
    .option('--history', 'every version of its memory that is kept')
    .addHelpText('after', formatExamples(['persona show scripted_dry_joker', 'what it knows']))
    .action(async (id: string, flags: PersonaFlags) => {
      const { show } = await import('./persona/personas.ts');
      process.exitCode = await show(id, flags);
    });
}

function addLessons(persona: Command): void {
  part(
    persona,
    'new',
    'enrol a persona',
    'Enrols a persona before its first game, with what it should know.',
  )
    .argument('<name>', 'its name, as in a league file')
    .option('--model <model>', 'the model that thinks for it; without it the offline mind')
    .option('--learned <lesson...>', 'what it knows from the beginning')
    .action(async (name: string, flags: PersonaFlags) => {
      const { enrol } = await import('./persona/teaching.ts');
      process.exitCode = await enrol(name, flags);
    });
  part(
    persona,
    'forget',
    'make a persona forget',
    'Makes a persona forget its lessons, or one of them. What it has done stays.',
  )
    .argument(...ID)
    .option('--lesson <n>', 'only this one, as "show" counts them', parseCount(1, MOST_LESSONS))
    .action(async (id: string, flags: PersonaFlags) => {
      const { forget } = await import('./persona/teaching.ts');
      process.exitCode = await forget(id, flags);
    });
  part(
    persona,
    'rollback',
    'go back to an earlier memory',
    'Gives a persona the memory that it had at an earlier version, as one more version.',
  )
    .argument(...ID)
    .requiredOption('--to <version>', 'the version', parseCount(0, MOST_VERSIONS))
    .action(async (id: string, flags: PersonaFlags & { readonly to: number }) => {
      const { rollBack } = await import('./persona/teaching.ts');
      process.exitCode = await rollBack(id, flags);
    });
}
