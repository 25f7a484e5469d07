/**
 * Mutants of a statechart: guards left out, turned round and exchanged, transitions that lead elsewhere, other actions
 * than those that are named, a first state that is another, a delay that is none or longer.
 *
 * Parts of the chart are left out, and transitions and actions are put in another order, by `thorough.ts`: to a parser a
 * chart is lists and objects.
 */
import { isNode, listOf, type Node, type Tools, walkNodes } from './syntax.ts';

/** The names that a file uses, in order of appearance. */
type ChartNames = {
  readonly targets: readonly string[];
  readonly guards: readonly string[];
  readonly actions: readonly string[];
};

/** Types that a machine is set up with, and effects that somebody else provides: nothing of them runs. */
export function isNoBehaviour(node: Node): boolean {
  const { value } = node;
  if (keyOf(node) === 'types') return true;
  const body = isNode(value) && value.type === 'ArrowFunctionExpression' ? value['body'] : value;
  return isNode(body) && isNode(body['callee']) && body['callee']['name'] === 'unprovided';
}

const ACTION_KEYS = ['actions', 'entry', 'exit'];

export function listChartNames(body: unknown): ChartNames {
  const targets = new Set<string>();
  const guards = new Set<string>();
  const actions = new Set<string>();
  walkNodes(body, (node) => {
    const key = keyOf(node);
    if (key === 'target') addWord(targets, node['value']);
    if (key === 'guard') addWord(guards, node['value']);
    if (key !== null && ACTION_KEYS.includes(key))
      for (const name of actionNames(node['value'])) addWord(actions, name);
  });
  return { targets: [...targets], guards: [...guards], actions: [...actions] };
}

export function mutateChart(node: Node, tools: Tools, names: ChartNames): void {
  const key = keyOf(node);
  const { value } = node;
  if (key === null || !isNode(value)) return;
  if (key === 'target') exchange(value, names.targets, tools);
  else if (key === 'guard') mutateGuard(value, names.guards, tools);
  else if (ACTION_KEYS.includes(key))
    for (const name of actionNames(value)) exchange(name, names.actions, tools);
  else if (key === 'delays')
    for (const delay of listOf(value['properties'])) mutateDelay(delay, tools);
  else if (key === 'states') mutateInitial(node, tools);
}

/** The name of a member of an object; null for what is none. */
function keyOf(node: Node): string | null {
  const { key } = node;
  if (node.type !== 'Property' || !isNode(key)) return null;
  return String(key['name'] ?? key['value']);
}

function addWord(words: Set<string>, node: unknown): void {
  if (isNode(node) && typeof node['value'] === 'string') words.add(node['value']);
}

/** The names of actions: one, or those of a list, some with parameters. */
function actionNames(value: unknown): readonly Node[] {
  if (!isNode(value)) return [];
  if (value.type === 'ArrayExpression') return listOf(value['elements']).flatMap(actionNames);
  if (value.type === 'Literal') return [value];
  return listOf(value['properties']).flatMap((member) =>
    keyOf(member) === 'type' ? actionNames(member['value']) : [],
  );
}

/** The next name of the file, and the one before; not one that leads to the same place in another way. */
function exchange(node: Node, names: readonly string[], { replace }: Tools): void {
  const own = String(node['value']);
  const at = names.indexOf(own);
  if (at < 0) return;
  const others = [...names.slice(at + 1), ...names.slice(0, at)].filter(
    (one) => placeOf(one) !== placeOf(own),
  );
  for (const other of [others[0], others.at(-1)])
    if (other !== undefined) replace(node.start, node.end, `'${other}'`);
}

/** The last part of the name of a target: the state itself. */
function placeOf(name: string): string {
  return name.split(/[.#]/).at(-1) ?? name;
}

function mutateGuard(guard: Node, names: readonly string[], tools: Tools): void {
  exchange(guard, names, tools);
  if (guard.type !== 'Literal' && guard.type !== 'CallExpression') return;
  const { text, replace } = tools;
  // An import may stand wherever a file ends.
  replace(guard.start, guard.end, `isNot(${text(guard)})`, IMPORT_NOT);
}

const IMPORT_NOT = "\nimport { not as isNot } from 'xstate';\n";

function mutateDelay(delay: Node, { replace, text }: Tools): void {
  const { value } = delay;
  if (!isNode(value) || !isNode(value['body'])) return;
  const { body } = value;
  replace(body.start, body.end, '0');
  replace(body.start, body.end, `${text(body)} + 1`);
}

/** The state in which its parent begins: the next one, and the one before. */
function mutateInitial(states: Node, { replace, source }: Tools): void {
  const { value } = states;
  if (!isNode(value)) return;
  const names = listOf(value['properties']).map(keyOf);
  const before = source.slice(0, states.start);
  const found = [...before.matchAll(/initial: '(\w+)',?\s*(?:\/\/.*\s*)*$/g)].at(-1);
  if (found === undefined || found[1] === undefined) return;
  const at = names.indexOf(found[1]);
  const start = found.index + "initial: '".length;
  for (const step of [1, names.length - 1]) {
    const name = names[(at + step) % names.length];
    if (typeof name === 'string') replace(start, start + found[1].length, name);
  }
}
