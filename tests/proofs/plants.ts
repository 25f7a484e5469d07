import type { meetingMachine } from '../../machines/charts/meeting.ts';
import { classicTable, type houseTable, type TableOptions } from '../../proofs/models/meeting.ts';
import { RULE_MUTANTS } from '../../proofs/models/ruleMutants.ts';

type Plant = {
  readonly mistake: string;
  readonly property: string;
  readonly trace: readonly string[];
  readonly rules?: (wanted: TableOptions) => ReturnType<typeof houseTable>;
};

export const PLANTS: readonly Plant[] = [
  {
    mistake: 'a second vote replaces the first',
    property: 'vote-lock',
    trace: ['red blue=red', 'red blue=skip'],
  },
  { mistake: 'a fault counts as a skip', property: 'fault-never-votes', trace: ['red blue!'] },
  {
    mistake: 'the dead may be voted for',
    property: 'living-candidates',
    trace: ['red blue!', 'red=blue'],
  },
  {
    mistake: 'the bid of a player who left still votes',
    property: 'gone-never-vote',
    trace: ['red blue!', 'red blue=skip'],
  },
  {
    mistake: 'a tie ejects the first',
    property: 'unique-plurality',
    trace: ['red=red blue=blue', 'poll.counted'],
  },
  {
    mistake: 'void ballots are counted',
    property: 'count',
    trace: ['red=blue blue!', 'poll.counted'],
  },
  {
    mistake: 'closing is only looked at when a vote arrives',
    property: 'closing-is-noticed',
    trace: ['red blue=red', 'red! blue'],
  },
  {
    mistake: 'a missed vote is a skip',
    property: 'poll-as-it-stood',
    trace: ['red blue'],
    rules: classicTable,
  },
  {
    mistake: 'patience lasts one fault longer',
    property: 'departure-has-a-reason',
    trace: ['red blue!', 'red blue!'],
  },
  {
    mistake: 'a player who left is heard',
    property: 'gone-never-speak',
    trace: ['red blue!', 'red blue=skip'],
  },
  {
    mistake: 'the scratchpads are not erased',
    property: 'erased-once',
    trace: [
      ...['red=red blue!', 'poll.counted', 'turning', 'turning', 'announcing', 'nobody', 'nobody'],
    ],
  },
  {
    mistake: 'a player who fails in the consolidation keeps nothing',
    property: 'each-player-keeps-notes',
    trace: ['red=blue blue!', 'poll.counted', 'turning', 'turning', 'announcing', 'nobody', 'red!'],
  },
];

export function planted(mistake: string): typeof meetingMachine {
  const found = RULE_MUTANTS.find((mutant) => mutant.mistake === mistake);
  if (found === undefined) throw new Error(`no rule mutant is called ${mistake}`);
  return found.machine;
}
