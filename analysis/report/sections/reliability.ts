/** Sections about models as machines: reliability and cost. */

import type { ReportTable, ScatterFigure } from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import { partsAt, personaPoints, personasOf, personaTable, type SectionDraft } from './shared.ts';

const RELIABILITY = [
  ['faults', 'faults'],
  ['mended', 'mended replies'],
  ['invalid_votes', 'votes for nobody'],
  ['failed_requests', 'failed requests'],
  ['repaired', 'repaired answers'],
  ['latency', 'seconds a request'],
] as const;

export function describeReliability(numbers: ReportNumbers): SectionDraft {
  const reliability: ReportTable = {
    name: 'reliability',
    caption: 'Faults, corrections and failed requests, by model (other minds by their kind).',
    heads: ['model'],
    columns: RELIABILITY.map(([, title]) => title),
    rows: partsAt(numbers, 'faults', 0).map((label) => ({
      labels: [label],
      cells: RELIABILITY.map(([measure]) => numbers.of(measure, label)),
    })),
  };
  return {
    name: 'reliability',
    title: 'Reliability, apart from skill',
    text: [
      'A missing or unreadable reply loses no game by itself, because the player passes. So the ratings contain only its cost in votes and tasks. Only language models have requests.',
    ],
    tables: [reliability],
    figures: [],
  };
}

export function describeCosts(numbers: ReportNumbers): SectionDraft {
  const priced = personasOf(numbers, 'dollars');
  const counted = personasOf(numbers, 'tokens');
  const offline = numbers.personas.filter((who) => !counted.includes(who) && !priced.includes(who));
  const paid = numbers.personas.filter((who) => !offline.includes(who));
  const without =
    offline.length === 0
      ? ''
      : ` Offline minds, and those whose endpoint counts nothing, have no cost here and are left out: ${offline.join(', ')}.`;
  const frame = { name: 'costs', caption: 'The cost of a seat in a game, beside skill.' };
  return {
    name: 'costs',
    title: 'Cost against skill',
    text: [
      `The cost of the requests of a seat in a game, as reported by the endpoint. On the front are the personas that no cheaper persona beats in skill.${without}`,
    ],
    absent:
      'No request to a model has a cost or a count of tokens in these journals; offline minds have none, so there is no front.',
    tables: [
      personaTable(frame, paid, [
        ['rating', (who) => numbers.rating(who, 'overall')],
        ['dollars a seat and game', (who) => numbers.of('dollars', who)],
        ['tokens a seat and game', (who) => numbers.of('tokens', who)],
      ]),
    ],
    figures: [
      priced.length > 0
        ? drawCosts(numbers, 'dollars', priced)
        : drawCosts(numbers, 'tokens', counted),
    ],
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
    !points.some((other) => {
      const cheaper = (one.x.value ?? 0) - (other.x.value ?? 0);
      const better = (other.y.value ?? 0) - (one.y.value ?? 0);
      return cheaper >= 0 && better >= 0 && (cheaper > 0 || better > 0);
    });
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
