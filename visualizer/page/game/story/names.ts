/** Names: what players are called in sentences. */
import type { Ballot } from '../../../../machines/types.ts';

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** "Red", or what a ballot for nobody is called. */
export function candidateName(ballot: Ballot): string {
  return ballot === 'skip' ? 'Skip' : capital(ballot);
}
