/** Airing: the routes of a feed, which are its page and its lines through the lens that somebody asks for. */
import { parseLens } from '../../machines/lens.ts';
import type { Feed } from './feed.ts';
import { type Route, sentence } from './server.ts';

export function airing(feed: Feed, page: string): readonly Route[] {
  return [
    ({ method, path }) =>
      method === 'GET' && path === '/' ? { type: 'html', status: 200, text: page } : null,
    ({ method, path, search }) => {
      if (method !== 'GET' || path !== '/events') return null;
      const lens = parseLens(search.get('lens') ?? '');
      if (lens === null) return sentence(400, 'Expected a lens: table, glass or player:COLOUR.');
      const audience = feed.through(lens);
      if (audience === null) return sentence(403, 'This journal is shown through another lens.');
      return { type: 'stream', audience };
    },
  ];
}
