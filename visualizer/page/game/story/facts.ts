/** Facts: what the page was built with. */
import type { MapPlan } from '../../../charts/mapLayout.ts';
import type { Charts } from './chart.ts';

export type Facts = {
  /** The format of journals that the page reads. */
  readonly format: number;
  readonly charts: Charts;
  readonly skeld: MapPlan;
};
