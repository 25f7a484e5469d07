/** The transport: a step on or back, and the whole run as a strip of the phases that it goes through. */
import { jump, last, property, step, tale, walk } from '../state/visit.ts';

export function Transport() {
  const told = tale.value;
  if (told === null || last.value === 0) return null;
  const at = step.value;
  return (
    <footer class="timeline">
      <div class="transport">
        <Key name="The beginning (Home)" sign="⇤" isOff={at === 0} act={() => jump(0)} />
        <Key name="A step back (←)" sign="‹" isOff={at === 0} act={() => walk(-1)} />
        <Key name="A step on (→)" sign="›" isOff={at === last.value} act={() => walk(1)} />
        <Key name="The end (End)" sign="⇥" isOff={at === last.value} act={() => jump(last.value)} />
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

type KeyProps = {
  readonly name: string;
  readonly sign: string;
  readonly isOff: boolean;
  readonly act: () => void;
};

function Key({ name, sign, isOff, act }: KeyProps) {
  return (
    <button type="button" title={name} aria-label={name} disabled={isOff} onClick={act}>
      {sign}
    </button>
  );
}

function Track() {
  const steps = tale.value?.steps ?? [];
  const loop = tale.value?.loop ?? null;
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
