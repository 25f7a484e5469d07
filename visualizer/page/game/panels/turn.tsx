import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { capitalize, listWords } from '../../../../machines/text.ts';
import type { SeatStatus, TurnPrompt } from '../../../../machines/turnPrompt.ts';
import type { Ballot, Colour } from '../../../../machines/types.ts';
import { candidateName } from '../../../text.ts';
import { set, takeOpen, takeText, write } from '../../frame/fieldEvents.ts';
import { Announced, Button, Lines, Select } from '../../frame/panel.tsx';
import { Candidate, Player } from '../players.tsx';
import {
  chosenOrder,
  currentTurn,
  giveOrder,
  isDead,
  isListening,
  justWatches,
  leaveSeat,
  message,
  notes,
  refusal,
  seatStatus,
  secondsLeft,
  sendAnswer,
  shipTurn,
  thought,
  watchOnly,
} from '../state/seat.ts';
import { lens, live, switchLens, widest } from '../state/session.ts';
import { goOn } from '../story/turnMap.ts';

export function isTurnShown(): boolean {
  const { value } = seatStatus;
  return value !== null && !(value.isOver && lens.value.type === 'glass');
}

export function Turn() {
  const held = seatStatus.value;
  const place = useRef<HTMLDivElement>(null);
  const turn = currentTurn.value;
  const id = turn?.id;
  // Before painting, so that a key pressed at once is not lost.
  useLayoutEffect(() => {
    if (id !== undefined) focusTurn(place.current);
  }, [id]);
  if (held === null) return null;
  return (
    <>
      <div class="turn" ref={place} data-asked={id} data-kind={turn?.offer.kind}>
        {turn === null ? <WaitingNote held={held} /> : <TurnForm offer={turn.offer} key={id} />}
        <JustWatch held={held} />
        <Alert text={live.value === 'cut' ? 'The connection is lost. The page tries again.' : ''} />
        {held.missed === 0 || held.isOver ? null : (
          <p class="refusal">Missed in a row: {held.missed}. After five you are disconnected.</p>
        )}
        <Alert text={refusal.value} />
        <LeaveButton held={held} />
      </div>
      <Announcement />
    </>
  );
}

function Alert({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p class="refusal" role="alert">
      {text}
    </p>
  );
}

/** Moves the focus here after an answer, or from nowhere in particular; never away from elsewhere on the page. */
function focusTurn(place: HTMLElement | null): void {
  const { activeElement: at, body } = document;
  if (place === null || (at !== body && at !== null && !place.contains(at))) return;
  if (shipTurn.peek() !== null) return;
  place.querySelector<HTMLElement>('[data-first], button')?.focus({ preventScroll: true });
}

const SCARCE_SECONDS = 15;

export function Countdown() {
  if (currentTurn.value === null) return null;
  const left = secondsLeft.value;
  return (
    <span
      class="clock"
      role="timer"
      aria-live="off"
      data-scarce={left <= SCARCE_SECONDS || undefined}
    >
      {left} s left
    </span>
  );
}

function Announcement() {
  const turn = currentTurn.value;
  const isScarce = turn !== null && !isDead.value && secondsLeft.value <= SCARCE_SECONDS;
  const call = turn === null ? '' : `Your turn. ${turn.offer.wanted}`;
  return <Announced text={isScarce ? `Less than ${SCARCE_SECONDS} seconds left.` : call} />;
}

function TurnForm({ offer }: { readonly offer: TurnPrompt }) {
  const { you, wanted, news, seen } = offer;
  return (
    <>
      <p class="self">
        <Player seat={you.colour} /> <b data-role={you.role}>{describeRole(you)}</b>
        <span class="wanted">{wanted}</span>
      </p>
      <Lines class="news" texts={news} />
      {offer.kind === 'action' ? <Orders offer={offer} /> : <Talk offer={offer} />}
      {seen.length === 0 ? null : (
        <details class="seen">
          <summary>What you have seen ({seen.length})</summary>
          <Lines texts={seen} />
        </details>
      )}
    </>
  );
}

