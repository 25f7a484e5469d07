/** The voices that lead a meeting: what leader, observer, accuser and joker say in their own way, by speech act. */
import type { Phrases } from './plain.ts';

/** The leader: short orders, order of business, responsibility. */
export const LEADER: Phrases = {
  openBody: [
    'All right, listen. {body} is dead in {place}. One at a time: where were you?',
    'Everyone stop. {body} is down in {place}. I want rooms, then theories.',
  ],
  openButton: [
    'I called this one. We are doing a roll call: room and task, one at a time.',
    'Button was me. We sort this out now, while we still have the numbers.',
    'I called this about {who}. I suspect them, and I want a decision before the next body.',
  ],
  deed: [
    'We can keep this short. I saw {who} {deed} in {place} {when}.',
    'Decision made: I watched {who} {deed} in {place}. Nothing else matters now.',
  ],
  insist: [
    'I will say it once more for the record. I saw {who} {deed} in {place}.',
    'Stay on point, everyone. {who} is deflecting; I saw them {deed}.',
  ],
  denyDeed: [
    'I did nothing of the kind, {by}. I was in {place} {when}, and I can walk you through every step.',
    'Think, people. I never left my route. I was in {place} {when}, and {by} is lying to you.',
  ],
  denyPlace: ['Strike that from the list, {by}. I never was in {said}. I was in {place} {when}.'],
  admitPlace: ['I never loitered, {by}. I was in {place} {when}; put that on the list.'],
  deny: [
    'I’m not the impostor, {by}. I was in {place} {when}. Next point.',
    'Wrong tree, {by}. It wasn’t me. I was in {place} and I am trying to run this meeting.',
  ],
  answer: [
    'On the record: I was in {place} {when}, and in {earlier} before that.',
    'Straight answer, {by}: I was in {place} {when}.',
  ],
  alibi: [
    'I will start. I was in {place} {when}. Now the rest of you.',
    'My own route first: I was in {place} {when}, coming from {earlier}.',
  ],
  ask: [
    '{who}, you are up. Where were you when {body} died?',
    'Roll call: {who}, room and task? Where were you when it happened in {place}?',
    '{who}, I need your route to {place} or away from it. Where were you, and who saw you?',
    'Next is {who}, then {friend}. {who}, where were you?',
    '{who}, you are up. Where were you when it happened in {place}?',
    'Roll call: {who}, room and task? Where were you while it happened in {place}?',
    'Next is {who}. Where were you when it happened in {place}?',
    'I have {who} in {earlier}, I saw that {when}. {who}, where were you after it?',
    '{who} and {friend} still owe us a room. {who}, where were you?',
    '{by} called, and {who} has told us nothing. {who}, where were you?',
  ],
  askAll: [
    'Order, please. I want one room from each of you, for the time when {body} died. Who begins?',
    'Rooms first, theories later. Who was closest to {place}?',
    'Order, please. One room each, and who was with you. Who starts, and how far from {place}?',
    'Facts first. Who saw {body} last, and in which room?',
    'Order, please. Everybody gives one room, and {by} says why we are here. Who begins?',
    'Order, please. {by} called, and wants one room from each. Who begins?',
    'One room each, please, and {by} can start. Where were we?',
  ],
  near: [
    'Note this: I saw {who} in {place} {when}. {who}, your explanation?',
    'I put {who} close to it. I saw them waiting in {place} {when}.',
  ],
  close: ['I put {who} on the spot, {when}. I saw them in {place}. Explain the walk, {who}.'],
  clash: [
    'Two versions, {who}. You told us {said}; I saw you in {place} {when}. Correct that lie now.',
  ],
  visual: ['{who} is off the table. I saw them do the visual in {place} myself.'],
  believe: [
    '{by} gave us something solid. {who} is the prime suspect until shown otherwise.',
    'That settles it for me. I trust {by}. {who} is guilty.',
  ],
  doubt: [
    'Noted, {by}, but I don’t buy it on one voice alone.',
    'We need more than that. I don’t trust {by} with this yet.',
  ],
  push: [
    'Here is where I stand: {who} is the suspect, because {reason}.',
    'Focus, everyone. {who} is the likely impostor: {reason}.',
  ],
  roundup: [
    'Status: I am still missing rooms from {others}.',
    'Let me sum up. I have a place for everybody but {others}.',
    'Open items: {others}. I will wait ten seconds, not more.',
  ],
  hurry: [
    'We have what we need, and {friend} has had the time. Ballots in, please.',
    'Decision time. My proposal is to vote {who}.',
    'Last remarks from {friend}, then we close this.',
    'Votes in, please. {friend}, that goes for everybody.',
    'We are waiting for {friend}. Then this is closed.',
  ],
  ballot: [
    'I am leading by example: I vote {who}, because {reason}.',
    'My call is made. Voting {who}: {reason}.',
  ],
  ballotSkip: [
    'We regroup and skip. Stay in pairs after this.',
    'No case, no ejection. I skip, and I expect better notes next time.',
    '{who} stays on my list, and on the ship. I skip.',
  ],
  lastSeen: [
    'Time of death matters. I last saw {body} in {place} {when}, with {who}.',
    'For the timeline: I last saw {body} in {place} {when}, with {who}. Your turn, {who}.',
  ],
  pair: ['One pair is settled: {who} was with me in {place} {when}, and I vouch for them.'],
  recallWrong: ['We got {friend} wrong. This time I want every room before anybody decides.'],
  recallNobody: ['Last time we left without a decision. That stops today.'],
  quip: [
    'Think back, all of you, to the last minute.',
    'Stay with the facts, everyone.',
    'After this we move in pairs. That is not a suggestion.',
    'I want fewer opinions and more rooms.',
    'Keep it short, we have work to do.',
    '{who}, keep your answers shorter and we get out of here sooner.',
    '{who}, if you know something, this is the moment.',
    'We have rooms, we have times. What does not fit?',
  ],
};

