import { modelBidStream } from '../../actors/engine/bids.ts';
import type { ArbiterBooks } from '../../machines/charts/arbiter.ts';
import { ARBITER } from '../../machines/messages.ts';
import type { Floor } from '../../machines/rules/floor.ts';
import {
  createMeetingSystem,
  type MeetingSystem,
  type SystemObservation,
  type SystemState,
  type SystemStep,
} from '../../proofs/models/meetingSystem.ts';
import { actorState, type SmallMeetingOptions, smallMeeting } from '../../proofs/models/secrets.ts';

export function aCompany({
  bids = modelBidStream,
  ...wanted
}: SmallMeetingOptions & { readonly bids?: typeof modelBidStream } = {}): MeetingSystem {
  return createMeetingSystem(smallMeeting(wanted), bids);
}

/** A planted change of the room after a step. */
export type Leak = (before: SystemState, performed: SystemStep) => SystemState;

export function leaking({ start: begin, step: perform }: MeetingSystem, leak: Leak): MeetingSystem {
  return {
    start: begin,
    step: (state, input) => {
      const performed = perform(state, input);
      return { ...performed, state: leak(state, performed) };
    },
  };
}

export function withBooks(state: SystemState, change: (floor: Floor) => Floor): SystemState {
  const rest = actorState<ArbiterBooks>(state, ARBITER);
  const { floor, pending } = rest.context;
  const context = {
    ...rest.context,
    floor: change(floor),
    pending: pending === null ? null : change(pending),
  };
  return { ...state, actors: { ...state.actors, [ARBITER]: { ...rest, context } } };
}

export function shown(observations: readonly SystemObservation[], into: Set<string>): void {
  for (const observation of observations) {
    if (observation.type === 'murmured' && observation.fact.type === 'turn.closed') {
      into.add(observation.fact.said === null ? 'ghosts: silent' : 'ghosts: chat');
      if (observation.fact.bids.some(({ type }) => type === 'fault')) into.add('ghosts: late');
    }
    if (observation.type === 'told' && observation.fact.type === 'verdict.announced')
      into.add(observation.fact.outcome);
  }
}
