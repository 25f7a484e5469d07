/** The routes of a live page: the page, its lines through a lens, prompts and seats. */
import type { DecisionPlace } from '../../analysis/models/prompts.ts';
import { type Lens, parseLens } from '../../machines/journal/lens.ts';
import { isRecord, parseJson } from '../../machines/text.ts';
import type { SeatStatus } from '../../machines/turnPrompt.ts';
import { COLOURS } from '../../machines/types.ts';
import type { WhyNotes } from '../page/game/story/pageData.ts';
import type { Broadcast, Viewer } from './broadcast.ts';
import {
  answerHtml,
  answerJson,
  answerText,
  type HttpAnswer,
  type HttpRequest,
  type Route,
} from './server.ts';

const NO_LENS = answerText(400, 'Expected a lens: table, glass or player:COLOUR.');

export type PageSource = string | (() => Promise<string>);

export function createJournalRoutes(feed: Broadcast, page: PageSource): readonly Route[] {
  return [
    createPageRoute(page),
    get('/events', ({ search }) => {
      const lens = parseLens(search.get('lens') ?? '');
      if (lens === null) return NO_LENS;
      const stream = feed.streamThrough(lens);
      if (stream === null) return answerText(403, 'This journal is shown through another lens.');
      return { type: 'stream', stream };
    }),
  ];
}

function createPageRoute(page: PageSource): Route {
  return get('/', async () => {
    if (typeof page === 'string') return answerHtml(page);
    try {
      return answerHtml(await page());
    } catch {
      return answerText(500, 'The page could not be built; the terminal says why.');
    }
  });
}

/** The route of findings, as far as the widest lens may show them; null if there are none. */
export function createWhyRoute(find: (() => Promise<WhyNotes | null>) | null): Route {
  return get('/why', async () => (find === null ? null : answerJson(await find())));
}

export type PromptSource = (decided: DecisionPlace) => Promise<object | null>;

/** The route of prompts: `GET /prompt?player=red&channel=living&seq=12`. They hold secrets, so the glass must be open. */
export function createPromptRoute({ widest }: Broadcast, promptOf: PromptSource): Route {
  return get('/prompt', async ({ search }) => {
    if (widest.type !== 'glass')
      return answerText(403, 'This journal is shown through another lens.');
    const seat = COLOURS.find((colour) => colour === search.get('player'));
    const channel = search.get('channel') === 'ghosts' ? 'ghosts' : 'living';
    const seq = search.get('seq') ?? '';
    if (seat === undefined || !/^\d{1,9}$/.test(seq))
      return answerText(400, 'Expected a player and the number of a line.');
    try {
      const prompt = await promptOf({ seat, channel, seq: Number(seq) });
      if (prompt !== null) return answerJson(prompt);
    } catch {
      // A journal that can't be played again: damaged, or of another version of the rules.
    }
    return answerText(404, 'This prompt can’t be made again from the journal.');
  });
}

/* A game with people. Until it is over, everyone gets the table's view, and the holder of a seat token
   gets that seat's view and may answer for it. Then the glass opens for all. A token is never passed on or
   stored. */

type SeatFinder = (token: string) => SeatPort | null;

type SeatRouteOptions = Readonly<{ feed: Broadcast; page: PageSource; holder: SeatFinder }>;

const NO_SEAT = answerText(403, 'This token belongs to no seat of this game.');
const NOT_YET = answerText(
  403,
  'While the game runs, watchers see the table and players see through their own eyes. The glass opens at the end.',
);

