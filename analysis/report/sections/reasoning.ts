/** Sections about reasoning: suspicion by meeting, errors of logic, the value of messages. */

import { BELIEF_BINS, MOST_MEETINGS } from '../measures.ts';
import type {
  CurvesFigure,
  ReportCell,
  ReportFigure,
  ReportSection,
  ReportTable,
} from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import { personaFigure, personasOf, personaTable } from './shared.ts';

const MEETINGS = Array.from({ length: MOST_MEETINGS }, (_, index) => index + 1);

function curveOf(cellOf: (meeting: number) => ReportCell | null) {
  return MEETINGS.flatMap((x) => {
    const cell = cellOf(x);
    return cell === null || cell.least === null ? [] : [{ x, cell }];
  });
}

export function describeSuspicion(numbers: ReportNumbers): ReportSection {
  const rows = MEETINGS.flatMap((meeting) => {
    const cells = [
      numbers.of('suspicion', meeting, 'impostor'),
      numbers.of('suspicion', meeting, 'crewmate'),
      numbers.of('votes_by_meeting', meeting),
    ];
    return cells.every((cell) => cell === null) ? [] : [{ labels: [String(meeting)], cells }];
  });
  const caption = 'Odds by possible knowledge, and ballots, by the number of the meeting.';
  const columns = ['odds of impostors', 'odds of crewmates', 'ballots on impostors'];
  const isThere = rows.length > 0;
  return {
    name: 'suspicion',
    title: 'Suspicion, meeting by meeting',
    text: [
      isThere
        ? 'The possible knowledge of crewmates as a meeting began, by their sightings and the rules of the ship, and their votes. Games last longer if the crew does not find the impostors, so later meetings come from other games than earlier ones.'
        : 'There is no meeting in these journals.',
    ],
    tables: isThere ? [{ name: 'suspicion', caption, heads: ['meeting'], columns, rows }] : [],
    figures: isThere ? drawSuspicion(numbers) : [],
  };
}

function drawSuspicion(numbers: ReportNumbers): readonly ReportFigure[] {
  const shared = { kind: 'curves', xTitle: 'meeting of the game', reference: null } as const;
  const odds: CurvesFigure = {
    ...shared,
    name: 'suspicion',
    title: 'Suspicion by what could be known',
    caption:
      'Mean odds that a living player is an impostor, by the possible knowledge of a crewmate as the meeting began, of true impostors and of crewmates; with 95 % intervals.',
    y: { title: 'odds of being an impostor', unit: 'odds' },
    series: [
      { label: 'impostors', points: curveOf((one) => numbers.of('suspicion', one, 'impostor')) },
      { label: 'crewmates', points: curveOf((one) => numbers.of('suspicion', one, 'crewmate')) },
    ],
  };
  const ballots: CurvesFigure = {
    ...shared,
    name: 'votes',
    title: 'Ballots on impostors',
    caption:
      'Share of ballots of crewmates for a player that were for an impostor, with 95 % intervals.',
    y: { title: 'ballots on impostors', unit: 'share' },
    series: [{ label: 'crewmates', points: curveOf((one) => numbers.of('votes_by_meeting', one)) }],
  };
  return [odds, ballots].filter(({ series }) => series.some(({ points }) => points.length > 0));
}

export function describeBeliefs(numbers: ReportNumbers): ReportSection {
  const personas = personasOf(numbers, 'belief_brier');
  const frame = { name: 'beliefs', title: 'Beliefs' };
  if (personas.length === 0) {
    const text =
      'No journal has beliefs. “--beliefs” asks players, beside the game, whom they suspect.';
    return { ...frame, text: [text], tables: [], figures: [] };
  }
  const column = (title: string, measure: string, moment: string) => ({
    title,
    cellOf: (who: string) => numbers.of(measure, who, moment),
  });
  const caption =
    'Beliefs of crewmates: Brier score (0 is perfect) and rank AUC (0.5 is chance), as the meeting was called and as its poll was closed.';
  return {
    ...frame,
    text: [
      'Beliefs of crewmates about each other living player, asked beside the game in a request that no player remembers. The Brier score is the mean square of the error. The AUC compares, for each crewmate and moment, every impostor with every crewmate in the question: how often the impostor was suspected more. Impostors are left out, because they know the truth. Offline minds report the suspicion that they act on.',
    ],
    tables: [
      personaTable({ name: 'beliefs', caption }, personas, [
        column('Brier at the call', 'belief_brier', 'call'),
        column('Brier at the poll', 'belief_brier', 'vote'),
        column('AUC at the call', 'belief_auc', 'call'),
        column('AUC at the poll', 'belief_auc', 'vote'),
      ]),
      tableBins(numbers),
      tableBelieved(numbers),
    ],
    figures: drawBeliefs(numbers),
  };
}

