/** Lenses: a spectator sees what the lens allows, and no secret leaks. */
import { describe, expect, test } from 'vitest';
import {
  LENSES,
  type Lens,
  lensFor,
  parseLens,
  throughLens,
} from '../../../machines/journal/lens.ts';
import { type Line, lineSchema } from '../../../machines/journal/lines.ts';
import { fillMatch } from '../../../machines/journal/opening.ts';
import { COLOURS } from '../../../machines/types.ts';
import { eyesOf, linesWith, secretSeat, TABLE, TEXT } from './planted.ts';

/** Planted in every private text, number and colour: nobody sits on coral, so it can only come from a secret. */
const NUMBER = 987_654;
const COLOUR = 'coral';
const CANARIES = [TEXT, String(NUMBER), COLOUR];

const secretBid = (seat: string) => ({
  seat,
  received: { internal_thought: TEXT, anything: TEXT },
  parsed: {
    internal_thought: TEXT,
    desire_to_speak: NUMBER,
    message: TEXT,
    target: COLOUR,
    vote_action: COLOUR,
    scratchpad_updates: { main_scratch: TEXT, meeting_scratch: TEXT },
  },
  notes: [{ code: TEXT, text: TEXT }],
  fault: TEXT,
  text: TEXT,
});
const secretLeaver = (colour: string, role: string) => ({
  ...secretSeat(colour, role),
  leaves: NUMBER,
  saw: [{ ago: NUMBER, who: COLOUR, place: 'O2', did: 'vent' }],
});

/** A line of every type, by channel and type. All private fields belong to red, blue or green; pink is dead. */
const LIVING: readonly Record<string, unknown>[] = [
  {
    type: 'match.opened',
    format: 1,
    rulesVersion: 2,
    seed: NUMBER,
    match: {
      name: 'Lights',
      about: 'out',
      options: { rules: 'house', weights: { mention: NUMBER } },
      call: {
        by: 'red',
        report: 'pink',
        place: 'O2',
        buttons_left: 7,
        cooldown: 59,
        crisis: 'comms',
      },
      fault_rate: 0.123,
      seats: [
        secretLeaver('red', 'crewmate'),
        secretLeaver('blue', 'impostor'),
        secretLeaver('green', 'impostor'),
        { colour: 'yellow', role: 'crewmate' },
        { colour: 'pink', role: 'crewmate', dead: true },
      ],
    },
  },
  { type: 'meeting.called', by: 'red', kind: 'body', body: 'pink', place: 'O2' },
  { type: 'meeting.refused', note: { code: 'call/no-body', text: 'no body' } },
  { type: 'phase.entered', phase: 'discussion' },
  {
    type: 'tick.closed',
    tick: 0,
    requestKind: 'discussion',
    bids: ['red', 'blue', 'green'].map(secretBid),
    scores: ['red', 'blue', 'green'].map((seat) => ({
      seat,
      desire: NUMBER,
      total: NUMBER,
      silentTicks: NUMBER,
    })),
    floor: 'red',
    tie: 'draw',
    draws: { red: NUMBER, coral: NUMBER },
    said: { speaker: 'red', target: 'blue', message: 'where were you?', tick: 0 },
    hits: [{ seat: 'blue', kind: 'accusation', word: 'target', reason: 'directed' }],
    nudge: 'ticks',
  },
  { type: 'vote.locked', seat: 'red', ballot: COLOUR },
  { type: 'vote.refused', seat: 'red', vote: COLOUR, note: { code: TEXT, text: TEXT } },
  { type: 'vote.cleared', seat: 'red', leaver: COLOUR },
  { type: 'seat.faulted', seat: 'red', code: TEXT, streak: NUMBER },
  { type: 'seat.departed', seat: 'green', reason: 'left', during: null },
  { type: 'scratchpads.updated', seat: 'red', main: TEXT, meeting: TEXT },
  { type: 'poll.closed', reason: 'time-up', missed: ['blue'], void: [COLOUR] },
  {
    type: 'poll.counted',
    counts: [{ candidate: COLOUR, votes: NUMBER }],
    outcome: 'ejected',
    ejected: COLOUR,
  },
  { type: 'ballot.revealed', index: 0, by: COLOUR, voter: null, ballot: 'red', void: false },
  { type: 'verdict.announced', outcome: 'ejected', ejected: 'red', sentence: 'Red was ejected.' },
  { type: 'scratchpads.consolidated', seat: 'blue', main: TEXT, line: TEXT },
  { type: 'scratchpads.erased' },
  { type: 'stop.requested', outcome: 'interrupted', during: 'tick' },
  { type: 'meeting.closed', outcome: 'ejected', ejected: 'red' },
];
const GHOSTS: readonly Record<string, unknown>[] = [
  {
    type: 'gallery.opened',
    present: true,
    budget: 30,
    minds: { pink: { mind: TEXT }, green: { mind: TEXT } },
  },
  { type: 'ghost.joined', seat: 'red' },
  {
    type: 'turn.closed',
    turn: 0,
    requestKind: 'ghost',
    bids: ['pink', 'red'].map(secretBid),
    said: { speaker: 'pink', message: 'boo' },
  },
  { type: 'scratchpads.consolidated', seat: 'red', main: TEXT, line: TEXT },
  { type: 'scratchpads.erased' },
  { type: 'gallery.closed', turns: 1 },
];
const BELIEFS: readonly Record<string, unknown>[] = [
  { type: 'beliefs.opened', times: 'meeting', version: 1 },
  {
    type: 'belief.stated',
    meeting: 1,
    moment: 'tick',
    tick: 0,
    seat: 'red',
    source: 'model',
    about: ['blue'],
    probabilities: { blue: 0.123 },
    missing: { blue: TEXT },
    received: { blue: TEXT },
    fault: TEXT,
    text: TEXT,
  },
];