function describeRole({ role, partners, isDead }: TurnPrompt['you']): string {
  const kind = role === 'impostor' ? 'impostor' : 'crewmate';
  const allies = partners.length === 0 ? '' : ` with ${listWords(partners.map(capitalize))}`;
  return `${isDead ? 'ghost, ' : ''}${kind}${allies}`;
}

function WaitingNote({ held }: { readonly held: SeatStatus }) {
  const waiting =
    held.attendance === 'left'
      ? 'You have left the game. You still see it through your player’s eyes.'
      : isDead.value && justWatches.value
        ? 'You are dead and just watch. Nobody waits for you.'
        : 'Nothing to do now: the others are thinking, or the game goes on without you.';
  if (!held.isOver) return <p class="quiet">{waiting}</p>;
  return (
    <p class="quiet">
      The game is over, and the glass is open.{' '}
      {widest.value.type !== 'glass' ? null : (
        <Button text="See everything" act={() => switchLens('glass')} />
      )}
    </p>
  );
}

function JustWatch({ held }: { readonly held: SeatStatus }) {
  if (!isDead.value || held.isOver || held.attendance === 'left') return null;
  return (
    <label class="quiet">
      <input
        type="checkbox"
        checked={justWatches.value}
        onChange={({ currentTarget }) => watchOnly(currentTarget.checked)}
      />{' '}
      Just watch. Otherwise you have five seconds for each answer.
    </label>
  );
}

function LeaveButton({ held }: { readonly held: SeatStatus }) {
  const isSure = useSignal(false);
  if (held.isOver || held.attendance === 'left') return null;
  if (!isSure.value)
    return <Button class="small leave" text="Leave the game…" act={set(isSure, true)} />;
  return (
    <p class="leave">
      You cannot come back.{' '}
      <Button class="small" text="Leave for good" act={() => void leaveSeat()} />{' '}
      <Button class="small" text="Stay" act={set(isSure, false)} />
    </p>
  );
}

const DESIRES = [
  ['3', 'if nobody else does'],
  ['6', 'in turn'],
  ['10', 'now'],
] as const;
type Desire = (typeof DESIRES)[number][0];

