import { useSignal } from '@preact/signals';
import { readArrivals } from '../../../../machines/journal/calls.ts';
import type { SeenTick } from '../../../../machines/journal/projection.ts';
import { SCORE_TERMS, type ScoreRow } from '../../../../machines/rules/scoreTerms.ts';
import { capitalize, formatMs, listWords } from '../../../../machines/text.ts';
import type { Colour } from '../../../../machines/types.ts';
import { explainFloor } from '../../../floorReason.ts';
import { takeOpen } from '../../frame/fieldEvents.ts';
import { ColumnTitles, Hidden, memo } from '../../frame/panel.tsx';
import { Player, WritingNow } from '../players.tsx';
import { getThinkingSeconds } from '../state/live.ts';
import { length, lens, settledMoment, settledStep } from '../state/session.ts';
import { bidders, isBeforeFloor, isGathering } from '../state/stages.ts';
import { type BidRow, listBids } from '../story/bids.ts';

export function describeBidsTick(): string {
  const tick = settledMoment.value?.meeting?.tick ?? null;
  return tick === null ? 'no tick yet' : `tick ${tick.tick ?? 0}`;
}

export function Bids() {
  const tick = settledMoment.value?.meeting?.tick ?? null;
  if (tick === null)
    return (
      <>
        <WaitingLine />
        <WritingNow />
        <Hidden>Nobody has bid yet.</Hidden>
      </>
    );
  if (isGathering.value) return <WaitingLine />;
  const rows = listBids(tick);
  return (
    <>
      <WaitingLine />
      <WritingNow />
      {isBeforeFloor.value ? <p class="winner">Scored:</p> : <FloorWinner tick={tick} />}
      {rows.length === 0 ? (
        <Hidden>
          {lens.value.type === 'table'
            ? 'The table does not see bids: choose the lens Glass to see them.'
            : 'This player did not bid.'}
        </Hidden>
      ) : (
        <BidTable rows={rows} />
      )}
    </>
  );
}

