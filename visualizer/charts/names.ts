/**
 * Names: what a person calls the events, guards, actions and actors of a machine.
 * XState keeps them as strings, objects or functions; a function without a name of its own is "inline".
 */
import type { AnyStateNode } from 'xstate';

const INLINE = 'inline';

/** JavaScript names an arrow after the property that holds it, which tells a reader nothing. */
const BORROWED_NAMES = new Set(['', 'guard', 'actions', 'entry', 'exit', 'initial']);

/** In characters; longer parameters hide more than they tell. */
const LONGEST_DETAILS = 40;

/** The event types that XState makes up itself, by their beginning. */
const AFTER = 'xstate.after.';
const MADE_UP = [
  ['xstate.done.actor.', 'done'],
  ['xstate.error.actor.', 'error'],
  ['xstate.snapshot.', 'snapshot'],
] as const;

export function eventName(node: AnyStateNode, eventType: string): string {
  if (eventType === '') return 'always';
  if (eventType.startsWith(AFTER)) return `after ${delayName(node, eventType)}`;
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  for (const [prefix, word] of MADE_UP) {
    if (eventType.startsWith(prefix))
      return `${word} ${actorName(node, eventType.slice(prefix.length))}`;
  }
  return eventType.replace(/^xstate\./, '');
}

/** The type is `xstate.after.<delay>.<state id>`; both parts may contain dots, but the id is known. */
function delayName(node: AnyStateNode, eventType: string): string {
  const ending = `.${node.id}`;
  const delay = eventType.slice(AFTER.length);
  const name = delay.endsWith(ending) ? delay.slice(0, -ending.length) : delay;
  return /^\d+$/.test(name) ? `${name} ms` : name;
}

function actorName(node: AnyStateNode, actorId: string): string {
  const invoked = node.invoke.findIndex((invoke) => invoke.id === actorId);
  return invoked < 0 ? actorId : (invokeNames(node)[invoked] ?? actorId);
}

/** An actor is called by its logic; an id chosen by the author comes first, as in `teller: poll`. */
export function invokeNames(node: AnyStateNode): readonly string[] {
  return node.invoke.map(({ id, src }, index) => {
    const source = typeof src === 'string' && !src.startsWith('xstate.invoke.') ? src : INLINE;
    const automatic = id === `${index}.${node.id}`;
    if (automatic || id === source) return source;
    return source === INLINE ? id : `${id}: ${source}`;
  });
}

/** Entry or exit actions, without the timers that XState adds for `after`. */
export function actionNames(actions: readonly unknown[]): readonly string[] {
  return actions.filter((action) => !isTimer(action)).map(actionName);
}

function isTimer(action: unknown): boolean {
  const id = field(action, 'id') ?? field(action, 'sendId');
  const type = field(action, 'type');
  const timed = type === 'xstate.raise' || type === 'xstate.cancel';
  return timed && typeof id === 'string' && id.startsWith(AFTER);
}

function actionName(action: unknown): string {
  const type = field(action, 'type');
  if (typeof type !== 'string' || !type.startsWith('xstate.')) return plainName(action);
  const word = type.slice('xstate.'.length);
  const subject = field(action, 'event') ?? field(action, 'src') ?? field(action, 'eventOrExpr');
  const name = typeof subject === 'string' ? subject : field(subject, 'type');
  return typeof name === 'string' ? `${word} ${name}` : word;
}

export function guardName(guard: unknown): string | null {
  return guard === undefined ? null : condition(guard, false);
}

/** `inside` says that the condition stands in a larger one, so that a list needs brackets. */
function condition(guard: unknown, inside: boolean): string {
  const parts = field(guard, 'guards');
  const stateValue = field(guard, 'stateValue');
  if (stateValue !== undefined) return `in ${path(stateValue)}`;
  if (typeof guard !== 'function' || !Array.isArray(parts)) return plainName(guard);
  const names = parts.map((part) => condition(part, true));
  if (guard.name === 'not') return `not ${names.join()}`;
  const list = names.join(` ${guard.name} `);
  return inside && names.length > 1 ? `(${list})` : list;
}

/** The text of a state value: `a`, `a.b`, `a.b + c.d` for regions. */
function path(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}.${path(inner)}`)
    .join(' + ');
}

/** Parameters that are computed at run time have no text here and are left out. */
function plainName(named: unknown): string {
  if (typeof named === 'string') return named;
  if (typeof named === 'function') return BORROWED_NAMES.has(named.name) ? INLINE : named.name;
  const type = field(named, 'type');
  const params = field(named, 'params');
  const name = typeof type === 'string' ? type : INLINE;
  if (typeof params !== 'object' || params === null) return name;
  const list = details(params).join(', ');
  return list === '' || list.length > LONGEST_DETAILS ? name : `${name}(${list})`;
}

/** The values at the leaves of the parameters; a string speaks for itself, anything else needs its key. */
function details(params: object): readonly string[] {
  return Object.entries(params).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null) return details(value);
    return typeof value === 'string' ? [value] : [`${key}: ${String(value)}`];
  });
}

function field(owner: unknown, name: string): unknown {
  const holds = (typeof owner === 'object' && owner !== null) || typeof owner === 'function';
  return holds ? Reflect.get(owner, name) : undefined;
}
