import { readFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { Option } from 'commander';
import { readJournal } from '../actors/engine/journal/reader.ts';
import { type HumanSeats, NOBODY } from '../actors/minds/human/seats.ts';
import type { Mind } from '../actors/minds/port.ts';
import { ThinkingWatch } from '../actors/minds/thinking.ts';
import type { DecisionPlace } from '../analysis/prompts.ts';
import type { Lens } from '../machines/journal/lens.ts';
import type { Line } from '../machines/journal/lines.ts';
import type { BySeat, Colour } from '../machines/types.ts';
import { Broadcast, filterStatus } from '../visualizer/server/broadcast.ts';
import { createJournalRoutes, createPromptRoute } from '../visualizer/server/routes.ts';
import type { LiveServer } from '../visualizer/server/server.ts';
import { parseCount } from './options.ts';
import { printNote } from './output.ts';
import { createNoPageFailure, createPlayRoutes, welcomePlayers } from './play.ts';
import type { LinePrinter } from './printer.ts';
import { createPageSource, openBrowser, serveSomewhere } from './serve.ts';

/** `--live` without a number and no flag at all take a free port; `--no-live` serves no page. */
export type LiveFlag = number | boolean;

const MOST_PORTS = 65_535;

export function createLiveOption(): Option {
  return new Option(
    '--live [port]',
    'show it in the browser as it happens, on this machine only',
  ).argParser(parseCount(0, MOST_PORTS));
}

type LivePageOptions = {
  readonly live: LiveFlag | undefined;
  /** Whether it is served without `--live`; the browser is not opened then. */
  readonly isUsual?: boolean;
  readonly lens: Lens;
  readonly name: string;
  /** The people who play; where they play in the page, everyone else sees the table. */
  readonly company?: HumanSeats;
};

/** Serves the page, through this lens at most; null where it is not wanted or can't be served. */
export async function openLivePage({
  live,
  isUsual = false,
  lens,
  name,
  company = NOBODY,
}: LivePageOptions): Promise<LivePage | null> {
  if (company.isInPage) return await openPageForPeople(company, live, name);
  if (live === false || (live === undefined && !isUsual)) return null;
  const host = new LivePage(lens);
  const routes = [
    ...createJournalRoutes(host.broadcast, createPageSource(host.broadcast, { name, damaged: 0 })),
    createPromptRoute(host.broadcast, (decided) => host.promptOf(decided)),
  ];
  const served = await serveSomewhere(routes, typeof live === 'number' ? live : 0);
  if (served === null) return null;
  host.server = served;
  printNote(`Live: ${served.url}${isTerminal() ? '' : ' (until it is over)'}`);
  if (live !== undefined) openBrowser(served.url);
  return host;
}

/** Serves the page to people who play, and waits until they are there. */
async function openPageForPeople(
  company: HumanSeats,
  live: LiveFlag | undefined,
  name: string,
): Promise<LivePage> {
  const host = new LivePage({ type: 'glass' }, company);
  const page = createPageSource(host.broadcast, { name, damaged: 0, opens: true });
  const routes = createPlayRoutes(company, host.broadcast, page, (decided) =>
    host.promptOf(decided),
  );
  const served = await serveSomewhere(routes, typeof live === 'number' ? live : 0);
  if (served === null) throw createNoPageFailure();
  host.server = served;
  await welcomePlayers(company, served.url);
  return host;
}

export class LivePage {
  readonly broadcast: Broadcast;
  readonly #company: HumanSeats;
  /** Where the journal is that is being written. */
  path = '';
  server: LiveServer | null = null;
  #thinking: ThinkingWatch | null = null;
  #hasBegun = false;

  constructor(lens: Lens, company = NOBODY) {
    this.broadcast = new Broadcast(lens);
    this.#company = company;
  }

  /** The prompt of a player, made again from the journal. */
  async promptOf(decided: DecisionPlace): Promise<object | null> {
    const { promptText } = await import('../analysis/prompts.ts');
    return await promptText(readJournal(readFileSync(this.path, 'utf8')), decided);
  }

  /** A meeting or a game begins, perhaps after another; returns its minds, watched while they think. */
  startGame(path: string, minds: BySeat<Mind>): BySeat<Mind> {
    if (this.#hasBegun) this.broadcast.startNext();
    this.#hasBegun = true;
    this.path = path;
    this.#thinking = new ThinkingWatch(
      () => performance.now(),
      (status) => this.broadcast.setStatus((lens) => filterStatus(lens, status)),
    );
    return this.#thinking.watchMinds(minds);
  }

  add(line: Line): void {
    this.broadcast.add(line);
  }

  reportFailure(seat: Colour, code: string): void {
    this.#thinking?.reportFailure(seat, code);
  }

  /** Ends the broadcast, and waits for Ctrl-C at a terminal where the operator has not ended it already. */
  async waitForEnd(isEnded: boolean): Promise<void> {
    this.broadcast.end();
    const { isInPage } = this.#company;
    if (isInPage && !isTerminal())
      await Promise.race([this.#company.waitUntilEmpty(), waitForStop()]);
    if (!isTerminal() || isEnded) return;
    printNote(`\nShown in the browser: ${this.server?.url ?? ''}   Ctrl-C ends it.`);
    await waitForStop();
  }

  /** Lets viewers read to the end, for a while. */
  async close(): Promise<void> {
    this.broadcast.end();
    const until = performance.now() + GRACE_MS;
    while (this.broadcast.size > 0 && performance.now() < until) await rest(LOOK_MS);
    await this.server?.leave();
  }
}

/** How long viewers may still read, and how often that is looked at. */
const GRACE_MS = 2000;
const LOOK_MS = 20;

/** An operator sits at a terminal, who can open a link and press Ctrl-C. */
function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Waits for Ctrl-C. What ended the game before has nothing to end any more. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal);
      process.on(signal, () => resolve());
    }
  });
}

/** Prints lines where they were printed, and shows them in the page. */
export function showLive(show: LinePrinter | null, host: LivePage | null): LinePrinter | null {
  if (host === null) return show;
  const both = (line: Line) => {
    host.add(line);
    return show === null ? true : show(line);
  };
  return Object.assign(both, { end: () => show?.end() });
}
