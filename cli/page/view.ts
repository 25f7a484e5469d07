/** Viewing on the command line: a journal is read, served and followed. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { formatLens, type Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { Broadcast } from '../../visualizer/server/broadcast.ts';
import { createJournalRoutes, createPromptRoute } from '../../visualizer/server/routes.ts';
import type { Route } from '../../visualizer/server/server.ts';
import { EXIT, type ExitCode, Failure } from '../exit.ts';
import { openJournal, seatedIn, tellWhatIsMissing } from '../input.ts';
import { refuseAbsentLens } from '../options.ts';
import { print, printFailure, printNote } from '../output.ts';
import { openBrowser } from './browser.ts';
import { refuseLong } from './length.ts';
import { served } from './onAir.ts';

export type ViewOptions = { readonly lens: Lens; readonly port: number; readonly open: boolean };

/** Serves until somebody asks for the end. */
export async function view(path: string, { lens, port, open }: ViewOptions): Promise<ExitCode> {
  refuseLong(path);
  const journal = await openJournal(path);
  refuseAbsentLens(lens, seatedIn(journal.lines));
  const feed = new Broadcast(lens);
  for (const line of journal.lines) feed.add(line);
  // A torn line is one that is being written.
  const damaged = journal.damages.filter(({ code }) => code !== 'journal/torn').length;
  const { createLivePage } = await import('../../visualizer/page/build/pages.ts');
  const name = path === '-' ? 'a journal' : basename(path);
  const isOver = path === '-' || isClosed(journal.lines);
  const page = await createLivePage({ lens: formatLens(lens), name, damaged, isOver });
  const live = await served(
    [...createJournalRoutes(feed, page), promptsOf(feed, path, journal)],
    port,
  );
  print(live.url);
  printNote('Ctrl-C ends it.');
  warn(() => tellWhatIsMissing(path, journal));
  if (open) openBrowser(live.url);
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
  if (isOver) feed.end();
  else void follow(path, journal.lines.length, feed);
  await asked;
  live.close();
  return EXIT.done;
}

/** Prompts are made from what the file holds when they are asked for. */
function promptsOf(feed: Broadcast, path: string, given: Journal): Route {
  return createPromptRoute(feed, async (decided) => {
    const { promptText } = await import('../promptAgain.ts');
    const journal = path === '-' ? given : readJournal(readFileSync(path, 'utf8'));
    return await promptText(journal, decided);
  });
}

/** Milliseconds between two looks at a file that grows. */
const LOOK_MS = 500;

/** Adds what is written to the file until it is closed. */
async function follow(path: string, known: number, feed: Broadcast): Promise<void> {
  let [count, size] = [known, -1];
  for (;;) {
    await rest(LOOK_MS, undefined, { ref: false });
    const found = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (found === size) continue;
    size = found;
    const { lines } = readJournal(readFileSync(path, 'utf8'));
    for (const line of lines.slice(count)) feed.add(line);
    count = Math.max(count, lines.length);
    if (isClosed(lines)) {
      feed.end();
      return;
    }
  }
}

function isClosed(lines: readonly Line[]): boolean {
  const isGame = lines[0]?.type === 'game.opened';
  return lines.some(({ type }) => type === (isGame ? 'game.closed' : 'meeting.closed'));
}

/** What is damaged is told, and the rest is shown all the same. */
function warn(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    printFailure(error, { json: false });
  }
}
