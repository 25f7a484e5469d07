/** What ghosts think: they know who is who, and can't be heard. `who` is spoken about, `by` is speaking. */

const IDLE = [
  'I know every answer here, and have no voice.',
  'They ask for rooms. I could draw them the map.',
  'Being right is no comfort when nobody can hear it.',
  'I never knew how much they leave out.',
  'It is strange to watch one’s friends guess.',
  'From up here everybody looks small, and the liars look the same.',
  'I would give my last wire for one word.',
] as const;

export const GHOST_THOUGHTS = {
  idleOne: ['One impostor left, and I can only float here.', ...IDLE],
  idleMore: ['More than one impostor left, and I can only float here.', ...IDLE],
  watching: [
    'Watching {who}. I know who is who, and they can’t hear me.',
    'If they knew about {who} what I know.',
    'All eyes on {who}. I know what they would see if they could.',
    'Look at the face {by} makes. I know that face now.',
    '{by} talks, and I know how much of it is so.',
    'Now they are all thinking about {who}.',
    'That is {by} for you. I used to sit beside {by}.',
    'Every word about {who} costs me something.',
    'I hold my breath, out of habit.',
    'Go on, {by}. I am listening, for what it is worth.',
  ],
  nobody: [
    'Nobody goes. All of that for nothing.',
    'They sat, they talked, they got up again.',
    'So it goes on, and the gallery gets fuller.',
    'Nobody. I have seen braver tables.',
  ],
  out: [
    'So that is how it ends. It is quiet out here.',
    'No air, no sound. At least no more tasks.',
    'I can see the ship from here. It looks peaceful, of all things.',
  ],
  loss: [
    '{who} was one of us. I could scream, and it would change nothing.',
    'Not {who}. We needed {who}.',
    'They threw out {who} and feel good about it.',
    'Make room for {who}, everybody.',
  ],
  triumph: [
    '{who} is out. I could dance, if I had legs.',
    'They did it. {who}, of all people, and they did it.',
    'Goodbye, {who}. Nothing I did was in vain.',
    'I would clap, but my hands go through each other.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
