/** The lens on the ship: nobody sees more of a round than the ship would have shown them. */
import { describe, expect, test } from 'vitest';
import { type Lens, lensFor, throughLens } from '../../../machines/journal/lens.ts';
import { fillMatch } from '../../../machines/journal/opening.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { eyesOf, linesWith, secretSeat, TABLE, TEXT } from './planted.ts';

const secretOrder = (seat: string) => ({
  seat,
  received: { internal_thought: TEXT, anything: TEXT },
  parsed: {
    internal_thought: TEXT,
    action: { type: 'go', to: 'Navigation' },
    scratchpad_updates: { main_scratch: TEXT, meeting_scratch: TEXT },
  },
  notes: [{ code: TEXT, text: TEXT }],
});
/** Deeds of blue, an impostor, and of the others: every kind of event except departures. */
const EVENTS = [
  {
    type: 'intent.refused',
    seat: 'blue',
    intent: { type: 'kill', whom: 'red' },
    note: { code: TEXT, text: TEXT },
  },
  { type: 'seat.faulted', seat: 'blue', code: TEXT, streak: 1 },
  { type: 'player.killed', by: 'blue', victim: 'pink', place: 'O2' },
  { type: 'vent.used', seat: 'blue', how: 'in', vent: 3, place: 'Electrical' },
  { type: 'sabotage.begun', by: 'blue', system: 'o2' },
  { type: 'sabotage.fixed', by: ['red'], system: 'o2' },
  { type: 'keypad.entered', seat: 'red', at: 'O2' },
  { type: 'doors.shut', by: 'blue', room: 'Storage' },
  { type: 'doors.opened', room: 'Storage' },
  { type: 'task.stepped', seat: 'red', task: 'swipe-card', steps: 1, done: true },
];
const round = (events: readonly object[] = EVENTS) => ({
  type: 'round.closed',
  round: 4,
  orders: ['red', 'blue'].map(secretOrder),
  events,
  paths: { red: ['Admin'], blue: ['Navigation'] },
  deeds: { red: 'task', green: 'lurking' },
  seen: { red: [['green', 'Shields', 'passing']], blue: [['red', 'Weapons', 'task']] },
});
const opened = (options: object = {}) => ({
  type: 'match.opened',
  format: 1,
  rulesVersion: 2,
  seed: 987_654,
  match: {
    name: 'Night shift',
    options: { impostors: 2, task_bar: 'always', weights: { mention: 1 }, ...options },
    fault_rate: 0.123,
    seats: [
      secretSeat('red', 'crewmate'),
      secretSeat('blue', 'impostor'),
      secretSeat('green', 'impostor'),
      secretSeat('pink', 'crewmate'),
      { colour: 'yellow', role: 'crewmate' },
    ],
  },
});
const call = { type: 'meeting.called', by: 'red', kind: 'button', body: null, place: null };
const won = { type: 'game.closed', winner: 'crew', reason: 'vote' };

const journal = (...lines: readonly object[]) => linesWith(lines);
const GAME = journal(opened(), round());

/** These lines through a lens, and the last of them. */
const seen = (lens: Lens, lines = GAME) => lines.map(lensFor(lens));
const last = (lens: Lens, lines = GAME) => seen(lens, lines).at(-1);

describe('the table', () => {
  test('hears alarms, codes, doors and steps of tasks, and not whose doing they are', () => {
    expect(last(TABLE)).toEqual({
      type: 'round.closed',
      channel: 'living',
      seq: 1,
      round: 4,
      events: [
        { type: 'sabotage.begun', system: 'o2' },
        { type: 'sabotage.fixed', system: 'o2' },
        { type: 'keypad.entered', at: 'O2' },
        { type: 'doors.shut', room: 'Storage' },
        { type: 'doors.opened', room: 'Storage' },
        { type: 'task.stepped' },
      ],
    });
  });

  test.each(['meetings', 'never'])('sees no step of a task where the bar is shown: %s', (bar) => {
    const lines = journal(opened({ task_bar: bar }), round());
    expect(JSON.stringify(last(TABLE, lines))).not.toContain('task.stepped');
  });

  test('knows of a seat its colour and who plays, and who was who once it is won', () => {
    const [header] = seen(TABLE);
    if (header?.type !== 'match.opened') throw new Error('the header is hidden');
    expect(header).not.toHaveProperty('seed');
    expect(header.match).not.toHaveProperty('fault_rate');
    expect(header.match.options).not.toHaveProperty('weights');
    const plays = { mind: 'silent', model: 'acme/parrot-2', persona: { name: 'Ada' } };
    expect(header.match.seats).toEqual([
      ...['red', 'blue', 'green', 'pink'].map((colour) => ({ colour, ...plays })),
      { colour: 'yellow', mind: 'scripted' },
    ]);
    const lines = journal(opened(), round(), won);
    expect(last(TABLE, lines)).toMatchObject({ impostors: ['blue', 'green'], dead: ['pink'] });
    const stopped = journal(opened(), round(), { ...won, winner: null, reason: 'interrupted' });
    expect(last(TABLE, stopped)).not.toHaveProperty('impostors');
    expect(last(TABLE, stopped)).not.toHaveProperty('dead');
  });

  test('sees at the next meeting who is missing', () => {
    expect(last(TABLE, journal(opened(), round(), call))).toMatchObject({ dead: ['pink'] });
    expect(last(TABLE, journal(opened(), round([]), call))).toMatchObject({ dead: [] });
    expect(last(TABLE, journal(call))).not.toHaveProperty('dead');
  });

  test('sees who leaves', () => {
    const left = { type: 'seat.departed', seat: 'red', reason: 'left' };
    expect(last(TABLE, journal(opened(), round([left])))).toMatchObject({ events: [left] });
  });
});

