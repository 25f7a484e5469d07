/**
 * The door of the package: everything that asks a model and reads what was found. Nothing here starts a thread, so a
 * page may import it; `glass-box-checker/workers` does.
 */
export { type Bisimulation, type BisimulationOptions, checkBisimulation } from './bisimulation.ts';
export type { SearchBudget } from './budget.ts';
export { type MachineEdge, readChart } from './chart.ts';
export {
  type CheckOptions,
  type CheckResult,
  check,
  chooseStepper,
  concludeCheck,
  prepareSearch,
} from './check.ts';
export type { CoverageReport } from './coverage.ts';
export { createXstateStepper } from './engine.ts';
export type { Exploration, SearchObserver, SearchProgress } from './exploration.ts';
export { explore, listEvents } from './explore.ts';
export {
  checkInterference,
  type Interference,
  type PairStep,
  type SelfComposition,
} from './interference.ts';
export {
  type Fairness,
  type MachineStep,
  type Model,
  type Property,
  type State,
  type Symmetry,
  stateOf,
} from './model.ts';
export { createMutants, type MachineMutant } from './mutants.ts';
export { type EnabledEvent, encodeEvent, tryEvents } from './offers.ts';
export { renderReport } from './report.ts';
export type { MachineEffect, MachinePoint, MachineStepper, Transition } from './step.ts';
export { type GraphRun, MOST_GRAPH_STATES, type StateGraph } from './survey.ts';
export { type Codec, Unhashable } from './unidentifiable.ts';
export { isAsDeclared, type PropertyResult, type PropertyVerdict, type Trace } from './verdict.ts';
