/** The strip over a meeting that breaks a rule, with its steps to the violation. */
import { Button } from '../../page/frame/panel.tsx';
import { moment, step, story } from '../../page/game/state/session.ts';
import { counterexample, goToBrokenStep, showView } from './state.ts';

function findBrokenStep(ends: readonly number[]): number {
  const { moments } = story.value;
  const seq = moments[Math.min(step.value, moments.length - 1)]?.line.seq ?? 0;
  return ends.findLastIndex((end) => end <= seq);
}

export function Broken() {
  const { mistake, noticed } = counterexample.value ?? { mistake: '', noticed: null };
  if (noticed === null) return null;
  const { steps, sentence } = noticed;
  // Reads the moment, so that it is drawn anew with it.
  const index = moment.value === undefined ? -1 : findBrokenStep(steps.map(({ end }) => end));
  const now = steps[index];
  return (
    <div class="sitestrip broken" role="status">
      <p>
        <b>“{mistake}”</b> breaks: {sentence}
        <br />
        <span class="step">
          {now === undefined
            ? `The meeting begins; ${steps.length} steps to the violation.`
            : `Step ${index + 1} of ${steps.length}: ${now.happened}.`}
        </span>
      </p>
      <Button
        label="The step before"
        text="◂"
        isOff={index < 0}
        act={() => goToBrokenStep(steps, index - 1)}
      />
      <Button
        label="The next step"
        text="▸"
        isOff={index >= steps.length - 1}
        act={() => goToBrokenStep(steps, index + 1)}
      />
      <Button text="Back to the rules" act={() => showView('prove')} />
    </div>
  );
}
