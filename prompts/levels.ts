/**
 * Strategy: what a persona is told about how to play, in the words of the design.
 *
 * Two lists, toggled by one level (ruling 42). General knowledge goes to everybody; the advice for impostors at
 * meetings knows three levels, and `intermediate` is given the one below it.
 */

import type { Level } from '../machines/types.ts';

/** General knowledge, for crew and impostors alike. */
export const KNOWLEDGE: Readonly<Record<Level, string>> = {
  none: 'Just rules, figure it out',
  basic: 'Impostors vent, fake tasks, sabotage',
  intermediate: 'Watch for inconsistent alibis, pair up',
  advanced: 'Stack kills, marinate, third impostor framing',
};

const BASIC_ADVICE = "Blend in, fake tasks, don't vent in front of others";

/** Advice to impostors at meetings. */
export const ADVICE: Readonly<Record<Level, string>> = {
  none: 'Figure it out',
  basic: BASIC_ADVICE,
  intermediate: BASIC_ADVICE,
  advanced: 'Marinate teammate, frame third party, avoid double kills',
};

/** What every impostor is reminded of at meetings, at any level. */
export const REMINDERS = [
  'You are allowed to lie',
  'Construct alibis',
  'Deflect suspicion',
  "You know fellow impostors — don't expose them",
  'You know who you killed — avoid contradicting yourself',
] as const;
