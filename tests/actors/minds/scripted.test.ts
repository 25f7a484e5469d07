import { expect, test } from 'vitest';
import { maskFacts, readClaims } from '../../../actors/minds/scripted/hearing.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import ghosts from '../../../actors/minds/scripted/phrases/ghosts.json' with { type: 'json' };
import plain from '../../../actors/minds/scripted/phrases/plain.json' with { type: 'json' };
import thoughts from '../../../actors/minds/scripted/phrases/thoughts.json' with { type: 'json' };
import voices from '../../../actors/minds/scripted/phrases/voices.json' with { type: 'json' };
import type { SuspicionReason } from '../../../actors/minds/scripted/reasons.ts';
import type { ActType } from '../../../actors/minds/scripted/situation.ts';
import {
  fillTemplate,
  LONGEST,
  maskTemplate,
  PLAIN,
  VOICES,
} from '../../../actors/minds/scripted/speech.ts';
import {
  COLOURS,
  type Colour,
  type Reply,
  type Role,
  type Room,
  type Sighting,
  SYSTEM,
  TEMPERAMENTS,
  type Temperament,
  type Utterance,
} from '../../../machines/types.ts';
import { QUIET_WORLD } from '../../machines/builders.ts';
import { aGallery, aView, haunt, line, replyTo, seen } from './sitting.ts';

type Player = {
  readonly colour: Colour;
  readonly role: Role;
  readonly sightings: readonly Sighting[];
};

const CAST: readonly Player[] = [
  {
    colour: 'red',
    role: 'crewmate',
    sightings: [
      seen('red', 'Storage', 'task', 5),
      seen('blue', 'Electrical', 'lurking', 25),
      seen('green', 'Storage', 'task', 6),
    ],
  },
  {
    colour: 'blue',
    role: 'impostor',
    sightings: [
      seen('blue', 'Electrical', 'kill', 25),
      seen('blue', 'Storage', 'passing', 5),
      seen('blue', 'Admin', 'task', 60),
    ],
  },
  {
    colour: 'green',
    role: 'crewmate',
    sightings: [seen('green', 'Storage', 'task', 5), seen('red', 'Storage', 'task', 6)],
  },
  {
    colour: 'pink',
    role: 'impostor',
    sightings: [seen('pink', 'MedBay', 'task', 5), seen('yellow', 'Cafeteria', 'passing', 40)],
  },
  {
    colour: 'yellow',
    role: 'crewmate',
    sightings: [
      seen('yellow', 'Electrical', 'passing', 3),
      seen('yellow', 'Storage', 'passing', 15),
    ],
  },
];

type Turn = { readonly player: Player; readonly reply: Reply; readonly tick: number };

/** A toy meeting: the longest silent among the keenest has the floor. Returns every reply and the transcript. */
function meeting(seed: number): {
  readonly turns: readonly Turn[];
  readonly transcript: readonly Utterance[];
  readonly ticks: number;
} {
  const transcript: Utterance[] = [];
  const turns: Turn[] = [];
  const ballots = new Map<Colour, Colour | 'skip'>();
  let tick = 0;
  for (; ballots.size < CAST.length && tick < 60; tick++) {
    const seats = CAST.map(
      ({ colour }) => ({ colour, standing: 'living', voted: ballots.has(colour) }) as const,
    );
    const bids = CAST.map((player, index) => {
      const { colour, role, sightings } = player;
      const partners = CAST.flatMap((other) =>
        role === 'impostor' && other.role === role && other !== player ? [other.colour] : [],
      );
      const view = aView({
        me: colour,
        role,
        partners,
        sightings,
        tick,
        transcript: [...transcript],
        seats,
        ballot: ballots.get(colour) ?? null,
      });
      const reply = replyTo(view, TEMPERAMENTS[(index + seed) % TEMPERAMENTS.length], seed);
      return { player, reply, tick };
    });
    turns.push(...bids);
    for (const { player, reply } of bids)
      if (reply.vote !== null && !ballots.has(player.colour))
        ballots.set(player.colour, reply.vote);
    const silence = (seat: Colour) =>
      tick - transcript.findLastIndex(({ speaker }) => speaker === seat);
    const keenness = ({ player, reply }: Turn) => reply.desire + silence(player.colour);
    const [winner] = bids
      .filter(({ reply }) => reply.message !== '')
      .sort((one, other) => keenness(other) - keenness(one));
    if (winner !== undefined)
      transcript.push(line(winner.player.colour, winner.reply.message, winner.reply.target, tick));
    if (tick >= 20 && tick % 5 === 0)
      transcript.push({ tick: tick, speaker: SYSTEM, target: null, message: 'wrap it up' });
  }
  return { turns, transcript, ticks: tick };
}

