/** The operator of a storm: starts programs, starts them again when they end, and lets the faults of the plan happen. */
import type { Fault, ForgettingFault } from './faults.ts';
import { SimulatedProcess } from './process.ts';
import { type ProgramEnd, runProgram, sayOf } from './programs.ts';
import type { ProgramPlan } from './scenario.ts';
import type { World } from './world.ts';

/** Milliseconds until a program that has ended is started again; one whose budget is spent would end at once again. */
const AGAIN_MS = 1500;
const PAUSED_MS = 9000;

type Program = {
  readonly plan: ProgramPlan;
  readonly number: number;
  process: SimulatedProcess | null;
  isDone: boolean;
  /** Whether its operator has asked it to stop, so that it is to be started again. */
  isStopped: boolean;
};

export class Operator {
  readonly #world: World;
  readonly #programs: readonly Program[];
  /** When the faults have stopped. */
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
    const { timeline, trace, server } = this.#world;
    server.onForgets = (fault) => {
      trace.note('storm', `fault ${fault.id} happens: ${fault.type}`);
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
    const open = this.#programs.filter(({ isDone }) => !isDone);
    return `${open.map(({ plan, process }) => `${plan.name} ${process === null ? 'is not running' : 'has not ended'}`).join(', ')}`;
  }

  /** From now on nothing goes wrong. */
  #calm(): void {
    const { machines, server, models, trace } = this.#world;
    trace.note('storm', 'the faults have stopped');
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
    world.trace.note(plan.name, `starts as process ${process.id} on ${machine.name}`);
    if (this.#isClosing && plan.type === 'worker') process.stopping.abort();
    runProgram(world, process, plan).then(
      (end) => this.#noteEnd(program, process, end),
      (error: unknown) => {
        if (!process.isAlive) return;
        world.trace.note(plan.name, `ends: ${sayOf(error)}`);
        world.promises.noteFailure(process, error);
        this.#noteEnd(program, process, 'again');
      },
    );
  }

  #noteEnd(program: Program, process: SimulatedProcess, end: ProgramEnd): void {
    if (!process.isAlive) return;
    const world = this.#world;
    world.trace.note(program.plan.name, `has ended: ${end}`);
    this.#checkNothingLeft(process);
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

  /** A program that has ended by itself waits for nothing any more, and has closed its files. */
  #checkNothingLeft(process: SimulatedProcess): void {
    if (process.hasOpenFiles)
      this.#world.promises.broken('memory', `${process.name} has ended with files open`);
  }

  /** When all runs are over, the workers are stopped. */
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

  /** What a run has ended, or is about to end, may be forgotten: its operator runs the league again. */
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

  #find(name: string): Program | undefined {
    return this.#programs.find(({ plan }) => plan.name === name);
  }

  #happen(fault: Extract<Fault, { readonly ms: number }>): void {
    const { trace } = this.#world;
    trace.note('storm', `fault ${fault.id} happens: ${fault.type}`);
    switch (fault.type) {
      case 'kill':
      case 'stall':
      case 'stop':
      case 'thread':
        this.#happenToProgram(fault);
        return;
      case 'power':
      case 'cut':
      case 'disk-full':
      case 'clock':
        this.#happenToMachine(fault);
        return;
      default:
        this.#happenToServer(fault);
    }
  }

  #happenToProgram(
    fault: Extract<Fault, { readonly type: 'kill' | 'stall' | 'stop' | 'thread' }>,
  ): void {
    const program = this.#find(fault.at);
    const process = program?.process ?? null;
    if (program === undefined || process === null) return;
    switch (fault.type) {
      case 'kill':
        this.#kill(program, fault.forMs);
        return;
      case 'stall':
        process.standStill(fault.forMs);
        return;
      case 'stop':
        program.isStopped = true;
        process.stopping.abort();
        return;
      case 'thread':
        process.endThread();
        return;
      default:
        fault satisfies never;
    }
  }

  #happenToMachine(
    fault: Extract<Fault, { readonly type: 'power' | 'cut' | 'disk-full' | 'clock' }>,
  ): void {
    const world = this.#world;
    const { now } = world.timeline;
    if (fault.type === 'clock') {
      world.promises.shiftLeases();
      if (fault.at === 'server') world.server.skewMs += fault.jumpMs;
      else world.machine(fault.at).skewMs += fault.jumpMs;
      return;
    }
    const machine = world.machine(fault.at);
    switch (fault.type) {
      case 'cut':
        machine.cutUntil = now + fault.forMs;
        return;
      case 'disk-full':
        machine.fullUntil = now + fault.forMs;
        return;
      case 'power': {
        machine.offUntil = now + fault.forMs;
        for (const program of this.#programs)
          if (program.plan.machine === machine.name) this.#kill(program, fault.forMs);
        machine.losePower();
        return;
      }
      default:
        fault satisfies never;
    }
  }

  #happenToServer(
    fault: Extract<
      Fault,
      {
        readonly type:
          | 'server-down'
          | 'server-forgets'
          | 'server-full'
          | 'job-evicted'
          | 'models-away';
      }
    >,
  ): void {
    const { server, timeline, models } = this.#world;
    switch (fault.type) {
      case 'server-full':
        server.fullUntil = timeline.now + fault.forMs;
        return;
      case 'job-evicted':
        server.board.evict();
        return;
      case 'models-away':
        models.goAway(fault);
        return;
      case 'server-down':
        server.downUntil = timeline.now + fault.forMs;
        return;
      case 'server-forgets':
        this.#forget(fault);
        return;
      default:
        fault satisfies never;
    }
  }
}

/** Milliseconds for faults that come at a call or a write. */
const LAST_ORDINAL_MS = 30_000;
