import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { playLeagueGame } from '../../../actors/league/game.ts';
import { MOST_ATTEMPTS } from '../../../actors/league/localQueue.ts';
import { settleLeague } from '../../../actors/league/plan.ts';
import { LESSONS } from '../../../actors/minds/scripted/traits.ts';
import { unpackJournal } from '../../../actors/stores/journal.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { InMemoryStore } from '../../support/inMemoryStore.ts';
import { aPlan, EDGE, memories, played } from './leagues.ts';

describe('a league', () => {
  test('that was stopped three times is the same as one that was not', async () => {
    const whole = await played(aPlan());
    expect(whole).toMatchObject({ open: 0, lost: [] });
    const store = new InMemoryStore();
    for (const stopAfter of [1, 2, 1]) {
      expect((await played(aPlan(), { store, stopAfter, jobs: 1 })).open).toBeGreaterThan(0);
    }
    const last = await played(aPlan(), { store, jobs: 1 });
    expect(last.open).toBe(0);
    expect(last.results).toEqual(whole.results);
    expect(await memories(store)).toEqual(await memories(whole.store));
  });

  test('learning does not depend on the order in which games end', async () => {
    const [one, three] = await Promise.all([
      played(aPlan(), { jobs: 1 }),
      played(aPlan(), { jobs: 3 }),
    ]);
    expect(three.results).toEqual(one.results);
    expect(await memories(three.store)).toEqual(await memories(one.store));
  });

  test('plays nothing again that has a result', async () => {
    const { store } = await played(aPlan());
    expect((await played(aPlan(), { store })).begun).toEqual([]);
    const career = await store.career('scripted_one');
    expect(career?.counters['games']).toBe(6);
  });

  test('plays an aborted game again in the same slot', async () => {
    const store = new InMemoryStore();
    const aborted = { type: 'aborted', slot: 1, text: 'paused' } as const;
    const part = await played(aPlan(), {
      store,
      jobs: 1,
      instead: (slot) => (slot === 1 ? aborted : null),
    });
    // Whatever broke it off would break off the next one too.
    expect(part).toMatchObject({ open: 5, lost: [aborted], begun: [0, 1] });
    const rest = await played(aPlan(), { store });
    expect(rest.begun).toContain(1);
    expect(rest.results).toEqual((await played(aPlan())).results);
  });

  test('gives a game up that always breaks, and plays its neighbours', async () => {
    const broken = { type: 'broken', slot: 0, text: 'poison' } as const;
    const { lost, begun, results, open } = await played(aPlan(), {
      instead: (slot) => (slot === 0 ? broken : null),
    });
    expect(lost).toEqual([broken]);
    expect(begun.filter((slot) => slot === 0).length).toBe(MOST_ATTEMPTS);
    // The round has its other game; the next round would not know what this one has taught.
    expect(results.map(({ slot }) => slot)).toEqual([1]);
    expect(open).toBe(5);
  });

  test('has a journal of each game with its result, in the store and then in the folder', async () => {
    const journals = new Map<number, string>();
    const store = new InMemoryStore();
    await played(aPlan({ games: 2 }), {
      store,
      save: async (slot, text) => {
        expect(await store.slots('small')).toContain(slot);
        const kept = await store.journal({ league: 'small', slot });
        expect(kept === null ? null : await unpackJournal(kept)).toBe(text);
        journals.set(slot, text ?? '');
      },
    });
    expect([...journals.keys()].toSorted()).toEqual([0, 1]);
    for (const text of journals.values()) {
      const { damages, lines } = readJournal(text);
      expect(damages).toEqual([]);
      expect(lines.some(({ type }) => type === 'game.closed')).toBe(true);
    }
  });

  test('does not save the journal of a game that another run has recorded meanwhile', async () => {
    const saved: (string | null)[] = [];
    const store = new InMemoryStore();
    await played(aPlan({ games: 2 }), {
      store,
      play: async (game) => {
        const outcome = await playLeagueGame(game, EDGE);
        if (outcome.type === 'played') await store.record(outcome.result, null);
        return outcome;
      },
      save: async (_slot, text) => void saved.push(text),
    });
    expect(saved).toEqual([null, null]);
  });

  test('of another file is refused under the same name', async () => {
    const store = new InMemoryStore();
    expect(await settleLeague(store, aPlan())).toBeNull();
    expect(await settleLeague(store, aPlan())).toBeNull();
    expect((await settleLeague(store, aPlan({ seed: 5 })))?.code).toBe('league/other-plan');
  });
});

describe('learning', () => {
  test('begins after the first round, and each lesson says where it comes from', async () => {
    const { store, results } = await played(aPlan());
    const played0 = results.filter(({ slot }) => slot < 2);
    for (const { seats } of played0) for (const { memory } of seats) expect(memory).toBe(0);
    const history = await store.history('scripted_one');
    expect(history.length).toBeGreaterThan(0);
    expect(history.map(({ barrier }) => barrier)).toEqual([
      ...new Set(history.map(({ barrier }) => barrier)),
    ]);
    for (const { text, from } of history.at(-1)?.lessons ?? []) {
      expect(Object.values(LESSONS).map((lesson) => lesson.text)).toContain(text);
      expect(from).toMatch(/^small, game \d, as (crewmate|impostor)$/);
    }
  });

  test('a memory is frozen during a game: lessons come after the round', async () => {
    const store = new InMemoryStore();
    await played(aPlan(), { store, stopAfter: 1, jobs: 1 });
    const lessons = [{ text: LESSONS.company.text, from: 'a hand' }];
    await store.teach('scripted_one', 0, { lessons, why: 'taught', barrier: '' });
    const { results } = await played(aPlan(), { store });
    const seat = (slot: number) => results[slot]?.seats.find(({ persona }) => persona === 'one');
    expect(seat(1)?.memory).toBe(0);
    expect(seat(2)?.memory).toBeGreaterThan(0);
    expect((await store.memory('scripted_one'))?.lessons).toContainEqual(lessons[0]);
  });

  test('a persona that does not learn knows only its file', async () => {
    const { league } = aPlan();
    const personas = league.personas.map((member) =>
      member.name === 'one' ? { ...member, learns: false, learned: [LESSONS.walk.text] } : member,
    );
    const { store, results } = await played(aPlan({ personas }));
    expect(await store.history('scripted_one')).toEqual([]);
    for (const { seats } of results) {
      for (const { persona, learned } of seats) expect(learned === null).toBe(persona === 'one');
    }
  });

  test('two personas of one model share nothing', async () => {
    const { store } = await played(aPlan());
    await store.teach('scripted_one', (await store.memory('scripted_one'))?.version ?? 0, {
      lessons: [],
      why: 'forgotten',
      barrier: '',
    });
    expect((await store.memory('scripted_one'))?.lessons).toEqual([]);
    expect((await store.memory('scripted_two'))?.lessons.length).toBeGreaterThan(0);
  });

  test('written by a server that forgot it is written again', async () => {
    const whole = await played(aPlan());
    const store = new InMemoryStore();
    await played(aPlan(), { store, stopAfter: 2, jobs: 1 });
    await played(aPlan(), { store: forgetful(store) });
    expect((await played(aPlan(), { store })).results).toEqual(whole.results);
  });
});

/** A store that forgets the first results of the third round, as a server does that is killed. */
function forgetful(store: InMemoryStore): Store {
  const forgotten = new Set<number>();
  const record: Store['record'] = async (result, epoch) => {
    if (result.slot < 4 || forgotten.has(result.slot)) return await store.record(result, epoch);
    forgotten.add(result.slot);
    return 'recorded';
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'record') return record;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
