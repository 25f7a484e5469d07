import { expect, test } from 'vitest';
import type { RunningMatch } from '../../../actors/engine/match.ts';
import type { MindRequest } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { fillMatch } from '../../../machines/journal/opening.ts';
import type { GameMatchInput } from '../../../machines/setup/match.ts';
import { COLOURS, type Colour, type Sighting } from '../../../machines/types.ts';
import { overhear } from '../../support/matches.ts';
import { seeds } from '../../support/seeds.ts';
import { playGame } from './journeys.ts';

const SECONDS = 2.5;

type Deed = { readonly round: number; readonly meeting: number; readonly deed: object };

class Scribe {
  readonly #impostors: readonly Colour[];
  readonly #rules: string;
  readonly #isCounted: boolean;
  readonly #seats: readonly Colour[];
  readonly meetings: { call: object; result: Record<string, unknown> | null; ballots: object[] }[] =
    [];
  readonly losses: { who: Colour; how: string; where: string; meeting: number }[] = [];
  readonly calls: number[] = [];
  readonly own = new Map<Colour, Deed[]>();
  readonly votes = new Map<Colour, (Colour | 'skip' | null)[]>();
  /** By player: the last sight of each other one, and the crimes. */
  readonly #lastSeen = new Map<Colour, Map<Colour, string>>();
  readonly #crimes = new Map<Colour, string[]>();
  readonly secrets: (Deed & { readonly by: Colour })[] = [];
  readonly #gone = new Set<Colour>();
  readonly #fresh: { who: Colour; how: string }[] = [];
  #round = 0;
  #isOn = false;

  constructor(lines: readonly Line[]) {
    const [header] = lines;
    if (header?.type !== 'match.opened') throw new Error('expected a header');
    this.#impostors = header.match.seats
      .filter(({ role }) => role === 'impostor')
      .map(({ colour }) => colour);
    this.#seats = header.match.seats.map(({ colour }) => colour);
    const { options } = fillMatch(header);
    this.#rules = options.rules;
    this.#isCounted = !('show_impostors' in options) || options.show_impostors;
    for (const line of lines) if (line.channel === 'living') this.#read(line);
  }

  /** The rounds that are over. */
  get rounds(): number {
    return this.#round + 1;
  }

  get isHouse(): boolean {
    return this.#rules === 'house';
  }

