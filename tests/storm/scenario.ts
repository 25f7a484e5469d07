/** The scenario of a seed: a league, its machines and programs, and their faults. */
import { type LeagueFile, leagueSchema } from '../../actors/league/leagueFile.ts';
import { completePlan, type LeaguePlan } from '../../actors/league/plan.ts';
import { HAS_REDIS } from '../actors/stores/redisServer.ts';
import { Chance } from '../support/chance.ts';
import { keyOf } from './endpoint.ts';
import { drawFaults, type Fault } from './faults.ts';

export type ProgramPlan = {
  readonly name: string;
  readonly machine: string;
  readonly type: 'runner' | 'worker';
  readonly fromMs: number;
  readonly games: number;
  readonly folder: string;
};

export type Scenario = {
  readonly seed: number;
  readonly plan: LeaguePlan;
  readonly isLocal: boolean;
  readonly hasRedis: boolean;
  readonly hasModels: boolean;
  readonly machines: readonly [string, ...string[]];
  readonly repeatsIds: boolean;
  readonly programs: readonly ProgramPlan[];
  readonly environment: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
};

export const FOLDER = 'journals';

/** Few leagues, so that each game is played once. */
const LEAGUES = 8;
const STORM_MS = [6000, 15_000, 40_000] as const;
const MODELS = 0.25;
/** Of the servers; the others keep their store in SQLite, which is faster. */
const REDIS = 0.5;

export function drawScenario(seed: number): Scenario {
  const chance = new Chance(`scenario ${seed}`);
  const isLocal = chance.is(0.3);
  const hasModels = chance.is(MODELS);
  const plan = drawPlan(chance, hasModels);
  const machines: Scenario['machines'] = isLocal
    ? ['alpha']
    : ['alpha', ...['beta', 'gamma'].slice(0, chance.between(1, 2))];
  const programs = isLocal ? drawRunners(chance, ['alpha']) : drawCluster(chance, machines);
  const [first, ...others] = programs.map(({ name }) => name);
  const ground = {
    mostMs: chance.pick(STORM_MS),
    machines,
    programs: [first ?? 'runner-1', ...others] as const,
    hasServer: !isLocal,
    hasModels,
  };
  return {
    seed,
    plan,
    isLocal,
    hasRedis: !isLocal && HAS_REDIS && chance.split('redis').is(REDIS),
    hasModels,
    machines,
    repeatsIds: chance.is(0.3),
    programs,
    environment: readEnvironment(plan),
    faults: drawFaults(chance.split('faults'), ground),
  };
}

function drawRunners(chance: Chance, machines: readonly [string, ...string[]]): ProgramPlan[] {
  return Array.from({ length: chance.is(0.6) ? 2 : 1 }, (_, index) => ({
    name: `runner-${index + 1}`,
    machine: chance.pick(machines),
    type: 'runner' as const,
    fromMs: chance.between(0, 2000),
    games: chance.between(1, 3),
    folder: index > 0 && chance.is(0.7) ? `${FOLDER}-${index + 1}` : FOLDER,
  }));
}

function drawCluster(chance: Chance, machines: readonly [string, ...string[]]): ProgramPlan[] {
  const workers = Array.from({ length: chance.between(1, 3) }, (_, index) => ({
    name: `worker-${index + 1}`,
    machine: chance.pick(machines),
    type: 'worker' as const,
    fromMs: chance.between(0, 2000),
    games: chance.between(1, 2),
    folder: FOLDER,
  }));
  return [...drawRunners(chance, machines), ...workers];
}

function drawPlan(chance: Chance, hasModels: boolean): LeaguePlan {
  const number = chance.between(1, LEAGUES);
  const own = new Chance(`league ${number}`);
  const names = ['one', 'two', 'three', 'four', 'five'] as const;
  const models = new Set(hasModels ? names.slice(0, own.between(1, 2)) : []);
  const games = own.between(4, 6);
  const file: LeagueFile = leagueSchema.parse({
    name: `storm-${number}`,
    seed: number,
    games,
    round: own.between(2, 4),
    players: 4,
    // The seed of a game identifies requests of models, and mirrored games share one.
    mirror: own.is(0.2) && !hasModels,
    learning: own.is(0.8),
    // Games of models cost more, so they are shorter.
    options: {
      max_rounds: own.between(8, 12) - (hasModels ? 5 : 0),
      ...(hasModels && own.is(1 / 2) ? { deadline_ms: 3000, round_deadline_ms: 3000 } : {}),
    },
    // The default wait for a hanging model is five minutes, so few leagues use it.
    limits: {
      concurrency: 2,
      ...(own.split('waits').is(1 / 4) ? {} : { max_tick_ms: 40_000, wait_for_model_ms: 40_000 }),
    },
    ...(hasModels && chance.is(0.3) ? { budget: { calls: chance.between(5, 60) } } : {}),
    personas: names.map((name) =>
      models.has(name)
        ? { name, mind: 'openai', model: `model-${name}`, key: keyOf(`model-${name}`) }
        : { name, temperament: own.pick(['follower', 'observer', 'sceptic']) },
    ),
  });
  return completePlan(file, 'storm');
}

function readEnvironment({ league }: LeaguePlan): Readonly<Record<string, string>> {
  return Object.fromEntries(
    league.personas.flatMap(({ model }) =>
      model === undefined ? [] : [[keyOf(model), `sk-storm-${model}-0123456789abcdef`]],
    ),
  );
}
