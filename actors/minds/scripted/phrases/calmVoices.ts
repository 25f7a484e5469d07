/** The voices that come after: what follower, sceptic and diplomat say in their own way, by speech act. */
import type { Phrases } from './plain.ts';

/** The follower: polite, unsure, glad when somebody else decides. */
export const FOLLOWER: Phrases = {
  openBody: [
    'Um, hi. {body} is dead, in {place}. I did not know what to do, so I reported. Who was near?',
    'Sorry, everybody. I found {body} in {place}. What do we do now?',
  ],
  openButton: [
    'Sorry for the button. I was scared and wanted us all in one place.',
    'Sorry for the button. I suspect {who}, and I was scared to be alone with that.',
  ],
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
  ask: [
    '{who}, sorry to ask, where were you when {body} died?',
    'Maybe {who} could say something? Where were you, {who}, and did you see {friend}?',
    '{who}, sorry to ask, where were you when it happened in {place}?',
    'Maybe {who} could say something? Where were you while it happened in {place}?',
    'I saw {who} in {earlier} {when}. Where did you go then, {who}, if I may ask?',
    '{who}, sorry to ask, where were you?',
  ],
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
  ballotSkip: [
    'I skip, sorry. I do not want to be wrong.',
    'Can I just skip? I skip.',
    'It might be {who}, but what if it is not? I skip, sorry.',
  ],
  locked: ['I voted {who}. I hope that was right.'],
  lastSeen: ['Um, I last saw {body} in {place} {when}, with {who}. They looked fine.'],
  pair: ['I was close to {who} for a while. I saw them in {place} {when}, and I vouch for them.'],
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

/** The sceptic: proof or nothing. */
export const SCEPTIC: Phrases = {
  openBody: [
    '{body}, dead, {place}. That is what I know; everything else I will have to be shown. Where were you all?',
    'I reported {body} in {place}. And no, finding it proves nothing about me either. Who was there?',
  ],
  openButton: [
    'I called this to check stories against each other. Let us see whose falls apart.',
    'I called this because I suspect {who}, and so far that has stood every test.',
    'I called this. I was in {earlier}, and what I saw proves little. Let us check stories against each other.',
    'I called this before the next body does. Who can prove a room?',
  ],
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
    '{who}, where were you when {body} died, and who can confirm it?',
    'Let us test {who} before {friend}. {who}, where were you?',
    'I would like details on {place}, {who}. Where were you, which task?',
    'A story from {who}, please. Where were you, exactly, when {body} died?',
    'Let us test {who}. Where were you while it happened in {place}?',
    'I saw {who} in {earlier} {when}, and that is all I have. {who}, where were you after that?',
    '{by} called, and I would like details. {who}, where were you, which task?',
    'Let us see what {who} has to say about the call of {by}. {who}, where were you?',
  ],
  askAll: [
    'How do we know nobody moved it? Who was near {place}?',
    'Who actually saw {body} alive, and when?',
    'Before anybody points: who can place {body} before {place}?',
    '{by} called us, and I would like facts. Who saw whom, and where?',
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
    'The case on {who} would not stand in a court. I skip.',
  ],
  atBody: [
    'There may be an innocent reading. I saw {who} beside the body in {place}. I cannot think of it.',
  ],
  lastSeen: ['Check this, {who}. I last saw {body} in {place} {when}, with {who}.'],
  recallWrong: ['We were certain about {friend} as well. So much for certain.'],
  pair: ['I do not vouch lightly. {who} was with me in {place} {when}, so for once I vouch.'],
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

/** The diplomat: fair to everybody, looks for a second source, regrets in advance. */
export const DIPLOMAT: Phrases = {
  openBody: [
    'I am sorry to say that {body} is dead. It was in {place}. Let us hear everybody out: where were you?',
    'Friends, we lost {body} in {place}. No shouting, please. Who was nearby?',
  ],
  openButton: [
    'Thank you for coming. I would like us to talk before anybody gets hurt. Where has everybody been?',
    'Thank you for coming. I suspect {who}, and I would rather say it here than behind their back.',
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
    '{who}, we would love to hear from you. Where were you when {body} died?',
    'No accusation, {who}, only a question: where were you before we heard of {body}?',
    'Could {who} help us out, and {friend} after that? {who}, where were you?',
    '{who}, we would love to hear from you. Where were you when it happened in {place}?',
    'No accusation, {who}, only a question: where were you while it happened in {place}?',
    'Could {who} help us out? Where were you before the alarm from {place}?',
    'I saw {who} in {earlier} {when}, nothing wrong with that. Where did you go from there, {who}?',
    'No accusation, {who}, only a question: where were you?',
  ],
  askAll: [
    'Let everybody have a turn. Who was anywhere near {place}?',
    'Could those who saw {body} today say so?',
    'One after the other, please. Who was near {place}, and who was with them?',
    'Let us thank {by} for the call, and go round once. Who was with whom?',
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
    'I think we have all been heard, {friend} too. Shall we close this?',
  ],
  ballot: [
    'With a heavy heart I vote {who}: {reason}.',
    'I vote {who}. I hope I am wrong, but {reason}.',
  ],
  ballotSkip: [
    'I will not send somebody out on a feeling. I skip.',
    'For the sake of peace, I skip this time.',
    'It would not be fair to {who} on so little. I skip.',
  ],
  atBody: ['I do not like to say it. I saw {who} beside the body in {place}.'],
  lastSeen: [
    'It may mean nothing. I last saw {body} in {place} {when}, with {who}.',
    'Help us, {who}. I last saw {body} in {place} {when}, with {who}.',
  ],
  pair: [
    'I was glad of company: {who} was with me in {place} {when}, and I gladly vouch for them.',
  ],
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
