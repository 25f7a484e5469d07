/** The syntax tree of a source, as far as mutants are read off it. */

type Place = { readonly type: string; readonly start: number; readonly end: number };
export type Node = Place & Readonly<Record<string, unknown>>;

/** Writes down a mutant: the source with another text in one place, and some more where it ends. */
export type Replace = (start: number, end: number, is: string, atEnd?: string) => void;

export type Tools = {
  readonly replace: Replace;
  readonly text: (node: Place) => string;
  readonly source: string;
};

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

export function listOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Expressions with a type beside them. */
const KEPT_TYPES = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

/** Looks at every node but imports and types, those around others first; not into one of which `look` says false. */
export function walkNodes(value: unknown, look: (node: Node) => unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) walkNodes(one, look);
    return;
  }
  if (!isNode(value) || value.type === 'ImportDeclaration') return;
  if (value.type.startsWith('TS')) {
    if (KEPT_TYPES.includes(value.type)) walkNodes(value['expression'], look);
    return;
  }
  if (look(value) === false) return;
  for (const key of Object.keys(value)) walkNodes(value[key], look);
}
