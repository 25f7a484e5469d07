/** Thoughts: what a player thinks while doing an act, honest even where the words are not. */
import type { Role, Temperament } from '../../../../machines/types.ts';
import type { ActType } from '../acts.ts';

type Thoughts = Readonly<Record<ActType | 'listen' | 'listenSuspect', readonly string[]>>;

const CREW: Thoughts = {
  openBody: [
    '{body} is gone. Watch who flinches when I say {place}.',
    'I found {body}. Get rooms out of them before they can agree on a story.',
  ],
  openButton: [
    'No body, but I needed to hear everyone at once.',
    'Let us see whose story wobbles.',
  ],
  deed: [
    'I saw {who} {deed} with my own eyes. They have to hear it now.',
    '{who} is the impostor. I was there. Say it plainly.',
  ],
  insist: ['{who} denies it. I know what I saw in {place}.', 'Hold the line: {who} did it.'],
  denyDeed: [
    '{by} is lying about me, so {by} is almost surely an impostor.',
    'I never did that. Why would {by} invent it, unless…',
  ],
  denyPlace: [
    '{by} saw me somewhere I can explain. Stay calm, give the room.',
    'It looks bad, but I was in {place}. {by} may be honest and wrong.',
  ],
  admitPlace: [
    '{by} saw me, and I was there. Admit it and give the rest of the way.',
    'True, I was in {said}. Say so before it sounds like a secret.',
  ],
  deny: [
    '{by} is coming for me. I was in {place}, that is all I have.',
    'I am innocent and it is not helping.',
  ],
  answer: ['Easy: I really was in {place}.', '{by} asks, I answer. {place}, nothing to hide.'],
  clash: [
    '{who} said {said}. I know it was {place}. That is a lie or a bad memory.',
    'There it is: {who} does not match what I saw.',
  ],
  misplaced: ['{who} puts {friend} in {said}. I know it was {place}. Why say so?'],
  falsehood: ['I was in {place}. {who} was not. Why say so?'],
  visual: ['{who} did a visual. One name fewer.', 'I can clear {who} for good.'],
  vouch: ['{who} told the truth about {place}; I saw it.', 'Good, {who} matches my memory.'],
  near: [
    '{who} was in {place}, too close. Let us hear the excuse.',
    'Why was {who} idling in {place}?',
  ],
  close: ['{who} came through {place}. That is too close to pass over.'],
  sighting: ['It is not much, but it places {who} in {place}.', 'Give them what I have on {who}.'],
  alibi: ['Say {place} early, so nobody has to ask.', 'My path is clean. Put it on the table.'],
  lost: ['I have nothing, and that looks bad.'],
  ask: ['{who} has not given a room yet.', 'Get {who} to commit to a place.'],
  askAll: ['I need rooms from everybody before the stories settle.'],
  believe: ['{by} sounds right about {who}.', 'I believe {by}. {who} just moved up my list.'],
  doubt: [
    '{by} may be making this up about {who}.',
    'I do not see what {by} sees in {who}. Who gains from it?',
  ],
  push: ['It points to {who}: {reason}.', '{who} is on top of my list, since {reason}.'],
  roundup: ['Still open: {others}.'],
  hurry: ['We repeat ourselves. A vote will tell more.', 'Somebody has to end this.'],
  ballot: ['Locking {who}. {reason}.', 'Good enough: {who}.'],
  ballotSkip: [
    'I do not know enough. A wrong ejection helps only them.',
    'Nobody stands out. Skip.',
  ],
  locked: ['My vote for {who} is in; now get the others there.'],
  frame: ['Mention {who}.'],
  quip: [
    'Nothing solid yet. Keep them talking.',
    'Fill the silence and watch who reacts.',
    'I have no facts left, only faces.',
  ],
  listen: [
    'Nothing new from me. Let them talk.',
    'Listening. Somebody will slip.',
    'Nobody stands out so far.',
  ],
  listenSuspect: [
    'My eye is on {who}: {reason}.',
    'Still {who} for me; {reason}. I have said my piece.',
    'Waiting to see if {who} trips.',
  ],
};

