import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  ANSWER_MODES,
  adaptCapabilities,
  type Capabilities,
  CapabilityCache,
  listPlainer,
  presumeCapabilities,
  type RequestPart,
} from '../../../../actors/minds/openai/capabilities.ts';

const UNTRIED = presumeCapabilities('http://here/v1');
const NEVER = new AbortController().signal;
const KEY = 'prompt_cache_key';

test('of an endpoint that nobody knows everything is tried', () => {
  expect(UNTRIED).toEqual({
    modes: ['json_schema', 'json_object', 'tool', 'text'],
    system: 'system',
    joinsRoles: false,
    tokenName: 'max_tokens',
    dropped: [],
    isBare: false,
    streaming: 'as-wished',
    takesBounds: true,
    isWordy: false,
    room: 1,
    thinks: false,
  });
  expect(presumeCapabilities('https://api.groq.com/openai/v1')).toEqual({
    ...UNTRIED,
    dropped: [KEY],
  });
});

describe('a refusal of', () => {
  type Change = Partial<Capabilities>;
  test.each<[what: RequestPart, parameter: string | null, used: Change, changes: Change | null]>([
    ['format', null, {}, { modes: ['json_schema', 'json_object', 'text'] }],
    ['tools', null, {}, { modes: ['json_schema', 'json_object', 'text'] }],
    ['system', null, {}, { system: 'merged' }],
    ['system', null, { system: 'merged' }, null],
    ['roles', null, {}, { joinsRoles: true }],
    ['roles', null, { joinsRoles: true }, { system: 'merged' }],
    ['roles', null, { joinsRoles: true, system: 'merged' }, null],
    ['token-name', null, {}, { tokenName: 'max_completion_tokens' }],
    ['token-limit', 'max_tokens', {}, { tokenName: null }],
    ['stream', null, {}, { streaming: 'never' }],
    ['stream', null, { streaming: 'always' }, null],
    ['no-stream', null, {}, { streaming: 'always' }],
    ['no-stream', null, { streaming: 'never' }, null],
    ['parameter', 'seed', {}, { dropped: ['top_p', 'seed'] }],
    ['parameter', 'seed', { dropped: ['seed'] }, null],
    ['parameter', 'max_tokens', {}, { tokenName: null }],
    // Others have learned it meanwhile.
    ['parameter', 'top_p', {}, { dropped: ['top_p'] }],
    ['parameter', null, {}, null],
    ['unknown', null, {}, null],
  ])('%s (%s), used with %j, leaves %j', (what, parameter, used, changes) => {
    const known = { ...UNTRIED, dropped: ['top_p'] };
    const adapted = adaptCapabilities(known, { ...UNTRIED, ...used }, 'tool', { what, parameter });
    expect(adapted).toEqual(changes === null ? null : { ...known, ...changes });
  });

  test('the only way to ask leaves nothing', () => {
    const known: Capabilities = { ...UNTRIED, modes: ['tool'] };
    const refusal = { what: 'tools', parameter: null } as const;
    expect(adaptCapabilities(known, known, 'tool', refusal)).toBeNull();
  });
});

test('after a refusal that is not understood everything is left out by and by, and at last all of it', () => {
  const known = { ...UNTRIED, dropped: ['seed'] };
  const merged = { system: 'merged', joinsRoles: true };
  const bare = { tokenName: null, isBare: true };
  const plainer = [
    { ...known, modes: ['json_object', 'tool', 'text'] },
    { ...known, modes: ['tool', 'text'] },
    { ...known, modes: ['text'] },
    { ...known, ...merged },
    { ...known, ...bare },
    { ...known, modes: ['text'], ...merged, ...bare },
  ];
  expect(listPlainer(known, false)).toEqual(plainer);
  const keyless = { ...known, dropped: ['seed', KEY] };
  const unbounded = { ...keyless, takesBounds: false };
  expect(listPlainer(known, true)).toEqual([keyless, unbounded, ...plainer]);
  const [again] = listPlainer({ ...known, dropped: [KEY] }, true);
  expect(again?.dropped).toEqual([KEY]);
});

