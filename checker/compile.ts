/** The compiled stepper looks up the machine's own nodes, guards and actions once, and then calls them directly. */
import type { AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import { Actions, type MacrostepRun, refuse } from './actions.ts';
import { listInvoked, readChart } from './chart.ts';
import {
  type Candidate,
  type Choosing,
  type Configuration,
  ConfigurationTable,
  chooseByEvent,
  chooseEventless,
} from './configurations.ts';
import { type HistoryMemory, isHistory, NO_HISTORY, readHistoryDefault } from './history.ts';
import { type CompletedNode, type MicrostepPlan, planInitial } from './plan.ts';
import {
  applyTimers,
  createEndlessStep,
  EXTERNAL_RECIPIENT,
  endChild,
  type GuardCounts,
  type MachineEffect,
  type MachinePoint,
  type MachineStepper,
  MOST_MICROSTEPS,
  nameChild,
  removeFiredTimer,
  type Transition,
  Uncompilable,
} from './stepper.ts';

/** Throws `Uncompilable` for an unsupported feature. XState's engine takes over then. */
export function compileStepper<C, E extends EventObject>(
  machine: AnyStateMachine,
  input: unknown,
): MachineStepper<C, E> {
  const actions = new Actions(machine);
  const { nodes, edges } = readChart(machine);
  for (const node of nodes) {
    if (isHistory(node)) foreseeHistory(node);
    // XState resolves such a name as a path or an id.
    if (/^#|[.\\]/.test(node.key)) throw new Uncompilable('a state name with "#" or "."', node.id);
    for (const action of [...node.entry, ...node.exit, ...(node.initial?.actions ?? [])])
      actions.foresee(action);
  }
  const names = nodes.flatMap(listInvoked).flatMap(({ systemId }) => systemId ?? []);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Uncompilable(`two children under "${twice}"`, machine.id);
  for (const action of edges.flatMap(({ definition }) => definition.actions))
    actions.foresee(action);
  return new CompiledStepper<C, E>(machine, input, actions);
}

/** XState enters such charts in unexpected ways. */
function foreseeHistory(history: AnyStateNode): void {
  const { parent, id } = history;
  if (parent?.initial?.target?.includes(history))
    throw new Uncompilable('a history state as initial state', id);
  if (readHistoryDefault(history).target.some(isHistory))
    throw new Uncompilable('a history state that leads to a history state', id);
}

type Macrostep = MacrostepRun &
  Choosing & {
    configuration: Configuration;
    history: HistoryMemory;
    readonly taken: number[];
    isDone: boolean;
    /** The effect that hands a finished machine's output to its parent. */
    output: MachineEffect | null;
    isFailed: boolean;
  };

class CompiledStepper<C, E extends EventObject> implements MachineStepper<C, E> {
  readonly engine = 'compiled';
  readonly guards: GuardCounts;
  readonly #machine: AnyStateMachine;
  readonly #input: unknown;
  readonly #actions: Actions;
  readonly #configurations: ConfigurationTable;
  readonly #mostSteps: number;
  #running: Macrostep | null = null;

  constructor(machine: AnyStateMachine, input: unknown, actions: Actions) {
    this.#machine = machine;
    this.#input = input;
    this.#actions = actions;
    this.#configurations = new ConfigurationTable(machine);
    this.#mostSteps = Math.min(machine.options?.maxIterations ?? MOST_MICROSTEPS, MOST_MICROSTEPS);
    const none = readChart(machine).edges.map(() => 0);
    this.guards = { passed: [...none], failed: none };
  }

  initial(): Transition<C> {
    const event = { type: 'xstate.init', input: this.#input };
    const plan = planInitial(this.#machine.root);
    const configuration = this.#configurations.of(plan.nodes);
    const context = createContext(this.#machine, this.#input);
    const macrostep = this.#macrostep(configuration, context, event);
    // The first actions see a snapshot in which only the root is active, but with the value of the states to come.
    macrostep.place = { ...configuration.place, nodes: [this.#machine.root] };
    this.#enact(macrostep, plan);
    macrostep.place = configuration.place;
    this.#settle(macrostep);
    return this.#toTransition(macrostep, NO_ITEMS);
  }

  step(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    if (point.status !== 'active') return { point, effects: [], taken: [] };
    const macrostep = this.#macrostep(this.#configurations.at(point.place), point.context, event);
    if (point.history !== '') macrostep.history = this.#configurations.history(point.history);
    macrostep.children =
      point.children.length === 0 ? point.children : endChild(point.children, event);
    this.#running = macrostep;
    const chosen = chooseByEvent(macrostep);
    if (chosen.length > 0) this.#take(macrostep, chosen);
    else if (event.type.startsWith('xstate.error.actor')) macrostep.isFailed = true;
    if (!macrostep.isFailed) this.#settle(macrostep);
    return this.#toTransition(macrostep, removeFiredTimer(point.timers, event));
  }

  doing(): string | null {
    const macrostep = this.#running;
    if (macrostep === null) return null;
    const { asked, taken } = macrostep;
    const { edges } = readChart(this.#machine);
    if (asked >= 0) return `the guard of ${edges[asked]?.label}`;
    const { current } = this.#actions;
    const last = taken.at(-1);
    const where = last === undefined ? '' : ` of ${edges[last]?.label}`;
    return current === null ? null : `the action ${current}${where}`;
  }

  #macrostep(configuration: Configuration, context: unknown, event: EventObject): Macrostep {
    return {
      machine: this.#machine,
      guards: this.guards,
      asked: -1,
      configuration,
      history: NO_HISTORY,
      place: configuration.place,
      context,
      event,
      changed: false,
      setsTimers: false,
      children: NO_ITEMS,
      expected: NO_ITEMS,
      raised: [],
      effects: [],
      taken: [],
      isDone: false,
      output: null,
      isFailed: false,
    };
  }

  #settle(macrostep: Macrostep): void {
    let looksForEventless = true;
    for (let steps = 1; !macrostep.isDone; steps++) {
      if (steps > this.#mostSteps)
        throw createEndlessStep(this.#mostSteps, ` in ${macrostep.place.name}`);
      let chosen: readonly Candidate[] = looksForEventless ? chooseEventless(macrostep) : NO_ITEMS;
      const wasEventless = chosen.length > 0;
      if (!wasEventless) {
        const raised = macrostep.raised.shift();
        if (raised === undefined) break;
        macrostep.event = raised;
        chosen = chooseByEvent(macrostep);
      }
      macrostep.changed = false;
      if (chosen.length > 0) this.#take(macrostep, chosen);
      looksForEventless = !wasEventless || macrostep.changed;
    }
  }

  #toTransition(macrostep: Macrostep, timers: MachinePoint<C>['timers']): Transition<C> {
    const { configuration, context, effects, taken, isDone, isFailed, children } = macrostep;
    const { history, setsTimers } = macrostep;
    const isOver = isDone || isFailed;
    if (isOver) {
      for (const id of children.map(nameChild).sort())
        effects.push({ type: 'xstate.stopChild', params: id });
    }
    if (isDone && macrostep.output !== null) effects.push(macrostep.output);
    const changes = setsTimers && !isOver;
    return {
      point: {
        place: configuration.place,
        context: context as C, // the machine's own context: C is the caller's word for it
        timers: changes ? applyTimers(timers, effects, this.#machine) : isOver ? NO_ITEMS : timers,
        status: isDone ? 'done' : isFailed ? 'error' : 'active',
        history: history.text,
        children: isOver ? NO_ITEMS : children,
      },
      effects,
      taken,
    };
  }

  #take(macrostep: Macrostep, chosen: readonly Candidate[]): void {
    const from = macrostep.configuration;
    const { history } = macrostep;
    const to = this.#configurations.destination(from, chosen, history);
    for (const { edge } of chosen) macrostep.taken.push(edge);
    if (to.isChanged) macrostep.changed = true;
    this.#enact(macrostep, to.plan);
    macrostep.configuration = to.configuration;
    macrostep.history = to.history;
    macrostep.place = to.configuration.place;
  }

  #enact(macrostep: Macrostep, { actions, isDone }: MicrostepPlan): void {
    for (const planned of actions) {
      switch (planned.type) {
        case 'action':
          this.#actions.perform(macrostep, planned.action);
          break;
        case 'expect':
          macrostep.expected = planned.ids;
          break;
        case 'complete':
          macrostep.raised.push(createDoneEvent(macrostep, planned));
          break;
        case 'output':
          macrostep.output = this.#outputOf(macrostep, planned.by);
          break;
        case 'spawn': {
          const { id, input } = planned.invoke;
          const params = { id, input: resolveValue(input, macrostep) };
          this.#setChild(macrostep, id, true);
          macrostep.effects.push({ type: 'xstate.spawnChild', params });
          break;
        }
        default:
          this.#setChild(macrostep, planned.id, false);
          macrostep.effects.push({ type: 'xstate.stopChild', params: planned.id });
      }
    }
    if (isDone) macrostep.isDone = true;
  }

  #setChild(macrostep: Macrostep, id: string, runs: boolean): void {
    const others = macrostep.children.filter((child) => nameChild(child) !== id);
    macrostep.children = runs ? [...others, id].sort() : others;
    macrostep.changed = true;
  }

  #outputOf(macrostep: Macrostep, by: CompletedNode): MachineEffect | null {
    const { output } = this.#machine.root;
    if (output === undefined) return null;
    const event = createDoneEvent(macrostep, by);
    return { type: 'xstate.output', params: resolveValue(output, { ...macrostep, event }) };
  }
}

const NO_ITEMS: readonly never[] = [];

function createDoneEvent(run: MacrostepRun, { id, output }: CompletedNode) {
  return { type: `xstate.done.state.${id}`, output: resolveValue(output, run) };
}

function resolveValue(value: unknown, { context, event }: MacrostepRun): unknown {
  if (typeof value !== 'function') return value;
  return Reflect.apply(value, undefined, [{ context, event, self: EXTERNAL_RECIPIENT }]);
}

function createContext({ config: { context } }: AnyStateMachine, input: unknown): unknown {
  if (typeof context !== 'function') return context ?? {};
  const spawn = () => refuse('spawn in the first context', '(root)');
  return Reflect.apply(context, undefined, [{ input, spawn, self: EXTERNAL_RECIPIENT }]);
}
