/** Finds the events of a chart, without payloads, if the caller lists none. */
import type { AnyStateMachine, EventObject } from 'xstate';
import { readChart } from './chart.ts';

/** A check without events of a machine that reads their payloads. */
export class MissingEvents extends Error {}

/** A proof with these events holds only if no function of the machine reads a payload. */
export function createBareEvents(machine: AnyStateMachine) {
  const types = listEventTypes(machine);
  const read = new Set<string>();
  const watch = (event: EventObject, name: string | symbol) => {
    const isOwn = name in event || name in Object.prototype || typeof name === 'symbol';
    if (!isOwn && name !== 'toJSON') read.add(`${name} of ${event.type}`);
  };
  const watching: ProxyHandler<EventObject> = {
    get: (event, name, self) => {
      watch(event, name);
      return Reflect.get(event, name, self);
    },
    has: (event, name) => {
      watch(event, name);
      return Reflect.has(event, name);
    },
  };
  const known = types.filter((type) => !isWildcard(type));
  const events = known.map((type) => new Proxy<EventObject>({ type }, watching));
  for (const type of types.filter(isWildcard)) read.add(`any event (${type})`);
  /** Throws if the machine read a payload. */
  const refuseRead = () => {
    if (read.size === 0) return;
    throw new MissingEvents(
      `expected events for ${machine.id}: a list "events" or a function "world" (the command reads them from the module or from --events events.json). The machine takes ${types.join(', ')} and reads ${[...read].join(', ')}`,
    );
  };
  return { events, refuseRead };
}

export const isWildcard = (type: string) => type === '*' || type.endsWith('.*');

/** The external events, without XState's own. */
export function listEventTypes(machine: AnyStateMachine): readonly string[] {
  const types = readChart(machine).edges.map(({ event }) => event);
  return [...new Set(types)].filter((type) => type !== '' && !type.startsWith('xstate.')).sort();
}
