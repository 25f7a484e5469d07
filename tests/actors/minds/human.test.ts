import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readMeeting } from '../../../actors/engine/configFile.ts';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import { HumanMind } from '../../../actors/minds/human/humanMind.ts';
import { replay } from '../../../actors/replay/replay.ts';
import { lensFor } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import type { TurnPrompt } from '../../../machines/turnPrompt.ts';
import type { Colour, Role } from '../../../machines/types.ts';
import { readOrder } from '../../../prompts/order.ts';
import { everyNth } from '../../support/seeds.ts';

/** What somebody answers; null for no answer at all. */
type Person = (offer: TurnPrompt, desk: HumanMind) => object | null;
type Told = { readonly lines: readonly Line[]; readonly text: string };

/** An offer, and how many lines of the journal there were when it was made. */
type MadeOffer = { readonly offer: TurnPrompt; readonly lines: number };

const DEADLINE = 1000;

function atDesk(seat: Colour, clock: SimulatedClock, person: Person, wait = DEADLINE) {
  const desk = new HumanMind({
    seat,
    waits: { table: wait, ship: wait },
    graceMs: 5000,
    now: () => clock.elapsed,
    clock,
  });
  const offers: TurnPrompt[] = [];
  let answered = 0;
  desk.watch(() => {
    const { asked } = desk.seating;
    if (asked === null || asked.id <= answered) return;
    answered = asked.id;
    offers.push(asked.offer);
    const answer = person(asked.offer, desk);
    if (answer !== null) expect(desk.answer(asked.id, answer)).toBeNull();
  });
  return { desk, offers };
}

function recording(headers: Parameters<Recorder['write']>[1][]) {
  const sink = new MemorySink();
  const recorder = new Recorder({ sink });
  recorder.write('living', headers[0] ?? []);
  recorder.write('ghosts', headers[1] ?? []);
  return { sink, recorder };
}

function readBack(sink: MemorySink): Told {
  const { lines, damages } = readJournal(sink.text);
  expect(damages).toEqual([]);
  return { lines, text: sink.text };
}

async function meetingWith(seat: Colour, person: Person, wait = DEADLINE) {
  const path = new URL('../../../examples/electrical.yaml', import.meta.url);
  const reading = readMeeting(readFileSync(path, 'utf8'));
  if (!reading.ok) throw new Error('the example does not read');
  const match = reading.value;
  const clock = new SimulatedClock();
  const { desk, offers } = atDesk(seat, clock, person, wait);
  const seats = match.seats.map((each) =>
    each.colour === seat ? { ...each, mind: 'human' as const } : each,
  );
  const options = { ...match.options, deadline_ms: wait };
  const creation = createMatch({ ...match, seats, options }, 5, () => desk.mind);
  if (!creation.ok) throw new Error('the match makes no sense');
  const { headers, ...ready } = creation.ready;
  const { sink, recorder } = recording([[headers.living], [headers.ghosts]]);
  desk.come();
  const result = await startMatch({ ...ready, clock, recorder }).result;
  return { ...readBack(sink), offers, result, desk, ms: clock.elapsed };
}

async function gameWith(seed: number, role: Role) {
  const seat = 'red';
  const clock = new SimulatedClock();
  const made: MadeOffer[] = [];
  let recorded = () => 0;
  const { desk, offers } = atDesk(seat, clock, (offer, own) => {
    made.push({ offer, lines: recorded() });
    return busy(offer, own);
  });
  const lobby = plainGame(6);
  const seats = lobby.seats.map((each) =>
    each.colour === seat ? { ...each, mind: 'human' as const, role } : each,
  );
  const creation = createMatch({ ...lobby, seats }, seed, () => desk.mind);
  if (!creation.ok) throw new Error('the lobby makes no sense');
  const { headers } = creation.ready;
  const { sink, recorder } = recording([[headers.living], [headers.ghosts]]);
  recorded = () => sink.text.split('\n').length - 1;
  desk.come();
  const score = await startMatch({ ...creation.ready, clock, recorder }).result;
  return { ...readBack(sink), offers, made, score };
}

async function expectReplay(told: Told): Promise<void> {
  expect((await replay(readJournal(told.text))).type).toBe('same');
}

const busy: Person = (offer) => {
  if (offer.kind === 'action') {
    const prey = offer.you.role === 'impostor' && offer.index % 2 === 0;
    const hunted = offer.actions.find(({ does }) => prey && (does === 'Kill' || does === 'Follow'));
    const chosen = hunted ?? offer.actions[(offer.index * 7) % Math.max(1, offer.actions.length)];
    return { action: chosen?.action ?? null };
  }
  if (offer.talk === null) return { scratchpad_updates: { [offer.notes.page]: 'noted' } };
  return {
    message: offer.index % 3 === 0 ? 'Where was everybody?' : '',
    desire_to_speak: 7,
    vote_action: offer.index > 4 ? (offer.ballots[0] ?? null) : null,
  };
};

