/** A match, started: minds in its seats, its actors wired together, time that passes, and how it ended. */
import { createActor } from 'xstate';
import { recallGame } from '../../machines/charts/player.ts';
import { fillMatch } from '../../machines/journal/opening.ts';
import { MEETING, playerId, type ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { GameEnding } from '../../machines/rules/ship/world.ts';
import { isMeeting, type Match, type MeetingMatch } from '../../machines/setup/match.ts';
import {
  closeMatch,
  type PreparedGame,
  type PreparedMeeting,
  prepare,
} from '../../machines/setup/prepare.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Note,
  type Outcome,
  SYSTEM,
} from '../../machines/types.ts';
import { FORMAT, VERSIONS } from '../../machines/versions.ts';
import type { ReflectionView } from '../../prompts/reflection.ts';
import { createMind, type ModelMinds, readAnswerTimes } from '../minds/kinds.ts';
import type { Mind } from '../minds/port.ts';
import type { Clock } from '../ports/ports.ts';
import type { BeliefSettings } from './beliefs.ts';
import { runToEnd, SimulatedClock, waitOut } from './clock.ts';
import { type ChartEngine, machinesFor } from './effects.ts';
import type { JournalHeaders, Recorder } from './journal/recorder.ts';
import { goOn, type KeptRun, keepRun, restoreRun } from './keptRun.ts';
import { type GatheredAnswers, RunContext, type RunOptions, send } from './runContext.ts';

type Ready = {
  readonly minds: BySeat<Mind>;
  /** Turns of ghost talk in each meeting; null when the dead do not watch. */
  readonly ghostBudget: number | null;
  readonly headers: JournalHeaders;
};
export type ReadyMeeting = PreparedMeeting & Ready;
export type ReadyGame = PreparedGame & Ready;

type Creation<R = ReadyMeeting | ReadyGame> =
  | { readonly ok: true; readonly ready: R }
  | { readonly ok: false; readonly refusals: readonly Note[] };

export type ReadyFor<M extends Match> = M extends MeetingMatch ? ReadyMeeting : ReadyGame;

export function createMatch<M extends Match>(
  match: M,
  seed: number,
  models?: ModelMinds | null,
  rulesVersion?: number,
): Creation<ReadyFor<M>>;
export function createMatch(
  match: Match,
  seed: number,
  models: ModelMinds | null = null,
  rulesVersion: number = VERSIONS.rules,
): Creation {
  const preparation = prepare(match, seed, rulesVersion);
  if (!preparation.ok) return preparation;
  const { prepared } = preparation;
  const times = readAnswerTimes(fillMatch({ match: prepared.match, rulesVersion }));
  const settings = { seed, faultRate: match.fault_rate, models, times };
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const [index, seat] of prepared.match.seats.entries())
    minds[seat.colour] = createMind(seat, index, settings);
  const { present, budget } = ghostTurns(match);
  const ready = { minds, ghostBudget: present ? budget : null };
  if (prepared.type === 'game') {
    const headers = writeHeaders(prepared.match, seed, rulesVersion, {});
    return { ok: true, ready: { ...prepared, ...ready, headers } };
  }
  // The ghosts' header describes the dead as written.
  const written = isMeeting(match) ? match : prepared.match;
  const headers = meetingHeaders(written, seed, rulesVersion);
  return { ok: true, ready: { ...prepared, ...ready, headers } };
}

const DEFAULT_GHOST_TURNS = 30;

function ghostTurns({ ghosts }: Pick<Match, 'ghosts'>) {
  return ghosts ?? { present: true, budget: DEFAULT_GHOST_TURNS };
}

/** Details of ghosts are in their own channel, so the channel of the living is the same with or without them. */
export function meetingHeaders(
  written: MeetingMatch,
  seed: number,
  rulesVersion: number = VERSIONS.rules,
): Ready['headers'] {
  const match = closeMatch(written, rulesVersion);
  const dead = written.seats.filter((seat) => seat.dead);
  const minds = dead.map(({ colour, mind, persona = null, saw, notes }) => [
    colour,
    { mind, persona, saw, notes },
  ]);
  const seats = match.seats.map((seat) =>
    seat.dead ? { colour: seat.colour, role: seat.role, dead: true } : seat,
  );
  return writeHeaders({ ...match, seats }, seed, rulesVersion, Object.fromEntries(minds));
}