const JOURNAL: readonly Line[] = [
  ...linesWith(LIVING),
  ...linesWith(GHOSTS, 'ghosts'),
  ...linesWith(BELIEFS, 'beliefs'),
];

const keysOf = (seen: object | null) => (seen === null ? null : Object.keys(seen).toSorted());
const line = (type: Line['type'], channel = 'living'): Line => {
  const found = JOURNAL.find((each) => each.type === type && each.channel === channel);
  if (found === undefined) throw new Error(`no line ${type}`);
  return found;
};
/** The whole journal through a lens, as text. */
const shown = (lens: Lens, lines = JOURNAL) => JSON.stringify(lines.map(lensFor(lens)));

describe('the table', () => {
  const WHITELIST = {
    'living match.opened': ['format', 'match', 'rulesVersion'],
    'living meeting.called': ['by', 'kind', 'body', 'place'],
    'living meeting.refused': ['note'],
    'living phase.entered': ['phase'],
    'living tick.closed': ['tick', 'requestKind', 'floor', 'tie', 'said', 'hits', 'nudge'],
    'living vote.locked': ['seat'],
    'living vote.refused': null,
    'living vote.cleared': ['seat'],
    'living seat.faulted': null,
    'living seat.departed': ['seat', 'reason'],
    'living scratchpads.updated': null,
    'living poll.closed': ['reason', 'missed'],
    'living poll.counted': null,
    'living ballot.revealed': ['index', 'voter', 'ballot', 'void'],
    'living verdict.announced': ['sentence', 'outcome', 'ejected'],
    'living scratchpads.consolidated': null,
    'living scratchpads.erased': null,
    'living stop.requested': ['outcome'],
    'living meeting.closed': ['outcome', 'ejected'],
    'ghosts gallery.opened': null,
    'ghosts ghost.joined': null,
    'ghosts turn.closed': null,
    'ghosts scratchpads.consolidated': null,
    'ghosts scratchpads.erased': null,
    'ghosts gallery.closed': null,
    'beliefs beliefs.opened': null,
    'beliefs belief.stated': null,
  };

  /** Lines of a whole game have a test of their own. */
  const SHIP: readonly string[] = ['round.closed', 'end.requested', 'game.closed'];

  test('the journal of these tests has a line of every type there is in a meeting', () => {
    const types = lineSchema.options.flatMap(({ options }) =>
      options.flatMap(({ shape }) =>
        SHIP.includes(shape.type.value) ? [] : [`${shape.channel.value} ${shape.type.value}`],
      ),
    );
    expect(JOURNAL.map(({ channel, type }) => `${channel} ${type}`)).toEqual(types);
    expect(Object.keys(WHITELIST)).toEqual(types);
  });

  test.each(JOURNAL.map((each) => ({ name: `${each.channel} ${each.type}`, each })))(
    'shows of $name what everybody may see, and nothing else',
    ({ name, each }) => {
      const keys = Object.entries(WHITELIST).find(([key]) => key === name)?.[1] ?? null;
      const expected = keys === null ? null : [...keys, 'type', 'channel', 'seq'].toSorted();
      expect(keysOf(throughLens(each, TABLE))).toEqual(expected);
    },
  );

  test('shows of a seat its colour, who is dead and who plays', () => {
    const plays = { mind: 'silent', model: 'acme/parrot-2', persona: { name: 'Ada' } };
    expect(throughLens(line('match.opened'), TABLE)).toEqual({
      type: 'match.opened',
      channel: 'living',
      seq: 0,
      format: 1,
      rulesVersion: 2,
      match: {
        name: 'Lights',
        about: 'out',
        options: expect.objectContaining({ rules: 'house', patience: 5 }),
        call: { by: 'red', report: 'pink', place: 'O2' },
        seats: [
          { colour: 'red', dead: false, ...plays },
          { colour: 'blue', dead: false, ...plays },
          { colour: 'green', dead: false, ...plays },
          { colour: 'yellow', dead: false, mind: 'scripted' },
          { colour: 'pink', dead: true },
        ],
      },
    });
  });

  test('lets no planted secret through', () => {
    const seen = shown(TABLE);
    for (const canary of [...CANARIES, 'impostor', 'crewmate', 'joker'])
      expect(seen).not.toContain(canary);
  });
});

