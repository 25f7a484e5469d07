/** Seating: which mind thinks for a seat, with the habits that it was given. */

import { type Actor, createActor } from 'xstate';
import type { GameInput } from '../../machines/charts/game.ts';
import type { PlayerInput } from '../../machines/charts/player.ts';
import type { LineBody } from '../../machines/journal/codec.ts';
import { FORMAT } from '../../machines/journal/lines.ts';
import { MEETING, type ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { MeetingChance, MeetingSetup } from '../../machines/rules/meeting.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { GameEnding } from '../../machines/rules/ship/world.ts';
import type { Lobby, LobbySeat, Scenario, ScenarioSeat } from '../../machines/setup/match.ts';
import { decodeMeetingOptions, encodeMeetingOptions } from '../../machines/setup/options.ts';
import {
  board,
  type Crew,
  inLobbyOrder,
  type Laid,
  lay,
  personaOf,
  type Seated,
} from '../../machines/setup/prepare.ts';
import {
  type BySeat,
  COLOURS,
  type Colour,
  type Note,
  type Outcome,
  SYSTEM,
} from '../../machines/types.ts';
import { faultyMind } from '../minds/faulty.ts';
import { holdingBack, leavingAt } from '../minds/habits.ts';
import type { Mind, SlowMind } from '../minds/port.ts';
import { createScriptedMind } from '../minds/scripted/mind.ts';
import { silentMind } from '../minds/silent.ts';
import { type Clock, runToEnd } from './clock.ts';
import { production } from './effects.ts';
import type { Recorder } from './journal/recorder.ts';
import { RunContext, send } from './runContext.ts';

export type AnySeat = LobbySeat & Partial<Pick<ScenarioSeat, 'leaves'>>;

/** Makes the mind of a seat for which a language model or a person thinks. `index` is its place in the lobby. */
export type ModelMinds = (seat: AnySeat, index: number) => Mind;

type MindSettings = {
  readonly seed: number;
  /** Share of the answers that go wrong, from 0 to 1. */
  readonly faultRate: number;
  /** Null where nobody outside is to be asked, as when a record is played again. */
  readonly models: ModelMinds | null;
};

export function createMind(
  seat: AnySeat,
  index: number,
  { seed, faultRate, models }: MindSettings,
): Mind {
  const bare = bareMind(seat, index, seed, models);
  const voting = seat.votes === 'after-nudge' ? holdingBack(bare) : bare;
  const staying = seat.leaves === undefined ? voting : leavingAt(voting, seat.leaves);
  // People make mistakes of their own.
  const isSound = faultRate === 0 || seat.mind === 'human';
  return isSound ? staying : faultyMind(staying, seed, seat.colour, faultRate);
}

function bareMind(seat: AnySeat, index: number, seed: number, models: ModelMinds | null): Mind {
  switch (seat.mind) {
    case 'silent':
      return silentMind;
    case 'openai':
    case 'human':
      return models === null ? unaskedMind : models(seat, index);
    case 'scripted':
      return createScriptedMind(
        seed,
        seat.colour,
        personaOf(seat, index).temperament,
        seat.learned,
      );
  }
}

/** A model or a person who is not asked: the answers are on a tape, or there are none. */
const unaskedMind: SlowMind = {
  pace: 'in-time',
  answer: () =>
    Promise.resolve({
      ok: false,
      code: 'endpoint/not-asked',
      text: 'no endpoint is asked in this run',
    }),
};

/* Casting: which mind thinks for which seat of a scenario, and what the journal says about it up front. */

/** A scenario with everything that it needs to be played. */
export type Cast = {
  readonly laid: Extract<Laid, { ok: true }>;
  readonly minds: BySeat<Mind>;
  /** Turns of ghost talk; null when the dead do not watch. */
  readonly ghostBudget: number | null;
  /** The first line of each channel. */
  readonly headers: { readonly living: LineBody; readonly ghosts: LineBody };
};

type Casting = { readonly ok: true; readonly cast: Cast } | Extract<Laid, { ok: false }>;

/** Casts a scenario, or says why it makes no sense. */
export function castOf(
  scenario: Scenario,
  chance: MeetingChance,
  models: ModelMinds | null = null,
): Casting {
  const laid = lay(scenario, chance);
  if (!laid.ok) return laid;
  const seats = inLobbyOrder(scenario.seats);
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const [index, seat] of seats.entries()) {
    minds[seat.colour] = createMind(seat, index, {
      seed: chance.seed,
      faultRate: scenario.fault_rate,
      models,
    });
  }
  const ghosts = ghostTurns(scenario);
  return {
    ok: true,
    cast: {
      laid,
      minds,
      ghostBudget: ghosts.present ? ghosts.budget : null,
      headers: meetingHeaders(scenario, chance),
    },
  };
}

/** Whether the dead watch, and for how many turns of talk in a meeting. */
function ghostTurns({ ghosts }: Pick<Scenario, 'ghosts'>) {
  return ghosts ?? { present: true, budget: DEFAULT_GHOST_TURNS };
}

