/**
 * Builders for tests of rules and machines. Each takes what the test is about and fills in the rest.
 *
 * A law is a test over generated cases. Its name has the seed. Set FC_SEED to try another one.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import type { ClosedTick, TickDecision } from '../../machines/rules/facts.ts';
import type { FloorStance } from '../../machines/rules/floor.ts';
import { layTable, QUIET, type Table, WITHOUT_GAME } from '../../machines/rules/meeting.ts';
import { defaultOptions, type MeetingOptions } from '../../machines/rules/options.ts';
import { NO_PAST, type WorldTruth } from '../../machines/rules/record.ts';
import type { Score } from '../../machines/rules/scoreTerms.ts';
import type { PlayerInput } from '../../machines/rules/views.ts';
import { mapTerms, mapWeights, type Weights } from '../../machines/rules/weights.ts';
import {
  type MeetingMatch,
  type MeetingMatchInput,
  meetingMatchSchema,
} from '../../machines/setup/match.ts';
import {
  type Ballot,
  type Bid,
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Reply,
  type Standing,
} from '../../machines/types.ts';

export const SEED = Number(process.env.FC_SEED ?? 1);

/** A clock that keeps the calls to come, with their milliseconds; −1 for those called off. */
export function aClock() {
  const waits: [() => void, number][] = [];
  const clock = {
    setTimeout: (call: () => void, ms: number) => waits.push([call, ms]),
    clearTimeout: (id: number) => void waits.splice(id - 1, 1, [() => {}, -1]),
  };
  return { clock, waits };
}

export function law<Ts>(name: string, property: fc.IProperty<Ts>, numRuns = 200): void {
  test(`${name} (seed ${SEED})`, () => {
    fc.assert(property, { seed: SEED, numRuns });
  });
}

export const FIVE = ['red', 'blue', 'green', 'pink', 'orange'] as const satisfies readonly Colour[];

export const ALL_SKIP: BySeat<Ballot> = Object.fromEntries(FIVE.map((seat) => [seat, 'skip']));
export const ORANGE_GOES: BySeat<Ballot> = {
  red: 'orange',
  blue: 'orange',
  green: 'orange',
  pink: 'red',
  orange: 'red',
};

export function aReply(reply: Partial<Reply> = {}): Reply {
  return {
    thought: '',
    desire: 0,
    message: '',
    target: null,
    vote: null,
    pads: {},
    notes: [],
    ...reply,
  };
}

export function aBid(seat: Colour, reply: Partial<Reply> = {}): Extract<Bid, { type: 'reply' }> {
  return { type: 'reply', seat, received: {}, reply: aReply(reply) };
}

export function aFault(seat: Colour, code = 'mind/late'): Extract<Bid, { type: 'fault' }> {
  return { type: 'fault', seat, code, text: 'no answer' };
}

export function aClaim(claim: Partial<FloorStance> = {}): FloorStance {
  return {
    mentioned: false,
    accused: false,
    justSpoke: false,
    voted: false,
    silentTicks: 0,
    ...claim,
  };
}

/** Δ = 10 + 5 + 2 + 3 + 1 = 21 with these, and s(k) = 4k. */
export function someWeights(weights: Partial<Weights> = {}): Weights {
  const silence = { slope: 4, grace: 0, cap: null };
  const plain = { mention: 2, accusation: 3, recentSpeaker: 4, voted: 1 };
  return { ...mapWeights(() => 0), ...plain, silence, ...weights };
}

export function aScore(seat: Colour, score: Partial<Score> = {}): Score {
  return {
    seat,
    ...mapTerms(() => 0),
    die: 1,
    total: 0,
    silentTicks: 0,
    hasVoted: false,
    calledOn: false,
    eligible: true,
    ...score,
  };
}

export function aVerdict(verdict: Partial<TickDecision> = {}): TickDecision {
  return { scores: [], floor: null, tieBreak: null, said: null, hits: [], nudge: null, ...verdict };
}

