/** The weights of the priority as the header of a journal has them; only the glass shows them. */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import type { Weights } from './bound.ts';

export function weightsIn(line: SeenLine | undefined): Weights | null {
  const weights = writtenIn(line);
  if (weights === undefined) return null;
  const { mention, accusation, voted, silence } = weights;
  const slope = silence?.slope;
  if (mention === undefined || accusation === undefined || voted === undefined) return null;
  if (slope === undefined) return null;
  const { grace = 0, cap = null } = silence ?? {};
  return { mention, accusation, voted, silence: { slope, grace, cap } };
}

function writtenIn(line: SeenLine | undefined) {
  if (line?.type === 'journal.opened') return line.scenario.options.weights;
  return line?.type === 'game.opened' ? line.lobby.options.weights : undefined;
}
