/** The statements of the tested seat that the pool understood, and the cost of its answers. */
import type { readCalls } from '../../machines/journal/calls.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { COLOURS, type Colour, PLACES } from '../../machines/types.ts';
import { findClaims } from '../../prompts/claims/claims.ts';
import { sumOf } from '../counts/numeric.ts';

export type SeatConduct = Readonly<ReturnType<typeof readConduct>>;

const NAMES = new RegExp(`\\b(?:${[...COLOURS, ...PLACES].join('|')})\\b`, 'i');

export function readConduct(
  lines: readonly Line[],
  seat: Colour,
  calls: ReturnType<typeof readCalls>,
) {
  const claimed = lines.flatMap((line) => {
    if (line.type !== 'tick.closed' || line.said?.speaker !== seat) return [];
    const { message, target = null } = line.said;
    return message
      .split(/(?<=[.!?…])\s+/)
      .filter((sentence) => NAMES.test(sentence) && !sentence.endsWith('?'))
      .map((sentence) => findClaims({ speaker: seat, message: sentence, target }).length > 0);
  });
  const isPriced = calls.every(({ usage }) => usage.cost !== null);
  return {
    /** Statements that name a player or a place, and how many of them hold a claim for the reader of claims. */
    statements: claimed.length,
    understood: claimed.filter(Boolean).length,
    /** As reported by the endpoint: milliseconds of each request, and dollars if all have a cost. */
    ms: calls.map(({ ms }) => ms),
    dollars: isPriced ? sumOf(calls, ({ usage }) => usage.cost ?? 0) : null,
  };
}
