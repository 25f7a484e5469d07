import { z } from 'zod';
import type { Line } from '../../../machines/journal/lines.ts';
import { COLOURS } from '../../../machines/types.ts';

const amount = z.number().nonnegative();
const count = amount.nullable().catch(null);
const text = z.string().nullable().catch(null);

/** The clock is not hashed and any program may have filled it: whatever is no such field is unknown. */
const callSchema = z
  .object({
    /** Its number in the match; null where it has none. */
    id: count,
    seat: z.enum(COLOURS),
    /** The kind of question, and its tick, turn or round; "" and null where unknown. */
    requestKind: z.string().catch(''),
    index: count,
    /** How an object was requested; "json_schema" is the strictest way. */
    mode: z.string(),
    /** Duration in milliseconds. */
    ms: amount.catch(0),
    /** The failure; null for a usable answer. */
    failure: text,
    repaired: z.boolean().catch(false),
    /** The endpoint's counts, and the cost in dollars; null where it gave none. */
    usage: z.preprocess(
      toObject,
      z.object({ promptTokens: count, cachedTokens: count, completionTokens: count, cost: count }),
    ),
    /** Estimated tokens where the endpoint counted none; 0 where unknown. */
    estimate: z.preprocess(
      toObject,
      z.object({ prompt: amount.catch(0), completion: amount.catch(0) }),
    ),
    /** The model's own text where it differs from the answer that was read; else null. */
    reply: text,
  })
  .transform(({ repaired: isRepaired, ...call }) => ({ ...call, isRepaired }))
  .readonly();

export type PlayerCall = z.infer<typeof callSchema>;
export type CallUsage = PlayerCall['usage'];

function toObject(value: unknown): object {
  return Object(value);
}

/** Every request to a language model, in journal order. Entries that don't look like requests are skipped. */
export function readCalls(lines: readonly Line[]): readonly PlayerCall[] {
  return lines.flatMap(({ clock }) => {
    const calls = clock?.['calls'];
    return Array.isArray(calls) ? calls.flatMap((call: unknown) => readCall(call) ?? []) : [];
  });
}

export function readCall(call: unknown): PlayerCall | null {
  return callSchema.safeParse(call).data ?? null;
}
