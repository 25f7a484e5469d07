/** Leagues and their queues for the tests. */
import { setImmediate } from 'node:timers/promises';
import {
  type GameModels,
  type LeagueGameOutcome,
  playLeagueGame,
} from '../../../actors/league/game.ts';
import { type LeagueFile, leagueSchema } from '../../../actors/league/leagueFile.ts';
import { createLocalQueue, type LocalQueueOptions } from '../../../actors/league/localQueue.ts';
import { completePlan, type LeaguePlan, settleLeague } from '../../../actors/league/plan.ts';
import { playLeague } from '../../../actors/league/runner.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import type { LeadFence, Store } from '../../../actors/stores/store.ts';
import { tallyGame } from '../../../analysis/league/tally.ts';
import { personaOf } from '../../../machines/setup/prepare.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { gathered } from '../stores/kept.ts';

/** A small league: five offline minds at a table of five. */
export function aPlan(file: Partial<LeagueFile> = {}): LeaguePlan {
  const names = ['one', 'two', 'three', 'four', 'five'];
  const league = leagueSchema.parse({
    name: 'small',
    seed: 4,
    games: 6,
    round: 2,
    players: 5,
    personas: names.map((name) => ({ name, temperament: 'follower' })),
  });
  return completePlan({ ...league, ...file }, 'test');
}

/** The same league with a language model for each persona, and short games. */
export function aPlanOfModels(file: Partial<LeagueFile> = {}): LeaguePlan {
  const { league } = aPlan();
  const personas = league.personas.map((member) => ({
    ...member,
    mind: 'openai' as const,
    model: `model-${member.name}`,
  }));
  return aPlan({ personas, options: { max_rounds: 30 }, ...file });
}

/**
 * Models that think like the offline minds, a turn of the event loop later. Ghosts are faster, so that each of their turns
 * ends in the same tick of the living whenever the game is continued. `onAnswer` runs before each answer; it may pause the game.
 */
export function slowThinkers(
  seed: number,
  onAnswer: (answers: number, breakOff: () => void) => unknown = () => {},
) {
  const told = { answers: 0, reflections: 0 };
  let pause: (() => void) | null = null;
  let reason: string | null = null;
  const breakOff = () => {
    reason = 'broken off';
    pause?.();
  };
  const models: GameModels = {
    minds: (seat, index) => {
      const mind = createScriptedMind(seed, seat.colour, personaOf(seat, index).temperament);
      return {
        pace: 'in-time',
        answer: async (request) => {
          if (request.kind !== 'ghost') await setImmediate();
          told.answers += 1;
          await onAnswer(told.answers, breakOff);
          return mind.answer(request);
        },
      };
    },
    attach: (game) => {
      pause = () => game.pause();
    },
    paused: () => (reason === null ? null : { code: 'test', text: reason }),
    close: async () => {},
    reflect: async ({ persona }) => {
      told.reflections += 1;
      return { learned: [`what ${persona} found`], cost: { requests: 1 } };
    },
  };
  return { models, told };
}

export const EDGE = { count: tallyGame, models: null };

/** The memories of all personas in a store, version by version. */
export async function memories(store: Store) {
  const ids = await store.personas();
  return await Promise.all(ids.map(async (id) => [id, await store.history(id)] as const));
}

export type Given = {
  readonly store?: Store;
  readonly jobs?: number;
  /** Instead of playing: an outcome, or null to play after all. */
  readonly instead?: (slot: number) => LeagueGameOutcome | null;
  readonly play?: LocalQueueOptions['player'];
  readonly save?: LocalQueueOptions['save'];
  readonly stopAfter?: number;
  readonly fence?: LeadFence;
  readonly onNote?: (text: string) => void;
};

export async function played(plan: LeaguePlan, given: Given = {}) {
  const {
    store = new InMemoryStore(),
    jobs = 2,
    instead = () => null,
    play = (game) => playLeagueGame(game, EDGE),
    save = async () => {},
  } = given;
  const conflict = await settleLeague(store, plan);
  if (conflict !== null) throw new Error(conflict.text);
  const begun: number[] = [];
  const queue = createLocalQueue({
    store,
    gamesAtOnce: jobs,
    save,
    player: async (game) => {
      begun.push(game.slot);
      return instead(game.slot) ?? (await play(game));
    },
    close: async () => {},
  });
  let heard = 0;
  const conducted = await playLeague({
    plan,
    store,
    queue,
    ...(given.fence === undefined ? {} : { fence: given.fence }),
    ...(given.onNote === undefined ? {} : { onNote: given.onNote }),
    onOutcome: () => {
      heard += 1;
      if (heard === given.stopAfter) queue.stop();
    },
  });
  return {
    ...conducted,
    store,
    begun,
    results: await gathered<GameResult>(store.results(plan.league.name)),
  };
}
