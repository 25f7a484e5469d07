/** Staging: puts the game of an assignment on, from its beginning or from where an earlier attempt has left it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Line } from '../../machines/journal/lines.ts';
import { type Clock, realClock, SimulatedClock } from '../engine/clock.ts';
import { readJournal } from '../engine/journal/reader.ts';
import { type RecordedLine, Recorder } from '../engine/journal/recorder.ts';
import { type GameFinish, type ReadyGame, startMatch } from '../engine/match.ts';
import { startReplay } from '../replay/replay.ts';
import type { Tape, Thinkers } from './thinkers.ts';

/** A game that has come to an end of some kind. */
export type Staged = {
  readonly score: GameFinish;
  readonly lines: readonly Line[];
  readonly text: string;
};

export async function staged(
  crew: ReadyGame,
  thinkers: Thinkers | null,
  tape: Tape | null,
): Promise<Staged> {
  const isSlow = Object.values(crew.minds).some(({ pace }) => pace === 'in-time');
  const clock = isSlow ? realClock : new SimulatedClock();
  const past = tape === null || tape.past === '' ? null : await goneOn(tape, thinkers, clock);
  if (past !== null) return past;
  tape?.begin();
  const written: RecordedLine[] = [];
  const started = performance.now();
  const recorder = new Recorder({
    // Where nothing takes time, a time would only make two runs differ.
    stamp: isSlow ? () => ({ ms: Math.round(performance.now() - started) }) : null,
    onLine: (line) => {
      written.push(line);
      tape?.write(`${line.text}\n`);
    },
  });
  recorder.write('living', [crew.headers.living]);
  recorder.write('ghosts', [crew.headers.ghosts]);
  const game = startMatch({ ...crew, clock, recorder });
  thinkers?.attach(game, recorder);
  return whole(await game.result, written);
}

/** Goes on with what is on the tape, asking nobody twice; null when that is no record of this very game. */
async function goneOn(tape: Tape, thinkers: Thinkers | null, clock: Clock): Promise<Staged | null> {
  const journal = readJournal(tape.past);
  const isTornOnly = journal.damages.every(({ code }) => code === 'journal/torn');
  if (!isTornOnly || journal.lines[0]?.type !== 'game.opened') return null;
  const texts = tape.past.split('\n');
  const past = journal.lines.map((line, index) => ({ line, text: texts[index] ?? '' }));
  const behind: RecordedLine[] = [];
  const again = startReplay(journal, {
    clock,
    sleep: (ms) => (clock instanceof SimulatedClock ? clock.sleep(ms) : wait(ms)),
    models: thinkers?.minds ?? null,
    successors: (minds) => minds,
    beatMs: 0,
    onLine: (line, isNew) => {
      if (!isNew) return;
      behind.push(line);
      tape.write(`${line.text}\n`);
    },
  });
  if (again.type === 'unplayable') return null;
  thinkers?.attach(again, again.recorder);
  const score = await again.result;
  if (again.verdict().type === 'different' || !('rounds' in score)) return null;
  return whole(score, [...past, ...behind]);
}

function whole(score: GameFinish, written: readonly Pick<RecordedLine, 'line' | 'text'>[]): Staged {
  return {
    score,
    lines: written.map(({ line }) => line),
    text: written.map(({ text }) => `${text}\n`).join(''),
  };
}
