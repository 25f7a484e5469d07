/** The help sheet: every key, and what one looks at in a few words. */
import { useEffect, useRef } from 'preact/hooks';
import { areLettersOn, keepLetters } from '../../state/look.ts';
import { KEYS } from '../state/keys.ts';
import { isHelpOpen } from '../state/visit.ts';

export function Help() {
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) sheet.current?.showModal();
    else sheet.current?.close();
  }, [isHelpOpen.value]);
  return (
    <dialog
      ref={sheet}
      class="help"
      aria-labelledby="help-title"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="switch">
        <input
          type="checkbox"
          checked={areLettersOn.value}
          onChange={({ currentTarget }) => keepLetters(currentTarget.checked)}
        />
        Single keys do something
      </label>
      <h2>What this is</h2>
      <p>
        The statechart that runs was taken through every way in which a meeting can go, and each
        promise was judged. A broken one has a shortest run that breaks it; what can be has the
        nearest run that shows it. Beside each step stands the meeting that it tells, the fields
        that it changed, and what the machine would have taken or refused there instead.
      </p>
      <form method="dialog">
        <button type="submit" class="close">
          Close
        </button>
      </form>
    </dialog>
  );
}
