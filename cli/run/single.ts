/** A single game on the command line: told as it happens where somebody watches, and kept in a journal. */
import { setTimeout as wait } from 'node:timers/promises';
import { realClock, SimulatedClock } from '../../actors/engine/clock.ts';
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import type { FileSink } from '../../actors/engine/journal/sink.ts';
import { type GameFinish, type ReadyGame, startMatch } from '../../actors/engine/match.ts';
import { journalName, type PlayedGame } from '../../actors/jobs/gameJob.ts';
import { type HumanSeats, NOBODY } from '../../actors/minds/human/seats.ts';
import type { Mind } from '../../actors/minds/port.ts';
import { delayActions } from '../../actors/minds/wrap.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import { type GameModels, pausedFailure } from '../gameModels.ts';
import { abandoned, createJournal, createJournalIn, type JournalFile } from '../journal-file.ts';
import { type LivePage, showLive } from '../live.ts';
import { createPrinter } from '../printer.ts';
import { listenForStop } from '../stop.ts';
import type { Asked } from './flags.ts';
import { namedRunFolder } from './folder.ts';

export type Telling = {
  /** Told as it happens, at the pace of its meetings. */
  readonly isTold: boolean;
  readonly thinking: GameModels;
  /** Its number among those of the run, from 1. */
  readonly game?: number;
  /** Where it is on air, too. */
  readonly host?: LivePage | null;
  /** The people who play in it. */
  readonly company?: HumanSeats;
};

/** Plays a game, and keeps its journal. */
export async function single(
  crew: ReadyGame,
  flags: Asked,
  { isTold, thinking, game = 1, host = null, company = NOBODY }: Telling,
): Promise<PlayedGame> {
  const file = fileFor(flags, game);
  const minds = host === null ? crew.minds : host.startGame(file.path, crew.minds);
  if (host !== null) thinking.onTrouble = (seat, code) => host.reportFailure(seat, code);
  const show = showLive(isTold ? createPrinter({ lens: flags.lens }) : null, host);
  const score = await played({ ...crew, minds }, file.sink, show, { thinking, company });
  if (file.sink.failure !== null) throw abandoned(file);
  if (thinking.paused !== null) throw pausedFailure(thinking.paused, file.path);
  const impostors = crew.players.filter(({ role }) => role === 'impostor');
  return {
    type: 'played',
    game,
    seed: crew.seed,
    ...score,
    impostors: impostors.map(({ colour }) => colour),
    journal: file.path,
  };
}

function fileFor({ out, folder, seed, games }: Asked, game: number): JournalFile {
  if (out === undefined) return createJournalIn(folder, `game-${seed}`);
  return createJournal(`${namedRunFolder(out, games)}/${journalName(game, games)}`);
}

async function played(
  crew: ReadyGame,
  sink: FileSink,
  show: Show | null,
  { thinking, company }: { readonly thinking: GameModels; readonly company: HumanSeats },
): Promise<GameFinish> {
  const beat = crew.ship.meeting.beatMs;
  const isSlow = Object.values(crew.minds).some(({ pace }) => pace === 'in-time');
  const isReal = beat > 0 || isSlow;
  const words = 'The game ends after this round, or after this tick of a meeting';
  const isHeld = listenForStop({ sink, isReal, words });
  const started = performance.now();
  const pace = new Pace(beat);
  const told = <T>(tell: () => T) => company.above(() => thinking.costLine.above(tell));
  const recorder = new Recorder({
    sink,
    // What was paid for must survive a power cut.
    syncEveryStep: isSlow,
    stamp: isReal ? () => ({ ms: Math.round(performance.now() - started) }) : null,
    onLine: show === null ? null : ({ line }) => pace.told(told(() => show(line))),
  });
  recorder.write('living', [crew.headers.living]);
  recorder.write('ghosts', [crew.headers.ghosts]);
  company.begin();
  const game = startMatch({
    ...crew,
    minds: beat > 0 ? unhurriedMinds(crew.minds, pace, company) : crew.minds,
    clock: isReal ? realClock : new SimulatedClock(),
    recorder,
  });
  thinking.attach({ pause: () => game.pause(), end: () => game.end() }, recorder);
  isHeld(company.with(game));
  try {
    return await game.result;
  } finally {
    company.close();
    thinking.costLine.end();
    sink.close();
  }
}

type Show = NonNullable<ReturnType<typeof showLive>>;

/** How long players wait on the ship, so that people can read what was told last. */
class Pace {
  readonly #beat: number;
  #until = 0;

  /** `beat` in milliseconds. */
  constructor(beat: number) {
    this.#beat = beat;
  }

  told(isSeen: boolean): void {
    if (isSeen) this.#until = performance.now() + this.#beat;
  }

  /** A game that is stopped is not kept waiting. */
  async rest(): Promise<void> {
    await wait(Math.max(0, this.#until - performance.now()), undefined, { ref: false });
  }
}

/** People read at their own pace. */
function unhurriedMinds(minds: BySeat<Mind>, pace: Pace, { seats }: HumanSeats): BySeat<Mind> {
  const slow: Partial<Record<Colour, Mind>> = {};
  for (const colour of COLOURS) {
    const mind = minds[colour];
    if (mind === undefined) continue;
    slow[colour] = seats.includes(colour) ? mind : delayActions(mind, () => pace.rest());
  }
  return slow;
}
