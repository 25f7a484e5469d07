/** Journals: read them, look through a lens, and follow what happened line by line. */
export { type Damage, type Journal, readJournal } from '../actors/engine/journal/reader.ts';
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
  FORMAT,
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
