/** Shortens a list that causes a failure while it still fails. */

/**
 * Delta debugging: removes parts of a list, large ones first, while the rest still fails. No single item can be
 * removed from the returned list. https://www.st.cs.uni-saarland.de/papers/tse2002/.
 */
export async function shrinkList<T>(
  items: readonly T[],
  fails: (fewer: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let part = Math.ceil(kept.length / 2); part >= 1; ) {
    const before = kept.length;
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + part)];
      if (fewer.length < kept.length && (await fails(fewer))) kept = fewer;
      else at += part;
    }
    if (part > 1) part = Math.ceil(part / 2);
    else if (kept.length === before) break;
  }
  return kept;
}
