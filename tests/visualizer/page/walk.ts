/** Walks through a game on the page, and measures at each step what a viewer must always be able to read. */
import type { Page } from 'playwright-core';

export type StepSight = {
  readonly moment: string;
  readonly isMeeting: boolean;
  /** The names of the innermost active states, with their height in pixels and what covers them. */
  readonly names: readonly {
    readonly state: string;
    readonly px: number;
    readonly cover: string;
  }[];
  /** What of the phase strip is cut or covered. */
  readonly cut: readonly string[];
  readonly phases: string;
  readonly here: number;
  /** The transitions that can happen next, and those that are refused. */
  readonly open: readonly string[];
  readonly refused: readonly string[];
};

/** Shows the chart where a narrow window hides it, and calls back at every n-th step, from the first to the last. */
export async function walk(
  page: Page,
  every: number,
  visit: (sight: StepSight) => Promise<void> | void,
): Promise<number> {
  const tab = page.locator('.tabs button:text-is("chart")');
  if (await tab.isVisible()) await tab.click();
  await page.evaluate(stepOn, 0);
  for (let steps = 0; ; steps += every) {
    const sight = await page.evaluate(look);
    await visit(sight);
    if (!(await page.evaluate(stepOn, every))) return steps;
  }
}

/** Runs in the page. Returns false at the end of the journal. */
async function stepOn(count: number): Promise<boolean> {
  const shown = () => document.querySelector('[data-moment]')?.getAttribute('data-moment');
  const first = shown();
  // As a held key does it: what explains the moment is drawn for the last step only.
  for (let step = 1; step <= count; step++) {
    dispatchEvent(new KeyboardEvent('keydown', { key: 'l', repeat: step < count }));
    await Promise.resolve();
  }
  // A panel that changes its size is measured in the next frame, and drawn in the one after it.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  return shown() !== first;
}

/** Runs in the page. */
function look(): StepSight {
  const name = (found: Element | null) =>
    found === null ? 'nothing' : `${found.nodeName} ${found.getAttribute('class') ?? ''}`;
  const meets = (one: DOMRect, other: DOMRect) =>
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom;
  const hit = ({ left, top, width, height }: DOMRect) =>
    document.elementFromPoint(left + width / 2, top + height / 2);
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const over = all('#chart .edge-label rect, #chart .visits').map((each) =>
    each.getBoundingClientRect(),
  );
  const frame = document.querySelector('#chart .picture')?.getBoundingClientRect();
  const names = all('#chart .state[data-leaf]').map((state) => {
    const text = state.querySelector('text');
    if (text === null || frame === undefined) throw new Error('a state without a name');
    const { a = 0 } = text.getScreenCTM() ?? {};
    const box = text.getBoundingClientRect();
    const found = hit(box);
    const isInside =
      box.top >= Math.max(0, frame.top) &&
      box.bottom <= Math.min(innerHeight, frame.bottom) &&
      box.left >= Math.max(0, frame.left) &&
      box.right <= Math.min(innerWidth, frame.right);
    let cover = '';
    if (!isInside) cover = 'the edge';
    else if (found?.closest('.state') !== state) cover = name(found);
    else if (over.some((other) => meets(other, box))) cover = 'a label';
    const px = Number.parseFloat(getComputedStyle(text).fontSize) * a;
    return { state: state.getAttribute('data-node') ?? '', px, cover };
  });
  const cut = all('.phases, .phases li, .phases p').flatMap((part) => {
    const box = part.getBoundingClientRect();
    const isWhole =
      box.left >= 0 &&
      box.top >= 0 &&
      box.right <= innerWidth &&
      box.bottom <= innerHeight &&
      part.scrollWidth <= part.clientWidth &&
      part.scrollHeight <= part.clientHeight;
    const isSeen = hit(box)?.closest('.phases') != null;
    return isWhole && isSeen ? [] : [`${name(part)} ${part.textContent}`];
  });
  const edges = (label: string) =>
    all(`#next .offers[aria-label="${label}"] [data-edge]`)
      .map((row) => row.getAttribute('data-edge') ?? '')
      .toSorted();
  return {
    moment: document.querySelector('[data-moment]')?.getAttribute('data-moment') ?? '',
    isMeeting: document.querySelector('[data-meeting]') !== null,
    names,
    cut,
    phases: all('.phases li')
      .map((each) => each.firstChild?.textContent)
      .join(' '),
    here: all('.phases [aria-current="step"]').length,
    open: edges('Open'),
    refused: edges('Refused here'),
  };
}
