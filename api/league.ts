/**
 * The Glass Box League as a library: play a match with minds of your own, follow it, replay it, resume it and fork it.
 *
 * Everything here keeps its shape from one patch version to the next; what is under `/unstable` does not.
 */
export type { Answer, LightMind, Mind, MindRequest, SlowMind } from '../actors/minds/port.ts';
export type { BySeat, Colour, Level, Note, Outcome, Role, RuleSet } from '../machines/types.ts';
export { COLOURS } from '../machines/types.ts';
export {
  type BudgetLimits,
  type ContinuedMatch,
  type ForkOptions,
  forkMatch,
  type GameFinish,
  type MatchInput,
  type MatchOptions,
  MatchPaused,
  MatchRefused,
  type MatchResult,
  type MeetingResult,
  type ModelOptions,
  type Prices,
  type Replay,
  type ReplayMoment,
  type ResumeOptions,
  replayMatch,
  resumeMatch,
  type StartedMatch,
  startMatch,
} from './match.ts';
