/** What may come next, and what is refused here: found out on the machine itself when the report was made. */

import type { ExplorerEdge, ExplorerOffer } from '../../../../proofs/explorer/report.ts';
import { Panel } from '../../frame/panel.tsx';
import { edges, step, tale } from '../state/visit.ts';
import { count, placeWords, Words } from './words.tsx';

export function Offers() {
  const rest = tale.value?.rests[step.value];
  if (rest === undefined) return null;
  const enabled = rest.offers.filter(({ taken }) => taken.length > 0);
  const refused = rest.offers.filter(({ taken }) => taken.length === 0);
  const many = enabled.reduce((sum, offer) => sum + offer.count, 0);
  return (
    <Panel
      id="offers"
      title="What may come next"
      aside={`${count(many)} ${many === 1 ? 'way' : 'ways'}`}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Events that may come next">
        {enabled.length === 0 ? (
          <p class="quiet">Nothing: the meeting rests here for good.</p>
        ) : null}
        <ul class="offers">
          {enabled.map((offer, index) => (
            <Enabled key={`${index}`} offer={offer} />
          ))}
        </ul>
        {refused.length === 0 ? null : (
          <>
            <h3 class="group">Refused here</h3>
            <ul class="offers">
              {refused.map((offer, index) => (
                <Refused key={`${index}`} offer={offer} />
              ))}
            </ul>
          </>
        )}
        {rest.untried === 0 ? null : (
          <p class="quiet">{count(rest.untried)} more were not tried for this page.</p>
        )}
      </section>
    </Panel>
  );
}

function Enabled({ offer }: { readonly offer: ExplorerOffer }) {
  const { type, samples, count: many, to, isNext, refused, taken } = offer;
  const guards = guardsOf(refused ?? []);
  return (
    <li data-offer={type} data-next={isNext || undefined}>
      <p class="event">
        <b>{eventWords(type)}</b>
        {many === 1 ? null : <span class="many">× {count(many)}</span>}
        {isNext ? <span class="mark">▸ comes next</span> : null}
        <span class="to">→ {placeWords(to)}</span>
      </p>
      <p class="samples">
        {samples.map((text, index) => (
          <span key={text}>
            {index === 0 ? '' : ' · '}
            <Words text={text} />
          </span>
        ))}
        {many > samples.length && samples.length > 1 ? ' …' : ''}
      </p>
      <p class="guards" title={taken.flatMap((at) => edgeWords(edges.value[at])).join('\n')}>
        {guards.length === 0 ? null : (
          <>
            <span class="no">said no on the way:</span> <GuardNames guards={guards} />
          </>
        )}
      </p>
    </li>
  );
}

function Refused({ offer: { type, samples, refused } }: { readonly offer: ExplorerOffer }) {
  const guards = guardsOf(refused ?? []);
  return (
    <li data-offer={type} data-refused>
      <p class="event">
        <b>{eventWords(type)}</b>
        <span class="samples">
          <Words text={samples[0] ?? ''} />
        </span>
        <span class="no">
          {guards.length > 0 ? (
            <>
              refused by <GuardNames guards={guards} />
            </>
          ) : refused === null ? (
            'refused; its guards can’t be watched'
          ) : (
            'nothing listens to it here'
          )}
        </span>
      </p>
    </li>
  );
}

function GuardNames({ guards }: { readonly guards: readonly string[] }) {
  return (
    <>
      {guards.map((guard, index) => (
        <span key={guard}>
          {index === 0 ? '' : ', '}
          <code>{guard}</code>
        </span>
      ))}
    </>
  );
}

function guardsOf(refused: readonly number[]): readonly string[] {
  return [...new Set(refused.flatMap((at) => edges.value[at]?.guard ?? []))];
}

function edgeWords(edge: ExplorerEdge | undefined): readonly string[] {
  if (edge === undefined) return [];
  const { source, event, targets, guard } = edge;
  const to = targets.length === 0 ? 'stays' : targets.join(' & ');
  return [`${source} ─${event}→ ${to}${guard === null ? '' : ` [${guard}]`}`];
}

/** Timers have long names of their own. */
function eventWords(type: string): string {
  const [, delay] = /^xstate\.after\.([^.]+)\./.exec(type) ?? [];
  return delay === undefined ? type : `after ${delay}`;
}
