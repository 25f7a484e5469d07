/** Lays out a stranger's statechart: nested boxes in columns by their distance from the initial state. */
import type { ChartOutline } from '../../../proofs/report/explorerReport.ts';
import type { DrawnBox } from '../../charts/svg.ts';
import type { DrawnChart, DrawnNode, Spot } from '../game/story/pageData.ts';

type OutlineNode = ChartOutline['nodes'][number];

/** Pixels. */
const LETTER = 7.6;
const ROW = 34;
const HEADING = 30;
const [GAP_ACROSS, GAP_DOWN] = [74, 30];
const MARGIN = 16;

export function layOutOutline(outline: ChartOutline): DrawnChart {
  const { id: root, nodes, edges } = outline;
  const boxes = new OutlineBoxes(outline).all;
  const keyOf = (at: string | null) => nodes.find(({ id }) => id === at)?.key ?? 'stays';
  return {
    ...{ id: root, texts: [], width: 1, height: 1, ...boxes.get(root) },
    nodes: nodes.map((node) => drawNode(node, boxes.get(node.id), nodes)),
    edges: edges.map(({ id, source, target, guard, event, description }) => {
      const name = nameEvent(event);
      const text = guard === null ? name : `${name} [${guard}]`;
      return {
        ...{ id, source, target, guard, description, text, isStart: false },
        ...{ event: name, happened: name, name: text, condition: guard, was: guard ?? '' },
        way: `${keyOf(source)} → ${keyOf(target)}`,
      };
    }),
    lines: edges.flatMap(({ id, source, target }) => {
      const [from, to] = [boxes.get(source), boxes.get(target ?? source)];
      return from && to && from !== to ? [drawLine([id], from, to)] : [];
    }),
  };
}

class OutlineBoxes {
  readonly all = new Map<string, DrawnBox>();
  readonly #outline: ChartOutline;
  readonly #parents: ReadonlyMap<string, string | null>;

  constructor(outline: ChartOutline) {
    const { nodes } = outline;
    this.#outline = outline;
    this.#parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
    const [root] = nodes;
    if (root !== undefined) this.all.set(root.id, this.#place(root));
    // Boxes are relative to their parents, which come first.
    for (const { id, parent } of nodes) {
      const [box, outer] = [this.all.get(id), this.all.get(parent ?? '')];
      if (box && outer) this.all.set(id, { ...box, x: box.x + outer.x, y: box.y + outer.y });
    }
  }

  #place({ id: owner, key, type, initial }: OutlineNode): DrawnBox {
    const inner = this.#outline.nodes.filter(({ parent }) => parent === owner);
    const name = key.length * LETTER + 2 * MARGIN;
    if (inner.length === 0) return { x: 0, y: 0, width: Math.max(60, name), height: ROW };
    const ranks = type === 'parallel' ? new Map<string, number>() : this.#rank(owner, initial);
    const last = Math.max(0, ...ranks.values());
    const columns = Map.groupBy(inner, ({ id }) => ranks.get(id) ?? last + 1);
    let [x, height] = [MARGIN, 0];
    for (const [, column] of [...columns].toSorted(([one], [other]) => one - other)) {
      let [y, width] = [HEADING + MARGIN, 0];
      for (const child of column) {
        const box = this.#place(child);
        this.all.set(child.id, { ...box, x, y });
        y += box.height + GAP_DOWN;
        width = Math.max(width, box.width);
      }
      x += width + GAP_ACROSS;
      height = Math.max(height, y - GAP_DOWN + MARGIN);
    }
    return { x: 0, y: 0, width: Math.max(name, x - GAP_ACROSS + MARGIN), height };
  }

  /** The distance of each child from the initial one, as far as transitions lead to it. */
  #rank(owner: string, initial: string | null): ReadonlyMap<string, number> {
    const first = this.#childIn(owner, initial);
    const ranks = new Map<string, number>(first === null ? [] : [[first, 0]]);
    for (const [at, depth] of ranks) {
      for (const { source, target } of this.#outline.edges) {
        const to = this.#childIn(owner, source) === at ? this.#childIn(owner, target) : null;
        if (to !== null && !ranks.has(to)) ranks.set(to, depth + 1);
      }
    }
    return ranks;
  }

  #childIn(owner: string, node: string | null): string | null {
    for (let at = node; at !== null; at = this.#parents.get(at) ?? null) {
      if (this.#parents.get(at) === owner) return at;
    }
    return null;
  }
}

function drawNode(
  { id, key, type, parent, description }: OutlineNode,
  box: DrawnBox | undefined,
  nodes: ChartOutline['nodes'],
): DrawnNode {
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    ...{ id, key, x, y, width, height, description, name: key, isFinal: type === 'final' },
    nameAt: [x + MARGIN, y + 22],
    isTop: parent === nodes[0]?.id,
    isRegion: nodes.some((node) => node.id === parent && node.type === 'parallel'),
    isInnermost: nodes.every((node) => node.parent !== id),
  };
}

/** A bow from border to border, so that the lines of both directions stay apart. */
function drawLine(edges: readonly string[], from: DrawnBox, to: DrawnBox) {
  const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
  const [across, down] = [x2 - x1, y2 - y1];
  const bow: Spot = [(x1 + x2) / 2 - down * 0.14, (y1 + y2) / 2 + across * 0.14];
  const [leave, reach] = [border(from, bow), border(to, bow)];
  const angle = Math.atan2(reach[1] - bow[1], reach[0] - bow[0]);
  const wing = (turn: number) =>
    `L${reach[0] - 8 * Math.cos(angle + turn)} ${reach[1] - 8 * Math.sin(angle + turn)}`;
  return {
    edges,
    spots: [leave, bow, reach],
    path: `M${leave} Q${bow} ${reach}`,
    head: `M${reach} ${wing(0.4)}${wing(-0.4)}Z`,
  };
}

function middle({ x, y, width, height }: DrawnBox): Spot {
  return [x + width / 2, y + height / 2];
}

/** Where the line from the middle of a box to a point crosses its border. */
function border(box: DrawnBox, [x, y]: Spot): Spot {
  const [left, top] = middle(box);
  const [across, down] = [x - left, y - top];
  const share = Math.min(
    box.width / 2 / Math.max(1, Math.abs(across)),
    box.height / 2 / Math.max(1, Math.abs(down)),
  );
  return [left + across * share, top + down * share];
}

/** XState's own names of events in words: "after 1000 ms", "done loadUser". */
export function nameEvent(type: string): string {
  const [, delay] = /^xstate\.after\.([^.]+)\./s.exec(type) ?? [];
  if (delay !== undefined) return /^\d+$/.test(delay) ? `after ${delay} ms` : `after ${delay}`;
  const [, kind, id] =
    /^xstate\.(done|error|snapshot)\.(?:actor\.|state\.)?(.*)$/s.exec(type) ?? [];
  return kind === undefined ? type || 'always' : `${kind} ${id}`;
}
