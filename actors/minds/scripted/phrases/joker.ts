/** The joker: everything is material, even the body. */
import type { Phrases } from './plain.ts';

export const JOKER: Phrases = {
  openBody: [
    'Bad news, {body} has stopped doing tasks. Permanently. In {place}. Who was there?',
    'So I walk into {place} and {body} is lying down on the job. Both halves. Where was everybody?',
  ],
  openButton: [
    'I pressed the big shiny button. It was a lifelong dream. Also, somebody is acting weird. Where were you all?',
    'Surprise meeting! No cake, only suspicion.',
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
    '{who}, where were you? Wrong answers only. No, wait, right answers.',
    'Earth to {who}! Where were you?',
    '{who}, you have been as chatty as {body}. Where were you?',
  ],
  askAll: ['Show of hands: who was in {place}? Nobody? Amazing.'],
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
    'Vote {who} and let us all go back to pretending we can do wires.',
    'Let us vote before I start telling knock-knock jokes again.',
  ],
  ballot: [
    'I vote {who}. Nothing personal, except that {reason}.',
    'One airlock ticket for {who}, please. I vote {who}: {reason}.',
  ],
  ballotSkip: [
    'I skip, like a stone over water, or like my workouts.',
    'Skip. My only evidence is a vibe, and the vibe is hungry.',
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