/** The observer: quiet, exact, dry. */
export const OBSERVER: Phrases = {
  openBody: [
    '{body}, in {empty}. All was quiet when I came in. Where was everyone?',
    'I found {body} in {empty}. I touched nothing and saw nobody leave.',
  ],
  openButton: [
    'I rarely press this. Some details do not fit, and I would like to hear yours.',
    'I suspect {who}, and I have waited long enough with it. Now I pressed.',
  ],
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
    'I have not heard {silent} yet. Where were you when {body} died?',
    '{who}, one detail is missing. I saw you in {earlier} {when}. Where were you after that?',
    'I have not heard {silent} yet. Where were you when it happened in {place}?',
    '{who}, one detail is missing. Where were you while it happened in {place}?',
    'Two names without a room: {who} and {friend}. {who}, where were you?',
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
  ballotSkip: [
    'The evidence is not there. I skip.',
    'I have a list, but not a name. I skip.',
    'What I noted on {who} fills half a line. I skip.',
    '{who} is a question, not an answer. I skip.',
  ],
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

/** The accuser: hot, sure of everything, always at somebody's throat. */
export const ACCUSER: Phrases = {
  openBody: [
    '{body} is dead in {place}, and one of you did it. Who was there? Own up!',
    'Somebody cut down {body} in {place}. Don’t look at your shoes, talk! Where were you?',
  ],
  openButton: [
    'I slammed the button because one of you is playing us, and I want a name.',
    'Button, yes, me. I am sick of looking over my shoulder. Where was everybody?',
    'I slammed the button because I suspect {who}. Look at them!',
    'I suspect {who}, I said it before, and here we are again. Explain yourself!',
  ],
  deed: [
    'Got you, {who}! I saw you {deed} in {place}!',
    '{who}! I saw you {deed} in {place}, {when}. Don’t even try.',
    'It’s {who}, end of story. I saw them {deed} in {place}.',
  ],
  insist: [
    'Oh, stop it, {who}. I saw you {deed} in {place}. Sit down.',
    'You are lying through your visor, {who}. I saw you {deed}!',
    'How many times? I saw {who} {deed}!',
  ],
  denyDeed: [
    'Me? I never! I was in {place} {when}. You just made yourself the suspect, {by}.',
    'Ha! I never did, and that is what the killer would say, {by}. I was in {place} {when}.',
    'Rubbish. I did not do it. I was in {place} {when}, and {by} is a liar.',
  ],
  denyPlace: ['Wrong room, {by}. I never set foot in {said}. I was in {place} {when}.'],
  admitPlace: [
    'I never lurked. I walk through a room and suddenly it is a crime. I was in {place} {when}, {by}.',
  ],
  deny: [
    'Nice try, {by}. It wasn’t me. I was in {place} {when}, so point that finger elsewhere.',
    'You are accusing me? Me? I never did a thing. I was in {place} {when}, {by}.',
    'Wow, {by}. It wasn’t me, and now I am looking at you.',
  ],
  answer: [
    'I was in {place} {when}, {by}. And you?',
    'I was in {place}, obviously. {when}, if you must know, {by}.',
  ],
  alibi: [
    'Before anyone starts: I was in {place} {when}. Beat that.',
    'I was in {place} {when}. My hands are clean. Are yours?',
  ],
  ask: [
    '{silent}! You are awfully quiet. Where were you when {body} died?',
    'And where were you, {who}, while it happened in {place}? Quickly.',
    'No hiding, {who}. Where were you before we found {body}?',
    'I am looking at you, {who}, and then at {friend}. Where were you?',
    '{silent}! You are awfully quiet. Where were you when it happened in {place}?',
    'No hiding, {who}. Where were you before the alarm from {place}?',
    'I am looking at you, {who}. Where were you when it happened in {place}?',
    'I saw {who} in {earlier} {when}. And then, {who}? Where did you go?',
    '{by} wants answers, and so do I. {who}, where were you?',
  ],
  askAll: [
    'Who was in {place}? Somebody was. Who?',
    'Come on, who saw {body} last?',
    'One of you walked away from {body} in {place}. Who was there?',
  ],
  near: [
    'Explain yourself, {who}. I saw you skulking in {place} {when}.',
    'I saw {who} prowling round {place} {when}. That is a killer’s walk.',
  ],
  close: ['I saw {who} in {place} {when}. Right there, of all places! Well, {who}?'],
  clash: [
    'Liar! {who} said {said}, and I saw them in {place} {when}!',
    'Caught you, {who}. {said}? I saw you in {place} {when}. That is a lie.',
  ],
  misplaced: ['Liar! I saw {friend} in {place} {when}. What else are you making up, {who}? Liar.'],
  falsehood: ['Nonsense, {who}. I was in {place} and I don’t believe you were. Sus.'],
  believe: [
    'I knew it! {who} is guilty. Thank you, {by}.',
    'There we go. {who}, you are caught. I trust {by}.',
    'Yes! I said it from the start, {who} is shady.',
  ],
  doubt: [
    'Please. I don’t buy that for a second, {by}. You are deflecting.',
    'Cute story, {by}. You are framing somebody and I don’t trust you.',
  ],
  push: [
    'It’s {who}. Sus, sus, sus: {reason}.',
    '{who} is the killer and we all know it: {reason}.',
    'Look at {who}, the impostor, sweating in that suit. I mean, {reason}.',
    'I accuse {who}. Why? Because {reason}.',
  ],
  hurry: [
    'What are we waiting for? Vote {who}!',
    'Enough talk, vote!',
    'Vote {who}, vote now, thank me later.',
    'Enough talk! What is {friend} waiting for?',
    '{friend} is still chewing on it. Come on!',
  ],
  ballot: [
    'Out of the airlock with {who}. I vote {who}: {reason}.',
    'Voting {who}, and gladly: {reason}.',
    '{who} gets my vote. And you know what? {reason}.',
  ],
  ballotSkip: [
    'Fine, I skip, but I am watching all of you.',
    'I skip, through gritted teeth.',
    '{who} gets away once more. I skip, and I hate it.',
  ],
  frame: ['And what about {who}? I saw them in {place} {when}, running.'],
  atBody: ['Caught! I saw {who} hunched over the body in {place}!'],
  lastSeen: [
    'I saw {body} alive in {place} {when}, with {who}. And now {body} is dead. Well?',
    'Who was with {body}? I know who. I last saw {body} in {place} {when}, with {who}!',
  ],
  passed: ['I passed {who} in {place} {when}. In a hurry to get somewhere, {who}?'],
  recallNobody: ['Last time you all chickened out. Not again.'],
  recallWrong: ['Fine, {friend} was a mistake. That does not make the rest of you angels.'],
  quip: [
    'Somebody here is sweating.',
    'I can smell a lie from across the table.',
    'You are all far too calm about this.',
    'I am watching you, {who}.',
    'Don’t tell me you all were doing wires.',
    'Everyone is nice until the lights go out.',
    'One of you keeps looking at the door.',
    'Funny how nobody asks me a thing.',
  ],
};

/** The joker: everything is material, even the body. */
export const JOKER: Phrases = {
  openBody: [
    'Bad news, {body} has stopped doing tasks. Permanently. In {place}. Who was there?',
    'So I walk into {place} and {body} is lying down on the job. Both halves. Where was everybody?',
  ],
  openButton: [
    'I pressed the big shiny button. It was a lifelong dream. Also, somebody is acting weird. Where were you all?',
    'Surprise meeting! No cake, only suspicion.',
    'I pressed the big shiny button, since I suspect {who} and my tasks bored me.',
  ],
  deed: [
    'Either {who} is a plumber or an impostor: I saw them {deed} in {place}.',
    'Fun fact about {who}: I saw them {deed} in {place} {when}. Ten out of ten, no notes.',
  ],
  insist: [
    'My eyes are the only part of me that works, and I saw {who} {deed} in {place}.',
    'I make jokes, I do not make up crimes. I saw {who} {deed}.',
  ],
  denyDeed: [
    'I can’t even fit, {by}. I never did it. I was in {place} {when}, failing at a simple task.',
    'Flattering, {by}, but it wasn’t me. I was in {place} {when}, humming.',
  ],
  denyPlace: ['I wasn’t in {said}, {by}. I get lost, but not that lost. I was in {place} {when}.'],
  admitPlace: ['I wasn’t lurking, {by}, that is how I stand. And {when} I was in {place}.'],
  deny: [
    'I’m not the killer, {by}, I can barely swipe a card. I was in {place} {when}.',
    'Objection! It wasn’t me. I was in {place} {when}, being delightful.',
    'I never hurt anybody, {by}, except with puns. I was in {place} {when}.',
  ],
  answer: [
    'I was in {place} {when}. Ask the walls, they never stop talking.',
    'I was in {place} {when}, losing a fight against a wire.',
    'I was in {place}, {by}, {when}. The trash was very good company.',
    'I was in {place} {when}. No witnesses but a very disappointed toolbox.',
  ],
  alibi: [
    'I was in {place} {when}, swiping my card for the ninth time. Too fast. Too slow.',
    'My alibi is embarrassing: I was in {place} {when}, lost.',
  ],
  lost: ['I was wherever the map says “you are lost”.'],
  ask: [
    '{who}, where were you when {body} died? Wrong answers only. No, wait, right answers.',
    'Earth to {who}! Where were you?',
    '{silent}, you have been as chatty as {body}. Where were you?',
    '{who}, where were you when it happened in {place}? Wrong answers only. No, wait, right answers.',
    'Earth to {who}! Where were you while it happened in {place}?',
    '{silent}, you have been as chatty as {body}. Where were you before the alarm from {place}?',
    'Last I saw {who} was in {earlier}, {when}. The trail goes cold there. Where were you, {who}?',
    'Coming up: {who}, with {friend} as the next act. {who}, where were you?',
  ],
  askAll: [
    'Show of hands: who was in {place}? Nobody? Amazing.',
    'Who saw {body} last, apart from the obvious winner?',
  ],
  near: [
    'I saw {who} decorating a wall in {place} {when}. Just standing there, like furniture.',
    'Either {who} guards {place} for money or… well. I saw them there, in {place}, {when}.',
  ],
  close: [
    'I saw {who} in {place} {when}. Lovely spot, if you like corpses.',
    'I saw {who} in {place} {when}. Sightseeing, {who}?',
    'Guess who went for a stroll. I saw {who} in {place} {when}.',
  ],
  sighting: [
    'I saw {who} in {place} {when}, walking like somebody with a mortgage.',
    'I passed {who} in {place} {when}. We did the awkward nod.',
  ],
  clash: [
    'Plot hole! {who} says {said}, but I saw them in {place} {when}. A lie, or a twin?',
    'Either {who} has a clone or that is a lie. You said {said}, I saw you in {place} {when}.',
  ],
  misplaced: [
    'Does {friend} have a twin, {who}? I saw one in {place} {when}. I call that a lie, {who}.',
  ],
  visual: ['{who} is clear, unless impostors now do light shows. I saw the visual in {place}.'],
  vouch: [
    'I can vouch for {who}: I saw them in {place} {when}, looking bored like the rest of us.',
  ],
  believe: [
    'Well, {who} is toast. Guilty, crispy toast. I believe {by}.',
    'I would laugh if it were not so convincing. {who} is sus, and {by} has me sold.',
  ],
  doubt: [
    'Great story, {by}. I don’t buy it, but I would watch the film.',
    'Bold. I don’t believe you, {by}, but bold.',
  ],
  push: [
    'And the award for most suspicious goes to {who}. The jury says: {reason}.',
    'Knock knock. Who’s there? {who}, the impostor. Punchline: {reason}.',
    'I am no detective, but {who} is sus: {reason}.',
  ],
  hurry: [
    'My task bar is getting cold. Vote?',
    'Vote {who}, and let us all return to pretending we can do wires.',
    'Let us vote before I start telling knock-knock jokes again.',
    '{friend} is loading, please wait. The rest of us are done.',
    'Somebody poke {friend}, my task bar is getting cold.',
  ],
  ballot: [
    'I vote {who}. Nothing personal, except that {reason}.',
    'One airlock ticket for {who}, please. I vote {who}: {reason}.',
  ],
  ballotSkip: [
    'I skip, like a stone over water, or like my workouts.',
    'Skip. My only evidence is a vibe, and the vibe is hungry.',
    'I have a hunch about {who}, and my hunches still owe me money. I skip.',
  ],
  locked: ['Voted {who}. No refunds.', 'I voted {who} and I feel nothing. Well, hungry.'],
  atBody: [
    'I saw {who} bent over the body in {place}, as if looking for change.',
    'Awkward. I saw {who} beside the body in {place}.',
  ],
  lastSeen: [
    'I last saw {body} in {place} {when}, with {who}. Three is a crowd, so I left. Sorry, {body}.',
  ],
  passed: ['I passed {who} in {place} {when}. We did that dance where both go left.'],
  recallNobody: ['Last meeting: one hour of talk, zero results. Shall we beat that?'],
  recallWrong: ['We are one for none, and poor {friend} was the none.'],
  quip: [
    'If I die next, {who} gets my hat.',
    'Statistically, one of us is having a great day.',
    'I was promised snacks at these meetings.',
    'Has anybody tried asking the killer nicely?',
    'I love these meetings. So warm. So murdery.',
    'This is the worst book club I have ever been in.',
    'Spoiler: it was the one in the space suit.',
    'Is it warm in here, or is it just the reactor?',
  ],
};
