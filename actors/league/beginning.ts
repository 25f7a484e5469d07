/** The beginning of a league: its plan is settled for good, and everybody in it is enrolled. */
import { canonical } from '../../machines/journal/canonical.ts';
import { isSamePersona, type PersonaName, personaId } from '../stores/persona.ts';
import type { Store } from '../stores/store.ts';
import { type Plan, personaOf, planText, readPlan } from './plan.ts';

/** Why a league can't be played under its name. */
export type Conflict = { readonly code: string; readonly text: string };

/** Settles the plan and enrols everybody; null when all is well. */
export async function begin(store: Store, plan: Plan): Promise<Conflict | null> {
  const { name, personas } = plan.league;
  // A plan that is settled can't be mended any more, so names are looked at first.
  for (const persona of personas.map(personaOf)) {
    const there = await store.career(personaId(persona));
    if (there !== null && !isSamePersona(there.persona, persona)) return takenBy(persona);
  }
  const mine = planText(plan);
  const settled = await store.settle(name, 'plan', mine);
  if (settled !== mine) {
    const text = `the league ${JSON.stringify(name)} was begun with ${othersIn(settled, plan)}: go on with that one, or give this one another name`;
    return { code: 'league/other-plan', text };
  }
  for (const member of personas) {
    const persona = personaOf(member);
    if ((await store.enrol(persona)) === 'taken') return takenBy(persona);
    if (!member.learns || member.learned.length === 0) continue;
    const lessons = member.learned.map((text) => ({ text, from: `the file of ${name}` }));
    await store.teach(personaId(persona), 0, { lessons, why: 'new', barrier: '' });
  }
  return null;
}

function takenBy(persona: PersonaName): Conflict {
  const id = JSON.stringify(personaId(persona));
  const text = `the persona ${id} is there already, with another model and name that spell the same id: rename it`;
  return { code: 'persona/taken', text };
}

/** What of a plan is not as it was settled, in words. */
function othersIn(settled: string, { engine, league }: Plan): string {
  const begun = readPlan(settled);
  if (begun.engine !== engine)
    return `version ${begun.engine} of this program, and this is ${engine}`;
  const before = new Map(Object.entries(begun.league));
  const keys = Object.entries(league)
    .filter(([key]) => key !== 'budget' && key !== 'limits')
    .filter(([key, value]) => canonical([before.get(key) ?? null]) !== canonical([value]))
    .map(([key]) => key);
  return `another file (${keys.join(', ')})`;
}
