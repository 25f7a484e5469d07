import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Lens } from '../../machines/journal/lens.ts';
import { type Line, lineSchema } from '../../machines/journal/lines.ts';
import { countColumns } from '../../visualizer/terminal/layout.ts';
import { createRenderer } from '../../visualizer/terminal/renderer.ts';

const GLASS: Lens = { type: 'glass' };
const TABLE: Lens = { type: 'table' };

const place = { channel: 'living', seq: 0, hash: '' };
const reply = (seat: string, thought: string, message = '') => ({
  seat,
  received: {
    internal_thought: thought,
    desire_to_speak: 5,
    message,
    target: null,
    vote_action: null,
    scratchpad_updates: {},
  },
});
const silent = { floor: null, tie: null, said: null, hits: [], nudge: null, scores: [] };

const MEETING: readonly Record<string, unknown>[] = [
  {
    type: 'match.opened',
    format: 1,
    rulesVersion: 2,
    seed: 7,
    match: {
      name: 'Lights out',
      about: '',
      options: { rules: 'house' },
      call: { by: 'red', report: 'pink' },
      seats: [
        { colour: 'red', persona: { name: 'Ada', temperament: 'leader' } },
        { colour: 'blue', role: 'impostor', persona: { name: 'joker', temperament: 'joker' } },
        { colour: 'green' },
        { colour: 'pink', dead: true },
      ],
    },
  },
  { type: 'gallery.opened', channel: 'ghosts', present: true, budget: 30, minds: {} },
  { type: 'phase.entered', phase: 'interrupt' },
  { type: 'meeting.called', by: 'red', kind: 'body', body: 'pink', place: 'Electrical' },
  { type: 'phase.entered', phase: 'discussion' },
  {
    type: 'tick.closed',
    tick: 0,
    requestKind: 'discussion',
    bids: [
      reply('red', 'Watch Blue.', 'Blue is sus.'),
      reply('blue', ''),
      { seat: 'green', fault: 'mind/late', text: 'late' },
    ],
    scores: [
      { seat: 'red', desire: 5, die: 4, total: 9, eligible: true },
      { seat: 'blue', desire: 5, die: 6, total: 11 },
      { seat: 'green', die: 2, total: 2 },
    ],
    floor: 'red',
    tie: null,
    said: { speaker: 'red', target: 'green', message: 'Blue is sus.', tick: 0 },
    hits: [
      { seat: 'green', kind: 'accusation', word: 'target', reason: 'directed at them' },
      { seat: 'blue', kind: 'mention', word: 'Blue', reason: 'named as a whole word' },
      { seat: 'blue', kind: 'accusation', word: 'sus', reason: 'in the same sentence' },
    ],
    nudge: null,
  },
  { type: 'seat.faulted', seat: 'green', code: 'mind/late', streak: 2 },
  { type: 'scratchpads.updated', seat: 'blue', meeting: 'Red suspects me.' },
  {
    type: 'turn.closed',
    channel: 'ghosts',
    turn: 0,
    requestKind: 'ghost',
    bids: [],
    said: { speaker: 'pink', message: 'Boo.' },
  },
  {
    type: 'tick.closed',
    tick: 1,
    requestKind: 'discussion',
    bids: [
      reply('red', 'Locking Blue.', 'x'),
      reply('blue', 'Deny.', 'No!'),
      reply('green', 'Hm.', ''),
    ],
    scores: [
      { seat: 'red', desire: 5, die: 3, recentSpeaker: -4, voted: -1, total: 3, eligible: true },
      {
        seat: 'blue',
        desire: 7,
        mention: 2,
        accusation: 3,
        silence: 5,
        silentTicks: 5,
        die: 4,
        total: 21,
        eligible: true,
      },
      {
        seat: 'green',
        desire: 0,
        silence: 20,
        silentTicks: 4,
        die: 1,
        total: 21,
        eligible: true,
        calledOn: true,
      },
    ],
    floor: 'blue',
    tie: 'silence',
    said: { speaker: 'blue', message: '', tick: 1 },
    hits: [],
    nudge: 'ticks',
  },
  { type: 'vote.locked', seat: 'red', ballot: 'blue' },
  { type: 'vote.locked', seat: 'blue', ballot: 'skip' },
  { type: 'seat.departed', seat: 'green', reason: 'left', during: null },
  { type: 'poll.closed', reason: 'everyone-voted', missed: [], void: [] },
  {
    type: 'poll.counted',
    counts: [{ candidate: 'blue', votes: 1 }],
    outcome: 'ejected',
    ejected: 'blue',
  },
  { type: 'phase.entered', phase: 'reveal' },
  { type: 'ballot.revealed', index: 0, by: 'red', voter: 'red', ballot: 'blue', void: false },
  { type: 'ballot.revealed', index: 1, by: 'blue', voter: null, ballot: 'skip', void: false },
  { type: 'ballot.revealed', index: 2, by: 'green', voter: 'green', ballot: 'blue', void: true },
  {
    type: 'verdict.announced',
    outcome: 'ejected',
    ejected: 'blue',
    sentence: 'Blue was The Impostor.',
  },
  { type: 'phase.entered', phase: 'reaction' },
  {
    ...silent,
    type: 'tick.closed',
    tick: 2,
    requestKind: 'reaction',
    bids: [reply('red', 'I knew it.')],
  },
  { type: 'phase.entered', phase: 'consolidation' },
  { ...silent, type: 'tick.closed', tick: 3, requestKind: 'consolidation', bids: [] },
  { type: 'scratchpads.consolidated', seat: 'red', main: 'Trust my nose.', line: null },
  { type: 'scratchpads.erased' },
  { type: 'meeting.closed', outcome: 'ejected', ejected: 'blue' },
];
const lines = (meeting = MEETING): readonly Line[] =>
  meeting.map((fields) => lineSchema.parse({ ...place, ...fields }));
