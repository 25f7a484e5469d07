/** Scratchpads: the private notebooks of a player. The meeting page is always erased after the meeting (ruling 27). */
import type { Ballot, Outcome, Pads, PadUpdates } from '../types.ts';

export const BLANK_PADS: Pads = { main: '', meeting: '' };
/** In characters. A longer text keeps its end, which has the newest notes. */
export const PAGE_LENGTH = 4000;

export function updatePads(pads: Pads, updates: PadUpdates): Pads {
  return { main: fit(updates.main ?? pads.main), meeting: fit(updates.meeting ?? pads.meeting) };
}

/** The main page after the consolidation: the player's text, or else the old page with `line` appended. */
export function consolidatePads(pads: Pads, updates: PadUpdates | null, line: string): Pads {
  const own = updates?.main;
  const main = own ?? (pads.main === '' ? line : `${pads.main}\n${line}`);
  return { main: fit(main), meeting: '' };
}

/** The engine's line for a player who wrote none: their vote and the outcome. */
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
