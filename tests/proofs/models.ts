import { type CheckOptions, check, isAsDeclared, type Model } from 'glass-box-checker';
import type { AnyStateMachine } from 'xstate';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import { factoredEvents, type MeetingKnobs, meetingEvents } from '../../proofs/models/meeting.ts';
import { seatSymmetry } from '../../proofs/models/symmetry.ts';
import { listMeetingProperties } from '../../proofs/properties/meeting.ts';

export type MeetingModel = Model<Table, ToMeeting> & { readonly input: MeetingSetup };

export const KNOBS: MeetingKnobs = {
  faults: true,
  combinations: 'some',
  departures: 1,
  stops: false,
};

export function aModel(
  setting: MeetingSetup,
  knobs: MeetingKnobs = KNOBS,
  machine: AnyStateMachine = meetingMachine,
): MeetingModel {
  return {
    name: `${setting.options.rules}, ${setting.seats.length} players`,
    machine,
    input: setting,
    world: meetingEvents(knobs),
    ...factoredEvents(knobs),
    properties: listMeetingProperties(setting, knobs),
    symmetry: seatSymmetry(setting),
  };
}

/** The properties with an undeclared verdict, each with that verdict. */
export function surprises(checked: Pick<ReturnType<typeof check>, 'results'>): readonly string[] {
  return checked.results
    .filter((judged) => !isAsDeclared(judged))
    .map(({ name, verdict }) => `${name}: ${verdict.type}`);
}

export function census(model: MeetingModel, options: CheckOptions = {}) {
  const places = new Map<string, number>();
  const counting: MeetingModel['properties'][number] = {
    name: 'census',
    sentence: 'Every state is counted.',
    kind: 'always',
    holds: ({ at }) => {
      places.set(at, (places.get(at) ?? 0) + 1);
      return true;
    },
  };
  const checked = check(
    { ...model, properties: [...model.properties, counting] },
    { purity: 'some-steps', ...options },
  );
  return { ...checked, places };
}

type AnyEvent = { readonly type: string; readonly seat?: Colour; readonly bids?: readonly Bid[] };

/** An event as one reads it: "red=skip blue! green"; a timer by the state that it ends. */
export function toldShort({ type, seat, bids }: AnyEvent): string {
  if (type.startsWith('xstate.after.')) return type.split('.').at(-1) ?? type;
  if (bids === undefined) return seat === undefined ? type : `${type} ${seat}`;
  if (bids.length === 0) return 'nobody';
  return bids
    .map((bid) => {
      if (bid.type === 'fault') return `${bid.seat}!`;
      return bid.reply.vote === null ? bid.seat : `${bid.seat}=${bid.reply.vote}`;
    })
    .join(' ');
}
