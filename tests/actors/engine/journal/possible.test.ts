import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../../actors/engine/journal/reader.ts';
import { MANIFEST, readOld } from '../../../journals/corpus.ts';
import { forged, type Row, rowsOf, textOf } from './records.ts';

const GAME = readOld('game-classic');

/** Edits the first line of a type, and the numbers and hashes fit again. */
function spoil(type: string, edit: (row: Row) => object): string {
  let isDone = false;
  return forged(GAME, (row) => {
    if (isDone || row['type'] !== type) return row;
    isDone = true;
    return { ...row, ...edit(row) };
  });
}

const listOf = (row: Row, name: string): readonly object[] => Object(row[name]);
const twice = (name: string) => (row: Row) => ({
  [name]: [...listOf(row, name), listOf(row, name)[0]],
});
const first = (name: string, more: object) => (row: Row) => ({
  [name]: listOf(row, name).map((one, index) => (index === 0 ? { ...one, ...more } : one)),
});
const kill = (by: string, victim: string) => () => ({
  events: [{ type: 'player.killed', by, victim, place: 'Cafeteria' }],
});

describe('a journal with a value that no game can produce, and hashes that fit', () => {
  test.each<[type: string, edit: (row: Row) => object, says: string]>([
    ['match.opened', ({ match }) => ({ match: { ...Object(match), seats: [] } }), 'nobody sits'],
    [
      'match.opened',
      ({ match }) => ({ match: { ...Object(match), ...twice('seats')(Object(match)) } }),
      'there twice',
    ],
    ['match.opened', () => ({ clock: { ms: -1 } }), 'ms: -1'],
    ['round.closed', () => ({ round: 7 }), 'expected round 0, found 7'],
    ['round.closed', twice('orders'), 'is there twice'],
    ['round.closed', first('orders', { seat: 'banana' }), 'no player is banana'],
    ['round.closed', () => ({ paths: { banana: [] } }), 'no player is banana'],
    ['round.closed', kill('red', 'red'), 'kills'],
    ['round.closed', kill('banana', 'red'), 'no player is banana'],
    [
      'round.closed',
      () => ({ clock: { calls: [{ usage: { promptTokens: 1e308 } }] } }),
      'promptTokens: 1e+308',
    ],
    ['tick.closed', () => ({ tick: 9e15 }), 'tick: 9000000000000000'],
    ['tick.closed', () => ({ tick: 3 }), 'expected tick 0, found 3'],
    ['tick.closed', twice('bids'), 'is there twice'],
    ['tick.closed', twice('scores'), 'is there twice'],
    ['tick.closed', first('scores', { total: 1e308 }), 'total: 1e+308'],
    ['tick.closed', () => ({ bids: [] }), 'without a bid'],
    ['tick.closed', ({ said }) => ({ said: { ...Object(said), tick: 5 } }), 'speaks in tick 5'],
    ['vote.locked', () => ({ seat: 'banana' }), 'no player is banana'],
    ['poll.counted', first('counts', { votes: 16 }), 'votes'],
    ['poll.counted', twice('counts'), 'is there twice'],
    ['ballot.revealed', () => ({ index: 4 }), 'expected index 0, found 4'],
    ['turn.closed', () => ({ turn: 900 }), 'expected turn 0, found 900'],
    ['gallery.closed', () => ({ turns: 2 ** 30 }), '1073741824 turns'],
  ])('%s is refused where it stands, and it says why: %#', (type, edit, says) => {
    const { damages, damageCount } = readJournal(spoil(type, edit));
    expect(damages).toEqual([
      expect.objectContaining({ code: 'journal/impossible', text: expect.stringContaining(says) }),
    ]);
    expect(damageCount).toBe(1);
  });
});

test.each<[name: string, from: number, to: number | undefined, says: string]>([
  ['a second header', 0, 1, 'opened twice'],
  ['all its lines again', 1, undefined, 'the game is over'],
])(
  'a whole game and %s: what cannot be is left out, with all that follows',
  (_, from, to, says) => {
    const rows = rowsOf(GAME);
    const text = forged(textOf([...rows, ...rows.slice(from, to)]), (row) => row);
    const { damages, lines } = readJournal(text);
    expect(damages).toEqual([expect.objectContaining({ text: expect.stringContaining(says) })]);
    expect(lines.filter(({ type }) => type === 'game.closed')).toHaveLength(1);
  },
);

test('nobody can vote for a player who is dead', () => {
  let [dead, isDone]: [unknown, boolean] = [null, false];
  const text = forged(GAME, (row) => {
    if (row['type'] === 'round.closed' && dead === null) {
      const events = Object.values(listOf(row, 'events'));
      dead = Object(events.find((one) => Object(one).type === 'player.killed')).victim ?? null;
    }
    if (isDone || dead === null || row['type'] !== 'vote.locked') return row;
    isDone = true;
    return { ...row, ballot: dead };
  });
  expect(readJournal(text).damages[0]?.text).toContain(`vote for ${String(dead)}`);
});

test.each(Object.keys(MANIFEST))('the recorded journal %s is possible', (name) => {
  const codes = readJournal(readOld(name)).damages.map(({ code }) => code);
  expect(codes).not.toContain('journal/impossible');
});
