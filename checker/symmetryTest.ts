/** Tests a symmetry while a search uses it: what is possible at merged members must lead to the same orbits. */
import type { EventObject } from 'xstate';
import type { ValueIdentity } from './identity.ts';

/** The machine treats parts differently that the model calls alike, or a state has no form. The run shows it. */
export class BrokenSymmetry extends Error {
  readonly events: readonly EventObject[];

  constructor(events: readonly EventObject[], why?: string) {
    super(why ?? 'the machine treats exchanged parts differently');
    this.events = events;
  }
}

/** What is possible at a member of an orbit, by where it leads. */
export type MovesByTarget<O> = ReadonlyMap<string, O>;

type OrbitSample<P> = { readonly first: P; readonly identities: Set<number>; looks: number };

/** All of the first orbits are sampled, later ones at this interval. */
const FIRST_ORBITS = 512;
const EVERY = 16;
/** Older samples are forgotten, because they hold whole states. */
const MOST_SAMPLES = 16_384;
/** Members of one orbit that are compared with the first, and arrivals that are looked at for them. */
const MOST_MEMBERS = 3;
const MOST_LOOKS = 64;
/** The comparisons may take this many steps, and one more for each `ARRIVALS` arrivals. */
const FREE_STEPS = 5_000;
const ARRIVALS = 32;

export type SymmetryTest<P, O> = ReturnType<typeof createSymmetryTest<P, O>>;

export function createSymmetryTest<P, O>(
  values: ValueIdentity,
  identify: (member: P) => unknown,
  outcomesOf: (member: P) => MovesByTarget<O>,
) {
  const samples = new Map<number, OrbitSample<P>>();
  let arrivals = 0;
  let steps = 0;
  return {
    keep(orbit: number, first: P): void {
      if (orbit >= FIRST_ORBITS && orbit % EVERY !== 0) return;
      if (samples.size === MOST_SAMPLES) samples.clear();
      samples.set(orbit, { first, identities: new Set(), looks: 0 });
    },
    /** The outcome that only one of the two members has, if this one is unlike the first. */
    findDifference(
      orbit: number,
      member: P,
    ): { readonly isOfFirst: boolean; readonly outcome: O } | null {
      arrivals += 1;
      if (steps > FREE_STEPS + arrivals / ARRIVALS) return null;
      const sample = samples.get(orbit);
      if (sample === undefined) return null;
      sample.looks += 1;
      const { first, identities, looks } = sample;
      if (looks === MOST_LOOKS) samples.delete(orbit);
      if (looks === 1) identities.add(values.of(identify(first)));
      const identity = values.of(identify(member));
      if (identities.has(identity)) return null;
      identities.add(identity);
      if (identities.size > MOST_MEMBERS) samples.delete(orbit);
      const [known, found] = [outcomesOf(first), outcomesOf(member)];
      steps += known.size + found.size;
      for (const [key, outcome] of found) if (!known.has(key)) return { isOfFirst: false, outcome };
      for (const [key, outcome] of known) if (!found.has(key)) return { isOfFirst: true, outcome };
      return null;
    },
  };
}
