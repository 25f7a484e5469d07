/** The hall: the page in which people play, and in which others may watch without hearing a secret. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Broadcast } from '../../visualizer/server/broadcast.ts';
import {
  createPromptRoute,
  createSeatRoutes,
  type PageSource,
  type PromptSource,
} from '../../visualizer/server/routes.ts';
import type { Route } from '../../visualizer/server/server.ts';
import { capitalize } from '../../visualizer/text.ts';
import { createFailure, EXIT } from '../exit.ts';
import { printNote } from '../output.ts';
import { openBrowser } from '../serve.ts';
import type { Company } from './company.ts';

/** Milliseconds until somebody must have come: nothing waits for ever. */
const PATIENCE_MS = 600_000;

/** What the page of a game with people in it can be asked. Prompts hold secrets, so they wait for the end. */
export function hallRoutes(
  company: Company,
  feed: Broadcast,
  page: PageSource,
  promptOf: PromptSource,
): readonly Route[] {
  const prompts = createPromptRoute(feed, promptOf);
  return [
    ...createSeatRoutes({ feed, page, holder: (token) => company.holder(token) }),
    (asked) => (feed.isOver ? prompts(asked) : null),
  ];
}

/** Says where everybody plays, and waits until they have come. */
export async function welcome(company: Company, url: string): Promise<void> {
  for (const { seat, hash } of company.keys)
    printNote(`${capitalize(seat)} plays here: ${url}${hash}`);
  printNote(`To watch:${' '.repeat(6)}${url}`);
  const [first] = company.keys;
  if (first !== undefined) openBrowser(`${url}${first.hash}`);
  printNote('It begins when the page is open.');
  const patience = new AbortController();
  const late = rest(PATIENCE_MS, 'late', { signal: patience.signal }).catch(() => 'late');
  const came = await Promise.race([company.arrived().then(() => 'here'), late]);
  patience.abort();
  if (came === 'late')
    throw createFailure(EXIT.noInput, 'play/nobody-came', 'nobody has come to play');
}

/** People can't play in a page that is not there. */
export function noPage() {
  const text = 'the page in which you would play can’t be served; --terminal plays here';
  return createFailure(EXIT.unreachable, 'play/no-page', text);
}
