/**
 * A statechart as plain data. There is one walk, so an edge of the chart and a live transition of the same machine
 * instance carry the same id. `machine.provide()` makes a new instance.
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

export interface Chart {
  readonly id: string;
  readonly description: string | null;
  /** Parents before children, in declaration order. The root comes first. */
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
}

export type ChartNode = Readonly<ReturnType<typeof readNode>>;

export interface ChartEdge {
  /** `<source id>|<event type>|<index within the type>`. An `always` has an empty type. */
  readonly id: string;
  /** `default` leads from a state to its initial state, or from a history to where it starts at first. */
  readonly type: 'default' | 'transition';
  readonly source: string;
  /** Empty for an internal transition; several when regions of a parallel state are entered together. */
  readonly targets: readonly string[];
  /** The readable event name: its type, "always", "after beat", "done", "error teller". */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly description: string | null;
  readonly internal: boolean;
  /** Whether the source is left and entered again although the target lies inside it. */
  readonly reenter: boolean;
}

export function readChart(machine: AnyStateMachine): Chart {
  const nodes = [...walkStates(machine.root)];
  return {
    id: machine.root.id,
    description: machine.root.description ?? null,
    nodes: nodes.map(readNode),
    edges: nodes.flatMap((one) => [...listDepartures(one).map(readEdge), ...readHistoryEdge(one)]),
  };
}

export function findEdgeIds(
  machine: AnyStateMachine,
): ReadonlyMap<AnyTransitionDefinition, string> {
  const all = [...walkStates(machine.root)].flatMap(listDepartures);
  return new Map(all.map(({ transition, id }) => [transition, id]));
}

/** The guarded transitions of a state, its eventless ones included: as edges of the chart, and as XState evaluates them. */
export function listGuards(node: AnyStateNode) {
  return listDepartures(node).flatMap(({ eventType, transition: { guard } }) =>
    guard === undefined ? [] : [{ eventType, name: nameCondition(guard, false), guard }],
  );
}

function* walkStates(node: AnyStateNode): Generator<AnyStateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* walkStates(child);
}

/** No event of this type exists: the default transition of a state has none. */
const INITIAL = 'xstate.initial';

/** `node.transitions` holds `on`, `after` and the ends of actors, but neither `always` nor `initial`. */
function listDepartures(node: AnyStateNode) {
  const initial = node.type === 'compound' ? [node.initial] : [];
  const byType = new Map<string, readonly AnyTransitionDefinition[]>([
    [INITIAL, initial],
    ...node.transitions,
    ['', node.always ?? []],
  ]);
  return [...byType].flatMap(([eventType, transitions]) =>
    transitions.map((transition, index) => {
      return { id: `${node.id}|${eventType}|${index}`, eventType, transition };
    }),
  );
}

function readNode(node: AnyStateNode) {
  return {
    id: node.id,
    key: node.key,
    parent: node.parent?.id ?? null,
    type: node.history === 'deep' ? ('deepHistory' as const) : node.type,
    description: node.description ?? null,
    tags: node.tags,
    entry: nameActions(node.entry),
    exit: nameActions(node.exit),
    invokes: nameInvokes(node),
  };
}

type EdgeStart = ReturnType<typeof listDepartures>[number];

function readEdge({ id, eventType, transition }: EdgeStart): ChartEdge {
  const targets = transition.target?.map((target) => target.id) ?? [];
  return {
    id,
    type: eventType === INITIAL ? 'default' : 'transition',
    source: transition.source.id,
    targets,
    event: nameEvent(transition.source, eventType),
    guard: transition.guard === undefined ? null : nameCondition(transition.guard, false),
    actions: nameActions(transition.actions),
    description: transition.description ?? null,
    internal: targets.length === 0,
    reenter: transition.reenter,
  };
}

/** XState resolves the default target of a history only when it is needed, so it has no object yet. */
function readHistoryEdge(node: AnyStateNode): readonly ChartEdge[] {
  const path: unknown = node.config.target;
  if (node.type !== 'history' || typeof path !== 'string') return [];
  const target = path.startsWith('#')
    ? node.machine.getStateNodeById(path)
    : findInside(node.parent, path);
  if (target === undefined) return [];
  const id = `${node.id}|xstate.history|0`;
  const silent = { guard: null, actions: [], description: null, internal: false, reenter: false };
  return [
    { id, type: 'default', source: node.id, targets: [target.id], event: 'history', ...silent },
  ];
}

function findInside(node: AnyStateNode | undefined, path: string): AnyStateNode | undefined {
  const keys = path.split('.').filter((key) => key !== '');
  return keys.reduce<AnyStateNode | undefined>((at, key) => at?.states[key], node);
}

