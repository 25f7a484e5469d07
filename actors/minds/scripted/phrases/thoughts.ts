/** Thoughts: what a player thinks while doing an act, honest even where the words are not. */
import type { Role, Temperament } from '../../../../machines/types.ts';
import { CREW, type Thoughts } from './honest.ts';
import { LIES } from './sly.ts';

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
