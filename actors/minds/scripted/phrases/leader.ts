/** The leader: short orders, order of business, responsibility. */
import type { Phrases } from './plain.ts';

export const LEADER: Phrases = {
  openBody: [
    'All right, listen. {body} is dead in {place}. One at a time: where were you?',
    'Everyone stop. {body} is down in {place}. I want rooms, then theories.',
  ],
  openButton: [
    'I called this one. We are doing a roll call: room and task, one at a time.',
    'Button was me. We sort this out now, while we still have the numbers.',
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
    'Good, {by}, keep asking that. I was in {place} {when}.',
  ],
  alibi: [
    'I will start. I was in {place} {when}. Now the rest of you.',
    'My own route first: I was in {place} {when}, coming from {earlier}.',
  ],
  ask: [
    '{who}, you are up. Where were you?',
    'Roll call: {who}, room and task? Where were you?',
    '{who}, I need your route. Where were you, and who saw you?',
    'Next is {who}. Where were you?',
  ],
  askAll: [
    'Order, please. Everybody gives one room. Where were you all?',
    'Rooms first, theories later. Who was closest to {place}?',
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
    'Let me sum up. Everybody has a place but {others}.',
    'Open items: {others}. I will wait ten seconds, not more.',
  ],
  hurry: [
    'We have what we need. Votes in, please.',
    'Decision time. My proposal is to vote {who}.',
    'Last remarks, then we vote.',
  ],
  ballot: [
    'I am leading by example: I vote {who}, because {reason}.',
    'My call is made. Voting {who}: {reason}.',
  ],
  ballotSkip: [
    'We regroup and skip. Stay in pairs after this.',
    'No case, no ejection. I skip, and I expect better notes next time.',
  ],
  lastSeen: [
    'Time of death matters. I last saw {body} in {place} {when}, with {who}.',
    'For the timeline: I last saw {body} in {place} {when}, with {who}. Your turn, {who}.',
  ],
  pair: ['One pair is settled: {who} was with me in {place}, and I vouch for them.'],
  recallWrong: ['We got {friend} wrong. This time I want every room before anybody decides.'],
  recallNobody: ['Last time we left without a decision. That stops today.'],
  quip: [
    'One voice at a time, please.',
    'Stay with the facts, everyone.',
    'After this we move in pairs. That is not a suggestion.',
    'I want fewer opinions and more rooms.',
    'Keep it short, we have work to do.',
    '{who}, keep your answers shorter and we get out of here sooner.',
    '{who}, if you know something, this is the moment.',
    'We have rooms, we have times. What does not fit?',
  ],
};
