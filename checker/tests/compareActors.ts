/** Actors: whether a compiled machine runs as an actor just as XState's own does, inspection event by inspection event. */
import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type EventObject,
  type InspectionEvent,
} from 'xstate';
import { compile } from '../compileMachine.ts';
import { nameRecipient } from '../stepper.ts';
import { isAlike } from './agreement.ts';
import { ALPHABET, createRandomChart, SeededRandom } from './randomChart.ts';

const WALKS = 2;
const STEPS = 20;
const MOST_SEEN = 600;

type ActorDifference = {
  readonly where: string;
  readonly compiled: unknown;
  readonly xstate: unknown;
};

type ActorComparison = { readonly seen: number; readonly parting: ActorDifference | null };

export function compareActorsOnRandomChart(seed: number): ActorComparison {
  const machine = createRandomChart(new SeededRandom(seed), false);
  let seen = 0;
  for (let walk = 0; walk < WALKS; walk++) {
    const found = compareActors(machine, () =>
      createRandomWalk(new SeededRandom(seed ^ ((walk + 1) * 7919))),
    );
    seen += found.seen;
    if (found.parting === null) continue;
    const where = `chart of seed ${seed}, walk ${walk}, ${found.parting.where}`;
    return { seen, parting: { ...found.parting, where } };
  }
  return { seen, parting: null };
}

/** The next event of an actor, or the place of the timer that fires. Null ends the walk. */
export type ActorWalk = (
  snapshot: AnyMachineSnapshot,
  timers: number,
) => EventObject | { readonly timer: number } | null;

export function compareActors(
  machine: AnyStateMachine,
  createWalk: () => ActorWalk,
): ActorComparison {
  const one = watchActor(compile(machine), createWalk());
  const other = watchActor(machine, createWalk());
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) {
    if (isAlike(one[at], other[at])) continue;
    const where = `inspection event ${at}`;
    return { seen: other.length, parting: { where, compiled: one[at], xstate: other[at] } };
  }
  return { seen: other.length, parting: null };
}

function createRandomWalk(chance: SeededRandom): ActorWalk {
  let steps = 0;
  return ({ children }, timers) => {
    if (steps++ === STEPS) return null;
    const ends = Object.keys(children).map((id) =>
      chance.of([
        { type: `xstate.done.actor.${id}`, output: steps },
        { type: `xstate.error.actor.${id}`, error: 'broken' },
      ]),
    );
    const timer = timers === 0 ? [] : [{ timer: chance.below(timers) }];
    return chance.of([...ALPHABET.map((type) => ({ type })), ...ends, ...timer]);
  };
}

function watchActor(machine: AnyStateMachine, walk: ActorWalk): readonly unknown[] {
  const seen: unknown[] = [];
  const clock = new ManualClock();
  let root: AnyActorRef | undefined;
  const actor = createActor(machine, {
    clock,
    logger: (...said: readonly unknown[]) => void seen.push({ said }),
    inspect: (event) => {
      // A machine that writes to itself at each event would go on for ever.
      if (seen.length >= MOST_SEEN) throw new EnoughSeen();
      seen.push(describeInspected(event, root));
    },
  });
  root = actor;
  actor.subscribe({ error: (error) => void seen.push({ error: describeError(error) }) });
  actor.on('*', (emitted) => void seen.push({ emitted }));
  const goOn = (next: () => void): boolean => {
    try {
      next();
    } catch (error) {
      if (!(error instanceof EnoughSeen)) throw error;
    }
    return seen.length < MOST_SEEN && actor.getSnapshot().status === 'active';
  };
  let isOn = goOn(() => actor.start());
  while (isOn) {
    const next = walk(actor.getSnapshot(), clock.running);
    if (next === null) break;
    isOn = goOn(() => ('timer' in next ? clock.fire(next.timer) : actor.send(next)));
  }
  return seen;
}

class EnoughSeen extends Error {}

class ManualClock {
  readonly #timers = new Map<number, () => void>();
  #set = 0;

  setTimeout(fn: () => void): number {
    this.#timers.set(++this.#set, fn);
    return this.#set;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  get running(): number {
    return this.#timers.size;
  }

  fire(place: number): void {
    const [id, fn] = [...this.#timers][place] ?? [];
    if (id !== undefined) this.#timers.delete(id);
    fn?.();
  }
}

/** An inspection event without what differs between any two actors: names of sessions, references, functions. */
function describeInspected(inspected: InspectionEvent, root: AnyActorRef | undefined): unknown {
  const { type } = inspected;
  const id: unknown = Reflect.get(inspected.actorRef, 'id');
  const isRoot = root !== undefined && inspected.actorRef === root;
  const who = isRoot ? '(root)' : String(id).startsWith('x:') ? '(anonymous)' : id;
  switch (inspected.type) {
    case '@xstate.event':
      return { type, who, event: inspected.event };
    case '@xstate.snapshot':
      return { type, who, event: inspected.event, snapshot: describeSnapshot(inspected.snapshot) };
    case '@xstate.microstep':
      return {
        type,
        who,
        event: inspected.event,
        snapshot: describeSnapshot(inspected.snapshot),
        taken: inspected._transitions.map(({ source, eventType }) => [source.id, eventType]),
      };
    case '@xstate.action':
      return {
        type,
        who,
        action: inspected.action.type,
        params: describeParams(inspected.action.params, root),
      };
    default:
      return { type, who };
  }
}

function describeParams(params: unknown, root: AnyActorRef | undefined): unknown {
  if (typeof params !== 'object' || params === null) return params;
  if ('sessionId' in params) return nameRecipient(params, root);
  const { actorRef, to, ...rest } = Object.fromEntries(Object.entries(params));
  const named = { actorRef: nameRecipient(actorRef, root), to: nameRecipient(to, root) };
  return Object.entries({ ...rest, ...named }).filter(([, value]) => typeof value !== 'function');
}

/** All of a snapshot that can be compared, with what its methods answer. */
function describeSnapshot(snapshot: unknown): unknown {
  if (!isMachineSnapshot(snapshot)) return null;
  const { status, output, error, context, value, tags, children, _nodes, historyValue } = snapshot;
  return {
    status,
    output,
    error: describeError(error),
    context: nameActors(context),
    value,
    tags: [...tags].sort(),
    children: Object.keys(children),
    nodes: _nodes.map(({ id }) => id).sort(),
    history: Object.entries(historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)]),
    can: ALPHABET.filter((type) => snapshot.can({ type })),
    names: Object.keys(snapshot),
    json: Object.keys(Object(snapshot.toJSON())),
  };
}

function nameActors(context: object): unknown {
  return Object.entries(context).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && 'sessionId' in value ? String(value.id) : value,
  ]);
}

function isMachineSnapshot(value: unknown): value is AnyMachineSnapshot {
  return typeof value === 'object' && value !== null && 'machine' in value && '_nodes' in value;
}

function describeError(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}
