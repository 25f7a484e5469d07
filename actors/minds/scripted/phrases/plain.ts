/**
 * Plain phrases: for each speech act, sentences that any player could say. `{who}` and the like are slots for facts.
 *
 * The words matter to the listeners too: `claims.ts` must read in a sentence what the act means. A test checks it.
 */

import type { SuspicionReason } from '../reasons.ts';
import type { ActType } from '../situation.ts';

type SightActs = Extract<
  ActType,
  | 'atBody'
  | 'followed'
  | 'lastSeen'
  | 'lastAlone'
  | 'pair'
  | 'passed'
  | 'recallWrong'
  | 'recallRight'
  | 'recallNobody'
>;

const SIGHTS: Readonly<Record<SightActs, readonly string[]>> = {
  atBody: [
    'I saw {who} standing over the body in {place}.',
    'When I came into {place} I saw {who} right beside the body. Well, {who}?',
    'I saw {who} leaving the body in {place} without a word.',
    'Ask {who} about it. I saw {who} next to the body in {place}.',
  ],
  followed: [
    'Sketchy thing: {who} kept behind me all the way. I saw them in {place} {when}, hands empty.',
    '{who} followed me into {place}. I saw them stand there {when}, which I find suspicious.',
    'You came after me, {who}. I saw you in {place} {when}, just standing. Shady.',
    'Wherever I went, {who} went. I saw them in {place} {when}, and it looked suspicious to me.',
  ],
  lastSeen: [
    'I last saw {body} in {place} {when}, with {who}.',
    'The last I saw of {body} was in {place} {when}, with {who}.',
    'When I last saw {body}, in {place} {when}, {who} was with them.',
    'I saw {body} alive in {place} {when}, and {who} was right beside them.',
    'I last saw {body} in {place} {when}, alone with {who}. What happened then, {who}?',
  ],
  lastAlone: [
    'I last saw {body} in {place} {when}.',
    'I saw {body} alive in {place} {when}. After that it must have happened.',
    'The last I saw of {body} was in {place} {when}.',
    'If it helps with the time, I saw {body} alive in {place} {when}.',
  ],
  pair: [
    '{who} was with me in {place} {when}, so I can vouch for them.',
    'I saw {who} for a good while, in {place} {when} too. I can vouch for them.',
    '{who} and I went about together. I saw them in {place} {when}, and I trust them.',
    'Count {who} with me. I saw them in {place} {when}, we shared part of the way, and I vouch for them.',
  ],
  passed: [
    'I passed {who} in {place} {when}.',
    'I met {who} in {place} {when}, on the way through.',
    '{who} came the other way. I passed them in {place} {when}.',
    'On my way I passed {who}, in {place} {when}.',
  ],
  recallWrong: [
    'Last time we threw out {friend}, and {friend} was one of us. Slower this time, please.',
    'Remember {friend}? We were just as certain then, and we were wrong.',
    'We lost {friend} by talking too fast. I would like to hear everybody first.',
  ],
  recallRight: [
    'We got {friend} last time by comparing rooms. Let us do that again.',
    'It worked with {friend}: rooms first, then names.',
    'After {friend} I trust this table a little more. Same way again?',
  ],
  recallNobody: [
    'Last time nobody left, and here we are again.',
    'We could not agree last time. I would rather not go home empty-handed twice.',
    'Nobody went last time, and now {body} is dead. Think about that.',
  ],
};

export type Phrases = Readonly<Partial<Record<ActType, readonly string[]>>>;

