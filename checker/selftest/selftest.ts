/** The door of the self-test: the checker tried on what is known, and the means to try it on a model of one's own. */
export { isAlike, partings, strayed } from './agreement.ts';
export { Chance } from './chance.ts';
export { leak } from './equivariance.ts';
export { quotient } from './quotient.ts';
export { expecting, type Outcome, type Trial } from './trial.ts';
export { TRIALS } from './trials.ts';
