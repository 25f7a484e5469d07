/**
 * Routing: what players and ghosts are told out of the facts of the meeting.
 *
 * Only facts travel here, and only to those whom the rules let know. Nothing goes from the gallery to the table.
 */
import { type Letter, toPlayer } from './letters.ts';
import { GALLERY, type ToPlayer } from './messages.ts';
import type { Fact } from './rules/facts.ts';
import { linesOf } from './rules/floor.ts';
import type { GhostFact } from './rules/gallery.ts';
import type { Table } from './rules/table.ts';
import { truth } from './rules/views.ts';
import type { Colour, Occasion, Utterance } from './types.ts';

/** What must be remembered to know whom a fact concerns. */
export type Routing = {
  readonly seats: readonly Colour[];
  readonly ghosts: readonly Colour[];
  /** Ghosts who watch. Where the dead do not, the ejected still reacts and consolidates (ruling 26). */
  readonly watching: readonly Colour[];
  readonly transcript: readonly Utterance[];
  /** The round of the game in which the meeting was called; null for a meeting on its own. */
  readonly round: number | null;
};

/** The letters that facts give rise to, and the routing after them. */
export type Routed = { readonly routing: Routing; readonly letters: readonly Letter[] };

export function newRouting({
  seats,
  ghosts,
  haunted,
  round = null,
}: Pick<Routing, 'seats' | 'ghosts'> & {
  readonly haunted: boolean;
  readonly round?: number | null;
}): Routing {
  return { seats, ghosts, watching: haunted ? ghosts : [], transcript: [], round };
}

/** Routes one fact of the meeting; `table` is the meeting as it is after all that was told with it. */
export function routed(routing: Routing, fact: Fact, table: Table): Routed {
  switch (fact.type) {
    case 'tick.closed': {
      const transcript = [...routing.transcript, ...linesOf(fact.tick, fact.verdict)];
      const after = { ...routing, transcript };
      return { routing: after, letters: fact.verdict === null ? [] : shown(after, 'ghost', table) };
    }
    case 'verdict.told':
      return fact.ejected !== null && table.standings[fact.ejected] === 'dead'
        ? buried(routing, fact.ejected)
        : { routing, letters: [] };
    default:
      return { routing, letters: lettersFor(routing, fact, table) };
  }
}

/** What the gallery tells goes to ghosts only. */
export function murmured({ ghosts }: Routing, fact: GhostFact): readonly Letter[] {
  if (fact.type === 'pads.consolidated') return [toPlayer(fact.seat, fact)];
  return fact.type === 'pads.erased' ? ghosts.map((ghost) => toPlayer(ghost, fact)) : [];
}

function lettersFor(routing: Routing, fact: Fact, table: Table): readonly Letter[] {
  const { seats, ghosts } = routing;
  switch (fact.type) {
    case 'meeting.called':
      return seats.map((seat) => toPlayer(seat, opening(routing)));
    case 'phase.entered':
      return fact.phase === 'reaction' || fact.phase === 'consolidation'
        ? shown(routing, fact.phase, table)
        : [];
    case 'pads.erased':
      return seats.filter((seat) => !ghosts.includes(seat)).map((seat) => toPlayer(seat, fact));
    default:
      return notified(fact);
  }
}

function opening({ round }: Routing): ToPlayer {
  return round === null ? { type: 'meeting.opened' } : { type: 'meeting.opened', round };
}

/** Facts that concern one player. */
function notified(fact: Fact): readonly Letter[] {
  switch (fact.type) {
    case 'vote.locked':
    case 'pads.consolidated':
      return [toPlayer(fact.seat, fact)];
    case 'vote.refused':
      return [toPlayer(fact.seat, { type: 'notice.given', note: fact.note })];
    case 'vote.cleared': {
      const text = `${fact.leaver} has left: your vote for them is void and you may vote again`;
      const note = { code: 'vote/cleared', text };
      return [toPlayer(fact.seat, { type: 'vote.cleared', note })];
    }
    case 'seat.departed':
      return [toPlayer(fact.seat, { type: 'seat.departed' })];
    default:
      return [];
  }
}

function buried(routing: Routing, seat: Colour): Routed {
  return {
    routing: {
      ...routing,
      ghosts: [...routing.ghosts, seat],
      watching: [...routing.watching, seat],
    },
    letters: [
      toPlayer(seat, { type: 'seat.died' }),
      { to: GALLERY, message: { type: 'ghost.joined', seat } },
    ],
  };
}

function shown(
  { watching, transcript }: Routing,
  occasion: Occasion,
  table: Table,
): readonly Letter[] {
  if (watching.length === 0) return [];
  const message = { type: 'table.changed', occasion, truth: truth(table), transcript } as const;
  return [{ to: GALLERY, message }];
}
