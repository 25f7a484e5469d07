/** Announcements: what the engine tells everybody, outside the transcript where players speak. */
import type { PublicTable, TableView, Told, Truth } from '../machines/rules/views.ts';
import type { Colour, Outcome } from '../machines/types.ts';
import { section } from './block.ts';

/** How the meeting began: the same for everybody and for every tick. Ghosts know the roles anyway. */
export function openingText(
  call: PublicTable['call'],
  seats: readonly { readonly colour: Colour }[],
  confirmEjects: boolean | null,
): string {
  const { by, kind, body, place } = call;
  const found = place === null ? '' : ` in ${place}`;
  const why =
    kind === 'body' ? `${by} reported the body of ${body}${found}` : `${by} pressed the button`;
  return section('The engine', [
    `Meeting called: ${why}.`,
    `Players: ${seats.map(({ colour }) => colour).join(', ')}`,
    ...(confirmEjects === null
      ? []
      : [
          confirmEjects
            ? 'Ejects are confirmed: all will learn whether it was An Impostor.'
            : 'Ejects are not confirmed: nobody will learn the role.',
        ]),
  ]);
}

/** Who lives and who has voted, as of this tick. */
export function presenceText({ tick, seats }: TableView): string {
  const those = (test: (seat: (typeof seats)[number]) => boolean) =>
    seats.filter(test).map(({ colour }) => colour);
  return section(`The engine, tick ${tick}`, [
    `Living: ${names(those(({ standing }) => standing === 'living'))}`,
    ...counted(
      'Dead',
      those(({ standing }) => standing === 'dead'),
    ),
    ...counted(
      'Gone',
      those(({ standing }) => standing === 'departed'),
    ),
    `Have voted: ${names(those(({ voted }) => voted))}`,
  ]);
}

/** The reveal: every ballot, and the sentence that ends it. */
export function revealText(told: Told | null): string {
  if (told === null)
    return section('The engine: the result', ['The meeting ended without a count.']);
  const ballots = told.ballots.map(
    ({ voter, ballot, void: isVoid }) =>
      `${voter ?? 'somebody'} voted ${ballot}${isVoid ? ' (void: they left)' : ''}`,
  );
  return section('The engine: the reveal', [
    ballots.length === 0 ? 'Nobody had voted.' : `${ballots.join(', ')}.`,
    verdictOf(told),
  ]);
}

const NOBODY: Readonly<Record<Outcome, string>> = {
  ejected: 'No one was ejected.',
  tie: 'No one was ejected. (Tie)',
  skipped: 'No one was ejected. (Skipped)',
  empty: 'No one was ejected: nobody was left alive.',
  unconverged: 'No one was ejected: the meeting was stopped.',
  interrupted: 'No one was ejected: the meeting was stopped.',
  refused: 'There was no meeting.',
};

function verdictOf({ ejected, outcome, role }: Told): string {
  if (ejected === null) return NOBODY[outcome];
  const name = ejected.charAt(0).toUpperCase() + ejected.slice(1);
  if (role === null) return `${name} was ejected.`;
  return `${name} was ${role === 'impostor' ? '' : 'not '}An Impostor.`;
}

/** What ghosts know: everything about the game, and nothing of what anybody thinks. */
export function truthText({ seats, ballots }: Truth): string {
  const rows = seats.map(({ colour, role, standing }) => {
    const ballot = ballots[colour];
    return `- ${colour}: ${role}, ${standing}${ballot === undefined ? '' : `, voted ${ballot}`}`;
  });
  return section('The truth (ghosts only)', rows);
}

function names(colours: readonly Colour[]): string {
  return colours.length === 0 ? 'nobody' : colours.join(', ');
}

function counted(label: string, colours: readonly Colour[]): readonly string[] {
  return colours.length === 0 ? [] : [`${label}: ${names(colours)}`];
}
