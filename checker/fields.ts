/** Reads values of any type. */

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
