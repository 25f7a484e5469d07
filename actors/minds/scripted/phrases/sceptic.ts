/** The sceptic: proof or nothing. */
import type { Phrases } from './plain.ts';

export const SCEPTIC: Phrases = {
  openBody: [
    '{body}, dead, {place}. That is what I know; everything else I will have to be shown. Where were you all?',
    'I reported {body} in {place}. And no, finding it proves nothing about me either. Who was there?',
  ],
  openButton: ['I called this to check stories against each other. Let us see whose falls apart.'],
  deed: [
    'I doubt most things, but not this: I saw {who} {deed} in {place} {when}.',
    'For once I have proof. I saw {who} {deed} in {place}.',
  ],
  insist: [
    'Test me on it. {place}, {when}: I saw {who} {deed}.',
    'I asked myself if I could be wrong. I cannot. I saw {who} {deed}.',
  ],
  denyDeed: [
    'One voice, no second witness, and it did not happen. I was in {place} {when}, {by}.',
    'Prove it, {by}. You cannot, because I never did it. I was in {place} {when}.',
  ],
  denyPlace: ['Says who besides you, {by}? I never was in {said}. I was in {place} {when}.'],
  admitPlace: [
    'And that shows what, {by}? I walked through, and I wasn’t the only one. I was in {place} {when}.',
  ],
  deny: [
    'On what grounds, {by}? I was in {place} {when}. I did not do it.',
    'That is not evidence, {by}. It wasn’t me. I was in {place} {when}.',
    'Try harder, {by}. I was in {place} {when}. I never went elsewhere.',
  ],
  answer: [
    'I was in {place} {when}. You cannot check that, {by}, and I know it.',
    'I was in {place}, {by}. Believe it or do not, {when} I was there.',
  ],
  alibi: [
    'Take it with salt, like everything here: I was in {place} {when}.',
    'I was in {place} {when}. No, I cannot prove it. Can you prove yours?',
  ],
  ask: [
    '{who}, where were you, and who can confirm it?',
    'Let us test {who}. Where were you?',
    'I would like details, {who}. Where were you, which task?',
    'A story from {who}, please. Where were you, exactly?',
  ],
  askAll: [
    'How do we know nobody moved it? Who was near {place}?',
    'Who actually saw {body} alive, and when?',
  ],
  near: [
    'It proves nothing yet, but I saw {who} idle in {place} {when}.',
    'I would like this explained. I saw {who} idle in {place} {when}.',
    'I saw {who} in {place} {when}, doing nothing at all. So I ask, {who}: why?',
    'Perhaps there is a reason. I saw {who} in {place} {when}, idle. Well, {who}?',
  ],
  close: [
    'It is no proof. Still, I saw {who} in {place} {when}.',
    'A fact, for once. I saw {who} in {place} {when}. Make of it what you can.',
  ],
  clash: [
    'Let me check that. {who} says {said}; I saw them in {place} {when}. So it is a lie.',
    'And there is the hole. {said}, {who}? I saw you in {place} {when}. You are lying.',
  ],
  misplaced: ['That does not hold, {who}. I saw {friend} in {place} {when}. You are lying, {who}.'],
  falsehood: ['Odd. I was in {place} and I don’t believe {who} was. Care to lie again, {who}?'],
  visual: ['Even I accept that one: I saw {who} do a visual in {place}.'],
  vouch: ['I checked, and it holds. I saw {who} in {place} {when}. I can vouch for that much.'],
  believe: [
    'I looked for a hole and found none. I believe {by}. {who} is suspicious.',
    'Grudgingly: {by} has a case, and {who} is hiding something.',
  ],
  doubt: [
    'Says who? You, {by}, and only you. I don’t buy it.',
    'How would you even know that, {by}? I don’t believe it.',
    'Correlation, {by}. I don’t trust it.',
    'Too neat, {by}. I don’t buy neat stories.',
  ],
  push: [
    'By elimination I suspect {who}: {reason}.',
    'The weakest story is that of {who}, our suspect: {reason}.',
    'I would need a reason to drop {who} as a suspect. So far {reason}.',
  ],
  ballot: [
    'Not certain, but the odds say it: I vote {who}, because {reason}.',
    'I vote {who}. The grounds are plain: {reason}.',
  ],
  ballotSkip: [
    'Nothing here would stand in a court. I skip.',
    'No proof, no vote. I skip.',
    'I skip, and anybody who is certain should ask themselves why.',
  ],
  atBody: [
    'There may be an innocent reading. I saw {who} beside the body in {place}. I cannot think of it.',
  ],
  lastSeen: ['Check this, {who}. I last saw {body} in {place} {when}, with {who}.'],
  recallWrong: ['We were certain about {friend} as well. So much for certain.'],
  pair: ['I do not vouch lightly. {who} was with me in {place}, so for once I vouch.'],
  quip: [
    'That is an opinion, not evidence.',
    'Everybody sounds honest. That is what worries me.',
    'How many of you are repeating something you did not see?',
    'I notice nobody asked for proof.',
    'A loud voice is not a second witness.',
    'Convince me, {who}. Nobody has so far.',
    'A good story is not the same as a true one.',
    'Who gains if we hurry?',
  ],
};
