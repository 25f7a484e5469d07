import { useSignal } from '@preact/signals';
import type { PlayerCall } from '../../../../machines/journal/calls.ts';
import { formatCount, formatMs, quoteWord } from '../../../../machines/text.ts';
import type { Colour } from '../../../../machines/types.ts';
import { nameMind } from '../../../identity.ts';
import { formatClock } from '../../../text.ts';
import { Button, ColumnTitles, Hidden, Lines, Scroll } from '../../frame/panel.tsx';
import { Player } from '../players.tsx';
import { focus, journalName, lens, live, story } from '../state/session.ts';
import {
  type AnsweredMoment,
  answeredIndex,
  callLog,
  jumpToAnswered,
  type PlayerDecision,
  sumBySeat,
} from './calls.ts';
import { type CallTotals, formatDollars, sumCalls } from './recordedCalls.ts';

export function CallsDrawer() {
  const now = callLog.value.askings[answeredIndex.value];
  const isGlass = lens.value.type === 'glass';
  return (
    <>
      <header>
        <h2 id="calls-title">What players were asked</h2>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
        <p>
          <Button label="The asking before" text="‹" act={() => jumpToAnswered(-1)} />
          <b>{now === undefined ? 'Nobody yet' : describeMoment(now)}</b>
          <Button label="The asking after" text="›" act={() => jumpToAnswered(1)} />
        </p>
      </header>
      {isGlass ? null : <Hidden>Only the lens Glass shows what players were asked.</Hidden>}
      {isGlass && now !== undefined ? <Decisions asking={now} /> : null}
      {isGlass ? <Totals /> : null}
    </>
  );
}

