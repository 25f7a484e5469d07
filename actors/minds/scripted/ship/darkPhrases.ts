/** Phrases of impostors, by theme: what only they do, and what they think of doing as everybody does. */
import type { PHRASES } from './phrases.ts';

export const DARK_PHRASES = {
  strikes: [
    'Nobody looks. Goodbye, {who}.',
    'Alone with {who} in {place}. Now.',
    '{who} turned their back. That was the mistake.',
    'It is only {who} and me. Quick.',
    'Sorry, {who}. Not very.',
    'Now or never. {who}.',
  ],
  strikesInDark: [
    'Dark as a cellar. Nobody will know who was next to {who}.',
    'They can’t see their own hands. {who} goes.',
    'The lights are out, and so is {who}.',
  ],
  strikesTogether: [
    'Two of us, and few of them. I take {who}.',
    'My partner knows what to do. {who} is mine.',
    'Together, now. {who}.',
  ],
  finishes: [
    '{who} is the last one we need.',
    'With {who} gone we are as many as they are. It ends here.',
    'Witnesses do not matter any more. {who}.',
  ],
  traps: [
    'Doors shut. {who} stays with me.',
    'Nobody comes in now. Hello, {who}.',
    'Click. Just {who} and me in {place}.',
  ],
  stalks: [
    '{who} is all alone. I come closer.',
    'A lone {who}. Walk slowly, smile.',
    'Nobody is with {who}. After them.',
    'I keep {who} in sight.',
  ],
  tracks: [
    '{who} went to {place}. So do I.',
    'Somebody was in {place} a moment ago.',
    '{place} smells of somebody alone.',
    'If I am lucky, {who} is still in {place}.',
  ],
  selfReports: [
    'I report {who} myself. Who would suspect the finder?',
    'Better that I find {who} than they find me here.',
    'Shocked face on. “I found {who}.”',
    'Calling it in. I came just now, I saw nobody.',
  ],
  ventsAway: [
    'Into the vent, nobody is looking.',
    'Down the vent. I was never in {place}.',
    'The vent, quick and without a sound.',
  ],
  walksOff: [
    'Walk, do not run. I was on the way to {place} all the time.',
    'Away from it. Somebody should see me in {place}.',
    'I need to be in {place} when they find it.',
    'Out of here: {place} makes a good alibi.',
    'Nothing happened here. On to {place}.',
  ],
  surfaces: [
    'All clear in {place}. Out.',
    'Nobody there. Up, and whistle.',
    'Out of the vent, and I have always been in {place}.',
  ],
  holdsBreath: [
    'Steps above me. Wait.',
    'Not a sound until they are gone.',
    'Not yet. Somebody could come into {place}.',
  ],
  crawls: [
    'On through the vents, to {place}.',
    'Not here: {place} is better.',
    'The other end: {place}.',
  ],
  breaks: [
    'Let us see them run: {system}.',
    'Time to break {system}.',
    'A little chaos helps: {system}.',
    'While they look after {system}, nobody looks after me.',
    'They stand too close together, and {system} will change that.',
  ],
  pretends: [
    'Run with them, look worried about {system}.',
    'An innocent player would go to {place} now.',
    'I show my face at {place}.',
  ],
  helps: [
    'It gets fixed anyway. Let them see me help.',
    'Hands on {system}: what a good crewmate I am.',
    'I mend what I broke. They will remember the mending.',
  ],
  fakes: [
    'I stand where {task} is done and count the seconds.',
    'Pretend {task}. Do not overdo it.',
    'Over to {place}, looking busy.',
    'An honest player would do {task} now.',
    'A pose in {place} until the knife is ready.',
    '{task}, or what looks like it.',
  ],
  keepsUp: [
    'Keep up the act.',
    'Patience.',
    'Nobody suspects anything. Go on.',
    'Not now. The moment will come.',
  ],
  smiles: [
    '{who} is here. Look busy.',
    'Smile at {who}. Not yet.',
    '{who} sees me at work. Good, that is an alibi.',
    'Too many eyes with {who} around.',
    'Let {who} pass. Or not.',
    'I could take {who}. Patience.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What an impostor thinks where a crewmate would do the same and mean it. */
export const SLY: Readonly<Partial<Record<keyof typeof PHRASES, readonly string[]>>> = {
  reports: [
    'Somebody else’s work: {who}. I play the finder.',
    '{who} lies here. They would wonder if I said nothing.',
    'I call {who} in before they ask why I did not.',
  ],
  follows: [
    'I walk with {who}, like a good friend would.',
    'Where {who} goes, I go. For now.',
    'Being seen with {who} can’t hurt.',
  ],
  staysWith: [
    'I stay near {who}. It looks harmless.',
    '{who} should remember me in here.',
    'A moment with {who}. Who knows, the others may leave.',
  ],
  cameras: [
    'The cameras. Who walks alone?',
    'Let us see on the screens who is far from the others.',
    'Watching the cameras looks innocent, and tells me a lot.',
  ],
  admin: [
    'The Admin table: where is there just one?',
    'Count the heads, find the single one.',
    'A look at the map, for hunting.',
  ],
  rests: [
    'Stand still, look lost. Somebody will come by.',
    'Patience. The ship brings them to me.',
    'Who is missing? Where could I have been?',
    'Listen for single steps.',
    'Think of a story first.',
  ],
  strolls: [
    'Let us see who is alone in {place}.',
    'A harmless walk to {place}.',
    'Nothing left to pretend. I look in at {place}.',
    'On to {place}, as if I had something to do there.',
    'Too quiet here. Somebody will be in {place}.',
  ],
  shutIn: [
    'The doors are shut. Now I need a story.',
    'Locked in with myself. Wait.',
    'Doors. I act as surprised as everybody.',
  ],
};
