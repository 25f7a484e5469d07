import { expect, test } from 'vitest';
import { readClaims } from '../../../actors/minds/scripted/hearing.ts';
import { readPast, walkSeconds } from '../../../actors/minds/scripted/memory.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import { assessSituation, prepareGrounds } from '../../../actors/minds/scripted/situation.ts';
import { applyLessons } from '../../../actors/minds/scripted/traits.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import { COLOURS, type Colour, type Place, TEMPERAMENTS } from '../../../machines/types.ts';
import { aView, line, replyTo, seen, type Wanted } from './sitting.ts';

const OPENED = [line('yellow', 'White is dead in Electrical.')];

function toldIn(wanted: Wanted, temperament: (typeof TEMPERAMENTS)[number]) {
  const { message, target } = replyTo(aView({ transcript: OPENED, ...wanted }), temperament);
  return readClaims(line(wanted.me ?? 'red', message, target), 0);
}

function assess(view: LivingView) {
  const chance = { seed: 1, colour: 'red', moment: 1 } as const;
  const { traits } = applyLessons('sceptic').crewmate;
  return assessSituation(view, prepareGrounds(view, chance), {
    temperament: 'sceptic',
    traits,
    chance,
  });
}

function keptAfter(wanted: Wanted, ejected: Colour, role: 'crewmate' | 'impostor'): string {
  const view = aView({
    ...wanted,
    told: { outcome: 'ejected', ejected, role, remaining: 1, ballots: [], sentence: null },
  });
  const { kind: _, ...rest } = { kind: 'discussion', index: 30, view };
  const answer = createScriptedMind(5, 'red', 'sceptic').answer({ kind: 'consolidation', ...rest });
  return JSON.stringify(answer);
}

test.each(TEMPERAMENTS)('a %s who saw somebody at the body says so', (temperament) => {
  const sightings = [
    seen('red', 'Storage', 'task', 12),
    seen('red', 'Electrical', 'passing', 2),
    seen('white', 'Electrical', 'dead', 2),
    seen('blue', 'Electrical', 'passing', 2),
  ];
  expect(toldIn({ sightings }, temperament)).toContainEqual(
    expect.objectContaining({ type: 'company', who: 'blue', whom: null }),
  );
});

test('who walked in together with the player is not taken for a killer', () => {
  const sightings = [
    seen('red', 'Electrical hallway', 'passing', 5),
    seen('blue', 'Electrical hallway', 'passing', 5),
    seen('red', 'Electrical', 'passing', 2),
    seen('white', 'Electrical', 'dead', 2),
    seen('blue', 'Electrical', 'passing', 2),
  ];
  for (const temperament of TEMPERAMENTS)
    expect(toldIn({ sightings }, temperament)).not.toContainEqual(
      expect.objectContaining({ type: 'company', who: 'blue' }),
    );
});

test.each(TEMPERAMENTS)('a %s tells who was last seen with the victim', (temperament) => {
  const sightings = [
    seen('red', 'Admin', 'task', 5),
    seen('red', 'Electrical', 'passing', 30),
    seen('white', 'Electrical', 'task', 30),
    seen('green', 'Electrical', 'task', 30),
  ];
  const transcript = [...OPENED, line('red', 'I was in Admin just before the call.')];
  const close = line(
    'red',
    'I have to mention Green. I saw Green in Electrical half a minute before the call.',
  );
  const told = toldIn(
    { sightings, transcript: [...transcript, close, line('blue', 'Go on.')] },
    temperament,
  );
  expect(told).toContainEqual(expect.objectContaining({ type: 'company', who: 'green' }));
});

test.each([
  ['lived after that', 20, 'skip'],
  ['was not seen again', 60, 'green'],
])('to have been where the victim %s burdens nobody or somebody', (_, lastAlive, suspect) => {
  const sightings = [
    seen('red', 'Admin', 'task', 5),
    seen('red', 'Electrical', 'passing', 40),
    seen('green', 'Electrical', 'lurking', 40),
    seen('red', 'Storage', 'passing', lastAlive),
    seen('white', 'Storage', 'passing', lastAlive),
  ];
  const { vote } = replyTo(aView({ sightings, transcript: OPENED, tick: 40 }), 'leader');
  expect(vote === 'green' ? 'green' : 'skip').toBe(suspect);
});

const TRUSTING = TEMPERAMENTS.filter((temperament) => temperament !== 'sceptic');

test.each(TRUSTING)('a %s speaks for who stayed with them', (temperament) => {
  const sightings = [5, 15, 25].flatMap((ago) => [
    seen('red', 'Admin', 'task', ago),
    seen('blue', 'Admin', 'task', ago),
  ]);
  const charge = line('green', 'I suspect Blue.', 'blue');
  expect(toldIn({ sightings, transcript: [...OPENED, charge] }, temperament)).toContainEqual(
    expect.objectContaining({ type: 'support', who: 'blue' }),
  );
});

