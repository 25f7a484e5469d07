/** A chart that is walked: its transitions by their ends, and the states around a state. */
import type { Course, Hop } from './course.ts';
import type { DrawnChart, DrawnEdge } from './drawn.ts';

/** The charts of the machines that run, laid out when the page was built. */
export type Charts = {
  readonly meeting: DrawnChart;
  readonly game: DrawnChart;
  /** Of one player; there are as many as seats. */
  readonly player: DrawnChart;
  /** The first two without what is inside their states. */
  readonly meetingPhases: DrawnChart;
  readonly gamePhases: DrawnChart;
};

/** Finds the transition of a hop; null where the chart has none such. */
export type Finder = (hop: Hop) => DrawnEdge | null;

export function finder(charts: Pick<Charts, 'meeting' | 'game'>): Finder {
  const edges = [...charts.meeting.edges, ...charts.game.edges];
  const bySource = Map.groupBy(edges, ({ source }) => source);
  return ({ from, to, guard }) => {
    const ends = (bySource.get(from) ?? []).filter(({ target }) => target === to);
    if (guard === undefined) return ends.find(({ isStart }) => !isStart) ?? null;
    if (guard === 'start') return ends.find(({ isStart }) => isStart) ?? null;
    const named = ends.filter((edge) => edge.event === guard || edge.guard?.startsWith(guard));
    return named.find((edge) => edge.guard === guard) ?? named[0] ?? null;
  };
}

/** A state and all that it lies in, the outermost first. */
function around(state: string | null): readonly string[] {
  if (state === null) return [];
  const words = state.split('.');
  return words.map((_, index) => words.slice(0, index + 1).join('.'));
}

/** All lit states of both charts. */
export function litIn({ meeting, game }: Course): readonly string[] {
  return [...around(game), ...around(meeting)];
}