export const PLAIN: Readonly<Record<ActType, readonly string[]>> = {
  ...SIGHTS,
  openBody: [
    '{body} is dead. I found the body in {place}. Who was around there?',
    'Found {body} on the floor of {place}. Talk to me, where was everybody?',
    'Body in {empty}, and it is {body}. Nobody was standing there when I walked in.',
    'I just reported {body}. Where was everybody?',
  ],
  openButton: [
    'I pressed the button because I want to compare stories before somebody dies.',
    'No body this time. I called this because something felt off. Where is everybody working?',
    'I hit the button. Let us go round: rooms, tasks, who was with whom.',
    'I pressed because I suspect {who}, and I want it settled before the next body.',
    'The button was me. I suspect {who}, and waiting for proof gets people killed.',
    'I called you together about {who}. I suspect them since the last meeting.',
    'I hit the button. I was in {earlier} and saw too little of all of you. Rooms, please.',
  ],
  openMissing: [
    'I pressed because {body} was nowhere to be found, and now the seat is empty. Who saw them last?',
    'I had not met {body} for a long time, so I called this. I was right to worry. Where was everybody?',
    'No body, but {body} is not here. Who was with {body}?',
    '{body} never came back from wherever it was. That is why I hit the button. Who saw {body} last?',
    'Look at the empty seat: {body} is gone. Somebody knows where. Rooms, please.',
    'I missed {body} and pressed. Now we know. Who walked with {body}?',
  ],
  deed: [
    'I saw {who} {deed} in {place}, {when}. I am completely sure.',
    'It is {who}. I saw them {deed} in {place}, close enough to be sure.',
    'Stop searching: I watched {who} {deed} in {place}.',
    'I caught {who} in the act. I saw them {deed} in {place} {when}.',
  ],
  insist: [
    'Deny it all you like, {who}. I saw you {deed}, and I was standing in the doorway of {place}.',
    '{who} is lying. I saw you {deed} in {place} {when}, {who}.',
    '{who} can talk all day. I saw them {deed} and I would swear to it twice.',
    'If I am wrong about {who}, throw me out next. I saw them {deed}.',
  ],
  denyDeed: [
    'That never happened, {by}. I was in {place} {when}.',
    'I did not go near that room. I was in {place} {when}, ask anybody, and {by} is lying.',
    '{by}, I never did that. You are framing me. I was in {place} {when}.',
    'Not me. I was in {place}. Ask yourselves why {by} is so keen to sell this lie.',
    '{by} says one thing, I say another. I never touched anybody. I was in {place} {when}.',
  ],
  denyPlace: [
    'I was not in {said} then, {by}. I was in {place} {when}.',
    'You have mixed me up with somebody, {by}. I never was in {said}. I was in {place} {when}.',
    'That wasn’t me, {by}. Look again. I was in {place} {when}.',
    'I never went to {said}, {by}. I was in {place} {when}.',
  ],
  admitPlace: [
    'Yes, I came through {said}, {by}, and out again. It wasn’t me. I was in {place} {when}.',
    'Walking through is no crime, {by}. I never stopped there. I was in {place} {when}.',
    'I wasn’t hanging about, {by}. I was on my way, and {when} I was in {place}.',
    'I did come through {said}, {by}. It wasn’t me who stayed there.',
  ],
  deny: [
    'I did not do it, {by}. I was in {place} {when}.',
    'It wasn’t me. I was in {place} {when}. What else do you have, {by}?',
    'You are wrong about me, {by}. I was in {place}, and I have told you what I know.',
    'I’m not your problem, {by}. I was in {place} with a task half done.',
    'Is that all, {by}? I was in {place} {when}. I have nothing to hide.',
    'I was in {place} {when} and {friend} was with me. It wasn’t me, {by}.',
    'It wasn’t me, {by}. That is all I can say.',
  ],
  answer: [
    'I was in {place} {when}, {by}.',
    'Fair question, {by}. I was in {place} {when}, and in {earlier} before that.',
    'I was in {place} {when}, {by}, and {friend} was with me.',
    'Me? I was in {place} doing my task {when}.',
    'I came from {earlier}, {by}, and {when} I was in {place}.',
    'I was in {place} the whole time, {by}. Check it with whoever passed.',
    'I was {doing} in {place} {when}, {by}.',
  ],
  clash: [
    '{who}, you said {said}. I saw you in {place} {when}. Which one is the lie?',
    'Hold on. {who} says {said}, but I saw them in {place} {when}. That story is a lie.',
    '{who} cannot be telling the truth about {said}. I saw you in {place} {when}, {who}, so why lie?',
    'That does not add up, {who}. You said {said}, yet I saw you in {place} {when}. Sounds like lying to me.',
  ],
  misplaced: [
    'That is a lie, {who}. I saw {friend} in {place} {when}.',
    'I saw {friend} in {place} {when}. So why lie about {said}, {who}?',
    'Wrong, {who}. I saw {friend} in {place} {when}. You are lying, {who}.',
  ],
  falsehood: [
    '{who}, I was in {place} at that time. You were nowhere in it, so why lie?',
    'I was in {place} myself. I did not see {who} there, and I don’t believe {who} was.',
    'Funny, {who}. I was in {place}, and I don’t buy that you were.',
  ],
  visual: [
    '{who} is clear. I saw them do a visual in {place}.',
    'Leave {who} alone, I saw the visual in {place} {when}.',
    'I can clear {who}: I saw the visual task run in {place}.',
    'Cross {who} off the list. I watched their visual in {place} {when}.',
  ],
  vouch: [
    'I can vouch for {who}: I saw them in {place} {when}.',
    'That is true, I saw {who} in {place}. I believe that one.',
    '{who} is telling the truth. I passed them in {place} {when}, so I can vouch for that.',
  ],
  near: [
    'I saw {who} standing around in {place} {when}. No task, just standing. Why, {who}?',
    'Can {who} explain something? I saw them hanging about in {place} {when}.',
    'What were you up to, {who}? I saw you loitering in {place} {when}.',
  ],
  close: [
    '{who} was in a bad spot. I saw them in {place} {when}.',
    'I saw {who} walk through {place} {when}. What took you there, {who}?',
    'I have to mention {who}. I saw them in {place} {when}.',
    'Nobody says it, so I do: I saw {who} in {place} {when}.',
  ],
  sighting: [
    'I saw {who} in {place} {when}, for what it is worth.',
    'I passed {who} in {place} {when}. Nothing odd about it.',
    'For the record, I saw {who} in {place} {when}.',
    'I noticed {who} in {place} {when}. Looked busy enough.',
    'I saw {who} {doing} in {place} {when}.',
    '{who} was not idle: I saw them {doing} in {place} {when}.',
  ],
  alibi: [
    'I was in {place} {when}. Before that I came through {earlier}.',
    'For my part: I was in {place} {when}.',
    'I was in {place} {when}, and {friend} was with me.',
    'I was in {place} {when}, finishing a task.',
    'I was {doing} in {place} {when}.',
    'I was in {place} {when}, {doing}, and came from {earlier}.',
  ],
  lost: [
    'Honestly, I was walking in circles. I could not swear to a room.',
    'I have nothing useful. I was wandering and saw no one.',
    'I lost track of the rooms, sorry. No body, no vents, no news.',
  ],
  ask: [
    '{who}, where were you when {body} died in {place}?',
    'Where were you just now, {who}, when it happened in {place}?',
    'We still have no room from {who} and {friend}. {who}, where were you?',
    '{who}, walk us through your route. Where did you go, and how far from {place} was it?',
    '{who}, what were you doing when {body} died, and where?',
    '{who}, where were you when it happened in {place}?',
    'We have not heard from {silent}. Where were you before the alarm from {place}?',
    '{who}, I saw you in {earlier} {when}. Where did you go from there?',
    'I met {who} in {earlier} {when}. Where did you go next, {who}?',
    '{by} called us for a reason. {who}, where were you?',
    '{by} is not the only one with questions. Where were you, {who}?',
    '{who}, walk us through your route, and tell us whom you met?',
    'Nobody has asked {who} yet, so I do. Where were you?',
  ],
  askAll: [
    'Rooms, please, for the time when {body} died. Where was everybody?',
    'Who was near {place}? Speak up now.',
    'Did anybody see {body} alive in the last minute?',
    'Where exactly in {place} did it lie?',
    'Who came to {place} first, and who saw {body} before that?',
    'Let us begin with rooms. {by} called us, so who has seen what?',
    '{by} wants us here. Where was everybody?',
  ],
  believe: [
    'I believe {by}. {who} looks guilty.',
    'That fits what I have. {who} is suspicious, and {by} is making sense.',
    'I am with {by} here. {who} has been shady all along.',
    '{by} has no reason to make that up. I suspect {who} too.',
  ],
  doubt: [
    'I don’t buy it, {by}. That is thin.',
    'Convenient, {by}. I don’t believe a word until somebody else saw it.',
    'Slow down. I don’t trust {by} on this one.',
    '{by}, you are deflecting. Where were you, then?',
  ],
  push: [
    'I suspect {who}: {reason}.',
    '{who} is my main suspect. Put simply, {reason}.',
    'I keep coming back to {who} as the impostor: {reason}.',
    'Say what you like, {who} looks suspicious to me, because {reason}.',
    'If I had to name a killer now, {who}: {reason}.',
  ],
  roundup: [
    'Still no word from {others} on where they were.',
    'So far I can place everybody but {others}.',
    'We are missing rooms from {others}. Please, one at a time.',
  ],
  hurry: [
    'We are going round in circles. Let us vote.',
    'I have heard enough. Vote {who} and let us return to work.',
    'Time to vote, people.',
    'I take it there is no more to hear. Vote {who}.',
    'Say what you still have to say, {friend} first, and then let us close this.',
    '{friend} has not voted yet. Let us come to an end.',
    'Nothing new for a while, and {friend} still thinks it over. Votes, please.',
    'I have said what I know. {friend} and the rest, please choose.',
  ],
  timeUp: [
    'The clock is nearly down. Whoever has not voted, vote.',
    'Seconds left. Vote {who} or skip, but vote.',
    'Last call, people, the time is running out. Vote.',
    'No more talk, the timer is nearly empty. My word is {who}, so vote.',
    'If you wait any longer your vote does not count. Vote now.',
    'Time! Vote {who}, quickly.',
  ],
  ballot: [
    'I am voting {who}: {reason}.',
    'My vote goes to {who}, because {reason}.',
    'Voting {who}. You know why: {reason}.',
    'I vote {who}. Short version: {reason}.',
  ],
  ballotSkip: [
    'I am skipping. We have no proof of anything, not even against {who}.',
    'I would rather skip than throw out the wrong one.',
    'Skip from me. Nothing I heard holds up.',
    'Too thin for me, so I skip.',
    '{who} is the best I have, and it is not enough. I skip.',
    'If I had to guess I would say {who}, but I do not have to. I skip.',
    'What we have on {who} is too thin, so I skip.',
  ],
  locked: [
    'My vote is in. I voted {who} and I stand by it.',
    'For those still thinking: I voted {who}, since {reason}.',
    'I have voted. If you want my opinion, vote {who}.',
    'I am locked in on {who}. Vote when you are ready.',
  ],
  frame: [
    'I saw {who} walking past {place} {when}. In a hurry, too.',
    'Nobody has mentioned {who}. I saw them in {place} {when}.',
    'One thing bothers me. I saw {who} come through {place} {when}.',
  ],
  quip: [
    'I have nothing new, but I am listening.',
    'Somebody here knows more than they say.',
    'Let us not lose our heads over this.',
    'The quiet ones should speak up too.',
    'This is getting uncomfortable.',
    'I would like to hear more from {who}.',
    'Every time I look at the map this makes less sense.',
    'Next time we walk in pairs, agreed?',
    'Somebody walked away from that and sat down with us.',
    'If we get this wrong, we do their work.',
  ],
};

/** Clauses that can follow "because" and "Red is suspicious:". "They" is the suspect. */
export const CLAUSES: Readonly<Record<SuspicionReason['type'], readonly string[]>> = {
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
  votedWrong: [
    'they helped throw out {friend}, who was one of us',
    'their hand was up when {friend} went, and {friend} was one of us',
    'they were quick to be rid of {friend}',
  ],
  spared: [
    'they would not touch {friend}, and we know what {friend} was',
    'when {friend} went, their hand stayed down',
    'they looked the other way with {friend}',
  ],
  misled: ['they talked us into {friend}', 'they were loud against {friend}, who was one of us'],
  defended: ['they stood up for {friend}', 'they had only kind words for {friend}'],
  mute: [
    'they still have not told us a room',
    'they said not a word about their route',
    'we never got a room out of them',
  ],
  open: [
    'I can place nearly everybody else, and not them',
    'the others could not have walked there in time, and they could',
    'nobody saw them while it must have happened',
    'by the walking times they are one of the few who could have been there',
    'they are the hole in our timeline',
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