function WaitingLine() {
  const isPlayed = isGathering.value;
  const isLatest = settledStep.value >= length.value - 1;
  const thinking = bidders.value.filter((seat) => isPlayed || getThinkingSeconds(seat) !== null);
  const { line, players, meeting } = settledMoment.value ?? {};
  if (!isPlayed && (!isLatest || thinking.length === 0)) return null;
  const asked = isPlayed ? meeting?.tick?.bids : players?.filter(({ fate }) => fate === 'living');
  const arrivals = line === undefined || !isPlayed ? [] : readArrivals(line);
  const msOf = (seat: Colour) => arrivals.find((each) => each.seat === seat)?.ms ?? null;
  const answered = (asked ?? []).flatMap(({ seat }) => (thinking.includes(seat) ? [] : [seat]));
  const seconds = isPlayed
    ? Math.max(0, ...answered.map((seat) => msOf(seat) ?? 0)) / 1000
    : Math.max(...thinking.map((seat) => getThinkingSeconds(seat) ?? 0));
  return (
    <>
      <p class="winner waits">
        {thinking.length === 0
          ? 'All have answered'
          : `Waiting for ${listWords(thinking.map(capitalize))}`}{' '}
        · {isPlayed ? seconds.toFixed(1) : seconds} s
      </p>
      <ul class="arrivals" aria-label="Bids so far">
        {asked?.map(({ seat }) => (
          <li key={seat} data-waiting={thinking.includes(seat) || undefined}>
            <Player seat={seat} />{' '}
            {thinking.includes(seat)
              ? '…'
              : `✓ ${msOf(seat) === null ? '' : formatMs(msOf(seat) ?? 0)}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function FloorWinner({ tick }: { readonly tick: SeenTick }) {
  const { floor, scores } = tick;
  if (floor === null || floor === undefined)
    return <p class="winner">Nobody asked for the floor.</p>;
  const { phase, poll } = settledMoment.value?.meeting ?? { phase: null, poll: null };
  const isTalk = phase === 'discussion' || (phase === 'voting' && poll === null);
  return (
    <p class="winner">
      <Player seat={floor} /> {isTalk ? 'has the floor.' : 'had the floor last.'}
      {scores === undefined || scores.length < 2 ? null : (
        <span class="why">{explainFloor(tick)}</span>
      )}
    </p>
  );
}

function BidTable({ rows }: { readonly rows: readonly BidRow[] }) {
  const gains = rows.map(({ terms }) =>
    SCORE_TERMS.reduce((sum, { key }) => sum + Math.max(0, terms[key]), 0),
  );
  return (
    <div class="bids">
      <table>
        <caption class="vh">Priority of every bid, term by term</caption>
        <ColumnTitles names={['Player', 'Priority, term by term', 'Total']} />
        <tbody>
          {rows.map((row, rank) => (
            <Bid key={rank} row={row} most={Math.max(1, ...gains)} />
          ))}
        </tbody>
      </table>
      <TermLegend />
    </div>
  );
}

function Bid({ row, most }: { readonly row: BidRow; readonly most: number }) {
  const { seat, total, isWinner, isCalledOn, isEligible, fault, thought, message } = row;
  const isBlank = fault === '' && !isEligible && message.trim() === '';
  return (
    <tr data-winner={isWinner || undefined} data-out={!isEligible || undefined}>
      <th scope="row">
        <Player seat={seat} />
        {isWinner ? <span class="mark">▸ floor</span> : null}
        {isBlank ? <span class="out">nothing to say</span> : null}
        {isCalledOn ? <span class="mark">‼ called on</span> : null}
      </th>
      <td>
        {fault === '' ? (
          <span class="terms" role="img" aria-label={describeTerms(row)}>
            {SCORE_TERMS.map((term) => (
              <Segment key={term.key} term={term} value={row.terms[term.key]} most={most} />
            ))}
          </span>
        ) : (
          <span class="fault">⌁ no usable reply: {fault}</span>
        )}
        {thought === '' && message === '' ? null : (
          <Answer isWinner={isWinner} thought={thought} message={message} />
        )}
      </td>
      <td class="sum">{total}</td>
    </tr>
  );
}

function Answer({ isWinner, thought, message }: Pick<BidRow, 'isWinner' | 'thought' | 'message'>) {
  const isOpen = useSignal(false);
  return (
    <details class="would" onToggle={takeOpen(isOpen)}>
      <summary>{thought === '' ? 'would say' : <i>{thought}</i>}</summary>
      {isOpen.value ? (
        <p>
          {isWinner ? 'Says' : 'Would say'}: {message === '' ? 'nothing' : `“${message}”`}
        </p>
      ) : null}
    </details>
  );
}

function describeTerms({ terms }: BidRow): string {
  const said = SCORE_TERMS.filter(({ key }) => terms[key] !== 0);
  return said.map(({ key, label }) => `${label} ${formatSigned(terms[key])}`).join(', ');
}

function formatSigned(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}

function Segment({ term, value, most }: Readonly<{ term: ScoreRow; value: number; most: number }>) {
  if (value === 0) return null;
  return (
    <span
      {...segmentOf(term)}
      title={`${capitalize(term.label)}: ${value}`}
      style={`flex-basis: ${((Math.abs(value) / most) * 100).toFixed(2)}%`}
    >
      <span class="value">{formatSigned(value)}</span>
    </span>
  );
}

/** `panes.css` has a pattern for each place among the terms of the same sign. */
function segmentOf(term: ScoreRow) {
  const { key, sign } = term;
  const pattern = SCORE_TERMS.filter((other) => other.sign === sign).indexOf(term);
  return { class: 'segment', 'data-term': key, 'data-sign': sign, 'data-pattern': pattern };
}

const TermLegend = memo(() => (
  <ul class="legend" aria-label="Terms of the priority">
    {SCORE_TERMS.map((term) => (
      <li key={term.key} title={term.help}>
        <span {...segmentOf(term)} aria-hidden="true" />
        {term.label}
      </li>
    ))}
  </ul>
));