function Decisions({ asking: now }: { readonly asking: AnsweredMoment }) {
  const decisions = callLog.value.decisions(now);
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

function describeMoment({ line, meeting }: AnsweredMoment): string {
  if (line.type === 'round.closed') return `On the ship, ${formatClock(line.round ?? 0)}`;
  if (line.type === 'turn.closed') return `Meeting ${meeting}, ghosts, turn ${line.turn ?? 0}`;
  return `Meeting ${meeting}, ${line.requestKind ?? ''}, tick ${line.tick ?? 0}`;
}

type DecisionProps = {
  readonly decision: PlayerDecision;
  readonly asking: AnsweredMoment;
  readonly isOpen: boolean;
};

function DecisionView({ decision, asking, isOpen }: DecisionProps) {
  const { seat, received, parsed, notes, fault, text, calls } = decision;
  const player = story.value.moments[0]?.players.find((each) => each.seat === seat);
  return (
    <details data-seat={seat} open={isOpen}>
      <summary>
        <Player seat={seat} />
        <span class="mind">{player === undefined ? '' : player.model || nameMind(player)}</span>
        <Badges decision={decision} />
        {calls.length === 0 ? null : <span class="cost">{formatCost(calls)}</span>}
      </summary>
      {fault === '' ? null : (
        <p class="failed">
          ✕ {fault}: {text}
        </p>
      )}
      {received === undefined ? null : <LongText title="Answer" text={formatJson(received)} />}
      <Lines class="repairs" label="Repairs" texts={notes} />
      {parsed === undefined ? null : <LongText title="Read as" text={formatJson(parsed)} />}
      <Requests calls={calls} />
      <PromptView asking={asking} seat={seat} isModel={calls.length > 0} />
    </details>
  );
}

function Badges({ decision: { fault, notes, calls } }: { readonly decision: PlayerDecision }) {
  const isRepaired = notes.length > 0 || calls.some((call) => call.isRepaired);
  return (
    <>
      {fault === '' ? null : <span class="failed">✕ {fault.replace(/^.*\//, '')}</span>}
      {isRepaired ? <span class="badge">repaired</span> : null}
      {calls.length > 1 ? <span class="badge">{calls.length} requests</span> : null}
    </>
  );
}

/** "1,204 → 86 tokens · 1.4 s · $0.0003" */
function formatCost(calls: readonly PlayerCall[]): string {
  const { prompt, completion, ms, dollars, isGuessed } = sumCalls(calls);
  const tokens = `${isGuessed ? '≈' : ''}${formatCount(prompt)} → ${formatCount(completion)} tokens`;
  return [tokens, formatMs(ms), ...(dollars === null ? [] : [formatDollars(dollars)])].join(' · ');
}

function Requests({ calls }: { readonly calls: readonly PlayerCall[] }) {
  if (calls.length === 0) return null;
  return (
    <ol class="requests" aria-label="Requests">
      {calls.map((call, index) => (
        <li key={`${index}`} data-failed={call.failure !== null || undefined}>
          <span class="mode">{call.mode}</span> {formatCost([call])}
          {call.usage.cachedTokens ? ` · ${formatCount(call.usage.cachedTokens)} cached` : ''}
          {call.model === null ? '' : ` · answered by ${call.model}`}
          {call.failure === null ? null : <span class="failed">✕ {call.failure}</span>}
          {call.isRepaired ? <span class="badge">repaired</span> : null}
          {call.reply === null ? null : <LongText title="As it was written" text={call.reply} />}
        </li>
      ))}
    </ol>
  );
}

function formatJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

type PromptProps = Readonly<{ asking: AnsweredMoment; seat: Colour; isModel: boolean }>;

function PromptView({ asking, seat, isModel }: PromptProps) {
  const prompt = useSignal<ServedPrompt | string | null>(null);
  const title = isModel ? 'Prompt' : 'Prompt that a model in this seat would be sent';
  if (live.value === null) {
    const command = `glassbox prompt ${quoteWord(journalName.value)} --player ${seat}`;
    return (
      <p class="command">
        {title}: <code>{`${command} ${formatPlaceFlags(asking)}`}</code>
      </p>
    );
  }
  const show = async () => {
    prompt.value = 'Making the prompt again from the journal…';
    prompt.value = await fetchPrompt(asking, seat);
  };
  const { value } = prompt;
  if (value === null) return <Button text={title} act={() => void show()} />;
  if (typeof value === 'string') return <p role="status">{value}</p>;
  return (
    <>
      <LongText title="Prompt, the rules" text={value.system} />
      <LongText title="Prompt, the moment" text={value.user} />
      <LongText
        title={`${value.schemaName}, at most ${value.maxTokens} tokens`}
        text={JSON.stringify(value.schema, null, 2)}
      />
    </>
  );
}

const COLUMNS: Readonly<Record<string, (sum: CallTotals, about: string) => string>> = {
  requests: ({ calls }) => formatCount(calls),
  in: ({ prompt }, about) => `${about}${formatCount(prompt)}`,
  cached: ({ cached }) => formatCount(cached),
  out: ({ completion }, about) => `${about}${formatCount(completion)}`,
  time: ({ ms }) => formatMs(ms),
  cost: ({ dollars }) => formatDollars(dollars),
  failed: ({ failed }) => formatCount(failed),
  repaired: ({ repaired }) => formatCount(repaired),
};

function Totals() {
  const { calls } = callLog.value;
  if (calls.length === 0)
    return <p class="quiet">This journal has no requests to language models.</p>;
  const all = sumCalls(calls);
  return (
    <div class="totals">
      <h3>All requests of this journal</h3>
      <Scroll class="wide" label="Requests by player">
        <table>
          <ColumnTitles names={['player', ...Object.keys(COLUMNS)]} />
          <tbody>
            {sumBySeat(calls).map(([seat, sum]) => (
              <tr key={seat} data-seat={seat}>
                <th scope="row">
                  <Player seat={seat} />
                </th>
                <TotalCells sum={sum} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">all</th>
              <TotalCells sum={all} />
            </tr>
          </tfoot>
        </table>
      </Scroll>
      {all.isGuessed ? (
        <p class="quiet">The endpoint did not count all tokens: ≈ marks an estimate.</p>
      ) : null}
    </div>
  );
}

function TotalCells({ sum }: { readonly sum: CallTotals }) {
  const about = sum.isGuessed ? '≈' : '';
  return Object.entries(COLUMNS).map(([name, write]) => <td key={name}>{write(sum, about)}</td>);
}

function LongText({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="text">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

type ServedPrompt = {
  readonly system: string;
  readonly user: string;
  readonly schema: unknown;
  readonly schemaName: string;
  readonly maxTokens: number;
};

async function fetchPrompt({ line }: AnsweredMoment, seat: Colour): Promise<ServedPrompt | string> {
  const asked = new URLSearchParams({ player: seat, channel: line.channel, seq: `${line.seq}` });
  try {
    const response = await fetch(`prompt?${asked.toString()}`);
    if (!response.ok) return await response.text();
    return await response.json();
  } catch {
    return 'The server that has the journal no longer answers.';
  }
}

function formatPlaceFlags({ line, meeting }: AnsweredMoment): string {
  if (line.type === 'round.closed') return `--round ${line.round ?? 0}`;
  const which = `--meeting ${meeting}`;
  if (line.type === 'turn.closed') return `--request ghost --tick ${line.turn ?? 0} ${which}`;
  return `--tick ${line.tick ?? 0} ${which}`;
}