const BINS = Array.from({ length: BELIEF_BINS }, (_, index) => index + 1);

function tableBins(numbers: ReportNumbers): ReportTable {
  return {
    name: 'belief-bins',
    caption: 'Calibration of beliefs as the poll was closed, by tenths of the probability.',
    heads: ['from', 'to'],
    columns: ['believed', 'observed'],
    rows: BINS.flatMap((bin) => {
      const cells = [numbers.of('belief_mean', bin), numbers.of('belief_bin', bin)];
      const ends = [bin - 1, bin].map((end) => String(end / BELIEF_BINS));
      return cells.every((cell) => cell === null) ? [] : [{ labels: ends, cells }];
    }),
  };
}

function tableBelieved(numbers: ReportNumbers): ReportTable {
  return {
    name: 'belief-meetings',
    caption: 'Suspicion as the poll closed, by the number of the meeting.',
    heads: ['meeting'],
    columns: ['of impostors', 'of crewmates'],
    rows: MEETINGS.flatMap((meeting) => {
      const cells = ['impostor', 'crewmate'].map((role) =>
        numbers.of('belief_suspicion', meeting, role),
      );
      return cells.every((cell) => cell === null) ? [] : [{ labels: [String(meeting)], cells }];
    }),
  };
}

function drawBeliefs(numbers: ReportNumbers): readonly ReportFigure[] {
  const calibration: ReportFigure = {
    kind: 'scatter',
    name: 'beliefs',
    title: 'Calibration of beliefs',
    caption:
      'Players in tenths of the belief of crewmates, as the poll closed, that they are impostors: the share of true impostors over the mean belief; whiskers are 95 % intervals.',
    x: { title: 'believed', unit: 'odds' },
    y: { title: 'observed share of impostors', unit: 'share' },
    points: BINS.flatMap((bin) => {
      const [x, y] = [numbers.of('belief_mean', bin), numbers.of('belief_bin', bin)];
      return x === null || y === null
        ? []
        : [{ label: '', x: { ...x, least: null, most: null }, y, isFront: false }];
    }),
    hasDiagonal: true,
  };
  const curves: ReportFigure = {
    kind: 'curves',
    name: 'belief-suspicion',
    title: 'Suspicion that crewmates report',
    caption:
      'Mean belief of crewmates, as the poll closed, that another player is an impostor, for true impostors and for crewmates; with 95 % intervals.',
    xTitle: 'meeting of the game',
    y: { title: 'believed odds of being an impostor', unit: 'odds' },
    series: ['impostor', 'crewmate'].map((role) => ({
      label: `${role}s`,
      points: curveOf((one) => numbers.of('belief_suspicion', one, role)),
    })),
    reference: null,
  };
  return [calibration, curves];
}

export function describeReasoning(numbers: ReportNumbers): ReportSection {
  const personas = personasOf(numbers, 'errors');
  const isThere = personas.length > 0;
  const frame = {
    name: 'reasoning',
    caption:
      'Errors of logic and regret of ballots as crew, and the value of messages with claims to honest listeners.',
  };
  const figure = {
    name: 'errors',
    title: 'Errors of logic',
    caption:
      'Share of ballots of crewmates that were for a provably innocent player, with 95 % intervals.',
    axis: { title: 'ballots for the provably innocent', unit: 'share' },
    reference: null,
  } as const;
  const errors = { title: 'errors', cellOf: (who: string) => numbers.of('errors', who) };
  const bits = (role: string) => (who: string) => numbers.of('information', who, role);
  return {
    name: 'reasoning',
    title: 'Errors of logic and regret',
    text: [
      isThere
        ? 'Ballots of crewmates, compared with an ideal observer in the voter’s place, who knows the sightings of that player and the rules of the ship, and trusts no message. An error is a ballot for a player who is in no possible team. Regret is the odds of the best ballot minus the odds of this one; a skip counts as a random ballot among the living others. A crewmate who rightly trusts a message may vote against these odds.'
        : 'No ballot of a crewmate counted in these journals.',
    ],
    tables: isThere
      ? [
          personaTable(frame, personas, [
            errors,
            { title: 'regret', cellOf: (who) => numbers.of('regret', who) },
            { title: 'bits a message, as crew', cellOf: bits('crewmate') },
            { title: 'bits a message, as impostor', cellOf: bits('impostor') },
          ]),
        ]
      : [],
    figures: isThere
      ? [personaFigure(numbers, figure, personas, [{ ...errors, title: 'as crew' }])]
      : [],
  };
}
