/** Finds the names in a chart that stand for nothing: guards, actors, delays and initial states, and actions. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { splitAction } from './actions.ts';
import { listInvoked, readChart } from './chart.ts';

type NamedKind = 'guards' | 'actors' | 'delays' | 'actions';

/** The names that a machine refers to and lacks, or null. XState throws for these, or does not wait. */
export function describeMissing(machine: AnyStateMachine): string | null {
  const found = listReferences(machine).filter(({ kind }) => kind !== 'actions');
  const initial = readChart(machine).nodes.flatMap(listBadInitial);
  const named = found.map(({ kind, name }) => {
    const known = Object.keys(machine.implementations[kind]).filter(
      (one) => !/^xstate\./.test(one),
    );
    const others = known.length === 0 ? '' : ` (it has ${known.join(', ')})`;
    return `the ${kind.slice(0, -1)} "${name}"${others}`;
  });
  const missing = [...new Set([...named, ...initial])].join(', ');
  if (missing === '') return null;
  return `the machine refers to names that it does not have: ${missing}. Add them in setup() or with machine.provide({ guards, actors, delays })`;
}

/** Names of actions without an implementation. They do nothing. */
export function listIdleActions(machine: AnyStateMachine): readonly string[] {
  const found = listReferences(machine).filter(({ kind }) => kind === 'actions');
  return [...new Set(found.map(({ name }) => name))];
}

function listBadInitial(node: AnyStateNode): readonly string[] {
  if (node.type !== 'compound') return [];
  try {
    return node.initial === undefined ? [`an initial state of ${node.id}`] : [];
  } catch {
    return [`the initial state of ${node.id}`];
  }
}

type Reference = { readonly kind: NamedKind; readonly name: string };

function listReferences(machine: AnyStateMachine): readonly Reference[] {
  const missing: Reference[] = [];
  const seen = new Set<unknown>();
  /** Looks up a name, and follows its implementation, which may use names as well. */
  const look = (kind: NamedKind, written: unknown) => {
    const { type: name } = splitAction(written);
    if (typeof name === 'number' || name === undefined) return;
    const has = typeof name === 'string' && Object.hasOwn(machine.implementations[kind], name);
    if (typeof name === 'string' && !has) missing.push({ kind, name });
    const value: unknown = has ? Reflect.get(machine.implementations[kind], String(name)) : name;
    if (typeof value !== 'function' || seen.has(value)) return;
    seen.add(value);
    const field = (key: string): unknown => Reflect.get(value, key);
    for (const guard of [field('guards') ?? []].flat()) look('guards', guard);
    if (field('type') === 'xstate.spawnChild') look('actors', field('src'));
    if (typeof field('delay') === 'string') look('delays', field('delay'));
  };
  for (const node of readChart(machine).nodes) {
    for (const { source } of listInvoked(node))
      if (typeof source === 'string') look('actors', source);
    for (const action of [...node.entry, ...node.exit]) look('actions', action);
    for (const delay of Object.keys(node.config.after ?? {})) {
      if (Number.isNaN(Number(delay))) look('delays', delay);
    }
  }
  for (const { definition } of readChart(machine).edges) {
    look('guards', definition.guard);
    for (const action of definition.actions) look('actions', action);
  }
  return missing;
}
