/** The turn: what is asked of whoever plays in this page, what they may do, and how much time is left. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Offer, Seating } from '../../../../machines/turnPrompt.ts';
import { capitalize } from '../../../text.ts';
import { Panel } from '../../frame/panel.tsx';
import { useLens } from '../state/lenses.ts';
import { asked, leaveSeat, refusal, seating, secondsLeft } from '../state/seat.ts';
import { lens, widest } from '../state/session.ts';
import { Player } from '../view/seat.tsx';
import { Actions } from './actions.tsx';
import { Talk } from './talk.tsx';

export function Turn() {
  const held = seating.value;
  const place = useRef<HTMLDivElement>(null);
  const id = asked.value?.id;
  // Before anything is painted, so that a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    if (id !== undefined) welcome(place.current);
  }, [id]);
  // With the glass open there is nothing more to say.
  if (held === null || (held.isOver && lens.value.type === 'glass')) return null;
  return (
    <Panel id="turn" title={held.asked === null ? 'Your seat' : 'Your turn'} aside={<Clock />}>
      <div class="turn" ref={place} data-asked={id}>
        {held.asked === null ? <Waiting held={held} /> : <Form offer={held.asked.offer} key={id} />}
        {refusal.value === '' ? null : (
          <p class="refusal" role="alert">
            {refusal.value}
          </p>
        )}
        <Leave held={held} />
      </div>
      <Announcement held={held} />
    </Panel>
  );
}

/** Whoever has just answered, or is nowhere in particular, goes on here; nobody is called away from elsewhere. */
function welcome(place: HTMLElement | null): void {
  const { activeElement: at, body } = document;
  if (place === null || (at !== body && at !== null && !place.contains(at))) return;
  place.querySelector<HTMLElement>('[data-first], button')?.focus({ preventScroll: true });
}

/** Time grows scarce when so many seconds are left. */
const SCARCE = 15;

function Clock() {
  const now = asked.value;
  if (now === null) return null;
  const left = secondsLeft.value;
  return (
    <span class="clock" role="timer" aria-live="off" data-scarce={left <= SCARCE || undefined}>
      {left} s left
    </span>
  );
}

/** What is said aloud: that it is one's turn, and when time grows scarce. */
function Announcement({ held }: { readonly held: Seating }) {
  const isScarce = held.asked !== null && secondsLeft.value <= SCARCE;
  const words =
    held.asked === null
      ? ''
      : isScarce
        ? `Less than ${SCARCE} seconds left.`
        : `Your turn. ${held.asked.offer.wanted}`;
  return (
    <p class="vh" role="status">
      {words}
    </p>
  );
}

function Form({ offer }: { readonly offer: Offer }) {
  const { you, wanted, news, seen } = offer;
  return (
    <>
      <p class="self">
        <Player seat={you.colour} /> <b data-role={you.role}>{roleText(you)}</b>
        <span class="wanted">{wanted}</span>
      </p>
      {news.length === 0 ? null : (
        <ul class="news">
          {news.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {offer.occasion === 'action' ? <Actions offer={offer} /> : <Talk offer={offer} />}
      {seen.length === 0 ? null : (
        <details class="seen">
          <summary>What you have seen ({seen.length})</summary>
          <ul>
            {seen.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function roleText({ role, partners, isDead }: Offer['you']): string {
  const kind = role === 'impostor' ? 'impostor' : 'crewmate';
  const allies = partners.length === 0 ? '' : ` with ${partners.map(capitalize).join(' and ')}`;
  return `${isDead ? 'ghost, ' : ''}${kind}${allies}`;
}

function Waiting({ held }: { readonly held: Seating }) {
  if (held.isOver) {
    return (
      <p class="quiet">
        It is over, and the glass is open.{' '}
        {widest.value.type !== 'glass' ? null : (
          <button type="button" onClick={() => useLens('glass')}>
            See everything
          </button>
        )}
      </p>
    );
  }
  if (held.attendance === 'left')
    return <p class="quiet">You have left. You see on through your own eyes.</p>;
  return (
    <p class="quiet">Nobody waits for you: the others think, or nothing has happened to you.</p>
  );
}

function Leave({ held }: { readonly held: Seating }) {
  const isSure = useSignal(false);
  if (held.isOver || held.attendance === 'left') return null;
  if (!isSure.value) {
    return (
      <button
        type="button"
        class="small leave"
        onClick={() => {
          isSure.value = true;
        }}
      >
        Leave the game…
      </button>
    );
  }
  return (
    <p class="leave">
      You can’t come back.{' '}
      <button type="button" class="small" onClick={() => void leaveSeat()}>
        Leave for good
      </button>{' '}
      <button
        type="button"
        class="small"
        onClick={() => {
          isSure.value = false;
        }}
      >
        Stay
      </button>
    </p>
  );
}
