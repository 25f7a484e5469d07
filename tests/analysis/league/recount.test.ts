import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import type { LeagueFile } from '../../../actors/league/leagueFile.ts';
import { scheduleLeague } from '../../../actors/league/plan.ts';
import { findReveals } from '../../../analysis/counts/messages.ts';
import { countGame } from '../../../analysis/counts/statistics.ts';
import { sumStats } from '../../../analysis/counts/totals.ts';
import type { Comparison } from '../../../analysis/league/comparisons.ts';
import { countStandings } from '../../../analysis/league/standings.ts';
import type { Standings, WinShare } from '../../../analysis/league/types.ts';
import { COLOURS, ROLES } from '../../../machines/types.ts';
import { CLAIM_TYPES, findClaims } from '../../../prompts/claims/claims.ts';
import { aPlan, played } from '../../actors/league/leagues.ts';
import {
  fitSkills,
  logistic,
  mirrorEffect,
  pointsOf,
  solve,
  toPoints,
  wilson,
  withinStudent,
} from '../../cli/reportArithmetic.ts';
import { describeLong } from '../../support/seeds.ts';

const colour = z.enum(COLOURS);
const reply = z.looseObject({
  seat: colour,
  fault: z.string().optional(),
  notes: z.array(z.looseObject({ code: z.string() })).optional(),
  received: z.unknown(),
});
const rawLine = z.looseObject({
  type: z.string(),
  channel: z.string(),
  match: z
    .looseObject({
      seats: z.array(
        z.looseObject({
          colour,
          role: z.enum(ROLES),
          persona: z.looseObject({ name: z.string() }),
        }),
      ),
    })
    .optional(),
  orders: z.array(reply).optional(),
  bids: z.array(reply).optional(),
  events: z.array(z.looseObject({ type: z.string() })).optional(),
  paths: z.partialRecord(colour, z.array(z.string())).optional(),
  tick: z.number().optional(),
  requestKind: z.string().optional(),
  scores: z.array(z.looseObject({ seat: colour, desire: z.number().optional() })).optional(),
  said: z
    .looseObject({ speaker: z.string(), message: z.string(), target: colour.nullable().optional() })
    .nullable()
    .optional(),
  hits: z.array(z.looseObject({ kind: z.string(), seat: colour })).optional(),
  seat: colour.optional(),
  by: z.string().optional(),
  kind: z.string().optional(),
  ballot: z.string().optional(),
  missed: z.array(colour).optional(),
  ejected: colour.nullable().optional(),
  winner: z.enum(['crew', 'impostors']).nullable().optional(),
  reason: z.string().optional(),
});
type RawLine = z.infer<typeof rawLine>;

class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, amount = 1): void {
    this.#counts.set(name, this.get(name) + amount);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

type RecountedSeat = {
  readonly colour: string;
  readonly role: 'crewmate' | 'impostor';
  readonly persona: string;
  readonly tally: Tally;
};

type RecountedGame = {
  readonly winner: 'crew' | 'impostors' | null;
  readonly reason: string;
  readonly seats: readonly RecountedSeat[];
  readonly rounds: number;
  readonly meetings: readonly RecountedMeeting[];
};

type RecountedMeeting = { readonly kind: string; readonly ejected: RecountedSeat | null };

const SECONDS_PER_ROUND = 2.5;
const field = (event: Readonly<Record<string, unknown>>, name: string) => String(event[name]);

function recount(text: string): RecountedGame {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !line.includes('"channel":"ghosts"'))
    .map((line) => rawLine.parse(JSON.parse(line)));
  const seats = (lines[0]?.match?.seats ?? []).map(
    (seat): RecountedSeat => ({
      ...{ colour: seat.colour, role: seat.role, persona: seat.persona.name },
      tally: new Tally(),
    }),
  );
  const of = (name: string | undefined) => {
    const seat = seats.find((one) => one.colour === name);
    if (seat === undefined) throw new Error(`expected a seat, found ${name}`);
    return seat;
  };
  const dead = new Set<string>();
  let told = new Map<string, string[][]>();
  const places = new Map<string, string>();
  const gather = () => {
    told = new Map(seats.map((seat) => [seat.colour, []]));
    for (const seat of seats) places.set(seat.colour, 'Cafeteria');
  };
  gather();
  const meetings: RecountedMeeting[] = [];
  let kind = '';
  let rounds = 0;
  let spoken: string[] = [];
  let tick = 0;
  let ballots: { tick: number; ballot: string }[] = [];
  let accusations: { tick: number; by: string; against: string }[] = [];

