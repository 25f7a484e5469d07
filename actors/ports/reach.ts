/**
 * Landmarks: places in the code that are reached only when something goes wrong. Storm tests must reach each of them
 * (`tests/storm/README.md`). Outside a storm they do nothing.
 */
export const LANDMARKS = {
  'lead-waited': 'a run waits, since another one leads the league',
  'lead-from-gone': 'a run takes the lead from a process of its machine that is no more',
  'lead-lost': 'a run learns from its renewal that another one leads',
  'lead-unrenewed': 'the store does not answer to the renewal of a lead',
  'lead-changed': 'a run that has lost the lead ends what it leads and waits again',
  'lessons-fenced': 'a run without the lead is refused when it teaches',
  'lessons-stale': 'a memory was changed between two steps of teaching',
  'barrier-passed': 'a memory has passed a barrier already: an earlier run taught it',
  'memory-rolled-back': 'a server has forgotten a memory, which is taught again',
  'barrier-again': 'a server has forgotten a memory while the next one was taught',
  'plan-forgotten': 'a server has forgotten the plan of the league that is on',
  'result-forgotten': 'a server has forgotten a result of the round that is on',
  'result-recovered': 'a game whose result a server has forgotten is recorded from its journal',
  'folder-taken': 'a run finds another one in its folder',
  'game-over-before': 'a worker is given a game that has a result',
  'game-paused': 'a worker gives a game back that was paused',
  'piece-refused':
    'a piece of a journal is refused: the game was claimed, or the journal is another one',
  'piece-failed': 'the store throws at a piece of a journal',
  'result-late': 'the result of a worker comes after that of another one',
  'result-not-mine': 'a run records a result that is there already',
  'game-again': 'a game is begun once more after it was lost',
  'job-final': 'a job is given up at once, as its game was paused',
  'job-lost': 'a run takes note of a game that its queue has given up',
  'jobs-put-again': 'a run puts games into the queue that may be there',
  'queue-left': 'a run leaves the queue, since another one leads',
  'queue-withdrawn': 'a run that is stopped takes its games out of the queue',
  'journal-torn': 'an open journal ends in the middle of a line',
  'journal-unwritten': 'an open journal can not be written any more',
  'journal-there': 'a journal is in the folder already',
  'journal-fetched': 'a journal is fetched from the store',
  'part-removed': 'half of a file is removed that a run has left which is over',
  'game-continued': 'a game goes on from its open journal',
  'game-anew': 'an open journal is no record of its game, which begins anew',
  'headers-cut': 'a match was killed between its headers',
  'answer-recalled': 'an answer is taken from what was written ahead',
  'request-lost': 'a request was on its way when its process ended',
  'thread-lost': 'a thread has ended with a game',
  'epoch-refused': 'a door is shut by a higher epoch',
  'duplicate-refused': 'a result is refused that is there already',
  'budget-spent': 'a request is refused, since the budget is spent',
  'endpoint-down': 'a game pauses, since its endpoint is down',
} as const;

export type Landmark = keyof typeof LANDMARKS;

let listener: ((landmark: Landmark) => void) | null = null;

export function reach(landmark: Landmark): void {
  listener?.(landmark);
}

/** Calls `hear` at each landmark from now on; null ends it. */
export function listenForLandmarks(hear: ((landmark: Landmark) => void) | null): void {
  listener = hear;
}
