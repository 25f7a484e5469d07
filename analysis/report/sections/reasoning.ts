/** Sections about reasoning: suspicion by meeting, errors of logic, the value of messages. */

import { BELIEF_BINS, MOST_MEETINGS } from '../measures.ts';
import type { CurvesFigure, ReportCell, ReportFigure, ReportTable } from '../model.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import {
  type PersonaColumn,
  personaFigure,
  personasOf,
  personaTable,
  type SectionDraft,
  tableRow,
} from './shared.ts';

const MEETINGS = Array.from({ length: MOST_MEETINGS }, (_, index) => index + 1);

function meetingRows(cellsOf: (meeting: number) => readonly (ReportCell | null)[]) {
  return MEETINGS.flatMap((meeting) => tableRow([String(meeting)], cellsOf(meeting)));
}

function curveOf(cellOf: (meeting: number) => ReportCell | null) {
  return MEETINGS.flatMap((x) => {
    const cell = cellOf(x);
    return cell === null || cell.least === null ? [] : [{ x, cell }];
  });
}

export function describeSuspicion(numbers: ReportNumbers): SectionDraft {
  const suspicion: ReportTable = {
    name: 'suspicion',
    caption: 'Odds by possible knowledge, and ballots, by the number of the meeting.',
    heads: ['meeting'],
    columns: ['odds of impostors', 'odds of crewmates', 'ballots on impostors'],
    rows: meetingRows((meeting) => [
      numbers.of('suspicion', meeting, 'impostor'),
      numbers.of('suspicion', meeting, 'crewmate'),
      numbers.of('votes_by_meeting', meeting),
    ]),
  };
  return {
    name: 'suspicion',
    title: 'Suspicion, meeting by meeting',
    text: [
      'The possible knowledge of crewmates as a meeting began, by their sightings and the rules of the ship, and their votes. Games last longer if the crew does not find the impostors, so later meetings come from other games than earlier ones.',
    ],
    absent: 'There is no meeting in these journals.',
    tables: [suspicion],
    figures: drawSuspicion(numbers),
  };
}

function curvesByRole(numbers: ReportNumbers, measure: string): CurvesFigure['series'] {
  return ['impostor', 'crewmate'].map((role) => ({
    label: `${role}s`,
    points: curveOf((meeting) => numbers.of(measure, meeting, role)),
  }));
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
    series: curvesByRole(numbers, 'suspicion'),
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
  return [odds, ballots];
}

export function describeBeliefs(numbers: ReportNumbers): SectionDraft {
  const column = (title: string, measure: string, moment: string): PersonaColumn => [
    title,
    (who) => numbers.of(measure, who, moment),
  ];
  const caption =
    'Beliefs of crewmates: Brier score (0 is perfect) and rank AUC (0.5 is chance), as the meeting was called and as its poll was closed.';
  return {
    name: 'beliefs',
    title: 'Beliefs',
    text: [
      'Beliefs of crewmates about each other living player, asked beside the game in a request that no player remembers. The Brier score is the mean square of the error. The AUC compares, for each crewmate and moment, every impostor with every crewmate in the question: how often the impostor was suspected more. Impostors are left out, because they know the truth. Offline minds report the suspicion that they act on.',
    ],
    absent: 'No journal has beliefs. “--beliefs” asks players, beside the game, whom they suspect.',
    tables: [
      personaTable({ name: 'beliefs', caption }, personasOf(numbers, 'belief_brier'), [
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
      return tableRow(ends, cells);
    }),
  };
}

function tableBelieved(numbers: ReportNumbers): ReportTable {
  return {
    name: 'belief-meetings',
    caption: 'Suspicion as the poll closed, by the number of the meeting.',
    heads: ['meeting'],
    columns: ['of impostors', 'of crewmates'],
    rows: meetingRows((meeting) => [
      numbers.of('belief_suspicion', meeting, 'impostor'),
      numbers.of('belief_suspicion', meeting, 'crewmate'),
    ]),
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
    series: curvesByRole(numbers, 'belief_suspicion'),
    reference: null,
  };
  return [calibration, curves];
}

export function describeReasoning(numbers: ReportNumbers): SectionDraft {
  const personas = personasOf(numbers, 'errors');
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
  } as const;
  const errors = (who: string) => numbers.of('errors', who);
  return {
    name: 'reasoning',
    title: 'Errors of logic and regret',
    text: [
      'Ballots of crewmates, compared with an ideal observer in the voter’s place, who knows the sightings of that player and the rules of the ship, and trusts no message. An error is a ballot for a player who is in no possible team. Regret is the odds of the best ballot minus the odds of this one; a skip counts as a random ballot among the living others. A crewmate who rightly trusts a message may vote against these odds.',
    ],
    absent: 'No ballot of a crewmate counted in these journals.',
    tables: [
      personaTable(frame, personas, [
        ['errors', errors],
        ['regret', (who) => numbers.of('regret', who)],
        ['bits a message, as crew', (who) => numbers.of('information', who, 'crewmate')],
        ['bits a message, as impostor', (who) => numbers.of('information', who, 'impostor')],
      ]),
    ],
    figures: [personaFigure(numbers, figure, personas, [['as crew', errors]])],
  };
}
