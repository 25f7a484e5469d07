/** `glassbox serve`: lets programs of this machine play, trainers through OpenEnv and agents through MCP. */
import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { createOpenEnvDoor } from '../actors/doors/openenv.ts';
import { answerOpenEnv } from '../actors/doors/openenvHttp.ts';
import { startThreads } from '../actors/doors/openenvThreads.ts';
import { newRunFolder } from '../actors/files/newFiles.ts';
import { openMatch, refuseFile } from '../actors/files/openFiles.ts';
import { MatchRefused } from '../actors/library.ts';
import { workerBeside } from '../actors/ports/threads.ts';
import type { Colour } from '../machines/types.ts';
import { parseCount, parseJobs, parsePort, parseSeat, parseSeed } from './flags.ts';
import { serveAt, waitForStop } from './live.ts';
import type { AnyMatch } from './matchOut.ts';
import { printNote } from './output.ts';
import { createHost, type HostTerms } from './serveHost.ts';
import type { ServeFlags } from './serveMcp.ts';
import type { ProgramCommand } from './usage.ts';

const PORT = 8000;

export function addServe(program: ProgramCommand): void {
  program
    .command('serve')
    .description(
      'Serves games to trainers (OpenEnv) or agents (MCP) of this machine, until Ctrl-C.',
    )
    .argument('[match]', 'match file in YAML; default: a game of eight')
    .option('-p, --port <n>', 'port to serve on; 0 takes a free one', parsePort, PORT)
    .option('--seats <colours>', 'for programs: red,blue or all; default: the first', parseSeatList)
    .option('--sessions <n>', 'sessions of OpenEnv at the same time', parseCount(1, 1000), 64)
    .option('--turns <n>', 'turns until a game of OpenEnv is cut off', parseCount(1, 1e6), 2000)
    .option('--think <seconds>', 'time that a program may think', parseCount(1, 3600), 60)
    .option('--jobs <n>', 'threads for sessions of OpenEnv', parseJobs, availableParallelism())
    .option('--seed <n>', 'seed of the games over MCP', parseSeed)
    .option('--out <folder>', 'folder for journals; OpenEnv keeps none without it')
    .option('--mcp', 'speak MCP on standard input and output')
    .examples(
      ['serve --seats red', 'one seat for a trainer, on port 8000'],
      ['serve --mcp', 'a seat for an agent that starts this command'],
    )
    .action(async (path: string | undefined, flags: ServeFlags) => {
      const match = path === undefined ? null : await openMatch(path);
      if (flags.mcp !== true) return await serveTrainers(match, path ?? '--seats', flags);
      const { serveAgents } = await import('./serveMcp.ts');
      await serveAgents(match, flags);
    });
}

function parseSeatList(text: string): readonly Colour[] | 'all' {
  if (text === 'all') return text;
  const seats = text.split(',').map(parseSeat);
  if (new Set(seats).size === seats.length) return seats;
  throw new InvalidArgumentError('expected each colour once.');
}

async function serveTrainers(match: AnyMatch | null, path: string, flags: ServeFlags) {
  const { port, sessions: most, out, seats, think, turns } = flags;
  const folder = out === undefined ? null : newRunFolder(out, 'serve');
  const data: HostTerms = { match, think, turns, folder, ...(seats && { seats }) };
  const host = createHost(data);
  // What no session could play is refused now.
  try {
    host.open({}).close();
  } catch (error) {
    if (error instanceof MatchRefused) throw refuseFile(path, error.notes);
    throw error;
  }
  const threads = startThreads({
    threads: flags.jobs,
    file: workerBeside(import.meta.url, 'serveWorker'),
    data,
    onLost: (reason) => printNote(`A thread has ended, and its sessions with it: ${reason}`),
  });
  const door = createOpenEnvDoor(threads.open, most);
  const server = await serveAt([(asked) => answerOpenEnv(asked, host)], port, door);
  printNote(`OpenEnv: ${server.url}   Ctrl-C ends it.`);
  await waitForStop();
  server.close();
  await threads.close();
}
