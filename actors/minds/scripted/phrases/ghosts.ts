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
    ],
    impostor: [
      'Smooth, {by}. Keep it short.',
      'That is my partner. So proud.',
      'Careful, {by}, you said a room. Now stay in it.',
      'Textbook, {by}.',
    ],
  },
  deflects: {
    crewmate: [
      '{by} blames {who}. Of course. {who} was the last honest soul in there.',
      'Do not fall for it! {by} is pushing {who}.',
      'Poor {who}. Framed by {by}, in front of everybody.',
      'I scream and only the vents echo. It is {by}, not {who}.',
    ],
    impostor: [
      'Yes, {who}! Everyone look at {who}!',
      'Nice throw, {by}. {who} is sweating.',
      'If they buy {who}, we are home.',
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
    ],
    impostor: [
      'Ugh, {by} is on to {who}.',
      'Come on, {who}, talk your way out.',
      'Somebody distract {by}, please.',
    ],
  },
  cold: {
    crewmate: [
      'No, {by}, not {who}. Ice cold.',
      '{who} is innocent. I would bet my life, if I had one.',
      'This hurts to watch. {who} did nothing.',
      '{by}, friend, look one seat further.',
    ],
    impostor: [
      'Crew eating crew. Beautiful.',
      'Keep going, {by}. {who} is a lovely choice.',
      'I could not have framed {who} better.',
    ],
  },
  justice: {
    crewmate: [
      'Goodbye, {who}! Mind the stars.',
      'They did it. {who} is out. I take back half of what I said.',
      '{who}, welcome to the quiet side. We have questions.',
    ],
    impostor: ['There goes {who}. It was a good run.', 'Well, {who}, pull up a cloud.'],
  },
  injustice: {
    crewmate: [
      'Oh, {who}. You deserved better.',
      'They threw out {who}. The wrong one. Again.',
      'Come and sit with us, {who}. Nobody listens here either.',
    ],
    impostor: ['{who} out, and nobody suspects a thing.', 'Thank you, crew, for {who}. Very tidy.'],
  },
  nobody: {
    crewmate: [
      'All that talk, and nobody goes.',
      'They could not agree on lunch.',
      'Nobody out. See some of you here soon, I fear.',
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
    ],
    impostor: [
      'The vents were so cosy.',
      'I miss the sabotage panel.',
      'One slip, that is all it took.',
      'Look at them count rooms. Adorable.',
    ],
  },
} as const satisfies Readonly<Record<string, Remarks>>;
