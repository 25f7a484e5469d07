/** Notices: what was done that can't be seen otherwise, for those who listen. */
import { signal } from '@preact/signals';

/** '' while there is nothing to say. */
export const notice = signal('');

/** Copies the link to a place in this page; says so, or what to do where a page may not copy. */
export function copyLinkTo(hash: string, what: string): void {
  const done = () => {
    notice.value = `The link to ${what} is copied.`;
  };
  const failed = () => {
    notice.value = `Copy the address of the page: ${hash}`;
  };
  if (navigator.clipboard === undefined) failed();
  else navigator.clipboard.writeText(`${location.href.split('#')[0]}${hash}`).then(done, failed);
}
