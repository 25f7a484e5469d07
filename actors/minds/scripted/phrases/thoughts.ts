/** Thoughts: what a player thinks while doing an act, honest even where the words are not. */

import type { Role, Temperament } from '../../../../machines/types.ts';
import type { ActType } from '../situation.ts';

/* Honest thoughts: what a crewmate thinks while doing an act, or while listening. */

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
    'Word against word now. {by} must know that too.',
  ],
  denyPlace: [
    '{by} saw me somewhere I can explain. Stay calm, give the room.',
    'It looks bad, but I was in {place}. {by} may be honest and wrong.',
    '{by} mistook somebody for me, or wants to.',
  ],
  admitPlace: [
    '{by} saw me, and I was there. Admit it and give the rest of the way.',
    'True, I was in {said}. Say so before it sounds like a secret.',
    'Better from me than from {by}: yes, {said}.',
  ],
  deny: [
    '{by} is coming for me. I was in {place}, that is all I have.',
    'I am innocent and it is not helping.',
    'Why me? Stay calm, say {place}.',
    '{by} has it wrong, and the more I say the worse it sounds.',
    'Somebody gains while they look at me. Who?',
  ],
  answer: [
    'Easy: I really was in {place}.',
    '{by} asks, I answer. {place}, nothing to hide.',
    'They want a room, they get one: {place}.',
    'I was in {place}. It even happens to be true.',
    'No need to think: {place}.',
    'Say {place}, then watch who nods.',
  ],
  clash: [
    '{who} said {said}. I know it was {place}. That is a lie or a bad memory.',
    'There it is: {who} does not match what I saw.',
    'Two places at once? Not {who}, not anybody.',
    '{said} and {place} cannot both be true for {who}.',
  ],
  misplaced: [
    '{who} puts {friend} in {said}. I know it was {place}. Why say so?',
    '{friend} was not in {said}. So what is {who} doing?',
  ],
  falsehood: [
    'I was in {place}. {who} was not. Why say so?',
    'That room was empty but for me. {who} made it up.',
  ],
  visual: [
    '{who} did a visual. One name fewer.',
    'I can clear {who} for good.',
    'Nobody fakes that. {who} is one of us.',
  ],
  vouch: [
    '{who} told the truth about {place}; I saw it.',
    'Good, {who} matches my memory.',
    'One true story at least: {who} in {place}.',
    '{who} and I agree on {place}. Cross that off.',
    'That is one I can check. {who} holds.',
  ],
  near: [
    '{who} was in {place}, too close. Let us hear the excuse.',
    'Why was {who} idling in {place}?',
    'Nobody just stands in {place}. What was {who} waiting for?',
    '{who}, {place}, nothing to do there. Ask.',
  ],
  close: [
    '{who} came through {place}. That is too close to pass over.',
    '{place}, of all places. {who} has some explaining to do.',
    'Maybe {who} only walked through {place}. Maybe.',
  ],
  atBody: [
    '{who} stood over {body} and did not say a word. Say it now.',
    'I can still see {who} beside the body.',
  ],
  followed: [
    '{who} walked where I walked and worked on nothing.',
    'I was alone with {who} in {place}. I did not like it.',
    'Who follows without working? {who} did.',
  ],
  lastSeen: [
    '{body} was alive with {who} in {place}. What came after that?',
    '{who} is the last name I can put next to {body}.',
    'I left {body} with {who}. I should not have.',
  ],
  lastAlone: [
    'Give them the last time I saw {body}; it narrows the hour.',
    '{body} was fine in {place}. Somebody came later.',
  ],
  pair: [
    '{who} never left my side. That is worth more than any story.',
    'We two are clear, if they believe me.',
  ],
  passed: [
    'I passed {who} in {place}. It places them, and me.',
    'A hallway is a place too. {who} was in it.',
  ],
  recallWrong: [
    'We did {friend} wrong. Not twice.',
    '{friend} should be sitting here.',
    'We listened to the loudest voice, and lost {friend}.',
  ],
  recallRight: ['Do what worked with {friend}.', 'Slow and careful got us {friend}.'],
  recallNobody: [
    'We went home with nothing, and somebody died for it.',
    'A second empty vote would be a gift to them.',
  ],
  sighting: [
    'It is not much, but it places {who} in {place}.',
    'Give them what I have on {who}.',
    'One more pin on the map: {who} in {place}.',
    '{who} in {place}. Harmless, but it is a fact.',
    'Facts first. {who} was in {place}.',
  ],
  alibi: [
    'Say {place} early, so nobody has to ask.',
    'My path is clean. Put it on the table.',
    '{place}, and I hope somebody saw me.',
    'My turn to be checked: {place}.',
    'The sooner {place} is known, the fewer guesses.',
    'I was where I was. {place}, plain and simple.',
  ],
  lost: [
    'I have nothing, and that looks bad.',
    'I walked in circles. Try to make that sound innocent.',
    'Not one room that I could swear to.',
    'If only I had looked up once.',
  ],
  ask: [
    '{who} has not given a room yet.',
    'Get {who} to commit to a place.',
    'I cannot place {who} at all.',
    '{who} lets the others talk. Why?',
    'If I knew where {who} was, half the map would be clear.',
    'A hole in the map where {who} should be.',
  ],
  askAll: [
    'I need rooms from everybody before the stories settle.',
    'First the map, then the names.',
    'Somebody was near {place}. Somebody always is.',
    'Ask now, before they compare notes.',
  ],
  believe: [
    '{by} sounds right about {who}.',
    'I believe {by}. {who} just moved up my list.',
    '{by} has nothing to gain from that. {who} has.',
    'It fits too well to be made up: {who}.',
  ],
  doubt: [
    '{by} may be making this up about {who}.',
    'I do not see what {by} sees in {who}. Who gains from it?',
    '{by} is in a great hurry to have {who} out.',
    'One voice against {who}. That is not enough for me.',
  ],
  push: [
    'It points to {who}: {reason}.',
    '{who} is on top of my list, since {reason}.',
    'If not {who}, then I have understood nothing: {reason}.',
    'Put {who} on the table and see who defends them.',
    '{who}. I would rather say it than think it.',
    'Everything I have leads back to {who}: {reason}.',
  ],
  roundup: ['Still open: {others}.', 'Nothing yet from {others}.', 'Holes in the map: {others}.'],
  hurry: [
    'We repeat ourselves. A vote will tell more.',
    'Somebody has to end this.',
    'Longer talk helps the one who lies.',
    'We know what we will know. Vote.',
  ],
  ballot: [
    'Locking {who}. {reason}.',
    'Good enough: {who}.',
    '{who} it is: {reason}.',
    'I settle on {who}, for this: {reason}.',
    'My vote is {who}. I can live with it.',
    '{who}, and may I be right.',
    'Enough doubt. {who}.',
    'I would regret a skip more than {who}.',
    'Vote {who}: {reason}.',
    'If {who} is clean I will say sorry to a ghost.',
  ],
  ballotSkip: [
    'I do not know enough. A wrong ejection helps only them.',
    'Nobody stands out. Skip.',
    'A guess is not a vote. Skip.',
    'Better a killer at large than a friend outside. Skip, this once.',
    'I keep my vote until somebody shows me something. Skip.',
    'Five stories, no proof. Skip.',
    'I cannot point at anyone and mean it. Skip.',
  ],
  locked: [
    'My vote for {who} is in; now get the others there.',
    '{who} has my vote. No way back, so bring the rest along.',
    'Done: {who}. Now I can listen properly.',
  ],
  frame: ['Mention {who}.'],
  quip: [
    'Nothing solid yet. Keep them talking.',
    'Fill the silence and watch who reacts.',
    'I have no facts left, only faces.',
    'Say something, or they start on me.',
    'Keep it light; watch the hands.',
    'A joke is cheaper than a guess.',
    'Talk buys time, and time makes liars careless.',
  ],
  listen: [
    'Nothing new from me. Let them talk.',
    'Listening. Somebody will slip.',
    'Nobody stands out so far.',
    'Too many words, too few rooms.',
    'Let them run; sort it later.',
    'I keep my place on the map and wait.',
    'Somebody is lying well. I cannot hear who.',
    'Wait for the one detail that does not fit.',
    'Ears open.',
  ],
  listenSuspect: [
    'My eye is on {who}: {reason}.',
    'Still {who} for me; {reason}. I have said my piece.',
    'Waiting to see if {who} trips.',
    '{who} has not talked their way off my list.',
    'Let {who} speak; every word helps.',
    '{who}, still: {reason}.',
    'Nothing has moved me off {who}.',
    'If somebody else says {who}, I am in.',
  ],
};

