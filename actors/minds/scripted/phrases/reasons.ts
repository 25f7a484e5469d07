/** Reasons in words: clauses that can follow "because" and "Red is suspicious:". "They" is the suspect. */
import type { Reason } from '../reasons.ts';

export const CLAUSES: Readonly<Record<Reason['type'], readonly string[]>> = {
  witnessed: [
    'I saw them {deed} in {place}',
    'I watched them {deed} in {place}, and that is proof enough',
  ],
  atBody: ['I saw them beside the body', 'they stood over {body} when I came in, I saw it'],
  lastWith: [
    'I last saw {body} with them, in {place} {when}',
    'they were with {body} in {place} when I last saw either',
  ],
  followed: [
    'they followed me about and did not touch a task',
    'they were behind me the whole time, in {place} too, I saw it',
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
  company: [
    '{by} saw them with {body}, and nobody saw {body} after that',
    '{by} put them right beside {body}',
  ],
  shadowed: ['{by} had them in the back all the way', '{by} was followed, and felt it'],
  placed: [
    '{by} puts them near {place}',
    '{by} met them around {place}, and that is too close for me',
  ],
  contradicted: [
    '{by} saw them in {place}, and they told us {said}',
    'their story of {said} does not fit what {by} saw',
    'the walk from {said} to {place} is too long for what {by} saw',
  ],
  named: [
    '{by} has a point about them',
    'too many fingers point that way',
    'they never really dealt with what {by} said',
  ],
  earlier: [
    'they were on my list last time already',
    'I have not forgotten the last meeting',
    'I had an eye on them before today',
  ],
  misled: ['they talked us into {friend}', 'they were loud against {friend}, who was one of us'],
  defended: ['they stood up for {friend}', 'they had only kind words for {friend}'],
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
    'they answer a bit too smoothly',
    'I cannot say why, but I would not walk alone with them',
  ],
};
