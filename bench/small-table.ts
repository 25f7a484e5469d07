/**
 * The meeting that the checker is timed on: house rules, patience 2, minds that may fail, one player who may be gone
 * in the end.
 */
import type { Model } from '../checker/model.ts';
import { meetingMachine } from '../machines/meeting.ts';
import { seatSymmetry } from '../machines/model/symmetry.ts';
import { house } from '../machines/model/tables.ts';
import { type Knobs, meetingWorld } from '../machines/model/world.ts';
import { meetingPromises } from '../machines/properties.ts';
import type { ToMeeting } from '../machines/protocol.ts';
import type { Setting, Table } from '../machines/rules/table.ts';

const KNOBS: Knobs = { faults: true, departures: 1, stops: false };

export type SmallTable = Model<Table, ToMeeting> & { readonly input: Setting };

export function smallTable(players: number): SmallTable {
  const input = house({ players });
  return {
    name: `a meeting of ${players}`,
    machine: meetingMachine,
    input,
    world: meetingWorld(KNOBS),
    promises: meetingPromises(input, KNOBS),
    symmetry: seatSymmetry(input),
  };
}
