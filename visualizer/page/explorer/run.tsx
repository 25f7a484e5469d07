import { writeVitest } from 'glass-box-checker/formats';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount as count, pluralize } from '../../../machines/text.ts';
import type {
  ExplorerEdge,
  ExplorerProperty,
  ExplorerSeen,
  ExplorerState,
  ExplorerStep,
  ExplorerTrace,
} from '../../../proofs/report/explorerReport.ts';
import { formatTimes } from '../../text.ts';
import { type NextOffer, Offers } from '../frame/offers.tsx';
import { Button, ColumnTitles, Panel, Scroll } from '../frame/panel.tsx';
import { nameEvent } from './outline.ts';
import {
  choose,
  drawn,
  edges,
  here,
  jump,
  last,
  property,
  report,
  run,
  step,
  take,
  trace,
  walk,
  walked,
} from './visit.ts';
import { Mark, moodOf, placeWords, Words } from './words.tsx';

export function Witness() {
  const one = property.value;
  if (walked.value !== null) return <OwnWalk told={walked.value} name={one?.name ?? ''} />;
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
      {one.trace === null ? null : <TestLink told={one.trace} />}
    </Panel>
  );
}

function OwnWalk({ told, name }: { readonly told: ExplorerTrace; readonly name: string }) {
  return (
    <Panel id="run" title="A walk of your own" aside={pluralize(told.steps.length, 'step')}>
      <p class="remark">
        <Button text="End the walk" act={() => choose(name)} />
      </p>
      <Steps told={told} />
      <TestLink told={told} />
    </Panel>
  );
}

