/**
 * Files that are made when the package is packed: pages, and charts that are laid out. In the repository there are none,
 * and what is missing is made from the sources when it is first needed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The text of a prebuilt file; null in the repository. */
export function readPrebuilt(name: string): string | null {
  try {
    return readFileSync(placeOf(name), 'utf8');
  } catch {
    return null;
  }
}

/** The path of a prebuilt file; null in the repository. */
export function findPrebuilt(name: string): string | null {
  const path = placeOf(name);
  return existsSync(path) ? path : null;
}

function placeOf(name: string): string {
  return fileURLToPath(new URL(`../../../prebuilt/${name}`, import.meta.url));
}
