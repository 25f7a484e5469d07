/** What a player feels when the result is told, and thinks while sorting the notes, by how it went for them. */

export const AFTERWARDS = {
  out: ['So that is how it ends for me.', 'Out. I hope they notice what they lost.'],
  spared: [
    'Fine by me. The night goes on.',
    'All that noise, and I am still here.',
    'I could not have asked for more.',
  ],
  thinner: [
    'I am on thinner ice now.',
    'From here on I walk alone.',
    'They will go through every word that we two exchanged.',
  ],
  fewer: [
    'One fewer, and nobody looks at me. Look sad.',
    'They did my work for me.',
    'Shake the head slowly, say how awful it is.',
  ],
  undecided: [
    'They are still among us, and now they know what we know.',
    'I will not be alone in a room tonight.',
    'We talked and talked, and the killer walks.',
    'Next time I need something harder than words.',
  ],
  hopeful: ['I hope my vote was right.', 'No word on what they were. I hope for the best.'],
  doubtful: ['I am not sure about that one.', 'That was not my vote. Let us see who dies next.'],
  right: [
    'My vote was right.',
    'That was the one, and I saw it in time.',
    'One liar fewer on this ship.',
    'Good. Remember who helped, and who did not.',
    'So we can do this when we listen.',
    'I can breathe again, for a minute.',
  ],
  late: [
    'I had that wrong; remember who saw it first.',
    'They were right and I was not. Listen to them next time.',
  ],
  guilty: [
    'I helped throw out one of ours. Who led me there?',
    'That one is on me. Who talked me into it?',
    'The wrong one. I was so sure.',
    'We did the killer’s work. Who started it?',
  ],
  unheard: [
    'I said so. Who pushed hardest?',
    'One of ours, and nobody listened. Who was in a hurry?',
    'I kept my vote clean, for all the good it did.',
  ],
  sorting: [
    'Keep the useful part, drop the shouting.',
    'What of this will matter tomorrow?',
    'Names and rooms; the rest was noise.',
    'One line is enough to remember them by.',
    'Write it down before it fades.',
    'Somebody lied well. Note who believed it.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
