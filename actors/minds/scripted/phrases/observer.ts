/** The observer: quiet, exact, dry. */
import type { Phrases } from './plain.ts';

export const OBSERVER: Phrases = {
  openBody: [
    '{body}, in {place}. The room was quiet when I came in. Where was everyone?',
    'I found {body} in {place}. I touched nothing and saw nobody leave.',
  ],
  openButton: ['I rarely press this. Some details do not fit, and I would like to hear yours.'],
  deed: [
    'I will be exact. {when} I saw {who} {deed} in {place}.',
    'I was in the doorway of {place}. I saw {who} {deed}. That is all.',
  ],
  insist: [
    'My account has not changed. I saw {who} {deed} in {place} {when}.',
    'I do not guess. I saw {who} {deed}.',
  ],
  denyDeed: [
    'That did not happen. I was in {place} {when}. I suggest everyone remembers who said this: {by}.',
    'No. I was in {place} {when}, and I never met {by} on the way.',
  ],
  denyPlace: ['A small correction, {by}. I wasn’t in {said} then. I was in {place} {when}.'],
  deny: [
    'I was in {place} {when}. It wasn’t me, and {by} has not said why it should be.',
    'I’m not what you think, {by}. I was in {place} {when}, watching, as I do.',
  ],
  answer: [
    'I was in {place}, {by}. To be precise, {when}.',
    'From {earlier} I went on; {when} I was in {place}.',
    'I was in {place} {when}. It was quiet.',
  ],
  alibi: [
    'I kept to myself. I was in {place} {when}.',
    'I was in {place} {when}, after a look into {earlier}.',
  ],
  ask: [
    'I have not heard {who} yet. Where were you?',
    '{who}, one detail is missing. Where were you?',
  ],
  near: [
    'I noticed {who} in {place} {when}. They were not working.',
    'A detail. I saw {who} in {place} {when}, close to the spot, hands empty.',
  ],
  close: ['One entry on my list. I saw {who} in {place} {when}.'],
  sighting: [
    'I noticed {who} in {place} {when}.',
    'Small detail: I saw {who} pass {place} {when}.',
    'I keep a list. I saw {who} in {place} {when}.',
  ],
  clash: [
    '{who} said {said}. I saw them in {place} {when}. One of these is a lie.',
    'I have to correct {who}. You said {said}; I saw you in {place} {when}. A lie, then.',
  ],
  misplaced: ['I saw {friend} in {place} {when}. One of us is lying, {who}.'],
  visual: ['I watched {who} finish a visual in {place} {when}. They can’t be it.'],
  vouch: [
    'That matches my list. I saw {who} in {place} {when}, I can vouch for it.',
    'Correct. I saw {who} in {place}. I trust that answer.',
  ],
  believe: [
    'It agrees with what I noticed. {who} is suspicious; I believe {by}.',
    'I compared the times. {by} is right, and {who} is hiding something.',
  ],
  doubt: [
    'The times do not match, {by}. I don’t believe it.',
    'Interesting choice of words. I don’t trust {by} here.',
  ],
  push: [
    'I have compared all of it, and I suspect {who}: {reason}.',
    'Quietly, then: {who} is the suspicious one, because {reason}.',
  ],
  ballot: [
    'The list leaves one name. I vote {who}: {reason}.',
    'I vote {who}, because {reason}. I take no joy in it.',
  ],
  ballotSkip: ['The evidence is not there. I skip.', 'I have a list, but not a name. I skip.'],
  atBody: ['One fact. I saw {who} next to the body in {place}.'],
  lastSeen: ['My last entry on {body}: I last saw {body} in {place} {when}, with {who}.'],
  passed: ['I passed {who} in {place} {when}. I noted the direction, too.'],
  recallWrong: ['Our list from last time had {friend} on it. The list was wrong.'],
  quip: [
    'I am still listening.',
    'People talk most when they know least.',
    'The order in which people answered is worth remembering.',
    'I count more opinions than sightings.',
    'Silence is not guilt. Usually.',
    'Two of you tell it in the same words. I noted it.',
    'A room was named that nobody asked about.',
  ],
};
