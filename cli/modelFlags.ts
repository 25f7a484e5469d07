/** The group of model flags, which every command with models takes: added to commands, read from profiles, explained. */
import { Command } from 'commander';
import { createModelOption, createModelOptions, type ModelFlags } from './flags.ts';

/** Adds the group to a command, whose help shows only --model and --profile. */
export function addModelFlags(command: Command, does: string): Command {
  command
    .hook('preAction', prepareModels)
    .addOption(createModelOption(does))
    .option('--profile <name>', 'model options from a file; see "glassbox help models"');
  for (const one of createModelOptions()) {
    if (one.long !== '--model') command.addOption(one.hideHelp());
  }
  return command.addHelpText(
    'after',
    '\nMore options for models and their budgets: glassbox help models',
  );
}

/** Reads the profile and the file of variables, before anything else happens. */
async function prepareModels(_: Command, command: Command): Promise<void> {
  const { profile } = command.opts<Partial<ModelFlags>>();
  if (profile !== undefined) {
    const { openProfile } = await import('./profile.ts');
    for (const [name, value] of await openProfile(profile)) {
      // A flag on the command line wins over the profile.
      if (command.getOptionValueSource(name) === 'cli') continue;
      command.setOptionValueWithSource(name, value, 'config');
    }
  }
  const { dotenv, provider } = command.opts<Partial<ModelFlags>>();
  if (dotenv === undefined && provider === undefined) return;
  const { addEnvironment, refuseUnknownProvider } = await import('./models.ts');
  if (provider !== undefined) refuseUnknownProvider(provider);
  if (dotenv !== undefined) await addEnvironment(dotenv);
}

/** What `glassbox help models` prints. */
export function describeModelFlags(): string {
  const group = new Command('… --model <names>')
    .usage('[options]')
    .helpOption(false)
    .description(
      'Options for language models. The commands play, run, resume, fork, why, benchmark and doctor take them.',
    );
  for (const one of createModelOptions()) group.addOption(one);
  return `${group.helpInformation()}
A profile holds these options in YAML, without the dashes:

  model: gemma3
  base-url: http://localhost:11434/v1
  max-cost: 0.5

--profile NAME reads NAME.yaml in $XDG_CONFIG_HOME/glassbox (~/.config/glassbox
without that variable). --profile ./FILE.yaml reads that file. A flag on the
command line wins. A profile never holds a key: "key" names a variable.
`;
}
