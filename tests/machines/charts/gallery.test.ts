/** A turn of the ghosts: its facts, the ghosts it waits for, and the notes kept from the meeting. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, type EventObject } from 'xstate';
import {
  type GalleryInput,
  galleryMachine,
  viewForGhosts,
} from '../../../machines/charts/gallery.ts';
import type { ToGallery } from '../../../machines/messages.ts';
import type { GhostFact } from '../../../machines/rules/facts.ts';
import { fullTruth, type Truth } from '../../../machines/rules/views.ts';
import type { Bid, BySeat, Colour, Die, RequestKind } from '../../../machines/types.ts';
import { aBid, aClock, aFault, aTable, law } from '../builders.ts';

const TRUTH = fullTruth(aTable());

function changed(requestKind: RequestKind, said = 0, truth: Truth = TRUTH): ToGallery {
  const transcript = Array.from(
    { length: said },
    (_, tick) => ({ tick, speaker: 'red', target: null, message: 'hi' }) as const,
  );
  return { type: 'table.changed', requestKind, truth, transcript };
}

function answered(turn: number, bid: Bid): ToGallery {
  return { type: 'ghost.answered', turn, bid };
}

const ended = (dice: BySeat<Die> = {}): ToGallery => ({ type: 'turn.ended', dice });
const OVER: ToGallery = { type: 'meeting.over' };
const joined = (seat: Colour): ToGallery => ({ type: 'ghost.joined', seat });

const late = (seat: Colour): Bid => ({
  type: 'fault',
  seat,
  code: 'mind/late',
  text: 'no answer before the deadline',
});

const INPUT: GalleryInput = {
  chance: { seed: 1, meeting: 0 },
  ghosts: ['tan', 'white'],
  budget: 9,
  deadlineMs: 800,
  messageTokens: 120,
};

function run(events: readonly ToGallery[], input: Partial<GalleryInput> = {}) {
  const facts: GhostFact[] = [];
  const did: string[] = [];
  const note = (name: string) => () => void did.push(name);
  const { clock, waits } = aClock();
  const machine = galleryMachine.provide({
    actions: {
      announceFacts: (_, params) => void facts.push(...params.facts),
      inviteGhosts: note('invite'),
      releaseMissing: note('release'),
      drawDice: note('draw'),
    },
  });
  const actor = createActor(machine, { input: { ...INPUT, ...input }, clock }).start();
  for (const event of events) actor.send(event as EventObject & ToGallery);
  const { value, context } = actor.getSnapshot();
  return { at: value, context, facts, did, waits };
}

const SAID = [
  aBid('white', { message: 'boo', desire: 3 }),
  aBid('tan', { message: 'hm', desire: 1 }),
];
const HEARD = [changed('ghost', 2), ...SAID.map((bid) => answered(0, bid))];

test('of the talk only the last look waits, and of the end of a meeting every one, in order', () => {
  const looks = [changed('ghost'), changed('ghost', 1), changed('ghost', 2)];
  const waiting = (...more: readonly ToGallery[]) =>
    run([...looks, ...more]).context.waiting.map((one) => [one.requestKind, one.transcript.length]);
  expect(waiting()).toEqual([['ghost', 2]]);
  expect(waiting(changed('reaction', 3), changed('consolidation', 3))).toEqual([
    ['reaction', 3],
    ['consolidation', 3],
  ]);
});

describe('the end of a turn', () => {
  test('a turn is recorded with all asked ghosts in seat order, their dice and the one heard', () => {
    const dice = { white: { face: 1, draw: 2 }, tan: { face: 6, draw: 1 } };
    const { facts, context, at } = run([...HEARD, ended(dice)]);
    expect(facts).toEqual([
      {
        type: 'turn.closed',
        turn: 0,
        requestKind: 'ghost',
        bids: SAID,
        dice,
        said: { speaker: 'tan', message: 'hm' },
      },
    ]);
    expect(context).toMatchObject({
      turn: 1,
      chat: [{ speaker: 'tan', message: 'hm', heard: 2 }],
      glimpse: null,
    });
    expect(at).toBe('watching');
  });

  test('adds nothing to the chat where nobody had anything to say', () => {
    const bids = [aBid('white'), aFault('tan')];
    const { facts, context } = run([
      changed('ghost'),
      ...bids.map((bid) => answered(0, bid)),
      ended(),
    ]);
    expect(facts).toMatchObject([{ said: null, bids }]);
    expect(context.chat).toEqual([]);
  });

  test('a ghost is cut short by the limit of this meeting', () => {
    const long = answered(0, aBid('white', { message: 'boo '.repeat(99) }));
    const { context } = run([changed('ghost'), long, answered(0, aFault('tan')), ended()], {
      messageTokens: 1,
    });
    expect(context.chat).toMatchObject([{ message: 'boo ' }]);
  });

  test.each(['reaction', 'consolidation'] as const)('in %s nobody is heard', (kind) => {
    const events = [changed(kind), ...SAID.map((bid) => answered(0, bid)), ended()];
    const { facts, context } = run(events);
    expect(facts[0]).toMatchObject({ type: 'turn.closed', requestKind: kind, said: null });
    expect(context.chat).toEqual([]);
    expect(facts.length).toBe(kind === 'reaction' ? 1 : 4);
  });

  test('that nobody opened is none', () => {
    expect(run([ended()]).facts).toEqual([]);
    expect(run([changed('ghost'), ended()]).facts).toEqual([]);
  });
});

describe('who is waited for', () => {
  test('all are asked at once and have the deadline of the meeting', () => {
    const { did, waits, context, at } = run([changed('ghost')]);
    expect([at, did, waits.map(([, ms]) => ms)]).toEqual(['talking', ['invite'], [800]]);
    expect(context).toMatchObject({ asked: ['tan', 'white'], answers: {}, waiting: [] });
  });

  test('when time is up the late are faults, released before the dice are drawn', () => {
    const events = [changed('ghost'), answered(0, aBid('white', { message: 'boo' }))];
    const talking = run(events);
    talking.waits[0]?.[0]();
    expect(talking.did).toEqual(['invite', 'release', 'draw']);
    const closed = run([...events, { type: 'time.called', turn: 0 }, ended()]);
    expect(closed.facts).toMatchObject([
      { bids: [aBid('white', { message: 'boo' }), late('tan')], said: { speaker: 'white' } },
    ]);
    expect(closed.waits.map(([, ms]) => ms)).toEqual([-1]);
  });

  test('time called for another turn does not end this one', () => {
    expect(run([changed('ghost'), { type: 'time.called', turn: 1 }]).at).toBe('talking');
  });

  test('an answer replaces one of the same ghost, and none is asked of who joined later', () => {
    const events = [
      changed('ghost'),
      joined('lime'),
      answered(0, aBid('white', { message: 'first' })),
      answered(0, aBid('white', { message: 'second' })),
      answered(0, aBid('tan')),
    ];
    expect(run(events).did).toEqual(['invite', 'release', 'draw']);
    const { facts, context } = run([...events, ended(), changed('ghost')]);
    expect(facts).toMatchObject([
      { type: 'ghost.joined', seat: 'lime' },
      {
        type: 'turn.closed',
        said: { message: 'second' },
        bids: [{ seat: 'white' }, { seat: 'tan' }],
      },
    ]);
    expect(context).toMatchObject({ asked: ['tan', 'white', 'lime'], answers: {}, turn: 1 });
  });

  test('ghosts see the table, the turn and their own chat', () => {
    const { context } = run([...HEARD, ended(), changed('ghost', 3)]);
    expect(viewForGhosts(context)).toMatchObject({
      requestKind: 'ghost',
      truth: TRUTH,
      transcript: (changed('ghost', 3) as { transcript: unknown }).transcript,
      turn: 1,
      chat: [{ speaker: 'white', message: 'boo', heard: 2 }],
    });
    expect(viewForGhosts(run([]).context)).toBeNull();
  });
});

describe('ruling 27: notes that a ghost keeps', () => {
  const announced = (outcome: 'ejected' | 'tie', ejected: Colour | null) => ({
    outcome,
    ejected,
    role: null,
    remaining: null,
    ballots: [],
    sentence: null,
  });
  const truth = (part: Partial<Truth>): Truth => ({ ...TRUTH, ...part });
  const own = aBid('white', { pads: { main: 'mine' } });
  const WATCHED = 'Meeting: I watched it as a ghost.';
  const TIE = { announced: announced('tie', null) };
  const EJECTED = { announced: announced('ejected', 'white') };

  test.each<[string, Partial<Truth>, Bid, string]>([
    ['its own text', TIE, own, 'mine'],
    ['that it watched', TIE, aBid('white'), WATCHED],
    ['that after a fault, too', {}, aFault('white'), WATCHED],
    [
      'how it voted before it was ejected',
      { ...EJECTED, ballots: { white: 'red' } },
      aFault('white'),
      'Meeting: I voted red; white was ejected.',
    ],
    [
      'that it did not vote before it was ejected',
      EJECTED,
      aBid('white', { pads: { meeting: 'x' } }),
      'Meeting: I did not vote; white was ejected.',
    ],
    [
      'how it voted before it left the living in another way',
      { announced: announced('ejected', 'red'), ballots: { white: 'skip' } },
      aBid('white'),
      'Meeting: I voted skip; red was ejected.',
    ],
    [
      'that it watched where nothing was announced',
      { announced: null, ballots: { white: 'skip' } },
      aBid('white'),
      WATCHED,
    ],
  ])('%s', (_, part, bid, text) => {
    const [main, line] = bid === own ? [text, null] : [null, text];
    const fact = { type: 'scratchpads.consolidated', seat: 'white', main, line };
    const events = [changed('consolidation', 0, truth(part)), answered(0, bid), ended()];
    const { facts } = run(events, { ghosts: ['white'] });
    expect(facts.slice(1)).toEqual([fact, { type: 'scratchpads.erased' }]);
  });
});

describe('the end of the gallery', () => {
  test('without ghosts it is over with the meeting, and remembers nothing until one joins', () => {
    const nobody = { ghosts: [] };
    expect(run([changed('ghost'), OVER], nobody)).toMatchObject({ at: 'closed', facts: [] });
    const seen = run([changed('reaction'), joined('lime')], nobody);
    expect(seen).toMatchObject({ at: 'watching', facts: [{ type: 'ghost.joined', seat: 'lime' }] });
    expect(seen.context).toMatchObject({ ghosts: ['lime'], waiting: [] });
  });
});

law(
  'ruling 36: talk of the ghosts costs no more turns than the budget, whatever the table does meanwhile',
  fc.property(
    fc.nat(3),
    fc.array(fc.constantFrom('change', 'answer'), { maxLength: 30 }),
    (budget, steps) => {
      const sent: ToGallery[] = [];
      for (const step of steps) {
        const { at, context } = run(sent, { budget });
        const { turn } = context;
        if (step === 'change') sent.push(changed('ghost'));
        else if (at === 'talking')
          sent.push(answered(turn, aFault('white')), answered(turn, aFault('tan')), ended());
      }
      const { context } = run(sent, { budget });
      expect(context.turn).toBeLessThanOrEqual(budget);
      expect(context.waiting.length).toBeLessThanOrEqual(1);
    },
  ),
  60,
);

/** A gallery with white alone and three turns, unless said otherwise. */
const seen = (events: readonly ToGallery[], input: Partial<GalleryInput> = {}) =>
  run(events, { ghosts: ['white'], budget: 3, ...input });
