/** The meeting that the checker is timed on: house rules, patience 2, minds that may fail, nobody leaves. */
import type { Model } from '../checker/model.ts';
import { meetingMachine } from '../machines/meeting.ts';
import { meetingWorld } from '../machines/model/world.ts';
import type { ToMeeting } from '../machines/protocol.ts';
import { QUIET } from '../machines/rules/call.ts';
import { defaultOptions } from '../machines/rules/options.ts';
import type { Setting, Table } from '../machines/rules/table.ts';
import { COLOURS } from '../machines/types.ts';

const world = meetingWorld({ faults: true, departures: 0, stops: false });

export function smallTable(players: number): Model<Table, ToMeeting> & { readonly input: Setting } {
  const colours = COLOURS.slice(0, players);
  const input: Setting = {
    chance: { seed: 1, meeting: 0 },
    options: { ...defaultOptions(players), patience: 2 },
    seats: colours.map((colour, index) => ({
      colour,
      role: index === 0 ? 'impostor' : 'crewmate',
    })),
    call: {
      by: 'red',
      kind: 'button',
      body: null,
      place: null,
      buttonsLeft: 1,
      cooldown: 0,
      crisis: null,
    },
    circumstances: QUIET,
    standings: Object.fromEntries(colours.map((colour) => [colour, 'living'])),
  };
  return { name: `a meeting of ${players}`, machine: meetingMachine, input, world, promises: [] };
}