  const answer = ({ seat, fault, notes = [] }: z.infer<typeof reply>) => {
    const { tally } = of(seat);
    if (fault !== undefined) return tally.add('faults');
    tally.add('replies');
    if (notes.length > 0) tally.add('repairs');
    tally.add('invalid', notes.filter(({ code }) => code === 'vote/unknown').length);
  };
  const judge = (about: string, place: string, ago: number | null): boolean | null => {
    const rounds = told.get(about) ?? [];
    if (rounds.length === 0) return null;
    if (ago === null) return rounds.flat().includes(place);
    const slack = (ago <= 60 ? 3 : ago <= 120 ? 12 : 25) / SECONDS_PER_ROUND + 1;
    const moment = rounds.length - 1 - ago / SECONDS_PER_ROUND;
    if (moment + slack < 0) return null;
    return rounds.some((own, round) => Math.abs(round - moment) <= slack && own.includes(place));
  };

  const read = (line: RawLine) => {
    for (const one of [...(line.orders ?? []), ...(line.bids ?? [])]) answer(one);
    switch (line.type) {
      case 'round.closed': {
        rounds += 1;
        for (const seat of seats) {
          const moved: readonly string[] =
            Object.entries(line.paths ?? {}).find(([who]) => who === seat.colour)?.[1] ?? [];
          const vented = (line.events ?? []).flatMap((event) =>
            event.type === 'vent.used' && event['seat'] === seat.colour
              ? field(event, 'place')
              : [],
          );
          const own = [places.get(seat.colour) ?? '', ...moved, ...vented];
          told.get(seat.colour)?.push(own);
          places.set(seat.colour, own.at(-1) ?? '');
        }
        for (const event of line.events ?? []) {
          if (event.type === 'player.killed') {
            of(field(event, 'by')).tally.add('kills');
            dead.add(field(event, 'victim'));
          }
          if (event.type === 'task.stepped') {
            of(field(event, 'seat')).tally.add('steps');
            if (event['done'] === true) of(field(event, 'seat')).tally.add('tasks');
          }
          if (event.type === 'intent.refused') of(field(event, 'seat')).tally.add('refused');
        }
        break;
      }
      case 'meeting.called':
        kind = line.kind ?? '';
        spoken = [];
        ballots = [];
        accusations = [];
        break;
      case 'tick.closed': {
        tick = line.tick ?? 0;
        const isTalk = ['discussion', 'voting'].includes(line.requestKind ?? '');
        for (const { seat, fault, received } of line.bids ?? []) {
          if (!isTalk || fault !== undefined) continue;
          of(seat).tally.add('talk');
          const { message } = z.looseObject({ message: z.string() }).parse(received);
          if (message.trim() === '') of(seat).tally.add('blank');
        }
        for (const { seat, desire = 0 } of line.scores ?? []) {
          of(seat).tally.add('bids');
          of(seat).tally.add('desire', desire);
        }
        const { said } = line;
        if (said == null || said.message === '' || said.speaker === 'system') break;
        const { tally, role } = of(said.speaker);
        const speaker = colour.parse(said.speaker);
        spoken.push(speaker);
        tally.add('spoken');
        tally.add('characters', [...said.message].length);
        const { target = null, message } = said;
        for (const claim of findClaims({ speaker, target, message })) {
          tally.add(`claims of ${claim.type}`);
          if (claim.type === 'accusation')
            accusations.push({ tick, by: speaker, against: claim.about });
          if (claim.type !== 'place') continue;
          const truth = judge(claim.about, claim.place, claim.ago);
          tally.add(truth === null ? 'open' : truth ? 'true' : 'false');
        }
        if (!isTalk) break;
        const partners = seats.flatMap((seat) =>
          role === 'impostor' && seat.role === 'impostor' && seat.colour !== speaker
            ? colour.parse(seat.colour)
            : [],
        );
        // These are offline minds, whose thoughts are no secret that a message could give away.
        if (findReveals({ speaker, role, partners, message, thought: '' }).length > 0)
          tally.add('leaks');
        break;
      }
      case 'vote.locked': {
        const [seat, ballot] = [line.seat ?? '', line.ballot ?? ''];
        const { tally } = of(seat);
        tally.add('ballots');
        tally.add('ballot ticks', tick);
        if (ballots.some((one) => one.tick < tick && one.ballot === ballot)) tally.add('bandwagon');
        ballots.push({ tick, ballot });
        for (const other of seats) {
          const own = accusations.filter((one) => one.by === other.colour && one.tick < tick);
          if (other.colour === seat || own.length === 0) continue;
          other.tally.add('later');
          if (own.some(({ against }) => against === ballot)) other.tally.add('followed');
        }
        break;
      }
      case 'vote.refused':
        of(line.seat).tally.add('invalid');
        break;
      case 'ballot.revealed': {
        const { ballot = '' } = line;
        const { tally } = of(line.by);
        tally.add(ballot === 'skip' ? 'skip' : `against ${of(ballot).role}`);
        if (ballot !== 'skip') of(ballot).tally.add('received');
        break;
      }
      case 'poll.closed':
        for (const seat of line.missed ?? []) of(seat).tally.add('missed');
        break;
      case 'meeting.closed': {
        meetings.push({ kind, ejected: line.ejected == null ? null : of(line.ejected) });
        for (const seat of seats) {
          if (dead.has(seat.colour)) continue;
          const own = spoken.filter((speaker) => speaker === seat.colour).length;
          seat.tally.add('meetings');
          seat.tally.add('own', own);
          seat.tally.add('heard', spoken.length);
          if (own === 0) seat.tally.add('unheard');
        }
        if (line.ejected != null) {
          dead.add(line.ejected);
          of(line.ejected).tally.add('ejected');
        }
        gather();
        break;
      }
      default:
    }
  };
  for (const line of lines) read(line);
  for (const { colour: seat, tally } of seats) {
    tally.add('seats');
    if (!dead.has(seat)) tally.add('alive');
    if (tally.get('false') > 0) tally.add('liars');
    if (tally.get('false') > 0 && tally.get('ejected') > 0) tally.add('caught');
  }
  const closed = lines.find(({ type }) => type === 'game.closed');
  return { winner: closed?.winner ?? null, reason: closed?.reason ?? '', seats, rounds, meetings };
}

