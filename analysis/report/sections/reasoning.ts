/** Sections about what could be known: suspicion from meeting to meeting, errors of logic, what messages are worth. */
import type { ReportNumbers } from '../facts.ts';
import { MOST_MEETINGS } from '../measures.ts';
import type { CurvesFigure, ReportCell, ReportFigure, ReportSection } from '../model.ts';
import { personaFigure, personasOf, personaTable } from './shared.ts';

const MEETINGS = Array.from({ length: MOST_MEETINGS }, (_, index) => index + 1);

/** A point for each meeting that there is a number of, with its interval. */
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
  const caption =
    'Odds by what could have been known, and ballots, by which meeting of the game it was.';
  const columns = ['odds of impostors', 'odds of crewmates', 'ballots on impostors'];
  const isThere = rows.length > 0;
  return {
    name: 'suspicion',
    title: 'Suspicion, meeting by meeting',
    text: [
      isThere
        ? 'What crewmates could have known as a meeting began, by what they saw and the rules of the ship, and whom they voted for. Long games are those in which the crew did not find the impostors, so later meetings are not of the same games as earlier ones.'
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
      'Mean odds that a living player is an impostor, by what a crewmate could have known as the meeting began, of true impostors and of crewmates; with 95 % intervals.',
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

export function describeReasoning(numbers: ReportNumbers): ReportSection {
  const personas = personasOf(numbers, 'errors');
  const isThere = personas.length > 0;
  const frame = {
    name: 'reasoning',
    caption:
      'Errors of logic and regret of ballots as crew, and what messages with claims are worth to honest listeners.',
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
        ? 'Ballots of crewmates, held against an ideal observer in the voter’s place: it knows what that player saw and the rules of the ship, and believes nobody. An error is a ballot for a player who is in no team that is still possible. Regret is by how much more probably the best ballot would have hit an impostor; a ballot to skip counts as one drawn among the living others. A crewmate who trusts what is said, and rightly, may vote against these odds.'
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