function writeHeaders(
  { ghosts, ...match }: Pick<Match, 'ghosts' | 'name'> & { readonly seats: readonly object[] },
  seed: number,
  rulesVersion: number,
  minds: object,
): Ready['headers'] {
  return {
    living: { type: 'match.opened', format: FORMAT, rulesVersion, seed, match },
    ghosts: { type: 'gallery.opened', ...ghostTurns({ ghosts }), minds },
  };
}

type RunSettings = {
  readonly clock: Clock;
  /** Null when no journal is kept: facts are then not encoded at all. */
  readonly recorder: Recorder | null;
  /** Sees the facts of the living when they are written and sent on; replay steers by it. */
  readonly onFacts?: (facts: readonly (Fact | GameFact)[]) => void;
  readonly beliefs?: BeliefSettings | null;
  /** The engine that steps the charts; the clock decides unless it is set. No recorded line depends on it. */
  readonly engine?: ChartEngine;
  /** Goes on from there instead of from the beginning. */
  readonly from?: KeptRun | undefined;
  /** Sees the answers of each tick and round; all is at rest if the clock takes a turn each time. */
  readonly onGathered?: (gathered: GatheredAnswers) => void;
};
type Playable = 'type' | 'players' | 'minds' | 'ghostBudget';
export type MeetingStart = Pick<ReadyMeeting, Playable | 'setting'> & RunSettings;
export type GameStart = Pick<ReadyGame, Playable | 'ship' | 'seed'> & RunSettings;

export type MeetingResult = {
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  readonly ticks: number;
  /** Players alive at the call who never spoke: a vote may close before all have (ruling 8). */
  readonly unheard: readonly Colour[];
};

export type GameFinish = GameEnding & { readonly rounds: number; readonly meetings: number };

export type RunningMatch<R = MeetingResult | GameFinish> = {
  readonly result: Promise<R>;
  /** Interrupts it: in a round at once, in a meeting after the tick that is open, which waits for no mind any longer. */
  stop(): void;
  /** Interrupts it as a record says: minds that have answered in the open tick will do so. */
  stopAsRecorded(): void;
  /** Ends it by its rules, as a limit does: the meeting as unconverged, the game as unfinished. */
  end(): void;
  /** Breaks it off where it is: nothing more is recorded, and it can be continued from its journal. */
  pause(): void;
  keep(gathered: GatheredAnswers): KeptRun;
  leave?(seat: Colour): void;
  /** The view of a player of a game that is over. */
  lookBack?(seat: Colour): Omit<ReflectionView, 'ending'>;
};
export type RunningMeeting = RunningMatch<MeetingResult> & Required<Pick<RunningMatch, 'leave'>>;

export function startMatch(start: MeetingStart): RunningMeeting;
export function startMatch(start: GameStart): RunningMatch<GameFinish>;
export function startMatch(start: MeetingStart | GameStart): RunningMatch;
export function startMatch(start: MeetingStart | GameStart): RunningMatch {
  return start.type === 'meeting' ? startMeeting(start) : startGame(start);
}

/** In simulated time the charts dominate the running time. Where people or models are waited for, they don't. */
function chooseEngine({ clock }: MeetingStart | GameStart): ChartEngine {
  return clock instanceof SimulatedClock ? 'compiled' : 'xstate';
}

function startMeeting(start: MeetingStart): RunningMeeting {
  const { setting, players, ghostBudget, clock, onFacts, from } = start;
  const { engine = chooseEngine(start) } = start;
  const { meetingSession } = machinesFor(engine);
  const input = { setting, ghostBudget, players };
  const root =
    from === undefined
      ? createActor(meetingSession, { clock, input })
      : restoreRun(meetingSession, clock, from);
  const unheard = new Set(COLOURS.filter((colour) => setting.standings[colour] === 'living'));
  let ticks = 0;
  const noteTalk = (facts: readonly Fact[]) => {
    for (const fact of facts) {
      if (fact.type !== 'tick.closed' || fact.decision === null) continue;
      ticks += 1;
      const { said } = fact.decision;
      // A visible silence is no speech.
      if (said !== null && said.speaker !== SYSTEM && said.message !== '')
        unheard.delete(said.speaker);
    }
    onFacts?.(facts);
  };
  const watch = { round: () => null, onMeetingFacts: noteTalk, onGameFacts: null };
  const { run, ...played } = playOut(root, start, watch, (): MeetingResult => {
    const { outcome, ejected } = root.getSnapshot().output ?? NO_MEETING;
    return { outcome, ejected, ticks, unheard: [...unheard] };
  });
  const toMeeting = (message: ToMeeting) => {
    if (root.getSnapshot().matches('meeting')) send(root.system, [{ to: MEETING, message }]);
  };
  const interrupt = () => toMeeting({ type: 'meeting.stopped', outcome: 'interrupted' });
  return {
    ...played,
    stop: () => {
      interrupt();
      run.hurry();
    },
    stopAsRecorded: interrupt,
    end: () => toMeeting({ type: 'meeting.stopped', outcome: 'unconverged' }),
    leave: (seat) => toMeeting({ type: 'seat.left', seat }),
  };
}

