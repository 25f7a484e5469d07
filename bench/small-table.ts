/**
 * The meeting that the checker is timed on: house rules, patience 2, minds that may fail, one player who may be gone
 * in the end.
 */
import type { Model } from 'glass-box-checker';
import { meetingMachine } from '../machines/charts/meeting.ts';
import type { ToMeeting } from '../machines/messages.ts';
import type { MeetingSetup, Table } from '../machines/rules/meeting.ts';
import { seatSymmetry } from '../proofs/models/symmetry.ts';
import { house } from '../proofs/models/tables.ts';
import { type Knobs, meetingWorld } from '../proofs/models/world.ts';
import { meetingPromises } from '../proofs/properties/properties.ts';

const KNOBS: Knobs = { faults: true, departures: 1, stops: false };

export type SmallTable = Model<Table, ToMeeting> & { readonly input: MeetingSetup };

export function smallTable(players: number): SmallTable {
  const input = house({ players });
  return {
    name: `a meeting of ${players}`,
    machine: meetingMachine,
    input,
    world: meetingWorld(KNOBS),
    properties: meetingPromises(input, KNOBS),
    symmetry: seatSymmetry(input),
  };
}
