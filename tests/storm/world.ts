import { openJournalPath } from '../../actors/league/journals.ts';
import { type LeaguePlan, scheduleLeague } from '../../actors/league/plan.ts';
import { Chance } from '../support/chance.ts';
import { type GamePlace, ModelServer } from './endpoint.ts';
import { type Fault, PlannedFaults } from './faults.ts';
import type { Ground } from './ground.ts';
import { Machine } from './machine.ts';
import { Promises } from './promises.ts';
import { FOLDER, type Scenario } from './scenario.ts';
import { Server } from './server.ts';
import { Timeline } from './timeline.ts';

export class World implements Ground {
  readonly scenario: Scenario;
  readonly isLocal: boolean;
  readonly hasRedis: boolean;
  readonly environment: Scenario['environment'];
  readonly plan: LeaguePlan;
  readonly chance: Chance;
  readonly timeline = new Timeline();
  readonly faults: PlannedFaults;
  readonly promises: Promises;
  readonly server: Server;
  readonly models: ModelServer;
  readonly machines: ReadonlyMap<string, Machine>;
  lastRun = { machine: 'alpha', folder: FOLDER };

  constructor(scenario: Scenario, faults: readonly Fault[]) {
    const { plan, seed, machines, repeatsIds } = scenario;
    const { games, budget } = plan.league;
    this.scenario = scenario;
    this.isLocal = scenario.isLocal;
    this.hasRedis = scenario.hasRedis;
    this.environment = scenario.environment;
    this.plan = plan;
    this.chance = new Chance(`world ${seed}`);
    this.faults = new PlannedFaults(faults);
    this.promises = new Promises({
      timeline: this.timeline,
      isLocal: this.isLocal,
      leaseNow: () => this.#leaseNow(),
      openJournals: Array.from({ length: games }, (_, slot) => openJournalPath('', slot, games)),
      players: plan.league.players,
      mostPaid: hasOneFolder(scenario) ? (budget.calls ?? null) : null,
    });
    this.server = new Server(this);
    this.models = new ModelServer(this, findPlaces(plan));
    const now = () => this.timeline.now;
    this.machines = new Map(
      machines.map((name) => [name, new Machine(name, { seed: `${seed}`, repeatsIds, now })]),
    );
  }

  machine(name: string): Machine {
    const machine = this.machines.get(name);
    if (machine === undefined) throw new Error(`there is no machine ${name}`);
    return machine;
  }

  #leaseNow(): number {
    const [first] = this.machines.values();
    return this.timeline.now + (this.isLocal ? (first?.skewMs ?? 0) : this.server.skewMs);
  }
}

/** Only then does a run know everything that another run has spent. */
function hasOneFolder({ isLocal, programs }: Scenario): boolean {
  return isLocal && new Set(programs.map(({ folder }) => folder)).size === 1;
}

function findPlaces(plan: LeaguePlan): ReadonlyMap<number, GamePlace> {
  const { players } = plan.league;
  const seats = Array.from({ length: players }, (_, seat) => seat);
  return new Map(
    scheduleLeague(plan).flatMap(({ slot, seed }) =>
      seats.map((seat) => [(seed + seat) % SEEDS, { slot, seat }] as const),
    ),
  );
}

const SEEDS = 2 ** 31;