const LIES: Partial<Thoughts> = {
  openBody: [
    'Report it myself, look shaken. {place} was mine to find.',
    'Self-report. Ask first, answer later.',
  ],
  openButton: ['Calling the meeting makes me look like crew.'],
  denyDeed: [
    '{by} saw me. Deny everything, keep to {place}, make it word against word.',
    'Caught by {by}. The only way out is to turn it round.',
  ],
  denyPlace: [
    '{by} saw more than I would like. Stick to {place}.',
    'Give them an innocent walk and the same room as before: {place}.',
  ],
  deny: [
    'Heat on me from {by}. Same story, same room: {place}.',
    'Stay bored, stay brief. {place}, and nothing else.',
  ],
  answer: ['{place} is my story. Do not decorate it.', 'Say {place} and sound dull.'],
  alibi: [
    'Put {place} on record before anyone places me elsewhere.',
    'The story is {place}. From here on it is the truth.',
  ],
  lost: ['Vague is safer than wrong.'],
  clash: ['{who} made a slip. A gift: push it.'],
  misplaced: ['{who} is wrong about {friend}. A gift: push it.'],
  falsehood: ['{who} gave me an opening. Use it.'],
  vouch: ['Vouching for {who} buys me a friend.', 'Agree where it is true, it costs nothing.'],
  near: ['{who} was near it too. Perfect cover.', 'Point at {who} before they look at me.'],
  close: ['{who} came through {place}. That will do to point at.'],
  sighting: ['A true detail about {who} makes the rest of my story look true.'],
  visual: ['Everyone will know {who} is clear anyway. Look helpful.'],
  ask: ['Keep {who} explaining, then nobody asks me.', 'Questions are cheap cover. {who} next.'],
  askAll: ['Sound like a crewmate: ask for rooms.'],
  believe: ['{by} is after {who}. Wonderful. Agree.', 'They are turning on {who}. Help it along.'],
  doubt: ['{by} is dangerous. Sow a little doubt.', 'Take the edge off what {by} said.'],
  push: ['{who} is the easiest to sell: {reason}.', 'Steer it to {who}. I know they are crew.'],
  roundup: ['Make the quiet ones look bad: {others}.'],
  hurry: ['Vote before somebody thinks of asking me again.'],
  ballot: ['{who} is crew, and one fewer suits me.', 'Hide in the crowd: {who}.'],
  ballotSkip: ['A skip suits me. Nobody leaves, I hunt again.', 'No target to hide behind. Skip.'],
  locked: ['Voted {who}. Look sorry later.'],
  frame: [
    'I never saw {who} in {place}. Nobody can prove it.',
    'Invent it: {who} near {place}. It fits my own story.',
  ],
  quip: [
    'Harmless noise. Harmless people make it.',
    'Keep the mood up, keep their minds off rooms.',
  ],
  listen: ['Nobody looks at me. Do not spoil it.', 'Let the crew tear itself apart.'],
  listenSuspect: [
    'They could be talked into {who}. Patience.',
    '{who} looks worse than I do. Good.',
  ],
};

/** An impostor about a partner who can't be saved. */
const BETRAYAL = [
  '{who} is seen twice over. Say it first, before they count me in.',
  'Sorry, {who}. Better one of us than both.',
  'If I help to throw out {who}, who will look at me?',
] as const;

/** What a player does to somebody; a traitor is an impostor who does it to a partner. */
export type Part = Role | 'traitor';
export const THOUGHTS: Readonly<Record<Part, Thoughts>> = {
  crewmate: CREW,
  impostor: { ...CREW, ...LIES },
  traitor: {
    ...CREW,
    ...LIES,
    believe: BETRAYAL,
    push: BETRAYAL,
    hurry: BETRAYAL,
    ballot: BETRAYAL,
    locked: BETRAYAL,
    listenSuspect: BETRAYAL,
  },
};

/** What each temperament adds to a thought now and then. */
export const AFTERTHOUGHTS: Readonly<Record<Temperament, readonly string[]>> = {
  leader: ['Keep them in order.', 'Somebody has to run this.', 'Stay in front of it.'],
  observer: ['Noted.', 'Write it down.', 'Watch the pauses.'],
  accuser: ['Press harder.', 'No mercy.', 'They will crack.'],
  joker: ['Heh.', 'Tough crowd.', 'Save the good joke for the ejection.'],
  follower: ['I hope I am right.', 'See what the others say.', 'Please do not look at me.'],
  sceptic: ['Or is that what I am meant to think?', 'Show me proof.', 'Two sources or nothing.'],
  diplomat: ['Keep it friendly.', 'Nobody needs to lose face.', 'Leave a door open.'],
};
