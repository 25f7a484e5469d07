/** The quiet run of a league, to compare storms with: the same league without faults. */
import { createLocalQueue } from '../../actors/league/localQueue.ts';
import { type LeaguePlan, personaNameOf, settleLeague } from '../../actors/league/plan.ts';
import { playLeague } from '../../actors/league/runner.ts';
import { personaId } from '../../actors/stores/persona.ts';
import type { Store } from '../../actors/stores/store.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { InMemoryStore } from '../support/inMemoryStore.ts';
import { playOnce } from './process.ts';

const exported = new Map<string, Promise<string>>();

export async function exportQuietly(plan: LeaguePlan): Promise<string> {
  const key = canonical(plan);
  const known = exported.get(key) ?? playQuietly(plan);
  exported.set(key, known);
  return await known;
}

async function playQuietly(plan: LeaguePlan): Promise<string> {
  const store = new InMemoryStore();
  await settleLeague(store, plan);
  const queue = createLocalQueue({
    store,
    gamesAtOnce: 1,
    player: playOnce,
    save: async () => {},
    close: async () => {},
  });
  await playLeague({ plan, store, queue, onOutcome: () => {} });
  return await exportLeague(plan, store);
}

export async function exportLeague(plan: LeaguePlan, store: Store): Promise<string> {
  const { name, personas } = plan.league;
  const lines: string[] = [];
  for await (const result of store.results(name)) lines.push(canonical(result));
  for (const member of personas) {
    const id = personaId(personaNameOf(member));
    const career = await store.career(id);
    const { lessons } = (await store.memory(id)) ?? { lessons: [] };
    lines.push(
      canonical([id, career?.counters ?? {}, lessons.map(({ text, from }) => [text, from])]),
    );
  }
  return lines.join('\n');
}
