import type { meetingMachine } from '../../machines/charts/meeting.ts';
import { classicTable, type houseTable, type TableOptions } from '../../proofs/models/meeting.ts';
import { RULE_MUTANTS } from '../../proofs/models/ruleMutants.ts';

type Plant = [
  mistake: string,
  property: string,
  trace: string,
  rules?: (wanted: TableOptions) => ReturnType<typeof houseTable>,
];

/** A mistake, the property that finds it, and the events of the shortest run after the gathering. */
export const PLANTS: readonly Plant[] = [
  ['a second vote replaces the first', 'vote-lock', 'red blue=red, red blue=skip'],
  ['a fault counts as a skip', 'votes-count-as-cast', 'red blue!'],
  ['the dead may be voted for', 'votes-count-as-cast', 'red blue!, red=blue'],
  ['the bid of a player who left still votes', 'votes-count-as-cast', 'red blue!, red blue=skip'],
  ['a tie ejects the first', 'unique-plurality', 'red=red blue=blue, poll.counted'],
  ['void ballots are counted', 'unique-plurality', 'red=blue blue!, poll.counted'],
  [
    'closing is only looked at when a vote arrives',
    'closing-is-noticed',
    'red blue=red, red! blue',
  ],
  ['a missed vote is a skip', 'poll-as-it-stood', 'red blue', classicTable],
  ['patience lasts one fault longer', 'departure-has-a-reason', 'red blue!, red blue!'],
  ['a player who left is heard', 'ticks-are-announced-as-they-were', 'red blue!, red blue=skip'],
  [
    'the scratchpads are not erased',
    'erased-once',
    'red=red blue!, poll.counted, turning, turning, announcing, nobody, nobody',
  ],
  [
    'a player who fails in the consolidation keeps nothing',
    'erased-once',
    'red=blue blue!, poll.counted, turning, turning, announcing, nobody, red!',
  ],
];

export function planted(mistake: string): typeof meetingMachine {
  const found = RULE_MUTANTS.find(({ name }) => name === mistake);
  if (found === undefined) throw new Error(`no rule mutant is called ${mistake}`);
  return found.machine;
}
