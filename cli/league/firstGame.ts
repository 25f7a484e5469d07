/** The first game of a league, looked at before anything is settled: if it can be played, all can. */

import { assignmentOf } from '../../actors/league/assignment.ts';
import { fixturesOf, type Plan } from '../../actors/league/plan.ts';
import { isRemote } from '../../actors/minds/kinds.ts';
import { prepare } from '../../machines/setup/prepare.ts';
import type { Note } from '../../machines/types.ts';

/** Keys that models want and nobody has. */
export function keyNotes({ league }: Plan): readonly Note[] {
  const notes = league.personas.flatMap(({ mind, key }) =>
    isRemote({ mind }) && key !== undefined && !process.env[key]
      ? [
          {
            code: 'model/no-key',
            text: `personas: expected a key in the environment variable ${key}, which is not set`,
          },
        ]
      : [],
  );
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

/** What is wrong with the games of a plan; empty when nothing is. */
export function firstRefusals(plan: Plan): readonly Note[] {
  const { players, options } = plan.league;
  const impostors = options.impostors ?? 1;
  if (impostors >= players) {
    const text = `options: ${impostors} impostors are too many for a table of ${players}`;
    return [{ code: 'league/impostors', text }];
  }
  const [first] = fixturesOf(plan);
  if (first === undefined) return [];
  const { lobby, seed } = assignmentOf(plan, first, {});
  const boarding = prepare(lobby, seed);
  return boarding.ok ? [] : boarding.refusals;
}
