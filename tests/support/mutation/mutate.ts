/**
 * Mutants of a source: each differs from it in one place, in which a careful test would notice. Conditions are turned
 * round, boundaries moved, `&&` and `||` swapped, constants changed, calls and returns left out.
 *
 * Types, comments, imports and texts for people are left alone: a text that is only shown breaks nothing.
 *
 * What is asked for thoroughly has more of them (`thorough.ts`, and `chart.ts` for statecharts), many of which no
 * compiler takes.
 */
import { parseSync } from 'vite';
import { isNoBehaviour, listChartNames, mutateChart } from './chart.ts';
import { isNode, type Node, type Replace, type Tools, walkNodes } from './syntax.ts';
import { listWordFamilies, mutateThoroughly } from './thorough.ts';

export type Mutant = {
  /** From 1. */
  readonly line: number;
  readonly was: string;
  readonly is: string;
  readonly source: string;
};

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
export function listMutants(path: string, source: string, isThorough = false): readonly Mutant[] {
  const { program } = parseSync(path, source);
  const found = new Map<string, Mutant>();
  const replace: Replace = (start, end, is, atEnd = '') => {
    const text = source.slice(0, start) + is + source.slice(end) + atEnd;
    const line = source.slice(0, start).split('\n').length;
    if (text === source || (isThorough && found.has(text))) return;
    const key = isThorough ? text : String(found.size);
    found.set(key, { line, was: source.slice(start, end), is, source: text });
  };
  const tools: Tools = { replace, text: ({ start, end }) => source.slice(start, end), source };
  const families = isThorough ? listWordFamilies(program.body) : [];
  const names = isThorough && /from 'xstate'/.test(source) ? listChartNames(program.body) : null;
  walkNodes(program.body, (node) => {
    if (names !== null && isNoBehaviour(node)) return false;
    mutateNode(node, tools, isThorough);
    if (isThorough) mutateThoroughly(node, tools, families);
    if (names !== null) mutateChart(node, tools, names);
    return true;
  });
  return [...found.values()];
}

function mutateNode(node: Node, tools: Tools, isThorough: boolean): void {
  const { replace, text } = tools;
  switch (node.type) {
    case 'LogicalExpression':
    case 'BinaryExpression':
      mutateOperator(node, tools);
      return;
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      // A condition that always holds, or never, is harder to notice than one that is turned round.
      if (!isThorough && isNode(node['test']))
        replace(node['test'].start, node['test'].end, `!(${text(node['test'])})`);
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
      mutateLiteral(node, tools, isThorough);
      return;
    default:
      return;
  }
}

function mutateOperator(node: Node, { replace, source }: Tools) {
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

function mutateAssignment(node: Node, { replace, source }: Tools) {
  const swapped = { '+=': '-=', '-=': '+=', '||=': '&&=', '??=': '&&=' }[String(node['operator'])];
  const { left } = node;
  if (swapped === undefined || !isNode(left)) return;
  const at = source.indexOf(String(node['operator']), left.end);
  replace(at, at + String(node['operator']).length, swapped);
}

function mutateLiteral(node: Node, { replace }: Tools, isThorough: boolean) {
  const { value } = node;
  if (typeof value === 'boolean') replace(node.start, node.end, String(!value));
  else if (typeof value === 'number') replace(node.start, node.end, String(value + 1));
  // Thoroughly, a word is exchanged with another one of its kind.
  else if (typeof value === 'string' && WORD.test(value) && !isThorough)
    replace(node.start, node.end, "'mutant'");
}

/** A word that a program compares, and no sentence. */
const WORD = /^[\w./-]+$/;