const told = (lens: Lens, width = 72, colour = false) =>
  lines().flatMap(createRenderer({ lens, width, colour }));

describe('a meeting is told', () => {
  test('to the table without one secret', () => {
    expect(told(TABLE).join('\n')).toBe(
      `
── The Glass Box League ────────────────────────────────────────────────
Lights out
house rules · ejections confirm the role · open reveal
Seen from the table: no secrets before their time

  RD Red (Ada), BL Blue (joker), GN Green, PK Pink (dead)

── A meeting is called ─────────────────────────────────────────────────
      RD Red reports the body of PK Pink in Electrical

── Discussion ──────────────────────────────────────────────────────────
   0  RD Red to GN Green: “Blue is sus.”
   1  BL Blue: says nothing
      System: “wrap it up” (the talk has been long)
      RD Red has voted
      BL Blue has voted
      GN Green leaves the game
      Everybody has voted: the poll is closed

── Reveal ──────────────────────────────────────────────────────────────
   1  RD Red → BL Blue        BL ■ 1
   2  somebody → skip         BL ■ 1 · skip ■ 1
   3  GN Green → BL Blue      BL ■ 1 · skip ■ 1 (void)
      . . .

      Blue was The Impostor.

── Reaction ────────────────────────────────────────────────────────────
      Everybody takes it in.

── Consolidation ───────────────────────────────────────────────────────
      Everybody decides what to keep.

── The meeting is over ─────────────────────────────────────────────────
      BL Blue was ejected (2 ticks of talk)`.trimStart(),
    );
  });

  test('through the glass with every bid, thought, ballot and ghost', () => {
    expect(told(GLASS).join('\n')).toBe(
      `
── The Glass Box League ────────────────────────────────────────────────
Lights out
house rules · ejections confirm the role · open reveal · seed 7
Seen through the glass: thoughts, bids and ballots

  RD Red: crewmate · Ada · leader
  BL Blue: impostor · joker
  GN Green: crewmate
  PK Pink: crewmate · dead
      ┊ the ghosts watch, with 30 turns of talk

── A meeting is called ─────────────────────────────────────────────────
      RD Red reports the body of PK Pink in Electrical

── Discussion ──────────────────────────────────────────────────────────

   0  ▸ RD   9 = desire 5 +4 die
        BL  11 = desire 5 +6 die · nothing to say
        GN   2 = desire 0 +2 die · fault: mind/late
        Red: no other bid could win
      RD Red to GN Green: “Blue is sus.”
      ! addresses GN Green; names BL Blue (“Blue”); accuses BL Blue
        (“sus”, in the same sentence)
      ~ Watch Blue.
      GN Green gives no usable reply (mind/late, 2 times in a row)
      BL Blue notes (meeting page): Red suspects me.
      ┊ PK Pink (ghost) “Boo.”

   1  ▸ BL  21 = desire 7 +2 named +3 addressed +5 silence(5) +4 die
        GN  21 = desire 0 +20 silence(4) +1 die · called on · nothing to
                 say
        RD   3 = desire 5 +3 die -4 just spoke -1 voted
        Blue: a tie, and the longest silent goes first; desire +7, named
        +2, addressed +3, and the die
      BL Blue: says nothing
      ~ Deny.
      System: “wrap it up” (the talk has been long)
      RD Red locks in a vote for BL Blue
      ~ Locking Blue.
      BL Blue locks in a vote to skip
      GN Green leaves the game
      Everybody has voted: the poll is closed

── Reveal ──────────────────────────────────────────────────────────────
   1  RD Red → BL Blue        BL ■ 1
   2  BL Blue → skip          BL ■ 1 · skip ■ 1
   3  GN Green → BL Blue      BL ■ 1 · skip ■ 1 (void)
      . . .

      Blue was The Impostor.

── Reaction ────────────────────────────────────────────────────────────
      Everybody takes it in.
      RD Red thinks: I knew it.

── Consolidation ───────────────────────────────────────────────────────
      Everybody decides what to keep.
      RD Red keeps: Trust my nose.

── The meeting is over ─────────────────────────────────────────────────
      BL Blue was ejected (2 ticks of talk)`.trimStart(),
    );
  });

  test('a player sees only their own thoughts', () => {
    const seen = told({ type: 'player', seat: 'red' }).join('\n');
    expect(seen).toContain('~ Watch Blue.');
    expect(seen).toContain('RD Red locks in a vote for BL Blue');
    expect(seen).toContain('BL Blue has voted');
    for (const secret of ['impostor ·', 'Deny.', 'Boo.', 'Red suspects me.', '11 ='])
      expect(seen).not.toContain(secret);
  });

  test.each([24, 40, 72, 200])('no line is longer than a screen of %i columns', (width) => {
    for (const lens of [TABLE, GLASS]) {
      expect(Math.max(...told(lens, width).map(countColumns))).toBeLessThanOrEqual(width);
    }
  });

  test('in colours with the very same words', () => {
    const painted = told(GLASS, 72, true);
    expect(painted.join('')).toContain('\u001B[');
    expect(painted.map(stripVTControlCharacters)).toEqual(told(GLASS));
  });

  test('with the names of the players where the caller knows them', () => {
    const tell = createRenderer({ lens: TABLE, width: 72, colour: false, names: { red: 'Ada' } });
    expect(lines().flatMap(tell)).toContain('   0  RD Red (Ada) to GN Green: “Blue is sus.”');
  });
});

describe('a crowd of bids', () => {
  const seats = ['red', 'blue', 'green', 'orange', 'yellow', 'black', 'white'] as const;
  const tick = (count: number) => ({
    ...silent,
    type: 'tick.closed',
    tick: 0,
    requestKind: 'discussion',
    bids: seats.slice(0, count).map((seat) => reply(seat, '', 'x')),
    scores: seats
      .slice(0, count)
      .map((seat, index) => ({ seat, total: 10 - index, eligible: true })),
  });
  const rows = (count: number) =>
    lines([tick(count)]).flatMap(createRenderer({ lens: GLASS, width: 72, colour: false }));

  test('is shown whole', () => {
    expect(rows(7).filter((row) => row.includes(' = '))).toHaveLength(7);
  });

  test('shows a fault', () => {
    const crowd = tick(7);
    const bids = [...crowd.bids.slice(0, 6), { seat: 'white', fault: 'mind/late', text: '' }];
    const seen = lines([{ ...crowd, bids }]).flatMap(
      createRenderer({ lens: GLASS, width: 72, colour: false }),
    );
    expect(seen.join('\n')).toContain('WH   4 = desire 0 · fault: mind/late');
  });
});
