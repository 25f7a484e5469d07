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

function asError(value: object): object {
  return value instanceof Error ? { ...value, name: value.name, message: value.message } : value;
}
