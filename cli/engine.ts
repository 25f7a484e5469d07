/** Which version played a journal: what a command says where it comes out otherwise now. */
import type { Line } from '../machines/journal/lines.ts';
import { engineIn } from '../machines/journal/opening.ts';
import { ENGINE } from '../machines/versions.ts';

/** A sentence, without a full stop: the version that played a journal, and this one. */
export function describeEngine([header]: readonly Line[]): string {
  const engine = engineIn(header);
  if (engine === null) return `It does not say which version played it; this is ${ENGINE}`;
  return engine === ENGINE
    ? `This version (${ENGINE}) says that it played it: the journal or the program was changed since`
    : `It was played by ${engine}, and this is ${ENGINE}`;
}