/** A turn of talk for the ghosts at every tick of an ordinary meeting. */
const DEFAULT_GHOST_TURNS = 30;

/**
 * What the journal says first. Whatever concerns ghosts alone is in their own channel, so that the channel of the
 * living is the same whoever haunts it.
 */
export function meetingHeaders(
  scenario: Scenario,
  { seed, meeting }: MeetingChance,
): Cast['headers'] {
  const { ghosts: _ghosts, ...rest } = scenario;
  const ghosts = ghostTurns(scenario);
  const living = scenario.seats.filter(({ dead }) => !dead).length;
  const seats = inLobbyOrder(scenario.seats).map((seat, index) =>
    seat.dead ? remains(seat) : { ...seat, persona: personaOf(seat, index) },
  );
  const dead = scenario.seats.filter((seat) => seat.dead);
  return {
    living: {
      type: 'journal.opened',
      v: FORMAT,
      seed,
      meeting,
      scenario: {
        ...rest,
        options: encodeMeetingOptions(decodeMeetingOptions(scenario.options, living)),
        seats,
      },
    },
    ghosts: {
      type: 'gallery.opened',
      present: ghosts.present,
      budget: ghosts.budget,
      minds: Object.fromEntries(
        dead.map(({ colour, mind, persona = null, saw, notes }) => [
          colour,
          { mind, persona, saw, notes },
        ]),
      ),
    },
  };
}

/** What the living know of a dead seat. */
function remains({ colour, role }: ScenarioSeat): Partial<ScenarioSeat> {
  return { colour, role, dead: true };
}

/* Crewing: which mind thinks for which seat of a game, and what the journal says about it up front. */

/** A lobby with everything that it needs to be played. */
export type Manned = {
  readonly seed: number;
  readonly ship: Crew;
  readonly players: readonly Seated[];
  readonly minds: BySeat<Mind>;
  /** Turns of ghost talk in each meeting; null when the dead do not watch. */
  readonly ghostBudget: number | null;
  /** The lobby with nothing left open. */
  readonly lobby: Lobby;
  /** The first line of each channel. */
  readonly headers: { readonly living: LineBody; readonly ghosts: LineBody };
};

type Manning =
  | { readonly ok: true; readonly manned: Manned }
  | { readonly ok: false; readonly refusals: readonly Note[] };

/** Puts minds into the seats of a lobby, or says why it makes no sense. */
export function manned(written: Lobby, seed: number, models: ModelMinds | null = null): Manning {
  const boarding = board(written, { seed });
  if (!boarding.ok) return boarding;
  const { crew, players, lobby } = boarding;
  const minds: Partial<Record<Colour, Mind>> = {};
  for (const [index, seat] of lobby.seats.entries()) {
    minds[seat.colour] = createMind(seat, index, { seed, faultRate: lobby.fault_rate, models });
  }
  const ghosts = ghostTurns(lobby);
  return {
    ok: true,
    manned: {
      seed,
      ship: crew,
      players,
      minds,
      ghostBudget: ghosts.present ? ghosts.budget : null,
      lobby,
      headers: gameHeaders(lobby, seed, ghosts),
    },
  };
}

function gameHeaders(
  { ghosts: _ghosts, ...lobby }: Lobby,
  seed: number,
  { present, budget }: { readonly present: boolean; readonly budget: number },
): Manned['headers'] {
  return {
    living: { type: 'game.opened', v: FORMAT, seed, lobby },
    ghosts: { type: 'gallery.opened', present, budget, minds: {} },
  };
}

/*
 * Holding a meeting: wires the actors together, lets time pass, and says how it ended.
 *
 * With minds that answer at once and a simulated clock a meeting is over before the function returns to its caller;
 * with real time it goes at the pace of its minds.
 */

/** Everything that a meeting needs to be held. */
export type MeetingStart = {
  readonly setting: MeetingSetup;
  readonly players: readonly Omit<PlayerInput, 'light' | 'ghost'>[];
  readonly minds: BySeat<Mind>;
  /** Turns of ghost talk; null when the dead do not watch. */
  readonly ghostBudget: number | null;
  readonly clock: Clock;
  /** Null where nobody wants a journal: facts are not even put into lines. */
  readonly recorder: Recorder | null;
  /** Sees the facts of the living before anybody is told; replay steers by it. */
  readonly onFacts?: (facts: readonly Fact[]) => void;
};

export type MeetingResult = {
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** Ticks of talk. */
  readonly ticks: number;
  /** Who was alive when it was called and never spoke: a vote may close before all have (ruling 8). */
  readonly unheard: readonly Colour[];
};

/** A meeting that is being held. */
export type RunningMeeting = {
  /** Kept when the meeting and the gallery are over; never broken by a mind. */
  readonly result: Promise<MeetingResult>;
  /** Ends the meeting after the tick that is open. */
  stop(outcome?: 'interrupted' | 'unconverged'): void;
  /** Breaks it off where it is: nothing more is told, and it can be gone on with from its journal. */
  pause(): void;
  /** A player gets up and leaves. */
  leave(seat: Colour): void;
};

