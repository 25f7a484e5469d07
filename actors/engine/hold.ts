/**
 * Holding a meeting: wires the actors together, lets time pass, and says how it ended.
 *
 * With minds that answer at once and a simulated clock a meeting is over before the function returns to its caller;
 * with real time it goes at the pace of its minds.
 */
import { type Actor, createActor } from 'xstate';
import type { PlayerInput } from '../../machines/charts/player.ts';
import { MEETING, type ToMeeting } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { Setting } from '../../machines/rules/meeting.ts';
import { type BySeat, COLOURS, type Colour, type Outcome, SYSTEM } from '../../machines/types.ts';
import type { Mind } from '../minds/port.ts';
import { type Clock, finished } from './clock.ts';
import { production } from './effects.ts';
import type { Recorder } from './journal/recorder.ts';
import { Router } from './router.ts';
import { actorOf, dismissAll, open, type Session } from './session.ts';

/** Everything that a meeting needs to be held. */
export type Occasion = {
  readonly setting: Setting;
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

export type Result = {
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** Ticks of talk. */
  readonly ticks: number;
  /** Who was alive when it was called and never spoke: a vote may close before all have (ruling 8). */
  readonly unheard: readonly Colour[];
};

/** A meeting that is being held. */
export type Held = {
  /** Kept when the meeting and the gallery are over; never broken by a mind. */
  readonly result: Promise<Result>;
  /** Ends the meeting after the tick that is open. */
  stop(outcome?: 'interrupted' | 'unconverged'): void;
  /** Breaks it off where it is: nothing more is told, and it can be gone on with from its journal. */
  pause(): void;
  /** A player gets up and leaves. */
  leave(seat: Colour): void;
};

export function hold(occasion: Occasion): Held {
  const { setting, clock, recorder, onFacts } = occasion;
  const root = createActor(production.sitting, { clock, input: sittingInput(occasion) });
  let ticks = 0;
  const unheard = new Set(COLOURS.filter((colour) => setting.standings[colour] === 'living'));
  const router = new Router(root.system, {
    seats: setting.seats.map(({ colour }) => colour),
    ghosts: COLOURS.filter((colour) => setting.standings[colour] === 'dead'),
    haunted: occasion.ghostBudget !== null,
  });
  const thinking: Session['thinking'] = new Map();
  open(root.system, {
    minds: occasion.minds,
    thinking,
    told: (facts, table) => {
      for (const fact of facts) {
        if (fact.type !== 'tick.closed' || fact.verdict === null) continue;
        ticks += 1;
        const { said } = fact.verdict;
        // A visible silence is no speech.
        if (said !== null && said.speaker !== SYSTEM && said.message !== '')
          unheard.delete(said.speaker);
      }
      recorder?.record('living', facts);
      router.told(facts, table);
      onFacts?.(facts);
    },
    murmured: (facts) => {
      recorder?.record('ghosts', facts);
      router.murmured(facts);
    },
    played: () => {},
    late: (tick, bid) => recorder?.noteLate({ tick, ...bid }),
  });
  const result = ended(root, clock, () => ({ ticks, unheard: [...unheard] })).finally(() =>
    dismissAll(thinking),
  );
  const toMeeting = (event: ToMeeting) => {
    if (root.getSnapshot().matches('meeting')) actorOf(root.system, MEETING).send(event);
  };
  return {
    result,
    stop: (outcome = 'interrupted') => toMeeting({ type: 'meeting.stopped', outcome }),
    pause: () => root.stop(),
    leave: (seat) => toMeeting({ type: 'seat.left', seat }),
  };
}

function sittingInput({ setting, players, minds, ghostBudget }: Occasion) {
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

type Root = Actor<typeof production.sitting>;

async function ended(
  root: Root,
  clock: Clock,
  talk: () => Pick<Result, 'ticks' | 'unheard'>,
): Promise<Result> {
  await finished(root, clock);
  const { outcome, ejected } = root.getSnapshot().output ?? NOTHING;
  return { outcome, ejected, ...talk() };
}

const NOTHING = { outcome: 'interrupted', ejected: null } as const;
