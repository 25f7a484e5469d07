/** The messages between the actors: how they are packed, and what a lens lets through. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lens } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { isMeeting } from '../../machines/setup/match.ts';
import { type BySeat, COLOURS, type Role } from '../../machines/types.ts';
import { seeWithMoves } from '../../visualizer/charts/machineRun.ts';
import { carryMessages, packMessages, unpackMessages } from '../../visualizer/charts/messages.ts';
import type { SteppedLine } from '../../visualizer/charts/moves.ts';
import { seeds } from '../support/seeds.ts';
import { formatMessage, messagesSaidBy } from './page/reading.ts';
import { recordedGame, recordedMeeting } from './page/recorded.ts';

const word = fc.constantFrom('game', 'meeting', 'player:red', 'player:blue', 'mind');
const message = fc.record({
  from: word,
  to: fc.array(word, { minLength: 1, maxLength: 3 }),
  type: fc.constantFrom('bid.requested', 'tick.opened', 'after beat'),
  place: fc.constantFrom('', 'tick 1', 'turn 2'),
});

test('messages are packed without loss, and any other value is none', () => {
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      expect(unpackMessages(packMessages(messages))).toEqual(messages);
    }),
  );
  for (const other of [undefined, null, 5, {}, ['tick.opened|a|b'], '']) {
    expect(unpackMessages(other)).toEqual([]);
  }
});

const TABLE: Lens = { type: 'table' };
const PINK: Lens = { type: 'player', seat: 'pink' };

/** Every message with its line. */
function listen(lines: readonly SteppedLine[]) {
  return lines.map((line) => ({ line, messages: unpackMessages(line.messages) }));
}

describe('through a lens', () => {
  const games = Array.from({ length: seeds(2, 40) }, (_, at) => at + 1);
  test.each(games)('others learn only what their lines say anyway (game %d)', async (seed) => {
    const lines = await recordedGame(seed);
    const pink: unknown[] = [];
    for (const { line, messages } of listen(seeWithMoves(lines, TABLE)))
      expect(messages.map(formatMessage)).toEqual(messagesSaidBy(line));
    for (const { line, messages } of listen(seeWithMoves(lines, PINK))) {
      const [own = [], rest = []] = [true, false].map((wanted) =>
        messages.filter(({ from, to }) => [from, ...to].includes('player:pink') === wanted),
      );
      expect(rest.map(formatMessage)).toEqual(messagesSaidBy(line));
      pink.push(...own);
    }
    expect(pink).not.toEqual([]);
    const others = COLOURS.filter((seat) => seat !== 'pink').map((seat) => `player:${seat}`);
    expect(others.filter((other) => JSON.stringify(pink).includes(other))).toEqual([]);
  });

  test.each([TABLE, PINK])(
    'meetings that differ in thoughts, roles and ghosts have the same messages (%j)',
    async (lens) => {
      const lines = await recordedMeeting('electrical', 7);
      const end = lines.findIndex(({ type }) => type === 'verdict.announced');
      const one = lines.slice(0, end);
      const other = one.flatMap((line) => changeSecrets(line) ?? []);
      expect(listenTo(other, { type: 'glass' })).not.toEqual(listenTo(one, { type: 'glass' }));
      expect(listenTo(other, lens)).toEqual(listenTo(one, lens));
      expect(listenTo(one, lens).length).toBeGreaterThan(20);
    },
  );

  test.each([TABLE, PINK])('nobody learns whether a tick was open (%j)', (lens) => {
    const opened =
      'tick 5|tick.opened|meeting|arbiter/bid.requested|arbiter|player:pink player:red';
    const closed = 'tick 5|bid.placed|player:pink|bids/tick.closed|arbiter|meeting';
    const left = '|seat.left|outside|meeting';
    const answered = 'tick 5|mind.answered|mind|player:pink/bid.placed|player:pink|bids';
    const [inTick, inPause, abandoned, late] = [
      [`${opened}/${left}/seat.vacated|meeting|arbiter`, closed],
      [left, `${opened}/${closed}`],
      [
        `${opened}/${left}/tick 5|tick.missed|arbiter|player:pink player:red`,
        `${opened}/${closed}`,
      ],
      [`${opened}/${answered}/${left}`, `${opened}/${closed}`],
    ].map(([departed = '', after = '']) => {
      const hear = carryMessages(lens);
      return [
        hear({ type: 'seat.departed' }, departed, true),
        hear({ type: 'tick.closed' }, after, true),
      ];
    });
    expect(inTick).toEqual(inPause);
    expect(abandoned).toEqual(inPause);
    expect(late).toEqual(inPause);
    expect(inPause?.[0]).toBe(left.slice(1));
  });

  test('a player does not learn from the order of their messages whether a ghost spoke', () => {
    const opened = 'tick 5|tick.opened|meeting|arbiter/bid.requested|arbiter|player:pink';
    const answered = 'tick 5|mind.answered|mind|player:pink/bid.placed|player:pink|bids';
    const closed = 'tick.closed|arbiter|meeting';
    const hear = carryMessages(PINK);
    expect(hear({ type: 'phase.entered' }, opened, true)).toBe('');
    expect(hear({ type: 'turn.closed' }, answered, false)).toBe('');
    expect(hear({ type: 'tick.closed' }, `tick 5|${closed}`, true)).toBe(
      `${opened}/${answered.replace('tick 5|', '')}/${closed}`,
    );
  });

  test.each([TABLE, PINK])('a message of an unknown type is hidden (%j)', (lens) => {
    const packed =
      'new.type|meeting|arbiter/new.type|arbiter|player:pink/bid.requested|arbiter|player:red';
    expect(carryMessages(lens)({ type: 'tick.closed' }, packed, true)).toBe('');
  });
});

/** The types of lines and their messages, without hidden lines. */
function listenTo(lines: readonly Line[], lens: Lens) {
  return listen(seeWithMoves(lines, lens)).map(({ line, messages }) => [line.type, messages]);
}

/** The same meeting for the table and for Pink: other thoughts, exchanged roles, and nobody in the gallery. */
function changeSecrets(line: Line): Line | null {
  if (line.channel === 'ghosts')
    return line.type === 'gallery.opened' ? { ...line, present: false } : null;
  if (line.type === 'tick.closed') {
    const bids = line.bids.map((bid) =>
      bid.seat === 'pink'
        ? bid
        : { ...bid, received: { ...Object(bid.received), internal_thought: 'Another thought.' } },
    );
    return { ...line, bids };
  }
  if (line.type !== 'match.opened' || !isMeeting(line.match)) return line;
  const roles: BySeat<Role> = { black: 'crewmate', blue: 'impostor' };
  const seats = line.match.seats.map((seat) => ({
    ...seat,
    role: roles[seat.colour] ?? seat.role,
  }));
  return { ...line, match: { ...line.match, seats } };
}
