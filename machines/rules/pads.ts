/**
 * Scratchpads: the private notebooks of a player, and what becomes of them when a meeting ends.
 *
 * An update replaces the page it names. The consolidation moves what matters to the main page; the meeting's page is
 * erased whatever fails (ruling 27).
 */
import type { Ballot, Outcome, Pads, PadUpdates } from '../types.ts';

export const BLANK_PADS: Pads = { main: '', meeting: '' };
/** Characters that a page holds; a longer text keeps its end, where the newest notes are. */
export const PAGE_LENGTH = 4000;

/** The notebooks after an update. */
export function updatePads(pads: Pads, updates: PadUpdates): Pads {
  return {
    main: fit(updates.main ?? pads.main),
    meeting: fit(updates.meeting ?? pads.meeting),
  };
}

/** The main page after the consolidation: the player's own text or, where none came, what stood there and `line`. */
export function consolidatePads(pads: Pads, updates: PadUpdates | null, line: string): Pads {
  const own = updates?.main;
  const main = own ?? (pads.main === '' ? line : `${pads.main}\n${line}`);
  return { main: fit(main), meeting: '' };
}

/** The line that the engine writes for a player who wrote none: how they voted and what came of it. */
export function writeMechanicalLine(
  ballot: Ballot | undefined,
  outcome: Outcome,
  ejected: string | null,
): string {
  const vote = ballot === undefined ? 'I did not vote' : `I voted ${ballot}`;
  const result = ejected === null ? `nobody was ejected (${outcome})` : `${ejected} was ejected`;
  return `Meeting: ${vote}; ${result}.`;
}

function fit(text: string): string {
  return text.length <= PAGE_LENGTH ? text : text.slice(text.length - PAGE_LENGTH);
}
