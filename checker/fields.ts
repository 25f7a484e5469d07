/** Reads values of any type. */

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function readField(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}
