/**
 * Shapley values: the marginal contribution of each of several things to an outcome, averaged over all orders. They add
 * up to the joint effect. With few things every set is played and the values are exact. With more, a seed draws orders,
 * and each value has a standard error.
 */
import { drawWords } from '../../machines/rules/dice.ts';
import { sumOf } from '../counts/numeric.ts';

/** With no more things, every set is played: 64 sets. */
const MOST_EXACT = 6;

export type KeptSet = readonly boolean[];

export type ShapleyValue = {
  readonly value: number;
  /** 0 for an exact value. */
  readonly error: number;
};

export type ShapleyOutcome = Readonly<Awaited<ReturnType<typeof computeShapley>>>;

export type ShapleyPlan = {
  readonly size: number;
  /** Orders to draw if there are too many things. */
  readonly orders: number;
  readonly seed: number;
  /** Measures distinct sets in one batch. */
  readonly measure: (sets: readonly KeptSet[]) => Promise<readonly (readonly number[])[]>;
};

export async function computeShapley(plan: ShapleyPlan) {
  const { size, seed } = plan;
  const isExact = size <= MOST_EXACT;
  const orders = isExact ? [] : drawOrders(size, plan.orders, seed);
  const joinings = isExact ? weighAll(size) : alongOrders(orders, size);
  const sets = new Map<string, KeptSet>();
  for (const { kept, at } of joinings.flat())
    for (const set of [kept, kept.with(at, true)]) sets.set(keyOf(set), set);
  const measured = await plan.measure([...sets.values()]);
  const byKey = new Map([...sets.keys()].map((key, index) => [key, measured[index] ?? []]));
  const worth = (kept: KeptSet) => byKey.get(keyOf(kept)) ?? [];
  const all = worth(Array.from({ length: size }, () => true));
  const values = all.map((_, measure) =>
    joinings.map((own) => {
      const gains = own.map(({ kept, at, weight }) => {
        const gain = (worth(kept.with(at, true))[measure] ?? 0) - (worth(kept)[measure] ?? 0);
        return { gain, weight };
      });
      return isExact
        ? { value: sumOf(gains, (one) => one.gain * one.weight), error: 0 }
        : average(gains);
    }),
  );
  const none = worth(Array.from({ length: size }, () => false));
  return {
    /** Null if every set was played. */
    orders: isExact ? null : orders.length,
    sets: sets.size,
    all,
    none,
    /** By measure, in the order of the things. */
    values,
  };
}

type Joining = { readonly kept: KeptSet; readonly at: number; readonly weight: number };

function keyOf(kept: KeptSet): string {
  return kept.map(Number).join('');
}

/** Every joining of each thing, with weights that add up to 1. */
function weighAll(size: number): readonly (readonly Joining[])[] {
  const sets = Array.from({ length: 2 ** size }, (_, bits) =>
    Array.from({ length: size }, (__, at) => ((bits >> at) & 1) === 1),
  );
  return Array.from({ length: size }, (_, at) =>
    sets
      .filter((kept) => kept[at] === false)
      .map((kept) => {
        const before = kept.filter(Boolean).length;
        const weight = (factorial(before) * factorial(size - before - 1)) / factorial(size);
        return { kept, at, weight };
      }),
  );
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

function alongOrders(
  orders: readonly (readonly number[])[],
  size: number,
): readonly (readonly Joining[])[] {
  const joinings: Joining[][] = Array.from({ length: size }, () => []);
  for (const order of orders) {
    let kept: KeptSet = Array.from({ length: size }, () => false);
    for (const at of order) {
      joinings[at]?.push({ kept, at, weight: 1 / orders.length });
      kept = kept.with(at, true);
    }
  }
  return joinings;
}

/** Random orders (Fisher and Yates). */
function drawOrders(size: number, count: number, seed: number): readonly (readonly number[])[] {
  return Array.from({ length: count }, (_, index) => {
    const order = Array.from({ length: size }, (__, at) => at);
    for (let last = size - 1; last > 0; last--) {
      const [word] = drawWords({ seed, meeting: ORDERS, stream: 'run', tick: index }, last);
      const other = word % (last + 1);
      [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
    }
    return order;
  });
}

/** Separates these draws from the seeds of a run, which use meeting 0. */
const ORDERS = 1;

function average(gains: readonly { readonly gain: number }[]): ShapleyValue {
  const count = gains.length;
  const value = sumOf(gains, ({ gain }) => gain) / count;
  const squares = sumOf(gains, ({ gain }) => (gain - value) ** 2);
  return { value, error: count < 2 ? 0 : Math.sqrt(squares / (count - 1) / count) };
}