describe('a person in a meeting', () => {
  test('plays it to its end, and its journal is played again to the byte', async () => {
    const told = await meetingWith('orange', busy);
    expect(told.result.outcome).toBe('ejected');
    const said = told.lines.flatMap((line) =>
      line.type === 'tick.closed' && line.said?.speaker === 'orange' ? [line.said.message] : [],
    );
    expect(said).toContain('Where was everybody?');
    expect(told.lines.some((line) => line.type === 'vote.locked' && line.seat === 'orange')).toBe(
      true,
    );
    expect(new Set(told.offers.map(({ kind }) => kind))).toEqual(
      new Set(['discussion', 'reaction', 'consolidation']),
    );
    await expectReplay(told);
  });

  test('who does not answer is late, which is a fault, and after five in a row is gone', async () => {
    const told = await meetingWith('orange', () => null);
    const faults = told.lines.flatMap((line) =>
      line.type === 'seat.faulted' && line.seat === 'orange' ? [line.code] : [],
    );
    expect(faults).toEqual(Array.from({ length: 5 }, () => 'mind/late'));
    const left = told.lines.find((line) => line.type === 'seat.departed');
    expect(left).toMatchObject({ seat: 'orange', reason: 'faults' });
    await expectReplay(told);
  });

  test('who leaves is gone at once, and is asked nothing any more', async () => {
    const told = await meetingWith('orange', (offer, desk) => {
      if (offer.index < 2) return {};
      desk.leave();
      return null;
    });
    expect(told.offers).toHaveLength(3);
    const left = told.lines.find((line) => line.type === 'seat.departed');
    expect(left).toMatchObject({ seat: 'orange', reason: 'left' });
    await expectReplay(told);
  });

  test('a person is offered no secret of others', async () => {
    const { offers } = await meetingWith('orange', busy);
    const text = JSON.stringify(offers);
    for (const secret of ['impostor', 'internal_thought', 'looked round', 'never seen a body'])
      expect(text).not.toContain(secret);
  });

  test('is offered a vote only while one counts, and no second one', async () => {
    const { offers } = await meetingWith('orange', busy);
    const voted = offers.findIndex(({ ballot }) => ballot !== null);
    expect(voted).toBeGreaterThan(4);
    expect(offers.slice(0, voted).every(({ ballots }) => ballots.includes('skip'))).toBe(true);
    expect(offers.slice(voted).every(({ ballots }) => ballots.length === 0)).toBe(true);
    expect(offers[0]?.ballots).not.toContain('white');
    expect(offers[0]?.ballots).not.toContain('orange');
  });
});

test('a dead person is asked what ghosts are asked, and has no vote', async () => {
  const told = await meetingWith('white', busy);
  expect(told.offers.length).toBeGreaterThan(3);
  expect(told.offers.every(({ you, ballots }) => you.isDead && ballots.length === 0)).toBe(true);
  expect(told.offers[0]).toMatchObject({ kind: 'ghost', talk: [] });
  await expectReplay(told);
});

test('the living wait five seconds for a dead person, who then passes without a fault', async () => {
  const told = await meetingWith('white', () => null, 90_000);
  const turns = told.lines.flatMap((line) => (line.type === 'turn.closed' ? [line] : []));
  const answers = turns.flatMap(({ bids }) => bids.filter(({ seat }) => seat === 'white'));
  expect(answers).toHaveLength(told.offers.length);
  expect(answers.filter((bid) => 'fault' in bid)).toEqual([]);
  expect(told.desk.seating.missed).toBe(0);
  expect(told.ms).toBe(5000 * told.offers.length);
  await expectReplay(told);
});

