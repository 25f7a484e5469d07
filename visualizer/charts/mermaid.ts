/** The chart as text that GitHub draws. Lookalikes stand for signs that Mermaid reads itself. */

import type { Chart, ChartEdge, ChartNode } from './chart.ts';
import { hasChildren, staysInside } from './chartText.ts';

/** In characters; a longer description would be wider than the picture. */
const LONGEST_LINE = 80;

export function writeMermaid(chart: Chart): string {
  const names = chooseIdentifiers(chart);
  const text: MermaidText = { chart, name: (id) => names.get(id) ?? '' };
  const far = chart.edges.filter((edge) => !staysInside(edge) && findBlock(chart, edge) === null);
  const arrows = far.flatMap((edge) => writeArrow(edge, text));
  const lines = [...writeBlock(null, text), ...arrows, ...writeLoops(text)];
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`), ''].join('\n');
}

type MermaidText = Readonly<{ chart: Chart; name: (id: string) => string }>;

/** Mermaid names are words; the path of keys keeps them apart from its own words, such as `end`. */
function chooseIdentifiers(chart: Chart): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const node of chart.nodes) {
    const prefix = node.parent === null ? 's' : names.get(node.parent);
    const word = `${prefix}_${node.key.replace(/[^A-Za-z0-9]+/g, '_')}`;
    const name = taken.has(word) ? `${word}_${taken.size}` : word;
    taken.add(name);
    names.set(node.id, name);
  }
  return names;
}

function writeBlock(parent: string | null, text: MermaidText): readonly string[] {
  const children = text.chart.nodes.filter((node) => node.parent === parent);
  const regions = text.chart.nodes.find(({ id }) => id === parent)?.type === 'parallel';
  const states = children.map((node) => writeState(node, text));
  const own = text.chart.edges.filter(
    (edge) => parent !== null && findBlock(text.chart, edge) === parent,
  );
  return [
    ...states.flatMap((lines, index) => (regions && index > 0 ? ['--', ...lines] : lines)),
    ...own.filter((edge) => !staysInside(edge)).flatMap((edge) => writeArrow(edge, text)),
    ...children.filter(({ type }) => type === 'final').map(({ id }) => `${text.name(id)} --> [*]`),
  ];
}

function writeState(node: ChartNode, text: MermaidText): readonly string[] {
  const name = text.name(node.id);
  const head = `state "${replaceSigns(writeTitle(node))}" as ${name}`;
  const inner = writeBlock(node.id, text);
  if (inner.length > 0) return [`${head} {`, ...inner.map((line) => `  ${line}`), '}'];
  const inside = text.chart.edges.filter((edge) => edge.source === node.id && staysInside(edge));
  // Inside the box: notes drift far away from their state, and Mermaid does not decode them.
  const { description } = node;
  const words = description === null || description.length > LONGEST_LINE ? [] : [description];
  return [
    head,
    ...[...words, ...inside.map(writeLabel)].map((line) => `${name} : ${replaceSigns(line)}`),
  ];
}

function writeTitle({ type, key }: ChartNode): string {
  if (type === 'history') return `${key} (H)`;
  return type === 'deepHistory' ? `${key} (H*)` : key;
}

/** Mermaid puts a state into the last block that mentions it, so only siblings share a block. */
function findBlock(chart: Chart, edge: ChartEdge): string | null {
  if (isInitial(edge)) return edge.source;
  const parents = [edge.source, ...edge.targets].map((id) => {
    return chart.nodes.find((node) => node.id === id)?.parent ?? null;
  });
  const [first = null] = parents;
  const regions = chart.nodes.find(({ id }) => id === first)?.type === 'parallel';
  return !regions && parents.every((parent) => parent === first) ? first : null;
}

function isInitial({ type, event }: ChartEdge): boolean {
  return type === 'default' && event !== 'history';
}

function writeArrow(edge: ChartEdge, { name }: MermaidText): readonly string[] {
  const from = isInitial(edge) ? '[*]' : name(edge.source);
  const words = replaceSigns(writeLabel(edge));
  return edge.targets.map((target) => {
    return `${from} --> ${name(target)}${words === '' ? '' : ` : ${words}`}`;
  });
}

/** A state with states inside has no lines of text, and Mermaid draws only one loop there. */
function writeLoops({ chart, name }: MermaidText): readonly string[] {
  return chart.nodes.flatMap((node) => {
    const inside = chart.edges.filter((edge) => edge.source === node.id && staysInside(edge));
    if (!hasChildren(chart, node) || inside.length === 0) return [];
    const lines = inside.map((edge) => replaceSigns(writeLabel(edge)));
    return [`${name(node.id)} --> ${name(node.id)} : ${lines.join('<br/>')}`];
  });
}

function writeLabel({ type, event, guard, actions }: ChartEdge): string {
  const parts = [
    type === 'default' ? '' : event,
    guard === null ? '' : `[${guard}]`,
    actions.length === 0 ? '' : `/ ${actions.join(', ')}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Mermaid's own signs and what stands for them: it decodes entities on some labels only. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ';': ',', ':': '∶', '#': '＃', '<': '‹', '>': '›', '"': '”', '&': '＆' }),
  ...Object.entries({ '{': '(', '}': ')', '*': '∗', '`': '’', '\\': '/', '%': '％', '~': '∼' }),
]);

function replaceSigns(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.map((letter) => LOOKALIKES.get(letter) ?? letter).join('');
}
