import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkPlan, completePlan, settleLeague } from '../../../actors/league/plan.ts';
import { StoreLost } from '../../../actors/stores/errors.ts';
import type { MemoryChange } from '../../../actors/stores/persona.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import type { LeadFence, Store } from '../../../actors/stores/store.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { opened } from '../stores/kept.ts';
import { aPlan, memories, played } from './leagues.ts';

/** Acknowledges the first result of a slot, and has lost it when somebody looks. */
class Forgetful extends InMemoryStore {
  #hasForgotten = false;

  override async record(result: GameResult, epoch: number | null) {
    if (result.slot !== 1 || this.#hasForgotten) return await super.record(result, epoch);
    this.#hasForgotten = true;
    return 'recorded' as const;
  }
}

class LessonsForgotten extends InMemoryStore {
  readonly #barrier: string;
  readonly #id: string;
  forgotten = 0;

  constructor(barrier: string, id: string) {
    super();
    this.#barrier = barrier;
    this.#id = id;
  }

  override async teach(
    id: string,
    seen: number,
    change: MemoryChange,
    fence: LeadFence | null = null,
  ) {
    if (id !== this.#id || change.barrier !== this.#barrier || this.forgotten > 0)
      return await super.teach(id, seen, change, fence);
    this.forgotten += 1;
    return { type: 'taught', version: seen + 1 } as const;
  }
}

/** Forgets as well, and the run ends when it has settled that the first barrier is passed. */
class RunLost extends LessonsForgotten {
  #hasEnded = false;

  override async settle(league: string, matter: string, value: string) {
    const settled = await super.settle(league, matter, value);
    if (matter !== 'passed:0' || this.#hasEnded) return settled;
    this.#hasEnded = true;
    throw new StoreLost('the run ends here');
  }
}

/** Settles a word where a barrier is passed, as earlier versions of this program did. */
class Worded extends InMemoryStore {
  override async settle(league: string, matter: string, value: string) {
    return await super.settle(league, matter, matter.startsWith('passed:') ? 'yes' : value);
  }
}

class Emptied extends InMemoryStore {
  override async settled(league: string, matter: string) {
    const isEmpty = (await this.slots(league)).length >= 3;
    return isEmpty ? null : await super.settled(league, matter);
  }
}

/** The league of many tests, played with a store that forgets nothing. */
const wholeLeague = played(aPlan());

describe('a store', () => {
  test('that forgets a result of the round that is on has that game played again', async () => {
    const whole = await wholeLeague;
    const again = await played(aPlan(), { store: new Forgetful() });
    expect(again).toMatchObject({ open: 0, lost: [] });
    expect(again.begun.filter((slot) => slot === 1).length).toBe(2);
    expect(again.results).toEqual(whole.results);
  });

  test.each([
    ['first', 'small: 0', 'scripted_two'],
    ['second', 'small: 1', 'scripted_two'],
    ['last', 'small: 2', 'scripted_two'],
  ])(
    'that forgets, while the next persona learns at the %s barrier, is taught it again',
    async (_which, barrier, id) => {
      const whole = await wholeLeague;
      const store = new LessonsForgotten(barrier, id);
      const { results } = await played(aPlan(), { store });
      expect(store.forgotten).toBe(1);
      expect(results).toEqual(whole.results);
      expect(await memories(store)).toEqual(await memories(whole.store));
    },
  );

  test('that forgets before a barrier is passed, by a run that ends then, is taught by the next run', async () => {
    const whole = await wholeLeague;
    const store = new RunLost('small: 0', 'scripted_two');
    await expect(played(aPlan(), { store })).rejects.toThrow('the run ends here');
    const { results } = await played(aPlan(), { store });
    expect(store.forgotten).toBe(1);
    expect(results).toEqual(whole.results);
    expect(await memories(store)).toEqual(await memories(whole.store));
  });

  test('that forgets a round while its lessons are written plays it with what was known before', async () => {
    const whole = await wholeLeague;
    const store = new InMemoryStore();
    await settleLeague(store, aPlan());
    const [first] = await whole.store.history('scripted_two');
    if (first === undefined) throw new Error('expected a lesson');
    const { version: _version, ...change } = first;
    expect(change.barrier).toBe('small: 0');
    await store.teach('scripted_two', 0, change);
    const { results } = await played(aPlan(), { store });
    expect(results).toEqual(whole.results);
    expect(await memories(store)).toEqual(await memories(whole.store));
  });

  test('of an earlier version is gone on with, and taught once', async () => {
    const whole = await wholeLeague;
    const store = new Worded();
    await played(aPlan(), { store, stopAfter: 3, jobs: 1 });
    const { results } = await played(aPlan(), { store });
    expect(results).toEqual(whole.results);
    expect(await memories(store)).toEqual(await memories(whole.store));
  });

  test('that forgets, of a league that is stopped, is not gone on with', async () => {
    const { open, begun } = await played(aPlan(), {
      store: new Forgetful(),
      stopAfter: 2,
      jobs: 1,
    });
    expect([open, begun]).toEqual([5, [0, 1]]);
  });

  test('that is emptied on the way ends the league in a sentence', async () => {
    const playing = played(aPlan(), { store: new Emptied(), jobs: 1 });
    await expect(playing).rejects.toThrow(StoreLost);
    await expect(playing).rejects.toThrow(/was emptied while the league was played/);
  });
});

const FORGET_ROUND = `DELETE FROM matter WHERE name = 'round:2'`;

function change(path: string, statements: string): void {
  const file = new DatabaseSync(path);
  file.exec(statements);
  file.close();
}

describe('a round whose knowledge is taken out of the store', () => {
  async function interrupted(path: string) {
    const store = await opened(path);
    await played(PLAN, { store, stopAfter: 5, jobs: 1 });
    await store.close();
    change(path, FORGET_ROUND);
    return await opened(path);
  }
  const PLAN = aPlan({ options: { max_rounds: 8 } });
  const ID = 'scripted_one';
  const teachByHand = async (store: Store) => {
    const { version } = (await store.memory(ID)) ?? { version: 0 };
    const lessons = [{ text: 'Trust nobody.', from: 'a hand' }];
    await store.teach(ID, version, { lessons, why: 'taught', barrier: '' });
  };
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'glassbox-round-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is played on as it was begun, with a word, whatever was taught meanwhile', async () => {
    const store = await interrupted(join(folder, 'league.db'));
    await teachByHand(store);
    const whole = await played(PLAN);
    expect(whole.results.flatMap(({ seats }) => seats).some(({ memory }) => memory > 0)).toBe(true);
    const notes: string[] = [];
    const { results } = await played(PLAN, { store, onNote: (text) => void notes.push(text) });
    expect(results).toEqual(whole.results);
    expect(notes).toEqual([expect.stringContaining('knew in round 3 of small, which was played')]);
    await store.close();
  });

  test.each([4, 5])('is played on when games from %i on are lost too', async (slot) => {
    const path = join(folder, 'league.db');
    const plan = aPlan({ players: 4, options: { max_rounds: 8 } });
    const whole = await played(plan, { store: await opened(path) });
    change(path, `${FORGET_ROUND}; DELETE FROM result WHERE slot >= ${slot}`);
    const store = await opened(path);
    await teachByHand(store);
    const { results, open } = await played(plan, { store });
    expect({ results, open }).toEqual({ results: whole.results, open: 0 });
    await store.close();
  });

  test('that was played with a lost memory has that game played again', async () => {
    const whole = await played(PLAN);
    const [first] = whole.results;
    const seats = first?.seats.map((seat) => ({ ...seat, memory: 7 })) ?? [];
    const store = new InMemoryStore();
    if (first !== undefined) await store.record({ ...first, seats }, null);
    const { results, begun } = await played(PLAN, { store });
    expect(results).toEqual(whole.results);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await store.career(ID)).toEqual(await whole.store.career(ID));
  });

