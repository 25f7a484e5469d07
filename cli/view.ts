/** `glassbox view`: serves the page of a journal, and follows one that is still being written. */

import { basename } from 'node:path';
import { Failure } from '../actors/files/failure.ts';
import {
  chooseJournal,
  findEntry,
  JOURNAL_WORDS,
  seatedIn,
  sizeOf,
  tellWhatIsMissing,
} from '../actors/files/openFiles.ts';
import { realTime } from '../actors/ports/time.ts';
import { formatLens, type Lens } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import { gameIn } from '../machines/journal/opening.ts';
import { Broadcast } from '../visualizer/server/broadcast.ts';
import {
  createJournalRoutes,
  createPromptRoute,
  createWhyRoute,
} from '../visualizer/server/routes.ts';
import { createGlassOption, parsePort, refuseAbsentLens } from './flags.ts';
import { openBrowser, openShownJournal, serveAt, waitForStop } from './live.ts';
import { print, printFailure, printJson, printNote } from './output.ts';
import type { ProgramCommand } from './usage.ts';

type ViewOptions = Readonly<{ lens: Lens; port: number; open: boolean; json?: boolean }>;

export function addView(program: ProgramCommand): void {
  program
    .command('view')
    .description(
      'Serves the page of a recorded match on this machine until Ctrl-C. The page follows a journal that is still being written.',
    )
    .argument('[journal]', JOURNAL_WORDS)
    .addOption(createGlassOption())
    .option('-p, --port <n>', 'port to serve on; 0 takes a free one', parsePort, 0)
    .option('--no-open', 'print the link without opening a browser')
    .option('--json', 'print the address as JSON')
    .examples(
      ['view', 'the latest game, in the browser'],
      ['view journals/a.jsonl --lens table', 'secrets stay on the server'],
    )
    .action(async (path: string | undefined, options: ViewOptions) => {
      await serveJournal(chooseJournal(path), options);
    });
}

async function serveJournal(
  path: string,
  { lens, port, open, json = false }: ViewOptions,
): Promise<void> {
  const journal = await openShownJournal(path);
  refuseAbsentLens(lens, seatedIn(journal.lines));
  const { lensWithMoves } = await import('../visualizer/charts/machineRun.ts');
  const broadcast = new Broadcast(lens, lensWithMoves);
  for (const line of journal.lines) broadcast.add(line);
  // A torn line is one that is being written.
  const damaged = journal.damageCount - (journal.isTorn ? 1 : 0);
  const { createLivePage } = await import('../visualizer/page/build/pages.ts');
  const name = path === '-' ? 'a journal' : basename(path);
  const isOver = !isFile(path) || hasEnded(journal.lines);
  const { deferWhyNotes } = await import('./whyNotes.ts');
  const findNotes = await deferWhyNotes(path, journal, lens);
  const hasWhy = findNotes !== null;
  const page = await createLivePage({ lens: formatLens(lens), name, damaged, isOver, hasWhy });
  const server = await serveAt(
    [
      ...createJournalRoutes(broadcast, page),
      createWhyRoute(findNotes),
      createPromptRoute(broadcast, async (place) => {
        const { promptText } = await import('../analysis/models/prompts.ts');
        return await promptText(isFile(path) ? await openShownJournal(path) : journal, place);
      }),
    ],
    port,
  );
  const { url } = server;
  if (json) printJson({ type: 'view', v: 1, url, journal: path, lens: formatLens(lens) });
  else print(url);
  printNote('Ctrl-C ends it.');
  try {
    tellWhatIsMissing(path, journal);
  } catch (error) {
    // Damage is reported, and the rest is shown all the same.
    if (!(error instanceof Failure)) throw error;
    printFailure(error, { json: false });
  }
  if (open) openBrowser(server.url);
  const stopped = waitForStop();
  if (isOver) broadcast.end();
  else void followFile(path, journal.lines.length, broadcast);
  await stopped;
  server.close();
}

/** How often a growing file is looked at. */
const LOOK_MS = 500;

/** A pipe cannot be read again, and it never grows. */
function isFile(path: string): boolean {
  return path !== '-' && findEntry(path) === 'file';
}

async function followFile(path: string, known: number, broadcast: Broadcast): Promise<void> {
  let [count, size] = [known, -1];
  for (;;) {
    await realTime.idle(LOOK_MS);
    const found = sizeOf(path);
    if (found === size) continue;
    size = found;
    const lines = await readLines(path);
    for (const line of lines.slice(count)) broadcast.add(line);
    count = Math.max(count, lines.length);
    if (hasEnded(lines)) return broadcast.end();
  }
}

/** The lines of a file that may be gone, or be written anew, at this moment. */
async function readLines(path: string): Promise<readonly Line[]> {
  try {
    return (await openShownJournal(path)).lines;
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

function hasEnded(lines: readonly Line[]): boolean {
  const isGame = gameIn(lines[0]) !== null;
  return lines.some(({ type }) => type === (isGame ? 'game.closed' : 'meeting.closed'));
}