const MEASURES: Readonly<
  Record<string, readonly [over: readonly string[], under: readonly string[]]>
> = {
  survival: [['alive'], ['seats']],
  speaking_share: [['own'], ['heard']],
  meetings_unheard: [['unheard'], ['meetings']],
  mean_bid: [['desire'], ['bids']],
  message_characters: [['characters'], ['spoken']],
  first_vote_tick: [['ballot ticks'], ['ballots']],
  skip_share: [['skip'], ['skip', 'against impostor', 'against crewmate']],
  bandwagon_share: [['bandwagon'], ['ballots']],
  votes_received_per_meeting: [['received'], ['meetings']],
  persuasion: [['followed'], ['later']],
  false_claims: [['false'], ['false', 'true']],
  ejected: [['ejected'], ['seats']],
  ejected_after_a_lie: [['caught'], ['liars']],
  faults_per_game: [['faults'], ['seats']],
  mended_replies: [['repairs'], ['replies']],
  refused_orders_per_game: [['refused'], ['seats']],
  invalid_votes_per_game: [['invalid'], ['seats']],
  leaks_per_game: [['leaks'], ['seats']],
  requests_per_game: [[], ['seats']],
  failed_requests: [[], []],
  tokens_per_game: [[], ['seats']],
  microdollars_per_game: [[], ['seats']],
  vote_accuracy: [['against impostor'], ['against impostor', 'against crewmate']],
  tasks_per_game: [['tasks'], ['seats']],
  bus_rate: [['against impostor'], ['against impostor', 'against crewmate']],
  kills_per_game: [['kills'], ['seats']],
};

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

