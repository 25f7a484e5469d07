import { useEffect, useRef } from 'preact/hooks';
import { formatCount as count } from '../../../machines/text.ts';
import type {
  ExplorerChange,
  ExplorerEdge,
  ExplorerOffer,
  ExplorerProperty,
  ExplorerSeen,
  ExplorerStep,
  ExplorerTrace,
} from '../../../proofs/report/explorerReport.ts';
import { formatTimes } from '../../text.ts';
import { type NextOffer, Offers } from '../frame/offers.tsx';
import { Button, ColumnTitles, Panel, Scroll } from '../frame/panel.tsx';
import { drawn, edges, jump, last, property, step, trace, walk } from './visit.ts';
import { Mark, moodOf, placeWords, Words } from './words.tsx';

export function Witness() {
  const one = property.value;
  if (one === null) return null;
  return (
    <Panel id="run" title={titleOf(one)} aside={`${one.kind}`}>
      <div class="verdict" data-mood={moodOf(one)}>
        <p class="head">
          <Mark mood={moodOf(one)} />
          <b>{one.name}</b>
          <span class="said">{one.said}</span>
        </p>
        <p class="property">{one.sentence}</p>
        {remarks(one).map((text) => (
          <p key={text} class="remark">
            {text}
          </p>
        ))}
      </div>
      {one.trace === null || one.trace.steps.length === 0 ? null : <Steps told={one.trace} />}
    </Panel>
  );
}

function titleOf({ trace }: ExplorerProperty): string {
  if (trace === null) return 'The verdict';
  return trace.isExample ? 'A run that shows it' : 'A run that breaks it';
}

function remarks({ why, applied, kind, verdict, trace }: ExplorerProperty): readonly string[] {
  const isCounted = applied !== null && kind !== 'sometimes' && verdict === 'proved';
  const isWhole = trace === null && verdict === 'proved' && !isCounted;
  const excluding = trace?.excludedBy.join('; or ') ?? '';
  return [
    why,
    isCounted ? `It applied ${formatTimes(applied)} and held each time.` : '',
    isWhole ? 'The search visited every reachable state, so there is no run to show.' : '',
    trace?.note ?? '',
    excluding === '' ? '' : `This assumption would rule the run out: ${excluding}.`,
  ].filter((text) => text !== '');
}

function Steps({ told }: { readonly told: ExplorerTrace }) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = list.current;
    const here = box?.querySelector('[aria-current=step]');
    if (box == null || !(here instanceof HTMLElement)) return;
    const top = here.offsetTop - box.clientHeight / 3;
    box.scrollTop = step.value === 0 ? 0 : top;
  }, [step.value, told]);
  return (
    <Scroll label="Steps of the run" box={list}>
      <ol class="steps">
        <li class="step" aria-current={step.value === 0 ? 'step' : undefined} data-past>
          <Button class="number" label="Step 0, the beginning" text="0" act={() => jump(0)} />
          <div class="what">
            <p class="happened">The run begins.</p>
            <p class="place">{placeWords(told.rests[0]?.at ?? told.steps[0]?.at ?? '')}</p>
          </div>
        </li>
        {told.steps.map((each, index) => (
          <StepRow key={`${index}`} each={each} index={index} told={told} />
        ))}
        {told.loop === null ? null : (
          <li class="step round">
            <span class="number" aria-hidden="true">
              ↺
            </span>
            <p class="what">The run repeats forever from step {told.loop + 1}.</p>
          </li>
        )}
      </ol>
    </Scroll>
  );
}

type StepRowProps = Readonly<{ each: ExplorerStep; index: number; told: ExplorerTrace }>;

function StepRow({ each, index, told: { loop } }: StepRowProps) {
  const { at, to, happened, beside, changes, seen } = each;
  const isNow = step.value === index + 1;
  return (
    <li
      class="step"
      aria-current={isNow ? 'step' : undefined}
      data-past={step.value > index || undefined}
      data-loop={(loop !== null && index >= loop) || undefined}
      data-differs={beside !== null || seen?.isSame === false || undefined}
    >
      <Button
        class="number"
        label={`Step ${index + 1}`}
        text={index + 1}
        act={() => jump(index + 1)}
      />
      <div class="what">
        {loop === index ? <p class="loop">↺ the loop starts here</p> : null}
        <p class="happened">
          <Words text={happened} />
        </p>
        {beside === null ? null : (
          <p class="happened beside">
            <span class="in-other">in the other</span> <Words text={beside} />
          </p>
        )}
        {at === to ? null : (
          <p class="place">
            <span aria-hidden="true">→ </span>
            {placeWords(to)}
          </p>
        )}
        {changes.length === 0 ? null : <Changes changes={changes} />}
        {seen === null || !isNow ? null : <SeenBy seen={seen} />}
      </div>
    </li>
  );
}

