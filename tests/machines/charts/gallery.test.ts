import { describe, expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import {
  type GalleryInput,
  galleryMachine,
  viewForGhosts,
} from '../../../machines/charts/gallery.ts';
import type { ToGallery } from '../../../machines/messages.ts';
import { fullTruth } from '../../../machines/rules/views.ts';
import type { RequestKind } from '../../../machines/types.ts';
import { aBid, aTable } from '../builders.ts';

function changed(requestKind: RequestKind = 'ghost', said = 0): ToGallery {
  const transcript = Array.from(
    { length: said },
    (_, tick) => ({ tick, speaker: 'red', target: null, message: 'hi' }) as const,
  );
  return { type: 'table.changed', requestKind, truth: fullTruth(aTable()), transcript };
}

function answered(turn: number, seat: 'white' | 'tan', message = 'boo'): ToGallery {
  return { type: 'ghost.answered', turn, bid: aBid(seat, { message, desire: 5 }) };
}

const ENDED: ToGallery = { type: 'turn.ended', dice: {} };
const OVER: ToGallery = { type: 'meeting.over' };

function after(events: readonly ToGallery[], input: Partial<GalleryInput> = {}) {
  const chance = { seed: 1, meeting: 0 };
  let [state, effects] = initialTransition(galleryMachine, {
    chance,
    ghosts: ['white'],
    budget: 3,
    deadlineMs: 1000,
    messageTokens: 120,
    ...input,
  });
  const told: unknown[] = effects.map(({ params }) => params);
  const did: string[] = [];
  for (const event of events) {
    [state, effects] = transition(galleryMachine, state, event);
    told.push(
      ...effects.filter(({ type }) => type === 'announceFacts').map(({ params }) => params),
    );
    did.push(...effects.map(({ type }) => type));
  }
  return { at: state.value, context: state.context, told: JSON.stringify(told), did };
}

const TURN = (turn: number): readonly ToGallery[] => [changed(), answered(turn, 'white'), ENDED];

describe('ruling 36: a turn of ghosts', () => {
  test('asks every ghost, draws, and adds one line to their chat', () => {
    expect(after([changed()])).toMatchObject({
      at: 'talking',
      did: ['inviteGhosts', 'xstate.raise'],
    });
    expect(after([changed(), answered(0, 'white')]).at).toBe('settling');
    expect(after(TURN(0))).toMatchObject({
      at: 'watching',
      context: { turn: 1, chat: [{ speaker: 'white', message: 'boo' }] },
    });
  });

  test('keeps where the meeting was when a ghost spoke, however far it has gone since', () => {
    const { context } = after([
      changed('ghost', 1),
      changed('ghost', 3),
      answered(0, 'white'),
      ENDED,
      answered(1, 'white'),
      ENDED,
    ]);
    expect(context.chat).toEqual([
      { speaker: 'white', message: 'boo', heard: 1 },
      { speaker: 'white', message: 'boo', heard: 3 },
    ]);
  });

  test('waits for all who were asked, and not for an answer to another turn', () => {
    const two = { ghosts: ['white', 'tan'] } as const;
    expect(after([changed(), answered(0, 'white')], two).at).toBe('talking');
    expect(after([changed(), answered(0, 'white'), answered(1, 'tan')], two).at).toBe('talking');
    expect(after([changed(), answered(0, 'white'), answered(0, 'tan')], two).at).toBe('settling');
  });

  test('lets the table pass by: of what happened meanwhile the newest is seen next', () => {
    const { at, context } = after([
      changed('ghost', 1),
      changed('ghost', 2),
      changed('ghost', 3),
      answered(0, 'white'),
      ENDED,
    ]);
    expect(at).toBe('talking');
    expect(viewForGhosts(context)?.transcript).toHaveLength(3);
    expect(context.waiting).toEqual([]);
  });

  test('is not held where nobody is dead', () => {
    expect(after([changed()], { ghosts: [] })).toMatchObject({
      at: 'empty',
      context: { waiting: [] },
    });
    expect(after([{ type: 'ghost.joined', seat: 'tan' }, changed()], { ghosts: [] }).at).toBe(
      'talking',
    );
  });
});

describe('ruling 36: ghosts have a budget of their own', () => {
  const turns = (count: number) => Array.from({ length: count }, (_, turn) => TURN(turn)).flat();

  test('three turns of three are talked', () => {
    expect(after(turns(3)).context.turn).toBe(3);
  });

  test('a fourth is not', () => {
    expect(after([...turns(3), changed()])).toMatchObject({ at: 'watching', context: { turn: 3 } });
  });

  test('but reaction and consolidation come on top (ruling 26)', () => {
    expect(after([...turns(3), changed('reaction')]).at).toBe('talking');
    expect(after([changed('reaction')], { budget: 0 }).at).toBe('talking');
  });
});

describe('the end of a meeting', () => {
  const last = [changed('reaction'), changed('consolidation'), OVER];

  test('ruling 26: ghosts react and consolidate, and then the lights go out', () => {
    const events = [...last, answered(0, 'white'), ENDED, answered(1, 'white'), ENDED];
    const { at, context, told } = after(events);
    expect(at).toBe('closed');
    expect(context).toMatchObject({ turn: 2, chat: [] });
    expect(told).toContain('"type":"scratchpads.consolidated","seat":"white"');
    expect(told).toContain('{"type":"gallery.closed","turns":2}');
  });

  test('ruling 26: a late ghost is announced in the ghosts’ channel and asked in the next turn', () => {
    const { context, told } = after([changed(), { type: 'ghost.joined', seat: 'tan' }]);
    expect(told).toContain('{"type":"ghost.joined","seat":"tan"}');
    expect(context).toMatchObject({ ghosts: ['white', 'tan'], asked: ['white'] });
    expect(after([changed(), { type: 'ghost.joined', seat: 'tan' }, answered(0, 'white')]).at).toBe(
      'settling',
    );
  });

  test('closes at once where nothing waits', () => {
    expect(after([OVER]).at).toBe('closed');
    expect(after([OVER], { ghosts: [] }).at).toBe('closed');
  });

  test('the turn that is open counts against the budget', () => {
    const { context } = after([changed(), changed(), answered(0, 'white'), ENDED], { budget: 1 });
    expect(context).toMatchObject({ turn: 1, waiting: [], glimpse: null });
    const { context: two } = after([changed(), changed(), answered(0, 'white'), ENDED], {
      budget: 2,
    });
    expect(two).toMatchObject({ turn: 1, glimpse: { requestKind: 'ghost' } });
  });
});