  #read(line: Line): void {
    switch (line.type) {
      case 'round.closed':
        this.#round = line.round;
        for (const event of line.events) this.#event(event);
        for (const colour of this.#seats) {
          const last = this.#lastSeen.get(colour) ?? new Map<Colour, string>();
          this.#lastSeen.set(colour, last);
          for (const [who, place, did] of line.seen[colour] ?? []) {
            const sight = `${this.calls.length + 1} ${who} ${place} ${did}`;
            last.set(who, sight);
            if (['kill', 'vent', 'dead'].includes(did))
              this.#crimes.set(colour, [...(this.#crimes.get(colour) ?? []), sight]);
          }
        }
        return;
      case 'meeting.called': {
        const number = this.calls.length + 1;
        this.calls.push(this.#round + 1);
        this.#isOn = true;
        for (const { who, how } of inSeatOrder(this.#fresh)) {
          this.losses.push({ who, how, where: 'ship', meeting: number });
        }
        this.#fresh.length = 0;
        const { by, kind, body, place } = line;
        this.meetings.push({ call: { by, kind, body, place }, result: null, ballots: [] });
        for (const seat of this.#seats)
          this.votes.set(seat, [...(this.votes.get(seat) ?? []), null]);
        return;
      }
      case 'vote.locked':
        this.#setVote(line.seat, line.ballot);
        return;
      case 'vote.cleared':
        this.#setVote(line.seat, null);
        return;
      case 'seat.departed':
        this.#lose(line.seat, 'left');
        return;
      case 'ballot.revealed': {
        const { voter, ballot, void: isVoid } = line;
        this.meetings.at(-1)?.ballots.push({ voter, ballot, void: isVoid });
        return;
      }
      case 'verdict.announced': {
        const { sentence, outcome, ejected } = line;
        const meeting = this.meetings.at(-1);
        const isImpostor = ejected !== null && this.#impostors.includes(ejected);
        const [, left] = /(\d+) Impostors? remains?\.$/.exec(sentence) ?? [];
        const role = ejected === null ? null : isImpostor ? 'impostor' : 'crewmate';
        if (meeting !== undefined) {
          meeting.result = {
            outcome,
            ejected,
            role: left === undefined ? null : role,
            remaining: left === undefined ? null : Number(left),
            ballots: meeting.ballots,
            sentence,
          };
        }
        if (ejected !== null) this.#lose(ejected, 'ejected');
        return;
      }
      case 'meeting.closed':
        this.#isOn = false;
        return;
      default:
    }
  }

  #event(event: Extract<Line, { type: 'round.closed' }>['events'][number]): void {
    const note = (seat: Colour, deed: object) => {
      const entry = { round: this.#round, meeting: this.calls.length + 1, deed };
      this.own.set(seat, [...(this.own.get(seat) ?? []), entry]);
    };
    const hide = (by: Colour, deed: object) => {
      note(by, deed);
      this.secrets.push({ by, deed, round: this.#round, meeting: this.calls.length + 1 });
    };
    switch (event.type) {
      case 'player.killed': {
        const { by, victim, place } = event;
        hide(by, { type: 'kill', victim, place });
        this.#lose(victim, 'killed');
        return;
      }
      case 'vent.used':
        if (event.how === 'through')
          note(event.seat, { type: 'vent', how: 'through', place: event.place });
        else hide(event.seat, { type: 'vent', how: event.how, place: event.place });
        return;
      case 'sabotage.begun':
        hide(event.by, { type: 'sabotage', system: event.system });
        return;
      case 'doors.shut':
        hide(event.by, { type: 'shut', room: event.room });
        return;
      case 'sabotage.fixed':
        for (const seat of event.by) note(seat, { type: 'fix', system: event.system });
        return;
      case 'task.stepped':
        note(event.seat, { type: 'task', done: event.done });
        return;
      case 'seat.departed':
        this.#lose(event.seat, 'left');
        return;
      default:
    }
  }

  #lose(who: Colour, how: string): void {
    if (this.#gone.has(who)) return;
    this.#gone.add(who);
    if (this.#isOn) this.losses.push({ who, how, where: 'table', meeting: this.calls.length });
    else this.#fresh.push({ who, how });
  }

  #setVote(seat: Colour, ballot: Colour | 'skip' | null): void {
    const votes = this.votes.get(seat) ?? [];
    this.votes.set(seat, [...votes.slice(0, -1), ballot]);
  }

  record(isAtTable: boolean) {
    const held = this.meetings
      .slice(0, isAtTable ? -1 : undefined)
      .map(({ call, result }) => ({ call, result }));
    const now = this.calls.length;
    const losses = this.losses.filter(
      ({ where, meeting }) => !isAtTable || where !== 'table' || meeting !== now,
    );
    const impostors = this.#isCounted ? this.#impostors.length : null;
    return { impostors, meetings: held, losses: sortLosses(losses) };
  }

  recent(seat: Colour) {
    return (this.own.get(seat) ?? [])
      .filter(({ meeting }) => meeting > this.calls.length)
      .map(({ round, deed }) => ({ ...deed, round }));
  }

  past(seat: Colour, isAtTable: boolean) {
    const known = this.calls.length;
    const deeds = (this.own.get(seat) ?? [])
      .filter(({ meeting }) => meeting <= known)
      .map(({ round, meeting, deed }) => ({
        ...deed,
        meeting,
        ago: ((this.calls[meeting - 1] ?? 0) - round) * SECONDS,
      }));
    const votes = (this.votes.get(seat) ?? [])
      .slice(0, isAtTable ? known - 1 : known)
      .map((ballot, index) => ({ meeting: index + 1, ballot }));
    return { deeds, votes };
  }

  /** What no player forgets (ruling 58). */
  vital(seat: Colour): readonly string[] {
    return [...(this.#crimes.get(seat) ?? []), ...(this.#lastSeen.get(seat)?.values() ?? [])];
  }
}

function nameSight({ who, place, did }: Omit<Sighting, 'ago'>, meeting: number): string {
  return `${meeting} ${who} ${place} ${did}`;
}

function inSeatOrder<T extends { readonly who: Colour }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => COLOURS.indexOf(one.who) - COLOURS.indexOf(other.who));
}

function sortLosses(losses: readonly object[]): readonly string[] {
  return losses.map((loss) => JSON.stringify(loss, ['who', 'how', 'where', 'meeting'])).toSorted();
}

function plainDeeds(deeds: readonly { readonly type: string }[]) {
  return deeds.map((deed) => {
    if (deed.type !== 'task') return deed;
    const { task, place, ...rest } = deed as { type: string; task: string; place: string };
    expect([task === '', place === '']).toEqual([false, false]);
    return rest;
  });
}

function checkRequest(seat: Colour, request: MindRequest, lines: readonly Line[]): number {
  const scribe = new Scribe(lines);
  const { view } = request;
  const isAtTable = request.kind !== 'action';
  const record =
    request.kind === 'action'
      ? request.view.record
      : request.kind === 'ghost'
        ? request.view.truth.record
        : request.view.table.record;
  const { bar, ...told } = record;
  const expected = scribe.record(isAtTable);
  expect({ ...told, losses: sortLosses(told.losses) }).toEqual(expected);
  expect(bar === null || (bar.done >= 0 && bar.done <= bar.all)).toBe(true);
  const { past } = view.you;
  const mine = scribe.past(seat, isAtTable);
  expect({ deeds: plainDeeds(past.deeds), votes: past.votes }).toEqual(mine);
  const known = past.sightings.map(({ meeting, ...sight }) => nameSight(sight, meeting));
  const now = scribe.calls.length;
  const recent =
    request.kind === 'action'
      ? [...request.view.you.faded, ...request.view.you.memory].map((one) =>
          nameSight(one, now + 1),
        )
      : request.view.you.brief.sightings.map((one) => nameSight(one, now));
  const all = new Set([...known, ...recent]);
  expect(scribe.vital(seat).filter((sight) => !all.has(sight))).toEqual([]);
  if (request.kind === 'action') {
    expect(plainDeeds(request.view.you.deeds)).toEqual(scribe.recent(seat));
  }
  if (request.kind !== 'action' && request.kind !== 'ghost') {
    const { clock, tick, votesOpen } = request.view.table;
    expect(votesOpen).toBe(scribe.isHouse || request.kind === 'voting');
    // The default clock of `classic`: 15 s of talk, then 120 s of votes, in ticks of 5 s.
    expect(clock).toEqual(
      scribe.isHouse ? { openAfter: 0, closeAfter: null } : { openAfter: 3, closeAfter: 27 },
    );
    if (request.kind === 'voting') expect(tick < (clock.closeAfter ?? 0)).toBe(true);
  }
  const isGhost =
    request.kind === 'ghost' || (request.kind === 'action' && request.view.you.isGhost);
  const truth = 'truth' in view ? view.truth : null;
  expect(truth !== null).toBe(isGhost);
  if (truth === null) {
    expect(JSON.stringify(view)).not.toContain('"world"');
    return 0;
  }
  const deeds = (truth.world?.deeds ?? []).filter(({ type }) => type !== 'fake');
  expect(deeds).toEqual(
    scribe.secrets.map(({ by, deed, meeting, round }) => ({
      ...deed,
      by,
      meeting,
      ago: ((scribe.calls[meeting - 1] ?? request.index) - round) * SECONDS,
      at: round * SECONDS,
    })),
  );
  return deeds.length;
}

/** A player who looks back knows all of it, including deeds after their last request. */
function checkReflection(seat: Colour, played: RunningMatch | undefined, scribe: Scribe): void {
  const { record, you, seats } = played?.lookBack?.(seat) ?? {};
  expect(record?.meetings).toEqual(scribe.record(false).meetings);
  const deeds = you?.past.deeds ?? [];
  const own = (scribe.own.get(seat) ?? []).map(({ deed, meeting, round }) => {
    const end = scribe.calls[meeting - 1] ?? scribe.rounds;
    return { ...deed, meeting, ago: (end - round) * SECONDS };
  });
  expect(plainDeeds(deeds)).toEqual(own);
  expect(you?.past.votes).toEqual(scribe.past(seat, false).votes);
  expect(seats?.find(({ colour }) => colour === seat)?.role).toBe(you?.role);
}

type RecordLobby = readonly [
  name: string,
  options: Partial<GameMatchInput['options']>,
  faultRate: number,
];
const LOBBIES: readonly RecordLobby[] = [
  ['house', { rules: 'house' }, 0],
  ['classic', { rules: 'classic' }, 0],
  ['unconfirmed ejections', { rules: 'house', confirm_ejects: false }, 0],
  ['anonymous votes', { rules: 'classic', anonymous_votes: true }, 0],
  ['a hidden number of impostors', { rules: 'house', show_impostors: false }, 0],
  ['players who leave, house', { rules: 'house', patience: 2 }, 0.15],
  ['players who leave, classic', { rules: 'classic', patience: 2 }, 0.15],
  ['few requests on the ship', { rules: 'house', attention: 'few' }, 0],
];

const GAMES = seeds(2, 50);
test.each(LOBBIES)(`in ${GAMES} games each: %s`, async (_what, options, fault_rate) => {
  let [requests, later, secrets] = [0, 0, 0];
  for (let seed = 1; seed <= GAMES; seed++) {
    const seats = COLOURS.slice(0, 5 + (seed % 6)).map((colour) => ({ colour }));
    // Checked afterwards: a mind that throws is a fault of that player and not of the test.
    const asked: { seat: Colour; request: MindRequest; lines: number }[] = [];
    let written = 0;
    const played: RunningMatch[] = [];
    const { lines } = await playGame({ name: 'record', options, seats, fault_rate }, seed, {
      onLine: () => {
        written += 1;
      },
      begun: (game) => played.push(game),
      recast: (mind, seat) =>
        overhear(mind, (request) => asked.push({ seat, request, lines: written })),
    });
    for (const one of asked) {
      requests += 1;
      if (one.request.kind !== 'action' && lines.length > 0) later += 1;
      secrets += checkRequest(one.seat, one.request, lines.slice(0, one.lines));
    }
    for (const { colour } of seats) checkReflection(colour, played[0], new Scribe(lines));
  }
  // An oracle that saw nothing proves nothing.
  expect(requests).toBeGreaterThan(100 * GAMES);
  expect(later).toBeGreaterThan(10 * GAMES);
  expect(secrets).toBeGreaterThan(GAMES);
});
