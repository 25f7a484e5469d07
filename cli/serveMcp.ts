/** Games for agents over MCP: one at a time, with a live page. People can have seats, too. */

import { type GameHost, serveMcp, type TakenSeat } from '../actors/doors/mcp.ts';
import { createMatch } from '../actors/engine/match.ts';
import { EXIT, Failure } from '../actors/files/failure.ts';
import { identify } from '../actors/library.ts';
import { HumanSeats, listPeople } from '../actors/minds/human/seats.ts';
import { plainGame } from '../machines/setup/prepare.ts';
import type { Colour } from '../machines/types.ts';
import type { Route } from '../visualizer/server/server.ts';
import { answerHtml, type LiveServer } from '../visualizer/server/server.ts';
import { drawSeed, type ModelFlags } from './flags.ts';
import { createPageSource, createPlayRoutes, LivePage, serveAt } from './live.ts';
import { type AnyMatch, isMeeting, openMatchJournal } from './matchOut.ts';
import { createGameModels } from './models.ts';
import { printNote } from './output.ts';
import { chooseDeadlines } from './people.ts';
import { showMatch } from './showMatch.ts';

export type ServeFlags = {
  readonly port: number;
  readonly seats?: readonly Colour[] | 'all';
  readonly sessions: number;
  readonly turns: number;
  readonly think: number;
  readonly seed?: number;
  readonly out?: string;
  readonly mcp?: boolean;
};

const MS = 1000;

type ServedGame = {
  readonly id: string;
  readonly seats: readonly { readonly colour: Colour; readonly isOutside: boolean }[];
  readonly company: HumanSeats;
  readonly routes: readonly Route[];
  readonly seed: number;
  readonly match: AnyMatch;
  readonly over: Promise<void>;
  state: 'waiting' | 'playing' | 'over';
  result: object | null;
};

/** Serves until the agent is gone and the game that it plays is over. */
export async function serveAgents(match: AnyMatch | null, flags: ServeFlags): Promise<void> {
  const table = new AgentTable(match ?? plainGame(8), flags);
  table.server = await serveAt([(asked) => table.answer(asked)], flags.port);
  await table.open();
  printNote(`Live: ${table.server.url}   People sit down at ${table.server.url}play`);
  await serveMcp(table);
  await table.end();
  table.server.close();
}

class AgentTable implements GameHost {
  server: LiveServer | null = null;
  readonly #match: AnyMatch;
  readonly #flags: ServeFlags;
  readonly #games: ServedGame[] = [];
  /** Ends the presence of each program that has joined. */
  readonly #leavers: (() => void)[] = [];

  constructor(match: AnyMatch, flags: ServeFlags) {
    this.#flags = flags;
    this.#match = seatAgents(match, flags);
  }

  list(): readonly object[] {
    return this.#games.map((game) => this.#describe(game));
  }