function TestLink({ told: { steps, rests } }: { readonly told: ExplorerTrace }) {
  const { module } = report.value ?? {};
  const states = rests.flatMap((rest) => run.value?.states[rest] ?? []);
  if (module === undefined || states.length === 0) return null;
  const events = steps.map(({ offer, happened }, index) =>
    states[index]?.offers?.[offer]?.ways.find(({ text }) => text === happened),
  );
  const replayed = states.map(({ value, status }, index) => {
    return { value, status, event: null, source: events[index - 1]?.source };
  });
  const title = walked.value === null ? (property.value?.sentence ?? '') : 'a walk in the explorer';
  const text = writeVitest([{ title, steps: replayed }], module);
  return (
    <p class="remark">
      <a download="run.test.ts" href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>
        Save this run as a vitest test
      </a>
    </p>
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
    box.scrollTop = step.value === 0 ? 0 : here.offsetTop - box.clientHeight / 3;
  }, [step.value, told]);
  return (
    <Scroll label="Steps of the run" box={list}>
      <ol class="steps">
        <li class="step" aria-current={step.value === 0 ? 'step' : undefined} data-past>
          <Button class="number" label="Step 0, the beginning" text="0" act={() => jump(0)} />
          <div class="what">
            <p class="happened">The run begins.</p>
            <p class="place">{placeWords(told.steps[0]?.at ?? here.value?.at ?? '')}</p>
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
      data-differs={beside !== undefined || seen?.isSame === false || undefined}
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
        {beside === undefined ? null : (
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
        {seen === undefined || !isNow ? null : <SeenBy seen={seen} />}
      </div>
    </li>
  );
}

function Changes({ changes }: { readonly changes: ExplorerStep['changes'] }) {
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

const BUTTONS = [
  { label: 'The beginning (Home)', text: '⇤', end: () => 0, act: () => jump(0) },
  { label: 'A step back (←)', text: '‹', end: () => 0, act: () => walk(-1) },
  { label: 'A step on (→)', text: '›', end: () => last.value, act: () => walk(1) },
  { label: 'The end (End)', text: '⇥', end: () => last.value, act: () => jump(last.value) },
] as const;

export function Transport() {
  if (trace.value === null || last.value === 0) return null;
  const at = step.value;
  return (
    <footer class="timeline">
      <div class="transport">
        {BUTTONS.map(({ label, text, end, act }) => (
          <Button key={text} label={label} text={text} isOff={at === end()} act={act} />
        ))}
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

type ShownOffer = NonNullable<ExplorerState['offers']>[number];

export function NextEvents() {
  const state = here.value;
  if (state === null) return null;
  const { offers, untried, context } = state;
  const { figures = null, states = [] } = run.value ?? {};
  const shown = states.filter((one) => one.offers !== null).length;
  const read = (offers ?? []).map(readOffer);
  const refused = read.filter(({ pick }) => pick === undefined);
  const many = (offers ?? []).filter(isOpen).reduce((sum, offer) => sum + offer.count, 0);
  return (
    <Panel
      id="offers"
      title="What can happen next"
      aside={`${count(many)} ${many === 1 ? 'way' : 'ways'}`}
    >
      <Offers
        label="Events that can happen next"
        open={read.filter(({ pick }) => pick !== undefined)}
        refused={{ 'Refused here': refused }}
        empty={offers === null ? 'This page does not go on from here.' : 'Nothing: it stays here.'}
      >
        {untried === 0 ? null : (
          <p class="quiet">{count(untried)} more events were not tried for this page.</p>
        )}
        {figures === null || shown === states.length ? null : (
          <p class="quiet">
            This page is cut off: it shows what can happen next in only {count(shown)} of its
            states. For the others, check fewer events or players.
          </p>
        )}
        {context === '' ? null : (
          <details class="counted">
            <summary>Context</summary>
            <code class="context">{context}</code>
          </details>
        )}
      </Offers>
    </Panel>
  );
}

const isOpen = ({ taken, error }: ShownOffer) => taken.length > 0 || error !== '';

/** Ways with a button of their own. More would hide the other offers. */
const MOST_BUTTONS = 24;

function readOffer(offer: ShownOffer, index: number): NextOffer {
  const { type, ways, count: many, to, refused, taken, error } = offer;
  const edgesOf = (numbers: readonly number[]) => numbers.flatMap((at) => edges.value[at] ?? []);
  const drawnOf = ({ id }: ExplorerEdge) => drawn.value.edges.find((edge) => edge.id === id);
  const guards = edgesOf(refused).flatMap((edge) => drawnOf(edge)?.condition ?? edge.guard ?? []);
  const known = drawn.value.edges.find(({ id }) => id.split('|').at(-2) === type);
  const canTake = isOpen(offer);
  const note = error === '' ? 'No transition takes it here.' : `The machine throws: ${error}`;
  return {
    id: type,
    event: known?.event ?? nameEvent(type),
    to: taken.length === 0 ? '' : placeWords(to),
    edges: edgesOf(taken).map(({ id }) => id),
    title: edgesOf(taken).map(edgeWords).join('\n'),
    guards: [...new Set(guards)].map((text) => ({ text, value: false, detail: '' })),
    ...(error !== '' || (!canTake && guards.length === 0) ? { note } : {}),
    ...(many > 1 && { many: `× ${count(many)}` }),
    isNext: trace.value?.steps[step.value]?.offer === index,
    ...(canTake ? { pick: () => take(index, 0) } : {}),
    ...(ways.every(({ text }) => text === type) ? {} : { samples: listWays(offer, index) }),
  };
}

function listWays(offer: ShownOffer, index: number) {
  const { ways, count: many } = offer;
  return (
    <>
      {ways.slice(0, MOST_BUTTONS).map(({ text }, way) => (
        <span key={text}>
          {way === 0 ? '' : ' · '}
          {isOpen(offer) && ways.length > 1 ? (
            <button type="button" class="way" onClick={() => take(index, way)}>
              <Words text={text} />
            </button>
          ) : (
            <Words text={text} />
          )}
        </span>
      ))}
      {many > ways.length || ways.length > MOST_BUTTONS ? ' …' : ''}
    </>
  );
}

function edgeWords({ source, event, targets, guard }: ExplorerEdge): string {
  const to = targets.length === 0 ? 'stays' : targets.join(' & ');
  return `${source} ─${event}→ ${to}${guard === null ? '' : ` [${guard}]`}`;
}
