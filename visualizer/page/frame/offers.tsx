/** What can happen next in a statechart, as rows: first what is open, then what is refused. */
import { type ComponentChildren, Fragment } from 'preact';
import { Scroll } from './panel.tsx';
import { pointingAt } from './statechart.tsx';

export type NextOffer = {
  /** The event as the chart writes it, and in words. */
  readonly id: string;
  readonly event: string;
  /** Where it leads, or ''. */
  readonly to: string;
  /** Its transitions, which a pointer on the row shows in the chart. */
  readonly edges: readonly string[];
  readonly title: string;
  readonly guards: readonly GuardReading[];
  /** Why it is refused, if no guard says so. */
  readonly note?: string;
  /** How many events, if there are several, and some of them in words. */
  readonly many?: string;
  readonly samples?: ComponentChildren;
  readonly isNext?: boolean;
  readonly pick?: () => void;
  readonly picked?: ComponentChildren;
};

/** "All living players have voted": false, "4 of 6". The value is null if it depends on the event. */
export type GuardReading = Readonly<{ text: string; value: boolean | null; detail: string }>;

type OffersProps = {
  readonly label: string;
  readonly open: readonly NextOffer[];
  /** Refused offers by the heading above them. */
  readonly refused: Readonly<Record<string, readonly NextOffer[]>>;
  readonly empty: string;
  readonly children?: ComponentChildren;
};

export function Offers({ label, open, refused, empty, children }: OffersProps) {
  return (
    <Scroll label={label}>
      {open.length === 0 ? <p class="quiet">{empty}</p> : null}
      {Object.entries({ Open: open, ...refused }).map(([heading, offers]) =>
        offers.length === 0 ? null : (
          <Fragment key={heading}>
            {offers === open ? null : <h3 class="group">{heading}</h3>}
            <ul class="offers" aria-label={heading}>
              {offers.map((offer, index) => (
                <OfferRow key={`${index}`} offer={offer} isRefused={offers !== open} />
              ))}
            </ul>
          </Fragment>
        ),
      )}
      {children}
    </Scroll>
  );
}

function OfferRow({ offer, isRefused }: Readonly<{ offer: NextOffer; isRefused: boolean }>) {
  const { id, event, to, edges, title, guards, note, many, samples, isNext, pick, picked } = offer;
  const name = <b>{event}</b>;
  return (
    <li
      data-offer={id}
      data-edge={edges[0]}
      data-next={isNext || undefined}
      data-refused={isRefused || undefined}
      {...pointingAt(edges, true)}
    >
      <p class="event" title={title}>
        {pick === undefined ? (
          name
        ) : (
          <button type="button" aria-pressed={picked !== undefined} onClick={pick}>
            {name}
          </button>
        )}
        {many === undefined ? null : <span class="many">{many}</span>}
        {isNext === true ? <span class="mark">▸ comes next</span> : null}
        {to === '' ? null : <span class="to">→ {to}</span>}
      </p>
      {samples === undefined ? null : <p class="samples">{samples}</p>}
      {note === undefined ? null : <p class="no">{note}</p>}
      {guards.length === 0 ? null : (
        <ul class="guards">
          {guards.map(({ text, value, detail }) => (
            <li key={text} class={value === false ? 'no' : undefined}>
              {text}: {ANSWERS.get(value)}
              {detail === '' ? '' : `, ${detail}`}
            </li>
          ))}
        </ul>
      )}
      {picked}
    </li>
  );
}

const ANSWERS = new Map([
  [true, 'yes'],
  [false, 'no'],
  [null, 'depends on the event'],
]);
