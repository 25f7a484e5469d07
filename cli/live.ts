/** Serves the page of a journal or of a running match. A match goes on without a page that can't be built or served. */

import type { Journal } from '../actors/engine/journal/reader.ts';
import { createFailure, describeSystemError, EXIT } from '../actors/files/failure.ts';
import { openJournal } from '../actors/files/openFiles.ts';
import { type HumanSeats, NOBODY } from '../actors/minds/human/seats.ts';
import type { Mind } from '../actors/minds/port.ts';
import { type ThinkingWatch, watchThinking } from '../actors/minds/thinking.ts';
import { STOP_SIGNALS, type StopSignal } from '../actors/ports/ports.ts';
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';
import type { DecisionPlace } from '../analysis/models/prompts.ts';
import { formatLens, type Lens } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import { capitalize } from '../machines/text.ts';
import type { GameStatus } from '../machines/turnPrompt.ts';
import type { BySeat } from '../machines/types.ts';
import { LONGEST_JOURNAL_BYTES } from '../visualizer/page/game/state/journal.ts';
import { Broadcast, filterStatus, type LensMaker } from '../visualizer/server/broadcast.ts';
import {
  createJournalRoutes,
  createPromptRoute,
  createSeatRoutes,
  type PageSource,
  type PromptSource,
} from '../visualizer/server/routes.ts';
import { type LiveServer, type Route, serve } from '../visualizer/server/server.ts';
import type { SocketDoor } from '../visualizer/server/sockets.ts';
import type { LiveFlag } from './flags.ts';
import { cleanLines, isTerminal, printNote } from './output.ts';
import type { LinePrinter } from './printer.ts';

/** Builds the page when it is first asked for. With `opens` everyone sees the table until the match is over. */
export function createPageSource({ widest }: Broadcast, name: string, opens: boolean): PageSource {
  const build = async () => {
    try {
      const { createLivePage } = await import('../visualizer/page/build/pages.ts');
      const lens = opens ? 'table' : formatLens(widest);
      return await createLivePage({ lens, name, damaged: 0, ...(opens && { opens }) });
    } catch (error) {
      const [why = ''] = describeSystemError(error).split('\n');
      printNote(cleanLines(`The page can't be built, and the game goes on without it: ${why}`));
      throw error;
    }
  };
  let page: Promise<string> | null = null;
  return () => (page ??= build());
}

/** Serves at this port, or at a free one where it is taken; null, with a sentence, where nothing can be served. */
async function serveSomewhere(routes: readonly Route[], port: number): Promise<LiveServer | null> {
  try {
    return await serve(routes, port);
  } catch (error) {
    if (port === 0) {
      printNote(
        `The page can't be served, and the game goes on without it: ${explainPortError(error)}.`,
      );
      return null;
    }
    printNote(`--live ${port}: ${explainPortError(error)}; using another port.`);
    return await serveSomewhere(routes, 0);
  }
}

export async function serveAt(
  routes: readonly Route[],
  port: number,
  sockets: SocketDoor | null = null,
): Promise<LiveServer> {
  try {
    return await serve(routes, port, sockets);
  } catch (error) {
    const text = `--port ${port}: ${explainPortError(error)}; --port 0 takes a free one`;
    throw createFailure(EXIT.usage, 'live/port', text);
  }
}

function explainPortError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') return 'the port is in use';
  return code === 'EACCES' ? 'this port needs more rights' : describeSystemError(error);
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Does nothing without a terminal or a browser: the link is printed anyway. */
export function openBrowser(url: string): void {
  if (!isTerminal()) return;
  const [name, ...before] = OPENERS[process.platform] ?? ['xdg-open'];
  realProcess.launch(name, [...before, url]);
}

/** A journal for the page: a browser can't be asked to hold longer ones. */
export async function openShownJournal(path: string): Promise<Journal> {
  return await openJournal(path, {
    most: LONGEST_JOURNAL_BYTES,
    advice: 'the page shows no longer ones; "report --stats" counts them',
  });
}

type LivePageOptions = {
  readonly live: LiveFlag | undefined;
  /** Whether it is served without `--live`; the browser is not opened then. */
  readonly isUsual?: boolean;
  readonly lens: Lens;
  readonly name: string;
  /** The people who play; where they play in the page, everyone else sees the table. */
  readonly company?: HumanSeats;
  /** The lines of a continued match so far. */
  readonly past?: readonly Line[];
};

/** Serves the page, or returns null where it is not wanted or can't be served. Waits for the people who play in it. */
export async function openLivePage(options: LivePageOptions): Promise<LivePage | null> {
  const { live, isUsual = false, lens, name, company = NOBODY, past = [] } = options;
  const { isInPage } = company;
  if (!isInPage && (live === false || (live === undefined && !isUsual))) return null;
  const { lensWithMoves } = await import('../visualizer/charts/machineRun.ts');
  const host = new LivePage(isInPage ? { type: 'glass' } : lens, company, lensWithMoves);
  const { broadcast } = host;
  for (const line of past) broadcast.add(line);
  const page = createPageSource(broadcast, name, isInPage);
  const promptOf = (decided: DecisionPlace) => host.promptOf(decided);
  const routes = isInPage
    ? createPlayRoutes(company, broadcast, page, promptOf)
    : [...createJournalRoutes(broadcast, page), createPromptRoute(broadcast, promptOf)];
  host.server = await serveSomewhere(routes, typeof live === 'number' ? live : 0);
  if (isInPage) await welcomePlayers(company, host.server, past.length > 0);
  if (host.server === null) return null;
  if (isInPage) return host;
  const { url } = host.server;
  printNote(`Live: ${url}${isTerminal() ? '' : ' (until it is over)'}`);
  if (live !== undefined) openBrowser(url);
  return host;
}

