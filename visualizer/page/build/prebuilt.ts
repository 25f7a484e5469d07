/**
 * Files that are made when the package is packed: pages, and charts that are laid out. In the repository there are none,
 * and what is missing is made from the sources when it is first needed.
 */
import { readFileSync } from 'node:fs';

/** The text of a prebuilt file; null in the repository. */
export function readPrebuilt(name: string): string | null {
  try {
    return readFileSync(new URL(`../../../prebuilt/${name}`, import.meta.url), 'utf8');
  } catch {
    return null;
  }
}
