/** WebSockets of the server: each text of a client is answered in order. A client that floods or never reads is cut off. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

export type Talker = {
  /** Never rejects; null closes the connection. */
  answer(text: string): Promise<string | null>;
  close(): void;
};

export type SocketDoor = {
  readonly path: string;
  /** The session of a new connection, or the last words to one that gets none. */
  open(): Talker | string;
};

/** Bytes of a client's text, bytes that it has not read, and texts that it may send ahead. */
const LONGEST_TEXT = 1_000_000;
const MOST_UNREAD = 8_000_000;
const MOST_AHEAD = 64;

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export function acceptSockets(door: Pick<SocketDoor, 'open'>): Upgrade {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_TEXT });
  return (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => opened.terminate());
      const talker = door.open();
      if (typeof talker !== 'string') return converse(opened, talker);
      opened.send(talker);
      opened.close(TRY_LATER);
    });
  };
}

const TRY_LATER = 1013;
const TOO_MUCH = 1008;
const DONE = 1000;

function converse(socket: WebSocket, talker: Talker): void {
  let ahead = 0;
  let last = Promise.resolve();
  const reply = async (text: string) => {
    if (socket.readyState !== socket.OPEN) return;
    const answer = await talker.answer(text);
    ahead -= 1;
    if (answer === null) socket.close(DONE);
    else socket.send(answer);
  };
  socket.on('message', (data) => {
    ahead += 1;
    if (socket.bufferedAmount > MOST_UNREAD) socket.terminate();
    else if (ahead > MOST_AHEAD) socket.close(TOO_MUCH, 'expected one text at a time');
    else last = last.then(() => reply(String(data)));
  });
  socket.on('close', () => talker.close());
}
