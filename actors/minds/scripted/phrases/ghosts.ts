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
  caught: {
    crewmate: [
      '{said}, says {by}. I watched {by} in {place}.',
      '{by} was in {place}, not in {said}. I am the only witness, and I am dead.',
      'Hear that? “{said}”. {by} stood in {place} when the alarm went.',
      'From {place} to {said} in no time. {by} must have wings.',
      'Somebody ask {by} about {place}. Not {said}. {place}!',
      '{said}? {by} has not been near {said}.',
    ],
    impostor: [
      '{said} is good, {by}. Nobody goes to {place} anyway.',
      '{by} says {said}. As long as nobody looked into {place}.',
      'Not {place}, {by}, well remembered. Stay with {said}.',
    ],
  },
  honest: {
    crewmate: [
      '{by} really was in {place}. It counts for nothing, of course.',
      'True: {by}, {place}. I saw it from above.',
      'Every word of it is so. {by} was in {place}.',
      '{by} tells the truth about {place}, and they squint at it.',
    ],
    impostor: [
      '{by} was in {place}, true. Pity. Somebody should doubt it.',
      'An honest {place} from {by}. That helps nobody of ours.',
      '{by} could prove {place}, if anybody asked.',
    ],
  },
  mine: {
    crewmate: [
      'It was {by}, in {place}. I never heard a step.',
      '{by} got me in {place} {when}.',
      'I can still see {by} in {place}, coming closer.',
      'If one of them would look hard at {place}. {by} left me there.',
      'Last thing I saw was {by}. Last place, {place}.',
      '{by} said hello to me in {place}. It was not a hello.',
      'I died in {place} and {by} walked off as if nothing was.',
    ],
    impostor: ['They got me. I still say it was bad luck.'],
  },
  slain: {
    crewmate: [
      '{by} did it to {who} in {place}. I floated right above.',
      '{who} fell in {place} {when}, and it was {by}.',
      'I shouted when {by} went into {place} after {who}.',
      '{who}, you too? {by} again, in {place}.',
      'Two of us now. {by} is thorough. Poor {who}, in {place} of all rooms.',
      'Note for the living: {who}, {place}, {by}. They cannot read it.',
    ],
    impostor: [
      'Clean work in {place}, {by}. {who} never turned round.',
      '{who} in {place}, {when}. I would have done it the same way, {by}.',
      '{by} took {who} in {place}. The house style.',
    ],
  },
  ownReport: {
    crewmate: [
      '{by} reports {who}. {by}, who did it! The nerve.',
      'Of course the finder looks innocent. The finder is {by}, with {who} still warm.',
      'They thank {by} for finding {who}. Thank {by}!',
    ],
    impostor: [
      'Report your own, {by}. Classic. {who} can’t complain.',
      'Nobody suspects the one who found {who}. Well done, {by}.',
    ],
  },
  vented: {
    crewmate: [
      '{by} came out of the floor in {place} {when}.',
      'The vent in {place} spat out {by}, and nobody was there.',
      'Has nobody heard the grate in {place}? {by} did that.',
      'Watch the vent in {place}, people. {by} uses it like a door.',
    ],
    impostor: [
      'Nice landing in {place}, {by}.',
      '{by} and that vent in {place}: good old times.',
      'The vent in {place} still squeaks. Lucky, {by}.',
    ],
  },
  rightBallot: {
    crewmate: [
      '{by} has put {who} down. One for us.',
      'That is a vote for {who} from {by}. More of those!',
      '{by} voted {who}. I take back the thing about your hat, {by}.',
      'Yes, {by}, yes. {who} on paper at last.',
      '{by} wrote {who}. If only two more can spell it.',
    ],
    impostor: [
      '{by} has voted for {who}. That is one too many.',
      'A ballot against {who}, from {by}. Do something.',
      'Note {by} for later: voted {who}.',
    ],
  },
  wrongBallot: {
    crewmate: [
      '{by} has just voted for {who}. Wrong box!',
      'I saw that ballot, {by}. {who}? Really?',
      'One vote against poor {who}, and it is from {by}.',
      '{by} means well and votes {who}.',
      'Take it back, {by}. Not {who}.',
    ],
    impostor: [
      '{by} voted {who}. Marvellous.',
      'And there goes the ballot of {by}, on {who}.',
      'Thank you, {by}. {who} is as good as gone.',
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