function expectShare(found: WinShare, won: readonly boolean[], weight = 1): void {
  const [games, wins] = [won.length, won.filter(Boolean).length];
  expect([found.games, found.wins, found.few]).toEqual([games, wins, games < 30]);
  if (games === 0) {
    expect(found.interval).toBeNull();
    return;
  }
  const [least, most] = wilson(wins / games, games / weight);
  expect(found.interval?.share).toBeCloseTo(wins / games, 12);
  expect(found.interval?.least).toBeCloseTo(least, 9);
  expect(found.interval?.most).toBeCloseTo(most, 9);
}

type Matrix = readonly (readonly number[])[];

const times = (one: Matrix, other: Matrix): Matrix =>
  one.map((row) =>
    (other[0] ?? []).map((_, column) =>
      sum(row.map((value, at) => value * (other[at]?.[column] ?? 0))),
    ),
  );
const turn = (matrix: Matrix): Matrix =>
  (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] ?? 0));
const identity = (size: number): Matrix =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => Number(i === j)));

/** Least squares with HC3 and the degrees of freedom of Bell and McCaffrey, by whole matrices; the last column counts. */
function expectComparison(
  found: Comparison | undefined,
  design: Matrix,
  outcomes: readonly number[],
): void {
  const gram = times(turn(design), design);
  const inverse = turn(identity(gram.length).map((unit) => solve(gram, unit)));
  const hat = times(times(design, inverse), turn(design));
  const weights = times(
    inverse,
    times(
      turn(design),
      outcomes.map((value) => [value]),
    ),
  ).map(([value = 0]) => value);
  const last = weights.length - 1;
  const pull = times(design, inverse).map((row) => row[last] ?? 0);
  const free = hat.map((row, at) => 1 - (row[at] ?? 0));
  const error = Math.sqrt(
    sum(
      design.map((row, at) => {
        const rest = (outcomes[at] ?? 0) - sum(row.map((value, j) => value * (weights[j] ?? 0)));
        return ((pull[at] ?? 0) * rest) ** 2 / (free[at] ?? 1) ** 2;
      }),
    ),
  );
  const scale = pull.map((value, at) => value ** 2 / (free[at] ?? 1));
  const rest = hat.map((row, i) => row.map((value, j) => (i === j ? 1 : 0) - value));
  const form = times(
    times(
      rest,
      rest.map((row, i) => row.map((value) => value * (scale[i] ?? 0))),
    ),
    identity(rest.length),
  );
  const trace = sum(form.map((row, at) => row[at] ?? 0));
  const freedom =
    trace ** 2 / sum(form.flatMap((row, i) => row.map((v, j) => v * (form[j]?.[i] ?? 0))));
  const slope = weights[last] ?? 0;
  expect(found?.difference).toBeCloseTo(slope, 9);
  const within = (distance: number) => withinStudent(Math.abs(distance) / error, freedom);
  expect(found?.p).toBeCloseTo(1 - within(slope), 6);
  const { least, most } = found ?? {};
  if (least == null || most == null) throw new Error('expected an interval');
  for (const end of [least, most])
    if (Math.abs(end) < 1) expect(within(end - slope)).toBeCloseTo(0.95, 5);
}

async function playAndRecount(file: Partial<LeagueFile>) {
  const plan = aPlan(file);
  const journals = new Map<number, string>();
  const { results } = await played(plan, {
    save: async (slot, text) => void journals.set(slot, text ?? ''),
  });
  const fixtures = scheduleLeague(plan);
  const games = fixtures.map(({ slot, pair }) => ({ ...recount(journals.get(slot) ?? ''), pair }));
  const texts = fixtures.map(({ slot }) => journals.get(slot) ?? '');
  return { standings: countStandings(plan, fixtures, results), games, texts };
}

type Recounted = Awaited<ReturnType<typeof playAndRecount>>;

