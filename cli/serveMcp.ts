/** Games for agents over MCP: one at a time, with a live page. People can have seats, too. */

import { type GameHost, serveMcp, type TakenSeat } from '../actors/doors/mcp.ts';
import { createMatch } from '../actors/engine/match.ts';
import { chooseOutside, seatOutside } from '../actors/environment.ts';
import { EXIT, Failure } from '../actors/files/failure.ts';
import { createJournalIn } from '../actors/files/newFiles.ts';
import { identify } from '../actors/library.ts';
import { HumanSeats, listPeople } from '../actors/minds/human/seats.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import type { Colour } from '../machines/types.ts';
import type { Identity } from '../prompts/personas.ts';
import { answerHtml, type LiveServer, type Route } from '../visualizer/server/server.ts';
import { drawSeed } from './flags.ts';
import { createPageSource, createPlayRoutes, LivePage, serveAt, waitForStop } from './live.ts';
import { type AnyMatch, FOLDER, isMeeting } from './matchOut.ts';
import { createGameModels } from './models.ts';
import { onOutputClosed, printNote } from './output.ts';
import { chooseDeadlines } from './people.ts';
import { showMatch } from './showMatch.ts';

export type ServeFlags = {
  readonly port: number;
  readonly seats?: readonly Colour[] | 'all';
  readonly sessions: number;
  readonly jobs: number;
  readonly turns: number;
  readonly think: number;
  readonly seed?: number;
  readonly out?: string;
  readonly mcp?: boolean;
};

const MS = 1000;

type ServedGame = {
  readonly id: string;
  readonly company: HumanSeats;
  readonly identify: (seat: Colour) => Identity;
  readonly over: Promise<void>;
  state: 'waiting' | 'playing' | 'over';
  result: object | null;
  next: Promise<void> | null;
};

/** Serves until the agent is gone and the game that it plays is over. */
export async function serveAgents(match: AnyMatch | null, flags: ServeFlags): Promise<void> {
  const table = new AgentTable(seatAgents(match ?? plainGame(8), flags), flags);
  table.server = await serveAt(table.routes, flags.port);
  await table.open();
  // The client is gone, and the game goes on.
  onOutputClosed(() => {});
  printNote(`Live: ${table.server.url}   People sit down at ${table.server.url}play`);
  await serveMcp(table);
  await table.end();
  table.server.close();
}

class AgentTable implements GameHost {
  server: LiveServer | null = null;
  /** Those of the last game. */
  readonly routes: Route[] = [];
  readonly #match: AnyMatch;
  readonly #flags: ServeFlags;
  readonly #games: ServedGame[] = [];
  /** Ends the presence of each program that has joined. */
  readonly #leavers: (() => void)[] = [];

  constructor(match: AnyMatch, flags: ServeFlags) {
    this.#flags = flags;
    this.#match = match;
  }

  list(): readonly object[] {
    return this.#games.map((game) => this.#describe(game));
  }

