/** Stores that forget what they have acknowledged, names that can't be kept, and stores that break in mid-game. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkPlan, completePlan, settleLeague } from '../../../actors/league/plan.ts';
import { InMemoryStore } from '../../../actors/stores/inMemory.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import { StoreLost } from '../../../actors/stores/store.ts';
import { opened } from '../stores/kept.ts';
import { aPlan, played } from './leagues.ts';

/** Acknowledges the first result of a slot, and has lost it when somebody looks. */
class Forgetful extends InMemoryStore {
  #hasForgotten = false;

  override async record(result: GameResult, epoch: number | null) {
    if (result.slot !== 1 || this.#hasForgotten) return await super.record(result, epoch);
    this.#hasForgotten = true;
    return 'recorded' as const;
  }
}

/** Is emptied when so many results are there. */
class Emptied extends InMemoryStore {
  override async settled(league: string, matter: string) {
    const isEmpty = (await this.slots(league)).length >= 3;
    return isEmpty ? null : await super.settled(league, matter);
  }
}

describe('a store', () => {
  test('that forgets a result of the round that is on has that game played again', async () => {
    const whole = await played(aPlan());
    const again = await played(aPlan(), { store: new Forgetful() });
    expect(again).toMatchObject({ open: 0, lost: [] });
    expect(again.begun.filter((slot) => slot === 1).length).toBe(2);
    expect(again.results).toEqual(whole.results);
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

test('a file that is removed while it is used takes nothing more in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-removed-'));
  const store = await opened(join(folder, 'league.db'));
  expect(await store.enrol({ model: 'm', name: 'n' })).toBe('new');
  rmSync(folder, { recursive: true });
  await expect(store.enrol({ model: 'm', name: 'o' })).rejects.toThrow(/was removed or replaced/);
  await store.close();
});

describe('a name', () => {
  test('that is taken is told before the plan is settled, so that it can be mended', async () => {
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
