/** The accuser: hot, sure of everything, always at somebody's throat. */
import type { Phrases } from './plain.ts';

export const ACCUSER: Phrases = {
  openBody: [
    '{body} is dead in {place}, and one of you did it. Who was there? Own up!',
    'Somebody cut down {body} in {place}. Don’t look at your shoes, talk! Where were you?',
  ],
  openButton: [
    'I slammed the button because one of you is playing us, and I want a name.',
    'Button, yes, me. I am sick of looking over my shoulder. Where was everybody?',
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
    '{who}! You are awfully quiet. Where were you?',
    'And where were you, {who}? Quickly.',
    'No hiding, {who}. Where were you?',
    'I am looking at you, {who}. Where were you?',
  ],
  askAll: ['Who was in {place}? Somebody was. Who?', 'Come on, who saw {body} last?'],
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
  ],
  ballot: [
    'Out of the airlock with {who}. I vote {who}: {reason}.',
    'Voting {who}, and gladly: {reason}.',
    '{who} gets my vote. And you know what? {reason}.',
  ],
  ballotSkip: ['Fine, I skip, but I am watching all of you.', 'I skip, through gritted teeth.'],
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
