/** The parts of a storm that all others use. */
import type { Chance } from '../support/chance.ts';
import type { PlannedFaults } from './faults.ts';
import type { Promises } from './promises.ts';
import type { Timeline } from './timeline.ts';

export type Ground = {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly faults: PlannedFaults;
  readonly promises: Promises;
  readonly environment: Readonly<Record<string, string>>;
  /** One machine with the store in a file; otherwise many, which share a server. */
  readonly isLocal: boolean;
  /** The server is a real Redis. */
  readonly hasRedis: boolean;
};
