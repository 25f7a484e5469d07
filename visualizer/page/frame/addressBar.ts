/** The address bar: says where one is, so that it can be sent to somebody, and brings one back there. */
import { effect, type Signal } from '@preact/signals';

export type Places = {
  /** Where one is, as "#t=42"; reads signals. */
  readonly now: () => string;
  readonly goTo: (hash: string) => void;
  /** Set by whatever jumps; a jump can be undone with Back, steps are not worth it. */
  readonly wasJump: Signal<boolean>;
};

/** Browsers slow down pages that write their address more often than this. */
const WRITE_MS = 300;

/** Keeps the address in step with the page, and the page with Back and with what somebody types. */
export function keepAddressOf({ now, goTo, wasJump }: Places): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const address = now();
    const isJump = wasJump.peek();
    if (location.hash === address) return;
    clearTimeout(timer);
    if (isJump) {
      wasJump.value = false;
      history.pushState(null, '', address);
    } else timer = setTimeout(() => history.replaceState(null, '', address), WRITE_MS);
  });
  addEventListener('popstate', () => goTo(location.hash));
}
