/**
 * More mutants of a source, for rules that must be held by tests or proofs in every detail: conditions that always hold
 * or never, parts of a list or of an object left out, words exchanged with others of their kind, and what a function
 * returns put in place of something else of its type.
 *
 * Many of them no compiler takes; those say nothing of a test and are sorted out first (`typing.ts`).
 */
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { isNode, listOf, type Node, type Tools } from './syntax.ts';

/** Words of one kind, of which a rule could take the wrong one. */
type WordFamily = readonly string[];

/** Files whose lists and unions are the words of all others. */
const WORD_FILES = ['machines/types.ts', 'machines/rules/facts.ts'];

/** Longer lists are names of places and colours: one more of them is no mistake of another kind. */
const MOST_WORDS = 12;

/** The words of the game, and those of a file. */
export function listWordFamilies(body: unknown): readonly WordFamily[] {
  const bodies = [
    body,
    ...WORD_FILES.map((path) => parseSync(path, readFileSync(path, 'utf8')).program.body),
  ];
  const families = new Map<string, WordFamily>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const one of value) look(one);
      return;
    }
    if (!isNode(value)) return;
    const words = wordsOf(value);
    if (words.length > 1 && words.length <= MOST_WORDS) families.set(words.join(), words);
    for (const key of Object.keys(value)) look(value[key]);
  };
  look(bodies);
  return [...families.values()];
}

function wordsOf(node: Node): WordFamily {
  const parts =
    node.type === 'TSUnionType'
      ? listOf(node['types']).map((one) => one['literal'])
      : node.type === 'ArrayExpression'
        ? listOf(node['elements'])
        : [];
  const words = parts.map((part) => (isNode(part) ? part['value'] : null));
  return words.filter((word): word is string => typeof word === 'string');
}

/** Methods that a hasty hand takes for one another. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  max: 'min',
  min: 'max',
  ceil: 'floor',
  floor: 'ceil',
  findLast: 'find',
};

export function mutateThoroughly(node: Node, tools: Tools, families: readonly WordFamily[]): void {
  const { replace, text } = tools;
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression': {
      const { test } = node;
      if (!isNode(test)) return;
      replace(test.start, test.end, 'true');
      replace(test.start, test.end, 'false');
      return;
    }
    case 'WhileStatement':
      if (isNode(node['test'])) replace(node['test'].start, node['test'].end, 'false');
      return;
    case 'ContinueStatement':
    case 'BreakStatement':
      replace(node.start, node.end, ';');
      return;
    case 'LogicalExpression':
      if (node['operator'] !== '??') return;
      for (const side of [node['left'], node['right']])
        if (isNode(side)) replace(node.start, node.end, text(side));
      return;
    case 'ReturnStatement':
      if (isNode(node['argument'])) replaceValue(node['argument'], tools);
      return;
    case 'ArrowFunctionExpression':
      if (isNode(node['body']) && node['body'].type !== 'BlockStatement')
        replaceValue(node['body'], tools);
      return;
    case 'CallExpression':
      mutateCall(node, tools);
      return;
    case 'ArrayExpression':
      leaveOutEach(node, listOf(node['elements']), tools);
      exchangeNeighbours(listOf(node['elements']), tools);
      return;
    case 'ObjectExpression':
      leaveOutEach(node, listOf(node['properties']).filter(isBreakable), tools);
      return;
    case 'Literal':
      mutateConstant(node, tools, families);
      return;
    default:
      return;
  }
}

/** Values that stand in for any other of their type. */
const STAND_INS = ['null', '[]', '{}', 'true', 'false'];
const COMPARISONS = ['===', '!==', '<', '<=', '>', '>=', '&&', '||', '!', 'in'];

function replaceValue(value: Node, { replace, source }: Tools): void {
  if (COMPARISONS.includes(String(value['operator']))) {
    for (const one of ['true', 'false']) replace(value.start, value.end, one);
    return;
  }
  // The body of a short function that returns an object stands in parentheses.
  const isWrapped = value.type === 'ObjectExpression' && source[value.start - 1] === '(';
  const isEmpty = value.type === 'ObjectExpression' && listOf(value['properties']).length === 0;
  for (const one of STAND_INS) {
    if (one === '{}' && isEmpty) continue;
    replace(value.start, value.end, one === '{}' && !isWrapped ? '({})' : one);
  }
}

/** What is only shown is left alone. */
function isBreakable({ key }: Node): boolean {
  return !(isNode(key) && key['name'] === 'description');
}

function mutateCall(node: Node, { replace, text }: Tools): void {
  const { callee } = node;
  const given = listOf(node['arguments']);
  const [first, second] = given;
  if (first !== undefined && second !== undefined)
    replace(first.start, second.end, `${text(second)}, ${text(first)}`);
  if (!isNode(callee) || callee.type !== 'MemberExpression') return;
  const { object, property } = callee;
  if (!isNode(object) || !isNode(property)) return;
  const other = METHODS[String(property['name'])];
  if (other !== undefined) replace(property.start, property.end, other);
  // What the call was made on, instead of what it makes of that.
  replace(node.start, node.end, text(object));
}

/** The list or object without one of its parts. */
function leaveOutEach(whole: Node, parts: readonly Node[], { replace, source }: Tools): void {
  for (const part of parts) {
    const rest = source.slice(part.end, whole.end);
    const comma = /^\s*,\s*/.exec(rest)?.[0] ?? '';
    replace(part.start, part.end + comma.length, '');
  }
}

function exchangeNeighbours(parts: readonly Node[], { replace, text, source }: Tools): void {
  for (const [index, one] of parts.entries()) {
    const next = parts[index + 1];
    if (next === undefined) return;
    replace(one.start, next.end, text(next) + source.slice(one.end, next.start) + text(one));
  }
}

function mutateConstant(node: Node, { replace }: Tools, families: readonly WordFamily[]): void {
  const { value } = node;
  if (typeof value === 'number') replace(node.start, node.end, String(value - 1));
  if (typeof value !== 'string') return;
  for (const family of families) {
    const at = family.indexOf(value);
    if (at >= 0) replace(node.start, node.end, `'${family[(at + 1) % family.length]}'`);
  }
}