describe('one player’s eyes', () => {
  test('yellow, who has no secrets, sees no secret of another player', () => {
    const seen = shown(eyesOf('yellow'));
    for (const canary of [...CANARIES, 'impostor', 'joker']) expect(seen).not.toContain(canary);
  });

  test('red sees the own bid, score, ballot and notebook', () => {
    const red = eyesOf('red');
    expect(throughLens(line('tick.closed'), red)).toMatchObject({
      bids: [{ seat: 'red', fault: TEXT }],
      scores: [{ seat: 'red', total: NUMBER }],
    });
    expect(throughLens(line('vote.locked'), red)).toMatchObject({ seat: 'red', ballot: COLOUR });
    expect(throughLens(line('vote.cleared'), red)).toMatchObject({ seat: 'red', leaver: COLOUR });
    expect(throughLens(line('scratchpads.updated'), red)).toMatchObject({
      main: TEXT,
      meeting: TEXT,
    });
    expect(throughLens(line('vote.refused'), red)).toMatchObject({ note: { code: TEXT } });
    expect(throughLens(line('scratchpads.consolidated'), red)).toBeNull();
  });

  test('blue sees neither the ballot nor the notebook of red', () => {
    const blue = eyesOf('blue');
    expect(keysOf(throughLens(line('vote.locked'), blue))).toEqual([
      'channel',
      'seat',
      'seq',
      'type',
    ]);
    expect(throughLens(line('scratchpads.updated'), blue)).toBeNull();
    expect(throughLens(line('seat.faulted'), blue)).toBeNull();
  });

  test.each([
    { seat: 'red', knows: ['crewmate', null, null, null, null] },
    { seat: 'blue', knows: [null, 'impostor', 'impostor', null, null] },
    { seat: 'yellow', knows: [null, null, null, 'crewmate', null] },
    { seat: 'pink', knows: ['crewmate', 'impostor', 'impostor', 'crewmate', 'crewmate'] },
  ] as const)('$seat knows the roles $knows', ({ seat, knows }) => {
    const seen = throughLens(line('match.opened'), eyesOf(seat));
    if (seen?.type !== 'match.opened') throw new Error('the header is hidden');
    expect(seen.match.seats.map(({ role }) => role ?? null)).toEqual(knows);
  });

  test('a player’s own seat is shown whole, but not how the director plays it', () => {
    const seen = throughLens(line('match.opened'), eyesOf('blue'));
    if (seen?.type !== 'match.opened') throw new Error('the header is hidden');
    const own = [...seen.match.seats].find(({ colour }) => colour === 'blue') ?? null;
    expect(keysOf(own)).toEqual([
      ...['colour', 'dead', 'mind', 'model', 'notes', 'persona', 'role', 'saw'],
    ]);
  });
});