export function createSeatRoutes({ feed, page, holder }: SeatRouteOptions): readonly Route[] {
  const posts = new Map<SeatPort, SeatStream>();
  const postOf = (seat: SeatPort) => {
    const post = posts.get(seat) ?? new SeatStream(seat);
    posts.set(seat, post);
    return post;
  };
  return [
    createPageRoute(page),
    get('/events', (asked) => answerLines(asked, feed, holder)),
    get('/seat', ({ search }) => {
      const seat = holder(search.get('seat') ?? '');
      return seat === null ? NO_SEAT : { type: 'stream', stream: postOf(seat) };
    }),
    get('/seat/look', ({ search }) => {
      const seat = holder(search.get('seat') ?? '');
      if (seat === null) return NO_SEAT;
      const { seat: colour, attendance, isOver } = seat.seating;
      return answerJson({ seat: colour, isAway: attendance === 'away' && !isOver });
    }),
    ({ method, path, body }) => {
      if (method !== 'POST' || (path !== '/seat' && path !== '/seat/leave')) return null;
      return answerWrite(path, parseJson(body), holder);
    },
  ];
}

function get(path: string, answer: Route): Route {
  return (asked) => (asked.method === 'GET' && asked.path === path ? answer(asked) : null);
}

function answerLines({ search }: HttpRequest, feed: Broadcast, holder: SeatFinder): HttpAnswer {
  const lens = parseLens(search.get('lens') ?? '');
  if (lens === null) return NO_LENS;
  const token = search.get('seat') ?? '';
  const seat = token === '' ? null : holder(token);
  if (token !== '' && seat === null) return NO_SEAT;
  const stream = canLookThrough(lens, seat, feed) ? feed.streamThrough(lens) : null;
  return stream === null ? NOT_YET : { type: 'stream', stream };
}

function canLookThrough(lens: Lens, seat: SeatPort | null, { isOver }: Broadcast): boolean {
  if (isOver || lens.type === 'table') return true;
  return lens.type === 'player' && lens.seat === seat?.seating.seat;
}

function answerWrite(path: string, fields: unknown, holder: SeatFinder): HttpAnswer {
  if (!isRecord(fields)) return answerText(400, 'Expected a JSON object.');
  const seat = holder(typeof fields['seat'] === 'string' ? fields['seat'] : '');
  if (seat === null) return NO_SEAT;
  if (path === '/seat/leave') {
    seat.leave();
    return TAKEN;
  }
  const { id, answer } = fields;
  if (typeof id !== 'number') return answerText(400, 'Expected the id of the question.');
  const why = seat.answer(id, answer);
  return why === null ? TAKEN : answerText(409, why);
}

const TAKEN = answerJson({ ok: true });

export type SeatPort = {
  readonly seating: SeatStatus;
  watch(look: () => void): () => void;
  /** A holder is present until the returned function is called. */
  come(): () => void;
  /** The reason to refuse an answer; null if it is accepted. */
  answer(id: number, received: unknown): string | null;
  leave(): void;
};

type HolderPosition = { go: () => void; isFree: boolean; isStale: boolean };

export class SeatStream {
  readonly #seat: SeatPort;
  readonly #viewers = new Map<Viewer, HolderPosition>();

  constructor(seat: SeatPort) {
    this.#seat = seat;
    seat.watch(() => {
      for (const [viewer, place] of [...this.#viewers]) {
        place.isStale = true;
        this.#tell(viewer, place);
      }
    });
  }

  join(viewer: Viewer): void {
    // Arriving usually changes the seat's status, which sends it. Otherwise it is sent here.
    const place: HolderPosition = { go: () => {}, isFree: true, isStale: true };
    this.#viewers.set(viewer, place);
    place.go = this.#seat.come();
    this.#tell(viewer, place);
  }

  leave(viewer: Viewer): void {
    const place = this.#viewers.get(viewer);
    this.#viewers.delete(viewer);
    place?.go();
  }

  pump(viewer: Viewer): void {
    const place = this.#viewers.get(viewer);
    if (place === undefined) return;
    place.isFree = true;
    this.#tell(viewer, place);
  }

  #tell(viewer: Viewer, place: HolderPosition): void {
    if (!place.isFree || !place.isStale) return;
    place.isStale = false;
    place.isFree = viewer.write(`data: ${JSON.stringify(this.#seat.seating)}\n\n`);
  }
}