export function someOptions(options: Partial<MeetingOptions> = {}): MeetingOptions {
  return { ...defaultOptions(5), ...options };
}

export function all(standing: Standing, colours: readonly Colour[]): BySeat<Standing> {
  return Object.fromEntries(colours.map((colour) => [colour, standing]));
}

export function living(...colours: readonly Colour[]): BySeat<Standing> {
  return all('living', colours);
}

export function aButton(call: Partial<Call> = {}): Call {
  return {
    by: 'red',
    kind: 'button',
    body: null,
    place: null,
    buttonsLeft: 1,
    cooldown: 0,
    crisis: null,
    ...call,
  };
}

export function aReport(call: Partial<Call> = {}): Call {
  return { ...aButton(), kind: 'body', body: 'white', place: 'Electrical', ...call };
}

type Wanted = Partial<Omit<Table, 'seats' | 'options'>> & {
  readonly impostors?: readonly Colour[];
  readonly options?: Partial<MeetingOptions>;
};

/** A table of five, red to orange, with orange the impostor, before anything has happened. */
export function aTable({ impostors = ['orange'], options, ...table }: Wanted = {}): Table {
  const standings = table.standings ?? living(...FIVE);
  const base = layTable({
    chance: { seed: 1, meeting: 0 },
    options: someOptions(options),
    seats: COLOURS.filter((colour) => standings[colour] !== undefined).map((colour) => ({
      colour,
      role: impostors.includes(colour) ? 'impostor' : 'crewmate',
    })),
    call: aButton(),
    circumstances: QUIET,
    standings,
    ...WITHOUT_GAME,
  });
  return { ...base, ...table, standings };
}

export function aTick(bids: readonly Bid[], tick: Partial<ClosedTick> = {}): ClosedTick {
  return { tick: 0, requestKind: 'discussion', bids, dice: {}, decision: aVerdict(), ...tick };
}

/** A closed tick without a floor. */
export function aQuietTick(
  requestKind: 'reaction' | 'consolidation',
  bids: readonly Bid[] = [],
): ClosedTick {
  return aTick(bids, { requestKind, decision: null });
}

export function votesOf(ballots: BySeat<Ballot | undefined>): readonly Bid[] {
  return COLOURS.flatMap((seat) => {
    const vote = ballots[seat];
    return vote === undefined ? [] : [aBid(seat, { vote })];
  });
}

/** A button meeting of five with orange the impostor, as it comes out of the schema. */
export function aMeetingMatch(match: Partial<MeetingMatchInput> = {}): MeetingMatch {
  return meetingMatchSchema.parse({
    name: 'a test',
    call: { by: 'red' },
    seats: seatsFor(FIVE, ['orange']),
    ...match,
  });
}

export function seatsFor(
  colours: readonly Colour[],
  impostors: readonly Colour[] = [],
): MeetingMatchInput['seats'] {
  return colours.map((colour) => ({
    colour,
    role: impostors.includes(colour) ? 'impostor' : 'crewmate',
  }));
}

export const someColour = fc.constantFrom(...COLOURS);

export function someSeats(least: number, most: number = COLOURS.length): fc.Arbitrary<Colour[]> {
  return fc.shuffledSubarray([...COLOURS], { minLength: least, maxLength: most });
}

/** The truth about a ship on which nothing has happened. */
export const QUIET_WORLD: WorldTruth = {
  ...{ places: {}, tasks: {}, impostors: {}, crisis: null, sabotageWait: 0, shut: [], deeds: [] },
};

/** A crewmate whose mind takes its time. */
export function aPlayer(player: Partial<PlayerInput> = {}): PlayerInput {
  return {
    colour: 'red',
    role: 'crewmate',
    partners: [],
    persona: { name: 'Ann', temperament: 'observer', notes: '' },
    brief: { sightings: [], notes: '' },
    pads: { main: '', meeting: '' },
    past: NO_PAST,
    ghost: false,
    ...player,
  };
}
