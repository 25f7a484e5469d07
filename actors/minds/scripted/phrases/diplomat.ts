/** The diplomat: fair to everybody, looks for a second source, regrets in advance. */
import type { Phrases } from './plain.ts';

export const DIPLOMAT: Phrases = {
  openBody: [
    'I am sorry to say that {body} is dead. It was in {place}. Let us hear everybody out: where were you?',
    'Friends, we lost {body} in {place}. No shouting, please. Who was nearby?',
  ],
  openButton: [
    'Thank you for coming. I would like us to talk before anybody gets hurt. Where has everybody been?',
  ],
  deed: [
    'I wish it were not so. I saw {who} {deed} in {place} {when}.',
    'With regret: I saw {who} {deed} in {place}. I cannot explain it away.',
  ],
  insist: [
    'I gave {who} every chance in my head. But I saw them {deed} in {place}.',
    'I would gladly be wrong about {who}. I saw them {deed}.',
  ],
  denyDeed: [
    'I understand the fear, {by}, but I never did that. I was in {place} {when}.',
    'Let us stay calm. I did not do it. I was in {place} {when}, and I think {by} is mistaken or lying.',
  ],
  denyPlace: [
    'An honest mistake, {by}. I wasn’t in {said} at all. I was in {place} {when}.',
    'I would remember {said}, {by}. I never was there. I was in {place} {when}.',
    'With respect, {by}, that wasn’t me. I was in {place} {when}.',
  ],
  admitPlace: ['You saw right, {by}. I wasn’t there for long, and {when} I was in {place}.'],
  deny: [
    'I see why you ask, {by}. It wasn’t me. I was in {place} {when}.',
    'No hard feelings, {by}, but I did not do it. I was in {place} {when}.',
    'I’m not your enemy, {by}. I was in {place} {when}, and {friend} was with me.',
  ],
  answer: [
    'Happy to share, {by}. I was in {place} {when}.',
    'Of course. I was in {place} {when}, after {earlier}.',
    'Glad you ask, {by}. I was in {place}, and {when} I had just started a task.',
  ],
  alibi: [
    'To be open with you all: I was in {place} {when}.',
    'I was in {place} {when}, after a stop in {earlier}. Who can add to that?',
  ],
  ask: [
    '{who}, we would love to hear from you. Where were you?',
    'No accusation, {who}, only a question: where were you?',
    'Could {who} help us out? Where were you?',
  ],
  askAll: [
    'Let everybody have a turn. Who was anywhere near {place}?',
    'Could those who saw {body} today say so?',
  ],
  near: [
    'There may be a good reason. I saw {who} in {place} {when}. What was it, {who}?',
    'I am sure it is nothing. I saw {who} wait in {place} {when}. What for, {who}?',
  ],
  close: ['I only mention it: I saw {who} in {place} {when}.'],
  sighting: [
    'In fairness, I saw {who} in {place} {when}.',
    'This may help {who}: I saw them in {place} {when}.',
  ],
  clash: [
    '{who}, help me understand. You said {said}, but I saw you in {place} {when}. It sounds like a lie, {who}.',
  ],
  misplaced: [
    'Could you be mistaken, {who}? I saw {friend} in {place} {when}. It sounds like a lie, {who}.',
  ],
  visual: [
    'Good news about {who}: I saw them do a visual in {place} {when}. Let us be glad of one.',
    'We can all relax about {who}, I saw the visual in {place}.',
  ],
  vouch: [
    'Let me support {who}: I saw them in {place} {when}, so I can vouch.',
    'Credit where it is due. I saw {who} in {place} {when}, and I believe them.',
  ],
  believe: [
    'I have listened to both, and I believe {by}. {who} looks guilty, sadly.',
    'It pains me, but {by} is convincing. I suspect {who}.',
  ],
  doubt: [
    'Let us not rush. I don’t believe {by} has the whole picture.',
    'Before we hang anybody: I don’t trust one voice, {by}, not even yours.',
    'I hear you, {by}, but I don’t buy it yet. Did anyone else see it?',
  ],
  push: [
    'I say it kindly: {who} looks suspicious to me, because {reason}.',
    'If {who} could answer one thing, I would suspect them less: {reason}.',
    'We seem to agree more than we think. {who} is the suspect: {reason}.',
  ],
  roundup: ['Let us give {others} a moment to tell us their rooms.'],
  hurry: [
    'I think we have all been heard. Shall we vote?',
    'With respect to everyone, I would vote {who}. Let us settle it together.',
  ],
  ballot: [
    'With a heavy heart I vote {who}: {reason}.',
    'I vote {who}. I hope I am wrong, but {reason}.',
  ],
  ballotSkip: [
    'I will not send somebody out on a feeling. I skip.',
    'For the sake of peace, I skip this time.',
  ],
  atBody: ['I do not like to say it. I saw {who} beside the body in {place}.'],
  lastSeen: [
    'It may mean nothing. I last saw {body} in {place} {when}, with {who}.',
    'Help us, {who}. I last saw {body} in {place} {when}, with {who}.',
  ],
  pair: ['I was glad of company: {who} was with me in {place}, and I gladly vouch for them.'],
  recallWrong: ['We owe {friend} an apology, and each other some patience.'],
  quip: [
    'Let us keep this civil.',
    'Everybody deserves one fair hearing.',
    'I think {who} had a point there, actually.',
    'We are stronger when we share what we saw.',
    'Nobody needs to shout, the table is small.',
    'Let us remember that most of us are friends.',
    'I hear a lot of fear and not much malice.',
    'May I suggest we all breathe once?',
  ],
};
