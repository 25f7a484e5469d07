import { describe, expect, test } from 'vitest';
import { maskFacts, readClaims } from '../../../actors/minds/scripted/hearing.ts';
import { createScriptedMind } from '../../../actors/minds/scripted/mind.ts';
import ghosts from '../../../actors/minds/scripted/phrases/ghosts.json' with { type: 'json' };
import { maskTemplate, PLAIN, VOICES } from '../../../actors/minds/scripted/speech.ts';
import { namePlace, rounding, sayTime } from '../../../actors/minds/scripted/wording.ts';
import type { GalleryLine } from '../../../machines/rules/views.ts';
import type { Colour, Place, Reply, Utterance } from '../../../machines/types.ts';
import { TEMPERAMENTS } from '../../../machines/types.ts';
import { markMessage } from '../../../prompts/claims/marking.ts';
import { readAgo } from '../../../prompts/claims/reading.ts';
import { QUIET_WORLD } from '../../machines/builders.ts';
import { aGallery, aView, DEAD, haunt, line, replyTo, seen, type Wanted } from './sitting.ts';

const SEEDS = Array.from({ length: 30 }, (_, index) => index);
const OPENED = [line('yellow', 'White is dead in Electrical.')];
const AT_ONCE = 'I was in Admin just before the call.';

function repliesTo(wanted: Wanted): readonly Reply[] {
  return TEMPERAMENTS.flatMap((voice) => SEEDS.map((seed) => replyTo(aView(wanted), voice, seed)));
}

const claimsOf = ({ message, target }: Reply) => readClaims(line('red', message, target), 0);

describe('who is asked for a room', () => {
  const QUIET = /awfully quiet|not heard|as chatty as|lets the others talk/;
  const own = line('red', AT_ONCE);
  const tell = (transcript: readonly Utterance[]) =>
    repliesTo({ transcript }).filter(
      ({ message, thought }) => QUIET.test(message) || QUIET.test(thought),
    );

  test('is called quiet before they have said a word', () => {
    expect(tell([...OPENED, own]).length).toBeGreaterThan(0);
  });

  test('is not called quiet after it, though they have told no room', () => {
    const words = (['blue', 'green', 'pink'] as const).map((seat) => line(seat, 'Oh dear.'));
    expect(tell([...OPENED, own, ...words])).toEqual([]);
  });
});

test('nobody claims to have had somebody beside them all the way: a pair is company for a while', () => {
  for (const { pair = [] } of [PLAIN, ...Object.values(VOICES)])
    for (const source of pair)
      expect(source).not.toMatch(/whole way|stayed|never left|all the time/);
});

test.each([
  [0, true],
  [2.5, true],
  [3.9, true],
  [4, false],
  [5, false],
  [7.5, false],
  [25, false],
])('%d s before the call is "when they called us": %s', (ago, isAtOnce) => {
  for (const share of [0, 0.3, 0.6, 0.9]) {
    const said = sayTime(ago, share);
    expect(/^(?:right|just|when)/.test(said), said).toBe(isAtOnce);
    expect(Math.abs((readAgo(markMessage(said)) ?? Number.NaN) - ago)).toBeLessThanOrEqual(5);
    expect(maskFacts(`I was in Admin ${said}.`)).toBe(maskFacts(AT_ONCE));
  }
});

test('a time that is not at once is off by no more than its rounding', () => {
  for (let ago = 4; ago <= 62; ago += 0.5)
    expect(Math.abs((readAgo(markMessage(sayTime(ago, 0))) ?? 99) - ago)).toBeLessThanOrEqual(
      rounding(ago),
    );
});

describe('who reports a body', () => {
  const ALONE = /nobody leave|Nobody was standing|All was quiet/;
  const found = [seen('red', 'Electrical', 'passing', 2), seen('white', 'Electrical', 'dead', 2)];
  const call = { by: 'red', kind: 'body', body: 'white', place: 'Electrical' } as const;
  const count = (sightings: Wanted['sightings'], role: 'crewmate' | 'impostor' = 'crewmate') =>
    repliesTo({ sightings: sightings ?? [], call, role }).filter(({ message }) =>
      ALONE.test(message),
    ).length;

  test('may say that nobody was there', () => expect(count(found)).toBeGreaterThan(0));

  test('does not say so after they saw somebody there', () => {
    expect(count([...found, seen('blue', 'Electrical', 'passing', 10)])).toBe(0);
  });

  test('says so where somebody was there long before, or next door', () => {
    expect(count([...found, seen('blue', 'Electrical', 'passing', 11)])).toBeGreaterThan(0);
    expect(count([...found, seen('blue', 'Electrical hallway', 'passing', 2)])).toBeGreaterThan(0);
  });

  test('lies about it as an impostor', () => {
    const beside = [...found, seen('blue', 'Electrical', 'passing', 2)];
    expect(count(beside, 'impostor')).toBeGreaterThan(0);
  });
});

