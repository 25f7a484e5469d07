/** The value that a map has for a key, computed the first time. */
export function remember<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  compute: () => V,
): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  known.set(key, value);
  return value;
}
