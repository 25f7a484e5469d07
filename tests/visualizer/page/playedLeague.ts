import { readFileSync } from 'node:fs';
import { leagueSchema, readLeague } from '../../../actors/league/leagueFile.ts';
import { completePlan, type LeaguePlan } from '../../../actors/league/plan.ts';
import { personaId } from '../../../actors/stores/persona.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { reportLeague } from '../../../analysis/league/report.ts';
import type { LeagueReport } from '../../../analysis/league/types.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { played } from '../../actors/league/leagues.ts';

/** Ends elements, begins others, and means something in addresses. */
export const HOSTILE = `</script><img src=x onerror="document.title=1"><b>&amp; %41 #a=b</b> $& ]]>`;
/** 200 characters, the longest that a lesson may have. */
const LONG = 'many words '.repeat(18).trim();

const ODD_NAMES = [`#%&<>"' +?=/`, 'Ω 大 é 🚀', 'x'.repeat(80)] as const;

export function oddPlan(games: number): LeaguePlan {
  const league = leagueSchema.parse({
    name: 'odd <b>&',
    about: HOSTILE,
    seed: 5,
    games,
    round: 4,
    players: 5,
    mirror: true,
    compare: [['plain', ODD_NAMES[0]]],
    personas: [
      { name: 'plain', temperament: 'follower', level: 'basic' },
      { name: ODD_NAMES[0], temperament: 'observer', learned: [LONG] },
      { name: ODD_NAMES[1], temperament: 'joker' },
      { name: ODD_NAMES[2], temperament: 'leader', learns: false },
      { name: 'hot_accuser', character: HOSTILE },
    ],
  });
  return completePlan(league, 'test');
}

async function teach(store: Store): Promise<void> {
  const id = personaId({ model: 'scripted', name: 'plain' });
  const memory = await store.memory(id);
  const lessons = [
    { text: HOSTILE, from: HOSTILE },
    { text: LONG, from: 'odd <b>&, game 1, as crewmate' },
  ];
  const change = { lessons, why: 'taught', barrier: HOSTILE } as const;
  await store.teach(id, memory?.version ?? 0, change);
}

export async function oddLeague(games: number): Promise<{ plan: LeaguePlan; store: Store }> {
  const plan = oddPlan(games);
  const { store, open } = await played(plan);
  if (open > 0) throw new Error(`${open} games were not played`);
  await teach(store);
  return { plan, store };
}

export async function springLeague(): Promise<LeagueReport> {
  const file = new URL('../../../examples/league.yaml', import.meta.url);
  const reading = readLeague(readFileSync(file, 'utf8'));
  if (!reading.ok) throw new Error(reading.notes.map(({ text }) => text).join('\n'));
  const league = reading.value;
  const plan = completePlan(
    {
      ...league,
      about: 'Everybody learns here.',
      learning: true,
      compare: [['dry_joker', 'loyal_follower']],
    },
    manifest.version,
  );
  const { store } = await played(plan);
  return await reportLeague(store, plan, 'no-such-folder');
}