test('a belief is visible to its own player and through the glass only', () => {
  const stated = line('belief.stated', 'beliefs');
  expect(throughLens(stated, eyesOf('red'))).toMatchObject({
    seat: 'red',
    probabilities: { blue: 0.123 },
    received: { blue: TEXT },
  });
  for (const seat of ['blue', 'green', 'yellow', 'pink'] as const) {
    const look = lensFor(eyesOf(seat));
    expect(JOURNAL.filter(({ channel }) => channel === 'beliefs').map(look)).toEqual([null, null]);
    look(line('match.opened'));
    expect(look(stated)).toBeNull();
  }
  expect(throughLens(line('beliefs.opened', 'beliefs'), eyesOf('red'))).toBeNull();
});

describe('the dead', () => {
  const truth = ['vote.locked', 'poll.counted', 'turn.closed', 'ghost.joined'] as const;

  test('pink, dead from the start, sees ballots and hears the ghosts', () => {
    const seen = JOURNAL.map(lensFor(eyesOf('pink'))).map((each) => each?.type);
    expect(seen).toEqual(expect.arrayContaining([...truth]));
    expect(shown(eyesOf('pink'))).toContain('boo');
  });

  test('pink sees no thoughts, bids or notes of the living, and no thoughts of other ghosts', () => {
    const look = lensFor(eyesOf('pink'));
    const seen = JOURNAL.map(look);
    const [tick, turn] = [
      seen.find((each) => each?.type === 'tick.closed'),
      seen.find((each) => each?.type === 'turn.closed'),
    ];
    expect(tick).toMatchObject({ bids: [], scores: [] });
    expect(turn).toMatchObject({ bids: [{ seat: 'pink' }] });
    expect(seen.some((each) => each?.type === 'scratchpads.updated')).toBe(false);
    const others = JSON.stringify(
      seen.filter((each) => each?.type !== 'turn.closed' && each?.type !== 'gallery.opened'),
    );
    expect(others).not.toContain(TEXT);
    expect(seen.find((each) => each?.type === 'gallery.opened')).toMatchObject({
      minds: { pink: { mind: TEXT } },
    });
    expect(JSON.stringify(seen.find((each) => each?.type === 'gallery.opened'))).not.toContain(
      'green',
    );
  });

  test('red hears the ghosts from the ejection on, and not before', () => {
    const turn = line('turn.closed', 'ghosts');
    const look = lensFor(eyesOf('red'));
    look(line('match.opened'));
    expect(look(turn)).toBeNull();
    look(line('verdict.announced'));
    expect(look(turn)).toMatchObject({ said: { message: 'boo' }, bids: [{ seat: 'red' }] });
  });

  test('another’s ejection opens nobody’s ears', () => {
    const look = lensFor(eyesOf('blue'));
    for (const each of [line('match.opened'), line('verdict.announced')]) look(each);
    expect(look(line('turn.closed', 'ghosts'))).toBeNull();
    expect(look(line('poll.counted'))).toBeNull();
  });
});

describe('lenses in general', () => {
  test('the glass changes nothing but that it fills in the options of the header', () => {
    const [header, ...others] = JOURNAL;
    for (const each of others) expect(throughLens(each, { type: 'glass' })).toBe(each);
    if (header?.type !== 'match.opened') return expect.fail('no header');
    expect(throughLens(header, { type: 'glass' })).toEqual({ ...header, match: fillMatch(header) });
  });

  test.each([TABLE, ...COLOURS.map(eyesOf)])('no hash and no clock pass lens %o', (lens) => {
    const seen = JOURNAL.map(lensFor(lens)).flatMap(keysOf);
    expect(seen).not.toContain('hash');
    expect(seen).not.toContain('clock');
  });

  test('a lens is read from its name, and other texts are refused', () => {
    expect(parseLens('table')).toEqual({ type: 'table' });
    expect(parseLens('glass')).toEqual({ type: 'glass' });
    expect(parseLens('player:red')).toEqual({ type: 'player', seat: 'red' });
    for (const wrong of [
      ...['', 'player', 'player:', 'player:system', 'player:RED', 'tables', 'glass '],
    ]) {
      expect(parseLens(wrong)).toBeNull();
    }
    expect(LENSES).toEqual(['table', 'player', 'glass']);
  });
});