export function startMeeting(occasion: MeetingStart): RunningMeeting {
  const { setting, clock, recorder, onFacts } = occasion;
  const root = createActor(production.meetingSession, { clock, input: sessionInput(occasion) });
  let ticks = 0;
  const unheard = new Set(COLOURS.filter((colour) => setting.standings[colour] === 'living'));
  const run = new RunContext(root.system, {
    minds: occasion.minds,
    recorder,
    ghostsWatch: occasion.ghostBudget !== null,
    round: () => null,
    onMeetingFacts: (facts) => {
      for (const fact of facts) {
        if (fact.type !== 'tick.closed' || fact.decision === null) continue;
        ticks += 1;
        const { said } = fact.decision;
        // A visible silence is no speech.
        if (said !== null && said.speaker !== SYSTEM && said.message !== '')
          unheard.delete(said.speaker);
      }
      onFacts?.(facts);
    },
    onGameFacts: null,
  });
  const result = ended(root, clock, () => ({ ticks, unheard: [...unheard] })).finally(() =>
    run.dismissMinds(),
  );
  const toMeeting = (message: ToMeeting) => {
    if (root.getSnapshot().matches('meeting')) send(root.system, [{ to: MEETING, message }]);
  };
  return {
    result,
    stop: (outcome = 'interrupted') => toMeeting({ type: 'meeting.stopped', outcome }),
    pause: () => root.stop(),
    leave: (seat) => toMeeting({ type: 'seat.left', seat }),
  };
}

function sessionInput({ setting, players, minds, ghostBudget }: MeetingStart) {
  return {
    setting,
    ghostBudget,
    players: players.map((player) => ({
      ...player,
      light: minds[player.colour]?.pace === 'at-once',
      ghost: setting.standings[player.colour] === 'dead',
    })),
  };
}

type Root = Actor<typeof production.meetingSession>;

async function ended(
  root: Root,
  clock: Clock,
  talk: () => Pick<MeetingResult, 'ticks' | 'unheard'>,
): Promise<MeetingResult> {
  await runToEnd(root, clock);
  const { outcome, ejected } = root.getSnapshot().output ?? NOTHING;
  return { outcome, ejected, ...talk() };
}

const NOTHING = { outcome: 'interrupted', ejected: null } as const;

/*
 * Playing a game: wires its actors together, lets time pass, and says who has won.
 *
 * With minds that answer at once and a simulated clock a whole game is over before the function returns to its
 * caller; with real time it goes at the pace of its minds.
 */

/** Everything that a game needs to be played. */
type GameStart = Omit<GameInput, 'players'> & {
  readonly players: readonly Omit<GameInput['players'][number], 'light' | 'ghost'>[];
  readonly minds: BySeat<Mind>;
  readonly clock: Clock;
  /** Null where nobody wants a journal: facts are not even put into lines. */
  readonly recorder: Recorder | null;
  /** Sees the facts of the living before anybody is told; replay steers by it. */
  readonly onFacts?: (facts: readonly (Fact | GameFact)[]) => void;
};

export type GameFinish = GameEnding & {
  readonly rounds: number;
  readonly meetings: number;
};

/** A game that is being played. */
export type RunningGame = {
  /** Kept when the game is over; never broken by a mind. */
  readonly result: Promise<GameFinish>;
  /** Ends the game: in a round at once, in a meeting after the tick that is open. */
  stop(reason?: 'interrupted' | 'unfinished'): void;
  /** Breaks it off where it is: nothing more is told, and it can be gone on with from its journal. */
  pause(): void;
};

export function startGame(match: GameStart): RunningGame {
  const { seed, ship, ghostBudget, minds, clock, recorder, onFacts } = match;
  const players = match.players.map((player) => ({
    ...player,
    light: minds[player.colour]?.pace === 'at-once',
    ghost: false,
  }));
  const root = createActor(production.game, {
    clock,
    input: { seed, ship, players, ghostBudget },
  });
  const run = new RunContext(root.system, {
    minds,
    recorder,
    ghostsWatch: ghostBudget !== null,
    round: () => root.getSnapshot().context.round,
    onMeetingFacts: onFacts ?? null,
    onGameFacts: onFacts ?? null,
  });
  const result = runToEnd(root, clock).then((): GameFinish => {
    const { output, context } = root.getSnapshot();
    const { round, meetings } = context;
    run.dismissMinds();
    return { ...(output ?? INTERRUPTED), rounds: round, meetings };
  });
  return {
    result,
    stop: (reason = 'interrupted') => {
      if (root.getSnapshot().status === 'active') root.send({ type: 'game.stopped', reason });
    },
    pause: () => root.stop(),
  };
}

const INTERRUPTED = { winner: null, reason: 'interrupted' } as const;