  test('a game that is taken out is counted once, even if the run ends while it takes it out', async () => {
    const path = join(folder, 'league.db');
    const whole = await played(PLAN);
    const [first] = whole.results;
    const store = await opened(path);
    const seats = first?.seats.map((seat) => ({ ...seat, memory: 7 })) ?? [];
    if (first !== undefined) await store.record({ ...first, seats }, null);
    let steps = 0;
    const endAfterOne = <T>(act: () => Promise<T>): Promise<T> => {
      steps += 1;
      return steps === 1 ? act() : Promise.reject(new StoreLost('the run ends here'));
    };
    const { discard, rebuild } = store;
    Object.assign(store, {
      discard: (...asked) => endAfterOne(() => discard(...asked)),
      rebuild: (...asked) => endAfterOne(() => rebuild(...asked)),
    } satisfies Partial<Store>);
    await expect(played(PLAN, { store })).rejects.toThrow('the run ends here');
    await store.close();
    const again = await opened(path);
    expect((await played(PLAN, { store: again })).results).toEqual(whole.results);
    expect(await again.career(ID)).toEqual(await whole.store.career(ID));
    await again.close();
  });

  test('a league restores its memories before the next game', async () => {
    const path = join(folder, 'league.db');
    const store = await opened(path);
    await played(PLAN, { store, stopAfter: 4, jobs: 1 });
    change(path, FORGET_ROUND);
    const notes: string[] = [];
    const { results } = await played(PLAN, { store, onNote: (text) => void notes.push(text) });
    expect(results).toEqual((await played(PLAN)).results);
    expect(notes).toEqual([]);
    await store.close();
  });
});

test('a file that is removed while it is used takes nothing more in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-removed-'));
  const store = await opened(join(folder, 'league.db'));
  expect(await store.enrol({ model: 'm', name: 'n' })).toBe('new');
  rmSync(folder, { recursive: true });
  await expect(store.enrol({ model: 'm', name: 'o' })).rejects.toThrow(/was removed or replaced/);
  await store.close();
});

describe('a name', () => {
  test('a taken name is reported before the plan is settled', async () => {
    const store = new InMemoryStore();
    const named = (name: string) =>
      aPlan({
        personas: aPlan()
          .league.personas.map((member) => ({ ...member, name }))
          .slice(0, 1),
      });
    await store.enrol({ model: 'scripted_free', name: 'one' });
    expect((await settleLeague(store, named('free_one')))?.code).toBe('persona/taken');
    expect(await store.settled('small', 'plan')).toBeNull();
    expect(await settleLeague(store, named('free'))).toBeNull();
  });

  test('is refused in two spellings of the same accents', () => {
    const [member] = aPlan().league.personas;
    const personas = ['caf\u00e9', 'cafe\u0301'].flatMap((name) =>
      member === undefined ? [] : [{ ...member, name }],
    );
    expect(checkPlan(aPlan({ personas })).map(({ code }) => code)).toEqual(['persona/taken']);
    expect(checkPlan(aPlan())).toEqual([]);
    expect(completePlan({ ...aPlan().league, name: 'cafe\u0301' }, 'test').league.name).toBe(
      'caf\u00e9',
    );
  });
});
