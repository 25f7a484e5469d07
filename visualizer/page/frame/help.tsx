/** The help sheet: every key of a page, and what the page is in a few words. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { areLettersOn, keepLetters } from './look.ts';

export const isHelpOpen = signal(false);

/** Keys that do the same, and what. */
export type KeyHelp = { readonly keys: readonly string[]; readonly does: string };

type HelpSheetProps = {
  readonly keys: readonly KeyHelp[];
  /** What the page is. */
  readonly children: ComponentChildren;
};

export function HelpSheet({ keys, children }: HelpSheetProps) {
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
      <KeyList keys={keys} />
      <label class="switch">
        <input
          type="checkbox"
          checked={areLettersOn.value}
          onChange={({ currentTarget }) => keepLetters(currentTarget.checked)}
        />
        Single keys do something
      </label>
      <h2>What this is</h2>
      <p>{children}</p>
      <form method="dialog">
        <button type="submit" class="close">
          Close
        </button>
      </form>
    </dialog>
  );
}

function KeyList({ keys: all }: { readonly keys: readonly KeyHelp[] }) {
  return (
    <dl>
      {all.map(({ keys, does }) => (
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
  );
}
