/** The run behind a verdict, step by step: what happened, where that led, and the fields that it changed. */
import { useEffect, useRef } from 'preact/hooks';
import type {
  ExplorerProperty,
  ExplorerStep,
  ExplorerTrace,
} from '../../../../proofs/explorer/report.ts';
import { Panel } from '../../frame/panel.tsx';
import { jump, property, step } from '../state/visit.ts';
import { Changes } from './changes.tsx';
import { SeenBy } from './seen.tsx';
import { count, Mark, moodOf, placeWords, Words } from './words.tsx';

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
      {one.tale === null || one.tale.steps.length === 0 ? null : <Steps told={one.tale} />}
    </Panel>
  );
}

function titleOf({ tale }: ExplorerProperty): string {
  if (tale === null) return 'The verdict';
  return tale.isExample ? 'A run that shows it' : 'A run that breaks it';
}

function remarks({ why, applied, kind, verdict, tale }: ExplorerProperty): readonly string[] {
  const isCounted = applied !== null && kind !== 'sometimes' && verdict === 'proved';
  return [
    ...(why === '' ? [] : [why]),
    ...(isCounted ? [`It spoke ${count(applied)} times, and was kept each time.`] : []),
    ...(tale === null && verdict === 'proved' && !isCounted
      ? ['Every state that can be was looked at; there is no run to show.']
      : []),
    ...(tale === null || tale.note === '' ? [] : [tale.note]),
    ...(tale === null || tale.excludedBy.length === 0
      ? []
      : [`It could not be if this were so: ${tale.excludedBy.join('; or ')}.`]),
  ];
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <section class="scroll" ref={list} tabIndex={0} aria-label="Steps of the run">
      <ol class="steps">
        <li class="step" aria-current={step.value === 0 ? 'step' : undefined} data-past>
          <button
            type="button"
            class="number"
            onClick={() => jump(0)}
            aria-label="Step 0, the beginning"
          >
            0
          </button>
          <div class="what">
            <p class="happened">It begins.</p>
            <p class="place">{placeWords(told.rests[0]?.at ?? told.steps[0]?.at ?? '')}</p>
          </div>
        </li>
        {told.steps.map((each, index) => (
          <Row key={`${index}`} each={each} index={index} told={told} />
        ))}
        {told.loop === null ? null : (
          <li class="step round">
            <span class="number" aria-hidden="true">
              ↺
            </span>
            <p class="what">And so on for ever, from step {told.loop + 1} again.</p>
          </li>
        )}
      </ol>
    </section>
  );
}

type StepRowProps = {
  readonly each: ExplorerStep;
  readonly index: number;
  readonly told: ExplorerTrace;
};

function Row({ each, index, told: { loop } }: StepRowProps) {
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
      <button
        type="button"
        class="number"
        onClick={() => jump(index + 1)}
        aria-label={`Step ${index + 1}`}
      >
        {index + 1}
      </button>
      <div class="what">
        {loop === index ? <p class="loop">↺ from here it goes round</p> : null}
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
