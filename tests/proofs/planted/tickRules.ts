/** Bugs in the rules of a tick: votes, faults, departures, the clock. Each is one text of one source, replaced. */
import type { PlantedBug } from './bug.ts';

export const TICK_RULE_BUGS: readonly PlantedBug[] = [
  {
    name: 'lock-last-only',
    cause: "of several ballots in one tick only the last bid's is kept",
    source: 'machines/rules/tick.ts',
    find: 'locked ??= { ...opened.ballots };',
    replace: 'locked = { ...opened.ballots };',
  },
  {
    name: 'lock-third-lost',
    cause: 'the third ballot of one tick is announced but not kept',
    source: 'machines/rules/tick.ts',
    find: 'locked[seat] = locks;',
    replace:
      'if (Object.keys(locked).length < Object.keys(opened.ballots).length + 2) locked[seat] = locks;',
  },
  {
    name: 'depart-from-opened',
    cause:
      'a departure by faults is settled on the table as it was opened: ballots and streaks of that tick are lost',
    source: 'machines/rules/tick.ts',
    find: 'settled = recordDeparture(settled,',
    replace: 'settled = recordDeparture(opened,',
  },
  {
    name: 'cleared-first-only',
    cause: 'classic: only the first voter for a leaver is announced cleared',
    source: 'machines/rules/tick.ts',
    find: 'for (const voter of cleared)',
    replace: 'for (const voter of cleared.slice(0, 1))',
  },
  {
    name: 'pads-third-lost',
    cause: 'notes of the third bid of a talk tick are lost',
    source: 'machines/rules/tick.ts',
    find: 'for (const { wrote } of parts) if',
    replace: 'for (const { wrote } of parts.slice(0, 2)) if',
  },
  {
    name: 'streak-kept-on-pass',
    cause: 'a pass does not end the streak of faults, only a vote does',
    source: 'machines/rules/tick.ts',
    find: `const streak = nextStreak(opened.streaks[seat], bid.type === 'fault');`,
    replace: `const streak =
    bid.type === 'fault' || bid.reply.vote !== null
      ? nextStreak(opened.streaks[seat], bid.type === 'fault')
      : (opened.streaks[seat] ?? 0);`,
  },
  {
    name: 'fault-after-departure',
    cause: 'the departure is announced before the fault that caused it',
    source: 'machines/rules/tick.ts',
    find: `    if (faulted !== null) facts.push(faulted);
    if (departs === null) continue;
    settled = recordDeparture(settled, { seat, reason: departs, during: null }, facts);`,
    replace: `    if (departs !== null)
      settled = recordDeparture(settled, { seat, reason: departs, during: null }, facts);
    if (faulted !== null) facts.push(faulted);`,
  },
  {
    name: 'patience-late',
    cause: 'patience is one fault longer',
    source: 'machines/rules/tick.ts',
    find: 'return streak >= patience;',
    replace: 'return streak > patience;',
  },
  {
    name: 'reaction-pads-wrong-seat',
    cause: 'notes of the reaction all go to the first seat',
    source: 'machines/rules/tick.ts',
    find: '(padFact(bid.seat, bid.reply.pads) ?? [])',
    replace: '(padFact(bids[0]?.seat ?? bid.seat, bid.reply.pads) ?? [])',
  },
  {
    name: 'departed-streak',
    cause: 'the streak of a player who is gone is kept',
    source: 'machines/rules/tick.ts',
    find: 'const streaks = withStreak(table.streaks, seat, 0);',
    replace: 'const streaks = table.streaks;',
  },
  {
    name: 'locked-twice',
    cause: 'the same vote again is announced as locked again',
    source: 'machines/rules/tick.ts',
    find: 'if (ballots[voter] !== undefined) {',
    replace: 'if (ballots[voter] !== undefined && ballots[voter] !== vote) {',
  },
  {
    name: 'vote-for-departed',
    cause: 'a vote for a player who has left is taken',
    source: 'machines/rules/tick.ts',
    find: `if (vote === 'skip' || standings[vote] === 'living') return null;`,
    replace: `if (vote === 'skip' || standings[vote] === 'living' || standings[vote] === 'departed') return null;`,
  },
  {
    name: 'faulted-old-streak',
    cause: 'seat.faulted has the streak before this fault',
    source: 'machines/rules/tick.ts',
    find: 'code: bid.code, streak } as const;',
    replace: 'code: bid.code, streak: opened.streaks[seat] ?? 1 } as const;',
  },
  {
    name: 'late-leaves',
    cause: 'who is late once is taken for gone',
    source: 'machines/rules/tick.ts',
    find: `if (code === LEFT) return 'left';`,
    replace: `if (code === LEFT || code === LATE) return 'left';`,
  },
  {
    name: 'left-as-faults',
    cause: 'who got up and left is announced as out of patience',
    source: 'machines/rules/tick.ts',
    find: `if (code === LEFT) return 'left';`,
    replace: `if (code === LEFT) return 'faults';`,
  },
  {
    name: 'classic-keeps-leavers-ballot',
    cause: 'classic: the ballot of the leaver stays',
    source: 'machines/rules/tick.ts',
    find: 'if (ballot === undefined || voter === leaver) continue;',
    replace: 'if (ballot === undefined) continue;',
  },
  {
    name: 'classic-clears-not',
    cause: 'classic: ballots for the leaver are announced cleared but stay',
    source: 'machines/rules/tick.ts',
    find: `    if (ballot === leaver) cleared.push(voter);
    else ballots[voter] = ballot;`,
    replace: `    if (ballot === leaver) cleared.push(voter);
    ballots[voter] = ballot;`,
  },
  {
    name: 'cleared-swapped',
    cause: 'vote.cleared has voter and leaver exchanged',
    source: 'machines/rules/tick.ts',
    find: `type: 'vote.cleared', seat: voter, leaver: seat`,
    replace: `type: 'vote.cleared', seat, leaver: voter`,
  },
  {
    name: 'second-departure-lost',
    cause: 'the second departure of one tick is lost',
    source: 'machines/rules/tick.ts',
    find: 'settled = recordDeparture(settled, { seat, reason: departs, during: null }, facts);',
    replace:
      'if (settled.standings === opened.standings) settled = recordDeparture(settled, { seat, reason: departs, during: null }, facts);',
  },
  {
    name: 'second-departure-streak',
    cause: 'of two who depart in one tick only the first by name departs',
    source: 'machines/rules/tick.ts',
    find: 'departs === null) continue;',
    replace: `departs === null || facts.some((f) => f.type === 'seat.departed' && f.seat < seat)) continue;`,
  },
  {
    name: 'gone-bids-count',
    cause: 'a bid of a player who has left still counts',
    source: 'machines/rules/tick.ts',
    find: `if (opened.standings[seat] !== 'living') return null;`,
    replace: `if (opened.standings[seat] === 'dead') return null;`,
  },
  {
    name: 'classic-votes-always',
    cause: 'classic: votes count in the discussion',
    source: 'machines/rules/tick.ts',
    find: `return requestKind === 'voting' || options.rules === 'house';`,
    replace: `return requestKind === 'voting' || requestKind === 'discussion' || options.rules === 'house';`,
  },
  {
    name: 'refusals-untold',
    cause: 'refused votes are not announced where three or more bid',
    source: 'machines/rules/tick.ts',
    find: 'if (voted !== null) facts.push(voted);',
    replace: `if (voted !== null && (voted.type === 'vote.locked' || parts.length < 3)) facts.push(voted);`,
  },
  {
    name: 'passed-opening',
    cause: 'ballots are asked for one tick late',
    source: 'machines/rules/tick.ts',
    find: `passed < opening) return 'talk';`,
    replace: `passed <= opening) return 'talk';`,
  },
  {
    name: 'voting-end',
    cause: 'the voting lasts one tick longer',
    source: 'machines/rules/tick.ts',
    find: 'passed >= opening + voting ?',
    replace: 'passed > opening + voting ?',
  },
  {
    name: 'clear-first-only',
    cause: 'classic: only the first ballot for the leaver is cleared',
    source: 'machines/rules/tick.ts',
    find: 'if (ballot === leaver) cleared.push(voter);',
    replace: 'if (ballot === leaver && cleared.length === 0) cleared.push(voter);',
  },
  {
    name: 'cleared-before-departed',
    cause: 'cleared votes are announced before the departure that clears them',
    source: 'machines/rules/tick.ts',
    find: `  facts.push({ type: 'seat.departed', ...leaving });
  const { seat } = leaving;
  const { standings, ballots, cleared } = removePlayer(table, seat, table.options.rules);
  for (const voter of cleared) facts.push({ type: 'vote.cleared', seat: voter, leaver: seat });`,
    replace: `  const { seat } = leaving;
  const { standings, ballots, cleared } = removePlayer(table, seat, table.options.rules);
  for (const voter of cleared) facts.push({ type: 'vote.cleared', seat: voter, leaver: seat });
  facts.push({ type: 'seat.departed', ...leaving });`,
  },
  {
    name: 'house-drops-leavers-ballot',
    cause: 'house: the locked ballot of a leaver is taken away',
    source: 'machines/rules/tick.ts',
    find: `if (rules === 'house') return { standings, ballots: presence.ballots, cleared: [] };`,
    replace: `if (rules === 'house') {
    const { [leaver]: _gone, ...ballots } = presence.ballots;
    return { standings, ballots, cleared: [] };
  }`,
  },
  {
    name: 'vote-departed-in-tick',
    cause: 'from the third ballot on votes are said to be not open',
    source: 'machines/rules/tick.ts',
    find: 'const note = isVotingOpen(options, requestKind)',
    replace: 'const note = isVotingOpen(options, requestKind) && Object.keys(ballots).length < 2',
  },
  {
    name: 'refused-wrong-vote',
    cause: 'a refused vote is announced as the locked one',
    source: 'machines/rules/tick.ts',
    find: `({ type: 'vote.refused', seat, vote, note } as const)`,
    replace: `({ type: 'vote.refused', seat, vote: ballots[seat] ?? vote, note } as const)`,
  },
  {
    name: 'note-code',
    cause: 'a vote for a player who left is refused as locked',
    source: 'machines/rules/tick.ts',
    find: `code: 'vote/not-living',`,
    replace: `code: vote === voter ? 'vote/locked' : standings[vote] === 'departed' ? 'vote/locked' : 'vote/not-living',`,
  },
  {
    name: 'fault-code-late',
    cause: 'the code of a second fault is always mind/late',
    source: 'machines/rules/tick.ts',
    find: `const faulted = { type: 'seat.faulted', seat, code: bid.code,`,
    replace: `const faulted = { type: 'seat.faulted', seat, code: streak > 1 ? LATE : bid.code,`,
  },
  {
    name: 'table-clock',
    cause: 'the public clock closes after the voting time alone',
    source: 'machines/rules/tick.ts',
    find: 'closeAfter: isTimed ? asked + voting : null',
    replace: 'closeAfter: isTimed ? voting : null',
  },
  {
    name: 'main-of-two-pads',
    cause: 'notes on one page only are lost',
    source: 'machines/rules/tick.ts',
    find: 'const isEmpty = pads.main === undefined && pads.meeting === undefined;',
    replace: 'const isEmpty = pads.main === undefined || pads.meeting === undefined;',
  },
  {
    name: 'left-ignored',
    cause: 'the fault of a player who left does not disconnect',
    source: 'machines/rules/tick.ts',
    find: `if (code === LEFT) return 'left';`,
    replace: 'if (code === LEFT) return null;',
  },
  {
    name: 'wrote-first',
    cause: 'notes of a tick are announced twice, before the votes as well',
    source: 'machines/rules/tick.ts',
    find: '  for (const { voted } of parts) if (voted !== null) facts.push(voted);',
    replace: `  for (const { wrote } of parts) if (wrote !== null) facts.push(wrote);
  for (const { voted } of parts) if (voted !== null) facts.push(voted);`,
  },
  {
    name: 'patience-capped',
    cause: 'patience is two faults at most',
    source: 'machines/rules/tick.ts',
    find: 'return streak >= patience;',
    replace: 'return streak >= Math.min(patience, 2);',
  },
  {
    name: 'second-pads-lost',
    cause: 'the pages of the second player who writes in a tick are lost',
    source: 'machines/rules/tick.ts',
    find: '  for (const { wrote } of parts) if (wrote !== null) facts.push(wrote);',
    replace: `  const first = parts.find(({ wrote }) => wrote !== null)?.wrote ?? null;
  if (first !== null) facts.push(first);`,
  },
  {
    name: 'refusal-note',
    cause: 'the note of a refused vote names the new vote for the locked one',
    source: 'machines/rules/tick.ts',
    find: 'text: `your vote for ${ballots[voter]} is locked and cannot change`,',
    replace: 'text: `your vote for ${vote} is locked and cannot change`,',
  },
];
