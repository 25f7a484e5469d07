/** What can be said and voted at the table; the button says what it will do. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Offer } from '../../../../machines/turnPrompt.ts';
import type { Ballot, Colour } from '../../../../machines/types.ts';
import { candidateName, capitalize } from '../../../text.ts';
import { answer, isListening, message } from '../state/seat.ts';
import { Candidate } from '../view/seat.tsx';
import { Aside } from './aside.tsx';

/** How much one wants the floor, from "if nobody else does" to "now". */
const DESIRES = [
  { desire: 3, words: 'if nobody else does' },
  { desire: 6, words: 'in turn' },
  { desire: 10, words: 'now' },
] as const;
const USUAL = 6;

export function Talk({ offer }: { readonly offer: Offer }) {
  const target = useSignal<Colour | ''>('');
  const desire = useSignal<number>(USUAL);
  const ballot = useSignal<Ballot | null>(null);
  useListening(offer);
  const text = message.value.trim();
  const send = () =>
    void answer({
      ...(text === '' ? {} : { message: text, desire_to_speak: desire.value }),
      ...(text === '' || target.value === '' ? {} : { target: target.value }),
      ...(ballot.value === null ? {} : { vote_action: ballot.value }),
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {offer.talk === null ? null : (
        <Speech talk={offer.talk} target={target} desire={desire} send={send} />
      )}
      <Ballots offer={offer} chosen={ballot} />
      <Aside offer={offer} isOpen={offer.talk === null} />
      <p class="send">
        <button type="submit" class="main" data-first={offer.talk === null || undefined}>
          {deedOf(text, ballot.value, offer)}
        </button>
        {offer.occasion === 'discussion' && text === '' && ballot.value === null ? (
          <button
            type="button"
            onClick={() => {
              isListening.value = true;
              void answer({});
            }}
          >
            Pass until I am named
          </button>
        ) : null}
      </p>
    </form>
  );
}

function deedOf(text: string, ballot: Ballot | null, { talk }: Offer): string {
  if (talk === null) return 'Go on';
  const vote = ballot === 'skip' ? 'skip the vote' : `vote for ${candidateName(ballot ?? 'skip')}`;
  if (text === '') return ballot === null ? 'Pass' : capitalize(vote);
  return ballot === null ? 'Ask for the floor' : `Ask for the floor and ${vote}`;
}

type SpeechProps = {
  readonly talk: readonly Colour[];
  readonly target: Signal<Colour | ''>;
  readonly desire: Signal<number>;
  readonly send: () => void;
};

function Speech({ talk, target, desire, send }: SpeechProps) {
  return (
    <>
      <label class="message">
        <span>What you would say</span>
        <textarea
          rows={2}
          data-first
          value={message.value}
          onInput={({ currentTarget }) => {
            message.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
      </label>
      <div class="manner">
        {talk.length === 0 ? null : (
          <label>
            <span>To</span>
            <select
              value={target.value}
              onChange={({ currentTarget }) => {
                target.value = talk.find((seat) => seat === currentTarget.value) ?? '';
              }}
            >
              <option value="">everybody</option>
              {talk.map((seat) => (
                <option key={seat} value={seat}>
                  {capitalize(seat)}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>I want the floor</span>
          <select
            value={String(desire.value)}
            onChange={({ currentTarget }) => {
              desire.value = Number(currentTarget.value);
            }}
          >
            {DESIRES.map(({ desire: each, words }) => (
              <option key={each} value={String(each)}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

type BallotsProps = { readonly offer: Offer; readonly chosen: Signal<Ballot | null> };

function Ballots({ offer: { ballots, ballot }, chosen }: BallotsProps) {
  if (ballot !== null)
    return <p class="quiet locked">Your vote for {candidateName(ballot)} is locked.</p>;
  if (ballots.length === 0) return null;
  return (
    <fieldset class="ballots">
      <legend>Your vote: once locked it stays</legend>
      {[null, ...ballots].map((each) => (
        <label key={each ?? 'none'} data-chosen={chosen.value === each || undefined}>
          <input
            type="radio"
            name="ballot"
            checked={chosen.value === each}
            onChange={() => {
              chosen.value = each;
            }}
          />
          {each === null ? 'Not yet' : <Candidate ballot={each} />}
        </label>
      ))}
    </fieldset>
  );
}

/** Passes by itself until somebody names the player, the engine calls on them, or it is time to vote. */
function useListening(offer: Offer): void {
  useEffect(() => {
    if (!isListening.value) return;
    if (offer.occasion === 'discussion' && offer.news.length === 0 && !offer.isNamed) {
      void answer({});
    } else isListening.value = false;
  }, [offer]);
}
