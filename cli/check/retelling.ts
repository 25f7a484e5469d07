/** A retelling: the meeting machine goes through a recorded meeting and tells it anew, until the two part. */

import { chooseStepper, type MachinePoint, stateOf } from 'glass-box-checker';
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { encode } from '../../machines/journal/codec.ts';
import type { LivingLine } from '../../machines/journal/lines.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import type { Turn } from '../../proofs/properties/promise.ts';
import { eventOf, factOf } from './factual.ts';
import { retold } from './retold.ts';
import type { MeetingModel } from './run.ts';
import { factsOf } from './walk.ts';

/** Something wrong, and the line of the journal that tells it. */
export type Finding = { readonly line: number; readonly text: string };

/** Somebody who looks at each step; `line` is where the journal tells it. */
type Judge = { look(turn: Turn, line: number): void };

type Line = { readonly line: LivingLine; readonly at: number };

/** A journal against the machine, step by step. */
export class Retelling {
  steps = 0;
  readonly #lines: readonly Line[];
  readonly #setting: MeetingSetup;
  readonly #stepper;
  #next = 0;

  constructor({ lines }: Journal, setting: MeetingSetup) {
    this.#setting = setting;
    this.#lines = lines.flatMap((line, index) =>
      line.channel === 'living' && line.type !== 'journal.opened' ? [{ line, at: index + 1 }] : [],
    );
    const model: MeetingModel = {
      name: 'a recorded meeting',
      machine: meetingMachine,
      input: setting,
      world: () => [],
      properties: [],
    };
    this.#stepper = chooseStepper(model).stepper;
  }

  /** Goes through the journal; where the machine tells something else, that is returned. */
  judge(judges: readonly Judge[]): Finding | null {
    const begun = this.#stepper.initial();
    let { point } = begun;
    let parted = this.#compare(factsOf(begun.effects));
    while (parted === null && this.#next < this.#lines.length) {
      const from = this.#next;
      const line = this.#lines[from]?.at ?? 0;
      const event = this.#eventFor(point);
      if (event === null) return this.#unexpected();
      const leap = this.#stepper.step(point, event);
      const { effects } = leap;
      // Timers are events too, of types that only the chart knows.
      const turn = { before: stateOf(point), event, after: stateOf(leap.point), effects } as Turn;
      const isIgnored = effects.length === 0 && leap.taken.length === 0;
      parted = isIgnored ? this.#unexpected() : this.#compare(factsOf(effects));
      const judged = parted === null ? turn : { ...turn, ...this.#claimed(turn, from) };
      for (const judge of judges) judge.look(judged, parted?.line ?? line);
      this.steps += 1;
      point = leap.point;
    }
    return parted;
  }

  /** What happens next: what the line says, or time passes until it can. */
  #eventFor(point: MachinePoint<Table>) {
    const line = this.#lines[this.#next]?.line;
    const event = line === undefined ? null : eventOf(line);
    const [timer] = point.timers;
    if (timer === undefined) return event;
    const isInTick =
      line?.type === 'tick.closed' ||
      (line !== undefined && 'during' in line && line.during === 'tick');
    return event === null || isInTick ? timer.event : event;
  }

  /** Compares what the machine tells with the next lines, and goes past them when they are the same. */
  #compare(facts: readonly Fact[]): Finding | null {
    for (const [index, fact] of facts.entries()) {
      const found = this.#lines[this.#next + index];
      // A journal that breaks off has no more to say.
      if (found === undefined) break;
      if (!isSame(fact, found.line)) return { line: found.at, text: differs(found.line, fact) };
    }
    this.#next += facts.length;
    return null;
  }

  #unexpected(): Finding {
    const found = this.#lines[this.#next];
    const text = `the journal tells ${found?.line.type}, where the meeting waits for something else`;
    return { line: found?.at ?? 0, text };
  }

  /** The step as the journal has it: its facts, and the table that they make. */
  #claimed(turn: Turn, from: number): Pick<Turn, 'after' | 'effects'> {
    const rest = this.#lines.slice(from + 1).map(({ line }) => line);
    const end = rest.findIndex(beginsStep);
    const lines = this.#lines.slice(from, end < 0 ? undefined : from + 1 + end);
    const facts = lines.flatMap(({ line }) => factOf(line, this.#setting) ?? []);
    return {
      after: { ...turn.after, context: retold(turn, facts) },
      effects: [
        ...turn.effects.filter(({ type }) => type !== 'tell'),
        { type: 'tell', params: { facts } },
      ],
    };
  }
}

/** Lines that begin a step of their own. */
function beginsStep(line: LivingLine): boolean {
  if (eventOf(line) !== null) return true;
  if (line.type === 'phase.entered')
    return line.phase === 'discussion' || line.phase === 'reaction';
  return (
    line.type === 'poll.counted' || line.type === 'ballot.turned' || line.type === 'verdict.told'
  );
}

/** Whether a line says what was told. A closed tick is what came in, but for the floor of somebody who is gone. */
function isSame(fact: Fact, line: LivingLine): boolean {
  if (fact.type === 'tick.closed') {
    return line.type === 'tick.closed' && (fact.decision?.floor ?? null) === line.floor;
  }
  return canonical(encode(fact)) === canonical(bare(line));
}

function bare({
  seq: _seq,
  hash: _hash,
  clock: _clock,
  channel: _channel,
  ...fields
}: LivingLine): object {
  return fields;
}

function differs(line: LivingLine, fact: Fact): string {
  return `the journal tells ${canonical(bare(line))}, where the meeting tells ${canonical(encode(fact))}`;
}
