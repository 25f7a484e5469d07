/** Bugs in the rules of the meeting: call, poll, reveal, verdict, end. Each is one text of one source, replaced. */
import type { PlantedBug } from './bug.ts';

export const MEETING_RULE_BUGS: readonly PlantedBug[] = [
  {
    name: 'fourth-bid-lost',
    cause: 'only the first three bids of a tick are taken',
    source: 'machines/rules/meeting.ts',
    find: 'for (const bid of closed.bids) {',
    replace: 'for (const bid of closed.bids.slice(0, 3)) {',
  },
  {
    name: 'tie-of-three',
    cause: 'a tie of three or more goes to the first of them',
    source: 'machines/rules/meeting.ts',
    find: 'const leader = leaders.length === 1 ? leaders[0]?.candidate : undefined;',
    replace: 'const leader = leaders.length !== 2 ? leaders[0]?.candidate : undefined;',
  },
  {
    name: 'majority',
    cause: 'the leader needs more than half of the votes cast',
    source: 'machines/rules/meeting.ts',
    find: 'const leader = leaders.length === 1 ? leaders[0]?.candidate : undefined;',
    replace: `const cast = counts.reduce((sum, { votes }) => sum + votes, 0);
  const leader = leaders.length === 1 && most * 2 > cast ? leaders[0]?.candidate : undefined;`,
  },
  {
    name: 'time-and-all',
    cause: 'reason of the closing: time wins where the last ballot comes in the last tick',
    source: 'machines/rules/meeting.ts',
    find: `const reason: Closing = isPollComplete(table) ? 'everyone-voted' : 'time-up';`,
    replace: `const reason: Closing = table.due === 'time-up' ? 'time-up' : 'everyone-voted';`,
  },
  {
    name: 'record-early',
    cause:
      'the result counts as public as soon as it is counted (a stop in the reveal hands it out)',
    source: 'machines/rules/meeting.ts',
    find: 'return poll !== null && outcome !== null && revealed >= revealOrder(poll).length;',
    replace: 'return poll !== null && outcome !== null;',
  },
  {
    name: 'stop-keeps-ejected',
    cause: 'a stop leaves the ejected of the count on the table',
    source: 'machines/rules/meeting.ts',
    find: 'changes: { outcome: stands, ejected: isAnnounced(table) ? table.ejected : null },',
    replace: 'changes: { outcome: stands },',
  },
  {
    name: 'missed-two',
    cause: 'only two of those who missed the poll are named',
    source: 'machines/rules/meeting.ts',
    find: 'missed: living.filter((colour) => ballots[colour] === undefined),',
    replace: 'missed: living.filter((colour) => ballots[colour] === undefined).slice(0, 2),',
  },
  {
    name: 'void-of-candidate',
    cause: "a turned ballot is void where the candidate's own ballot is, not the voter's",
    source: 'machines/rules/meeting.ts',
    find: 'void: poll.void.includes(voter) };',
    replace: `void: ballot !== 'skip' && poll.void.includes(ballot) };`,
  },
  {
    name: 'line-of-caller',
    cause: 'the mechanical line gives each player the ballot of the caller',
    source: 'machines/rules/meeting.ts',
    find: 'return writeMechanicalLine(table.ballots[seat],',
    replace: 'return writeMechanicalLine(table.ballots[table.call.by] ?? table.ballots[seat],',
  },
  {
    name: 'skip-tie-ejects',
    cause: 'in a tie of a player with skip the player is ejected',
    source: 'machines/rules/meeting.ts',
    find: 'const leaders = counts.filter(({ votes }) => votes === most);',
    replace: `const first = counts.filter(({ votes }) => votes === most);
  const leaders = first.length === 2 ? first.filter(({ candidate }) => candidate !== 'skip') : first;`,
  },
  {
    name: 'leader-void-counted',
    cause: 'void ballots are counted',
    source: 'machines/rules/meeting.ts',
    find: 'return voters.filter((voter) => !poll.void.includes(voter)).length;',
    replace: 'return voters.length;',
  },
  {
    name: 'leaver-dead',
    cause: 'who leaves after the poll is dead, not departed',
    source: 'machines/rules/meeting.ts',
    find: `changes: { standings: withEntry(table.standings, seat, 'departed') },`,
    replace: `changes: { standings: withEntry(table.standings, seat, 'dead') },`,
  },
  {
    name: 'ejected-leaver-dies',
    cause: 'an ejected player who left during the reveal is set to dead',
    source: 'machines/rules/meeting.ts',
    find: `    ejected === null || table.standings[ejected] !== 'living'
`,
    replace: `    ejected === null
`,
  },
  {
    name: 'verdict-skip-as-tie',
    cause: 'the verdict calls a skip a tie',
    source: 'machines/rules/meeting.ts',
    find: `facts: [{ type: 'verdict.announced', sentence: spoken, outcome, ejected }],`,
    replace: `facts: [{ type: 'verdict.announced', sentence: spoken, outcome: ejected === null ? 'tie' : outcome, ejected }],`,
  },
  {
    name: 'deserted-no-ballots',
    cause: 'a poll without any ballot counts as deserted',
    source: 'machines/rules/meeting.ts',
    find: 'deserted: living.length === 0,',
    replace: 'deserted: living.length === 0 || seatsWith(ballots, () => true).length === 0,',
  },
  {
    name: 'gone-ballot-void',
    cause: 'house: the ballot of a player who left is void',
    source: 'machines/rules/meeting.ts',
    find: 'void: seatsWith(ballots, (ballot) => isVoid(ballot, standings)),',
    replace: `void: seatsWith(ballots, () => true).filter((voter) => { const ballot = ballots[voter]; return ballot !== undefined && (isVoid(ballot, standings) || standings[voter] !== 'living'); }),`,
  },
  {
    name: 'consolidation-second',
    cause:
      'consolidation takes the n-th bid for the n-th living player, also where a player has left since',
    source: 'machines/rules/meeting.ts',
    find: 'const bid = closed.bids.find((candidate) => candidate.seat === seat);',
    replace: 'const bid = closed.bids[livingSeats(table).indexOf(seat)];',
  },
  {
    name: 'floor-of-leaver',
    cause: 'a player who left in the open tick keeps the floor',
    source: 'machines/rules/meeting.ts',
    find: 'decision: withoutLeaver(table, closed.decision) },',
    replace: 'decision: closed.decision },',
  },
  {
    name: 'faulter-has-floor',
    cause: "hits of a leaver's message stay in the decision",
    source: 'machines/rules/meeting.ts',
    find: `if (table.standings[verdict.floor] === 'living') return verdict;
  return { ...verdict, floor: null, tieBreak: null, said: null, hits: [] };`,
    replace: `if (table.standings[verdict.floor] === 'living') return verdict;
  return { ...verdict, floor: null, tieBreak: null, said: null };`,
  },
  {
    name: 'clock-one-late',
    cause: 'classic: the clock is one tick late',
    source: 'machines/rules/meeting.ts',
    find: 'due: dueAfter(table.options, closed.tick + 1) },',
    replace: 'due: dueAfter(table.options, closed.tick) },',
  },
  {
    name: 'closed-streaks',
    cause: 'streaks of faults are kept after the poll',
    source: 'machines/rules/meeting.ts',
    find: 'changes: { poll, streaks: {} },',
    replace: 'changes: { poll },',
  },
  {
    name: 'reveal-without-void',
    cause: 'void ballots are not turned',
    source: 'machines/rules/meeting.ts',
    find: 'return seatsWith(poll.ballots, () => true);',
    replace:
      'return seatsWith(poll.ballots, () => true).filter((voter) => !poll.void.includes(voter));',
  },
  {
    name: 'reveal-last-missing',
    cause: 'from three ballots on the last is not turned',
    source: 'machines/rules/meeting.ts',
    find: 'ballotAt(table.poll, table.revealed, false) === null;',
    replace: 'ballotAt(table.poll, table.revealed + Number(table.revealed >= 2), false) === null;',
  },
  {
    name: 'index-of-reveal',
    cause: 'index of the third ballot and later is 1',
    source: 'machines/rules/meeting.ts',
    find: 'index: revealed, by: known.voter,',
    replace: 'index: Math.min(revealed, 1), by: known.voter,',
  },
  {
    name: 'held-null',
    cause: 'the record keeps no result of meetings that ejected no player',
    source: 'machines/rules/meeting.ts',
    find: `result: isResultPublic(table) ? announcedResult(table, table.options) : null,
  };
}

/** The reaction`,
    replace: `result: table.ejected !== null && isResultPublic(table) ? announcedResult(table, table.options) : null,
  };
}

/** The reaction`,
  },
  {
    name: 'record-ballots-short',
    cause: 'the announced result shows two ballots at most',
    source: 'machines/rules/meeting.ts',
    find: 'const order = poll === null ? [] : revealOrder(poll);',
    replace: 'const order = poll === null ? [] : revealOrder(poll).slice(0, 2);',
  },
  {
    name: 'missed-with-gone',
    cause: 'who is gone without a ballot counts as having missed the poll',
    source: 'machines/rules/meeting.ts',
    find: 'missed: living.filter((colour) => ballots[colour] === undefined),',
    replace:
      'missed: COLOURS.filter((colour) => standings[colour] !== undefined && ballots[colour] === undefined),',
  },
  {
    name: 'empty-as-tie',
    cause: 'a deserted poll ends as a tie or skip, not as empty',
    source: 'machines/rules/meeting.ts',
    find: `return poll.deserted
`,
    replace: `return false as boolean
`,
  },
  {
    name: 'departed-must-vote',
    cause: 'who has left must still vote',
    source: 'machines/rules/meeting.ts',
    find: `standing !== 'living' || ballots[seat] !== undefined,`,
    replace: `standing === 'dead' || ballots[seat] !== undefined,`,
  },
  {
    name: 'announced-anonymous',
    cause: 'anonymous votes show the voter',
    source: 'machines/rules/meeting.ts',
    find: 'voter: anonymous ? null : voter, ballot',
    replace: 'voter: voter, ballot',
  },
  {
    name: 'budget-takes-back',
    cause: 'a budget takes back what the operator asked for',
    source: 'machines/rules/meeting.ts',
    find: 'changes: { outcome: stands, ejected: isAnnounced(table) ? table.ejected : null },',
    replace: 'changes: { outcome, ejected: isAnnounced(table) ? table.ejected : null },',
  },
  {
    name: 'tick-fact-last',
    cause: 'tick.closed is announced after what its bids did',
    source: 'machines/rules/meeting.ts',
    find: `      { ...closed, type: 'tick.closed', decision: withoutLeaver(table, closed.decision) },
      ...facts,`,
    replace: `      ...facts,
      { ...closed, type: 'tick.closed', decision: withoutLeaver(table, closed.decision) },`,
  },
  {
    name: 'counts-sorted',
    cause: 'counts are announced with the fewest votes first',
    source: 'machines/rules/meeting.ts',
    find: `facts: [{ type: 'poll.counted', counts, outcome, ejected }],`,
    replace: `facts: [{ type: 'poll.counted', counts: counts.toSorted((a, b) => a.votes - b.votes), outcome, ejected }],`,
  },
  {
    name: 'reveal-farewell-pads',
    cause: 'consolidation is announced for the dead and gone, too',
    source: 'machines/rules/meeting.ts',
    find: 'for (const seat of livingSeats(table)) {',
    replace: 'for (const { colour: seat } of table.seats) {',
  },
  {
    name: 'wrong-pad',
    cause: "consolidation keeps the meeting's page instead of the main one",
    source: 'machines/rules/meeting.ts',
    find: '(bid.reply.pads.main ?? null)',
    replace: '(bid.reply.pads.meeting ?? bid.reply.pads.main ?? null)',
  },
  {
    name: 'remaining-before',
    cause: 'remaining impostors are those before the ejection',
    source: 'machines/rules/meeting.ts',
    find: `remaining: impostors.filter(({ colour }) => standings[colour] === 'living').length,`,
    replace: `remaining: impostors.filter(({ colour }) => table.standings[colour] === 'living').length,`,
  },
  {
    name: 'role-of-first',
    cause: 'the sentence says the role of the first seat',
    source: 'machines/rules/meeting.ts',
    find: 'role: table.seats.find(({ colour }) => colour === table.ejected)?.role ?? null,',
    replace: 'role: table.ejected === null ? null : (table.seats[0]?.role ?? null),',
  },
  {
    name: 'button-boundary',
    cause: 'the button works with no meeting left',
    source: 'machines/rules/meeting.ts',
    find: 'if (buttonsLeft <= 0)',
    replace: 'if (buttonsLeft < 0)',
  },
  {
    name: 'stop-fact-stands',
    cause: "a budget after the operator's stop is announced as the operator's",
    source: 'machines/rules/meeting.ts',
    find: `facts: [{ type: 'stop.requested', outcome, during }],`,
    replace: `facts: [{ type: 'stop.requested', outcome: stands, during }],`,
  },
  {
    name: 'ejected-leaver-null',
    cause: 'the verdict names no player where the ejected left during the reveal',
    source: 'machines/rules/meeting.ts',
    find: `  const ejected = table.ejected;
  const standings =`,
    replace: `  const ejected = table.ejected !== null && table.standings[table.ejected] === 'living' ? table.ejected : null;
  const standings =`,
  },
  {
    name: 'count-from-table',
    cause: 'the count judges voids again: who leaves between closing and count changes it',
    source: 'machines/rules/meeting.ts',
    find: '} = resultOf(table.poll);',
    replace: '} = resultOf(fixPoll(table.ballots, table.standings));',
  },
  {
    name: 'turn-void-now',
    cause: 'a ballot is turned void where its candidate left during the reveal',
    source: 'machines/rules/meeting.ts',
    find: 'by: known.voter, ...shown }],',
    replace: `by: known.voter, ...shown, void: shown.void || (shown.ballot !== 'skip' && table.standings[shown.ballot] !== 'living') }],`,
  },
  {
    name: 'skip-first-in-counts',
    cause: 'skip comes first in the counts',
    source: 'machines/rules/meeting.ts',
    find: `= [...COLOURS, 'skip'];`,
    replace: `= ['skip', ...COLOURS];`,
  },
  {
    name: 'one-vote-cannot-eject',
    cause: 'a single vote ejects no player',
    source: 'machines/rules/meeting.ts',
    find: 'const leader = leaders.length === 1 ? leaders[0]?.candidate : undefined;',
    replace: 'const leader = leaders.length === 1 && most > 1 ? leaders[0]?.candidate : undefined;',
  },
  {
    name: 'self-votes-uncounted',
    cause: 'votes for oneself are not counted',
    source: 'machines/rules/meeting.ts',
    find: 'return voters.filter((voter) => !poll.void.includes(voter)).length;',
    replace:
      'return voters.filter((voter) => voter !== candidate && !poll.void.includes(voter)).length;',
  },
  {
    name: 'pads-of-consolidation-doubled',
    cause: 'pads of the consolidation are announced twice, as consolidated and as updated',
    source: 'machines/rules/meeting.ts',
    find: `    facts.push({ type: 'scratchpads.consolidated', seat, main, line });
  }`,
    replace: `    facts.push({ type: 'scratchpads.consolidated', seat, main, line });
  }
  facts.push(...padFacts(closed.bids));`,
  },
  {
    name: 'consolidate-without-silent',
    cause: 'who fails in the consolidation gets no line',
    source: 'machines/rules/meeting.ts',
    find: `    const main = bid?.type === 'reply'`,
    replace: `    if (bid?.type === 'fault') continue;
    const main = bid?.type === 'reply'`,
  },
  {
    name: 'empty-main',
    cause: 'an empty main page is taken for none',
    source: 'machines/rules/meeting.ts',
    find: '(bid.reply.pads.main ?? null)',
    replace: '(bid.reply.pads.main || null)',
  },
  {
    name: 'line-outcome',
    cause: 'the line of a meeting without a count says tie',
    source: 'machines/rules/meeting.ts',
    find: `table.outcome ?? 'unconverged', table.ejected);`,
    replace: `table.poll === null ? 'tie' : (table.outcome ?? 'unconverged'), table.ejected);`,
  },
  {
    name: 'keeps-tick',
    cause: 'the table keeps the number of the tick (grows without bound)',
    source: 'machines/rules/meeting.ts',
    find: 'due: dueAfter(table.options, closed.tick + 1) },',
    replace:
      'due: dueAfter(table.options, closed.tick + 1), ...({ passed: closed.tick + 1 } as object) },',
  },
  {
    name: 'keeps-speaker',
    cause: 'the table keeps who spoke last',
    source: 'machines/rules/meeting.ts',
    find: 'due: dueAfter(table.options, closed.tick + 1) },',
    replace:
      'due: dueAfter(table.options, closed.tick + 1), ...({ lastSpeaker: closed.decision?.floor ?? null } as object) },',
  },
  {
    name: 'record-call-by-dead',
    cause: 'a player who has left may call',
    source: 'machines/rules/meeting.ts',
    find: `if (standings[by] !== 'living')`,
    replace: `if (standings[by] === 'dead')`,
  },
  {
    name: 'body-living',
    cause: 'a report may name a living player',
    source: 'machines/rules/meeting.ts',
    find: `if (standing === 'dead' || standing === 'departed') return null;`,
    replace: 'if (standing !== undefined) return null;',
  },
  {
    name: 'body-departed',
    cause: 'a body whose ghost has left cannot be reported',
    source: 'machines/rules/meeting.ts',
    find: `if (standing === 'dead' || standing === 'departed') return null;`,
    replace: `if (standing === 'dead') return null;`,
  },
  {
    name: 'crisis-ignored',
    cause: "a crisis doesn't block the last button",
    source: 'machines/rules/meeting.ts',
    find: 'if (crisis !== null)',
    replace: 'if (crisis !== null && buttonsLeft > 1)',
  },
  {
    name: 'cooldown-boundary',
    cause: 'the button works one second too early',
    source: 'machines/rules/meeting.ts',
    find: 'if (cooldown > 0)',
    replace: 'if (cooldown > 1)',
  },
  {
    name: 'refused-outcome',
    cause: 'a refused call ends as unconverged',
    source: 'machines/rules/meeting.ts',
    find: `return { changes: { outcome: 'refused' }, facts };`,
    replace: 'return { changes: {}, facts };',
  },
  {
    name: 'running-before-over',
    cause: 'a report is taken while a meeting is running',
    source: 'machines/rules/meeting.ts',
    find: 'if (circumstances.meetingRunning)',
    replace: `if (circumstances.meetingRunning && call.kind === 'button')`,
  },
  {
    name: 'held-call-place',
    cause: 'the record forgets the body of the call',
    source: 'machines/rules/meeting.ts',
    find: `    call: { by, kind, body, place },
    result`,
    replace: `    call: { by, kind, body: place === null ? body : null, place },
    result`,
  },
  {
    name: 'closed-fact-outcome',
    cause: 'meeting.closed names no player where the verdict was not announced',
    source: 'machines/rules/meeting.ts',
    find: `type: 'meeting.closed', outcome: outcome ?? 'unconverged', ejected }],`,
    replace: `type: 'meeting.closed', outcome: outcome ?? 'unconverged', ejected: table.remaining === null ? null : ejected }],`,
  },
  {
    name: 'turning-skip-two',
    cause: 'the third ballot is passed over',
    source: 'machines/rules/meeting.ts',
    find: 'changes: { revealed: revealed + 1 },',
    replace: 'changes: { revealed: revealed + (revealed === 1 ? 2 : 1) },',
  },
  {
    name: 'poll-void-missing-fact',
    cause: 'poll.closed names only one of the void ballots',
    source: 'machines/rules/meeting.ts',
    find: 'reason, missed: poll.missed, void: poll.void }],',
    replace: 'reason, missed: poll.missed, void: poll.void.slice(0, 1) }],',
  },
  {
    name: 'poll-living-only',
    cause: 'house: the poll drops ballots of those who left',
    source: 'machines/rules/meeting.ts',
    find: `  return {
    ballots,
    void:`,
    replace: `  return {
    ballots: Object.fromEntries(Object.entries(ballots).filter(([seat]) => standings[seat as Colour] === 'living')),
    void:`,
  },
  {
    name: 'reaction-tick-pads',
    cause: 'notes of the reaction are kept of the last two bids only',
    source: 'machines/rules/meeting.ts',
    find: '...padFacts(closed.bids)] };',
    replace: '...padFacts(closed.bids.slice(-2))] };',
  },
  {
    name: 'poll-missed-fact',
    cause: 'poll.closed names only one of those who missed (in the fact alone)',
    source: 'machines/rules/meeting.ts',
    find: 'reason, missed: poll.missed, void: poll.void }],',
    replace: 'reason, missed: poll.missed.slice(0, 1), void: poll.void }],',
  },
  {
    name: 'counted-fact-ejected',
    cause: 'poll.counted names no player where the caller is ejected (in the fact alone)',
    source: 'machines/rules/meeting.ts',
    find: `facts: [{ type: 'poll.counted', counts, outcome, ejected }],`,
    replace: `facts: [{ type: 'poll.counted', counts, outcome, ejected: table.call.by === ejected ? null : ejected }],`,
  },
  {
    name: 'counted-fact-short',
    cause: 'poll.counted has two candidates at most (in the fact alone)',
    source: 'machines/rules/meeting.ts',
    find: `facts: [{ type: 'poll.counted', counts, outcome, ejected }],`,
    replace: `facts: [{ type: 'poll.counted', counts: counts.slice(0, 2), outcome, ejected }],`,
  },
  {
    name: 'stop-takes-verdict-back',
    cause: 'a stop after the verdict takes it back, although the player is dead',
    source: 'machines/rules/meeting.ts',
    find: 'changes: { outcome: stands, ejected: isAnnounced(table) ? table.ejected : null },',
    replace: 'changes: { outcome: stands, ejected: null },',
  },
  {
    name: 'record-has-the-end',
    cause: 'the record of a meeting that is stopped after the verdict says that it was a tie',
    source: 'machines/rules/meeting.ts',
    find: 'const { outcome, ejected } = poll !== null && isAnnounced(table) ? resultOf(poll) : table;',
    replace: 'const { outcome, ejected } = table;',
  },
  {
    name: 'refusal-ends-the-loop',
    cause: 'the first refused vote of a tick ends the loop over its bids',
    source: 'machines/rules/meeting.ts',
    find: 'if (part !== null) parts.push(part);',
    replace: `if (part !== null) parts.push(part);
    if (part?.voted?.type === 'vote.refused') break;`,
  },
  {
    name: 'speech-loses-votes',
    cause: 'votes of the others are lost when a player speaks',
    source: 'machines/rules/meeting.ts',
    find: 'const part = takeBid(table, closed.requestKind, bid);',
    replace: `const heard = closed.decision?.floor ?? null;
    const isLost = heard !== null && bid.seat !== heard && bid.type === 'reply';
    const part = takeBid(table, closed.requestKind, isLost ? { ...bid, reply: { ...bid.reply, vote: null } } : bid);`,
  },
  {
    name: 'speaker-skips',
    cause: 'the vote of the player who speaks is taken for a skip',
    source: 'machines/rules/meeting.ts',
    find: 'const part = takeBid(table, closed.requestKind, bid);',
    replace: `const speaks = closed.decision?.floor === bid.seat && bid.type === 'reply' && bid.reply.vote !== null;
    const part = takeBid(table, closed.requestKind, speaks ? { ...bid, reply: { ...bid.reply, vote: 'skip' } } : bid);`,
  },
  {
    name: 'sentence-role',
    cause: 'the sentence says the wrong role',
    source: 'machines/rules/meeting.ts',
    find: `const not = unmasked.role === 'impostor' ? '' : 'not ';`,
    replace: `const not = unmasked.role === 'impostor' ? 'not ' : '';`,
  },
];