const SEEDS = Array.from({ length: 40 }, (_, index) => index);

test('the same seed tells the same meeting, in whatever order it is asked', () => {
  expect(meeting(11)).toEqual(meeting(11));
  const mind = createScriptedMind(3, 'red', 'joker');
  const early = {
    kind: 'discussion',
    index: 1,
    view: aView({ tick: 1, transcript: [line('blue', 'Where were you, Red?', 'red')] }),
  } as const;
  const first = mind.answer(early);
  mind.answer({ kind: 'discussion', index: 9, view: aView({ tick: 9 }) });
  expect(mind.answer(early)).toEqual(first);
});

test('no two seeds tell the same meeting', () => {
  const told = SEEDS.map((seed) =>
    meeting(seed)
      .transcript.map(({ message }) => message)
      .join('\n'),
  );
  expect(new Set(told).size).toBe(SEEDS.length);
});

test('every reply can be read without a note, and no message is too long', () => {
  for (const seed of SEEDS) {
    for (const { reply } of meeting(seed).turns) {
      expect(reply.notes).toEqual([]);
      expect(reply.thought).not.toBe('');
      expect(reply.message.length).toBeLessThanOrEqual(LONGEST);
      expect(reply.message).not.toMatch(/[{}]|undefined|null/);
    }
  }
});

test('nobody says the same sentence twice in a meeting', () => {
  for (const seed of SEEDS) {
    const said = meeting(seed)
      .transcript.filter(({ speaker }) => speaker !== SYSTEM)
      .map(({ speaker, message }) => `${speaker}: ${message}`);
    expect(new Set(said).size).toBe(said.length);
  }
});

test('a meeting repeats no thought of a published message', () => {
  let repeated = 0;
  let published = 0;
  for (const seed of SEEDS) {
    const { turns, transcript } = meeting(seed);
    const thoughts = transcript.flatMap(({ tick: t, speaker }) => {
      const turn = turns.find(({ player, tick }) => player.colour === speaker && tick === t);
      return turn === undefined ? [] : [turn.reply.thought];
    });
    published += thoughts.length;
    repeated += thoughts.length - new Set(thoughts).size;
  }
  expect(published).toBeGreaterThan(400);
  // A list may be used up in a long meeting.
  expect(repeated).toBeLessThanOrEqual(published / 100);
});

test('a meeting of scripted players ends by itself, with everybody voted', () => {
  for (const seed of SEEDS) expect(meeting(seed).ticks).toBeLessThanOrEqual(35);
});

test('votes name a living other, are cast only while votes are open, and only once', () => {
  for (const tick of [0, 4, 12, 25, 50]) {
    for (const temperament of TEMPERAMENTS) {
      const accused = [seen('white', 'Electrical', 'vent'), seen('red', 'Admin', 'task')];
      expect(replyTo(aView({ tick, votesOpen: false }), temperament).vote).toBeNull();
      expect(replyTo(aView({ tick, ballot: 'skip' }), temperament).vote).toBeNull();
      expect(['blue', 'green', 'pink', 'yellow', 'skip', null]).toContain(
        replyTo(aView({ tick, sightings: accused }), temperament).vote,
      );
    }
  }
});