describe('a person on the ship', () => {
  const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
  test.each(everyNth(SEEDS, 3))(
    'can do whatever is offered, and the game can be played again (seed %i)',
    async (seed) => {
      const told = await gameWith(seed, seed % 2 === 0 ? 'impostor' : 'crewmate');
      for (const { actions } of told.offers) {
        for (const { action } of actions) expect(readOrder({ action })).toMatchObject({ ok: true });
      }
      const faults = told.lines.flatMap((line) =>
        line.type === 'round.closed'
          ? line.events.filter((event) => event.type === 'seat.faulted' && event.seat === 'red')
          : [],
      );
      expect(faults).toEqual([]);
      await expectReplay(told);
    },
  );

  test.each(everyNth([1, 2, 3, 4], 3))(
    "a person's map shows only sightings of their own lens (seed %i)",
    async (seed) => {
      const { lines, made } = await gameWith(seed, seed % 2 === 0 ? 'impostor' : 'crewmate');
      const see = lensFor({ type: 'player', seat: 'red' });
      let shown = 0;
      for (const { offer, lines: count } of made) {
        const known = new Set<string>();
        // Everybody begins at the button, and so they do after each meeting.
        let isGathered = true;
        let place: string = 'Cafeteria';
        for (const line of lines.slice(0, count)) {
          const seen = see(line);
          if (seen?.type === 'meeting.called') {
            known.clear();
            isGathered = true;
            place = 'Cafeteria';
          }
          if (seen?.type !== 'round.closed') continue;
          isGathered = false;
          for (const [who, where] of seen.seen?.red ?? []) known.add(`${who} ${where}`);
          place = seen.paths?.red?.at(-1) ?? place;
        }
        if (offer.scene === null) continue;
        expect(offer.scene.place).toBe(place);
        for (const told of offer.seen)
          expect(told).toMatch(/^(?:Your way: |Whom you saw:$|[\d.]+(?: to [\d.]+)? s ago, [A-Z])/);
        for (const { seat, place: where } of offer.scene.seen) {
          shown += 1;
          const isKnown = known.has(`${seat} ${where}`) || (isGathered && where === 'Cafeteria');
          expect(isKnown, `${seat} in ${where}, round ${offer.index}`).toBe(true);
        }
        for (const { action, target } of offer.actions) {
          const whom = action['whom'];
          if (typeof whom !== 'string') continue;
          const stands = offer.scene.seen.find((each) => each.seat === whom);
          expect(stands).toMatchObject({ place: target.place, ago: 0 });
        }
      }
      expect(shown).toBeGreaterThan(5);
    },
  );

  test('a person is offered the actions of their role', async () => {
    const crew = await Promise.all(SEEDS.slice(0, 4).map((seed) => gameWith(seed, 'crewmate')));
    const impostors = await Promise.all(
      SEEDS.slice(0, 4).map((seed) => gameWith(seed, 'impostor')),
    );
    const doings = (games: typeof crew) =>
      new Set(
        games.flatMap(({ offers }) =>
          offers.flatMap(({ actions }) => actions.map(({ does }) => does)),
        ),
      );
    expect(doings(crew)).not.toContain('Kill');
    expect(doings(crew)).not.toContain('Sabotage');
    expect(doings(crew)).toContain('Do a task');
    expect(doings(impostors)).toContain('Kill');
    expect(doings(impostors)).toContain('Use the vent');
    expect(doings(impostors)).not.toContain('Do a task');
  });
});

describe('the desk', () => {
  const clock = () => new SimulatedClock();
  test('keeps a seat for a while, and not for longer', () => {
    const time = clock();
    const { desk } = atDesk('red', time, () => null);
    expect(desk.seating.attendance).toBe('awaited');
    const go = desk.come();
    go();
    expect(desk.seating.attendance).toBe('away');
    const again = desk.come();
    while (time.next());
    expect(desk.seating.attendance).toBe('here');
    again();
    while (time.next());
    expect([time.elapsed, desk.seating.attendance]).toEqual([5000, 'left']);
    desk.come();
    expect(desk.seating.attendance).toBe('left');
  });

  test('two pages hold it as one does', () => {
    const time = clock();
    const { desk } = atDesk('red', time, () => null);
    const [one, other] = [desk.come(), desk.come()];
    one();
    one();
    expect(desk.seating.attendance).toBe('here');
    other();
    expect(desk.seating.attendance).toBe('away');
  });

  test('an unreadable or late answer gets a sentence and may be repeated', async () => {
    const seen: (string | null)[] = [];
    await meetingWith('orange', (_, desk) => {
      const id = desk.seating.asked?.id ?? 0;
      seen.push(desk.answer(id, { desire_to_speak: 'much' }), desk.answer(id + 1, {}));
      seen.push(desk.answer(id, 'no JSON'), desk.answer(id, { vote_action: 'skip' }));
      seen.push(desk.answer(id, {}));
      return null;
    });
    expect(seen.slice(0, 5)).toEqual([
      expect.stringContaining('desire_to_speak'),
      expect.stringContaining('too late'),
      expect.stringContaining('JSON'),
      null,
      expect.stringContaining('too late'),
    ]);
  });

  test('the desk keeps only the known fields of an answer', async () => {
    const { text } = await meetingWith('orange', () => ({
      message: 'Hello.',
      desire_to_speak: 9,
      vote_action: 'skip',
      forged: 'secret',
    }));
    expect(text).toContain('Hello.');
    expect(text).not.toContain('forged');
  });
});
