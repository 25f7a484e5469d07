/**
 * Mutants of a source: each differs from it in one place, in which a careful test would notice. Conditions are turned
 * round, boundaries moved, `&&` and `||` swapped, constants changed, calls and returns left out.
 *
 * Types, comments, imports and texts for people are left alone: a text that is only shown breaks nothing.
 */
import { parseSync } from 'vite';

export type Mutant = {
  /** From 1. */
  readonly line: number;
  readonly was: string;
  readonly is: string;
  readonly source: string;
};

type Node = { readonly type: string; readonly start: number; readonly end: number };

const isNode = (value: unknown): value is Node & Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Operators, and what stands for each of them. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
};

/** Mutants of a file of TypeScript, in the order of their places. */
export function listMutants(path: string, source: string): readonly Mutant[] {
  const { program } = parseSync(path, source);
  const found: Mutant[] = [];
  const replace = (start: number, end: number, is: string) => {
    const was = source.slice(start, end);
    const line = source.slice(0, start).split('\n').length;
    found.push({ line, was, is, source: source.slice(0, start) + is + source.slice(end) });
  };
  const text = ({ start, end }: Node) => source.slice(start, end);
  const negate = (node: unknown) => {
    if (isNode(node)) replace(node.start, node.end, `!(${text(node)})`);
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one);
      return;
    }
    if (!isNode(value) || value.type.startsWith('TS') || value.type === 'ImportDeclaration') {
      if (isNode(value) && KEPT_TYPES.includes(value.type)) visit(value['expression']);
      return;
    }
    mutateNode(value, { replace, negate, text, source });
    for (const key of Object.keys(value)) visit(value[key]);
  };
  visit(program.body);
  return found;
}

/** Expressions with a type beside them. */
const KEPT_TYPES = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

type Tools = {
  readonly replace: (start: number, end: number, is: string) => void;
  readonly negate: (node: unknown) => void;
  readonly text: (node: Node) => string;
  readonly source: string;
};

function mutateNode(node: Node & Readonly<Record<string, unknown>>, tools: Tools): void {
  const { replace, negate, text } = tools;
  switch (node.type) {
    case 'LogicalExpression':
    case 'BinaryExpression':
      mutateOperator(node, tools);
      return;
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      negate(node['test']);
      return;
    case 'ExpressionStatement':
      // A call that is left out.
      replace(node.start, node.end, ';');
      return;
    case 'ReturnStatement':
      if (isNode(node['argument'])) replace(node.start, node.end, 'return;');
      return;
    case 'UnaryExpression':
      if (node['operator'] === '!' && isNode(node['argument']))
        replace(node.start, node.end, text(node['argument']));
      return;
    case 'UpdateExpression':
      replace(node.start, node.end, text(node).replace('++', '--'));
      return;
    case 'AssignmentExpression':
      mutateAssignment(node, tools);
      return;
    case 'Literal':
      mutateLiteral(node, tools);
      return;
    default:
      return;
  }
}

function mutateOperator(
  node: Node & Readonly<Record<string, unknown>>,
  { replace, source }: Tools,
) {
  const { left, right } = node;
  const operator = String(node['operator']);
  if (!isNode(left) || !isNode(right)) return;
  const at = source.indexOf(operator, left.end);
  if (at < 0 || at > right.start) return;
  for (const is of OPERATORS[operator] ?? []) replace(at, at + operator.length, is);
  if (operator === '&&' || operator === '||') {
    replace(node.start, node.end, source.slice(left.start, left.end));
    replace(node.start, node.end, source.slice(right.start, right.end));
  }
}

function mutateAssignment(
  node: Node & Readonly<Record<string, unknown>>,
  { replace, source }: Tools,
) {
  const swapped = { '+=': '-=', '-=': '+=', '||=': '&&=', '??=': '&&=' }[String(node['operator'])];
  const { left } = node;
  if (swapped === undefined || !isNode(left)) return;
  const at = source.indexOf(String(node['operator']), left.end);
  replace(at, at + String(node['operator']).length, swapped);
}

function mutateLiteral(node: Node & Readonly<Record<string, unknown>>, { replace }: Tools) {
  const { value } = node;
  if (typeof value === 'boolean') replace(node.start, node.end, String(!value));
  else if (typeof value === 'number') replace(node.start, node.end, String(value + 1));
  else if (typeof value === 'string' && WORD.test(value)) replace(node.start, node.end, "'mutant'");
}

/** A word that a program compares, and no sentence. */
const WORD = /^[\w./-]+$/;
