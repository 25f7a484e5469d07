import type { Lens, SeenOf } from '../../../../machines/journal/lens.ts';
import {
  countTurned,
  type MeetingState,
  type Players,
  type Projection,
} from '../../../../machines/journal/projection.ts';
import { capitalize, formatCount, formatPercent, pluralize } from '../../../../machines/text.ts';
import type { Colour } from '../../../../machines/types.ts';
import { candidateName, describeRules, formatClock } from '../../../text.ts';
import { type CallTotals, formatDollars } from '../calls/recordedCalls.ts';
import type { ReasoningNotes, StakeGrade, StakeTurn } from './pageData.ts';

export type CardFact = { readonly name: string; readonly text: string };

export function openingCard({ match }: SeenOf<'match.opened'>, players: Players, lens: Lens) {
  const isGame = !('call' in match);
  const impostors = isGame ? [pluralize(match.options.impostors, 'impostor')] : [];
  const map = isGame ? [match.map === 'skeld' ? 'The Skeld' : match.map.name] : [];
  const rules = [
    pluralize(players.length, 'player'),
    ...impostors,
    ...map,
    describeRules(match.options),
  ];
  const watch =
    lens.type === 'player'
      ? `You see only ${capitalize(lens.seat)}’s view. Who would you believe?`
      : WATCH[lens.type];
  return { type: 'opening', players, rules: rules.join(' · '), watch } as const;
}

const WATCH = {
  table:
    'You see the table’s view: words and votes. The end reveals the impostors. Who would you vote for?',
  glass:
    'You see everything, thoughts beside words. Watch who is believed, who loses a bid for the floor, and which message turns the vote.',
} as const;

/** `lie` is the message of an impostor that is known to be false and did most. */
export function closingCard(
  { players, ship, meetings, messages, meeting }: Projection,
  lie: { readonly speaker: Colour; readonly message: string } | null,
) {
  const length = [
    ...(ship === null ? [] : [`${formatClock(ship.round)} on the ship`]),
    pluralize(meetings, 'meeting'),
    pluralize(messages, 'message'),
  ];
  const facts: readonly (CardFact | null)[] = [
    { name: 'Length', text: length.join(', ') },
    describeLastVote(meeting),
    lie === null
      ? null
      : { name: 'Best lie', text: `${capitalize(lie.speaker)}: “${lie.message}”` },
  ];
  return { type: 'closing', players, facts: facts.filter((fact) => fact !== null) } as const;
}

function describeLastVote(meeting: MeetingState | null): CardFact | null {
  if (meeting === null || meeting.turned.length === 0) return null;
  const counts = countTurned(meeting.turned)
    .map(({ candidate, votes }) => `${candidateName(candidate)} ${votes}`)
    .join(', ');
  const who = meeting.ejected === null ? 'nobody' : capitalize(meeting.ejected);
  return { name: 'Last vote', text: `${counts}; ${who} was ejected` };
}

export type MatchFindings = {
  readonly turn: StakeTurn | null;
  readonly errors: ReasoningNotes['errors'] | null;
  readonly spent: CallTotals;
};

export function listFindings({ turn, errors, spent }: MatchFindings): readonly CardFact[] {
  const word = turn === null ? '' : GRADES[turn.grade].word;
  const grade = word === '' ? '' : `${capitalize(word)}, `;
  return [
    ...(turn === null ? [] : [{ name: 'Turning point', text: `${grade}${describeChange(turn)}` }]),
    ...(errors === null ? [] : [{ name: 'Logical errors', text: describeErrors(errors) }]),
    ...(spent.calls === 0 ? [] : [{ name: 'Cost', text: describeSpending(spent) }]),
  ];
}

/** "3: Blue 2, Red 1", the votes and accusations against players who could not have been impostors. */
function describeErrors(errors: ReasoningNotes['errors']): string {
  const all = errors.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return 'none';
  const sorted = errors.toSorted((one, other) => other.count - one.count);
  return `${all}: ${sorted.map(({ seat, count }) => `${capitalize(seat)} ${count}`).join(', ')}`;
}

function describeSpending({ calls, prompt, completion, dollars }: CallTotals): string {
  const price = dollars === null ? '' : `, ${formatDollars(dollars)}`;
  const tokens = formatCount(prompt + completion);
  return `${formatCount(calls)} requests to models, ${tokens} tokens${price}`;
}

export const GRADES: Readonly<
  Record<StakeGrade, { readonly sign: string; readonly word: string }>
> = {
  brilliant: { sign: '!!', word: 'brilliant' },
  good: { sign: '!', word: 'a good move' },
  mistake: { sign: '?', word: 'a mistake' },
  blunder: { sign: '??', word: 'a blunder' },
  swing: { sign: '◆', word: '' },
};

/** "Turning point, a blunder: crew 60 % → 25 % in meeting 1, tick 4. Red: I saw Blue." */
export function describeTurn(turn: StakeTurn & { readonly isFirst: boolean }): string {
  const names = [turn.isFirst ? 'turning point' : '', GRADES[turn.grade].word];
  const name = capitalize(names.filter((part) => part !== '').join(', '));
  return `${name === '' ? '' : `${name}: `}${describeChange(turn)}.`;
}

function describeChange({ from, to, when, what }: StakeTurn): string {
  const words = what === '' ? '' : `. ${capitalize(what)}`;
  return `crew ${formatPercent(from)} → ${formatPercent(to)} ${when}${words}`;
}
