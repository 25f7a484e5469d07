/** What ghosts say among themselves about the living, by what just happened and by the side they died on. */

type Remarks = { readonly crewmate: readonly string[]; readonly impostor: readonly string[] };

export const GHOSTLY = {
  lies: {
    crewmate: [
      'Listen to {by}. Every word is fiction.',
      '{by} lies better than I ever did tasks.',
      'They are nodding. They are actually nodding at {by}.',
      '{by}, the walls saw you. So did I.',
      'I would like to speak to the manager of the living. It is {by}!',
      'Say that to my face, {by}. Oh. Right.',
      'Somebody check that, please. It is {by}!',
      '{by} could sell sand in a desert.',
      'I was there, {by}. I was very much there.',
      'That is a nice story, {by}. I have another ending.',
      'Somebody write down what {by} just said. It will not hold.',
    ],
    impostor: [
      'Smooth, {by}. Keep it short.',
      'That is my partner. So proud.',
      'Careful, {by}, you said a room. Now stay in it.',
      'Textbook, {by}.',
      'Not a crack in the voice. Lovely, {by}.',
      'Leave it there, {by}. Not one word more.',
      'They believe {by}. I taught them well.',
      'Say less, {by}. Less!',
    ],
  },
  deflects: {
    crewmate: [
      '{by} blames {who}. Of course. {who} was the last honest soul in there.',
      'Do not fall for it! {by} is pushing {who}.',
      'Poor {who}. Framed by {by}, in front of everybody.',
      'I scream and only the vents echo. It is {by}, not {who}.',
      '{by} points at {who}, and they all turn their heads. Cattle.',
      'Look at the finger, not where it points! {by}!',
    ],
    impostor: [
      'Yes, {who}! Everyone look at {who}!',
      'Nice throw, {by}. {who} is sweating.',
      'If they buy {who}, we are home.',
      '{who} will do nicely.',
      'Lean on it, {by}. {who} stammers when pushed.',
    ],
  },
  betrays: {
    crewmate: [
      'Did {by} just throw {who} under the bus? I need popcorn.',
      'No honour among impostors. {by} sells {who}.',
      '{by} and {who} planned this together, and look at them now.',
    ],
    impostor: [
      'Cold, {by}. Poor {who}.',
      'Cut the rope, {by}. {who} is lost anyway.',
      'That is the job, {who}. Nothing personal.',
    ],
  },
  warm: {
    crewmate: [
      'Yes! {who}! Say it louder, {by}!',
      '{by} is so close I can feel it in my missing half.',
      'For once they are right. {who}, you are done.',
      'Warm. Warmer. {who}!',
      '{by} gets it. Finally, somebody gets it.',
      'I could kiss {by}, if I had lips.',
      '{who} did it, and {by} knows. Now vote!',
      'Write {who} down, everybody. Underline it.',
      'Hold on to that thought, {by}. Do not let {who} smile it away.',
      '{who}! I have been saying it all along, in here.',
    ],
    impostor: [
      'Ugh, {by} is on to {who}.',
      'Come on, {who}, talk your way out.',
      'Somebody distract {by}, please.',
      '{by} has to go next.',
      'Stay calm, {who}. Ask {by} where they were.',
      'That was too close to {who}.',
    ],
  },
  cold: {
    crewmate: [
      'No, {by}, not {who}. Ice cold.',
      '{who} is innocent. I would bet my life, if I had one.',
      'This hurts to watch. {who} did nothing.',
      '{by}, friend, look one seat further.',
      'Not {who}! {who} shared a snack with me once.',
      '{by}, you are doing their work for them.',
      'If {who} goes, I shall rattle every door on this ship.',
      'Colder, {by}. Arctic.',
    ],
    impostor: [
      'Crew eating crew. Beautiful.',
      'Keep going, {by}. {who} is a lovely choice.',
      'I could not have framed {who} better.',
      '{by} is one of our best, and does not even know.',
      'Yes, yes, {who}. Very suspicious. Vote.',
      'I love an honest mistake. Thank you, {by}.',
    ],
  },
  justice: {
    crewmate: [
      'Goodbye, {who}! Mind the stars.',
      'They did it. {who} is out. I take back half of what I said.',
      '{who}, welcome to the quiet side. We have questions.',
      'Ha! {who}! Out of the airlock with you!',
      'So there is some sense left down there. Bye, {who}.',
    ],
    impostor: ['There goes {who}. It was a good run.', 'Well, {who}, pull up a cloud.'],
  },
  injustice: {
    crewmate: [
      'Oh, {who}. You deserved better.',
      'They threw out {who}. The wrong one. Again.',
      'Come and sit with us, {who}. Nobody listens here either.',
      '{who}, I am sorry. I shouted as loud as I could.',
      'And the one who did it is sitting right there, looking sad.',
    ],
    impostor: ['{who} out, and nobody suspects a thing.', 'Thank you, crew, for {who}. Very tidy.'],
  },
  nobody: {
    crewmate: [
      'All that talk, and nobody goes.',
      'They could not agree on lunch.',
      'Nobody out. See some of you here soon, I fear.',
      'No vote, no courage.',
      'Somebody is smiling inside their helmet.',
    ],
    impostor: ['Nobody out. Back to work, team.', 'A whole meeting for nothing. Delightful.'],
  },
  idle: {
    crewmate: [
      'Is it me, or is it draughty out here?',
      'I still hear my task bar in my dreams.',
      'Remember when we had legs?',
      'If they skip again I shall haunt the button.',
      'The view is good. The company is dead.',
      'I had two wires left. Two.',
      'They should ask who was alone. Always ask who was alone.',
      'Anyone else miss the smell of the reactor?',
      'I keep reaching for the button. My hand goes through.',
      'If I had walked with somebody. If, if.',
      'They sit on the evidence and talk about rooms.',
      'Does floating count as a task?',
      'I would haunt somebody, but I cannot find the handle.',
      'Next life I stay in the Cafeteria.',
      'Hush, they are about to be wrong again.',
      'I left my helmet light on. Typical.',
      'Do ghosts get a lunch break?',
    ],
    impostor: [
      'The vents were so cosy.',
      'I miss the sabotage panel.',
      'One slip, that is all it took.',
      'Look at them count rooms. Adorable.',
      'I should have taken the other vent.',
      'They never found out how I did the second one.',
      'Give me one minute with the lights.',
      'A good crew, really. Trusting.',
      'My sabotage was art. Nobody said so.',
      'I wonder who has my knife.',
    ],
  },
} as const satisfies Readonly<Record<string, Remarks>>;

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
