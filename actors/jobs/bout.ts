/**
 * A bout: one game of a run, from the lobby to its journal.
 *
 * It is a value of the plan and its number, whoever plays it and whatever else is played meanwhile. Whatever breaks
 * is told as a lost game and never thrown.
 */
import { SimulatedClock } from '../clock.ts';
import { type Manned, manned } from '../crewing.ts';
import { Recorder } from '../journal/recorder.ts';
import { BatchSink } from '../journal/sink.ts';
import { type Played, play } from '../play.ts';
import { journalName, type LostGame, type Outcome, type Plan } from './plan.ts';
import { gameSeed } from './seeds.ts';

export type Bout = {
  readonly outcome: Promise<Outcome>;
  /** Ends the game as soon as its rules allow it. */
  stop(): void;
};

/** Plays a game of the plan. */
export function bout(plan: Plan, game: number): Bout {
  const seed = gameSeed(plan.seed, game);
  let played: Played | null = null;
  let isStopped = false;
  const lost = (why: LostGame['why'], text: string): LostGame => {
    return { type: 'lost', game, seed, why, text };
  };
  const outcome = async (): Promise<Outcome> => {
    const { folder } = plan;
    const journal = folder === null ? null : `${folder}/${journalName(game, plan.games)}`;
    const sink = journal === null ? null : new BatchSink(journal);
    try {
      const crew = crewFor(plan, seed);
      const recorder = sink === null ? null : new Recorder({ sink });
      recorder?.write('living', [crew.headers.living]);
      recorder?.write('ghosts', [crew.headers.ghosts]);
      played = play({ ...crew, clock: new SimulatedClock(), recorder });
      if (isStopped) played.stop();
      const score = await played.result;
      sink?.close();
      if (sink !== null && sink.failure !== null) return lost('cannot-write', sink.failure);
      const impostors = crew.players
        .filter(({ role }) => role === 'impostor')
        .map(({ colour }) => colour);
      return { type: 'played', game, seed, ...score, impostors, journal };
    } catch (error) {
      sink?.close();
      return lost('broken', error instanceof Error ? (error.stack ?? error.message) : `${error}`);
    }
  };
  return {
    outcome: outcome(),
    stop: () => {
      isStopped = true;
      played?.stop();
    },
  };
}

/** The lobby was looked at before the run began. */
function crewFor({ lobby }: Plan, seed: number): Manned {
  const manning = manned(lobby, seed);
  if (manning.ok) return manning.manned;
  throw new Error(manning.refusals.map(({ code, text }) => `${code}: ${text}`).join('; '));
}