test.each([
  ['I believe Yellow that the killer is Blue.', 'blue'],
  ['I would name Blue as the killer: Yellow sounded sure.', 'blue'],
  ['I would name Blue as the killer, Yellow sounded sure.', 'blue'],
  ['Yellow said it, so Blue is the impostor.', 'blue'],
  ['Yellow convinced me, I vote Blue.', 'blue'],
])('"%s" is against %s and not against the witness', (message, culprit) => {
  const aims = readClaims(line('green', message, null), 0).filter(
    ({ type }) => type === 'charge' || type === 'push' || type === 'deed',
  );
  expect(aims.length).toBeGreaterThan(0);
  for (const aim of aims) expect(aim).toMatchObject({ who: culprit });
});

test('a witness who is named beside the accused does not defend themselves', () => {
  const transcript = [
    ...OPENED,
    line('red', 'I was in Admin just before the call.'),
    line('green', 'I would name Blue as the killer: Red sounded sure.', 'blue'),
  ];
  for (const temperament of TEMPERAMENTS) {
    const { message, target } = replyTo(aView({ transcript }), temperament);
    const said = readClaims(line('red', message, target), 0);
    expect(
      said.map(({ type }) => type),
      message,
    ).not.toContain('denial');
  }
});

test('a witness whom a second one bears out is not suspected any more', () => {
  const claim = line('blue', 'I saw Pink vent in Electrical.', 'pink');
  const sightings = [seen('red', 'Admin', 'task', 5), seen('blue', 'Electrical', 'lurking', 20)];
  const alone = aView({ sightings, transcript: [...OPENED, claim], tick: 40 });
  const again = line('green', 'I saw Pink vent in Electrical too.', 'pink');
  const both = aView({ sightings, transcript: [...OPENED, claim, again], tick: 40 });
  expect(replyTo(alone, 'sceptic').vote).toBe('blue');
  expect(replyTo(both, 'sceptic').vote).toBe('pink');
  const weigh = (view: LivingView) =>
    assess(view).suspects.find(({ seat }) => seat === 'blue')?.pressure ?? 0;
  expect(weigh(alone)).toBeGreaterThan(0);
  expect(weigh(both)).toBeLessThan(0);
});

test('who was right about an impostor is not watched after the ejection', () => {
  const sightings = [seen('red', 'Admin', 'task', 5), seen('blue', 'Electrical', 'lurking', 20)];
  const transcript = [...OPENED, line('blue', 'I saw Pink vent in Electrical.', 'pink')];
  expect(keptAfter({ sightings, transcript }, 'pink', 'impostor')).not.toContain('Watch Blue');
  expect(keptAfter({ sightings, transcript }, 'pink', 'crewmate')).toContain('Watch Blue');
});

test('the thought of a tick in which a player votes mentions the vote', () => {
  const sightings = [seen('red', 'Admin', 'task', 5), seen('blue', 'Electrical', 'vent', 15)];
  for (const temperament of TEMPERAMENTS) {
    const transcript = [...OPENED, line('red', 'I was in Admin.')];
    const { vote, thought } = replyTo(aView({ sightings, transcript, tick: 20 }), temperament);
    expect(vote).toBe('blue');
    expect(thought).toContain('Blue');
  }
});

test('an impostor keeps to the truth where somebody saw them, and leaves out the rest', () => {
  const sightings = [
    seen('blue', 'Lower Engine', 'passing', 5),
    seen('green', 'Lower Engine', 'task', 5),
    seen('blue', 'Electrical', 'kill', 20),
  ];
  const asked = [...OPENED, line('green', 'Where were you, Blue?', 'blue')];
  for (const temperament of TEMPERAMENTS) {
    const said = toldIn(
      { me: 'blue', role: 'impostor', sightings, transcript: asked },
      temperament,
    );
    const places = said.flatMap((item) => (item.type === 'whereabouts' ? [item.place] : []));
    expect(places).toEqual(['Lower Engine']);
  }
});

test('the notebook of earlier meetings is read back', () => {
  const page =
    'Nobody was ejected. Watch Green: my gut says so.\nPink was ejected: a crewmate. Watch Blue: they talked us into Pink. Green is clear to me. Proven: Green. One of Red, Blue.';
  expect(readPast(page)).toEqual({
    watched: new Set(['green', 'blue']),
    cleared: new Set(['green']),
    proven: new Set(['green']),
    last: { type: 'wrong', ejected: 'pink' },
  });
  expect(readPast('Meeting: I voted blue; black was ejected.').last).toEqual({
    type: 'unknown',
    ejected: 'black',
  });
  expect(readPast('Remember to drink water.').last).toBeNull();
});

test('an old suspicion decides if there is no other evidence', () => {
  const sightings = [seen('red', 'Admin', 'task', 5)];
  const spread = ['blue', 'green', 'pink'] as const;
  const transcript = [
    ...OPENED,
    ...spread.map((colour) => line(colour, 'I was in Reactor just before the call.')),
    line('blue', 'I suspect Green.', 'green'),
    line('pink', 'Green is suspicious.', 'green'),
  ];
  const view = (page: string) => aView({ sightings, transcript, tick: 40, page });
  expect(replyTo(view(''), 'diplomat').vote).not.toBe('blue');
  const page = 'A tie: nobody left. Watch Green: my gut says so.';
  expect(replyTo(view(page), 'diplomat').vote).toBe('green');
});

