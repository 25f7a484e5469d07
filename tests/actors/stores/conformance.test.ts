import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashText } from '../../../actors/ports/hash.ts';
import { packJournal, unpackJournal } from '../../../actors/stores/journal.ts';
import { BLANK_MEMORY, KEPT_VERSIONS, personaId } from '../../../actors/stores/persona.ts';
import { describePersona } from '../../../actors/stores/result.ts';
import type { Store } from '../../../actors/stores/store.ts';
import { aLesson, aResult, aSeat, gathered, PLACES, type Place } from './kept.ts';

const ODD = [
  'gpt-4o:free_aggressive leader',
  'llama-3.1:8b/instruct_{glassbox}:v1:personas',
  'модель_смелый лидер',
  '模型_😀',
  'it\'s_"quoted" % * ? [a-z] \\',
  `long_${'x'.repeat(295)}`,
  '__proto___constructor',
];

describe.each(PLACES)('$kind', ({ place: make }) => {
  let place: Place;
  let store: Store;
  beforeAll(async () => {
    place = await make();
    store = await place.open();
  });
  afterAll(async () => {
    await store?.close();
    await place?.end();
  });
  let count = 0;
  const aName = (word: string) => `${word} ${count++}`;

  test('a result that is none is refused, and leaves no trace', async () => {
    const tally = { microdollars: Number.NaN };
    const broken = aResult({ league: 'no result', seats: [aSeat({ persona: 'nobody', tally })] });
    await expect(store.record(broken, null)).rejects.toThrow();
    expect(await store.slots('no result')).toEqual([]);
    expect(await store.career('scripted_nobody')).toBeNull();
  });

  test('who was never enrolled is not there, and has learned nothing', async () => {
    expect(await store.career('nobody')).toBeNull();
    expect(await store.memory('nobody')).toEqual(BLANK_MEMORY);
    expect(await store.history('nobody')).toEqual([]);
    expect(await gathered(store.results('nowhere'))).toEqual([]);
    expect(await store.slots('nowhere')).toEqual([]);
    expect(await store.settled('nowhere', 'plan')).toBeNull();
  });

  test('a persona is enrolled once', async () => {
    const persona = { model: 'm', name: aName('once') };
    expect(await store.enrol(persona)).toBe('new');
    expect(await store.enrol(persona)).toBe('known');
    expect(await store.career(personaId(persona))).toEqual({ persona, counters: {} });
    expect(await store.personas()).toContain(personaId(persona));
  });

  test('two pairs that spell one id are distinguished, and the first keeps it', async () => {
    const [first, second] = [
      { model: 'gpt', name: 'free_leader' },
      { model: 'gpt_free', name: 'leader' },
    ];
    expect(personaId(first)).toBe(personaId(second));
    expect(await store.enrol(first)).toBe('new');
    expect(await store.enrol(second)).toBe('taken');
    const league = aName('taken');
    const seats = [aSeat({ model: second.model, persona: second.name })];
    expect(await store.record(aResult({ league, seats }), null)).toBe('taken');
    expect(await store.slots(league)).toEqual([]);
  });

  test('a result is counted once, whatever comes again', async () => {
    const league = aName('league');
    const persona = aName('once more');
    const seats = [aSeat({ persona, won: true, tally: { votes_impostor: 2 } })];
    const result = aResult({ league, seats });
    expect(await store.record(result, null)).toBe('recorded');
    expect(await store.record({ ...result, clock: { ms: 7 } }, null)).toBe('duplicate');
    expect(await store.record({ ...result, rounds: 41 }, null)).toBe('conflict');
    expect(await gathered(store.results(league))).toEqual([{ ...result, clock: {} }]);
    const id = personaId({ model: 'scripted', name: persona });
    expect((await store.career(id))?.counters).toEqual({
      games: 1,
      seats: 1,
      wins: 1,
      'crewmate.seats': 1,
      'crewmate.wins': 1,
      'crewmate.votes_impostor': 2,
    });
  });

  test('the document of a persona has the rates of its games', async () => {
    const league = aName('league');
    const persona = aName('rated');
    const play = (slot: number, role: 'crewmate' | 'impostor', won: boolean) =>
      store.record(aResult({ league, slot, seats: [aSeat({ persona, role, won })] }), null);
    await play(0, 'crewmate', true);
    await play(1, 'crewmate', false);
    await play(2, 'crewmate', false);
    await play(3, 'impostor', true);
    const id = personaId({ model: 'scripted', name: persona });
    expect(await documentOf(id)).toEqual({
      persona_id: id,
      learned: { version: 0, lessons: [] },
      games_played: 4,
      seats_played: 4,
      win_rate: 0.5,
      impostor_win_rate: 1,
      crewmate_win_rate: 1 / 3,
      stats: {
        games: 4,
        seats: 4,
        wins: 2,
        'crewmate.seats': 3,
        'crewmate.wins': 1,
        'impostor.seats': 1,
        'impostor.wins': 1,
      },
    });
  });

  test('a persona with two seats of one game has played one game', async () => {
    const persona = aName('twice');
    const seats = [aSeat({ persona }), aSeat({ persona, colour: 'blue', won: true })];
    await store.record(aResult({ league: aName('league'), seats }), null);
    const career = await store.career(personaId({ model: 'scripted', name: persona }));
    expect(career?.counters).toMatchObject({ games: 1, seats: 2, wins: 1 });
  });

  test('a game without a winner is no loss', async () => {
    const league = aName('league');
    const persona = aName('undecided');
    const seats = [aSeat({ persona }), aSeat({ persona, colour: 'blue', role: 'impostor' })];
    await store.record(aResult({ league, seats, winner: null, reason: 'unfinished' }), null);
    const won = [aSeat({ persona, won: true })];
    await store.record(aResult({ league, slot: 1, seats: won, winner: 'crew' }), null);
    const id = personaId({ model: 'scripted', name: persona });
    expect(await documentOf(id)).toMatchObject({
      games_played: 2,
      seats_played: 3,
      win_rate: 1,
      crewmate_win_rate: 1,
      impostor_win_rate: null,
    });
  });

  test('results come in the order of their slots, also while others are written', async () => {
    const league = aName('league');
    for (const slot of [210, 3, 100, 20]) await store.record(aResult({ league, slot }), null);
    expect(await store.slots(league)).toEqual([3, 20, 100, 210]);
    const seen: number[] = [];
    for await (const { slot } of store.results(league)) {
      seen.push(slot);
      await store.record(aResult({ league, slot: slot + 1000 }), null);
    }
    expect(seen.slice(0, 4)).toEqual([3, 20, 100, 210]);
    const many = aName('league');
    for (let slot = 0; slot < 250; slot++)
      await store.record(aResult({ league: many, slot }), null);
    const slots = (await gathered(store.results(many))).map(({ slot }) => slot);
    expect(slots).toEqual(Array.from({ length: 250 }, (_, slot) => slot));
  });

  test('results are read from a slot up to another one', async () => {
    const league = aName('window');
    for (const slot of [0, 1, 2, 3, 7]) await store.record(aResult({ league, slot }), null);
    const between = async (least?: number, most?: number) =>
      (await gathered(store.results(league, least, most))).map(({ slot }) => slot);
    expect(await between()).toEqual([0, 1, 2, 3, 7]);
    expect(await between(1)).toEqual([1, 2, 3, 7]);
    expect(await between(1, 3)).toEqual([1, 2]);
    expect(await between(2, 2)).toEqual([]);
    expect(await between(3, 8)).toEqual([3, 7]);
    expect(await between(4, 7)).toEqual([]);
  });

  test('an audit finds every result, and a removed result can be recorded again', async () => {
    const league = aName('audit');
    expect(await store.audit(league)).toEqual({ results: [], damages: [], missing: 0 });
    const persona = aName('audited');
    const id = personaId({ model: 'scripted', name: persona });
    const make = (slot: number) => aResult({ league, slot, seats: [aSeat({ persona })] });
    for (const slot of [4, 0, 9]) await store.record(make(slot), null);
    const { results, damages, missing } = await store.audit(league);
    expect(results.map(({ slot }) => slot)).toEqual([0, 4, 9]);
    expect([damages, missing]).toEqual([[], 0]);
    await store.discard(league, [4, 5]);
    expect(await store.slots(league)).toEqual([0, 9]);
    expect((await store.audit(league)).missing).toBe(0);
    expect((await store.career(id))?.counters['games']).toBe(3);
    await store.rebuild((game) => game.league === league && game.slot === 9);
    expect((await store.career(id))?.counters['games']).toBe(1);
    await store.rebuild();
    expect((await store.career(id))?.counters['games']).toBe(2);
    expect(await store.record(make(4), null)).toBe('recorded');
    expect((await store.career(id))?.counters['games']).toBe(3);
    expect((await store.audit(league)).missing).toBe(0);
  });

  test('a memory is changed by whoever has seen it last, and goes back by going on', async () => {
    const id = aName('pupil');
    const taught = (texts: readonly string[]) => ({
      lessons: texts.map(aLesson),
      why: 'taught' as const,
      barrier: '',
    });
    expect(await store.teach(id, 0, taught(['one']))).toEqual({ type: 'taught', version: 1 });
    expect(await store.teach(id, 0, taught(['other']))).toEqual({ type: 'stale', version: 1 });
    expect(await store.teach(id, 1, taught(['one', 'two']))).toEqual({
      type: 'taught',
      version: 2,
    });
    expect((await store.memory(id))?.lessons.map(({ text }) => text)).toEqual(['one', 'two']);
    expect((await store.memory(id, 1))?.lessons.map(({ text }) => text)).toEqual(['one']);
    expect(await store.memory(id, 0)).toEqual(BLANK_MEMORY);
    expect(await store.memory(id, 9)).toBeNull();
    expect((await store.history(id)).map(({ version }) => version)).toEqual([1, 2]);
  });

  test('old versions go, and the latest stay', async () => {
    const id = aName('scholar');
    const change = { lessons: [], why: 'taught' as const, barrier: '' };
    for (let seen = 0; seen < KEPT_VERSIONS + 3; seen++) await store.teach(id, seen, change);
    const history = await store.history(id);
    expect(history.length).toBe(KEPT_VERSIONS);
    expect(history.at(0)?.version).toBe(4);
    expect(await store.memory(id, 3)).toBeNull();
    expect((await store.memory(id))?.version).toBe(KEPT_VERSIONS + 3);
  });

  test('the first settled value holds', async () => {
    const league = aName('league');
    expect(await store.settle(league, 'plan', 'a')).toBe('a');
    expect(await store.settle(league, 'plan', 'b')).toBe('a');
    expect(await store.settle(league, 'other', 'c')).toBe('c');
    expect(await store.settled(league, 'plan')).toBe('a');
    expect(await store.leagues()).toContain(league);
  });

  test('whoever takes a game over fences off the one before', async () => {
    const game = { league: aName('league'), slot: 4 };
    const result = aResult(game);
    expect(await store.claim(game)).toBe(1);
    expect(await store.append(game, 1, 0, 'a')).toBe('appended');
    expect(await store.append(game, 1, 2, 'c')).toBe('gap');
    expect(await store.claim(game)).toBe(2);
    expect(await store.append(game, 1, 1, 'b')).toBe('fenced');
    expect(await store.record(result, 1)).toBe('fenced');
    expect(await store.append(game, 2, 1, 'B')).toBe('appended');
    expect(await store.pieces(game)).toEqual({ pieces: 2, text: 'aB' });
    expect(await store.append(game, 2, 0, 'anew')).toBe('appended');
    expect(await store.pieces(game)).toEqual({ pieces: 1, text: 'anew' });
    expect(await store.record(result, 2)).toBe('recorded');
    expect(await store.record(result, 1)).toBe('duplicate');
    expect(await store.pieces(game)).toEqual({ pieces: 0, text: '' });
  });

  test('a journal comes in one step with its result, and the first one stays', async () => {
    const game = { league: aName('league'), slot: 12 };
    const result = aResult(game);
    const [first, second] = await Promise.all(
      ['one ä😀\n', 'two\n'].map((text) => packJournal(text)),
    );
    expect(await store.journal(game)).toBeNull();
    expect(await store.claim(game)).toBe(1);
    expect(await store.record(result, 0, second)).toBe('fenced');
    expect(await store.journal(game)).toBeNull();
    expect(await store.journals(game.league)).toEqual(new Map());
    expect(await store.record(result, 1, first)).toBe('recorded');
    expect(await store.record(result, 1, second)).toBe('duplicate');
    expect(await store.record({ ...result, rounds: 41 }, null, second)).toBe('conflict');
    const kept = await store.journal(game);
    expect(kept === null ? null : await unpackJournal(kept)).toBe('one ä😀\n');
    const digest = hashText('one ä😀\n');
    expect(await store.journals(game.league)).toEqual(new Map([[12, { digest, isKept: true }]]));
  });

  test('dropped journals leave their hashes, and journals of other leagues stay', async () => {
    const [league, other] = [aName('league'), aName('league')];
    for (const slot of [0, 1]) {
      const journal = await packJournal(`game ${slot}\n`);
      expect(await store.record(aResult({ league, slot }), null, journal)).toBe('recorded');
      expect(await store.record(aResult({ league: other, slot }), null, journal)).toBe('recorded');
    }
    expect(await store.record(aResult({ league, slot: 2 }), null)).toBe('recorded');
    await store.dropJournals(league);
    await store.dropJournals(league);
    const state = (slot: number, isKept: boolean) =>
      [slot, { digest: hashText(`game ${slot}\n`), isKept }] as const;
    expect(await store.journals(league)).toEqual(new Map([state(0, false), state(1, false)]));
    expect(await store.journal({ league, slot: 0 })).toBeNull();
    expect(await store.journals(other)).toEqual(new Map([state(0, true), state(1, true)]));
    expect(await store.slots(league)).toEqual([0, 1, 2]);
  });

  const HOUR = 3_600_000;

  /** The career and the memory of a persona, as one document. */
  const documentOf = async (id: string) => {
    const [career, memory] = [await store.career(id), await store.memory(id)];
    if (career === null || memory === null) throw new Error('expected a career');
    return describePersona(career, memory);
  };

  test('a league is led by one run, until it resigns', async () => {
    const league = aName('league');
    const aRunner = (term: string) => ({ term, runner: `the runner ${term}` });
    const [one, other] = [aRunner('one'), aRunner('other')];
    expect(await store.leader(league)).toBeNull();
    expect(await store.lead(league, one, HOUR)).toEqual(one);
    expect(await store.lead(league, one, HOUR)).toEqual(one);
    expect(await store.lead(league, other, HOUR)).toEqual(one);
    expect(await store.leader(league)).toEqual(one);
    await store.resignLead({ league, term: 'other' });
    expect(await store.lead(league, other, HOUR)).toEqual(one);
    expect(await store.lead(aName('league'), other, HOUR)).toEqual(other);
    await store.resignLead({ league, term: 'one' });
    expect(await store.leader(league)).toBeNull();
    expect(await store.lead(league, other, HOUR)).toEqual(other);
  });

  test('a lead that has run out is free, and is still held as long as no other run takes it', async () => {
    const league = aName('league');
    const [one, other] = [
      { league, term: 'one' },
      { league, term: 'other' },
    ];
    const take = (term: string, ms: number) => store.lead(league, { term, runner: term }, ms);
    expect((await take('one', HOUR)).term).toBe('one');
    // The same call again, as after a lost answer, begins the lease anew.
    expect((await take('one', 0)).term).toBe('one');
    expect(await store.leader(league)).toBeNull();
    expect(await store.renewLead(one, HOUR)).toBe(true);
    expect((await take('other', HOUR)).term).toBe('one');
    expect(await store.renewLead(one, 0)).toBe(true);
    expect((await take('other', HOUR)).term).toBe('other');
    expect(await store.renewLead(one, HOUR)).toBe(false);
    expect(await store.leader(league)).toEqual({ term: 'other', runner: 'other' });
    await store.resignLead(other);
    // Lost data does not come back. Another run may have led in between.
    expect(await store.renewLead(one, HOUR)).toBe(false);
    expect(await store.leader(league)).toBeNull();
  });

  test('a run that leads no more writes no lessons', async () => {
    const league = aName('league');
    const id = aName('pupil');
    const change = { lessons: [aLesson('one')], why: 'reflection' as const, barrier: 'b' };
    const teach = (seen: number, term: string) => store.teach(id, seen, change, { league, term });
    expect(await teach(0, 'one')).toEqual({ type: 'fenced', version: 0 });
    await store.lead(league, { term: 'one', runner: 'one' }, 0);
    // It has run out, but no other run has taken it.
    expect(await teach(0, 'one')).toEqual({ type: 'taught', version: 1 });
    expect(await teach(0, 'one')).toEqual({ type: 'stale', version: 1 });
    await store.lead(league, { term: 'other', runner: 'other' }, HOUR);
    expect(await teach(1, 'one')).toEqual({ type: 'fenced', version: 1 });
    expect(await teach(1, 'other')).toEqual({ type: 'taught', version: 2 });
    await store.resignLead({ league, term: 'other' });
    expect(await teach(2, 'other')).toEqual({ type: 'fenced', version: 2 });
    expect((await store.history(id)).length).toBe(2);
  });

  test('of many runs that take a lead at once, one has it', async () => {
    const league = aName('league');
    const stores = await Promise.all(Array.from({ length: 8 }, () => place.open()));
    const terms = stores.map((_, index) => `term ${index}`);
    const said = await Promise.all(
      stores.map((one, index) =>
        one.lead(league, { term: terms[index] ?? '', runner: String(index) }, HOUR),
      ),
    );
    expect(new Set(said.map(({ term }) => term)).size).toBe(1);
    expect(terms).toContain(said[0]?.term);
    if (place.address !== null) await Promise.all(stores.map((one) => one.close()));
  });

  test.each(ODD)('%s is found again, and other data stays', async (id) => {
    const name = id.slice(id.indexOf('_') + 1);
    const persona = { model: id.slice(0, id.indexOf('_')), name };
    expect(personaId(persona)).toBe(id);
    expect(await store.enrol(persona)).toBe('new');
    await store.teach(id, 0, { lessons: [aLesson(id)], why: 'taught', barrier: '' });
    await store.settle(id, 'plan', id);
    await store.record(
      aResult({ league: id, seats: [aSeat({ model: persona.model, persona: name })] }),
      null,
    );
    expect(await store.career(id)).toEqual({
      persona,
      counters: { games: 1, seats: 1, wins: 0, 'crewmate.seats': 1, 'crewmate.wins': 0 },
    });
    expect((await store.memory(id))?.lessons).toEqual([aLesson(id)]);
    expect(await store.settled(id, 'plan')).toBe(id);
    expect(await store.slots(id)).toEqual([0]);
  });

  test('no id leads to the memory or the keys of somebody else', async () => {
    const ids = ODD.flatMap((id) => [id, `${id}:memory`, `${id}:1`, `${id} `]);
    for (const id of new Set(ids)) {
      const { version } = (await store.memory(id)) ?? BLANK_MEMORY;
      await store.teach(id, version, { lessons: [aLesson(id)], why: 'taught', barrier: '' });
    }
    for (const id of new Set(ids)) expect((await store.memory(id))?.lessons).toEqual([aLesson(id)]);
  });

  test('a megabyte is kept as it is', async () => {
    const text = 'ä😀'.repeat(2 ** 18);
    const league = aName('league');
    const result = aResult({ league, seats: [aSeat({ learned: [text] })] });
    expect(await store.record(result, null)).toBe('recorded');
    expect((await gathered(store.results(league)))[0]?.seats[0]?.learned).toEqual([text]);
    const id = aName('big');
    await store.teach(id, 0, { lessons: [aLesson(text)], why: 'taught', barrier: '' });
    expect((await store.memory(id))?.lessons[0]?.text).toBe(text);
    expect(await store.claim({ league, slot: 0 })).toBe(1);
    expect(await store.append({ league, slot: 0 }, 1, 0, text)).toBe('appended');
    expect((await store.pieces({ league, slot: 0 })).text).toBe(text);
  });

  test('recounting the results gives the stored counts', async () => {
    const before = await Promise.all((await store.personas()).map((id) => store.career(id)));
    const { personas, changed } = await store.rebuild();
    expect(changed).toBe(0);
    expect(personas).toBe(before.length);
    const after = await Promise.all((await store.personas()).map((id) => store.career(id)));
    expect(after).toEqual(before);
  });

  test('many who record and teach at once lose nothing', async () => {
    const league = aName('league');
    const persona = aName('busy');
    const stores = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    const seats = [aSeat({ persona })];
    const said = await Promise.all(
      stores.flatMap((one) =>
        Array.from({ length: 30 }, (_, slot) => one.record(aResult({ league, slot, seats }), null)),
      ),
    );
    expect(said.filter((word) => word === 'recorded').length).toBe(30);
    expect(said.filter((word) => word === 'duplicate').length).toBe(90);
    const id = personaId({ model: 'scripted', name: persona });
    expect((await store.career(id))?.counters['games']).toBe(30);
    const change = { lessons: [], why: 'taught' as const, barrier: '' };
    const taught = await Promise.all(stores.map((one) => one.teach(id, 0, change)));
    expect(taught.filter(({ type }) => type === 'taught').length).toBe(1);
    if (place.address !== null) await Promise.all(stores.map((one) => one.close()));
  });
});
