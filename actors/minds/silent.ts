/** The silent mind: never answers anything. Every tick is a fault, until the player is disconnected. */
import type { LightMind } from './port.ts';

export const silentMind: LightMind = {
  pace: 'at-once',
  answer: () => ({ ok: false, code: 'mind/silent', text: 'this mind never answers' }),
};
