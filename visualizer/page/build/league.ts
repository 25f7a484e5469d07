/** The page of a league, with the league in it. */
import type { Source } from '../league/league.ts';
import { dataScript, pageWith } from './page.ts';

/** With progress the page asks the server that serves it how it goes on; without it is a file for good. */
export function leaguePage(source: Omit<Source, 'type'>): Promise<string> {
  return pageWith('league', dataScript('source', JSON.stringify({ type: 'league', ...source })));
}
