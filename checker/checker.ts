/**
 * The door of the package: everything that checks a model and reads what was found. Nothing here starts a thread, so a
 * page may import it; `glass-box-checker/workers` does.
 */
export { type Bisimulation, type BisimulationOptions, checkBisimulation } from './bisimulation.ts';
export { type MachineEdge, readChart } from './chart.ts';
export {
  type CheckOptions,
  type CheckResult,
  check,
  chooseStepper,
  concludeCheck,
  type GraphRun,
  MOST_GRAPH_STATES,
  prepareSearch,
  type StateGraph,
} from './check.ts';
export type { CoverageReport } from './coverage.ts';
export { type EnabledEvent, encodeEvent, tryEvents } from './enabledEvents.ts';
export {
  type Exploration,
  explore,
  listEvents,
  type SearchObserver,
  type SearchProgress,
} from './explore.ts';
export { type Codec, Unhashable } from './identity.ts';
export {
  checkInterference,
  type Interference,
  type PairStep,
  type SelfComposition,
} from './interference.ts';
export {
  type Fairness,
  isAsDeclared,
  type MachineStep,
  type Model,
  type Property,
  type PropertyResult,
  type PropertyVerdict,
  type SearchBudget,
  type State,
  type Symmetry,
  stateOf,
  type Trace,
} from './model.ts';
export { createMutants, type MachineMutant } from './mutants.ts';
export { renderReport } from './report.ts';
export type { MachineEffect, MachinePoint, MachineStepper, Transition } from './stepper.ts';
export { createXstateStepper } from './xstateStepper.ts';
