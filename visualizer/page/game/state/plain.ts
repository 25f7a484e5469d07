/** Whether the whole transcript is shown in place of the glass box. */
import { signal } from '@preact/signals';

export const isPlain = signal(false);
