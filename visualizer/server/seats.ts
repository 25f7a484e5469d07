/**
 * Seats: the routes of a game in which people play.
 *
 * While it is on, everybody gets the table and nothing else; whoever has the token of a seat gets what that seat sees,
 * and may answer for it. The glass opens for all when it is over. A token is handed on to nobody and written nowhere.
 */
import { type Lens, parseLens } from '../../machines/journal/lens.ts';
import { type GivenPage, pageRoute } from './airing.ts';
import type { Asked } from './asked.ts';
import type { Feed } from './feed.ts';
import { Post, type Seat } from './post.ts';
import { type Answer, type Route, sentence } from './server.ts';

export type Hall = {
  readonly feed: Feed;
  readonly page: GivenPage;
  /** The seat of a token; null for one that is of no seat. */
  readonly holder: (token: string) => Seat | null;
};

const NO_SEAT = sentence(403, 'This is the token of no seat of this game.');
const NOT_YET = sentence(
  403,
  'While the game is on everybody sees the table, and who plays sees with their own eyes. The glass opens at the end.',
);

export function seatRoutes({ feed, page, holder }: Hall): readonly Route[] {
  const posts = new Map<Seat, Post>();
  const postOf = (seat: Seat) => {
    const post = posts.get(seat) ?? new Post(seat);
    posts.set(seat, post);
    return post;
  };
  return [
    pageRoute(page),
    (asked) => (isGet(asked, '/events') ? lines(asked, feed, holder) : null),
    (asked) => {
      if (!isGet(asked, '/seat')) return null;
      const seat = holder(asked.search.get('seat') ?? '');
      return seat === null ? NO_SEAT : { type: 'stream', audience: postOf(seat) };
    },
    ({ method, path, body }) => {
      if (method !== 'POST' || (path !== '/seat' && path !== '/seat/leave')) return null;
      return written(path, fieldsOf(body), holder);
    },
  ];
}

function isGet({ method, path }: Asked, wanted: string): boolean {
  return method === 'GET' && path === wanted;
}

function lines({ search }: Asked, feed: Feed, holder: Hall['holder']): Answer {
  const lens = parseLens(search.get('lens') ?? '');
  if (lens === null) return sentence(400, 'Expected a lens: table, glass or player:COLOUR.');
  const token = search.get('seat') ?? '';
  const seat = token === '' ? null : holder(token);
  if (token !== '' && seat === null) return NO_SEAT;
  const audience = mayLook(lens, seat, feed) ? feed.through(lens) : null;
  return audience === null ? NOT_YET : { type: 'stream', audience };
}

function mayLook(lens: Lens, seat: Seat | null, { isOver }: Feed): boolean {
  if (isOver || lens.type === 'table') return true;
  return lens.type === 'player' && lens.seat === seat?.seating.seat;
}

function written(path: string, fields: Fields | null, holder: Hall['holder']): Answer {
  if (fields === null) return sentence(400, 'Expected a JSON object.');
  const seat = holder(typeof fields['seat'] === 'string' ? fields['seat'] : '');
  if (seat === null) return NO_SEAT;
  if (path === '/seat/leave') {
    seat.leave();
    return TAKEN;
  }
  const { id, answer } = fields;
  if (typeof id !== 'number') return sentence(400, 'Expected the number of what was asked.');
  const why = seat.answer(id, answer);
  return why === null ? TAKEN : sentence(409, why);
}

const TAKEN: Answer = { type: 'json', status: 200, text: '{"ok":true}' };

type Fields = Readonly<Partial<Record<string, unknown>>>;

function fieldsOf(body: string): Fields | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
