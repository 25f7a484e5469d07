/**
 * Steps a meeting by hand and writes it as a journal for `watch`. Meeting, arbiter, players and gallery are the real
 * charts and emit the same as real actors. `verify` replays the journal exactly, unless a script decides the dice.
 */
import { chooseStepper } from 'glass-box-checker';
import { modelBidStream } from '../../actors/engine/bids.ts';
import { meetingHeaders } from '../../actors/engine/match.ts';
import { type ArbiterBooks, arbiterMachine } from '../../machines/charts/arbiter.ts';
import { ARBITER, MEETING, type ToArbiter } from '../../machines/messages.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { FEWEST_SEATS } from '../../machines/rules/optionRows.ts';
import { rangeOf } from '../../machines/rules/options.ts';
import type { Weights } from '../../machines/rules/weights.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { tableOfSeats } from '../models/meeting.ts';
import {
  createMeetingSystem,
  emittingArbiter,
  type MeetingSystem,
  type SystemInput,
  type SystemObservation,
  type SystemParts,
  type SystemSetup,
  type SystemState,
} from '../models/meetingSystem.ts';
import { actorState, answerWith, createPlayers, listThinking } from '../models/secrets.ts';
import { createHeaderMatch, TraceJournal, type TraceTitle, withReceived } from './traceJournal.ts';

type MeetingPerformance = {
  readonly system: MeetingSystem;
  readonly setting: MeetingSetup;
  /** Turns of ghost talk, or null if no ghost watches. */
  readonly ghostBudget: number | null;
  readonly title: TraceTitle;
  readonly next: (state: SystemState) => SystemInput | null;
};

/** `ends` are the numbers of the last living line at the start and after each input. */
export function performMeeting(performance: MeetingPerformance) {
  const { system, setting, ghostBudget, title, next } = performance;
  const ghosts = { present: ghostBudget !== null, budget: ghostBudget ?? 0 };
  const match = createHeaderMatch(setting, { ...title, ghosts });
  const journal = new TraceJournal(meetingHeaders(match, setting.chance.seed));
  const facts: Fact[] = [];
  const note = (observations: readonly SystemObservation[]) => {
    for (const observation of observations) {
      if (observation.type === 'told') {
        facts.push(observation.fact);
        journal.record([observation.fact]);
      } else if (observation.type === 'murmured') journal.recordGhosts(observation.fact);
    }
  };
  let performed = system.start();
  note(performed.observations);
  const ends = [facts.length];
  for (let input = next(performed.state); input !== null; input = next(performed.state)) {
    const given = input.type === 'answer' ? { ...input, bid: withReceived(input.bid) } : input;
    performed = system.step(performed.state, given);
    note(performed.observations);
    ends.push(facts.length);
  }
  return { text: journal.text, facts, ends };
}

/** A system whose charts the checker steps, with the production bid stream or another one. */
export function createSystem(
  cast: SystemSetup,
  bids: SystemParts['bids'] = modelBidStream,
  arbiter = arbiterMachine,
): MeetingSystem {
  return createMeetingSystem(cast, {
    stepper: (given, input) => {
      const isReplaced = given.id === arbiterMachine.id && arbiter !== arbiterMachine;
      const machine = isReplaced ? emittingArbiter(arbiter) : given;
      return chooseStepper({ name: machine.id, machine, input, world: () => [], properties: [] })
        .stepper;
    },
    bids,
  });
}

export type GatheredTick = Extract<ToArbiter, { type: 'bids.gathered' }>;

type ArbiterScript = {
  readonly title: TraceTitle;
  readonly seated: readonly Colour[];
  readonly weights: Weights;
  readonly ticks: readonly Pick<GatheredTick, 'bids' | 'dice'>[];
  readonly arbiter?: typeof arbiterMachine;
};

/**
 * Plays the arbiter's counterexample at a table and returns the floor of each tick. The minds
 * follow the script and the dice come from the search, because no seed would produce them. Dead
 * players fill a table that is too small for a lobby.
 */
export function performScript({ title, seated, weights, ticks, arbiter }: ArbiterScript) {
  const dead = COLOURS.filter((seat) => !seated.includes(seat));
  const ghosts = dead.slice(0, Math.max(0, FEWEST_SEATS - seated.length));
  // A player without a bid fails in the script. The patience must prevent a removal.
  const setting = tableOfSeats(seated, ghosts, { weights, patience: rangeOf('patience').most });
  const scripted: SystemParts['bids'] = (bidMessages, chance) =>
    modelBidStream(bidMessages, chance).map((event) =>
      event.type === 'bids.gathered'
        ? { ...event, dice: ticks[event.tick]?.dice ?? event.dice }
        : event,
    );
  const cast = { setting, players: createPlayers(setting), ghostBudget: null };
  const system = createSystem(cast, scripted, arbiter);
  const next = (state: SystemState) => nextInput(state, seated, ticks);
  const { text, facts } = performMeeting({ system, setting, ghostBudget: null, title, next });
  // The header has number 0, and each fact the next number.
  const lines = facts.flatMap(({ type }, index) => (type === 'tick.closed' ? [index + 1] : []));
  return {
    text,
    floors: facts.flatMap((fact) =>
      fact.type === 'tick.closed' && fact.decision !== null ? [fact.decision.floor] : [],
    ),
    /** The number of the last living line at the start and after each tick. */
    ends: [Math.max(0, (lines[0] ?? 1) - 1), ...lines],
  };
}

/** The next bid of the script, or a timer until a player is asked for one. */
function nextInput(
  state: SystemState,
  seated: readonly Colour[],
  ticks: ArbiterScript['ticks'],
): SystemInput | null {
  const { tick } = actorState<ArbiterBooks>(state, ARBITER).context.floor;
  const [seat] = listThinking(state, seated);
  if (seat === undefined) {
    const [timer] = actorState(state, MEETING).timers;
    return timer === undefined ? null : { type: 'timer', actor: MEETING, event: timer.event };
  }
  const bid = ticks[tick]?.bids.find((candidate): candidate is Bid => candidate.seat === seat);
  return bid === undefined ? null : answerWith(state, bid);
}
