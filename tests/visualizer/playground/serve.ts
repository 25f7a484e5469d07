import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

export type ServedFolder = { readonly address: string; readonly close: () => void };

/** Serves until it is closed; `below` is a path such as "/games/". */
export async function serveFolder(folder: string, below: string): Promise<ServedFolder> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://here');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      if (!path.startsWith(below)) throw new Error('outside of the site');
      const content = readFileSync(join(folder, path.slice(below.length)));
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}${below}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
