/** Scores of the beliefs in many journals, by moment, role, source and persona. */
import { BELIEF_MOMENTS, BELIEF_SOURCES, ROLES } from '../../machines/types.ts';
import { addAmounts } from '../counts/accounts.ts';
import type { BeliefGroup, BeliefSample } from './samples.ts';
import { type BeliefScores, scoreBeliefs } from './scores.ts';

/** `persona` is null for all personas together. */
type SummaryGroup = Omit<BeliefGroup, 'persona'> & { readonly persona: string | null };

export type BeliefSummary = SummaryGroup & Pick<BeliefSample, 'missing'> & BeliefScores;

/** Scores many journals, one list of samples for each. Groups without a sample are left out. */
export function summarizeBeliefs(
  journals: readonly (readonly BeliefSample[])[],
): readonly BeliefSummary[] {
  const names = new Set(journals.flatMap((samples) => samples.map(({ persona }) => persona)));
  const personas = [null, ...[...names].toSorted()];
  return ROLES.flatMap((role) =>
    BELIEF_SOURCES.flatMap((source) =>
      BELIEF_MOMENTS.flatMap((moment) =>
        personas.flatMap(
          (persona) => summarizeGroup(journals, { persona, role, source, moment }) ?? [],
        ),
      ),
    ),
  );
}

function summarizeGroup(
  journals: readonly (readonly BeliefSample[])[],
  group: SummaryGroup,
): BeliefSummary | null {
  const found = journals.map((samples) =>
    samples.filter(
      ({ persona, role, source, moment }) =>
        role === group.role &&
        source === group.source &&
        moment === group.moment &&
        (group.persona === null || persona === group.persona),
    ),
  );
  const asked = found.filter((samples) => samples.length > 0);
  if (asked.length === 0) return null;
  const missing: Record<string, number> = {};
  for (const sample of asked.flat()) addAmounts(missing, sample.missing);
  const games = asked.map((samples) => ({
    ofImpostors: samples.flatMap(({ ofImpostors }) => ofImpostors),
    ofCrew: samples.flatMap(({ ofCrew }) => ofCrew),
  }));
  return { ...group, missing, ...scoreBeliefs(games) };
}