test('a witness of the kill does not go on to tell that the killer stood at the body', () => {
  const sightings = [
    seen('red', 'Storage', 'task', 12),
    seen('red', 'Electrical', 'passing', 2),
    seen('white', 'Electrical', 'dead', 2),
    seen('blue', 'Electrical', 'kill', 2),
    seen('blue', 'Electrical', 'passing', 2),
  ];
  const told = line('red', 'I saw Blue make the kill in Electrical just before the call.', 'blue');
  const beside = { type: 'company', who: 'blue', whom: null };
  const after = repliesTo({ sightings, transcript: [...OPENED, told, line('green', 'Oh dear.')] });
  for (const reply of after)
    expect(claimsOf(reply), reply.message).not.toContainEqual(expect.objectContaining(beside));
});

describe('a charge that is believed', () => {
  const against = (ballot: Colour | 'skip' | null) =>
    repliesTo({
      ballot,
      transcript: [
        ...OPENED,
        line('red', AT_ONCE),
        line('pink', 'I saw Blue vent in Electrical when they called us.', 'blue'),
      ],
    }).filter((reply) =>
      claimsOf(reply).some((item) => item.type === 'charge' && item.who === 'blue'),
    ).length;

  test('is joined by who has not voted, has skipped or has voted for the same', () => {
    for (const ballot of [null, 'skip', 'blue'] as const)
      expect(against(ballot)).toBeGreaterThan(0);
  });

  test('is not joined by who has locked a vote for another', () => {
    expect(against('green')).toBe(0);
  });
});

describe('an impostor', () => {
  const sightings = [
    seen('red', 'Electrical', 'kill', 20),
    seen('red', 'Electrical', 'passing', 3),
  ];
  const asked = [...OPENED, line('green', 'Red, where were you?', 'red')];
  const noteAfter = (transcript: readonly Utterance[], seed: number) => {
    const told = {
      ...({ outcome: 'skipped', ejected: null, role: null, remaining: 1 } as const),
      ...{ ballots: [], sentence: null },
    };
    const view = aView({ role: 'impostor', sightings, transcript, told });
    const mind = createScriptedMind(seed, 'red', 'leader');
    return JSON.stringify(mind.answer({ kind: 'consolidation', index: 30, view }));
  };

  test('an impostor notes the room that they claimed, and no other', () => {
    let kept = 0;
    for (const seed of SEEDS) {
      expect(noteAfter(asked, seed)).not.toContain('I told them');
      const view = aView({ role: 'impostor', sightings, transcript: asked });
      const { message, target } = replyTo(view, 'leader', seed);
      const spoken = line('red', message, target);
      const stays = readClaims(spoken, 0).flatMap((item) =>
        item.type === 'whereabouts' ? [`I told them ${namePlace(item.place)};`] : [],
      );
      const note = noteAfter([...asked, spoken], seed);
      const told = /I told them [^;]+;/.exec(note)?.[0];
      if (told === undefined) continue;
      expect(stays).toContain(told);
      kept += 1;
    }
    expect(kept).toBeGreaterThan(0);
  });
});

const KILL = { type: 'kill', by: 'blue', victim: 'white', place: 'Admin', ago: 9 } as const;

describe('ghosts', () => {
  test.each(SEEDS)('say no turn of phrase twice, of themselves or of others (seed %d)', (seed) => {
    const chat: GalleryLine[] = [];
    const world = { ...QUIET_WORLD, deeds: [{ ...KILL, meeting: 1, at: 0 }] };
    for (let turn = 0; turn < 20; turn++) {
      const me = turn % 2 === 1 ? 'white' : 'green';
      const { message } = haunt(aGallery(me, { world }, { turn, chat: [...chat] }), seed);
      if (message !== '') chat.push({ speaker: me, message, heard: 1 });
    }
    const turns = chat.map(({ message }) => maskFacts(message).replace(/\bme\b/gi, '@'));
    expect(turns.length).toBeGreaterThan(3);
    expect(new Set(turns).size).toBe(turns.length);
  });

  test.each([
    ['nobody', null],
    ['a crewmate', 'red'],
    ['an impostor', 'blue'],
  ] as const)('think each their own when %s goes', (_, ejected) => {
    const announced = {
      ...({ outcome: ejected === null ? 'skipped' : 'ejected', ejected, role: null } as const),
      ...{ remaining: 1, ballots: [], sentence: null },
    };
    for (const seed of SEEDS) {
      const thoughts = DEAD.map((me) => haunt(aGallery(me, { announced }), seed).thought);
      expect(new Set(thoughts).size, thoughts.join(' | ')).toBe(DEAD.length);
    }
  });

  describe('hold a story against the room it ends in', () => {
    const caught = new Set(ghosts.remarks.caught.crewmate.map(maskTemplate));
    const count = (stood: Place) => {
      const way = 'Yes, I came through Storage, Red, and out again. It wasn’t me.';
      const transcript = [line('blue', `${way} I was in Shields just before the call.`, 'red')];
      const world = { ...QUIET_WORLD, places: { blue: stood } };
      return SEEDS.filter((seed) =>
        caught.has(maskFacts(haunt(aGallery('white', { world }, { transcript }), seed).message)),
      ).length;
    };

    test('which is true, whatever lay on the way', () => expect(count('Shields')).toBe(0));
    test('which is a lie', () => expect(count('Reactor')).toBeGreaterThan(0));
  });
});