describe('one player’s eyes', () => {
  test('yellow, who did nothing and saw nobody, sees the same as the table', () => {
    expect(last(eyesOf('yellow'))).toEqual({
      ...last(TABLE),
      orders: [],
      paths: {},
      deeds: {},
      seen: {},
    });
  });

  test('red sees the own order, way, deed, work and sights, and no more', () => {
    const own = last(eyesOf('red'));
    expect(own).toMatchObject({
      orders: [{ seat: 'red' }],
      paths: { red: ['Admin'] },
      deeds: { red: 'task' },
      seen: { red: [['green', 'Shields', 'passing']] },
    });
    const text = JSON.stringify(own);
    for (const secret of ['"blue"', 'pink', 'Weapons', 'Electrical', 'lurking', 'intent.refused'])
      expect(text).not.toContain(secret);
    expect(text).toContain('swipe-card');
  });

  test("blue sees their own crimes and the engine's notes about them", () => {
    const types = EVENTS.map(({ type }) => type);
    const own = last(eyesOf('blue'));
    if (own?.type !== 'round.closed') throw new Error('the round is hidden');
    expect(own.events?.map(({ type }) => type)).toEqual(types);
    expect(own.events).toContainEqual({ type: 'task.stepped' });
  });

  test('green, the partner, does not see what blue did', () => {
    expect(JSON.stringify(last(eyesOf('green')))).not.toMatch(/blue|pink/u);
  });

  test.each([
    { seat: 'red', knows: ['crewmate', null, null, null, null] },
    { seat: 'blue', knows: [null, 'impostor', 'impostor', null, null] },
    { seat: 'yellow', knows: [null, null, null, null, 'crewmate'] },
  ] as const)('$seat knows the roles $knows', ({ seat, knows }) => {
    const [header] = seen(eyesOf(seat));
    if (header?.type !== 'match.opened') throw new Error('the header is hidden');
    expect(header.match.seats.map(({ role }) => role ?? null)).toEqual(knows);
  });
});

describe('the dead', () => {
  const after = journal(opened(), round(), { ...round(), round: 5 });

  test('pink sees events, but neither the intents nor the sights of others', () => {
    const ghost = last(eyesOf('pink'), after);
    expect(ghost).toMatchObject({
      orders: [],
      paths: { red: ['Admin'], blue: ['Navigation'] },
      deeds: { red: 'task', green: 'lurking' },
      seen: {},
      events: EVENTS.slice(2),
    });
    expect(JSON.stringify(ghost)).not.toContain(TEXT);
  });

  test('before the kill pink sees no more than others do', () => {
    const lines = journal(opened(), round([EVENTS[3] ?? {}]));
    expect(last(eyesOf('pink'), lines)).toMatchObject({ events: [], paths: {}, deeds: {} });
  });
});

describe('where a person plays', () => {
  const seats = [...opened().match.seats.slice(0, 4), { colour: 'yellow', mind: 'human' }];
  const header = { ...opened(), match: { ...opened().match, seats } };

  test.each([TABLE, ...(['red', 'blue', 'green', 'pink', 'yellow'] as const).map(eyesOf)])(
    'no spectator but of the glass is told who plays before it is won: %o',
    (lens) => {
      const before = JSON.stringify(seen(lens, journal(header, round(), call)));
      const own = lens.type === 'player' && lens.seat !== 'yellow' ? ['Ada'] : [];
      expect(before.match(/Ada|parrot|silent|scripted|human/g) ?? []).toEqual(own);
      expect(last(lens, journal(header, round(), won))).toMatchObject({
        cast: [
          { colour: 'red', mind: 'silent', model: 'acme/parrot-2', persona: { name: 'Ada' } },
          ...[{}, {}, {}],
          { colour: 'yellow', mind: 'human' },
        ],
      });
      const stopped = { ...won, winner: null, reason: 'interrupted' };
      expect(last(lens, journal(header, round(), stopped))).not.toHaveProperty('cast');
    },
  );
});

describe('every lens but the glass', () => {
  const lines = journal(opened(), round([]), round(), call, won);

  test.each([TABLE, ...COLOURS.map(eyesOf)])('keeps the texts of others from %o', (lens) => {
    const strangers = lines.map(lensFor(lens)).map((line) => {
      if (line?.type === 'match.opened') {
        const self = lens.type === 'player' ? lens.seat : null;
        return line.match.seats.filter(({ colour }) => colour !== self);
      }
      return line?.type === 'round.closed'
        ? { ...line, orders: line.orders?.filter(({ seat }) => !isSelf(lens, seat)), events: [] }
        : line;
    });
    expect(JSON.stringify(strangers)).not.toContain(TEXT);
  });

  test('the glass changes nothing but that it fills in the options of the header', () => {
    const [header, ...others] = lines;
    for (const line of others) expect(throughLens(line, { type: 'glass' })).toBe(line);
    if (header?.type !== 'match.opened') return expect.fail('no header');
    expect(throughLens(header, { type: 'glass' })).toEqual({ ...header, match: fillMatch(header) });
  });
});

function isSelf(lens: Lens, seat: Colour): boolean {
  return lens.type === 'player' && lens.seat === seat;
}