const boo = (turn: number, seat: 'white' | 'tan' = 'white') =>
  answered(turn, aBid(seat, { message: 'boo', desire: 5 }));
const TURN = (turn: number): readonly ToGallery[] => [changed('ghost'), boo(turn), ended()];

describe('ruling 36: a turn of ghosts', () => {
  test('asks every ghost, draws, and adds one line to their chat', () => {
    const { at, did, waits } = seen([changed('ghost')]);
    expect([at, did, waits.length]).toEqual(['talking', ['invite'], 1]);
    expect(seen([changed('ghost'), boo(0)]).at).toBe('settling');
    expect(seen(TURN(0))).toMatchObject({
      at: 'watching',
      context: { turn: 1, chat: [{ speaker: 'white', message: 'boo' }] },
    });
  });

  test('keeps where the meeting was when a ghost spoke, however far it has gone since', () => {
    const { context } = seen([
      changed('ghost', 1),
      changed('ghost', 3),
      boo(0),
      ended(),
      boo(1),
      ended(),
    ]);
    expect(context.chat).toEqual([
      { speaker: 'white', message: 'boo', heard: 1 },
      { speaker: 'white', message: 'boo', heard: 3 },
    ]);
  });

  test('waits for all who were asked, and not for an answer to another turn', () => {
    const two = { ghosts: ['white', 'tan'] } as const;
    expect(seen([changed('ghost'), boo(0)], two).at).toBe('talking');
    expect(seen([changed('ghost'), boo(0), boo(1, 'tan')], two).at).toBe('talking');
    expect(seen([changed('ghost'), boo(0), boo(0, 'tan')], two).at).toBe('settling');
  });

  test('lets the table pass by: of what happened meanwhile the newest is seen next', () => {
    const { at, context } = seen([
      changed('ghost', 1),
      changed('ghost', 2),
      changed('ghost', 3),
      boo(0),
      ended(),
    ]);
    expect(at).toBe('talking');
    expect(viewForGhosts(context)?.transcript).toHaveLength(3);
    expect(context.waiting).toEqual([]);
  });

  test('is not held where nobody is dead', () => {
    expect(seen([changed('ghost')], { ghosts: [] })).toMatchObject({
      at: 'empty',
      context: { waiting: [] },
    });
    expect(seen([{ type: 'ghost.joined', seat: 'tan' }, changed('ghost')], { ghosts: [] }).at).toBe(
      'talking',
    );
  });
});