/** How many have pointed at a player before a tick: of four others, one can be a mistake. */
function countAccusers(transcript: readonly Utterance[], who: Colour, before: number): number {
  const said = transcript.flatMap((line, index) =>
    line.tick < before ? readClaims(line, index) : [],
  );
  const against = said.filter(
    (item) =>
      (item.type === 'charge' || item.type === 'deed' || item.type === 'push') && item.who === who,
  );
  return new Set(against.map(({ by }) => by)).size;
}

test('an impostor neither accuses nor votes for a partner who is not caught', () => {
  for (const seed of SEEDS) {
    const { turns, transcript } = meeting(seed);
    for (const { player, reply, tick } of turns.filter(
      ({ player: { role } }) => role === 'impostor',
    )) {
      const partner = player.colour === 'blue' ? 'pink' : 'blue';
      if (countAccusers(transcript, partner, tick) > 1) continue;
      expect(reply.vote).not.toBe(partner);
      const charges = readClaims(line(player.colour, reply.message, reply.target), 0).filter(
        (item) => item.type === 'charge' || item.type === 'deed' || item.type === 'push',
      );
      expect(
        charges.filter((item) => 'who' in item && item.who === partner),
        reply.message,
      ).toEqual([]);
    }
  }
});

test('the alibi stays the same through a meeting, and a killer never puts it where the body lay', () => {
  for (const seed of SEEDS) {
    for (const { colour } of CAST) {
      const claims = meeting(seed)
        .transcript.flatMap((said, index) => readClaims(said, index))
        .filter((item) => item.type === 'whereabouts' && item.by === colour);
      const places = new Set(claims.map((item) => (item.type === 'whereabouts' ? item.place : '')));
      // Blue walked from Admin to Storage past the body, and tells the innocent part.
      if (colour === 'blue')
        expect(['Storage', 'Admin']).toEqual(expect.arrayContaining([...places]));
      else expect(places.size, `${colour} in seed ${seed}: ${[...places]}`).toBeLessThanOrEqual(1);
    }
  }
});

test('who saw a vent says so at once, and then votes for it', () => {
  const sightings = [seen('red', 'Admin', 'task', 5), seen('blue', 'Electrical', 'vent', 15)];
  for (const temperament of TEMPERAMENTS) {
    const reply = replyTo(
      aView({ sightings, transcript: [line('yellow', 'White is dead in Electrical.')] }),
      temperament,
    );
    expect(readClaims(line('red', reply.message, reply.target), 0)).toContainEqual(
      expect.objectContaining({ type: 'deed', who: 'blue', deed: 'vent' }),
    );
    expect(reply.desire).toBeGreaterThanOrEqual(7);
    const said = { sightings, transcript: [line('red', reply.message, reply.target)] };
    expect(replyTo(aView({ ...said, tick: 8 }), temperament).vote).toBe('blue');
  }
});

test('testimony of a vent convinces who has nothing better', () => {
  const transcript = [
    line('green', 'I saw Blue vent in Electrical.', 'blue'),
    line('pink', 'I saw Blue vent in Electrical too.', 'blue'),
    line('red', 'I was in Admin.'),
  ];
  for (const temperament of TEMPERAMENTS)
    expect(replyTo(aView({ transcript, tick: 14 }), temperament).vote).toBe('blue');
});

test('the accused defends and names the accuser, whoever worded the charge', () => {
  for (const message of [
    'Red is sus, vote Red.',
    'I watched Red kill White in Electrical!',
    'honestly red has been lying all game',
  ]) {
    for (const temperament of TEMPERAMENTS) {
      const reply = replyTo(
        aView({ transcript: [line('yellow', 'White is dead.'), line('green', message)] }),
        temperament,
      );
      expect(reply.target).toBe('green');
      expect(reply.desire).toBeGreaterThanOrEqual(6);
      expect(reply.message).toMatch(/Admin|sure|happen|never|n’t|not/i);
    }
  }
});

