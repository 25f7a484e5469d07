/** Asking: what stands on the terminal of somebody whose turn it is. */
import type { TurnPrompt } from '../../machines/turnPrompt.ts';

/** Sights that are shown before they are asked for: the last ones. */
const MOST_SEEN = 6;

export function askingText(offer: TurnPrompt, isFirst: boolean): readonly string[] {
  const { you, wanted, news, seen, actions, goesOn } = offer;
  const isNew = isFirst || offer.occasion === 'action';
  return [
    '',
    `  ${selfText(you)} ${wanted}`,
    ...news.map((line) => `    ${line}`),
    ...(isNew && seen.length > 0 ? ['  You have seen:', ...lately(seen)] : []),
    ...actions.map(
      ({ does, what, hint }, index) =>
        `  ${String(index + 1).padStart(3)}  ${[does, what].join(' ').trim()}${hint === '' ? '' : ` (${hint})`}`,
    ),
    `  ${howTo(offer)}${goesOn === null ? '' : ` You are ${goesOn}.`}`,
  ];
}

function lately(seen: readonly string[]): readonly string[] {
  return seen.slice(-MOST_SEEN).map((line) => `    ${line}`);
}

function selfText({ colour, role, partners, isDead }: TurnPrompt['you']): string {
  const kind = role === 'impostor' ? 'an impostor' : 'a crewmate';
  const allies = partners.length === 0 ? '' : ` with ${partners.join(' and ')}`;
  return `You are ${colour}, ${kind}${allies}${isDead ? ', a ghost' : ''}.`;
}

function howTo({ occasion, talk, ballots, ballot }: TurnPrompt): string {
  if (occasion === 'action') return 'A number does it, Enter alone goes on; /help.';
  if (talk === null) return 'Enter goes on, /note keeps something.';
  const vote = ballots.length === 0 ? '' : ', /vote locks a vote';
  const locked = ballot === null ? '' : ` Your vote: ${ballot}.`;
  return `A sentence bids for the floor, Enter alone passes${vote}; /help.${locked}`;
}

export const HELP: readonly string[] = [
  '  Where were you?          bids for the floor with that sentence',
  '  ! Where were you?        the same, as urgently as can be',
  '  @blue Where were you?    speaks to Blue',
  '  /vote blue It was Blue.  locks a vote, and says something',
  '  /vote skip               locks a vote for nobody',
  '  /note Blue lies          writes into your notes, and passes',
  '  Enter                    passes; on the ship: goes on as before',
  '  7                        on the ship: does the action of that number',
  '  /leave                   leaves the game; so does Ctrl-C, which ends it',
];
