/** The drawer of calls: what minds were asked at a moment, what they answered, and what it took. Only Glass has it. */
import { useEffect, useRef } from 'preact/hooks';
import { formatClock } from '../../../text.ts';
import { Hidden } from '../../frame/panel.tsx';
import { areCallsOpen, asking, hopAsking, ledger } from '../state/calls.ts';
import { focus, lens } from '../state/session.ts';
import { DecisionView } from './decision.tsx';
import type { Asking } from './ledger.ts';
import { Totals } from './totals.tsx';

export function Calls() {
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (areCallsOpen.value) drawer.current?.showModal();
    else drawer.current?.close();
  }, [areCallsOpen.value]);
  return (
    <dialog
      ref={drawer}
      class="calls"
      aria-labelledby="calls-title"
      onClose={() => {
        areCallsOpen.value = false;
      }}
    >
      {areCallsOpen.value ? <Open /> : null}
    </dialog>
  );
}

function Open() {
  const now = ledger.value.askings[asking.value];
  const isGlass = lens.value.type === 'glass';
  return (
    <>
      <header>
        <h2 id="calls-title">What minds were asked</h2>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
        <p>
          <button type="button" aria-label="The asking before" onClick={() => hopAsking(-1)}>
            ‹
          </button>
          <b>{now === undefined ? 'Nobody yet' : whenOf(now)}</b>
          <button type="button" aria-label="The asking after" onClick={() => hopAsking(1)}>
            ›
          </button>
        </p>
      </header>
      {isGlass ? null : <Hidden>Only the lens Glass shows what minds were asked.</Hidden>}
      {isGlass && now !== undefined ? <Decisions asking={now} /> : null}
      {isGlass ? <Totals /> : null}
    </>
  );
}

function Decisions({ asking: now }: { readonly asking: Asking }) {
  const decisions = ledger.value.decisions(now);
  const { line } = now;
  const first = focus.value ?? ('floor' in line ? line.floor : null) ?? decisions[0]?.seat;
  return (
    <div class="decisions">
      {decisions.map((decision) => (
        <DecisionView
          key={`${line.channel} ${line.seq} ${decision.seat}`}
          decision={decision}
          asking={now}
          isOpen={decision.seat === first}
        />
      ))}
    </div>
  );
}

/** "Meeting 1, discussion, tick 4" */
function whenOf({ line, meeting }: Asking): string {
  if (line.type === 'round.closed') return `On the ship, ${formatClock(line.round ?? 0)}`;
  if (line.type === 'turn.closed') return `Meeting ${meeting}, ghosts, turn ${line.turn ?? 0}`;
  return `Meeting ${meeting}, ${line.occasion ?? ''}, tick ${line.tick ?? 0}`;
}
