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
  {
    path: 'machines/rules/tick.ts',
    why: 'in classic there is a tick after which ballots are asked for: the default is for the types',
    mutants: [
      "const openAfter = options.rules === 'house' ? 0 : (asked ?? 0); [0 → -1] (2)",
      "const openAfter = options.rules === 'house' ? 0 : (asked ?? 0); [0 → 1] (2)",
    ],
  },
  {
    path: 'machines/rules/tick.ts',
    why: 'streaks without the seat are as they were: only whether they are copied differs',
    mutants: [
      'if (streaks[seat] === undefined) return streaks; [streaks[seat] === undefined → false]',
      'if (streaks !== settled.streaks) settled = { ...settled, streaks }; [streaks !== settled.streaks → true]',
    ],
  },
  {
    path: 'machines/rules/tick.ts',
    why: 'a streak that is not above 0 is none',
    mutants: ['const streaks = withStreak(table.streaks, seat, 0); [0 → -1]'],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'the higher of two is the same in any order, and so is what settled it between two',
    mutants: [
      '(high, bid) => (bid.eligible ? Math.max(high, bid.total) : high), [high, bid.total → bid.total, high]',
      '.map((rival) => TIE_BREAKS.indexOf(compareEquals(winner, rival, draws).by)); [winner, rival → rival, winner]',
    ],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'two draws of 32 bits are not equal but by the rarest chance, and then either may win',
    mutants: [
      '(best, rival) => (best === null || compareEquals(rival, best, draws).order > 0 ? rival : best), [> → >=]',
      '(best, rival) => (best === null || compareEquals(rival, best, draws).order > 0 ? rival : best), [0 → -1]',
      'if (best !== null && (rank < best.rank || (rank === best.rank && draw <= best.draw))) continue; [<= → <]',
    ],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'a text that is short in any case is not measured: it would come out as it is',
    mutants: [
      'if (text.length * WIDE <= limit * PER_TOKEN) return text; [text.length * WIDE <= limit * PER_TOKEN → false]',
      'if (text.length * WIDE <= limit * PER_TOKEN) return text; [<= → <]',
      'if (text.length * WIDE <= limit * PER_TOKEN) return text; [* → /] (2)',
    ],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'within a text there is a character: the default is for the types',
    mutants: [
      'const point = text.codePointAt(end) ?? 0; [0 → -1]',
      'const point = text.codePointAt(end) ?? 0; [0 → 1]',
    ],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'no tick comes before 0',
    mutants: ['const since = lastSpoke ?? -1; [1 → 2]'],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'a player is boosted by no message of their own',
    mutants: ['t > since && hits.some((hit) => hit.seat === seat && hit.kind === kind), [> → >=]'],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'no number is undefined: the comparison says the same, and the question says why',
    mutants: [
      'justSpoke: lastSpoke !== undefined && lastSpoke === floor.tick - 1, [lastSpoke !== undefined && lastSpoke === floor.tick - 1 → lastSpoke === floor.tick - 1]',
    ],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'to publish a message does not count the tick, so the books say the same',
    mutants: [
      'const nudge = findNudgeReason(options, { ...spoken, tick: floor.tick }); [tick: floor.tick → left out]',
    ],
  },
  {
    path: 'machines/rules/floor.ts',
    why: 'the draw of a die is no part of a score: it is asked for where totals are equal',
    mutants: [
      'const die = gathered.dice[bid.seat] ?? { face: 1, draw: 0 }; [0 → -1]',
      'const die = gathered.dice[bid.seat] ?? { face: 1, draw: 0 }; [0 → 1]',
    ],
  },
  {
    path: 'machines/charts/meeting.ts',
    why: 'the name of a timer is for taking it back, and nothing takes this one back: it ends with its state',
    mutants: [
      "cueCount: base.raise({ type: 'poll.counted' }, { delay: 'beat', id: 'count' }), [id: 'count' → left out]",
    ],
  },
  {
    path: 'machines/charts/meeting.ts',
    why: 'both must hold, in whatever order they are asked',
    mutants: [
      "guard: and(['everyoneVoted', 'isStopped']), ['everyoneVoted', 'isStopped' → 'isStopped', 'everyoneVoted']",
    ],
  },
  {
    path: 'machines/charts/meeting.ts',
    why: 'every transition to the vote names the state within it; XState wants a first one all the same',
    mutants: ["initial: 'polling', [polling → counting]"],
  },
  {
    path: 'machines/charts/meeting.ts',
    why: 'tags have no order',
    mutants: ["tags: ['talk', 'ballots'], ['talk', 'ballots' → 'ballots', 'talk']"],
  },
  {
    path: 'machines/charts/meeting.ts',
    why: 'a timer fires after the step in which it is set, wherever it stands in it',
    mutants: [
      "entry: ['closePoll', 'cueCount'], ['closePoll', 'cueCount' → 'cueCount', 'closePoll']",
    ],
  },
  {
    path: 'machines/charts/meeting.ts',
    why: 'every meeting that is over has an outcome: the default is for the types',
    mutants: ["outcome: context.outcome ?? 'unconverged', ['unconverged' → 'interrupted']"],
  },
  {
    path: 'machines/charts/arbiter.ts',
    why: 'bids are gathered for a tick that is open: the default is for the types',
    mutants: [
      "const requestKind = books.opened?.table.requestKind ?? 'discussion'; ['discussion' → 'voting']",
    ],
  },
  {
    path: 'machines/charts/arbiter.ts',
    why: 'a message to the meeting is delivered behind the step, wherever it stands in it',
    mutants: [
      "actions: ['judge', 'releaseMissing'], ['judge', 'releaseMissing' → 'releaseMissing', 'judge']",
    ],
  },
  {
    path: 'machines/charts/arbiter.ts',
    why: 'an event that is not heard does nothing either: it stands there to say that this is meant',
    mutants: [
      "'seat.vacated': { description: 'Nobody waits for them.' }, ['seat.vacated': { description: 'Nobody waits for them.' }, → left out]",
    ],
  },
  {
    path: 'machines/rules/record.ts',
    why: 'an ejection that was confirmed says how many remain, and so was found before this is asked',
    mutants: [
      '({ result }) => result === null || result.ejected === null || result.role !== null, [result === null || result.ejected === null || result.role !=… → result === null || result.ejected === null]',
    ],
  },
  {
    path: 'machines/rules/record.ts',
    why: 'nothing and null filter out as false does',
    mutants: [
      "if (standing === undefined || standing === 'living') return false; [false → null]",
      "if (standing === undefined || standing === 'living') return false; [return false; → return;]",
    ],
  },
  {
    path: 'machines/charts/player.ts',
    why: 'a round in which nothing was done adds no deeds: only whether the list is copied differs',
    mutants: [
      'return done.length === 0 ? { memory } : { memory, deeds: [...context.deeds, ...done] }; [done.length === 0 → false]',
      'return done.length === 0 ? { memory } : { memory, deeds: [...context.deeds, ...done] }; [0 → -1]',
    ],
  },
  {
    path: 'machines/charts/player.ts',
    why: 'no request has a number below 0',
    mutants: ['index: -1, [1 → 2]'],
  },
  {
    path: 'machines/charts/meetingSession.ts',
    why: 'messages find the meeting by its name in the system, and nothing asks for the children of a session',
    mutants: ['id: MEETING, [id: MEETING, → left out]'],
  },
  {
    path: 'machines/charts/meetingSession.ts',
    why: 'a message to the gallery is delivered behind the step, wherever it stands in it',
    mutants: [
      "actions: [base.assign({ result: ({ event }) => event.output }), 'closeGallery'], [base.assign({ result: ({ event }) => event.output }), 'close… → 'closeGallery', base.assign({ result: ({ event }) => event.o…]",
    ],
  },
];
