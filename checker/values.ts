/** Reads, writes and remembers values of any type. */

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** "votes[0].by" */
export function joinPath(path: string, name: string, isOfList: boolean): string {
  if (isOfList) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

export function readField(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}

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

/** Any value as text. JSON has no BigInt, errors, maps or circular references. */
export function writeValue(value: unknown): string {
  const above: unknown[] = [];
  return JSON.stringify(value, function write(this: unknown, _name, part: unknown) {
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part === 'function' || typeof part === 'symbol') return String(part).slice(0, 80);
    if (typeof part !== 'object' || part === null) return part;
    if (above.includes(part)) return '(part of itself)';
    const shown = part instanceof Map || part instanceof Set ? [...part] : asError(part);
    above.push(shown);
    return shown;
  });
}

/** Source text that evaluates to the value; to nothing, with a comment, where no text can. */
export function writeSource(value: unknown, above: readonly unknown[] = []): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'function' || typeof value === 'symbol' || above.includes(value))
    return `undefined /* ${cutValue(value).replaceAll('*/', '* /')} */`;
  if (!isObject(value) || value instanceof RegExp) return String(value);
  const write = (part: unknown) => writeSource(part, [...above, value]);
  const list = (parts: Iterable<unknown>) => `[${Array.from(parts, write).join(',')}]`;
  const fields = () =>
    Object.entries(value).map(([name, part]) => {
      const key = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
      return `${key}:${write(part)}`;
    });
  if (Array.isArray(value)) return list(value);
  if (value instanceof Map) return `new Map(${list(value)})`;
  if (value instanceof Set) return `new Set(${list(value)})`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (!(value instanceof Error)) return `{${fields().join(',')}}`;
  return `Object.assign(new Error(${write(value.message)}),{${[`"name":${write(value.name)}`, ...fields()].join(',')}})`;
}

const MOST_SHOWN = 80;

/** A value as text of limited length. A missing value is "nothing". */
export function cutValue(value: unknown, most = MOST_SHOWN): string {
  const text = value === undefined ? 'nothing' : (writeValue(value) ?? 'nothing');
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

function asError(value: object): object {
  return value instanceof Error ? { ...value, name: value.name, message: value.message } : value;
}