/* Sly thoughts: what an impostor thinks where a crewmate would think something else. */

const LIES: Partial<Thoughts> = {
  openBody: [
    'Report it myself, look shaken. {place} was mine to find.',
    'Self-report. Ask first, answer later.',
  ],
  openButton: ['Calling the meeting makes me look like crew.'],
  denyDeed: [
    '{by} saw me. Deny everything, keep to {place}, make it word against word.',
    'Caught by {by}. The only way out is to turn it round.',
    '{by} was in the room. So it is my face against theirs.',
  ],
  denyPlace: [
    '{by} saw more than I would like. Stick to {place}.',
    'Give them an innocent walk and the same room as before: {place}.',
    'Deny {said} once, firmly, then talk of {place}.',
  ],
  deny: [
    'Heat on me from {by}. Same story, same room: {place}.',
    'Stay bored, stay brief. {place}, and nothing else.',
    '{by} guesses. A guess can be laughed off.',
    'Not too loud. {place}, and a question back.',
  ],
  answer: [
    '{place} is my story. Do not decorate it.',
    'Say {place} and sound dull.',
    '{place}. Not a word more.',
    'They ask, I yawn: {place}.',
    'Same room, same tone: {place}.',
  ],
  alibi: [
    'Put {place} on record before anyone places me elsewhere.',
    'The story is {place}. From here on it is the truth.',
    '{place} is dull, and dull is safe.',
    'Nobody was in {place} to say otherwise. I hope.',
  ],
  lost: [
    'Vague is safer than wrong.',
    'Be a little stupid. Nobody throws out a fool.',
    'A bad memory is a fine alibi.',
  ],
  clash: ['{who} made a slip. A gift: push it.'],
  misplaced: ['{who} is wrong about {friend}. A gift: push it.'],
  falsehood: ['{who} gave me an opening. Use it.'],
  vouch: ['Vouching for {who} buys me a friend.', 'Agree where it is true, it costs nothing.'],
  near: ['{who} was near it too. Perfect cover.', 'Point at {who} before they look at me.'],
  close: ['{who} came through {place}. That will do to point at.'],
  atBody: ['{who} stood there, and not I. What luck: say so.'],
  followed: [
    '{who} walked with me. Told the right way round, that looks bad for them.',
    '{who} can say the same of me, so I say it first.',
  ],
  lastSeen: [
    '{who} was with {body} before me. Let them wonder.',
    'Put {who} next to {body}, and nobody asks who came after.',
  ],
  lastAlone: ['A true hour, told early, makes me look useful.'],
  pair: ['{who} will speak for me if I speak for them.', 'We were together, {who} and I. Mostly.'],
  passed: ['Yes, I passed {who}. Honest people notice such things.'],
  recallWrong: ['They are sorry about {friend}. Sorry people skip.'],
  recallRight: ['Praise the method. It did not find me.'],
  recallNobody: ['Sound impatient. Innocent people are.'],
  sighting: [
    'A true detail about {who} makes the rest of my story look true.',
    'Give them {who} in {place}: it is even true.',
    'Useful people are not suspected. {who}, {place}.',
  ],
  visual: ['Everyone will know {who} is clear anyway. Look helpful.'],
  ask: [
    'Keep {who} explaining, then nobody asks me.',
    'Questions are cheap cover. {who} next.',
    'A question keeps the light on {who}.',
    '{who} looks nervous. Help them along.',
  ],
  askAll: [
    'Sound like a crewmate: ask for rooms.',
    'Ask first, and nobody asks me.',
    'The one who asks is never the one who did it.',
  ],
  believe: [
    '{by} is after {who}. Wonderful. Agree.',
    'They are turning on {who}. Help it along.',
    'I could not have put it better than {by}.',
    'Nod, slowly. {who} is going under.',
  ],
  doubt: [
    '{by} is dangerous. Sow a little doubt.',
    'Take the edge off what {by} said.',
    'If {by} falls silent, so does the only problem.',
    'Turn it round: why is {by} so certain?',
  ],
  push: [
    '{who} is the easiest to sell: {reason}.',
    'Steer it to {who}. I know they are crew.',
    '{who} will do: {reason}.',
    'They want a name. {who} is a name.',
    'Say {who} before anyone says me.',
  ],
  roundup: ['Make the quiet ones look bad: {others}.'],
  hurry: ['Vote before somebody thinks of asking me again.'],
  ballot: [
    '{who} is crew, and one fewer suits me.',
    'Hide in the crowd: {who}.',
    '{who} for me. Nobody will miss a loud crewmate.',
    'Vote with the wind: {who}.',
    '{who}. And then look shaken.',
  ],
  ballotSkip: [
    'A skip suits me. Nobody leaves, I hunt again.',
    'No target to hide behind. Skip.',
    'No names, no risk. Skip.',
    'Patience. Skip.',
  ],
  locked: ['Voted {who}. Look sorry later.'],
  frame: [
    'I never saw {who} in {place}. Nobody can prove it.',
    'Invent it: {who} near {place}. It fits my own story.',
  ],
  quip: [
    'Harmless noise. Harmless people make it.',
    'Keep the mood up, keep their minds off rooms.',
    'Be the one they like.',
    'A laugh, and the question is gone.',
  ],
  listen: [
    'Nobody looks at me. Do not spoil it.',
    'Let the crew tear itself apart.',
    'Quiet, friendly, forgettable.',
    'Not one of them has it yet.',
    'Breathe like an innocent person.',
    'Count who is left to convince.',
  ],
  listenSuspect: [
    'They could be talked into {who}. Patience.',
    '{who} looks worse than I do. Good.',
    '{who} is digging their own hole. Hand over the spade later.',
    'A push, and they take {who}. Not yet.',
    'Keep {who} in the light.',
  ],
};

