/** Key commands and the help sheet. Keys are ignored while someone types. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { set } from './fieldEvents.ts';
import type { IconName } from './head.tsx';
import { Button, Dialog } from './panel.tsx';
import { allowSingleKeys, areSingleKeysOn } from './preferences.ts';

export const FAR_STEPS = 10;

const TEXT_FIELDS = 'input:not([type=range]), textarea, select, [contenteditable]';
/** Elements that use these keys themselves. */
const OWN_KEYS: Readonly<Record<string, string>> = {
  ' ': 'button, summary, input, a',
  ArrowLeft: 'input',
  ArrowRight: 'input',
  Home: 'input',
  End: 'input',
};
const SCROLLING: readonly string[] = ['Home', 'End'];

export function bindCommands(commands: readonly KeyCommand[]): void {
  addEventListener('keydown', (event) => {
    const acts = commands.flatMap(({ actions }) => actions[event.key] ?? []);
    if (acts.length === 0 || !isOurs(event)) return;
    event.preventDefault();
    for (const act of acts) act(event);
  });
}

function isOurs(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (ctrlKey || metaKey || altKey || event.defaultPrevented) return false;
  if (document.querySelector('dialog[open]') !== null && key !== '?') return false;
  if (key.length === 1 && key !== ' ' && !areSingleKeysOn.value) return false;
  if (!(target instanceof Element)) return true;
  if (target.closest(TEXT_FIELDS) !== null) return false;
  // A list that has the focus itself is scrolled.
  if (SCROLLING.includes(key) && target.matches('.scroll')) return false;
  const own = OWN_KEYS[key];
  // The range steps by one itself; ten steps are ours everywhere.
  return own === undefined || shiftKey || target.closest(own) === null;
}

export const isHelpOpen = signal(false);

export function HelpTool() {
  return <Button label="Help" title="Help (?)" text="?" act={set(isHelpOpen, true)} />;
}

/** A line of the help sheet with what its keys do, by the names that events have for them. */
export type KeyCommand = {
  readonly keys: readonly string[];
  readonly does: string;
  readonly actions: Readonly<Record<string, (event: KeyboardEvent) => void>>;
  readonly tool?: { readonly icon: IconName; readonly label: string; readonly act: () => void };
};

type HelpSheetProps = Readonly<{ keys: readonly KeyCommand[]; children: ComponentChildren }>;

export function HelpSheet({ keys: all, children }: HelpSheetProps) {
  return (
    <Dialog name="help" isOpen={isHelpOpen}>
      <h2 id="help-title">Keys</h2>
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
      <label class="switch">
        <input
          type="checkbox"
          checked={areSingleKeysOn.value}
          onChange={({ currentTarget }) => allowSingleKeys(currentTarget.checked)}
        />
        Use single keys
      </label>
      <h2>What this is</h2>
      <p>{children}</p>
      <form method="dialog">
        <button type="submit" class="close">
          Close
        </button>
      </form>
    </Dialog>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves the focus among the buttons of a list; for its `onKeyDown`. */
export function moveFocusInList(event: KeyboardEvent): void {
  const { key, currentTarget: list } = event;
  const step = STEPS[key];
  if (step === undefined || !(list instanceof Element)) return;
  const buttons: readonly (Element | null)[] = [...list.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement);
  const next = buttons[at + step];
  if (at < 0 || !(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
