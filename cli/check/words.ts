/** Words for what happens in a counterexample: who handed in what, and what changed on the table. */

import type { ToMeeting } from '../../machines/messages.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import type { Rest } from '../../proofs/properties/promise.ts';

/** One event as a sentence without its end. */
export function happening(event: ToMeeting): string {
  switch (event.type) {
    case 'tick.closed': {
      const said = event.decision?.said ?? null;
      const floor = said === null ? '' : `; ${said.speaker} has the floor: “${said.message}”`;
      return `${handedIn(event.bids)}${floor}`;
    }
    case 'seat.left':
      return `${event.seat} leaves`;
    case 'meeting.stopped':
      return `the run is stopped (${event.outcome})`;
    default:
      return 'time passes';
  }
}

/** Who handed in what; those who did the same stand together. */
function handedIn(bids: readonly Bid[]): string {
  const groups = [...Map.groupBy(bids, deed)];
  if (groups.length === 0) return 'nobody hands in anything';
  return groups
    .map(([did, same]) => {
      const isAll = groups.length === 1 && same.length > 1;
      return `${isAll ? 'all' : list(same.map(({ seat }) => seat))} ${did}`;
    })
    .join('; ');
}

export function deed(bid: Bid): string {
  if (bid.type === 'fault') return bid.code === 'seat/left' ? 'got up' : `failed (${bid.code})`;
  const { vote, message, pads } = bid.reply;
  const deeds = [
    ...(message === '' ? [] : ['asked to speak']),
    ...(vote === null ? [] : [vote === 'skip' ? 'voted to skip' : `voted for ${vote}`]),
    ...(Object.keys(pads).length === 0 ? [] : ['wrote']),
  ];
  return deeds.length === 0 ? 'passed' : deeds.join(' and ');
}

function list(seats: readonly Colour[]): string {
  return seats.length < 2 ? seats.join() : `${seats.slice(0, -1).join(', ')} and ${seats.at(-1)}`;
}

/** A field of the table that is not what it was. */
export type Change = { readonly path: string; readonly was: string; readonly is: string };

/** What is different on the table, field by field: "ballots.red: nothing → skip". */
export function changes(before: Rest, after: Rest): readonly string[] {
  return changed(before, after).map(({ path, was, is }) => `${path}: ${was} → ${is}`);
}

export function changed({ context: before }: Rest, { context: after }: Rest): readonly Change[] {
  const [old, now] = [leaves(before), leaves(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const [was = 'nothing', is = 'nothing'] = [old.get(path), now.get(path)];
    return was === is ? [] : [{ path, was, is }];
  });
}

/** What a table holds beyond how it began; what never changes is left out. */
function leaves(table: Rest['context']): ReadonlyMap<string, string> {
  const { standings, streaks, ballots, due, poll, revealed, outcome, ejected } = table;
  const found = new Map<string, string>();
  collect({ standings, streaks, ballots, due, revealed, outcome, ejected }, '', found);
  if (poll === null) return found;
  const { void: voided, missed, deserted } = poll;
  const named = (seats: readonly Colour[]) => (seats.length === 0 ? 'nobody' : seats.join(', '));
  found.set('poll', deserted ? 'closed, nobody is left' : 'closed');
  found.set('poll.missed', named(missed));
  found.set('poll.void', named(voided));
  return found;
}

function collect(value: object, path: string, found: Map<string, string>): void {
  for (const [name, part] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof part === 'object' && part !== null) collect(part, at, found);
    else found.set(at, part === null ? 'nothing' : String(part));
  }
}