const INLINE = 'inline';

/** JavaScript names an arrow after the property that holds it, which tells a reader nothing. */
const BORROWED_NAMES = new Set(['', 'guard', 'actions', 'entry', 'exit', 'initial']);

/** In characters; longer parameters hide more than they tell. */
const LONGEST_DETAILS = 40;

const AFTER = 'xstate.after.';
const MADE_UP = [
  ['xstate.done.actor.', 'done'],
  ['xstate.error.actor.', 'error'],
  ['xstate.snapshot.', 'snapshot'],
] as const;

function nameEvent(node: AnyStateNode, eventType: string): string {
  if (eventType === '') return 'always';
  if (eventType.startsWith(AFTER)) return `after ${nameDelay(node, eventType)}`;
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  for (const [prefix, word] of MADE_UP) {
    if (eventType.startsWith(prefix))
      return `${word} ${nameActor(node, eventType.slice(prefix.length))}`;
  }
  return eventType.replace(/^xstate\./, '');
}

/** The type is `xstate.after.<delay>.<state id>`; both parts may contain dots, but the id is known. */
function nameDelay(node: AnyStateNode, eventType: string): string {
  const ending = `.${node.id}`;
  const delay = eventType.slice(AFTER.length);
  const name = delay.endsWith(ending) ? delay.slice(0, -ending.length) : delay;
  return /^\d+$/.test(name) ? `${name} ms` : name;
}

function nameActor(node: AnyStateNode, actorId: string): string {
  const invoked = node.invoke.findIndex((invoke) => invoke.id === actorId);
  return invoked < 0 ? actorId : (nameInvokes(node)[invoked] ?? actorId);
}

/** An actor is called by its logic; an id chosen by the author comes first, as in `teller: poll`. */
function nameInvokes(node: AnyStateNode): readonly string[] {
  return node.invoke.map(({ id, src }, index) => {
    const source = typeof src === 'string' && !src.startsWith('xstate.invoke.') ? src : INLINE;
    if (id === `${index}.${node.id}` || id === source) return source;
    return source === INLINE ? id : `${id}: ${source}`;
  });
}

function nameActions(actions: readonly unknown[]): readonly string[] {
  return actions.filter((action) => !isTimer(action)).map(nameAction);
}

function isTimer(action: unknown): boolean {
  const id = readField(action, 'id') ?? readField(action, 'sendId');
  const type = readField(action, 'type');
  const timed = type === 'xstate.raise' || type === 'xstate.cancel';
  return timed && typeof id === 'string' && id.startsWith(AFTER);
}

function nameAction(action: unknown): string {
  const type = readField(action, 'type');
  if (typeof type !== 'string' || !type.startsWith('xstate.')) return namePlainly(action);
  const word = type.slice('xstate.'.length);
  const subject =
    readField(action, 'event') ?? readField(action, 'src') ?? readField(action, 'eventOrExpr');
  const name = typeof subject === 'string' ? subject : readField(subject, 'type');
  return typeof name === 'string' ? `${word} ${name}` : word;
}

function nameCondition(guard: unknown, inside: boolean): string {
  const parts = readField(guard, 'guards');
  const stateValue = readField(guard, 'stateValue');
  if (stateValue !== undefined) return `in ${nameStateValue(stateValue)}`;
  if (typeof guard !== 'function' || !Array.isArray(parts)) return namePlainly(guard);
  const names = parts.map((part) => nameCondition(part, true));
  if (guard.name === 'not') return `not ${names.join()}`;
  const list = names.join(` ${guard.name} `);
  return inside && names.length > 1 ? `(${list})` : list;
}

/** The text of a state value: `a`, `a.b`, `a.b + c.d` for regions. */
function nameStateValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}.${nameStateValue(inner)}`)
    .join(' + ');
}

/** Parameters that are computed at run time have no text here and are left out. */
function namePlainly(named: unknown): string {
  if (typeof named === 'string') return named;
  if (typeof named === 'function') return BORROWED_NAMES.has(named.name) ? INLINE : named.name;
  const type = readField(named, 'type');
  const params = readField(named, 'params');
  const name = typeof type === 'string' ? type : INLINE;
  if (typeof params !== 'object' || params === null) return name;
  const list = listDetails(params).join(', ');
  return list === '' || list.length > LONGEST_DETAILS ? name : `${name}(${list})`;
}

function listDetails(params: object): readonly string[] {
  return Object.entries(params).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null) return listDetails(value);
    return typeof value === 'string' ? [value] : [`${key}: ${String(value)}`];
  });
}

function readField(owner: unknown, name: string): unknown {
  return Reflect.get(Object(owner), name);
}
