/** Airing: the routes of a feed, which are its page and its lines through the lens that somebody asks for. */
import { parseLens } from '../../machines/journal/lens.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { Feed } from './feed.ts';
import { type Route, sentence } from './server.ts';

/** The page, or how it is made when somebody first asks for it; rejects with a sentence where it can't be. */
export type GivenPage = string | (() => Promise<string>);

export function airing(feed: Feed, page: GivenPage): readonly Route[] {
  return [
    pageRoute(page),
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

export function pageRoute(page: GivenPage): Route {
  return async ({ method, path }) => {
    if (method !== 'GET' || path !== '/') return null;
    if (typeof page === 'string') return { type: 'html', status: 200, text: page };
    try {
      return { type: 'html', status: 200, text: await page() };
    } catch {
      return sentence(500, 'The page could not be built; the terminal says why.');
    }
  };
}

/** The line in which somebody has decided: a tick, a turn of the ghosts, or a round. */
export type Decided = {
  readonly seat: Colour;
  readonly channel: 'living' | 'ghosts';
  readonly seq: number;
};

/** What somebody was sent, as text; null where nobody was asked. */
export type PromptOf = (decided: Decided) => Promise<object | null>;

/** The route of prompts: `GET /prompt?player=red&channel=living&seq=12`. They hold secrets, so the glass must be open. */
export function prompting({ widest }: Feed, promptOf: PromptOf): Route {
  return async ({ method, path, search }) => {
    if (method !== 'GET' || path !== '/prompt') return null;
    if (widest.type !== 'glass')
      return sentence(403, 'This journal is shown through another lens.');
    const seat = COLOURS.find((colour) => colour === search.get('player'));
    const channel = search.get('channel') === 'ghosts' ? 'ghosts' : 'living';
    const seq = search.get('seq') ?? '';
    if (seat === undefined || !/^\d{1,9}$/.test(seq))
      return sentence(400, 'Expected a player and the number of a line.');
    try {
      const prompt = await promptOf({ seat, channel, seq: Number(seq) });
      if (prompt !== null) return { type: 'json', status: 200, text: JSON.stringify(prompt) };
    } catch {
      // A journal that can't be played again: damaged, or of another version of the rules.
    }
    return sentence(404, 'This prompt can’t be made again from the journal.');
  };
}
