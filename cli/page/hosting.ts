/**
 * Hosting: what is going on goes on air while it is told, and stays there until somebody asks for the end.
 *
 * A page that can't be served or built is told in a sentence and stops nothing: the game is what was asked for.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { Option } from 'commander';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import type { Mind } from '../../actors/minds/port.ts';
import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import type { BySeat, Colour } from '../../machines/types.ts';
import { Broadcast } from '../../visualizer/server/broadcast.ts';
import {
  createJournalRoutes,
  createPromptRoute,
  type DecisionPlace,
} from '../../visualizer/server/routes.ts';
import type { LiveServer } from '../../visualizer/server/server.ts';
import { parseCount } from '../options.ts';
import { printNote } from '../output.ts';
import { type Company, NOBODY } from '../people/company.ts';
import { hallRoutes, noPage, welcome } from '../people/hall.ts';
import type { LinePrinter } from '../printer.ts';
import { Attention } from './attention.ts';
import { openBrowser } from './browser.ts';
import { pageOf, servedSomewhere } from './onAir.ts';

/** `--live` without a number takes a free port, and so does nothing at all; `--no-live` wants none. */
export type LiveFlag = number | boolean;

const MOST_PORTS = 65_535;

export function liveOption(): Option {
  return new Option(
    '--live [port]',
    'show it in the browser as it happens, on this machine only',
  ).argParser(parseCount(0, MOST_PORTS));
}

export type Hosted = {
  readonly live: LiveFlag | undefined;
  /** Whether it is shown although nobody has said so; the browser is not opened then. */
  readonly isUsual?: boolean;
  readonly lens: Lens;
  readonly name: string;
  /** The people who play; where they do so in the page, it gives everybody else the table. */
  readonly company?: Company;
};

/** Goes on air through a lens at most; null where nobody wants it, or where it can't be. */
export async function hosting({
  live,
  isUsual = false,
  lens,
  name,
  company = NOBODY,
}: Hosted): Promise<Hosting | null> {
  if (company.isInPage) return await hostingPeople(company, live, name);
  if (live === false || (live === undefined && !isUsual)) return null;
  const host = new Hosting(lens);
  const routes = [
    ...createJournalRoutes(host.feed, pageOf(host.feed, { name, damaged: 0 })),
    createPromptRoute(host.feed, (decided) => host.promptOf(decided)),
  ];
  const served = await servedSomewhere(routes, typeof live === 'number' ? live : 0);
  if (served === null) return null;
  host.served = served;
  printNote(`Live: ${served.url}${isWatched() ? '' : ' (until it is over)'}`);
  if (live !== undefined) openBrowser(served.url);
  return host;
}

/** Goes on air with people who play, and waits until they are there. */
async function hostingPeople(
  company: Company,
  live: LiveFlag | undefined,
  name: string,
): Promise<Hosting> {
  const host = new Hosting({ type: 'glass' }, company);
  const page = pageOf(host.feed, { name, damaged: 0, opens: true });
  const routes = hallRoutes(company, host.feed, page, (decided) => host.promptOf(decided));
  const served = await servedSomewhere(routes, typeof live === 'number' ? live : 0);
  if (served === null) throw noPage();
  host.served = served;
  await welcome(company, served.url);
  return host;
}

export class Hosting {
  readonly feed: Broadcast;
  readonly #company: Company;
  /** Where the journal is that is being written. */
  path = '';
  served: LiveServer | null = null;
  #attention: Attention | null = null;
  #hasBegun = false;

  constructor(lens: Lens, company = NOBODY) {
    this.feed = new Broadcast(lens);
    this.#company = company;
  }

  /** What somebody was sent, made again from the journal. */
  async promptOf(decided: DecisionPlace): Promise<object | null> {
    const { promptText } = await import('../promptAgain.ts');
    return await promptText(readJournal(readFileSync(this.path, 'utf8')), decided);
  }

  /** A meeting or a game begins, perhaps after another; returns its minds, watched while they think. */
  begun(path: string, minds: BySeat<Mind>): BySeat<Mind> {
    if (this.#hasBegun) this.feed.turn();
    this.#hasBegun = true;
    this.path = path;
    this.#attention = new Attention(
      () => performance.now(),
      (news) => this.feed.tell(news),
    );
    return this.#attention.heeded(minds);
  }

  add(line: Line): void {
    this.feed.add(line);
  }

  failed(seat: Colour, code: string): void {
    this.#attention?.failed(seat, code);
  }

  /** Nothing comes any more: waits for Ctrl-C where somebody watches on a terminal and did not end it already. */
  async over(isEnded: boolean): Promise<void> {
    this.feed.end();
    const { isInPage } = this.#company;
    if (isInPage && !isWatched()) await Promise.race([this.#company.dispersed(), endAsked()]);
    if (!isWatched() || isEnded) return;
    printNote(`\nShown in the browser: ${this.served?.url ?? ''}   Ctrl-C ends it.`);
    await endAsked();
  }

  /** Whoever is reading reads to the end, for a while. */
  async leave(): Promise<void> {
    this.feed.end();
    const until = performance.now() + GRACE;
    while (this.feed.size > 0 && performance.now() < until) await rest(LOOK_MS);
    await this.served?.leave();
  }
}

/** Milliseconds for those who have not got everything when nobody waits, and between two looks at them. */
const GRACE = 2000;
const LOOK_MS = 20;

/** Somebody sits at a terminal, who can open a link and ask for the end. */
function isWatched(): boolean {
  return process.stdout.isTTY === true;
}

/** Waits for Ctrl-C. What ended the game before has nothing to end any more. */
function endAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.removeAllListeners(signal);
      process.on(signal, () => resolve());
    }
  });
}

/** Shows lines where they were shown, and on air. */
export function joined(show: LinePrinter | null, host: Hosting | null): LinePrinter | null {
  if (host === null) return show;
  const both = (line: Line) => {
    host.add(line);
    return show === null ? true : show(line);
  };
  return Object.assign(both, { end: () => show?.end() });
}
