/** Sections about the ratings: how well they predict games, and how many games distinguish personas. */

import {
  type BoundedRatio,
  isFew,
  powerOf,
  predictHeldOut,
  RATED_ROLES,
  type RatingPower,
  TOLD_APART,
} from '../games.ts';
import type { CurvesFigure, ReportCell, ReportTable, ReportUnit, ScatterFigure } from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import type { SectionDraft } from './shared.ts';

export function describePrediction(numbers: ReportNumbers): SectionDraft {
  const { games, personas } = numbers.facts;
  const held = predictHeldOut(games, personas.length);
  const name = 'prediction';
  const title = 'Do the ratings predict games?';
  if (held === null) {
    const text =
      'There are too few decided games to fit one part and predict the other: 20 and 10 are needed.';
    return { name, title, text: [text], tables: [], figures: [] };
  }
  const cell = (part: string, unit: ReportUnit, { summary, bounds }: BoundedRatio): ReportCell => {
    const { value, cases, clusters } = summary;
    const figures = { ...bounds, value, few: isFew(clusters) };
    return { ...numbers.cell(`prediction/${part}`, unit, 'prediction', figures), cases, clusters };
  };
  const bins = held.bins.map(({ predicted, observed }, index) => ({
    predicted: cell(`predicted/${index + 1}`, 'share', predicted),
    observed: cell(`observed/${index + 1}`, 'share', observed),
  }));
  return {
    name,
    title,
    text: [
      `Ratings were fitted to the ${held.fitted} games with the first 70 % of seeds and predict the other ${held.predicted}, whose outcomes they have not seen; games that mirror each other are never on both sides. The Brier score is the mean square of the error: 0 is perfect, and 0.25 is a coin. Its baseline says of each game the share of fitted games that the impostors won.`,
    ],
    tables: [
      {
        name,
        caption:
          'Brier scores of held-out games, and by how much ratings are better than the baseline.',
        heads: [''],
        columns: ['Brier score'],
        rows: [
          { labels: ['by ratings'], cells: [cell('brier', 'score', held.brier)] },
          { labels: ['baseline'], cells: [cell('baseline', 'score', held.baseline)] },
          { labels: ['gain of ratings'], cells: [cell('gain', 'score', held.gain)] },
        ],
      },
      {
        name: 'calibration',
        caption:
          'Calibration: held-out games in five equal parts by the predicted chance of the impostors.',
        heads: ['part'],
        columns: ['predicted', 'observed'],
        rows: bins.map(({ predicted, observed }, index) => ({
          labels: [String(index + 1)],
          cells: [predicted, observed],
        })),
      },
    ],
    figures: [drawCalibration(bins)],
  };
}

function drawCalibration(
  bins: readonly { readonly predicted: ReportCell; readonly observed: ReportCell }[],
): ScatterFigure {
  return {
    kind: 'scatter',
    name: 'calibration',
    title: 'Calibration of the ratings',
    caption:
      'Held-out games in five equal parts: share that the impostors won, over the chance that ratings gave them; whiskers are 95 % intervals, and on the line both are equal.',
    x: { title: 'predicted share won by impostors', unit: 'share' },
    y: { title: 'observed share won by impostors', unit: 'share' },
    points: bins.map(({ predicted: x, observed: y }) => ({ label: '', x, y, isFront: false })),
    hasDiagonal: true,
  };
}

const ROLE_TITLES = {
  overall: 'both roles',
  impostor: 'as impostor',
  crewmate: 'as crew',
} as const;

export function describePower(numbers: ReportNumbers): SectionDraft {
  const { facts, ratings } = numbers;
  const powers = RATED_ROLES.flatMap(
    (role) => powerOf(ratings?.personas ?? [], facts.games.length, role) ?? [],
  );
  const power: ReportTable = {
    name: 'power',
    caption: `Games that it takes to tell two personas ${TOLD_APART} points apart.`,
    heads: ['skill'],
    columns: ['games now', 'detected now', `games for ${TOLD_APART} points`, 'missing games'],
    rows: powers.map((one) => ({
      labels: [ROLE_TITLES[one.role]],
      cells: powerCells(numbers, one),
    })),
  };
  return {
    name: 'power',
    title: `How many games tell ${TOLD_APART} points apart?`,
    text: [
      'A difference counts as detected if 4 of 5 leagues like this one would find it, with one false alarm in 20. Errors shrink with the root of the number of games, if personas, seats and rules stay the same. This holds for two personas. Among many, some differences look large by chance.',
    ],
    absent: 'There are too few decided games, or personas, to say how many more it takes.',
    tables: [power],
    figures: [drawPower(numbers, powers)],
  };
}

function powerCells(numbers: ReportNumbers, { role, now, needed, more }: RatingPower) {
  const cell = (part: string, unit: ReportUnit, value: number | null) =>
    numbers.cell(`power/${role}/${part}`, unit, 'power', { value });
  return [
    cell('games', 'games', numbers.facts.games.length),
    cell('told', 'points', now),
    cell('needed', 'games', needed),
    cell('more', 'games', more),
  ];
}

function drawPower(numbers: ReportNumbers, powers: readonly RatingPower[]): CurvesFigure {
  return {
    kind: 'curves',
    name: 'power',
    title: 'What more games would show',
    caption: `Least difference of two personas that is detected in 4 of 5 cases, over the number of games, by the intervals of these ${numbers.facts.games.length} games.`,
    xTitle: 'decided games',
    y: { title: 'detected difference', unit: 'points' },
    series: powers.map(({ role, curve }) => ({
      label: ROLE_TITLES[role],
      points: curve.map(({ games, points }) => ({
        x: games,
        cell: numbers.cell(`power/${role}/at ${games}`, 'points', 'power', { value: points }),
      })),
    })),
    reference: { at: TOLD_APART, label: `${TOLD_APART} points` },
  };
}
