import { describe, expect, test } from 'vitest';
import type { Mind, MindRequest } from '../../../actors/minds/port.ts';
import { type Lens, lensFor } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { type Game, playGame } from './journeys.ts';

const SEATED = COLOURS.slice(0, 7);
const GIVEN = ['persona', 'character', 'notes'] as const;
/** What spectators may know and players may not: of a model, its player neither. */
const PLAYS = ['persona', 'model'] as const;
const WRITTEN = ['thought', 'main', 'meeting'] as const;
const CANARIES = [...GIVEN, 'model', ...WRITTEN];

const canary = (seat: Colour, kind: string) => `canary ${kind} of seat ${SEATED.indexOf(seat)}`;
const found = (text: string, owner: Colour) =>
  CANARIES.filter((kind) => text.includes(canary(owner, kind)));
const strangersTo = (seat: Colour) => SEATED.filter((other) => other !== seat);

const LOBBY = {
  name: 'secrets',
  options: { impostors: 2, max_rounds: 200, max_ticks: 20 },
  seats: SEATED.map((colour) => ({
    colour,
    persona: {
      name: canary(colour, 'persona'),
      temperament: 'observer' as const,
      notes: canary(colour, 'character'),
    },
    notes: canary(colour, 'notes'),
    model: canary(colour, 'model'),
  })),
};

type Asked = { readonly seat: Colour; readonly request: MindRequest; readonly text: string };

function secretive(mind: Mind, seat: Colour, asked: Asked[]): Mind {
  if (mind.pace === 'in-time') return mind;
  return {
    pace: 'at-once',
    answer: (request) => {
      asked.push({ seat, request, text: JSON.stringify(request) });
      const answer = mind.answer(request);
      if (!answer.ok || !(answer.received instanceof Object)) return answer;
      const secrets = {
        internal_thought: canary(seat, 'thought'),
        scratchpad_updates: {
          main_scratch: canary(seat, 'main'),
          meeting_scratch: canary(seat, 'meeting'),
        },
      };
      return { ok: true, received: { ...answer.received, ...secrets } };
    },
  };
}

async function overheard(seed: number): Promise<Game & { readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const game = await playGame(LOBBY, seed, {
    recast: (mind, seat) => secretive(mind, seat, asked),
  });
  return { ...game, asked };
}

const seen = (lines: readonly Line[], lens: Lens) => lines.map(lensFor(lens));
const eyesOf = (seat: Colour): Lens => ({ type: 'player', seat });

const GAMES = [1, 2, 3, 4].map((seed) => ({ seed, game: overheard(seed) }));

describe.each(GAMES)('a game with seed $seed', ({ game }) => {
  test('asks everybody on the ship and at the table', async () => {
    const occasions = (await game).asked.map(({ request }) => request.kind);
    expect(occasions).toEqual(expect.arrayContaining(['action', 'discussion']));
  });

  test('puts into a request the own secrets and no others', async () => {
    const { asked } = await game;
    for (const { seat, text, request } of asked) {
      for (const owner of strangersTo(seat))
        expect(found(text, owner), `${seat} in ${request.kind} of ${owner}`).toEqual([]);
    }
    for (const seat of SEATED) {
      const actions = asked.filter((one) => one.seat === seat && one.request.kind === 'action');
      expect(found(actions[0]?.text ?? '', seat)).toEqual(expect.arrayContaining(['persona']));
      expect(found(actions[1]?.text ?? '', seat)).toEqual(expect.arrayContaining(['main']));
    }
  });

  test('a player learns only their own role and those of partners', async () => {
    const { asked, lines } = await game;
    const opened = gameIn(lines[0]);
    const impostors = opened?.seats.filter(({ role }) => role === 'impostor') ?? [];
    for (const { seat, request, text } of asked) {
      if (request.kind !== 'action') continue;
      const isImpostor = impostors.some(({ colour }) => colour === seat);
      const partners = impostors.flatMap(({ colour }) =>
        isImpostor && colour !== seat ? [colour] : [],
      );
      expect(request.view.you.partners).toEqual(partners);
      // The roles of the ejected were announced to everybody.
      const announced = request.view.record.meetings.filter(({ result }) => result?.role != null);
      expect(text.match(/"role":"/g)).toHaveLength(1 + announced.length);
    }
  });

  test('a player remembers only their own sightings', async () => {
    const { asked, lines } = await game;
    const sights = new Map(
      lines.flatMap((line) =>
        line.type === 'round.closed' ? [[line.round, line.seen] as const] : [],
      ),
    );
    let remembered = 0;
    for (const { seat, request } of asked) {
      if (request.kind !== 'action') continue;
      for (const { who, place, did, from, until } of request.view.you.memory) {
        if (who === seat) continue;
        for (let round = from; round <= until; round++) {
          remembered += 1;
          expect(sights.get(round)?.[seat], `${seat} in ${round}`).toContainEqual([
            who,
            place,
            did,
          ]);
        }
      }
    }
    expect(remembered).toBeGreaterThan(50);
  });

  test('shows the table who plays, and no doer, place or victim of a round', async () => {
    const { lines } = await game;
    const table = seen(lines, { type: 'table' });
    const text = JSON.stringify(table);
    for (const owner of SEATED) expect(found(text, owner)).toEqual(PLAYS);
    const rounds = JSON.stringify(table.filter((line) => line?.type === 'round.closed'));
    for (const colour of SEATED) expect(rounds).not.toContain(`"${colour}"`);
    expect(rounds).not.toMatch(/player\.killed|vent\.used|"paths"|"seen"|"orders"/u);
  });

  test('shows a player the own ones, and who plays the others, alive or dead', async () => {
    const { lines } = await game;
    const glass = JSON.stringify(seen(lines, { type: 'glass' }));
    for (const seat of SEATED) {
      const eyes = JSON.stringify(seen(lines, eyesOf(seat)));
      for (const owner of strangersTo(seat))
        expect(found(eyes, owner), `${seat} of ${owner}`).toEqual(PLAYS);
      expect(found(eyes, seat)).toEqual(expect.arrayContaining([...GIVEN, 'thought', 'main']));
      expect(found(glass, seat)).toEqual(CANARIES);
    }
  });
});