  async join(id: string | undefined, colour: Colour | undefined): Promise<object | string> {
    if (this.#games.at(-1)?.state === 'over' && id === undefined) await this.open();
    const game = id === undefined ? this.#games.at(-1) : this.#games.find((one) => one.id === id);
    if (game === undefined) return `There is no game ${id}.`;
    const free = listFree(game);
    const seat = free.find((one) => colour === undefined || one === colour);
    if (seat === undefined)
      return `${colour ?? 'Every seat'} is not free (free: ${free.join(', ') || 'none'}).`;
    const { company } = game;
    const token =
      company.links.find((link) => link.seat === seat)?.hash.replace('#seat=', '') ?? '';
    const player = company.findPlayer(token);
    if (player !== null) this.#leavers.push(player.come());
    return { ...this.#describe(game), game: game.id, seat, token };
  }

  find(id: string, token: string): TakenSeat | null {
    const game = this.#games.find((one) => one.id === id);
    const player = game?.company.findPlayer(token) ?? null;
    if (game === undefined || player === null || player.seating.attendance === 'awaited')
      return null;
    const identity = identify(game.match.seats, player.seat, game.seed);
    return { player, identity, describe: () => this.#describe(game) };
  }

  answer(asked: Parameters<Route>[0]): ReturnType<Route> {
    const game = this.#games.at(-1);
    if (asked.path === '/play') return answerHtml(linkFreeSeat(game));
    return firstAnswer(game?.routes ?? [], asked);
  }

  async open(): Promise<void> {
    const { think, out } = this.#flags;
    const place = out === undefined ? {} : { out };
    const seed = this.#flags.seed ?? drawSeed();
    const match = this.#match;
    const people = listPeople(match.seats);
    const outside = match.seats
      .filter(({ mind }) => mind === 'outside')
      .map(({ colour }) => colour);
    const waits = { table: think * MS, ship: think * MS };
    const company = new HumanSeats(people, waits, null, outside);
    const thinking = await createGameModels(NO_MODELS, seed);
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
      const file = openMatchJournal(match, { games: 1, seed, ...place }, number);
      const lens = { type: 'table' } as const;
      const shown = {
        file,
        print: null,
        host,
        thinking,
        beliefs: null,
        lens,
        company,
        skipsToCall: false,
      };
      const result =
        'setting' in ready ? await showMatch(ready, shown) : await showMatch(ready, shown);
      broadcast.end();
      game.result = { ...result, journal: file.path };
      game.state = 'over';
    };
    const number = this.#games.length + 1;
    const game: ServedGame = {
      id: `g${number}`,
      seats: people.map((colour) => ({ colour, isOutside: outside.includes(colour) })),
      ...{ company, seed, match: ready.match, state: 'waiting', result: null },
      routes: createPlayRoutes(company, broadcast, page, (decided) => host.promptOf(decided)),
      over: Promise.resolve().then(play),
    };
    this.#games.push(game);
  }

  /** The connection is lost: the seats are silent, and a game that has begun is played out. */
  async end(): Promise<void> {
    for (const leave of this.#leavers) leave();
    const game = this.#games.at(-1);
    if (game?.state === 'playing') await game.over;
    else game?.company.close();
  }

  #describe(game: ServedGame): object {
    const { id, state, result } = game;
    const url = this.server?.url ?? '';
    const awaited = game.company.players.filter(({ seating }) => seating.attendance === 'awaited');
    const people = awaited.some(({ seat }) => !listFree(game).includes(seat));
    return {
      game: id,
      state,
      free: listFree(game),
      awaited: awaited.map(({ seat }) => seat),
      page: url,
      ...(people ? { people: `${url}play` } : {}),
      ...(result === null ? {} : { result }),
    };
  }
}

const NO_MODELS: ModelFlags = { concurrency: 8 };

/** The match with its agents, the first seat if it names none, and time for all of them. */
function seatAgents(match: AnyMatch, { seats, think }: ServeFlags): AnyMatch {
  const [first] = match.seats;
  const named = match.seats.some(({ mind }) => mind === 'outside') ? [] : [first?.colour];
  const taken = seats === 'all' ? match.seats.map(({ colour }) => colour) : (seats ?? named);
  const place = <S extends AnyMatch['seats'][number]>(list: readonly S[]): S[] =>
    list.map((seat) => (taken.includes(seat.colour) ? { ...seat, mind: 'outside' } : seat));
  const waits = (isGame: boolean) =>
    chooseDeadlines(place<AnyMatch['seats'][number]>(match.seats), { think }, {}, isGame);
  if (isMeeting(match))
    return { ...match, seats: place(match.seats), options: { ...match.options, ...waits(false) } };
  return { ...match, seats: place(match.seats), options: { ...match.options, ...waits(true) } };
}

function listFree({ seats, company }: ServedGame): readonly Colour[] {
  return company.players.flatMap(({ seat, seating }) => {
    const isOutside = seats.some((one) => one.colour === seat && one.isOutside);
    return isOutside && seating.attendance === 'awaited' ? [seat] : [];
  });
}

/** Sends a person to the first seat that nobody has taken. */
function linkFreeSeat(game: ServedGame | undefined): string {
  const free = game?.company.players.find(({ seat, seating }) => {
    return seating.attendance === 'awaited' && !listFree(game).includes(seat);
  });
  const link = game?.company.links.find(({ seat }) => seat === free?.seat);
  return `<!doctype html><meta http-equiv="refresh" content="0;url=/${link?.hash ?? ''}">`;
}

async function firstAnswer(routes: readonly Route[], asked: Parameters<Route>[0]) {
  for (const route of routes) {
    const found = await route(asked);
    if (found !== null) return found;
  }
  return null;
}
