/** The public API of the package. It imports nothing from Node, so a web page can use it. */
export { type Bisimulation, type BisimulationOptions, checkBisimulation } from './bisimulation.ts';
export { type MachineEdge, readChart } from './chart.ts';
export {
  type CheckOptions,
  type CheckResult,
  chooseStepper,
  type GraphRun,
  type StateGraph,
} from './check.ts';
export * from './claims.ts';
export { compileStepper } from './compile.ts';
export type { CoverageReport } from './coverage.ts';
export { type CoveringPath, coveringPaths } from './coveringPaths.ts';
export type { PartCounts } from './draftSearch.ts';
export {
  type Exploration,
  explore,
  listEvents,
  type SearchObserver,
  type SearchProgress,
} from './explore.ts';
export * from './explorerRun.ts';
export { type ReplayedRun, writeVitest } from './formats.ts';
export { Unhashable } from './identity.ts';
export * from './interference.ts';
export { check, checkInTurns, type MachineCheck, type MachineQuestion } from './machine.ts';
export {
  type EventDraft,
  type EventEnds,
  type FactoredEvent,
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
export * from './observe.ts';
export type { ChildOutcomes, Outcomes } from './outcomes.ts';
export { PairTable } from './pairTable.ts';
export type { Codec } from './parts.ts';
export { describeProgress, SearchEstimate } from './progress.ts';
export type { PurityWatch } from './purity.ts';
export { describeVerdict, renderReport, renderTrace } from './report.ts';
export type { MachineEffect, MachinePoint, MachineStepper, Transition } from './stepper.ts';
export type { ContextChange, TraceStep } from './steps.ts';
export { cutValue } from './values.ts';
export * from './walk.ts';
export { createXstateStepper } from './xstateStepper.ts';