function Changes({ changes }: { readonly changes: readonly ExplorerChange[] }) {
  return (
    <ul class="changes" aria-label="Changed fields">
      {changes.map(({ path, was, is }) => (
        <li key={path}>
          <code>{path}</code>
          {is === '' ? null : (
            <>
              <del>{was}</del>
              <span aria-hidden="true"> → </span>
              <ins>{is}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function SeenBy({ seen: { isSame, one, other } }: { readonly seen: ExplorerSeen }) {
  if (isSame)
    return (
      <details class="seen">
        <summary>
          {one.length === 0
            ? 'The observer sees nothing here.'
            : `The observer sees the same in both (${one.length}).`}
        </summary>
        <ol>
          {one.map((text, index) => (
            <li key={`${index}`}>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      </details>
    );
  const rows = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index);
  return (
    <table class="seen">
      <caption>The observer sees a difference.</caption>
      <ColumnTitles names={['in the one', 'in the other']} />
      <tbody>
        {rows.map((index) => (
          <tr key={index} data-differs={one[index] !== other[index] || undefined}>
            <td>
              <code>{one[index] ?? 'nothing'}</code>
            </td>
            <td>
              <code>{other[index] ?? 'nothing'}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Transport() {
  const told = trace.value;
  if (told === null || last.value === 0) return null;
  const at = step.value;
  return (
    <footer class="timeline">
      <div class="transport">
        <Button label="The beginning (Home)" text="⇤" isOff={at === 0} act={() => jump(0)} />
        <Button label="A step back (←)" text="‹" isOff={at === 0} act={() => walk(-1)} />
        <Button label="A step on (→)" text="›" isOff={at === last.value} act={() => walk(1)} />
        <Button
          label="The end (End)"
          text="⇥"
          isOff={at === last.value}
          act={() => jump(last.value)}
        />
      </div>
      <Track />
      <p class="where">
        <b>{property.value?.name}</b>
        <span>
          step {at} of {last.value}
        </span>
      </p>
    </footer>
  );
}

function Track() {
  const steps = trace.value?.steps ?? [];
  const loop = trace.value?.loop ?? null;
  const share = (index: number) => `${(100 * index) / Math.max(1, steps.length)}%`;
  return (
    <div class="track">
      <div class="signs" aria-hidden="true">
        {loop === null ? null : <span style={`left: ${share(loop)}`}>↺</span>}
      </div>
      <div class="strip" aria-hidden="true">
        {steps.map(({ to }, index) => (
          <span
            key={`${index}`}
            data-kind={to.split('.')[0]}
            style={`left: ${share(index)}; width: ${share(1)}`}
          />
        ))}
        <span class="played" style={`left: 0; width: ${share(step.value)}`} />
      </div>
      <input
        type="range"
        min={0}
        max={steps.length}
        value={step.value}
        aria-label="Step of the run"
        aria-valuetext={`step ${step.value} of ${steps.length}`}
        onInput={({ currentTarget }) => walk(Number(currentTarget.value) - step.value)}
      />
    </div>
  );
}

export function NextEvents() {
  const rest = trace.value?.rests[step.value];
  if (rest === undefined) return null;
  const isOpen = ({ taken }: ExplorerOffer) => taken.length > 0;
  const many = rest.offers.filter(isOpen).reduce((sum, offer) => sum + offer.count, 0);
  return (
    <Panel
      id="offers"
      title="What can happen next"
      aside={`${count(many)} ${many === 1 ? 'way' : 'ways'}`}
    >
      <Offers
        label="Events that can happen next"
        open={rest.offers.filter(isOpen).map(readOffer)}
        refused={{
          'Refused here': rest.offers.filter((offer) => !isOpen(offer)).map(readOffer),
        }}
        empty="Nothing: the meeting stays here."
      >
        {rest.untried === 0 ? null : (
          <p class="quiet">{count(rest.untried)} more events were not tried for this page.</p>
        )}
      </Offers>
    </Panel>
  );
}

function readOffer(offer: ExplorerOffer): NextOffer {
  const { type, samples, count: many, to, isNext, refused, taken } = offer;
  const edgesOf = (numbers: readonly number[]) => numbers.flatMap((at) => edges.value[at] ?? []);
  const drawnOf = ({ id }: ExplorerEdge) => drawn.edges.find((edge) => edge.id === id);
  const guards = edgesOf(refused ?? []).flatMap(
    (edge) => drawnOf(edge)?.condition ?? edge.guard ?? [],
  );
  const known = drawn.edges.find(({ id }) => id.split('|')[1] === type);
  const isSilent = taken.length === 0 && guards.length === 0;
  const silence =
    refused === null ? 'Refused. Its guards are not visible.' : 'No transition takes it here.';
  return {
    id: type,
    event: known?.event ?? type,
    to: taken.length === 0 ? '' : placeWords(to),
    edges: edgesOf(taken).map(({ id }) => id),
    title: edgesOf(taken).map(edgeWords).join('\n'),
    guards: [...new Set(guards)].map((text) => ({ text, value: false, detail: '' })),
    ...(isSilent && { note: silence }),
    ...(many > 1 && { many: `× ${count(many)}` }),
    isNext,
    samples: (
      <>
        {samples.map((text, index) => (
          <span key={text}>
            {index === 0 ? '' : ' · '}
            <Words text={text} />
          </span>
        ))}
        {many > samples.length && samples.length > 1 ? ' …' : ''}
      </>
    ),
  };
}

function edgeWords({ source, event, targets, guard }: ExplorerEdge): string {
  const to = targets.length === 0 ? 'stays' : targets.join(' & ');
  return `${source} ─${event}→ ${to}${guard === null ? '' : ` [${guard}]`}`;
}
