/** Bugs in what meeting and arbiter share: views, seats, the floor, scratchpads. Each is one text of one source, replaced. */
import type { PlantedBug } from './bug.ts';

export const OTHER_RULE_BUGS: readonly PlantedBug[] = [
  {
    name: 'seats-unsorted',
    cause:
      'seats are read in the order of entry, not of colours (reveal in the order in which votes were cast)',
    source: 'machines/rules/seats.ts',
    find: 'return isInOrder ? seats : seats.sort((one, other) => rankOf(one) - rankOf(other));',
    replace: 'return seats;',
  },
  {
    name: 'mutating-entry',
    cause: 'withEntry writes into the old table',
    source: 'machines/rules/seats.ts',
    find: 'const changed: Partial<Record<Colour, Entry>> = { ...record };',
    replace: 'const changed = record as Partial<Record<Colour, Entry>>;',
  },
  {
    name: 'table-voted',
    cause: 'the public table hides that a player who left had voted',
    source: 'machines/rules/views.ts',
    find: 'voted: table.ballots[colour] !== undefined,',
    replace: `voted: table.ballots[colour] !== undefined && table.standings[colour] === 'living',`,
  },
  {
    name: 'table-announced',
    cause: 'in the reaction no player sees the result where no player was ejected',
    source: 'machines/rules/views.ts',
    find: 'announced: isResultPublic(table) ? announcedResult(table, table.options) : null,',
    replace:
      'announced: isResultPublic(table) && table.ejected !== null ? announcedResult(table, table.options) : null,',
  },
  {
    name: 'draw-by-seat',
    cause: 'equal bids are settled by seat, not by draw',
    source: 'machines/rules/floor.ts',
    find: `return { order: draws(one.seat) - draws(other.seat), by: 'draw' };`,
    replace: `return { order: 1, by: 'draw' };`,
  },
  {
    name: 'line-skip-for-missed',
    cause: 'the line says skip where a vote was missed',
    source: 'machines/rules/pads.ts',
    find: `ballot === undefined ? 'I did not vote' :`,
    replace: `ballot === undefined ? 'I voted skip' :`,
  },
  {
    name: 'sort-adjacent',
    cause: 'the order of seats is mended only where neighbours are exchanged',
    source: 'machines/rules/seats.ts',
    find: 'if (rank < last) isInOrder = false;',
    replace: 'if (rank === last - 1) isInOrder = false;',
  },
  {
    name: 'table-standing',
    cause: 'the public table shows those who left as dead',
    source: 'machines/rules/views.ts',
    find: `      standing: table.standings[colour] ?? 'departed',
      voted`,
    replace: `      standing: table.standings[colour] === 'departed' ? 'dead' : (table.standings[colour] ?? 'departed'),
      voted`,
  },
  {
    name: 'table-votes-open',
    cause: 'classic: the public table says that votes are open in the discussion',
    source: 'machines/rules/views.ts',
    find: 'votesOpen: isVotingOpen(table.options, requestKind),',
    replace: 'votesOpen: table.poll === null,',
  },
  {
    name: 'table-body',
    cause: 'the public table hides whose body was reported',
    source: 'machines/rules/views.ts',
    find: 'call: { by, kind, body, place },',
    replace: 'call: { by, kind, body: null, place },',
  },
  {
    name: 'silence-inverted',
    cause: 'equal totals go to who spoke last',
    source: 'machines/rules/floor.ts',
    find: `return { order: one.silentTicks - other.silentTicks, by: 'silence' };`,
    replace: `return { order: other.silentTicks - one.silentTicks, by: 'silence' };`,
  },
  {
    name: 'called-on-blank',
    cause: 'a blank bid never competes, even called on',
    source: 'machines/rules/floor.ts',
    find: `eligible: bid.type === 'reply' && (calledOn || !isBlank(bid.reply.message)),`,
    replace: `eligible: bid.type === 'reply' && !isBlank(bid.reply.message),`,
  },
  {
    name: 'blank-resets-not',
    cause: 'no-op control: reads the same (equivalent)',
    source: 'machines/rules/floor.ts',
    find: 'lastSpoke: { ...floor.lastSpoke, [said.speaker]: said.tick },',
    replace:
      'lastSpoke: floor.tick % 2 === 0 || said.tick > 0 ? { ...floor.lastSpoke, [said.speaker]: said.tick } : floor.lastSpoke,',
  },
  {
    name: 'speaker-forgotten',
    cause: 'only the last speaker is remembered',
    source: 'machines/rules/floor.ts',
    find: 'lastSpoke: { ...floor.lastSpoke, [said.speaker]: said.tick },',
    replace: 'lastSpoke: { [said.speaker]: said.tick },',
  },
  {
    name: 'line-of-no-vote',
    cause: 'the line of the scratchpad says skip for a missed vote',
    source: 'machines/rules/pads.ts',
    find: `const vote = ballot === undefined ? 'I did not vote' : \`I voted \${ballot}\`;`,
    replace: `const vote = ballot === undefined ? 'I voted skip' : \`I voted \${ballot}\`;`,
  },
];
