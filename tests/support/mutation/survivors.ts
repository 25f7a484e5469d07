/**
 * Mutants of rules and charts that live, and why that is right. A mutant is named by its line and by what is changed in
 * it; where a line has the same change more than once, by its number as well.
 *
 * A mutant that is here and is noticed, or that there is no more, is an error: nothing is explained that does not happen.
 */
export type Survivors = {
  readonly path: string;
  /** Why no test and no proof can notice. */
  readonly why: string;
  readonly mutants: readonly string[];
};

export const SURVIVORS: readonly Survivors[] = [
  {
    path: 'machines/rules/meeting.ts',
    why: 'only candidates with votes are counted: the most is at least 1, or there is none and nothing has it',
    mutants: [
      'const most = Math.max(0, ...counts.map(({ votes }) => votes)); [0, ...counts.map(({ votes }) => votes) → ...counts.map(({ votes }) => votes), 0]',
      'const most = Math.max(0, ...counts.map(({ votes }) => votes)); [0 → 1]',
      'const most = Math.max(0, ...counts.map(({ votes }) => votes)); [0 → -1]',
    ],
  },
  {
    path: 'machines/rules/meeting.ts',
    why: 'whether there is a ballot to turn does not depend on who may see its voter',
    mutants: [
      'return table.poll === null || ballotAt(table.poll, table.revealed, false) === null; [false → true]',
    ],
  },
  {
    path: 'machines/rules/meeting.ts',
    why: 'a result is announced, and a line written, once there is an outcome: the default is for the types',
    mutants: [
      "const outcome = table.outcome ?? 'tie'; ['tie' → 'skipped']",
      "const result = { outcome: outcome ?? 'unconverged', ejected } as const; ['unconverged' → 'interrupted']",
      "return writeMechanicalLine(table.ballots[seat], table.outcome ?? 'unconverged', table.ejected); ['unconverged' → 'interrupted']",
    ],
  },
  {
    path: 'machines/rules/pads.ts',
    why: 'of a text as long as a page the end that is kept is the whole text',
    mutants: [
      'return text.length <= PAGE_LENGTH ? text : text.slice(text.length - PAGE_LENGTH); [<= → <]',
    ],
  },
  {
    path: 'machines/rules/seats.ts',
    why: 'seats that are in order are sorted once more: only the time differs',
    mutants: [
      'let isInOrder = true; [true → false]',
      'if (rank < last) isInOrder = false; [rank < last → true]',
      'if (rank < last) isInOrder = false; [< → >=]',
      'return isInOrder ? seats : seats.sort((one, other) => rankOf(one) - rankOf(other)); [isInOrder → false]',
    ],
  },
  {
    path: 'machines/rules/seats.ts',
    why: 'no seat stands twice in a record, and none comes before the first',
    mutants: [
      'if (rank < last) isInOrder = false; [< → <=]',
      'let last = -1; [1 → 2]',
      'let last = -1; [1 → 0]',
    ],
  },
];