test('who is asked answers with a room', () => {
  const reply = replyTo(
    aView({
      transcript: [line('yellow', 'White is dead.'), line('green', 'Where were you, Red?', 'red')],
    }),
  );
  expect(reply.message).toContain('Admin');
  expect(reply.target).toBe('green');
});

test('who is called on always says something, even with everything said', () => {
  const transcript: Utterance[] = [line('yellow', 'White is dead.')];
  for (let tick = 1; tick < 60; tick++) {
    const reply = replyTo(
      aView({ tick, calledOn: true, ballot: 'skip', transcript: [...transcript] }),
      'observer',
    );
    expect(reply.message.trim()).not.toBe('');
    expect(transcript.map(({ message }) => message)).not.toContain(reply.message);
    transcript.push(line('red', reply.message, reply.target, tick));
  }
});

test('a mind without any memory still plays', () => {
  for (const temperament of TEMPERAMENTS)
    expect(replyTo(aView({ sightings: [], tick: 40 }), temperament).vote).not.toBeNull();
});

test('after the result the mind is silent and writes its notebooks', () => {
  const result = { outcome: 'ejected', ejected: 'blue', role: 'impostor', remaining: 0 } as const;
  const told = { ...result, ballots: [], sentence: 'Blue was The Impostor. 0 Impostors remain.' };
  const view = aView({ tick: 20, told });
  const mind = createScriptedMind(5, 'red', 'sceptic');
  const react = mind.answer({ kind: 'reaction', index: 20, view });
  const keep = mind.answer({ kind: 'consolidation', index: 21, view });
  expect(react).toMatchObject({
    received: {
      message: '',
      vote_action: null,
      scratchpad_updates: { meeting_scratch: expect.stringContaining('Blue') },
    },
  });
  expect(keep).toMatchObject({
    received: {
      message: '',
      scratchpad_updates: { main_scratch: expect.stringContaining('an impostor') },
    },
  });
});

test('a ghost comments on the living and casts no vote', () => {
  const transcript = [line('blue', 'Red is sus.')];
  const replies = SEEDS.map((seed) => haunt(aGallery('white', {}, { transcript }), seed));
  expect(replies.map(({ vote }) => vote)).toEqual(SEEDS.map(() => null));
  expect(replies.filter(({ message }) => message !== '').length).toBeGreaterThan(0);
});

test('a ghost speaks of its own death in the meeting after it, and of other things later', () => {
  const own = new Set(ghosts.remarks.mine.crewmate.map(maskTemplate));
  const kill = { type: 'kill', by: 'blue', victim: 'white', place: 'Admin', ago: 9 } as const;
  const countOwn = (meeting: number) => {
    const world = { ...QUIET_WORLD, deeds: [{ ...kill, meeting, at: 0 }] };
    const call = { ...aGallery('white', {}).truth.call, by: 'red' } as const;
    const replies = SEEDS.map((seed) => haunt(aGallery('white', { world, call }), seed));
    return replies.filter(({ message }) => own.has(maskFacts(message))).length;
  };
  expect(countOwn(1)).toBeGreaterThan(0);
  expect(countOwn(0)).toBe(0);
});

/** What listeners must find in each sentence of an act, with Red speaking to or about Blue. */
const MEANT: Readonly<Partial<Record<ActType, readonly string[]>>> = {
  deed: ['deed'],
  insist: ['deed'],
  near: ['sighting'],
  close: ['sighting'],
  frame: ['sighting'],
  sighting: ['sighting'],
  passed: ['sighting'],
  atBody: ['company'],
  followed: ['company'],
  lastSeen: ['company'],
  lastAlone: ['sighting'],
  pair: ['support'],
  visual: ['support'],
  vouch: ['support', 'sighting'],
  clash: ['charge'],
  misplaced: ['charge'],
  falsehood: ['charge'],
  denyDeed: ['denial'],
  denyPlace: ['denial'],
  denyPast: ['denial'],
  admitPlace: ['denial'],
  deny: ['denial'],
  answer: ['whereabouts'],
  alibi: ['whereabouts'],
  ask: ['question'],
  believe: ['charge'],
  doubt: ['charge'],
  push: ['charge'],
  ballot: ['push'],
  ballotSkip: ['push'],
  locked: ['push'],
};
const FACTS = {
  who: 'blue',
  silent: 'blue',
  by: 'green',
  friend: 'pink',
  body: 'white',
  place: 'Admin',
  empty: 'Admin',
  earlier: 'Storage',
  said: 'Reactor',
  ago: 20,
  deed: 'vent',
  did: 'task',
  reason: { type: 'mute' },
} as const;

