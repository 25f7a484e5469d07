import { describe, expect, test } from 'vitest';
import type { Mind, MindRequest } from '../../../actors/minds/port.ts';
import { lensFor } from '../../../machines/journal/lens.ts';
import { emptyProjection, next, type ShipState } from '../../../machines/journal/projection.ts';
import { SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import type { RoundEvent } from '../../../machines/rules/ship/draft.ts';
import type { GameMatchInput } from '../../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { pickIdentity } from '../../../prompts/personas.ts';
import { buildPrompt } from '../../../prompts/prompt.ts';
import { overhear } from '../../support/matches.ts';
import { seeds } from '../../support/seeds.ts';
import { playGame } from './journeys.ts';

const GAMES = seeds(2, 20);
const OPTIONS: readonly GameMatchInput['options'][] = [
  { impostors: 2, anonymous_votes: true },
  { impostors: 2, rules: 'classic' },
  { impostors: 2 },
];
const LOBBIES = Array.from({ length: GAMES }, (_, index) => ({
  name: 'omniscience',
  options: OPTIONS[index % OPTIONS.length],
  seats: COLOURS.slice(0, 7).map((colour) => ({ colour })),
}));

type Asked = {
  readonly seat: Colour;
  readonly request: MindRequest;
  readonly text: string;
  /** The ship as the journal shows it: at the call of the meeting, or now. */
  readonly ship: ShipState;
  /** Sentences about the rounds so far. */
  readonly deeds: readonly string[];
};

const isGhosts = ({ request }: Pick<Asked, 'request'>) =>
  request.kind === 'ghost' || (request.kind === 'action' && request.view.you.isGhost);

/** A game with its prompts, and with the facts of the journal before each. */
async function listen(index: number, recast = (mind: Mind) => mind): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const deeds: string[] = [];
  const look = lensFor({ type: 'glass' });
  let state = emptyProjection({ type: 'glass' });
  const ships: { now: ShipState | null; atCall: ShipState | null } = { now: null, atCall: null };
  const hear = (seat: Colour) => (request: MindRequest) => {
    const { view } = request;
    const ship = request.kind === 'action' ? ships.now : ships.atCall;
    if (ship === null) throw new Error('expected a ship');
    const prompt = buildPrompt(request, pickIdentity(view.you.persona, 'game'));
    const text = joinBlocks([...prompt.system, ...prompt.user]);
    asked.push({ seat, request, text, ship, deeds: [...deeds] });
  };
  await playGame(LOBBIES[index] ?? LOBBIES[0] ?? { name: '', seats: [] }, index + 1, {
    recast: (mind, seat) => overhear(recast(mind), hear(seat)),
    onLine: ({ line }) => {
      const seen = look(line);
      if (seen !== null) state = next(state, seen);
      const now = state.ship;
      ships.now = now;
      if (line.type !== 'round.closed') return;
      ships.atCall = now;
      deeds.push(...line.events.flatMap(tellDeed));
      for (const { colour, role } of now?.seats ?? [])
        if (role === 'impostor' && line.deeds[colour] === 'task')
          deeds.push(`${colour} faked a task in ${now?.places[colour]}`);
    },
  });
  return asked;
}

const delay = (rounds: number) => (rounds <= 0 ? 'now' : `in ${rounds * SECONDS_PER_ROUND} s`);

function tellDeed(event: RoundEvent): readonly string[] {
  if (event.type === 'player.killed')
    return [`${event.by} killed ${event.victim} in ${event.place}`];
  if (event.type === 'vent.used' && event.how !== 'through')
    return [
      `${event.seat} climbed ${event.how === 'in' ? 'into' : 'out of'} a vent in ${event.place}`,
    ];
  if (event.type === 'doors.shut') return [`${event.by} shut the doors of ${event.room}`];
  return event.type === 'sabotage.begun' ? [`${event.by} sabotaged ${event.system}`] : [];
}

function rowsOf({ seats, places, inVents, killWaits, losses }: ShipState) {
  return seats.map(({ colour, role }) => {
    if (losses.some(({ seat }) => seat === colour)) return [`- ${colour}: ${role}`];
    const impostor = [
      ...(inVents.includes(colour) ? ['inside a vent'] : []),
      `can kill ${delay(killWaits[colour] ?? 0)}`,
    ];
    const facts = [`in ${places[colour]}`, ...(role === 'impostor' ? impostor : ['tasks'])];
    return [`- ${colour}: ${role}`, ...facts];
  });
}

describe.each(LOBBIES.map((_, index) => ({ index, game: listen(index) })))(
  'game $index',
  ({ index, game }) => {
    test('every prompt of a ghost holds what happened on the ship, and where everybody is', async () => {
      const ghosts = (await game).filter(isGhosts);
      expect(ghosts.length).toBeGreaterThan(10);
      for (const { seat, text, ship, deeds } of ghosts) {
        for (const deed of deeds) expect(text).toContain(deed);
        const own = deeds.find((deed) => deed.includes(` killed ${seat} `));
        if (own !== undefined)
          expect(text).toContain(`You are dead: ${own.replace(` ${seat} `, ' you ')}.`);
        for (const [start = '', ...facts] of rowsOf(ship)) {
          const row = text.split('\n').find((line) => line.startsWith(start)) ?? '';
          for (const fact of facts) expect(`${seat} reads ${row}`).toContain(fact);
        }
        expect(text).toContain(`sabotage ${ship.sabotage?.system ?? 'none'}`);
        expect(text).toContain(`doors shut: ${ship.shutDoors.join(', ') || 'none'}`);
        expect(text).not.toContain('You can kill');
      }
    });

    test('no prompt of the living holds it, whatever the ghosts say and write', async () => {
      const withTruth = (mind: Mind): Mind => {
        if (mind.pace === 'in-time') return mind;
        const answer: typeof mind.answer = (request) => {
          const given = mind.answer(request);
          if (!isGhosts({ request }) || !given.ok || !(given.received instanceof Object))
            return given;
          const page = JSON.stringify(request.view).slice(0, 400);
          const notes = { scratchpad_updates: { main_scratch: page, meeting_scratch: page } };
          const said = { message: `Blue! ${page}`, desire_to_speak: 10, internal_thought: page };
          const { action } = given.received as { readonly action?: unknown };
          return { ok: true, received: { ...said, ...notes, action } };
        };
        return { pace: 'at-once', answer };
      };
      const loud = await listen(index, withTruth);
      const textOf = (all: readonly Asked[], wanted: boolean) =>
        all.flatMap((one) => (isGhosts(one) === wanted ? `${one.seat}: ${one.text}` : [])).join();
      const living = textOf(await game, false);
      expect(textOf(loud, true) === textOf(await game, true)).toBe(false);
      expect(textOf(loud, false) === living).toBe(true);
      expect(living).not.toMatch(/\(ghosts only\)|You are dead|killed you|inside a vent, can kill/);
      for (const { request } of (await game).filter((one) => !isGhosts(one))) {
        if (request.kind === 'action') expect(request.view.truth).toBeNull();
        else expect(request.view).not.toHaveProperty('truth');
      }
    });
  },
);
