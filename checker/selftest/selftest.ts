/** The door of the self-test: the checker tried on what is known, and the means to try it on a model of one's own. */
export { type ActorWalk, compareActors, compareActorsOnRandomChart } from './actors.ts';
export {
  checkQuotient,
  compareEngines,
  compareOnRandomChart,
  findAsymmetry,
  isAlike,
} from './agreement.ts';
export { SeededRandom } from './randomChart.ts';
export { compareWithExpected, TRIALS, type Trial, type TrialOutcome } from './trials.ts';
