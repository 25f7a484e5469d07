/** The operator of a storm starts programs, restarts them when they end, and injects the planned faults. */
import type { Fault, ForgettingFault } from './faults.ts';
import { SimulatedProcess } from './process.ts';
import { type ProgramEnd, runProgram, sayOf } from './programs.ts';
import type { ProgramPlan } from './scenario.ts';
import type { World } from './world.ts';

/** Milliseconds until an ended program is started again. A program whose budget is spent waits longer. */
const AGAIN_MS = 1500;
const PAUSED_MS = 9000;

type Program = {
  readonly plan: ProgramPlan;
  readonly number: number;
  process: SimulatedProcess | null;
  isDone: boolean;
  /** Its operator has stopped it, and starts it again. */
  isStopped: boolean;
};

export class Operator {
  readonly #world: World;
  readonly #programs: readonly Program[];
  calmMs = 0;
  #isClosing = false;

  constructor(world: World) {
    this.#world = world;
    this.#programs = world.scenario.programs.map((plan, number) => ({
      plan,
      number,
      process: null,
      isDone: false,
      isStopped: false,
    }));
  }

  get isOver(): boolean {
    return this.#programs.every(({ isDone }) => isDone);
  }

  begin(faults: readonly Fault[]): void {
    const { timeline, server } = this.#world;
    server.onForgets = (fault) => {
      timeline.note('storm', `fault ${fault.id} happens: ${fault.type}`);
      this.#forget(fault);
    };
    for (const program of this.#programs)
      timeline.after(program.plan.fromMs, () => this.#start(program));
    const times = faults.flatMap((fault) => ('ms' in fault ? [fault.ms] : []));
    this.calmMs = Math.max(0, ...times) + LAST_ORDINAL_MS;
    for (const fault of faults)
      if ('ms' in fault) timeline.after(fault.ms, () => this.#happen(fault));
    timeline.after(this.calmMs, () => this.#calm());
  }

  describeWaiting(): string {
    return this.#programs
      .filter(({ isDone }) => !isDone)
      .map(({ plan, process }) => `${plan.name} ${process ? 'has not ended' : 'is not running'}`)
      .join(', ');
  }

  #calm(): void {
    const { machines, server, models, timeline } = this.#world;
    timeline.note('storm', 'the faults have stopped');
    this.#world.faults.isCalm = true;
    server.downUntil = 0;
    server.fullUntil = 0;
    models.comeBack();
    for (const machine of machines.values()) {
      machine.cutUntil = 0;
      machine.fullUntil = 0;
    }
  }

  #start(program: Program): void {
    if (program.isDone || program.process !== null) return;
    const { plan, number } = program;
    const world = this.#world;
    const machine = world.machine(plan.machine);
    if (world.timeline.now < machine.offUntil) {
      world.timeline.after(machine.offUntil - world.timeline.now, () => this.#start(program));
      return;
    }
    const process = new SimulatedProcess(world, machine, {
      name: plan.name,
      folder: plan.folder,
      id: machine.nextId(number),
    });
    process.onKilled = (forMs) => this.#kill(program, forMs);
    machine.add(process);
    program.process = process;
    world.timeline.note(plan.name, `starts as process ${process.id} on ${machine.name}`);
    if (this.#isClosing && plan.type === 'worker') process.stopping.abort();
    runProgram(world, process, plan).then(
      (end) => this.#noteEnd(program, process, end),
      (error: unknown) => {
        if (!process.isAlive) return;
        world.timeline.note(plan.name, `ends: ${sayOf(error)}`);
        world.promises.noteFailure(process, error);
        this.#noteEnd(program, process, 'again');
      },
    );
  }

  #noteEnd(program: Program, process: SimulatedProcess, end: ProgramEnd): void {
    if (!process.isAlive) return;
    const world = this.#world;
    world.timeline.note(program.plan.name, `has ended: ${end}`);
    if (process.hasOpenFiles)
      world.promises.report('memory', `${process.name} has ended with files open`);
    world.promises.noteEnded(process);
    process.end();
    program.process = null;
    const isDone = end === 'over' || (end === 'paused' && world.faults.isCalm);
    const isUnaware = program.plan.type === 'runner' && process.isUnaware;
    const isAgain = program.isStopped || !isDone || isUnaware;
    program.isStopped = false;
    if (isAgain && !(this.#isClosing && program.plan.type === 'worker')) {
      const ms = end === 'paused' ? PAUSED_MS : AGAIN_MS;
      world.timeline.after(ms, () => this.#start(program));
      return;
    }
    program.isDone = true;
    if (program.plan.type === 'runner') world.lastRun = program.plan;
    this.#closeWorkers();
  }

  #closeWorkers(): void {
    const runners = this.#programs.filter(({ plan }) => plan.type === 'runner');
    if (this.#isClosing || !runners.every(({ isDone }) => isDone)) return;
    this.#isClosing = true;
    for (const program of this.#programs) {
      if (program.isDone) continue;
      if (program.process === null) program.isDone = true;
      else program.process.stopping.abort();
    }
  }

  #runAgain(): void {
    for (const program of this.#programs) {
      if (program.process !== null) program.process.isUnaware = true;
      if (program.plan.type !== 'runner' || !program.isDone) continue;
      program.isDone = false;
      this.#world.timeline.after(AGAIN_MS, () => this.#start(program));
    }
  }

  #forget({ forMs, backMs }: ForgettingFault): void {
    const { server, timeline, promises } = this.#world;
    server.downUntil = timeline.now + forMs;
    // Nobody would notice any more.
    if (this.#isClosing) return;
    void timeline.hold(server.forget(backMs));
    promises.forgetServer();
    this.#runAgain();
  }

  #kill(program: Program, forMs: number): void {
    const { process, plan } = program;
    if (process === null) return;
    process.end();
    program.process = null;
    if (this.#isClosing && plan.type === 'worker') program.isDone = true;
    else this.#world.timeline.after(forMs, () => this.#start(program));
  }

  #happen(fault: Extract<Fault, { readonly ms: number }>): void {
    const { timeline, promises, server, models } = this.#world;
    timeline.note('storm', `fault ${fault.id} happens: ${fault.type}`);
    this.#world.faults.fired.add(fault.type);
    const until = timeline.now + ('forMs' in fault ? fault.forMs : 0);
    const at = 'at' in fault ? fault.at : '';
    const program = this.#programs.find(({ plan }) => plan.name === at);
    switch (fault.type) {
      case 'kill':
        if (program !== undefined) this.#kill(program, fault.forMs);
        return;
      case 'stall':
        program?.process?.standStill(fault.forMs);
        return;
      case 'stop':
        if (program === undefined || program.process === null) return;
        program.isStopped = true;
        program.process.stopping.abort();
        return;
      case 'thread':
        program?.process?.endThread();
        return;
      case 'clock':
        promises.shiftLeases();
        (at === 'server' ? server : this.#world.machine(at)).skewMs += fault.jumpMs;
        return;
      case 'cut':
        this.#world.machine(at).cutUntil = until;
        return;
      case 'disk-full':
        this.#world.machine(at).fullUntil = until;
        return;
      case 'power':
        this.#world.machine(at).offUntil = until;
        for (const one of this.#programs) if (one.plan.machine === at) this.#kill(one, fault.forMs);
        this.#world.machine(at).losePower();
        return;
      case 'server-full':
        server.fullUntil = until;
        return;
      case 'server-down':
        server.downUntil = until;
        return;
      case 'server-forgets':
        this.#forget(fault);
        return;
      case 'job-evicted':
        server.board.evict();
        return;
      case 'models-away':
        models.goAway(fault);
        return;
      default:
        fault satisfies never;
    }
  }
}

/** Milliseconds for faults at the nth call, write or request. */
const LAST_ORDINAL_MS = 30_000;