const MEMBERS = aPlan().league.personas;
const member = (name: string, level: 'none' | 'advanced') => {
  const [first] = MEMBERS;
  if (first === undefined) throw new Error('expected a persona');
  return { ...first, name, level, temperament: 'follower' as const };
};

describe('a league of sides without mirrors', () => {
  let standings: Standings | null = null;
  let [games, texts]: [Recounted['games'], Recounted['texts']] = [[], []];
  const now = () => standings ?? expect.unreachable('no league was played');
  beforeAll(async () => {
    ({ standings, games, texts } = await playAndRecount({
      ...{ games: 90, seating: 'sides', learning: false, options: { max_rounds: 60 } },
      compare: [['one', 'two']],
      personas: [member('one', 'none'), member('two', 'advanced'), member('three', 'none')],
    }));
  });
  const decided = () => games.filter(({ winner }) => winner !== null);
  const wonBy = (seat: RecountedSeat, winner: RecountedGame['winner']) =>
    winner === (seat.role === 'impostor' ? 'impostors' : 'crew');

  test('counts of games, endings and sides match the journals', () => {
    const { games: all, unfinished, endings, wins } = now();
    expect(all).toBe(90);
    expect(unfinished).toBe(90 - decided().length);
    expect(unfinished).toBeGreaterThan(0);
    const names = games.map(({ winner, reason }) =>
      winner === null ? reason : `${winner} ${reason}`,
    );
    expect(new Map(endings.map(({ ending, games: count }) => [ending, count]))).toEqual(
      new Map([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length])),
    );
    for (const side of ['crew', 'impostors'] as const) {
      expectShare(
        wins[side],
        decided().map(({ winner }) => winner === side),
      );
    }
  });

  test('shares of personas, pairs and colours match the journals', () => {
    const { rows, versus, colours } = now();
    for (const { id, all, roles } of rows) {
      const own = decided().flatMap(({ winner, seats }) => {
        const sides = ROLES.flatMap(
          (role) =>
            seats.find((seat) => `scripted_${seat.persona}` === id && seat.role === role) ?? [],
        );
        return sides.map((seat) => ({ role: seat.role, won: wonBy(seat, winner) }));
      });
      expectShare(
        all,
        own.map(({ won }) => won),
      );
      for (const role of ROLES) {
        expectShare(
          roles[role],
          own.filter((one) => one.role === role).map(({ won }) => won),
        );
      }
    }
    expect(versus.length).toBe(6);
    for (const { one, other, share } of versus) {
      expectShare(
        share,
        decided().flatMap(({ winner, seats }) => {
          const side = (id: string) => seats.find((seat) => `scripted_${seat.persona}` === id);
          const [mine, theirs] = [side(one), side(other)];
          return mine === undefined || theirs === undefined ? [] : [wonBy(mine, winner)];
        }),
      );
    }
    expect(colours.length).toBe(5);
    for (const { colour: name, share } of colours) {
      expectShare(
        share,
        decided().flatMap(({ winner, seats }) =>
          seats.filter((seat) => seat.colour === name).map((seat) => wonBy(seat, winner)),
        ),
      );
    }
  });

  test('every statistic of play matches the journals', () => {
    const seen = new Set<string>();
    let counted = 0;
    for (const { id, tallies } of now().rows) {
      for (const role of ROLES) {
        const seats = games
          .flatMap((game) => game.seats)
          .filter((seat) => `scripted_${seat.persona}` === id && seat.role === role);
        const total = (names: readonly string[]) =>
          sum(seats.flatMap(({ tally }) => names.map((name) => tally.get(name))));
        for (const { name, count, of, value } of tallies[role]) {
          const measure = MEASURES[name];
          if (measure === undefined) throw new Error(`${name} is not recounted`);
          const [over, under] = [total(measure[0]), total(measure[1])];
          expect([name, id, role, count, of]).toEqual([name, id, role, over, under]);
          expect(value).toBe(under === 0 ? null : over / under);
          seen.add(name);
          if (over > 0) counted += 1;
        }
      }
    }
    expect([...seen].toSorted()).toEqual(Object.keys(MEASURES).toSorted());
    expect(counted).toBeGreaterThan(70);
  });

  test('the sums of `glassbox report --stats` match the journals', () => {
    const stats = texts.flatMap((text) => countGame(readJournal(text).lines) ?? []);
    const totals = sumStats(stats);
    const meetings = games.flatMap((game) => game.meetings);
    const ejected = meetings.flatMap((meeting) => meeting.ejected ?? []);
    const calls = (kind: string) => meetings.filter((meeting) => meeting.kind === kind).length;
    const wins = (side: string) => decided().filter(({ winner }) => winner === side).length;
    const counts = { hits: expect.any(Number), cases: expect.any(Number) };
    const share = (hits: number, cases: number) =>
      expect.objectContaining({ ...counts, hits, cases });
    expect(totals).toMatchObject({
      games: games.length,
      wins: {
        crew: share(wins('crew'), decided().length),
        impostors: share(wins('impostors'), decided().length),
      },
      rounds: sum(games.map(({ rounds }) => rounds)),
      meetings: meetings.length,
      calls: { body: calls('body'), button: calls('button') },
      ejections: share(ejected.length, meetings.length),
      rightEjections: share(
        ejected.filter(({ role }) => role === 'impostor').length,
        ejected.length,
      ),
      singles: 0,
    });
    for (const role of ROLES) {
      const seats = games.flatMap((game) => game.seats).filter((seat) => seat.role === role);
      const total = (...names: readonly string[]) =>
        sum(seats.flatMap(({ tally }) => names.map((name) => tally.get(name))));
      expect(totals.roles[role]).toEqual({
        players: seats.length,
        survived: share(total('alive'), seats.length),
        speaking: share(total('own'), total('heard')),
        unheard: share(total('unheard'), total('meetings')),
        accuracy: share(total('against impostor'), total('against impostor', 'against crewmate')),
        skipped: share(total('skip'), total('skip', 'against impostor', 'against crewmate')),
        missed: total('missed'),
        falsehoods: share(total('false'), total('false', 'true')),
        unverifiable: total('open'),
        assertions: Object.fromEntries(
          CLAIM_TYPES.map((type) => [type, total(`claims of ${type}`)]),
        ),
        kills: total('kills'),
        tasksDone: total('tasks'),
        faults: total('faults'),
        refused: total('refused'),
      });
      const { leaks, replies, repairs, bids, blank, requests, dollars } = totals.account[role];
      expect([leaks, replies, repairs, bids, blank, requests, dollars]).toEqual([
        ...['leaks', 'replies', 'repairs', 'talk', 'blank'].map((name) => total(name)),
        0,
        0,
      ]);
    }
    for (const [index, game] of stats.entries()) {
      for (const player of game.players) {
        const seat = games[index]?.seats.find(({ colour: name }) => name === player.seat);
        expect([player.tasks.steps, player.messages, player.claims.unverifiable]).toEqual(
          ['steps', 'own', 'open'].map((name) => seat?.tally.get(name)),
        );
      }
    }
  });

  test('ratings match the model, by Newton and elimination', () => {
    const ids = now().rows.map(({ id }) => id);
    const fit = fitSkills(
      decided().map(({ winner, seats, pair }) => {
        const side = (role: string) =>
          seats.filter((seat) => seat.role === role).map(({ persona }) => `scripted_${persona}`);
        const won = Number(winner === 'impostors');
        return { seed: pair, won, impostors: side('impostor'), crew: side('crewmate') };
      }),
      ids,
    );
    for (const { id, rating } of now().rows) {
      const own = fit.of(id);
      for (const role of ['impostor', 'crewmate', 'overall'] as const) {
        const { mean, error, prior } = own[role];
        const reach = 1.959964 * pointsOf(error);
        expect(rating[role].value).toBeCloseTo(toPoints(mean), 6);
        expect(rating[role].least).toBeCloseTo(toPoints(mean) - reach, 6);
        expect(rating[role].most).toBeCloseTo(toPoints(mean) + reach, 6);
        expect(rating[role].few).toBe(prior >= 0.14);
      }
    }
    const { mean, error } = fit.sides;
    const reach = 1.959964 * error;
    expect(now().sides.value).toBeCloseTo(logistic(mean), 9);
    expect(now().sides.least).toBeCloseTo(logistic(mean - reach), 9);
    expect(now().sides.most).toBeCloseTo(logistic(mean + reach), 9);
  });

  test('comparisons of two personas and of two levels match the journals', () => {
    const outcomes = decided().map(({ winner }) => (winner === 'impostors' ? 1 : 0));
    const lead = (game: RecountedGame, names: readonly string[]) =>
      sum(
        game.seats.flatMap(({ persona, role }) => {
          if (!names.includes(persona)) return [];
          const side = game.seats.filter((seat) => seat.role === role).length;
          return [(role === 'impostor' ? 1 : -1) / side];
        }),
      );
    const design = (one: readonly string[], other: readonly string[]) =>
      decided().map((game) => {
        const [first, second] = [lead(game, one), lead(game, other)];
        return { ahead: (first - second) / 2, together: (first + second) / 2 };
      });
    const pairs = design(['one'], ['two']);
    expectComparison(
      now().comparisons[0]?.result,
      pairs.map(({ ahead, together }) => [1, together, ahead]),
      outcomes,
    );
    expect(now().comparisons[0]?.result.cases).toBe(
      pairs.filter(({ ahead }) => ahead !== 0).length,
    );
    // On each side there is one of the two levels, so that what both have together is the same in all games.
    const levels = design(['two'], ['one', 'three']);
    const { one, other, result } = now().levels[0] ?? {};
    expect([one, other]).toEqual(['advanced', 'none']);
    expectComparison(
      result,
      levels.map(({ ahead }) => [1, ahead]),
      outcomes,
    );
  });
});