/** An impostor about a partner who can't be saved. */
const BETRAYAL = [
  '{who} is seen twice over. Say it first, before they count me in.',
  'Sorry, {who}. Better one of us than both.',
  'If I help to throw out {who}, who will look at me?',
  '{who} knew the risk. So did I.',
  'They would have found {who} without me. This way they thank me.',
  'One of us has to reach the end, {who}.',
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
  leader: [
    'Keep them in order.',
    'Somebody has to run this.',
    'Stay in front of it.',
    'Next point.',
  ],
  observer: ['Noted.', 'Write it down.', 'Watch the pauses.', 'One more line on the list.'],
  accuser: ['Press harder.', 'No mercy.', 'They will crack.', 'Louder.'],
  joker: ['Heh.', 'Tough crowd.', 'Timing is everything.', 'Save the good joke for the ejection.'],
  follower: [
    'I hope I am right.',
    'Why is my heart so loud?',
    'See what the others say.',
    'Please do not look at me.',
  ],
  sceptic: [
    'Or is that what I am meant to think?',
    'Check it twice.',
    'Show me proof.',
    'Two sources or nothing.',
  ],
  diplomat: [
    'Keep it friendly.',
    'Everybody gets a turn.',
    'Nobody needs to lose face.',
    'Leave a door open.',
  ],
};

