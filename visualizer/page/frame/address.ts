/** Keeps the address bar up to date, and announces what screen readers should hear. */
import { effect, type Signal, signal } from '@preact/signals';
import { set } from './fieldEvents.ts';

type AddressBinding = {
  /** The current place, such as "#t=42". Reads signals. */
  readonly now: () => string;
  readonly goTo: (hash: string) => void;
  /** Set by every jump. Back undoes a jump but not a step. */
  readonly wasJump: Signal<boolean>;
};

/** Browsers throttle pages that write their address more often. */
const WRITE_MS = 300;

export function syncAddressBar({ now, goTo, wasJump }: AddressBinding): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const address = now();
    const isJump = wasJump.peek();
    notice.value = '';
    clearTimeout(timer);
    if (location.hash === address) return;
    if (isJump) {
      wasJump.value = false;
      history.pushState(null, '', address);
    } else timer = setTimeout(() => history.replaceState(null, '', address), WRITE_MS);
  });
  addEventListener('popstate', () => goTo(location.hash));
}

export const notice = signal('');

export function copyLinkTo(hash: string, what: string): void {
  const done = set(notice, `The link to ${what} is copied.`);
  const failed = set(notice, `Copy the address of this page: ${hash}`);
  if (navigator.clipboard === undefined) failed();
  else navigator.clipboard.writeText(`${location.href.split('#')[0]}${hash}`).then(done, failed);
}