export class LivePage {
  readonly broadcast: Broadcast;
  readonly #company: HumanSeats;
  path = '';
  server: LiveServer | null = null;
  onStatus: ((status: GameStatus) => void) | null = null;
  thinking: ThinkingWatch | null = null;
  #hasBegun = false;

  constructor(lens: Lens, company = NOBODY, cutWith?: LensMaker) {
    this.broadcast = new Broadcast(lens, cutWith);
    this.#company = company;
  }

  async promptOf(decided: DecisionPlace): Promise<object | null> {
    const { promptText } = await import('../analysis/models/prompts.ts');
    return await promptText(await openShownJournal(this.path), decided);
  }

  /** A meeting or a game begins, perhaps after another; returns its minds, watched while they think. */
  startGame(path: string, minds: BySeat<Mind>): BySeat<Mind> {
    if (this.#hasBegun) this.broadcast.startNext();
    this.#hasBegun = true;
    this.path = path;
    this.thinking = watchThinking(
      () => realTime.now(),
      (status) => {
        this.broadcast.follow(status.thinkers);
        this.broadcast.setStatus((lens) => filterStatus(lens, status));
        this.onStatus?.(status);
      },
    );
    return this.thinking.watchMinds(minds);
  }

  /** Ends the broadcast, and waits for Ctrl-C at a terminal where the operator has not ended it already. */
  async waitForEnd(isEnded: boolean): Promise<void> {
    this.broadcast.end();
    const { isInPage } = this.#company;
    if (isInPage && !isTerminal())
      await Promise.race([this.#company.waitUntilEmpty(), waitForStop(STOP_SIGNALS)]);
    if (!isTerminal() || isEnded) return;
    printNote(`\nShown in the browser: ${this.server?.url ?? ''}   Ctrl-C ends it.`);
    await waitForStop(STOP_SIGNALS);
  }

  /** Lets viewers read to the end, for a while. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.broadcast.end();
    const until = realTime.now() + GRACE_MS;
    while (this.broadcast.size > 0 && realTime.now() < until) await realTime.sleep(LOOK_MS);
    await this.server?.leave();
  }
}

/** How long viewers may still read, and how often that is looked at. */
const GRACE_MS = 2000;
const LOOK_MS = 20;

/** Waits for Ctrl-C. What ended the game before has nothing to end any more. A served page outlives its terminal. */
export function waitForStop(signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM']): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      realProcess.forgetSignal(signal);
      realProcess.onSignal(signal, resolve);
    }
  });
}

/** Prints lines where they were printed, and shows them in the page. A page alone also reaches the first call at once. */
export function showLive(
  show: LinePrinter | null,
  host: LivePage | null,
  skipsToCall: boolean,
): LinePrinter | null {
  if (host === null) return show;
  let isSkipping = skipsToCall;
  const both = (line: Line) => {
    host.broadcast.add(line);
    if (line.type === 'meeting.called') isSkipping = false;
    return show === null ? !isSkipping : show(line);
  };
  return Object.assign(both, { isProse: show?.isProse === true, end: () => show?.end() });
}

/** Milliseconds that the game waits for its players to come. */
const PATIENCE_MS = 600_000;

/** The routes of the page of a game with people in it. Prompts hold secrets, so they are refused until the end. */
export function createPlayRoutes(
  people: HumanSeats,
  feed: Broadcast,
  page: PageSource,
  promptOf: PromptSource,
): readonly Route[] {
  const prompts = createPromptRoute(feed, promptOf);
  return [
    ...createSeatRoutes({ feed, page, holder: (token) => people.findPlayer(token) }),
    (asked) => (feed.isOver ? prompts(asked) : null),
  ];
}

async function welcomePlayers(
  people: HumanSeats,
  server: LiveServer | null,
  goesOn: boolean,
): Promise<void> {
  if (server === null) {
    const text = 'the page to play in can’t be served; play in this terminal with --terminal';
    throw createFailure(EXIT.unreachable, 'play/no-page', text);
  }
  const { url } = server;
  noteAbsences(people, url);
  for (const { seat, hash } of people.links)
    printNote(`${capitalize(seat)} plays here: ${url}${hash}`);
  printNote(`To watch:${' '.repeat(6)}${url}`);
  const [first] = people.links;
  if (first !== undefined) openBrowser(`${url}${first.hash}`);
  printNote(`It ${goesOn ? 'goes on' : 'begins'} when the page is open.`);
  const patience = new AbortController();
  const late = realTime.sleep(PATIENCE_MS, patience.signal).then(() => 'late');
  const came = await Promise.race([people.waitForAll().then(() => 'here'), late]);
  patience.abort();
  if (came === 'late')
    throw createFailure(EXIT.noInput, 'play/no-player-came', 'no player came within ten minutes');
}

function noteAbsences(people: HumanSeats, url: string): void {
  for (const [index, player] of people.players.entries()) {
    let before = player.seating.attendance;
    player.watch(() => {
      const { attendance, isOver } = player.seating;
      if (attendance === before) return;
      before = attendance;
      if (attendance !== 'away' || isOver) return;
      const link = `${url}${people.links[index]?.hash ?? ''}`;
      const text = `${capitalize(player.seat)}’s page is closed. The seat is kept for a while: ${link}`;
      people.above(() => printNote(text));
    });
  }
}
