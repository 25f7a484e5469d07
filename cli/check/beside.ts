/** The second of two journals that belong together has the name of the first, with -b behind it. */
import { format, parse } from 'node:path';

export function besides(path: string): string {
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}-b`, ext });
}