function playOut<R>(
  root: Parameters<typeof runToEnd>[0],
  start: MeetingStart | GameStart,
  watch: Pick<RunOptions, 'round' | 'onMeetingFacts' | 'onGameFacts'>,
  readResult: () => R,
): Pick<RunningMatch<R>, 'result' | 'pause' | 'keep'> & { readonly run: RunContext } {
  const { clock, players, minds, recorder, ghostBudget, onGathered, from } = start;
  const { beliefs = null } = start;
  const inquiry = beliefs && new beliefs.Inquiry(beliefs, recorder, from?.inquiry);
  const run = new RunContext(root.system, {
    ...{ ...watch, clock, minds, recorder, onGathered, beliefs: inquiry },
    ghostsWatch: ghostBudget !== null,
    announcer: from?.announcer,
  });
  const areQuick = players.every(({ colour }) => minds[colour]?.pace === 'at-once');
  const onStart = from === undefined ? undefined : () => goOn(root, from);
  const rootRun = runToEnd(root, clock, { isQuick: areQuick, onStart });
  const result = rootRun.over
    .then(() => (inquiry === null ? undefined : waitOut(inquiry.settle(), clock)))
    .then(readResult)
    .finally(() => run.dismissMinds());
  const pause = () => {
    inquiry?.drop();
    rootRun.stop();
  };
  const keep = (gathered: GatheredAnswers) => {
    const copy = beliefs && inquiry && new beliefs.Inquiry(beliefs, null, inquiry);
    return keepRun(root, run.announcer, copy, gathered);
  };
  return { run, result, pause, keep };
}

const NO_MEETING = { outcome: 'interrupted', ejected: null } as const;
const NO_GAME = { winner: null, reason: 'interrupted' } as const;

function startGame(start: GameStart): RunningMatch<GameFinish> {
  const { seed, ship, players, ghostBudget, clock, onFacts = null, from } = start;
  const { engine = chooseEngine(start) } = start;
  const { game } = machinesFor(engine);
  const input = { seed, ship, players, ghostBudget };
  const root =
    from === undefined ? createActor(game, { clock, input }) : restoreRun(game, clock, from);
  const round = () => root.getSnapshot().context.round;
  const watch = { round, onMeetingFacts: onFacts, onGameFacts: onFacts };
  const { run, ...played } = playOut(root, start, watch, (): GameFinish => {
    const { output, context } = root.getSnapshot();
    return { ...(output ?? NO_GAME), rounds: context.round, meetings: context.meetings };
  });
  let isStopped = false;
  const stopped = (reason: 'interrupted' | 'unfinished') => {
    // The first one holds: a meeting would write down each.
    if (isStopped || root.getSnapshot().status !== 'active') return;
    isStopped = true;
    root.send({ type: 'game.stopped', reason });
  };
  return {
    ...played,
    lookBack: (seat) => {
      const { context, children } = root.getSnapshot();
      const { world, record, round } = context;
      const seats = ship.seats.map((one) => {
        return { ...one, standing: world.standings[one.colour] ?? 'departed' };
      });
      const own = children[playerId(seat)]?.getSnapshot().context;
      if (own === undefined || !('past' in own)) throw new Error(`${seat} has no seat`);
      const isGhost = world.standings[seat] === 'dead';
      return {
        you: { ...own, past: recallGame(own, round, run.announcer.unreadOf(seat)), isGhost },
        record,
        seats,
      };
    },
    stop: () => {
      stopped('interrupted');
      run.hurry();
    },
    stopAsRecorded: () => stopped('interrupted'),
    end: () => stopped('unfinished'),
  };
}
