/** Matches for tests: ready to start, with minds that are watched and recorders that keep their lines. */
import { type RecordedLine, Recorder } from '../../actors/engine/journal/recorder.ts';
import { createMatch, type ReadyFor, type ReadyGame } from '../../actors/engine/match.ts';
import type { ModelMinds } from '../../actors/minds/kinds.ts';
import type { LightMind, Mind, MindRequest } from '../../actors/minds/port.ts';
import type { Match } from '../../machines/setup/match.ts';

/** The match, ready to start. Throws its problems. */
export function readyMatch<M extends Match>(
  match: M,
  seed: number,
  models: ModelMinds | null = null,
): ReadyFor<M> {
  const creation = createMatch(match, seed, models);
  if (creation.ok) return creation.ready;
  throw new Error(creation.refusals.map(({ text }) => text).join('\n'));
}

/** A recorder that has written the headers of a match, and all lines that it has written. */
export function recordLines(
  { headers }: Pick<ReadyGame, 'headers'>,
  onLine: (line: RecordedLine) => void = () => {},
) {
  const written: RecordedLine[] = [];
  const recorder = new Recorder({
    onLine: (line) => {
      written.push(line);
      onLine(line);
    },
  });
  recorder.write('living', [headers.living]);
  recorder.write('ghosts', [headers.ghosts]);
  return { recorder, written };
}

/** The same mind. `hear` gets each request before it is answered. */
export function overhear(mind: Mind, hear: (request: MindRequest) => void): LightMind {
  if (mind.pace === 'in-time') throw new Error('expected a mind that answers at once');
  return {
    pace: 'at-once',
    answer: (request) => {
      hear(request);
      return mind.answer(request);
    },
  };
}
