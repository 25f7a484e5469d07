/** The mind of a player whom nobody plays any more, as in a game that is gone on with: they have got up and left. */
import { LEFT } from '../../../machines/rules/meeting.ts';
import type { LightMind } from '../port.ts';

export const goneMind: LightMind = {
  pace: 'at-once',
  answer: () => ({ ok: false, code: LEFT, text: 'is not here any more' }),
};
