/** The process port of a tab. A browser does not report its memory use. */
import type { ProcessPort } from '../../../actors/ports/ports.ts';

export const realProcess: Pick<ProcessPort, 'memory' | 'peakMemory'> = {
  memory: () => 0,
  peakMemory: () => 0,
};
