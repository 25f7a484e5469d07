/** The door of agents: MCP over stdio. A call may reach a new server, so `game` and `token` are all that identifies a seat. */
import { deserializeMessage, McpServer, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { parseJson } from '../../machines/text.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { ENGINE } from '../../machines/versions.ts';
import type { Identity } from '../../prompts/personas.ts';
import type { HumanMind } from '../minds/human/humanMind.ts';
import { observe } from '../minds/observation.ts';
import { realTime } from '../ports/time.ts';

export type TakenSeat = {
  readonly player: HumanMind;
  readonly identity: Identity;
  /** Where the game is: who is awaited, that it is played, or how it ended. */
  describe(): object;
};

export type GameHost = {
  list(): readonly object[];
  /** Takes a free seat, in a new game if none waits for players. Returns the reason if it can't. */
  join(game: string | undefined, seat: Colour | undefined): Promise<object | string>;
  find(game: string, token: string): TakenSeat | null;
};

/** Milliseconds that `wait` takes at most: clients give up after a minute, some sooner. */
const WAIT_MS = 20_000;

const place = { game: z.string().max(99), token: z.string().max(99).describe('From join') };
const replySchema = z.union([z.string().max(65_536), z.record(z.string(), z.unknown())]);

/** Characters of a line of the client, and bytes that it may leave unread before no more of it is read. */
const LONGEST_LINE = 1_000_000;
const MOST_UNREAD = 8_000_000;
const LOOK_MS = 50;

const NO_JSON = { code: -32700, message: 'Expected a line of JSON.' };
const NO_REQUEST = { code: -32600, message: 'Expected a JSON-RPC request of at most 1 MB.' };

/** Serves until the client is gone. The transport of the SDK ignores a wrong line, and is deaf after a long one. */
export async function serveMcp(host: GameHost): Promise<void> {
  const { stdin, stdout } = process;
  const write = (message: object) => void stdout.write(`${JSON.stringify(message)}\n`);
  const done = () => Promise.resolve();
  const transport: Transport = { start: done, send: async (one) => write(one), close: done };
  const server = serveStdio(() => createServer(host), { transport });
  const hear = (line: string) => {
    try {
      if (line.length > LONGEST_LINE) throw new Error(NO_REQUEST.message);
      transport.onmessage?.(deserializeMessage(line));
    } catch (error) {
      const wrong = error instanceof SyntaxError ? NO_JSON : NO_REQUEST;
      write({ jsonrpc: '2.0', id: null, error: wrong });
    }
  };
  let begun = '';
  try {
    for await (const piece of stdin.setEncoding('utf8')) {
      const lines = `${begun}${piece}`.split('\n');
      begun = (lines.pop() ?? '').slice(0, LONGEST_LINE + 1);
      for (const line of lines) if (line.trim() !== '') hear(line);
      while (stdout.writable && stdout.writableLength > MOST_UNREAD) await realTime.sleep(LOOK_MS);
    }
  } catch {
    // The connection broke off.
  }
  await server.close();
}

type HeldPlace = { readonly game: string; readonly token: string };

function createServer(host: GameHost): McpServer {
  const server = new McpServer({ name: 'glass-box-league', version: ENGINE });
  const add = <S extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: S,
    call: (asked: z.infer<z.ZodObject<S>>) => object | string | Promise<object | string>,
  ) =>
    server.registerTool(name, { description, inputSchema: z.object(shape) }, async (asked) => {
      const found = await call(asked);
      const text = typeof found === 'string' ? found : JSON.stringify(found);
      return { content: [{ type: 'text', text }], isError: typeof found === 'string' };
    });
  const withSeat = <T>({ game, token }: HeldPlace, use: (seat: TakenSeat) => T) => {
    const seat = host.find(game, token);
    return seat === null ? 'This token belongs to no seat of this game.' : use(seat);
  };
  add('games', 'Lists the games, their free seats and their live page.', {}, () => {
    return { games: host.list() };
  });
  add(
    'join',
    'Takes a free seat in a game of Among Us. Keep the token: it is the key to the seat.',
    { game: place.game.optional(), seat: z.enum(COLOURS).optional() },
    ({ game, seat }) => host.join(game, seat),
  );
  add('look', 'Shows what your player knows and is asked now.', place, (held) =>
    withSeat(held, look),
  );
  add(
    'act',
    'Answers the question, as its prompt says. An answer that cannot be read may be given again.',
    { ...place, reply: replySchema.describe('JSON') },
    ({ reply, ...held }) =>
      withSeat(held, ({ player }) => {
        const open = player.asked;
        if (open === null) return 'Nothing is asked now: call wait.';
        // A person's form reads fields, and an agent may send them as text.
        const fields = typeof reply === 'string' ? (parseJson(reply) ?? reply) : reply;
        return player.answer(open.id, fields) ?? { taken: true, next: 'wait' };
      }),
  );
  add(
    'wait',
    'Waits until your player is asked or the game is over, for 20 seconds at most, then looks.',
    place,
    (held) =>
      withSeat(held, async (seat) => {
        await waitForTurn(seat.player);
        return look(seat);
      }),
  );
  add('leave', 'Gets up for good. The game goes on without you.', place, (held) =>
    withSeat(held, ({ player }) => {
      player.leave();
      return { left: true };
    }),
  );
  return server;
}

function look({ player, identity, describe }: TakenSeat): object {
  const { seat, seating, asked } = player;
  if (asked === null) return { seat, ...describe(), asked: null };
  const { kind, index, prompt, choices } = observe(asked.request, identity);
  const { system, user, schema } = prompt;
  const question = { kind, index, prompt: `${system}\n\n${user}`, schema, choices };
  return { seat, ...describe(), asked: { seconds: (seating.asked?.ms ?? 0) / 1000, ...question } };
}

async function waitForTurn(player: HumanMind): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => {
    if (player.asked !== null || player.seating.isOver) resolve();
  };
  const stop = player.watch(check);
  const timer = realTime.setTimeout(() => resolve(), WAIT_MS);
  check();
  await promise;
  stop();
  realTime.clearTimeout(timer);
}
