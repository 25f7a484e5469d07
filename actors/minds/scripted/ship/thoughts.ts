/** One short thought for each move on the ship, for those who watch. A phrase names each thing once at most. */
import type { Colour, Place, Role, System } from '../../../../machines/types.ts';
import { type MindChance, pick } from '../chance.ts';
import { namePlace } from '../wording.ts';

/** Phrases of whoever is about their work, by theme. A phrase names each thing once at most. */
const MOVE_PHRASES = {
  reports: [
    '{who}… no. Everybody has to hear of this now.',
    'A body. It is {who}. I am calling it in.',
    '{who} is lying here. Report it before anybody cleans up a story.',
    'That is {who} on the floor. Report.',
    'Dead, and I was just about to pass by. Poor {who}.',
  ],
  nears: [
    'Is somebody lying in {place}? I have to look.',
    'Something is wrong in {place}.',
    'That shape in {place} does not move. Closer.',
  ],
  hurries: [
    '{who} is an impostor, I saw it. To the button, now.',
    'I know what {who} did. Get to the button alive.',
    'Button. Cafeteria. Do not let {who} out of my head.',
    'Run. They all have to know about {who}.',
    'Keep walking, do not look back at {who}.',
  ],
  bides: [
    'The button does not work yet. Stay where people are until it does.',
    'A few more seconds, then I tell them about {who}.',
    'Come on, button. {who} knows that I know.',
  ],
  flees: [
    'Away from {who}. I saw what they are.',
    'Not a second longer in one place with {who}.',
    '{who} is here. Legs, do your work.',
    'I know too much for {who} to let me live. Off to {place}.',
  ],
  avoids: [
    'Alone with {who}? I would rather not.',
    'Something about {who} makes me walk on.',
    'Only {who} and me. I can come back later.',
    'I like {who} better with witnesses. To {place}, then.',
    'No offence, {who}, but I am leaving.',
  ],
  mends: [
    'It is {system}. I am close enough: go.',
    'Everything can wait, {system} can’t.',
    'Off to {place}. Somebody has to fix it.',
    'I go to {place}, and I hope I am not the only one.',
    'Drop everything, mend {system}.',
    'Who broke {system}, and who was far away when it broke?',
  ],
  holds: [
    'Stay with {system} until it is done.',
    'Still on {system}. Where are the others?',
    'Hands on the console. Come on, {system}.',
    'Nobody pulls me off {system} now.',
  ],
  meets: [
    '{who} is here too. Remember that.',
    'I pass {who}. Where did they come from?',
    '{who} again. Fine, I have work to do.',
    'So {who} is around. Noted.',
    'Hello, {who}. I go on with mine.',
    'One eye on {who}, the other on my work.',
    '{who} beside me. That makes an alibi for both of us.',
    'If anybody asks, I saw {who} here.',
  ],
  goesOn: [
    'Nothing that changes my plan.',
    'On with it.',
    'I keep to what I set out to do.',
    'Steady. One thing after another.',
  ],
  continues: [
    'Back to {task}.',
    '{task} first, the rest later.',
    'I finish {task} before anything else.',
    'No reason to drop {task}.',
    'Still {task}. Hurry up.',
  ],
  shutIn: [
    'The doors are shut. Somebody wants me here.',
    'Locked in. I stand with my back to the wall.',
    'Doors. I hope that I am alone in here.',
    'I can’t get out. Listen, and wait.',
  ],
  works: [
    '{task} is right here.',
    'Here I am: {task}.',
    'Quick, {task}, while it is quiet.',
    'This is the place for {task}.',
    'Head down, {task}.',
  ],
  setsOut: [
    'Next is {task}.',
    'Over to {place}, there is something left to do.',
    'My list says {place}.',
    'To {place}. Keep the eyes open on the way.',
    '{task} is still open.',
    'On to {place} before it gets dangerous.',
    'The bar does not fill itself. {task}.',
  ],
  follows: [
    'I go with {who}. Two are harder to kill than one.',
    'Stay close to {who}.',
    '{who} seems all right. I tag along.',
    'Where {who} goes, I go, for a bit.',
    'Nobody dies next to me: I walk with {who}.',
  ],
  staysWith: [
    'I wait for {who}. Company is safety.',
    'A moment with {who}, then on.',
    'I guard the back of {who}.',
    '{who} works, I watch the door.',
    'I would rather not walk alone. I wait for {who}.',
  ],
  cameras: [
    'A look at the cameras. Who runs where?',
    'Let us see who passes the hallways.',
    'The screens remember nothing, but I do.',
    'Cameras, just for a moment.',
  ],
  admin: [
    'The Admin table tells how many are where.',
    'Count the heads on the table.',
    'A look at the map. Is anybody alone?',
    'Somebody should know where people are.',
  ],
  rests: [
    'A moment to look around.',
    'Breathe. Listen. Go.',
    'Where is everybody?',
    'Too quiet. I look over my shoulder.',
    'Let me think where I was and with whom.',
  ],
  insists: [
    'My tasks are done and {who} still walks around. I call a meeting.',
    'I have a feeling about {who}, and a button.',
    'Enough. We talk about {who} now.',
  ],
  rallies: [
    'We are too few to wait for the next body. I call them together, and I name {who}.',
    'One more death and it is over. The button, before {who} strikes again.',
    'So few of us left. {who} has to answer, now.',
    'Count us: there is no time left to be polite about {who}.',
  ],
  wanders: [
    'A walk by {place} first. I want to know who is about.',
    'Let me see that {place} is as it should be.',
    'By way of {place}. Tasks do not run away.',
    'I have not been to {place} for a while.',
    'Who is in {place}? One look, then on.',
  ],
  misses: [
    'Nobody ever meets {who} any more. I call a meeting.',
    'Where is {who}? I have not seen them for too long. To the button.',
    '{who} should have crossed my way by now. I want to see all of them at one table.',
    'Too long without {who}. Either they hide or they lie somewhere.',
  ],
  strolls: [
    'My tasks are done. I look in at {place}.',
    'A round through {place}.',
    'Nothing left on my list. Who is in {place}?',
    'I patrol. {place} next.',
    'Let us see what goes on in {place}.',
  ],
  haunts: [
    'I float, and I remember.',
    'They can’t hear me any more.',
    'Cold out here.',
    'I watch them run.',
  ],
  labours: [
    'Dead, and still {task}.',
    'Even a ghost has to finish {task}.',
    '{task}. They took my life, not my list.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Themes of impostors only. */
const IMPOSTOR_PHRASES = {
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
  silences: [
    '{who} saw it, and must not get to the button.',
    'A witness. Not for long, {who}.',
    'My partner was quick. I am quicker than {who}.',
  ],
  finishes: [
    '{who} is the last one we need.',
    'With {who} gone we are as many as they are. It ends here.',
    'Witnesses do not matter any more. {who}.',
  ],
  bars: [
    'Doors of {place} shut. Let us see how they get to {system} now.',
    'They will want to run. Not through {place}.',
    '{system} will not wait, and {place} is locked.',
    'Shut {place}: every second counts for us.',
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
const SLY_PHRASES: Readonly<Partial<Record<keyof typeof MOVE_PHRASES, readonly string[]>>> = {
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

/** What a move is about. */
type MoveTheme = keyof typeof MOVE_PHRASES | keyof typeof IMPOSTOR_PHRASES;

/** What a phrase may name. */
type ShipFacts = {
  readonly who?: Colour;
  readonly place?: Place;
  readonly task?: string;
  readonly system?: System;
};

/** Lane of the dice that picks the words. */
const WORDS_LANE = 0;

const SYSTEM_NAMES: Readonly<Record<System, string>> = {
  reactor: 'the reactor',
  o2: 'the oxygen',
  lights: 'the lights',
  comms: 'the comms',
};

/** What goes with a move in the player's head. */
export type ShipThought = { readonly theme: MoveTheme; readonly facts?: ShipFacts };

/** A phrase of the theme with its facts. */
export function sayThought(
  { theme, facts = {} }: ShipThought,
  role: Role,
  chance: MindChance,
): string {
  const phrase = pick(chance, WORDS_LANE, findPhrases(theme, role)) ?? '';
  return phrase.includes('{') ? fillPhrase(phrase, facts) : phrase;
}

const ALL: Readonly<Record<MoveTheme, readonly string[]>> = {
  ...MOVE_PHRASES,
  ...IMPOSTOR_PHRASES,
};
const SLY_ALL: Readonly<Partial<Record<MoveTheme, readonly string[]>>> = SLY_PHRASES;

function findPhrases(theme: MoveTheme, role: Role): readonly string[] {
  return (role === 'impostor' ? SLY_ALL[theme] : undefined) ?? ALL[theme];
}

function fillPhrase(phrase: string, facts: ShipFacts): string {
  const text = phrase
    .replace('{who}', nameOrSomebody(facts.who))
    .replace('{place}', facts.place === undefined ? 'there' : namePlace(facts.place))
    .replace('{task}', facts.task ?? 'this')
    .replace('{system}', facts.system === undefined ? 'this' : SYSTEM_NAMES[facts.system]);
  return capitalise(text);
}

function nameOrSomebody(who: Colour | undefined): string {
  return who === undefined ? 'somebody' : capitalise(who);
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