  async join(id: string | undefined, colour: Colour | undefined): Promise<object | string> {
    const last = this.#games.at(-1);
    // Seats that are taken at the same time are seats of one game.
    if (last?.state === 'over' && id === undefined) {
      last.next ??= this.open();
      await last.next;
    }
    const game = id === undefined ? this.#games.at(-1) : this.#games.find((one) => one.id === id);
    if (game === undefined) return `There is no game ${id}.`;
    const free = game.company.listFree(true);
    const taken = free.find(({ player }) => colour === undefined || player.seat === colour);
    if (taken === undefined)
      return `${colour ?? 'Every seat'} is not free (free: ${nameSeats(free).join(', ') || 'none'}).`;
    const { player, token } = taken;
    this.#leavers.push(player.come());
    return { ...this.#describe(game), seat: player.seat, token };
  }

  find(id: string, token: string): TakenSeat | null {
    const game = this.#games.find((one) => one.id === id);
    const player = game?.company.findPlayer(token) ?? null;
    if (game === undefined || player === null || player.seating.attendance === 'awaited')
      return null;
    return { player, identity: game.identify(player.seat), describe: () => this.#describe(game) };
  }

  async open(): Promise<void> {
    const match = this.#match;
    const { think, out, seed = drawSeed() } = this.#flags;
    const waits = { table: think * MS, ship: think * MS };
    const outside = match.seats.filter(({ mind }) => mind === 'outside');
    const company = new HumanSeats(listPeople(match.seats), waits, null, nameColours(outside));
    const thinking = await createGameModels({ concurrency: 8 }, seed);
    const creation = createMatch(match, seed, company.minds(thinking.minds));
    if (!creation.ok) throw new Failure(EXIT.configuration, creation.refusals);
    const { ready } = creation;
    const { lensWithMoves } = await import('../visualizer/charts/machineRun.ts');
    const host = new LivePage({ type: 'glass' }, company, lensWithMoves);
    host.server = this.server;
    const { broadcast } = host;
    const page = createPageSource(broadcast, match.name, true);
    const play = async () => {
      await company.waitForAll();
      game.state = 'playing';
      const file = createJournalIn(out ?? FOLDER, `game-${seed}`);
      const lens = { type: 'table' } as const;
      const screen = { print: null, host, lens, skipsToCall: false };
      const shown = { ...screen, file, thinking, beliefs: null, company };
      const isGame = ready.type === 'game';
      const result = isGame ? await showMatch(ready, shown) : await showMatch(ready, shown);
      broadcast.end();
      game.result = { ...result, journal: file.path };
      game.state = 'over';
    };
    const game: ServedGame = {
      ...{ id: `g${this.#games.length + 1}`, company, state: 'waiting', result: null, next: null },
      identify: (seat) => identify(ready.match.seats, seat, seed),
      over: Promise.resolve().then(play),
    };
    this.#games.push(game);
    const routes = createPlayRoutes(company, broadcast, page, (decided) => host.promptOf(decided));
    this.routes.splice(0, Infinity, (asked) => sendToFreeSeat(asked.path, company), ...routes);
  }

  /** The connection is lost: the seats are silent, and a game that has begun is played out. */
  async end(): Promise<void> {
    for (const leave of this.#leavers) leave();
    const game = this.#games.at(-1);
    if (game === undefined || game.state === 'waiting') return game?.company.close();
    await game.over;
    // People look round in the open glass.
    await Promise.race([game.company.waitUntilEmpty(), waitForStop()]);
  }

  #describe({ id, state, result, company }: ServedGame): object {
    const url = this.server?.url ?? '';
    const [free, people] = [company.listFree(true), company.listFree(false)];
    return {
      ...{ game: id, state, free: nameSeats(free), awaited: nameSeats([...free, ...people]) },
      page: url,
      ...(people.length > 0 && { people: `${url}play` }),
      ...(result !== null && { result }),
    };
  }
}

const nameColours = (seats: readonly { readonly colour: Colour }[]) =>
  seats.map(({ colour }) => colour);
const nameSeats = (seats: ReturnType<HumanSeats['listFree']>) =>
  seats.map(({ player }) => player.seat);

function seatAgents(match: AnyMatch, { seats, think }: ServeFlags): AnyMatch {
  const chosen = seats === 'all' ? nameColours(match.seats) : (seats ?? chooseOutside(match));
  const seated = seatOutside(match, chosen);
  const times = chooseDeadlines(seated.seats, { think }, {}, !isMeeting(seated));
  return { ...seated, options: { ...seated.options, ...times } };
}

function sendToFreeSeat(path: string, company: HumanSeats): ReturnType<Route> {
  if (path !== '/play') return null;
  const [free] = company.listFree(false);
  const hash = free === undefined ? '' : `#seat=${free.token}`;
  return answerHtml(`<!doctype html><meta http-equiv="refresh" content="0;url=/${hash}">`);
}
