/** A room in which something may be planted that leaks. */
import { companyOf, heardFrom } from '../../cli/check/hearing.ts';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import { ARBITER } from '../../machines/messages.ts';
import type { Floor } from '../../machines/rules/floor.ts';
import type { Company, Ensemble, Performed, Sight, Stage } from '../../proofs/models/ensemble.ts';
import { type RoomWanted, restOf, roomCast } from '../../proofs/models/room.ts';

export function aCompany({
  bids = heardFrom,
  ...wanted
}: RoomWanted & { readonly bids?: Stage['bids'] } = {}): Company {
  return companyOf(roomCast(wanted), bids);
}

/** What may be planted: a change of the room after a step, for which no chart has a place. */
export type Leak = (before: Ensemble, performed: Performed) => Ensemble;

/** A company that leaks. */
export function leaking({ begin, perform }: Company, leak: Leak): Company {
  return {
    begin,
    perform: (ensemble, cue) => {
      const performed = perform(ensemble, cue);
      return { ...performed, ensemble: leak(ensemble, performed) };
    },
  };
}

/** The room with other books: what a leak would do to them. */
export function withBooks(ensemble: Ensemble, change: (floor: Floor) => Floor): Ensemble {
  const rest = restOf<ArbiterBooks>(ensemble, ARBITER);
  const { floor, pending } = rest.context;
  const context = {
    ...rest.context,
    floor: change(floor),
    pending: pending === null ? null : change(pending),
  };
  return { ...ensemble, actors: { ...ensemble.actors, [ARBITER]: { ...rest, context } } };
}

/** What was shown, as words: proof that there was something to hide. */
export function shown(sights: readonly Sight[], into: Set<string>): void {
  for (const sight of sights) {
    if (sight.type === 'murmured' && sight.fact.type === 'turn.closed') {
      into.add(sight.fact.said === null ? 'ghosts: silent' : 'ghosts: chat');
      if (sight.fact.bids.some(({ type }) => type === 'fault')) into.add('ghosts: late');
    }
    if (sight.type === 'told' && sight.fact.type === 'verdict.told') into.add(sight.fact.outcome);
  }
}
