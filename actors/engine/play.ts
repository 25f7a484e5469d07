/**
 * Playing a game: wires its actors together, lets time pass, and says who has won.
 *
 * With minds that answer at once and a simulated clock a whole game is over before the function returns to its
 * caller; with real time it goes at the pace of its minds.
 */
import { createActor } from 'xstate';
import type { GameInput } from '../../machines/charts/game.ts';
import { roundPost, type Unread } from '../../machines/outgoing.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import type { Ending } from '../../machines/rules/ship/world.ts';
import { type BySeat, COLOURS } from '../../machines/types.ts';
import type { Mind } from '../minds/port.ts';
import { type Clock, finished } from './clock.ts';
import { production } from './effects.ts';
import type { Recorder } from './journal/recorder.ts';
import { deliver, Router } from './router.ts';
import { dismissAll, open, type Session } from './session.ts';

/** Everything that a game needs to be played. */
export type Match = Omit<GameInput, 'players'> & {
  readonly players: readonly Omit<GameInput['players'][number], 'light' | 'ghost'>[];
  readonly minds: BySeat<Mind>;
  readonly clock: Clock;
  /** Null where nobody wants a journal: facts are not even put into lines. */
  readonly recorder: Recorder | null;
  /** Sees the facts of the living before anybody is told; replay steers by it. */
  readonly onFacts?: (facts: readonly (Fact | GameFact)[]) => void;
};

export type Score = Ending & {
  readonly rounds: number;
  readonly meetings: number;
};

/** A game that is being played. */
export type Played = {
  /** Kept when the game is over; never broken by a mind. */
  readonly result: Promise<Score>;
  /** Ends the game: in a round at once, in a meeting after the tick that is open. */
  stop(reason?: 'interrupted' | 'unfinished'): void;
  /** Breaks it off where it is: nothing more is told, and it can be gone on with from its journal. */
  pause(): void;
};

export function play(match: Match): Played {
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
  let router: Router | null = null;
  /** A meeting has its own routes: who is dead when it is called is a ghost in it from the beginning. */
  const routerFor = ({ standings }: Table) =>
    new Router(root.system, {
      seats: ship.seats.map(({ colour }) => colour),
      ghosts: COLOURS.filter((colour) => standings[colour] === 'dead'),
      haunted: ghostBudget !== null,
      round: root.getSnapshot().context.round,
    });
  const thinking: Session['thinking'] = new Map();
  let unread: Unread = {};
  open(root.system, {
    minds,
    thinking,
    told: (facts, table) => {
      if (facts.some(({ type }) => type === 'meeting.called')) router = routerFor(table);
      recorder?.record('living', facts);
      router?.told(facts, table);
      onFacts?.(facts);
    },
    murmured: (facts) => {
      recorder?.record('ghosts', facts);
      router?.murmured(facts);
    },
    played: (facts, course) => {
      recorder?.record('living', facts);
      for (const fact of facts) {
        const post = roundPost(unread, fact, course);
        unread = post.unread;
        deliver(root.system, post.letters);
      }
      onFacts?.(facts);
    },
    late: (tick, bid) => recorder?.noteLate({ tick, ...bid }),
  });
  const result = finished(root, clock).then((): Score => {
    const { output, context } = root.getSnapshot();
    const { round, meetings } = context;
    dismissAll(thinking);
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
