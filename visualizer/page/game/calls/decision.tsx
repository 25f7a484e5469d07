/** A decision in the drawer: the prompt, the answer as it came, its repairs, and each request that was made. */

import { story } from '../state/session.ts';
import { Player } from '../view/seat.tsx';
import type { Call } from './call.ts';
import type { Asking, Decision } from './ledger.ts';
import { mindOf } from './mind.ts';
import { PromptView } from './prompt.tsx';
import { count, duration, money, sumOf } from './sum.ts';
import { Text } from './text.tsx';

type Props = {
  readonly decision: Decision;
  readonly asking: Asking;
  readonly isOpen: boolean;
};

export function DecisionView({ decision, asking, isOpen }: Props) {
  const { seat, received, reading, notes, fault, text, calls } = decision;
  return (
    <details data-seat={seat} open={isOpen}>
      <summary>
        <Player seat={seat} />
        <span class="mind">{mindOf(story.value.moments[0]?.line, seat)}</span>
        <Badges decision={decision} />
        {calls.length === 0 ? null : <span class="cost">{costOf(calls)}</span>}
      </summary>
      {fault === '' ? null : (
        <p class="failed">
          ✕ {fault}: {text}
        </p>
      )}
      {received === undefined ? null : <Text title="Answer" text={jsonOf(received)} />}
      {notes.length === 0 ? null : (
        <ul class="repairs" aria-label="Repairs">
          {notes.map((note, index) => (
            <li key={`${index}`}>{note}</li>
          ))}
        </ul>
      )}
      {reading === undefined ? null : <Text title="Read as" text={jsonOf(reading)} />}
      <Requests calls={calls} />
      <PromptView asking={asking} seat={seat} isModel={calls.length > 0} />
    </details>
  );
}

function Badges({ decision: { fault, notes, calls } }: { readonly decision: Decision }) {
  const isMended = notes.length > 0 || calls.some((call) => call.isMended);
  return (
    <>
      {fault === '' ? null : <span class="failed">✕ {fault.replace(/^.*\//, '')}</span>}
      {isMended ? <span class="badge">mended</span> : null}
      {calls.length > 1 ? <span class="badge">{calls.length} requests</span> : null}
    </>
  );
}

/** "1,204 → 86 tokens · 1.4 s · $0.0003" */
function costOf(calls: readonly Call[]): string {
  const { prompt, completion, ms, dollars, isGuessed } = sumOf(calls);
  const tokens = `${isGuessed ? '≈' : ''}${count(prompt)} → ${count(completion)} tokens`;
  return [tokens, duration(ms), ...(dollars === null ? [] : [money(dollars)])].join(' · ');
}

function Requests({ calls }: { readonly calls: readonly Call[] }) {
  if (calls.length === 0) return null;
  return (
    <ol class="requests" aria-label="Requests">
      {calls.map((call, index) => (
        <li key={`${index}`} data-failed={call.trouble !== '' || undefined}>
          <span class="mode">{call.mode}</span> {costOf([call])}
          {call.cached === null || call.cached === 0 ? '' : ` · ${count(call.cached)} cached`}
          {call.trouble === '' ? null : <span class="failed">✕ {call.trouble}</span>}
          {call.isMended ? <span class="badge">mended</span> : null}
          {call.said === '' ? null : <Text title="As it was written" text={call.said} />}
        </li>
      ))}
    </ol>
  );
}

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
