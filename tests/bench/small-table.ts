/**
 * The meeting that the checker is timed on: house rules, patience 2, minds that may fail, one player who may be gone
 * in the end.
 */
import type { Model } from 'glass-box-checker';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import type { MeetingSetup, Table } from '../../machines/rules/meeting.ts';
import { houseTable, type MeetingKnobs, meetingEvents } from '../../proofs/models/meeting.ts';
import { seatSymmetry } from '../../proofs/models/symmetry.ts';
import { listMeetingProperties } from '../../proofs/properties/meeting.ts';

const KNOBS: MeetingKnobs = { faults: true, combinations: 'some', departures: 1, stops: false };

export type SmallTable = Model<Table, ToMeeting> & { readonly input: MeetingSetup };

export function smallTable(players: number): SmallTable {
  const input = houseTable({ players });
  return {
    name: `a meeting of ${players}`,
    machine: meetingMachine,
    input,
    world: meetingEvents(KNOBS),
    properties: listMeetingProperties(input, KNOBS),
    symmetry: seatSymmetry(input),
  };
}