/** A cache that remembers something, and what its keeper was given; null where it was to forget. */
function aCache(remembered: Partial<Capabilities> | null) {
  const kept: (Capabilities | null)[] = [];
  const known = new CapabilityCache(remembered && { ...UNTRIED, ...remembered }, UNTRIED, {
    keep: (capabilities) => kept.push(capabilities),
    forget: () => kept.push(null),
  });
  return { known, kept };
}

describe('remembered capabilities', () => {
  test.each<[differs: Partial<Capabilities>, isBegunAnew: boolean]>([
    [{ modes: ['json_schema', 'json_object', 'tool'] }, true],
    [{ system: 'merged' }, true],
    [{ joinsRoles: true }, true],
    [{ tokenName: null }, true],
    [{ isBare: true }, true],
    [{ streaming: 'never' }, true],
    [{ takesBounds: false }, true],
    [{ dropped: ['seed'] }, true],
    // These change no request.
    [{ modes: [...ANSWER_MODES].toReversed() }, false],
    [{ room: 16 }, false],
    [{ thinks: true }, false],
    [{}, false],
  ])('as %j is given up when nothing helps: %s', (differs, isBegunAnew) => {
    const { known, kept } = aCache(differs);
    expect(known.generation).toBe(0);
    expect(known.startOver(0)).toBe(isBegunAnew);
    expect(known.generation).toBe(isBegunAnew ? 1 : 0);
    expect(known.capabilities).toEqual(isBegunAnew ? UNTRIED : { ...UNTRIED, ...differs });
    expect(kept).toEqual(isBegunAnew ? [null] : []);
  });

  test('remembered capabilities are given up once, and later findings stay', () => {
    const { known, kept } = aCache({ modes: ['tool'] });
    expect([known.startOver(0), known.startOver(0)]).toEqual([true, true]);
    known.capabilities = { ...UNTRIED, modes: ['text'] };
    expect([known.startOver(0), known.startOver(1)]).toEqual([true, false]);
    expect([known.generation, kept]).toEqual([1, [null]]);
    expect(known.capabilities.modes).toEqual(['text']);
  });

  test('stays where it has got an answer, or where nothing was', () => {
    const { known } = aCache({ modes: ['tool'] });
    known.noteAnswered('tool', 1, []);
    expect(known.startOver(0)).toBe(false);
    const { known: fresh } = aCache(null);
    fresh.capabilities = { ...UNTRIED, modes: ['tool'] };
    expect(fresh.startOver(0)).toBe(false);
  });

  test('capabilities are given up for dropping more than was presumed, and not for dropping less', () => {
    const presumed = presumeCapabilities('https://api.groq.com/v1');
    const cache = (dropped: readonly string[]) =>
      new CapabilityCache({ ...UNTRIED, dropped }, presumed).startOver(0);
    expect([cache([KEY]), cache([]), cache([KEY, 'seed'])]).toEqual([false, false, true]);
  });
});

describe('an answer', () => {
  test.each([
    ['of a model that thinks teaches the room that it took, and no less, and is kept', true],
    ['of a model that does not think teaches no room', false],
  ])('%s', (_, thinks) => {
    const { known, kept } = aCache({ thinks });
    const rooms = [1, 4, 16, 4].map((room) => {
      known.noteAnswered('text', room, []);
      return known.capabilities.room;
    });
    expect(rooms).toEqual(thinks ? [1, 4, 16, 16] : [1, 1, 1, 1]);
    expect(kept.map((one) => one?.room)).toEqual(rooms);
    known.note({ room: 1 });
    expect(known.capabilities).toEqual({ ...UNTRIED, thinks });
    known.noteAnswered('text', 1, []);
    expect(known.capabilities.room).toBe(1);
  });

  test('with the first thoughts gives room to think, and later ones none', () => {
    const { known } = aCache(null);
    known.noteAnswered('text', 1, [], true);
    expect(known.capabilities).toMatchObject({ room: 4, thinks: true });
    known.note({ room: 1 });
    known.noteAnswered('text', 1, [], true);
    expect(known.capabilities).toMatchObject({ room: 1, thinks: true });
    known.noteAnswered('text', 1, []);
    expect(known.capabilities.thinks).toBe(true);
  });

  test('puts a way that has missed twice last, each time again', () => {
    const { known } = aCache(null);
    const miss = (mode: 'json_schema' | 'json_object' | 'tool') => {
      known.noteAnswered('text', 1, [mode]);
      return known.capabilities.modes;
    };
    expect(miss('json_schema')).toEqual(ANSWER_MODES);
    expect(miss('json_schema')).toEqual(['json_object', 'tool', 'text', 'json_schema']);
    miss('json_object');
    expect(miss('json_object')).toEqual(['tool', 'text', 'json_schema', 'json_object']);
    expect(miss('json_schema')).toEqual(['tool', 'text', 'json_schema', 'json_object']);
    expect(miss('json_schema')).toEqual(['tool', 'text', 'json_object', 'json_schema']);
  });

  test('an answer forgives earlier misses of its mode', () => {
    const { known } = aCache(null);
    known.noteAnswered('text', 1, ['json_schema']);
    known.noteAnswered('json_schema', 1, []);
    known.noteAnswered('text', 1, ['json_schema']);
    expect(known.capabilities.modes).toEqual(ANSWER_MODES);
  });

  test('adds no way that the endpoint has refused', () => {
    const { known } = aCache({ modes: ['json_object', 'text'] });
    for (const _ of [1, 2]) known.noteAnswered('text', 1, ['json_schema']);
    expect(known.capabilities.modes).toEqual(['json_object', 'text']);
  });
});

