/** A list whose buttons are one stop of the Tab key: the arrow keys go from one to the next. */

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
