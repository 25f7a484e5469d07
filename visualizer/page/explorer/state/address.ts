/** The address: "#run=house-3&p=ends&s=2&v=space" says where one is, so that it can be sent to somebody. */
import { effect } from '@preact/signals';
import { goTo, notice, type Place, promised, run, step, VIEWS, view, wasJump } from './visit.ts';

export function placeIn(hash: string): Place {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const s = Number(fields.get('s') ?? '0');
  return {
    run: fields.get('run'),
    p: fields.get('p'),
    s: Number.isSafeInteger(s) ? s : 0,
    v: VIEWS.find((each) => each === fields.get('v')) ?? null,
  };
}

function addressNow(): string {
  const fields = new URLSearchParams({
    run: run.value?.key ?? '',
    p: promised.value?.name ?? '',
    s: `${step.value}`,
    v: view.value,
  });
  return `#${fields}`;
}

/** Browsers slow down pages that write their address more often than this. */
const WRITE_MS = 200;

/** Keeps the address in step; a jump can be undone with Back, steps are not worth it. */
export function keepAddress(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const address = addressNow();
    const isJump = wasJump.peek();
    if (location.hash === address) return;
    clearTimeout(timer);
    if (isJump) {
      wasJump.value = false;
      history.pushState(null, '', address);
    } else timer = setTimeout(() => history.replaceState(null, '', address), WRITE_MS);
  });
  addEventListener('popstate', () => goTo(placeIn(location.hash)));
}

export function copyLink(): void {
  const address = addressNow();
  const failed = () => {
    notice.value = `Copy the address of the page: ${address}`;
  };
  const done = () => {
    notice.value = 'The link to this step is copied.';
  };
  if (navigator.clipboard === undefined) failed();
  else navigator.clipboard.writeText(`${location.href.split('#')[0]}${address}`).then(done, failed);
}
