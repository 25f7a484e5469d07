/**
 * The tables of the benchmark and the minds at them. They are frozen: a change needs another benchmark name. A table
 * depends only on its number, so a short run plays the first tables of a long one.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { LeagueGame, LeagueTerms } from '../../actors/league/plan.ts';
import { findProviderName } from '../../actors/minds/openai/providers.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { drawWords } from '../../machines/rules/dice.ts';
import { isOwn } from '../../machines/rules/mindKinds.ts';
import { defaultGameOptions } from '../../machines/rules/options.ts';
import { type GameSeat, type MatchSeat, modelFields } from '../../machines/setup/match.ts';
import {
  COLOURS,
  type Colour,
  LEVELS,
  type Role,
  RULE_SETS,
  TEMPERAMENTS,
  type Temperament,
} from '../../machines/types.ts';
import { PERSONAS } from '../../prompts/personas.ts';
import { ANCHORS, BENCHMARK, OWN_NAME } from './sizes.ts';

/** The mind in the tested seat of the mirrored game. It is offline, so it plays the same for everybody. */
const REFERENCE: Temperament = 'observer';

const SEED = 20_261_123;

const SIZES = [5, 8, 10] as const;

/** Each size and rule set comes once as impostor and once as crewmate before the next. */
const CELLS = SIZES.flatMap((players) => RULE_SETS.map((rules) => ({ players, rules })));

/** The persona of a tested model. It is neutral, so that no temperament helps or hinders the model. */
const CHARACTER = 'You are one of the players, and you want your side to win.';
const VOICE = 'Plain and natural: a sentence or two at a time.';

type PoolSeat = { readonly colour: Colour; readonly role: Role; readonly temperament: Temperament };

/** A table is played twice: by the tested mind and by the reference, in the same seat. */
export type BenchmarkTable = Readonly<ReturnType<typeof makeTable>>;

export const SITTERS = ['tested', 'reference'] as const;
export type Sitter = (typeof SITTERS)[number];

export function listTables(count: number): readonly BenchmarkTable[] {
  return Array.from({ length: count }, (_, index) => makeTable(index + 1));
}

/** Tables count from 1. */
export function makeTable(table: number) {
  const index = table - 1;
  const role: Role = index % 2 === 0 ? 'impostor' : 'crewmate';
  const cell = CELLS[Math.floor(index / 2) % CELLS.length] ?? { players: 8, rules: 'house' };
  const { players, rules } = cell;
  const colours = COLOURS.slice(0, players);
  const [seat = 'red', ...rest] = shuffle(colours, index, LANES.colours);
  const { impostors } = defaultGameOptions(players, rules);
  const more = role === 'impostor' ? impostors - 1 : impostors;
  const temperaments = shuffle(TEMPERAMENTS, index, LANES.pool);
  const others = rest.map((colour, at): PoolSeat => {
    const temperament = temperaments[at % temperaments.length] ?? 'observer';
    return { colour, role: at < more ? 'impostor' : 'crewmate', temperament };
  });
  const [high, low] = drawWords({ ...MOMENT, tick: index }, LANES.seed);
  return {
    table,
    seed: (high % 2 ** 8) * 2 ** 32 + low,
    players,
    rules,
    seat,
    role,
    others: others.toSorted(
      (one, other) => COLOURS.indexOf(one.colour) - COLOURS.indexOf(other.colour),
    ),
  };
}

const MOMENT = { seed: SEED, meeting: 0, stream: 'run' } as const;

/** Each item of a list draws from a lane of its own. */
const LANES = { seed: 0, colours: 100, pool: 200 } as const;

function shuffle<T>(items: readonly T[], index: number, lane: number): readonly T[] {
  const drawn = items.map((item, at) => {
    return { item, word: drawWords({ ...MOMENT, tick: index }, lane + at)[0] };
  });
  return drawn.toSorted((one, other) => one.word - other.word).map(({ item }) => item);
}

export function hashPlan(count: number): string {
  const pool = TEMPERAMENTS.map((one) => [one, PERSONAS[one]]);
  const fixed = [BENCHMARK, REFERENCE, CHARACTER, VOICE, pool, OPTIONS];
  return hash('sha256', canonical([fixed, listTables(count)]), 'hex');
}

/** Nobody watches, so ticks follow without a pause. */
const OPTIONS = { beat_ms: 0 };

const shortText = z.string().regex(/^\P{C}{1,200}$/u, 'expected 1 to 200 visible characters');