/** What a player feels when the result is told, and thinks while sorting the notes, by how it went for them. */

export const AFTERWARDS = {
  out: ['So that is how it ends for me.', 'Out. I hope they notice what they lost.'],
  spared: [
    'Fine by me. The night goes on.',
    'All that noise, and I am still here.',
    'I could not have asked for more.',
    'They had me in their hands and let go.',
    'Quietly now, one room at a time.',
  ],
  thinner: [
    'I am on thinner ice now.',
    'From here on I walk alone.',
    'They will go through every word that we two exchanged.',
    'We should not have been seen together. Well, we will not be again.',
  ],
  fewer: [
    'One fewer, and nobody looks at me. Look sad.',
    'They did my work for me.',
    'Shake the head slowly, say how awful it is.',
    'Thank you all. Truly.',
    'The louder they are, the easier it gets.',
  ],
  undecided: [
    'They are still among us, and now they know what we know.',
    'I will not be alone in a room tonight.',
    'We talked and talked, and the killer walks.',
    'Next time I need something harder than words.',
    'Nobody left, and nobody is safe.',
    'We keep the killer for another day.',
    'I know no more than before, and they know more.',
    'From now on I count my steps.',
    'Back to work, with eyes in the back of the head.',
  ],
  hopeful: [
    'I hope my vote was right.',
    'No word on what they were. I hope for the best.',
    'No way to know. I sleep badly either way.',
    'I did what the talk told me to do.',
    'Let it have been the right one.',
  ],
  doubtful: [
    'I am not sure about that one.',
    'That was not my vote. Let us see who dies next.',
    'I would have waited.',
    'They were in a hurry. I was not.',
    'If that was wrong, it was not my hand.',
  ],
  right: [
    'My vote was right.',
    'That was the one, and I saw it in time.',
    'One liar fewer on this ship.',
    'Good. Remember who helped, and who did not.',
    'So we can do this when we listen.',
    'I can breathe again, for a minute.',
    'The story did not hold, and we noticed.',
    'That seat was lying, and now it is empty.',
    'We were lucky, and we were careful.',
    'I shall walk with whoever voted as I did.',
    'Somebody owes me a drink.',
  ],
  late: [
    'I had that wrong; remember who saw it first.',
    'They were right and I was not. Listen to them next time.',
    'I looked the wrong way the whole time.',
    'Good that it did not hang on my vote.',
  ],
  guilty: [
    'I helped throw out one of ours. Who led me there?',
    'That one is on me. Who talked me into it?',
    'The wrong one. I was so sure.',
    'We did the killer’s work. Who started it?',
    'I heard what I wanted to hear.',
    'An innocent seat, and my name among the votes.',
    'Never again on a feeling.',
  ],
  unheard: [
    'I said so. Who pushed hardest?',
    'One of ours, and nobody listened. Who was in a hurry?',
    'I kept my vote clean, for all the good it did.',
    'They would not wait. Now look.',
    'I had doubts. I should have been louder.',
  ],
  sorting: [
    'Keep the useful part, drop the shouting.',
    'What of this will matter tomorrow?',
    'Names and rooms; the rest was noise.',
    'One line is enough to remember them by.',
    'Write it down before it fades.',
    'Somebody lied well. Note who believed it.',
    'Who spoke for whom? Keep that.',
    'Forget the jokes, keep the times.',
    'The next one will begin where this one ended.',
    'A short memory gets people killed.',
    'What would I want to know tomorrow?',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