function callers(known: CapabilityCache, signal = NEVER) {
  const begun: string[] = [];
  const call = (name: string, isLearned: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const ended = known.call(
      () => {
        begun.push(name);
        return promise;
      },
      () => isLearned,
      signal,
    );
    return { ended, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  return { begun, call };
}

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('while nobody has got through', () => {
  test('calls run one at a time, until one has learned; then all at once', async () => {
    const { begun, call } = callers(aCache(null).known);
    const first = call('first', false);
    const second = call('second', true);
    const [third, fourth] = [call('third', false), call('fourth', false)];
    await turnOfTheLoop();
    expect(begun).toEqual(['first']);
    first.end();
    expect(await first.ended).toBe('first');
    await turnOfTheLoop();
    expect(begun).toEqual(['first', 'second']);
    second.end();
    expect(await second.ended).toBe('second');
    await turnOfTheLoop();
    expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
    third.end();
    await third.ended;
    // What one call has learned is not lost by another that learns nothing.
    const [fifth, sixth] = [call('fifth', false), call('sixth', false)];
    expect(begun.slice(4)).toEqual(['fifth', 'sixth']);
    for (const one of [fourth, fifth, sixth]) {
      one.end();
      await one.ended;
    }
  });

  test('a call that fails lets the next one through', async () => {
    const { begun, call } = callers(aCache(null).known);
    const first = call('first', true);
    const second = call('second', true);
    first.fail();
    await expect(first.ended).rejects.toThrow('first');
    await turnOfTheLoop();
    expect(begun).toEqual(['first', 'second']);
    second.end();
    expect(await second.ended).toBe('second');
  });

  test('a call that is given up runs at once, and is heard of no more', async () => {
    const { known } = aCache(null);
    const first = callers(known).call('first', true);
    const leaving = new AbortController();
    const { begun, call } = callers(known, leaving.signal);
    const second = call('second', false);
    await turnOfTheLoop();
    expect(begun).toEqual([]);
    leaving.abort();
    await turnOfTheLoop();
    expect(begun).toEqual(['second']);
    const third = call('third', false);
    expect(begun).toEqual(['second', 'third']);
    for (const one of [second, third]) {
      one.end();
      await one.ended;
    }
    // The one that finds out is still at it, and others wait for it.
    const others = callers(known);
    const fourth = others.call('fourth', true);
    await turnOfTheLoop();
    expect(others.begun).toEqual([]);
    for (const one of [first, fourth]) {
      one.end();
      await one.ended;
    }
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([]);
  });

  test('remembered capabilities count as known until they are given up', async () => {
    const { known } = aCache({ modes: ['tool'] });
    const { begun, call } = callers(known);
    const all = [call('first', false), call('second', false)];
    expect(begun).toEqual(['first', 'second']);
    known.startOver(0);
    all.push(call('third', false), call('fourth', false));
    await turnOfTheLoop();
    expect(begun).toEqual(['first', 'second', 'third']);
    for (const one of all) {
      one.end();
      await one.ended;
    }
  });
});
