/** Sections about models as machines: reliability and cost. */

import type { ReportSection, ScatterFigure } from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import { partsAt, personaPoints, personasOf, personaTable } from './shared.ts';

const RELIABILITY = [
  ['faults', 'faults'],
  ['mended', 'mended replies'],
  ['invalid_votes', 'votes for nobody'],
  ['failed_requests', 'failed requests'],
  ['repaired', 'repaired answers'],
  ['latency', 'seconds a request'],
] as const;

export function describeReliability(numbers: ReportNumbers): ReportSection {
  return {
    name: 'reliability',
    title: 'Reliability, apart from skill',
    text: [
      'A missing or unreadable reply loses no game by itself, because the player passes. So the ratings contain only its cost in votes and tasks. Only language models have requests.',
    ],
    tables: [
      {
        name: 'reliability',
        caption: 'Faults, corrections and failed requests, by model (other minds by their kind).',
        heads: ['model'],
        columns: RELIABILITY.map(([, title]) => title),
        rows: partsAt(numbers, 'faults', 0).map((label) => ({
          labels: [label],
          cells: RELIABILITY.map(([measure]) => numbers.of(measure, label)),
        })),
      },
    ],
    figures: [],
  };
}

export function describeCosts(numbers: ReportNumbers): ReportSection {
  const priced = personasOf(numbers, 'dollars');
  const counted = personasOf(numbers, 'tokens');
  const [measure, there] =
    priced.length > 0 ? (['dollars', priced] as const) : (['tokens', counted] as const);
  const isThere = there.length > 0;
  const offline = numbers.personas.filter((who) => !counted.includes(who) && !priced.includes(who));
  const without =
    offline.length === 0
      ? ''
      : ` Offline minds, and those whose endpoint counts nothing, have no cost here and are left out: ${offline.join(', ')}.`;
  const frame = { name: 'costs', caption: 'The cost of a seat in a game, beside skill.' };
  return {
    name: 'costs',
    title: 'Cost against skill',
    text: [
      isThere
        ? `The cost of the requests of a seat in a game, as reported by the endpoint. On the front are the personas that no cheaper persona beats in skill.${without}`
        : 'No request to a model has a cost or a count of tokens in these journals; offline minds have none, so there is no front.',
    ],
    tables: isThere
      ? [
          personaTable(
            frame,
            numbers.personas.filter((who) => !offline.includes(who)),
            [
              { title: 'rating', cellOf: (who) => numbers.rating(who, 'overall') },
              { title: 'dollars a seat and game', cellOf: (who) => numbers.of('dollars', who) },
              { title: 'tokens a seat and game', cellOf: (who) => numbers.of('tokens', who) },
            ],
          ),
        ]
      : [],
    figures: isThere ? [drawCosts(numbers, measure, there)] : [],
  };
}

function drawCosts(
  numbers: ReportNumbers,
  measure: 'dollars' | 'tokens',
  personas: readonly string[],
): ScatterFigure {
  const points = personaPoints(numbers, personas, (who) => ({
    x: numbers.of(measure, who),
    y: numbers.rating(who, 'overall'),
  }));
  const isFront = (one: (typeof points)[number]) =>
    !points.some(
      (other) =>
        (other.x.value ?? 0) <= (one.x.value ?? 0) &&
        (other.y.value ?? 0) >= (one.y.value ?? 0) &&
        ((other.x.value ?? 0) < (one.x.value ?? 0) || (other.y.value ?? 0) > (one.y.value ?? 0)),
    );
  return {
    kind: 'scatter',
    name: 'costs',
    title: 'Cost against skill',
    caption: `Rating over ${measure} of a seat in a game; the line joins those whom nobody beats for less (Pareto front); whiskers are 95 % intervals.`,
    x: { title: `${measure} a seat and game`, unit: measure },
    y: { title: 'rating', unit: 'points' },
    points: points.map((one) => ({ ...one, isFront: isFront(one) })),
    hasDiagonal: false,
  };
}
