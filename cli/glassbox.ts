/** The command `glassbox`: reads the command line, runs one command, and turns failures into sentences. */
import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addChart } from './chart.ts';
import { EXIT, Failure, failure } from './failure.ts';
import { addMeet } from './meet.ts';
import { complain } from './output.ts';
import { addReplay } from './replay.ts';
import { addSchema } from './schema.ts';
import { addTranscript } from './transcript.ts';
import { addWatch } from './watch.ts';

function glassbox(): Command {
  const program = new Command('glassbox')
    .description('Language-model players hold Among Us meetings inside a glass box.')
    .version(manifest.version, '-V, --version')
    .helpOption('-h, --help')
    .showSuggestionAfterError()
    .exitOverride();
  program.commandsGroup('Play:');
  addMeet(program);
  program.commandsGroup('Watch:');
  addWatch(program);
  addTranscript(program);
  program.commandsGroup('Prove:');
  addReplay(program);
  addChart(program);
  program.commandsGroup('Set up:');
  addSchema(program);
  tab(program);
  return program;
}

/** A closed pipe, as under `| head`, is the reader's right and no failure. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
}

async function main(args: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe();
  try {
    await glassbox().parseAsync([...args]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
      return;
    }
    const failed =
      error instanceof Failure
        ? error
        : failure(
            EXIT.internal,
            'internal/unexpected',
            error instanceof Error ? (error.stack ?? error.message) : String(error),
          );
    complain(failed, { json: args.includes('--json') });
    process.exitCode = failed.exit;
  }
}

await main(process.argv);
