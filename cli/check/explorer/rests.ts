/**
 * Rests: what may come next where a run rests, and what is refused there, found out on the machine itself.
 *
 * All that the world may bring is tried, and one event of each type that it brings elsewhere on these runs. So a guard
 * that keeps something out is seen to do so.
 */
import {
  chooseStepper,
  encodeEvent,
  type EnabledEvent as Found,
  listEvents,
  type MachinePoint,
  type Model,
  stateOf,
  type Transition,
  tryEvents,
} from 'glass-box-checker';
import type { ToMeeting } from '../../../machines/messages.ts';
import type { Table } from '../../../machines/rules/meeting.ts';
import type { Offer, Rest } from '../../../visualizer/page/explorer/report.ts';
import type { MeetingEvent } from '../run.ts';
import { happening } from '../words.ts';

/** Events that are tried at one rest; with many players there are thousands. */
const MOST_TRIED = 400;
/** Events of a group that are told in words. */
const MOST_SAMPLES = 3;

type Stepped = Pick<Model<Table, ToMeeting>, 'machine' | 'input' | 'world'>;

/** A run, leap by leap; the first is the beginning. */
export type Leaps = readonly Transition<Table>[];

export class Rests {
  readonly #model: Model<Table, ToMeeting>;
  readonly #stepper;
  readonly #samples = new Map<string, MeetingEvent>();
  readonly #found = new Map<string, readonly Found<MeetingEvent>[]>();

  /** Knows the events of these runs. */
  constructor(model: Stepped, runs: readonly (readonly MeetingEvent[])[]) {
    this.#model = { name: '', properties: [], ...model };
    this.#stepper = chooseStepper(this.#model).stepper;
    for (const events of runs) {
      for (const { point } of this.leaps(events)) this.#learn(point);
    }
  }

  leaps(events: readonly MeetingEvent[]): Leaps {
    let leap = this.#stepper.initial();
    const leaps = [leap];
    for (const event of events) {
      leap = this.#stepper.step(leap.point, event);
      leaps.push(leap);
    }
    return leaps;
  }

  /** What may come at a point; `next` is what comes. */
  at(point: MachinePoint<Table>, next: MeetingEvent | null): Rest {
    const here = listEvents(this.#model, point);
    const isListed =
      next === null || here.some((event) => encodeEvent(event) === encodeEvent(next));
    // What was recorded need not be what the world would have listed.
    const offers = [
      ...(isListed ? [] : tryEvents<Table, MeetingEvent>(this.#stepper, point, [next], [])),
      ...this.#tried(point, here),
    ];
    const kept = offers.filter(({ isEnabled, taken }) => isEnabled || taken.length === 0);
    const groups = Map.groupBy(kept, (offer) =>
      JSON.stringify([offer.event.type, offer.isEnabled, offer.taken, offer.refused, offer.to]),
    );
    return {
      at: point.place.name,
      offers: [...groups.values()].flatMap((same) => grouped(same, next)),
      untried: Math.max(0, here.length - MOST_TRIED),
    };
  }

  #learn(point: MachinePoint<Table>): void {
    if (point.status !== 'active') return;
    for (const event of this.#model.world(stateOf(point))) {
      if (!this.#samples.has(event.type)) this.#samples.set(event.type, event);
    }
  }

  #tried(
    point: MachinePoint<Table>,
    here: readonly MeetingEvent[],
  ): readonly Found<MeetingEvent>[] {
    const key = JSON.stringify([point.place.name, point.context, point.timers]);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const types = new Set(here.map(({ type }) => type));
    const strange = [...this.#samples.values()].filter(({ type }) => !types.has(type));
    const found = tryEvents<Table, MeetingEvent>(
      this.#stepper,
      point,
      here.slice(0, MOST_TRIED),
      strange,
    );
    this.#found.set(key, found);
    return found;
  }
}

function grouped(
  same: readonly Found<MeetingEvent>[],
  next: MeetingEvent | null,
): readonly Offer[] {
  const [first] = same;
  if (first === undefined) return [];
  const words = [...new Set(same.map(({ event }) => happening(event as ToMeeting)))];
  return [
    {
      type: first.event.type,
      samples: words.slice(0, MOST_SAMPLES),
      count: same.length,
      isOffered: first.isEnabled,
      taken: first.taken,
      refused: first.refused,
      to: first.to,
      isNext: next !== null && same.some(({ event }) => encodeEvent(event) === encodeEvent(next)),
    },
  ];
}