/** A tested mind in a bundle: everything that decides how it plays. It holds no key, address, path or command. */
export const testedSchema = z.discriminatedUnion('mind', [
  z.strictObject({ mind: z.literal('scripted'), temperament: z.enum(TEMPERAMENTS) }),
  z.strictObject({ mind: z.literal('anchor'), anchor: z.enum(ANCHORS) }),
  z.strictObject({
    mind: z.literal('openai'),
    model: shortText,
    endpoint: shortText.describe('A provider by name, or where the endpoint is in general'),
    level: z.enum(LEVELS).optional(),
    temperature: modelFields.temperature,
    extra_body: modelFields.extra_body,
  }),
  z.strictObject({
    mind: z.enum(['command', 'http', 'module']),
    name: z.string().regex(OWN_NAME),
  }),
]);
export type TestedMind = z.infer<typeof testedSchema>;

export const REFERENCE_MIND: TestedMind = { mind: 'scripted', temperament: REFERENCE };

/** Whether its games can be played again from the plan alone. */
export function isOffline(tested: TestedMind): boolean {
  return tested.mind === 'scripted' || tested.mind === 'anchor';
}

export function nameTested(tested: TestedMind): string {
  if (tested.mind === 'scripted') return `scripted_${PERSONAS[tested.temperament].name}`;
  if (tested.mind === 'anchor') return `anchor_${tested.anchor}`;
  return tested.mind === 'openai' ? tested.model : tested.name;
}

export function describeTested(seat: MatchSeat, name: string): TestedMind {
  if (isOwn(seat)) return { mind: seat.mind, name };
  const { model = '', level, temperature, extra_body, base_url: url } = seat;
  return {
    mind: 'openai',
    model,
    endpoint: classifyEndpoint(url),
    ...(level === undefined ? {} : { level }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(extra_body === undefined ? {} : { extra_body }),
  };
}

/** Describes an endpoint without its address: a known provider by name, or the kind of network. */
function classifyEndpoint(url: string | undefined): string {
  if (url === undefined) return 'openai';
  const { hostname } = new URL(url);
  if (/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return 'this machine';
  const known = findProviderName(url);
  if (known !== null) return known;
  return PRIVATE.test(hostname) || !hostname.includes('.') ? 'a private network' : 'another host';
}

/** Private addresses (RFC 1918, RFC 4193) and host names that only private networks know. */
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd])|\.(local|lan|internal|home)$/;

/** Replaces the address of the user's own mind in a journal. */
const HIDDEN = 'not-in-this-journal';
const HIDDEN_PLACES = {
  command: { command: HIDDEN },
  http: { url: `http://${HIDDEN}/` },
  module: { module: HIDDEN },
};

function seatOf(tested: TestedMind): Partial<GameSeat> {
  const temperament = tested.mind === 'scripted' ? tested.temperament : REFERENCE;
  const persona = { name: 'tested', temperament, notes: '' };
  if (tested.mind === 'scripted') return { mind: tested.mind, persona };
  if (tested.mind === 'anchor') return { mind: 'module', persona, module: nameTested(tested) };
  if (tested.mind !== 'openai')
    return { mind: tested.mind, persona, ...HIDDEN_PLACES[tested.mind] };
  const { endpoint: _endpoint, ...settings } = tested;
  return { persona, ...settings };
}

/** The game of a table. `terms` limit the costs of models and do not change the game. */
export function prepareTable(
  table: BenchmarkTable,
  tested: TestedMind,
  terms: LeagueTerms = { budget: {}, limits: { concurrency: 1 } },
): LeagueGame {
  const { seat, role, others, seed, rules, table: number } = table;
  const name = nameTested(tested);
  const seats = COLOURS.flatMap((colour) => {
    const other = others.find((one) => one.colour === colour);
    if (other !== undefined) return [fillPoolSeat(other)];
    return colour === seat ? [{ ...EMPTY, colour, role, ...seatOf(tested) }] : [];
  });
  return {
    league: BENCHMARK,
    slot: number - 1,
    game: `${BENCHMARK}-${number}`,
    seed,
    match: {
      name: `${BENCHMARK}, table ${number}`,
      about: '',
      map: 'skeld',
      options: { ...OPTIONS, rules },
      fault_rate: 0,
      seats,
    },
    seats: seats.map(({ colour, mind }) => ({
      colour,
      model: colour === seat && tested.mind === 'openai' ? name : mind,
      persona: colour === seat ? 'tested' : colour,
      memory: 0,
      learns: false,
      character: colour === seat ? CHARACTER : null,
      voice: colour === seat ? VOICE : null,
    })),
    terms,
    engine: BENCHMARK,
  };
}

const EMPTY = { mind: 'scripted', level: 'none', votes: 'freely', notes: '' } as const;

function fillPoolSeat({ colour, role, temperament }: PoolSeat) {
  const persona = { name: PERSONAS[temperament].name, temperament, notes: '' };
  return { ...EMPTY, colour, role, persona };
}