const AT_BLUE = [
  'deed',
  'insist',
  'atBody',
  'followed',
  'lastSeen',
  'clash',
  'misplaced',
  'falsehood',
  'believe',
  'push',
  'ballot',
  'locked',
] as const;
const AIMS: readonly string[] = ['deed', 'charge', 'push'];
const REASONS: readonly SuspicionReason[] = [
  { type: 'mute' },
  { type: 'hunch' },
  { type: 'told', by: 'green' },
  { type: 'named', by: 'green' },
  { type: 'placed', by: 'green', place: 'Admin' },
  { type: 'company', by: 'green' },
  { type: 'shadowed', by: 'green' },
  { type: 'lastWith', body: 'white', place: 'Admin hallway', ago: 20 },
  { type: 'atBody', body: 'white', place: 'Admin hallway' },
  { type: 'followed', place: 'Admin', ago: 20 },
  { type: 'misled', friend: 'pink' },
  { type: 'defended', friend: 'pink' },
  { type: 'earlier' },
  { type: 'contradicted', by: 'green', said: 'Reactor', place: 'Admin' },
  { type: 'falsehood', friend: 'pink' },
  { type: 'absent', place: 'Admin' },
  { type: 'near', place: 'Admin', ago: 20 },
  { type: 'witnessed', deed: 'vent', place: 'Admin', ago: 20 },
];

test.each(['vent', 'kill'] as const)(
  'one mind hears the message of another in every voice (deed: %s)',
  (deed) => {
    const chance = { seed: 1, colour: 'red', moment: 1 } as const;
    const lost: string[] = [];
    for (const phrases of [PLAIN, ...Object.values(VOICES)]) {
      for (const [type, meant] of Object.entries(MEANT)) {
        const sources = Object.entries(phrases).find(([name]) => name === type)?.[1] ?? [];
        for (const source of sources) {
          const text = fillTemplate(source, { ...FACTS, deed }, chance) ?? '';
          const target = /^de(?!ed)|^doubt$/.test(type) ? 'green' : 'blue';
          const found: readonly string[] = readClaims(line('red', text, target), 0).map(
            (item) => item.type,
          );
          if (!meant.some((wanted) => found.includes(wanted)))
            lost.push(`${type}: ${text} [${found}]`);
        }
      }
    }
    expect(lost).toEqual([]);
  },
);