describe('ruling 36: ghosts have a budget of their own', () => {
  const turns = (count: number) => Array.from({ length: count }, (_, turn) => TURN(turn)).flat();

  test('three turns of three are talked', () => {
    expect(seen(turns(3)).context.turn).toBe(3);
  });

  test('a fourth is not', () => {
    expect(seen([...turns(3), changed('ghost')])).toMatchObject({
      at: 'watching',
      context: { turn: 3 },
    });
  });

  test('but reaction and consolidation come on top (ruling 26)', () => {
    expect(seen([...turns(3), changed('reaction')]).at).toBe('talking');
    expect(seen([changed('reaction')], { budget: 0 }).at).toBe('talking');
  });
});

describe('the end of a meeting', () => {
  const last = [changed('reaction'), changed('consolidation'), OVER];

  test('ruling 26: ghosts react and consolidate, and then the lights go out', () => {
    expect(seen([...last, boo(0), ended()])).toMatchObject({
      at: 'talking',
      context: { over: true },
    });
    const events = [...last, boo(0), ended(), boo(1), ended()];
    const { at, context, facts } = seen(events);
    expect(at).toBe('closed');
    expect(context).toMatchObject({ turn: 2, chat: [] });
    expect(facts).toMatchObject([
      { type: 'turn.closed' },
      { type: 'turn.closed' },
      { type: 'scratchpads.consolidated', seat: 'white' },
      { type: 'scratchpads.erased' },
      { type: 'gallery.closed', turns: 2 },
    ]);
  });

  test('closes at once where nothing waits', () => {
    expect(seen([OVER]).at).toBe('closed');
    expect(seen([OVER], { ghosts: [] }).at).toBe('closed');
  });

  test('the turn that is open counts against the budget', () => {
    const { context } = seen([changed('ghost'), changed('ghost'), boo(0), ended()], { budget: 1 });
    expect(context).toMatchObject({ turn: 1, waiting: [], glimpse: null });
    const { context: two } = seen([changed('ghost'), changed('ghost'), boo(0), ended()], {
      budget: 2,
    });
    expect(two).toMatchObject({ turn: 1, glimpse: { requestKind: 'ghost' } });
  });
});
