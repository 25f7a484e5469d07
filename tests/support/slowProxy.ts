/** A slow network: a TCP proxy that forwards everything in order, with a delay for each piece. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class SlowProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(port: number, server: Server, sockets: Set<Socket>) {
    this.port = port;
    this.#server = server;
    this.#sockets = sockets;
  }

  static async start(target: number, lateMs: number): Promise<SlowProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(target, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('data', (bytes) => setTimeout(() => to.write(bytes), lateMs));
        from.on('close', () => {
          sockets.delete(from);
          setTimeout(() => to.destroy(), lateMs);
        });
      }
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('expected a port');
    return new SlowProxy(address.port, server, sockets);
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
