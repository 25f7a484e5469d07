/** The drawer of model calls: whether it is open, and at which line in which somebody was asked. */
import { computed, signal } from '@preact/signals';
import { ledgerOf } from '../calls/ledger.ts';
import { length, linesSeen, moment, story } from './session.ts';
import { jump } from './travel.ts';

export const areCallsOpen = signal(false);

/** Made when somebody looks, since it goes through the whole journal. */
export const ledger = computed(() => {
  length.value;
  return ledgerOf(areCallsOpen.value ? linesSeen() : []);
});

/** The last asking up to what is shown; -1 before the first. Lines are compared as they came, in both channels. */
export const asking = computed(() => {
  const line = moment.value?.line;
  if (line === undefined || !areCallsOpen.value) return -1;
  const here = linesSeen().indexOf(line);
  return ledger.value.askings.findLastIndex(({ at }) => at <= here);
});

/** To the asking before or after, where a moment shows it. */
export function hopAsking(direction: 1 | -1): void {
  const { askings } = ledger.value;
  for (let at = asking.value + direction; at >= 0 && at < askings.length; at += direction) {
    const target = askings[at]?.line;
    const step = story.value.moments.findIndex(({ line }) => line === target);
    if (step >= 0) {
      jump(step);
      return;
    }
  }
}
