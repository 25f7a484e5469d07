/** Reasons in words: clauses that can follow "because" and "Red is suspicious:". "They" is the suspect. */
import type { Reason } from '../reasons.ts';

export const CLAUSES: Readonly<Record<Reason['type'], readonly string[]>> = {
  witnessed: [
    'I saw them {deed} in {place}',
    'I watched them {deed} in {place}, and that is proof enough',
  ],
  near: [
    'I saw them in {place} {when}',
    'they had no business in {place}, and I saw them there {when}',
  ],
  clash: [
    'they told us {said}, but I saw them in {place} {when}',
    'they claim {said} and I saw them in {place} {when}',
  ],
  absent: [
    'they claim {place}, and I was there without them',
    'I was in {place} and saw nothing of them',
  ],
  falsehood: [
    'they told a story about {friend} that I know is wrong',
    'what they said about {friend} cannot be true',
  ],
  told: [
    '{by} saw it happen',
    '{by} sounded sure, and the defence was weak',
    'there is a witness, {by}, and I find that enough',
  ],
  placed: [
    '{by} puts them near {place}',
    '{by} met them around {place}, and that is too close for me',
  ],
  contradicted: [
    '{by} saw them in {place}, and they told us {said}',
    'their {said} does not fit what {by} saw',
  ],
  named: [
    '{by} has a point about them',
    'too many fingers point that way',
    'they never really dealt with what {by} said',
  ],
  mute: [
    'they still have not told us a room',
    'they said not a word about their route',
    'we never got a room out of them',
  ],
  hunch: [
    'my gut says so',
    'something in their tone is off',
    'my instinct says so, I admit',
    'they seem too comfortable',
  ],
};
