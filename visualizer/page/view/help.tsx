/** The help sheet: every key, and what the page is in a few words. */
import { useEffect, useRef } from 'preact/hooks';
import { KEYS } from '../state/keys.ts';
import { areLettersOn, keepLetters } from '../state/look.ts';
import { isHelpOpen } from '../state/sheets.ts';

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
        Players hold meetings inside a glass box. In every tick each of them bids for the floor; the
        highest priority speaks. You see the thought beside the speech, every bid term by term,
        every vote as it is turned, and the ghosts whom nobody hears. <b>Table</b> hides every
        secret, <b>Glass</b> hides nothing, and a player’s lens shows what that player sees.
      </p>
      <form method="dialog">
        <button type="submit" class="close">
          Close
        </button>
      </form>
    </dialog>
  );
}
