/**
 * The Glass Box League as a library: play a match with minds of your own, follow it, replay it, resume it and fork it;
 * read journals through a lens; take the statecharts that run to draw, check or simulate them.
 *
 * Everything here keeps its shape from one patch version to the next; exports of `/unstable` do not.
 */

export {
  type Credit,
  type CreditOptions,
  type CreditReport,
  creditActs,
} from '../analysis/why/credit.ts';
export { arbiterMachine } from '../machines/charts/arbiter.ts';
export { galleryMachine } from '../machines/charts/gallery.ts';
export { gameMachine } from '../machines/charts/game.ts';
export { meetingMachine } from '../machines/charts/meeting.ts';
export { meetingSessionMachine } from '../machines/charts/meetingSession.ts';
export { playerMachine } from '../machines/charts/player.ts';
export {
  formatLens,
  type Lens,
  lensFor,
  parseLens,
  type SeenLine,
  type SeenOf,
} from '../machines/journal/lens.ts';
export {
  type Channel,
  type GhostLine,
  type Line,
  type LineOf,
  type LivingLine,
  lineSchema,
} from '../machines/journal/lines.ts';
export {
  emptyProjection,
  type GameProjection,
  type KnownPlayer,
  type MeetingState,
  next as applyLine,
  type Projection,
  project,
  type ShipState,
} from '../machines/journal/projection.ts';
export type { BySeat, Colour, Level, Note, Outcome, Role, RuleSet } from '../machines/types.ts';
export { COLOURS } from '../machines/types.ts';
export { FORMAT } from '../machines/versions.ts';
export {
  type Chart,
  type ChartEdge,
  type ChartNode,
  readChart,
} from '../visualizer/charts/chart.ts';
export { writeMermaid } from '../visualizer/charts/mermaid.ts';
export { type Damage, type Journal, readJournal } from './engine/journal/reader.ts';
export {
  type Environment,
  type EnvironmentOptions,
  type EnvironmentState,
  openEnvironment,
  type Step,
  StepRefused,
} from './environment.ts';
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
} from './library.ts';
export type {
  Choices,
  LightObservingMind as LightMind,
  Observation,
  ObservingMind as Mind,
  SlowObservingMind as SlowMind,
} from './minds/observation.ts';
export type { Answer, MindRequest } from './minds/port.ts';
