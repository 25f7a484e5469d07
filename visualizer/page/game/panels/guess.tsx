/**
 * Guess the impostor: while a lens hides who it is, a viewer names suspects at each meeting; at the reveal the guesses are held
 * against the votes and the listeners. Before it nothing is shown here that the lens does not show.
 */

import { computed, signal } from '@preact/signals';
import { formatPercent, pluralize } from '../../../../machines/text.ts';
import { Hidden } from '../../frame/panel.tsx';
import { Player } from '../players.tsx';
import { lens, moment, openings, step, story, whyNotes } from '../state/session.ts';
import {
  GUESSERS,
  type GuessedMeeting,
  type Guesser,
  type Guesses,
  type JudgedGuess,
  judgeGuesses,
  listMeetings,
} from '../story/guess.ts';

type KeptGuesses = { readonly opening: number; readonly named: Guesses };
const kept = signal<KeptGuesses>({ opening: 0, named: {} });

/** Those of the journal that is open; another one begins without any. */
const guesses = computed(
  (): Guesses => (kept.value.opening === openings.value ? kept.value.named : {}),
);

const meetings = computed(() => (isGuessShown() ? listMeetings(story.value, step.value) : []));

/** Where impostors are known from the beginning there is nothing to guess. */
export function isGuessShown(): boolean {
  const now = moment.value;
  if (now?.ship == null || now.meeting === null || lens.value.type === 'glass') return false;
  const first = story.value.moments[0]?.players ?? [];
  return first.every(({ role }) => role !== 'impostor');
}

export function GuessCount() {
  const named = Object.values(guesses.value).reduce((sum, seats) => sum + (seats?.length ?? 0), 0);
  return <>{named === 0 ? '' : `${named} named`}</>;
}

export function Guess() {
  const now = moment.value;
  const meeting = meetings.value.at(-1);
  if (now === undefined || meeting === undefined) return null;
  return now.ending === null ? <GuessForm meeting={meeting} /> : <GuessResult />;
}

function GuessForm({ meeting }: { readonly meeting: GuessedMeeting }) {
  const { number, suspects, votes, isDecided } = meeting;
  const named = guesses.value[number] ?? [];
  // Whom the others suspect is told after the viewer has said so.
  const isTold = isDecided && named.length > 0;
  return (
    <fieldset class="guess">
      <legend>
        {isDecided ? `You named in meeting ${number}` : `Who is it? Meeting ${number}`}
      </legend>
      <ul>
        {suspects.map((seat) => (
          <li key={seat}>
            <button
              type="button"
              aria-pressed={named.includes(seat)}
              disabled={isDecided}
              onClick={() => toggleNamed(meeting, seat)}
            >
              <Player seat={seat} />
              {isTold ? <small>{formatPercent(votes[seat] ?? 0)} of the votes</small> : null}
            </button>
          </li>
        ))}
      </ul>
      {isDecided && named.length === 0 ? (
        <Hidden>Nobody, before the ballots were turned.</Hidden>
      ) : null}
    </fieldset>
  );
}

function toggleNamed({ number }: GuessedMeeting, seat: GuessedMeeting['suspects'][number]): void {
  const named = guesses.value[number] ?? [];
  const next = named.includes(seat) ? named.filter((each) => each !== seat) : [...named, seat];
  kept.value = { opening: openings.value, named: { ...guesses.value, [number]: next } };
}

const GUESSER_NAMES: Readonly<Record<Guesser, string>> = {
  votes: 'the votes',
  observer: 'what the crew could have known',
  minds: 'what the crew said it believes',
};

const results = computed((): readonly JudgedGuess[] => {
  const impostors = (moment.value?.players ?? []).flatMap(({ seat, role }) =>
    role === 'impostor' ? [seat] : [],
  );
  const listeners = whyNotes.value?.reasoning?.listeners ?? [];
  return judgeGuesses(guesses.value, meetings.value, { impostors, listeners });
});

function GuessResult() {
  if (results.value.length === 0) return <Hidden>You named nobody before the reveal.</Hidden>;
  return (
    <div class="guess">
      <p class="sentence">{describeResult(results.value)}</p>
      <ul class="judged">
        {results.value.map(({ meeting, shares }) => (
          <li key={meeting}>
            <b>Meeting {meeting}</b>
            {shares.map(({ seat, isRight, by }) => (
              <p key={seat} data-right={isRight || undefined}>
                <span aria-hidden="true">{isRight ? '✓' : '✗'}</span>
                <span class="vh">{isRight ? 'Right: ' : 'Wrong: '}</span> <Player seat={seat} />{' '}
                <small>
                  {GUESSERS.flatMap((guesser) => {
                    const share = by[guesser];
                    return share === undefined
                      ? []
                      : `${GUESSER_NAMES[guesser]} ${formatPercent(share)}`;
                  }).join(' · ')}
                </small>
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "You found an impostor with 3 of 4 names. With as many names: the votes 2, what the crew could have known 2.7." */
function describeResult(judged: readonly JudgedGuess[]): string {
  const names = judged.reduce((sum, { named }) => sum + named.length, 0);
  const right = judged.reduce((sum, each) => sum + each.right, 0);
  const others = GUESSERS.flatMap((guesser) => {
    const all = judged.map((each) => each.others[guesser]);
    // Who was silent at a meeting can't be compared over all of them.
    if (all.some((count) => count === undefined)) return [];
    const sum = all.reduce<number>((total, count) => total + (count ?? 0), 0);
    return [`${GUESSER_NAMES[guesser]} ${formatMean(sum)}`];
  });
  const rest = others.length === 0 ? '' : ` With as many names: ${others.join(', ')}.`;
  return `You were right with ${right} of ${pluralize(names, 'name')}.${rest}`;
}

function formatMean(count: number): string {
  return Number.isInteger(count) ? `${count}` : count.toFixed(1);
}
