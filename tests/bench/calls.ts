/**
 * Function calls, counted exactly: by the engine itself, in whatever state of compilation they are. The same work has the
 * same count in any process on any machine, so a count says what a time on a busy machine can't.
 *
 * Counting keeps the engine from compiling as it would, so nothing is timed meanwhile, and where the tests' own coverage is
 * taken in the same thread the two are in each other's way.
 */
import { Session } from 'node:inspector/promises';

export type CalledFunction = {
  /** The module that it stands in. */
  readonly url: string;
  readonly calls: number;
};

/** The functions that some work calls, with how often each is called. */
export async function countCalls(work: () => Promise<unknown>): Promise<readonly CalledFunction[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // What was counted before is forgotten with this.
  await session.post('Profiler.takePreciseCoverage');
  try {
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.flatMap(({ url, functions }) =>
      functions.map(({ ranges }) => ({ url, calls: ranges[0]?.count ?? 0 })),
    );
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

/** How often functions are called whose module has this in its path. */
export function callsIn(called: readonly CalledFunction[], piece: string): number {
  return called.reduce((sum, { url, calls }) => sum + (url.includes(piece) ? calls : 0), 0);
}