function Talk({ offer }: { readonly offer: TurnPrompt }) {
  const target = useSignal<Colour | ''>('');
  const desire = useSignal<Desire>('6');
  const ballot = useSignal<Ballot | null>(null);
  useListening(offer);
  const text = message.value.trim();
  const send = () =>
    void sendAnswer({
      ...(text === '' ? {} : { message: text, desire_to_speak: Number(desire.value) }),
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
      <PrivateNotes offer={offer} isOpen={offer.talk === null} />
      <p class="send">
        <button type="submit" class="main" data-first={offer.talk === null || undefined}>
          {describeAnswer(text, ballot.value, offer)}
        </button>
        {offer.kind === 'discussion' && text === '' && ballot.value === null ? (
          <Button
            text="Pass until I am named"
            act={() => {
              isListening.value = true;
              void sendAnswer({});
            }}
          />
        ) : null}
      </p>
    </form>
  );
}

function describeAnswer(text: string, ballot: Ballot | null, { talk }: TurnPrompt): string {
  if (talk === null) return 'Go on';
  const vote = ballot === 'skip' ? 'skip the vote' : `vote for ${candidateName(ballot ?? 'skip')}`;
  if (text === '') return ballot === null ? 'Pass' : capitalize(vote);
  return ballot === null ? 'Ask for the floor' : `Ask for the floor and ${vote}`;
}

type SpeechProps = {
  readonly talk: readonly Colour[];
  readonly target: Signal<Colour | ''>;
  readonly desire: Signal<Desire>;
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
          onInput={takeText(message)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
      </label>
      <div class="manner">
        {talk.length === 0 ? null : (
          <Select
            label="To"
            value={target.value}
            options={[['', 'everyone'], ...talk.map((seat) => [seat, capitalize(seat)] as const)]}
            onChoose={write(target)}
          />
        )}
        <Select
          label="I want the floor"
          value={desire.value}
          options={DESIRES}
          onChoose={write(desire)}
        />
      </div>
    </>
  );
}

type BallotsProps = { readonly offer: TurnPrompt; readonly chosen: Signal<Ballot | null> };

function Ballots({ offer: { ballots, ballot }, chosen }: BallotsProps) {
  if (ballot !== null)
    return <p class="quiet locked">Your vote for {candidateName(ballot)} is locked.</p>;
  if (ballots.length === 0) return null;
  return (
    <fieldset class="ballots">
      <legend>Your vote, final once locked</legend>
      {[null, ...ballots].map((each) => (
        <label key={each ?? 'none'} data-chosen={chosen.value === each || undefined}>
          <input
            type="radio"
            name="ballot"
            checked={chosen.value === each}
            onChange={set(chosen, each)}
          />
          {each === null ? 'Not yet' : <Candidate ballot={each} />}
        </label>
      ))}
    </fieldset>
  );
}

/** Passes automatically until the player is named or called on, or it is time to vote. */
function useListening(offer: TurnPrompt): void {
  useEffect(() => {
    if (!isListening.value) return;
    if (offer.kind === 'discussion' && offer.news.length === 0 && !offer.isNamed) {
      void sendAnswer({});
    } else isListening.value = false;
  }, [offer]);
}

const isListOpen = signal(false);

function Orders({ offer }: { readonly offer: TurnPrompt }) {
  const chosen = chosenOrder.value;
  const [order] = chosen === null ? goOn(offer.goesOn) : [chosen];
  return (
    <>
      <p class="send">
        {order === undefined ? (
          <span class="quiet">Choose on the map what you do next.</span>
        ) : (
          <Button class="main" text={order.label} act={() => giveOrder(order)} />
        )}
        {chosen === null ? null : (
          <Button label="Choose something else" text="✕" act={set(chosenOrder, null)} />
        )}
      </p>
      <details class="orders" open={isListOpen.value} onToggle={takeOpen(isListOpen)}>
        <summary>All orders ({offer.actions.length})</summary>
        {isListOpen.value ? <OrderList actions={offer.actions} /> : null}
      </details>
      <PrivateNotes offer={offer} />
    </>
  );
}

function OrderList({ actions }: Pick<TurnPrompt, 'actions'>) {
  return (
    <dl class="actions">
      {[...Map.groupBy(actions, ({ does }) => does)].map(([does, group]) => (
        <div key={does} data-does={does}>
          <dt>{does}</dt>
          <dd>
            {group.map((order) => (
              <button
                key={order.label}
                type="button"
                aria-label={order.label}
                title={order.hint === '' ? undefined : order.hint}
                onClick={() => giveOrder(order)}
              >
                {order.what === '' ? does : capitalize(order.what)}
              </button>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const LONGEST_THOUGHT = 2000;
const PAGES = {
  main_scratch: 'Notes that you keep for the whole game',
  meeting_scratch: 'Notes of this meeting',
} as const;

type PrivateNotesProps = Readonly<{ offer: TurnPrompt; isOpen?: boolean }>;

function PrivateNotes({ offer, isOpen = false }: PrivateNotesProps) {
  return (
    <details class="own" open={isOpen}>
      <summary>Thought and notes</summary>
      <label>
        <span>Your thought: nobody sees it before the end</span>
        <input
          type="text"
          maxLength={LONGEST_THOUGHT}
          value={thought.value}
          onInput={takeText(thought)}
        />
      </label>
      <label>
        <span>{PAGES[offer.notes.page]}</span>
        <textarea rows={3} value={notes.value ?? offer.notes.text} onInput={takeText(notes)} />
      </label>
    </details>
  );
}
