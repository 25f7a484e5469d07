/** The door of the self-test: the checker tried on what is known, and the means to try it on a model of one's own. */
export { compareEngines, compareOnRandomChart, isAlike } from './agreement.ts';
export { SeededRandom } from './chance.ts';
export { findAsymmetry } from './equivariance.ts';
export { checkQuotient } from './quotient.ts';
export { compareWithExpected, type Trial, type TrialOutcome } from './trial.ts';
export { TRIALS } from './trials.ts';