test('who reports a body of their own had time to walk there from where they say they were', () => {
  const alive = [seen('green', 'Cafeteria', 'passing', 40), seen('blue', 'Cafeteria', 'task', 40)];
  const places = new Set<Place>();
  for (let seed = 0; seed < 60; seed++) {
    const { sightings, ...at } = {
      sightings: [
        seen('blue', 'Navigation', 'kill', 12),
        seen('blue', 'Navigation', 'lurking', 10),
        seen('blue', 'Navigation', 'lurking', 2.5),
        seen('white', 'Navigation', 'dead', 2.5),
      ],
      me: 'blue',
      role: 'impostor',
      call: { by: 'blue', kind: 'body', body: 'white', place: 'Navigation' },
    } as const;
    const view = aView({
      ...at,
      sightings: [...alive, ...sightings],
      transcript: [line('blue', 'White is dead.'), line('green', 'Where were you, Blue?', 'blue')],
    });
    const { message, target } = replyTo(view, 'leader', seed);
    for (const item of readClaims(line('blue', message, target), 0))
      if (item.type === 'whereabouts' && (item.ago ?? 0) <= 20) places.add(item.place);
  }
  expect(places.size).toBeGreaterThan(1);
  // Fifteen seconds before the call, and three for the rounding of times.
  for (const place of places)
    expect(walkSeconds(place, 'Navigation'), place).toBeLessThanOrEqual(18);
});

test('at a large table nobody is blamed for silence before all could have spoken', () => {
  const colours = COLOURS.filter((colour) => colour !== 'white').slice(0, 13);
  const seats = [
    ...colours.map((colour) => ({ colour, standing: 'living', voted: false }) as const),
    { colour: 'white', standing: 'dead', voted: false } as const,
  ];
  const countBlamed = (lines: number, wanted: Wanted = {}) => {
    const transcript = Array.from({ length: lines }, (_, index) =>
      line(index % 2 === 0 ? 'yellow' : 'green', `I was in Admin, point ${index}.`),
    );
    const view = aView({ ...wanted, transcript });
    return assess(view).suspects.filter(({ reason }) => reason?.type === 'mute').length;
  };
  expect(countBlamed(6)).toBe(0);
  expect(countBlamed(7)).toBe(2);
  expect(countBlamed(11, { seats })).toBe(0);
  expect(countBlamed(12, { seats })).toBe(10);
});

test('a question is put to the one it is said to, whoever else it names', () => {
  const asked = (message: string, target: Colour | null) =>
    readClaims(line('red', message, target), 0);
  const expected = [expect.objectContaining({ type: 'question', who: 'blue' })];
  expect(asked('Where were you when White died?', 'blue')).toEqual(expected);
  expect(asked('Blue, where were you when White died?', null)).toEqual(expected);
  expect(asked('Where was Blue when it happened?', 'green')).toEqual(expected);
});

test('an impostor invents no sighting that the table has heard to be false', () => {
  const sightings = [
    seen('blue', 'Lower Engine', 'task', 5),
    seen('green', 'Lower Engine', 'task', 5),
  ];
  const base = [
    line('yellow', 'White is dead in Electrical.'),
    line('green', 'I was in Lower Engine just before the call.'),
    line('yellow', 'I went straight there.'),
    line('green', 'I saw nobody else.'),
  ];
  const heard = line('yellow', 'I saw Pink in Navigation ten seconds before the call.');
  const heardRed = line('yellow', 'I saw Red in Navigation ten seconds before the call.');
  const framedIn = (transcript: readonly ReturnType<typeof line>[]) => {
    const framed = new Set<Colour>();
    for (let seed = 0; seed < 200; seed++) {
      const view = aView({
        me: 'blue',
        role: 'impostor',
        sightings,
        transcript,
        tick: transcript.length,
      });
      const { message, target } = replyTo(view, 'accuser', seed);
      for (const item of readClaims(line('blue', message, target), 0))
        if (item.type === 'sighting' && item.who !== 'green') framed.add(item.who);
    }
    return framed;
  };
  expect(framedIn(base).size).toBeGreaterThan(0);
  const bound = framedIn([...base, heard, heardRed]);
  expect(bound.has('pink')).toBe(false);
  expect(bound.has('red')).toBe(false);
});

test('a crewmate clears who did a visual task, and an impostor keeps it to themselves', () => {
  const sightings = [seen('red', 'Weapons', 'passing', 20), seen('blue', 'Weapons', 'visual', 20)];
  const clears = (role: 'crewmate' | 'impostor') =>
    TEMPERAMENTS.filter((temperament) =>
      toldIn({ sightings, role }, temperament).some(
        (item) => item.type === 'support' && item.visual,
      ),
    );
  expect(clears('crewmate').length).toBeGreaterThan(0);
  expect(clears('impostor')).toEqual([]);
});
