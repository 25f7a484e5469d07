/** The cards at the beginning and the end of a match: who plays by which rules, and what came of it. */
import type { Lens, SeenOf } from '../../../../machines/journal/lens.ts';
import {
  countTurned,
  type MeetingState,
  type Players,
  type Projection,
} from '../../../../machines/journal/projection.ts';
import type { Colour } from '../../../../machines/types.ts';
import { candidateName, capitalize, describeRules, formatClock, pluralize } from '../../../text.ts';

/** What is played, by whom, and what to watch for through this lens. It gives nothing away. */
export type OpeningCard = {
  readonly type: 'opening';
  readonly players: Players;
  readonly rules: string;
  readonly watch: string;
};

/** A line of the card at the end: "Best lie", and what it was. */
type CardFact = { readonly name: string; readonly text: string };

/** Who said what. */
type SpokenWords = { readonly speaker: Colour; readonly message: string };

export type ClosingCard = {
  readonly type: 'closing';
  readonly players: Players;
  readonly facts: readonly CardFact[];
};

export function openingCard(
  { match }: SeenOf<'match.opened'>,
  players: Players,
  lens: Lens,
): OpeningCard {
  const isGame = !('call' in match);
  const count = isGame ? match.options.impostors : undefined;
  const impostors = count === undefined ? [] : [pluralize(count, 'impostor')];
  const map = isGame ? [match.map === 'skeld' ? 'The Skeld' : match.map.name] : [];
  const rules = [
    pluralize(players.length, 'player'),
    ...impostors,
    ...map,
    describeRules(match.options),
  ];
  return { type: 'opening', players, rules: rules.join(' · '), watch: describeWatch(lens) };
}

function describeWatch(lens: Lens): string {
  switch (lens.type) {
    case 'table':
      return 'You see what everyone at the table sees: words and votes. Who the impostors are is told at the end. Who would you vote for?';
    case 'player':
      return `You see what ${capitalize(lens.seat)} sees, and nothing else. Whom would you believe?`;
    case 'glass':
      return 'You see everything: what players think beside what they say. Watch who is believed, who bids for the floor and does not get it, and which word turns the vote.';
    default:
      return lens satisfies never;
  }
}

/** `lie` is the message of an impostor that is known to be false and did most. */
export function closingCard(
  { players, ship, meetings, messages, meeting }: Projection,
  lie: SpokenWords | null,
): ClosingCard {
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
  return { type: 'closing', players, facts: facts.filter((fact) => fact !== null) };
}

/** "Black was ejected: Black 5, Skip 3" */
function describeLastVote(meeting: MeetingState | null): CardFact | null {
  if (meeting === null || meeting.turned.length === 0) return null;
  const counts = countTurned(meeting.turned)
    .map(({ candidate, votes }) => `${candidateName(candidate)} ${votes}`)
    .join(', ');
  const who = meeting.ejected === null ? 'nobody' : capitalize(meeting.ejected);
  return { name: 'Last vote', text: `${counts}; ${who} was ejected` };
}
