/** What little of a process a tab is: a browser does not say how much memory it holds. */
import type { ProcessPort } from '../../../actors/ports/ports.ts';

export const realProcess: Pick<ProcessPort, 'memory' | 'peakMemory'> = {
  memory: () => 0,
  peakMemory: () => 0,
};
