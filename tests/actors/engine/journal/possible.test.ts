import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../../actors/engine/journal/reader.ts';
import { MANIFEST, readOld } from '../../../journals/corpus.ts';
import { forged, type Row, rowOf, rowsOf, textOf } from './records.ts';

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
const withOption = (more: object) => (row: Row) => {
  const match = Object(row['match']);
  return { match: { ...match, options: { ...match.options, ...more } } };
};
const event = (one: object) => () => ({ events: [one] });
const kill = (by: string, victim: string, place = 'Cafeteria') =>
  event({ type: 'player.killed', by, victim, place });
const vent = (how: string, id: number, place: string) =>
  event({ type: 'vent.used', seat: 'yellow', how, vent: id, place });

describe('a journal with a value that no game can produce, and hashes that fit', () => {
  test.each<[type: string, edit: (row: Row) => object, says: string]>([
    ['match.opened', ({ match }) => ({ match: { ...Object(match), seats: [] } }), 'nobody sits'],
    [
      'match.opened',
      ({ match }) => ({ match: { ...Object(match), ...twice('seats')(Object(match)) } }),
      'there twice',
    ],
    ['match.opened', withOption({ weights: { mention: 1e300 } }), 'from 0 to 100, found 1e+300'],
    ['match.opened', withOption({ weights: { accusation: -1 } }), 'from 0 to 100, found -1'],
    ['match.opened', withOption({ weights: { silence: { slope: 0 } } }), 'silence slope 0'],
    ['match.opened', withOption({ impostors: 3 }), 'expected 3 impostors, found 1'],
    ['match.opened', () => ({ clock: { ms: -1 } }), 'ms: -1'],
    ['round.closed', () => ({ round: 7 }), 'expected round 0, found 7'],
    ['round.closed', twice('orders'), 'is there twice'],
    ['round.closed', first('orders', { seat: 'banana' }), 'no player is banana'],
    ['round.closed', () => ({ paths: { banana: [] } }), 'no player is banana'],
    ['round.closed', kill('red', 'red'), 'kills'],
    ['round.closed', kill('banana', 'red'), 'no player is banana'],
    ['round.closed', kill('yellow', 'red', 'Reactor'), 'yellow from Admin hallway to Reactor'],
    ['round.closed', () => ({ paths: { red: ['Reactor'] } }), 'red from Cafeteria to Reactor'],
    ['round.closed', vent('in', 99, 'Cafeteria'), 'no vent 99 in Cafeteria'],
    ['round.closed', vent('in', 2, 'Reactor'), 'no vent 2 in Reactor'],
    ['round.closed', vent('through', 0, 'Admin'), 'from Admin hallway to Admin'],
    [
      'round.closed',
      event({ type: 'seat.faulted', seat: 'red', code: 'mind/late', streak: 99 }),
      'fault of red 1, found 99',
    ],
    [
      'round.closed',
      ({ seen }) => ({ seen: { ...Object(seen), ...twice('black')(Object(seen)) } }),
      'red,Cafeteria,lurking is there twice',
    ],
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

test.each([
  ['meeting.called', 'poll.closed'],
  ['poll.closed', 'poll.counted'],
  ['poll.counted', 'ballot.revealed'],
  ['verdict.announced', 'meeting.closed'],
  ['meeting.closed', 'round.closed'],
])('a game without a line %s is impossible from the next line %s on', (missing, next) => {
  const { damages, lines } = readJournal(
    forged(GAME, (row) => (row['type'] === missing ? null : row)),
  );
  expect(damages).toEqual([
    expect.objectContaining({
      text: `no game produces this line: ${missing} is missing before it`,
    }),
  ]);
  const at = rowsOf(GAME).findIndex((row) => rowOf(row)['type'] === missing);
  expect(lines.length).toBeGreaterThanOrEqual(at);
  expect(lines.slice(at).some(({ type }) => type === next)).toBe(false);
});

test('a meeting on its own has no rounds', () => {
  const none = { orders: [], events: [], paths: {}, deeds: {}, seen: {} };
  const round = JSON.stringify({ channel: 'living', type: 'round.closed', round: 0, ...none });
  const text = forged(textOf([...rowsOf(readOld('meeting-house')), round]), (row) => row);
  expect(readJournal(text).damages[0]?.text).toContain('has no rounds');
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
