/**
 * The compiled stepper: the machine's own nodes, guards and actions, with the work of finding them done once.
 *
 * Guards and assignments are the machine's own functions; what is remembered is which of them stand where. It is
 * cross-checked against XState's engine; a chart with something it does not know is refused by name, and then that
 * engine serves.
 */
import type { AnyStateMachine, EventObject } from 'xstate';
import { Actions, type MacrostepRun } from './actions.ts';
import { readChart } from './chart.ts';
import { type Configuration, ConfigurationTable } from './configurations.ts';
import { EXTERNAL_RECIPIENT } from './nobody.ts';
import { type MicrostepPlan, planInitial } from './plan.ts';
import {
  type Candidate,
  select,
  selectAtLeaf,
  selectEventless,
  selectEventlessAtLeaf,
} from './selection.ts';
import {
  applyTimers,
  type GuardCounts,
  type MachinePoint,
  type MachineStepper,
  MOST_MICROSTEPS,
  removeFiredTimer,
  type Transition,
} from './step.ts';
import { Uncompilable } from './uncompilable.ts';

/** Compiles a machine; throws `Uncompilable` where it can't. */
export function compileStepper<C, E extends EventObject>(
  machine: AnyStateMachine,
  input: unknown,
): MachineStepper<C, E> {
  const actions = new Actions(machine);
  for (const node of readChart(machine).nodes) {
    if (node.type === 'history') throw new Uncompilable('a history state', node.id);
    for (const action of [...node.entry, ...node.exit, ...(node.initial?.actions ?? [])]) {
      actions.foresee(action);
    }
  }
  for (const { definition } of readChart(machine).edges) {
    for (const action of definition.actions) actions.foresee(action);
  }
  return new CompiledStepper<C, E>(machine, input, actions);
}

type Macrostep = MacrostepRun & {
  readonly guards: GuardCounts;
  configuration: Configuration;
  readonly taken: number[];
  isDone: boolean;
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
    const context = createContext(this.#machine, event);
    const macrostep = this.#macrostep(configuration, context, event);
    this.#enact(macrostep, plan);
    this.#settle(macrostep);
    return this.#toTransition(macrostep, NO_ITEMS);
  }

  step(point: MachinePoint<C>, event: E | EventObject): Transition<C> {
    if (point.status !== 'active') return { point, effects: [], taken: [] };
    const configuration = this.#configurations.at(point.place);
    const macrostep = this.#macrostep(configuration, point.context, event);
    macrostep.children = point.children;
    const chosen = chooseByEvent(macrostep);
    if (chosen.length > 0) this.#take(macrostep, chosen);
    else if (event.type.startsWith('xstate.error.actor')) macrostep.isFailed = true;
    if (!macrostep.isFailed) this.#settle(macrostep);
    const { timers } = point;
    return this.#toTransition(
      macrostep,
      timers.length === 0 ? timers : removeFiredTimer(timers, event),
    );
  }

  #macrostep(configuration: Configuration, context: unknown, event: EventObject): Macrostep {
    return {
      machine: this.#machine,
      guards: this.guards,
      configuration,
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
      isFailed: false,
    };
  }

  /** Goes on until nothing is enabled and nothing was raised. */
  #settle(macrostep: Macrostep): void {
    let looksForEventless = true;
    for (let steps = 1; !macrostep.isDone; steps++) {
      if (steps > this.#mostSteps) throw createLimitError(this.#mostSteps, macrostep.place.name);
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
    const { setsTimers } = macrostep;
    const isOver = isDone || isFailed;
    if (isOver) for (const id of children) effects.push({ type: 'xstate.stopChild', params: id });
    return {
      point: {
        place: configuration.place,
        context: context as C, // the machine's own context: C is the caller's word for it
        timers: isOver ? NO_ITEMS : setsTimers ? applyTimers(timers, effects) : timers,
        status: isDone ? 'done' : isFailed ? 'error' : 'active',
        history: '',
        children: isOver ? NO_ITEMS : children,
      },
      effects,
      taken,
    };
  }

  #take(macrostep: Macrostep, chosen: readonly Candidate[]): void {
    const from = macrostep.configuration;
    const { plan, configuration } = this.#configurations.destination(from, chosen);
    for (const { edge } of chosen) macrostep.taken.push(edge);
    if (configuration !== from) macrostep.changed = true;
    this.#enact(macrostep, plan);
    macrostep.configuration = configuration;
    macrostep.place = configuration.place;
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
        default:
          this.#startOrStop(macrostep, planned.type === 'spawn', planned.id);
      }
    }
    if (isDone) macrostep.isDone = true;
  }

  #startOrStop(macrostep: Macrostep, starts: boolean, id: string): void {
    const others = macrostep.children.filter((child) => child !== id);
    macrostep.children = starts ? [...others, id].sort() : others;
    macrostep.changed = true;
    const type = starts ? 'xstate.spawnChild' : 'xstate.stopChild';
    macrostep.effects.push({ type, params: id });
  }
}

const NO_ITEMS: readonly never[] = [];

/** The transitions that the event takes. */
function chooseByEvent(macrostep: Macrostep): readonly Candidate[] {
  const { root, line } = macrostep.configuration;
  return line === null ? select(root, macrostep) : selectAtLeaf(line, macrostep);
}

/** The transitions that are taken without one. */
function chooseEventless(macrostep: Macrostep): readonly Candidate[] {
  const { leaves, line, place } = macrostep.configuration;
  return line === null
    ? selectEventless(leaves, place, macrostep)
    : selectEventlessAtLeaf(line, macrostep);
}

function createLimitError(most: number, place: string): Error {
  return new Error(
    `more than ${most} microsteps in ${place}: a circle of always or of raised events`,
  );
}

function createDoneEvent(
  { context, event }: MacrostepRun,
  { id, output }: { readonly id: string; readonly output: unknown },
): EventObject & { readonly output: unknown } {
  const args = { context, event, self: EXTERNAL_RECIPIENT };
  return {
    type: `xstate.done.state.${id}`,
    output: typeof output === 'function' ? Reflect.apply(output, undefined, [args]) : output,
  };
}

function createContext({ config }: AnyStateMachine, event: { readonly input: unknown }): unknown {
  const { context } = config;
  if (typeof context !== 'function') return context ?? {};
  const refuse = () => {
    throw new Uncompilable('spawn in the first context', '(root)');
  };
  return Reflect.apply(context, undefined, [
    { input: event.input, spawn: refuse, self: EXTERNAL_RECIPIENT },
  ]);
}