test('a charge is understood against its target only', () => {
  const chance = { seed: 1, colour: 'red', moment: 1 } as const;
  const wrong: string[] = [];
  for (const phrases of [PLAIN, ...Object.values(VOICES)]) {
    for (const type of AT_BLUE) {
      for (const source of phrases[type] ?? []) {
        for (const reason of REASONS) {
          const text = fillTemplate(source, { ...FACTS, reason }, chance) ?? '';
          const aims = readClaims(line('red', text, 'blue'), 0).flatMap((item) =>
            AIMS.includes(item.type) && 'who' in item ? [item.who] : [],
          );
          if (aims.some((who) => who !== 'blue')) wrong.push(`${type}: ${text} [${aims}]`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['Blue', 'I came from Storage, Green, and ten seconds before the call I was in Admin.', 'Admin'],
  ['Blue', 'I was in Admin, coming from Storage.', 'Admin'],
  ['Blue', 'From Storage I went on; I was in Admin just before the call.', 'Admin'],
])('%s, saying "%s", is taken to have been in %s', (_, message, place) => {
  const stories = readClaims(line('blue', message), 0).filter(({ type }) => type === 'whereabouts');
  expect(stories).toEqual([expect.objectContaining({ place })]);
});

test.each([
  ['I was in Admin, Green, and Pink was with me.', 'pink'],
  ['I was in Admin and Pink was with me, Green.', 'pink'],
  ['Green, I saw Pink in Admin just before the call.', 'pink'],
  ['Green, I saw you in Admin just before the call.', 'green'],
])('"%s" places %s in Admin', (message, who) => {
  const seen = readClaims(line('blue', message, 'green'), 0).filter(
    ({ type }) => type === 'sighting',
  );
  expect(seen).toEqual([expect.objectContaining({ who, place: 'Admin' })]);
});

test.each([
  ['a room two doors away', 'I was in Reactor just before the call.', 'green'],
  ['a room next door', 'I was in Cafeteria just before the call.', 'skip'],
])('a story of %s, told against a witness', (_, story, suspect) => {
  const transcript = [
    line('yellow', 'White is dead.'),
    line('green', story),
    line('pink', 'I saw Green in Admin just before the call.'),
  ];
  const sightings = [seen('red', 'Weapons', 'task', 5)];
  const { vote } = replyTo(aView({ transcript, sightings, tick: 30 }), 'follower');
  if (suspect === 'skip') expect(vote).not.toBe('green');
  else expect(vote).toBe(suspect);
});

test('nobody speaks of themselves by name', () => {
  const falsehood = { type: 'falsehood', friend: 'red' } as const;
  for (const moment of [1, 2, 3, 4, 5, 6]) {
    const chance = { seed: 1, colour: 'red', moment } as const;
    const text = fillTemplate('{reason}', { who: 'blue', reason: falsehood }, chance);
    expect(text).toMatch(/ about me /);
  }
});

test('a crewmate owns up to a walk that was seen, and denies one that never was', () => {
  const sightings = [seen('red', 'Admin', 'task', 5), seen('red', 'Electrical', 'passing', 30)];
  const answerTo = (place: Room, temperament: Temperament) => {
    const charge = line('green', `I saw Red in ${place} half a minute before the call.`);
    const transcript = [line('yellow', 'White is dead.'), charge];
    return replyTo(aView({ sightings, transcript }), temperament);
  };
  const denies = (place: Room) =>
    new RegExp(`(?:not|n’t|never)\\b[^.]*\\b${place}|[Tt]hat wasn’t me|remember ${place}`);
  for (const temperament of TEMPERAMENTS) {
    expect(answerTo('Electrical', temperament).target).toBe('green');
    expect(answerTo('Electrical', temperament).message).not.toMatch(denies('Electrical'));
    expect(answerTo('Reactor', temperament).target).toBe('green');
    expect(answerTo('Reactor', temperament).message).toMatch(denies('Reactor'));
  }
});

test('no sentence names a player by accident', () => {
  const name = new RegExp(`\\b(?:${COLOURS.join('|')})\\b`, 'i');
  for (const phrases of [PLAIN, ...Object.values(VOICES)]) {
    for (const source of Object.values(phrases).flat()) expect(source).not.toMatch(name);
  }
});

test('every list of phrases belongs to a speech act and names only slots that can be filled', () => {
  const acts = new Set([...Object.keys(PLAIN), 'listen', 'listenSuspect']);
  for (const lists of [...Object.values(VOICES), thoughts.crewmate, thoughts.impostor]) {
    for (const act of Object.keys(lists)) expect(acts).toContain(act);
  }
  const slot =
    /\{(?:who|silent|by|friend|body|place|empty|earlier|said|when|deed|doing|others|reason)\}/g;
  for (const phrase of [plain, voices, thoughts, ghosts].flatMap(listTexts))
    expect(phrase.replace(slot, '')).toMatch(/^[^{}]+$/);
});

function listTexts(value: object | string): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(listTexts);
}
