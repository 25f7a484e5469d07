/**
 * The door of the package: everything that asks a model and reads what was found. Nothing here starts a thread, so a
 * page may import it; `glass-box-checker/workers` does.
 */
export { type Bisimulation, type BisimulationOptions, bisimulation } from './bisimulation.ts';
export type { Budget } from './budget.ts';
export { chartOf, type Edge } from './chart.ts';
export {
  asked,
  type Checked,
  type CheckOptions,
  check,
  concluded,
  stepperFor,
} from './check.ts';
export type { CoverageReport } from './coverage.ts';
export { xstateStepper } from './engine.ts';
export type { Exploration, Observer, Progress } from './exploration.ts';
export { eventsAt, explore } from './explore.ts';
export { type Bar, type Duet, type Interference, interference } from './interference.ts';
export {
  type Fairness,
  type Model,
  type Move,
  type Promised,
  type State,
  type Symmetry,
  stateOf,
} from './model.ts';
export { type Mutant, mutantsOf } from './mutants.ts';
export { type Offer, offersAt, textOf } from './offers.ts';
export { reported } from './report.ts';
export type { Effect, Leap, Point, Stepper } from './step.ts';
export { MOST_DRAWN, type Survey, type Surveyed } from './survey.ts';
export { type Codec, Unidentifiable } from './unidentifiable.ts';
export { isAsDeclared, type Judged, type Trace, type Verdict } from './verdict.ts';