describeLong('a mirrored league of mixed tables', () => {
  test('comparison and shares match the journals, pair by pair', async () => {
    const { standings, games } = await playAndRecount({
      ...{ games: 44, mirror: true, learning: false, compare: [['one', 'two']] },
      personas: [member('one', 'none'), member('two', 'none'), member('three', 'none')],
    });
    const pairs = [...Map.groupBy(games, ({ pair }) => pair).values()].filter((list) =>
      list.every(({ winner }) => winner !== null),
    );
    const won = ({ winner, seats }: RecountedGame, persona: string) =>
      seats
        .filter((seat) => seat.persona === persona)
        .map(({ role }) => Number(winner === (role === 'impostor' ? 'impostors' : 'crew')));
    const differences = pairs.map((list) => {
      const [one = 0] = list.flatMap((game) => won(game, 'one'));
      const [two = 0] = list.flatMap((game) => won(game, 'two'));
      return one - two;
    });
    const [{ result } = { result: undefined }] = standings.comparisons;
    expect(result?.cases).toBe(pairs.length);
    expect(result?.difference).toBeCloseTo(sum(differences) / pairs.length, 12);
    const isFew = pairs.length < 20 || differences.filter((one) => one !== 0).length < 6;
    expect(result?.p === null).toBe(isFew);
    if (!isFew) {
      expectComparison(
        result,
        differences.map(() => [1]),
        differences,
      );
    }
    // A colour has the same role and the same dice in both games: how far they go together widens its interval.
    const lists = standings.colours.map(({ colour: name }) =>
      games.flatMap(({ winner, seats, pair }) =>
        seats
          .filter((seat) => seat.colour === name && winner !== null)
          .map(({ role, persona }) => {
            const won = Number(winner === (role === 'impostor' ? 'impostors' : 'crew'));
            return { who: persona, role, seed: pair, won };
          }),
      ),
    );
    const together = mirrorEffect(lists);
    expect(Math.abs(together)).toBeGreaterThan(0.1);
    for (const [index, { share }] of standings.colours.entries()) {
      const list = lists[index] ?? [];
      const mirrors = list.length - new Set(list.map(({ seed }) => seed)).size;
      expectShare(
        share,
        list.map((one) => one.won === 1),
        1 + (2 * mirrors * together) / list.length,
      );
    }
  });
});
