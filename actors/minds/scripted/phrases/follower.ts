/** The follower: polite, unsure, glad when somebody else decides. */
import type { Phrases } from './plain.ts';

export const FOLLOWER: Phrases = {
  openBody: [
    'Um, hi. {body} is dead, in {place}. I did not know what to do, so I reported. Who was near?',
    'Sorry, everybody. I found {body} in {place}. What do we do now?',
  ],
  openButton: ['Sorry for the button. I was scared and wanted us all in one place.'],
  deed: [
    'I, um, I saw {who} {deed} in {place}. I really did, {when}.',
    'Please believe me. I saw {who} {deed} in {place}.',
  ],
  insist: [
    'I am shaking, but I saw {who} {deed}. I am not making it up.',
    'Please, I saw {who} {deed} in {place}. I would not say it otherwise.',
  ],
  denyDeed: [
    'What? No! I never did that, {by}. I was in {place} {when}, I promise.',
    'Please don’t do this, {by}. I did not do it. I was in {place} {when}.',
  ],
  denyPlace: ['But I wasn’t in {said}, {by}, really. I was in {place} {when}.'],
  admitPlace: [
    'I wasn’t doing anything bad, {by}. I was in {place} {when}, I only walked through.',
  ],
  deny: [
    'It wasn’t me, honestly. I was in {place} {when}, {by}.',
    'Why me, {by}? I did not do anything. I was in {place} {when}.',
    'Oh no. It wasn’t me. I was in {place} {when}, {friend} was with me, please say so.',
  ],
  answer: [
    'Oh, me? I was in {place} {when}.',
    'I was in {place}, {by}, I think {when}.',
    'I was in {place} {when}. I followed the arrows, mostly.',
  ],
  alibi: [
    'I was in {place} {when}, if that helps.',
    'So, I was in {place} {when}. I hope somebody saw me.',
    'I was in {place} {when} and {friend} was with me, which was nice.',
  ],
  ask: ['{who}, sorry to ask, where were you?', 'Maybe {who} could say something? Where were you?'],
  near: [
    'It may be nothing, but I saw {who} waiting in {place} {when}.',
    'Um, I saw {who} in {place} {when}. It looked a bit odd. I felt watched.',
  ],
  close: ['I do not want to be mean, but I saw {who} in {place} {when}.'],
  sighting: [
    'I saw {who} in {place} {when}, I think that is fine.',
    'I passed {who} in {place} {when}. They waved.',
  ],
  clash: [
    'I may be wrong, but {who} said {said} and I saw them in {place} {when}. It felt like a lie, {who}.',
  ],
  vouch: [
    'Oh, that is true! I saw {who} in {place} {when}. I trust them.',
    'Yes, I can vouch for {who}. I saw them in {place}.',
  ],
  believe: [
    'I believe {by}. {who} must be guilty, then.',
    'That sounds right to me. {by} said it well, and {who} is suspicious.',
    'If {by} says so, I suspect {who} too.',
    'Same here. I trust {by}. {who} is sus.',
  ],
  doubt: ['I am not sure. I don’t believe it yet, {by}, sorry.'],
  push: [
    'I think I suspect {who} now: {reason}.',
    'Everyone seems to look at {who}, and I find them suspicious too: {reason}.',
  ],
  ballot: [
    'I guess I vote {who}, since {reason}.',
    'Okay. I vote {who}. It is only that {reason}.',
    'I will go with the group and vote {who}: {reason}.',
  ],
  ballotSkip: ['I skip, sorry. I do not want to be wrong.', 'Can I just skip? I skip.'],
  locked: ['I voted {who}. I hope that was right.'],
  lastSeen: ['Um, I last saw {body} in {place} {when}, with {who}. They looked fine.'],
  pair: ['I stayed close to {who}. I saw them in {place} {when}, and I vouch for them.'],
  passed: ['I passed {who} in {place} {when}. We both jumped a little.'],
  recallWrong: ['I still feel bad about {friend}. Please let us be careful.'],
  quip: [
    'What do the others think?',
    'I just want to finish my tasks.',
    'I will go with whatever makes sense to you all.',
    'Could somebody sum it up for me?',
    'I am sticking with {who} after this, if that is fine.',
    'You all remember so much. I only remember being scared.',
    'I believed all of you until just now.',
    'Does anybody else feel cold?',
  ],
};
