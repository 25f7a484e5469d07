/** The lines of the statechart: the wider the more often they were taken, and dashed where they never were. */
import { LineShape } from '../../frame/statechart.tsx';
import type { DrawnEdge, Spot } from '../../game/story/pageData.ts';
import type { Traffic } from '../picture/traffic.ts';
import { count } from './words.tsx';

type ReportLineProps = {
  readonly spots: readonly Spot[];
  readonly all: readonly DrawnEdge[];
  readonly traffic: Traffic | null;
  readonly hot: ReadonlySet<string>;
};

/** Pixels: a line that is taken a thousand times as often is three steps wider. */
const WIDEST = 4.5;
const THINNEST = 1.1;

export function Line({ spots, all, traffic, hot }: ReportLineProps) {
  const isStart = all[0]?.isStart === true;
  const many = all.reduce((sum, { id }) => sum + (traffic?.taken.get(id) ?? 0), 0);
  return (
    <LineShape
      spots={spots}
      edges={all}
      said={`Taken ${count(many)} times.`}
      isHot={all.some(({ id }) => hot.has(id))}
      isFired={many > 0}
      isMissed={traffic !== null && !isStart && many === 0}
      width={many === 0 ? THINNEST : Math.min(WIDEST, THINNEST + Math.log10(many) * 0.55)}
    />
  );
}
