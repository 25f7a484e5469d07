/** Sections about talk: persuasion and claims. */

import { formatPercent } from '../../../machines/text.ts';
import { CLAIM_TYPES } from '../../../prompts/claims/claims.ts';
import { reportReader } from '../../claims/accuracy.ts';
import type { Rate } from '../../counts/numeric.ts';
import type { ReportCell, ReportTable } from '../model.ts';
import { nameFigure } from '../queries.ts';
import type { ReportNumbers } from '../reportNumbers.ts';
import { byRole, personaFigure, personasOf, ROLES, type SectionDraft, tableRow } from './shared.ts';

function roleRows(
  personas: readonly string[],
  cellsOf: (who: string, role: string) => readonly (ReportCell | null)[],
): ReportTable['rows'] {
  return personas.flatMap((who) =>
    ROLES.flatMap(([role, title]) => tableRow([who, title], cellsOf(who, role))),
  );
}

/** The default replacement of messages by `why`. */
const SILENCE = 'silence';

const CAUSED = [
  ['causal_ejection', 'messages that change the ejection'],
  ['causal_winner', 'messages that change the winner'],
  ['causal_ballots', 'other ballots that change, a message'],
] as const;

export function describePersuasion(numbers: ReportNumbers): SectionDraft {
  const causes = personasOf(numbers, 'causal_ejection');
  const isAsked = causes.length > 0;
  const caused = isAsked ? CAUSED : [];
  const followed = (who: string, role: string) => numbers.of('persuasion', who, role);
  const figure = {
    name: 'persuasion',
    title: 'Persuasion: ballots that follow an accusation',
    caption:
      'Of ballots of others locked after an accusation, those for a player whom the speaker had accused, with 95 % intervals.',
    axis: { title: 'ballots that follow', unit: 'share' },
  } as const;
  return {
    name: 'persuasion',
    title: 'Persuasion',
    text: [
      'Correlational: the share of ballots for a player whom the speaker had accused, of the ballots that others locked later. A speaker who accuses the common suspect scores high without moving anybody.',
      isAsked
        ? 'Causal: “glassbox why” has taken messages back one at a time and played the same game on with the same dice. Only journals that were asked are in these figures.'
        : 'Causal figures are left out, because no journal has a result of “glassbox why JOURNAL”. That command takes messages back one at a time and plays the same game on, and the report reads its result.',
    ],
    tables: [
      {
        name: 'persuasion',
        caption: isAsked
          ? 'Persuasion: ballots that follow an accusation, beside what messages changed when they were taken back (silence).'
          : 'Persuasion: ballots that follow an accusation.',
        heads: ['persona', 'role'],
        columns: ['ballots that follow', ...caused.map(([, title]) => title)],
        rows: roleRows(numbers.personas, (who, role) => [
          followed(who, role),
          ...caused.map(([measure]) => numbers.of(measure, who, role, SILENCE)),
        ]),
      },
    ],
    figures: [
      personaFigure(numbers, figure, personasOf(numbers, 'persuasion'), byRole(followed)),
      drawCauses(numbers, causes),
    ],
  };
}

function drawCauses(numbers: ReportNumbers, personas: readonly string[]) {
  const frame = {
    name: 'persuasion-causal',
    title: 'Persuasion: messages that change the ejection',
    caption:
      'Share of messages that, taken back, change whom the meeting ejects, with 95 % intervals.',
    axis: { title: 'messages that change the ejection', unit: 'share' },
  } as const;
  const columns = byRole((who, role) => numbers.of('causal_ejection', who, role, SILENCE));
  return personaFigure(numbers, frame, personas, columns);
}

export function describeClaims(numbers: ReportNumbers): SectionDraft {
  const reader = reportReader();
  const places = reader.accuracy.place;
  const percent = ({ hits, cases }: Rate) => formatPercent(hits / cases);
  const note = `precision of the reader ${percent(places.precision)}, recall ${percent(places.recall)}`;
  const frame = {
    name: 'claims',
    title: 'Claims of place that are not true',
    caption: `Share of claims of place and time that the ship contradicts, of those that it can judge, with 95 % intervals; ${note}.`,
    axis: { title: 'claims not true', unit: 'share' },
  } as const;
  return {
    name: 'claims',
    title: 'Claims',
    text: [
      'Assertions of players at the table, as a reader of patterns finds them, and how often the ship contradicts them. The reader makes mistakes, so its precision and recall are beside the rates. A claim that is read wrongly is mostly false by the log: a rate below one minus the precision can be all misreading. Crewmates err as well: an untrue claim is no lie by itself.',
    ],
    tables: [
      {
        name: 'claims',
        caption: `Claims of place that are not true (${note}), and claims made for each seat and game, by kind.`,
        heads: ['persona', 'role'],
        columns: ['places not true', ...CLAIM_TYPES],
        rows: roleRows(personasOf(numbers, 'claims_made'), (who, role) => [
          numbers.of('false_places', who, role),
          ...CLAIM_TYPES.map((type) => numbers.of('claims_made', who, role, type)),
        ]),
      },
      tableReader(numbers),
    ],
    figures: [
      personaFigure(
        numbers,
        frame,
        personasOf(numbers, 'false_places'),
        byRole((who, role) => numbers.of('false_places', who, role)),
      ),
    ],
  };
}

function tableReader(numbers: ReportNumbers): ReportTable {
  const { accuracy, corpus, utterances } = reportReader();
  const cell = (kind: string, name: string, { interval, cases }: Rate): ReportCell => {
    const figures = { ...interval, value: interval?.share ?? null };
    return { ...numbers.cell(nameFigure(['reader', kind, name]), 'share', null, figures), cases };
  };
  return {
    name: 'reader',
    caption: `How often the reader of claims is right: the held-out half of the corpus (version ${corpus}, ${utterances} utterances), not these journals.`,
    heads: ['claims'],
    columns: ['precision', 'recall'],
    rows: CLAIM_TYPES.map((type) => ({
      labels: [type],
      cells: (['precision', 'recall'] as const).map((name) =>
        cell(type, name, accuracy[type][name]),
      ),
    })),
  };
}
