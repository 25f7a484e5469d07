/** Converts a journal to rows of tables. Each row names its line. An incomplete journal gives the rows it has. */

import type { Journal } from '../../actors/engine/journal/reader.ts';
import { readCalls } from '../../machines/journal/calls.ts';
import { decodeBid, decodeOrder } from '../../machines/journal/codec.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import type { EventFields, Line, LineOf } from '../../machines/journal/lines.ts';
import { fillMatch, gameIn } from '../../machines/journal/opening.ts';
import { judgeFloor } from '../../machines/rules/grant.ts';
import { SCORE_TERMS } from '../../machines/rules/scoreTerms.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import type { Bid, Colour, Phase, Role } from '../../machines/types.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { findClaims } from '../../prompts/claims/claims.ts';
import { readOrder } from '../../prompts/order.ts';
import { readReply } from '../../prompts/reply.ts';
import { judgeTestimony } from '../claims/whereabouts.ts';
import { listOfflineSeats, nameSeat, readSecrets } from '../counts/accounts.ts';
import { listLosses } from '../counts/losses.ts';
import { listPrompts } from '../models/prompts.ts';
import { judgeGame } from '../observer/judgement.ts';
import { bindJournal, type WhyAnswer } from '../why/result.ts';
import { mapPoints, nameTerm, type RowOf, type TableName, type TableRow } from './columns.ts';

/** These tables take ten times as long as all others together. */
export const DEDUCED: readonly TableName[] = ['deductions', 'judgements', 'information'];

export type RowSink = (table: TableName, row: TableRow) => void;

export type TabulateOptions = {
  readonly name: string;
  readonly answers: readonly WhyAnswer[];
  readonly deduces: boolean;
};

/** Rows of one table arrive in the order of the journal. */
export function tabulate(journal: Journal, options: TabulateOptions, sink: RowSink): void {
  new Tabulator(journal, options, sink).run();
}

/** Plays the journal again, because it holds no prompts. */
export async function tabulateRequests(
  journal: Journal,
  name: string,
  sink: RowSink,
): Promise<void> {
  for (const { seat, request, at, prompt, answer } of await listPrompts(journal)) {
    const source = { journal: name, line: at + 1, hash: journal.lines[at]?.hash ?? null };
    const [system, user] = [joinBlocks(prompt.system), joinBlocks(prompt.user)];
    const { kind: request_kind } = request;
    sink('requests', { ...source, seat, request_kind, system, user, answer });
  }
}

class Tabulator {
  readonly #lines: readonly Line[];
  readonly #options: TabulateOptions;
  readonly #sink: RowSink;
  readonly #judge = judgeTestimony(findClaims);
  readonly #roles = new Map<Colour, Role>();
  readonly #fates = new Map<Colour, SeatFate>();
  /** The source line of the next rows, from 0. */
  #at = 0;
  #round = 0;
  #meeting = 0;
  readonly #calledIn = new Map<number, number>();
  #phase: Phase | null = null;
  #tick = 0;
  /** The tick that locked each ballot. */
  #locked = new Map<Colour, number>();
  #open: OpenMeeting | null = null;

  constructor({ lines }: Journal, options: TabulateOptions, sink: RowSink) {
    this.#lines = lines;
    this.#options = options;
    this.#sink = sink;
  }

  run(): void {
    const [header] = this.#lines;
    if (header?.type !== 'match.opened') return;
    const { match } = header;
    const isGame = gameIn(header) !== null;
    for (const seat of match.seats) {
      this.#roles.set(seat.colour, seat.role ?? 'crewmate');
      const isDead = 'dead' in seat && seat.dead;
      this.#fates.set(seat.colour, isDead ? { ...NO_FATE, fate: 'dead' } : NO_FATE);
    }
    for (const [at, line] of this.#lines.entries()) {
      this.#at = at;
      this.#readCalls(line);
      if (line.channel === 'ghosts') this.#readGhosts(line);
      else if (line.channel === 'living') this.#readLiving(line);
      else if (line.type === 'belief.stated') this.#writeBelief(line);
    }
    this.#at = 0;
    this.#writeSeats(header);
    this.#writeGame(header, isGame);
    if (this.#options.deduces && isGame) this.#writeDeductions();
    this.#writeCounterfactuals();
  }

  #put<Name extends TableName>(table: Name, row: RowOf<Name>): void {
    const { hash = null } = this.#lines[this.#at] ?? {};
    this.#sink(table, { journal: this.#options.name, line: this.#at + 1, hash, ...row });
  }

  #roleOf(seat: Colour | 'skip' | 'system'): Role | null {
    return seat === 'skip' || seat === 'system' ? null : (this.#roles.get(seat) ?? null);
  }

  get #living(): number {
    return [...this.#fates.values()].filter(({ fate }) => fate === 'alive').length;
  }

  #readLiving(line: Extract<Line, { channel: 'living' }>): void {
    for (const claim of this.#judge(throughGlass(line))) {
      const { type, by, about } = claim;
      const isPlace = claim.type === 'place';
      this.#put('claims', {
        meeting: this.#meeting,
        tick: line.type === 'tick.closed' ? line.tick : null,
        type,
        by,
        by_role: this.#roleOf(by),
        about,
        about_role: this.#roleOf(about),
        with: claim.type === 'company' ? claim.with : null,
        act: claim.type === 'act' ? claim.act : null,
        place: isPlace ? claim.place : null,
        ago: isPlace ? claim.ago : null,
        truth: isPlace ? claim.truth : null,
        places: isPlace ? claim.places.join('; ') : null,
      });
    }
    const place =
      line.type === 'round.closed' ? { fate_round: line.round } : { fate_meeting: this.#meeting };
    for (const { seat, how: fate } of listLosses(line))
      if (this.#fates.get(seat) === NO_FATE) this.#fates.set(seat, { ...NO_FATE, fate, ...place });
    if (line.type === 'round.closed') this.#readRound(line);
    if (line.type === 'meeting.called') this.#openMeeting(line);
    if (line.type === 'phase.entered') this.#phase = line.phase;
    if (line.type === 'tick.closed') this.#readTick(line);
    if (line.type === 'vote.locked') this.#locked.set(line.seat, this.#tick);
    if (line.type === 'vote.cleared') this.#locked.delete(line.seat);
    if (line.type === 'ballot.revealed') this.#readBallot(line);
    if (line.type === 'meeting.closed') this.#closeMeeting(line.outcome, line.ejected);
  }

  #readRound(line: LineOf<'round.closed'>): void {
    this.#round = line.round;
    const orders = line.orders.map((order) => decodeOrder(order, { readOrder }));
    for (const order of orders) this.#writeOrder(order, line.round);
    for (const [index, event] of line.events.entries())
      this.#put('events', { round: line.round, index, ...eventCells(event) });
    for (const [seat, sights] of Object.entries(line.seen)) {
      for (const [who, place, did] of sights ?? []) {
        if (who !== seat) this.#put('sightings', { round: line.round, seat, who, place, did });
      }
    }
    const count = (type: EventFields['type']) =>
      line.events.filter((event) => event.type === type).length;
    const faults = orders.filter(({ type }) => type === 'fault').length;
    this.#put('rounds', {
      round: line.round,
      meetings: this.#meeting,
      living: this.#living,
      orders: orders.length - faults,
      faults,
      kills: count('player.killed'),
      vents: count('vent.used'),
      task_steps: count('task.stepped'),
    });
    this.#round = line.round + 1;
  }

  #writeOrder(order: Order, round: number): void {
    const decision = order.type === 'fault' ? null : order.decision;
    const intent = decision?.intent ?? null;
    this.#put('orders', {
      round,
      seat: order.seat,
      role: this.#roleOf(order.seat),
      intent: intent?.type ?? null,
      target: intent === null ? null : targetOf(intent),
      thought: decision?.thought ?? null,
      fault: order.type === 'fault' ? order.code : null,
      notes: decision === null ? null : listCodes(decision.notes),
    });
  }

  #openMeeting(line: LineOf<'meeting.called'>): void {
    this.#meeting += 1;
    this.#calledIn.set(this.#meeting, this.#round);
    this.#locked = new Map();
    const before = { round: this.#round, living: this.#living };
    const counts = { ...before, ticks: 0, messages: 0, ballots: 0, skips: 0 };
    this.#open = { at: this.#at, line, counts };
  }

  #readTick(line: LineOf<'tick.closed'>): void {
    const { tick, requestKind, floor, tie, nudge, said, hits, scores } = line;
    this.#tick = tick;
    const bids = line.bids.map((bid) => decodeBid(bid, { readReply }));
    const meeting = this.#meeting;
    this.#put('ticks', {
      meeting,
      tick,
      phase: this.#phase,
      request_kind: requestKind,
      asked: bids.length,
      faults: bids.filter(({ type }) => type === 'fault').length,
      floor,
      tie,
      decided_by: judgeFloor(scores, floor)?.map(nameReason).join(' ') ?? null,
      nudge,
    });
    const place = { channel: 'living', meeting, tick, request_kind: requestKind };
    for (const bid of bids) {
      const score = scores.find(({ seat }) => seat === bid.seat);
      const fields = line.bids.find(({ seat }) => seat === bid.seat);
      const secrets =
        fields && readSecrets(fields, line, this.#roles, listOfflineSeats(this.#lines));
      this.#writeBid(place, bid, bid.seat === floor, { score, ...secrets });
    }
    const isTalk = requestKind === 'discussion' || requestKind === 'voting';
    if (this.#open !== null && isTalk) this.#open.counts.ticks += 1;
    if (said === null) return;
    const { speaker } = said;
    if (this.#open !== null && isTalk && speaker !== 'system') this.#open.counts.messages += 1;
    this.#writeMessage(place, said);
    for (const { seat, kind: hit, word, reason } of hits) {
      const kind = hit === 'accusation' ? 'addressed' : hit;
      this.#put('mentions', { meeting, tick, speaker, seat, kind, word, reason });
    }
  }

  #writeBid(place: TalkPlace, bid: Bid, won: boolean, known: JudgedBid = {}): void {
    const { score, attempts, reveals } = known;
    const reply = bid.type === 'fault' ? null : bid.reply;
    this.#put('bids', {
      ...place,
      seat: bid.seat,
      role: this.#roleOf(bid.seat),
      desire: reply?.desire ?? null,
      message: reply?.message ?? null,
      target: reply?.target ?? null,
      vote: reply?.vote ?? null,
      thought: reply?.thought ?? null,
      fault: bid.type === 'fault' ? bid.code : null,
      notes: reply === null ? null : listCodes(reply.notes),
      total: score?.total ?? null,
      ...mapPoints(({ key }) => score?.[key] ?? null),
      silent_ticks: score?.silentTicks ?? null,
      has_voted: score?.hasVoted ?? null,
      called_on: score?.calledOn ?? null,
      eligible: score?.eligible ?? null,
      won,
      attempts: attempts?.join(' ') ?? null,
      reveals: reveals?.join(' ') ?? null,
    });
  }

  #readGhosts(line: Extract<Line, { channel: 'ghosts' }>): void {
    if (line.type !== 'turn.closed') return;
    const { turn: tick, requestKind: request_kind, said } = line;
    const place = { channel: 'ghosts', meeting: this.#meeting, tick, request_kind };
    for (const fields of line.bids) {
      const bid = decodeBid(fields, { readReply });
      this.#writeBid(place, bid, said?.speaker === bid.seat);
    }
    if (said !== null) this.#writeMessage(place, said);
  }

  #writeMessage(place: TalkPlace, { speaker, target, message }: SaidFields): void {
    const role = this.#roleOf(speaker);
    const characters = message.length;
    const whom = target ?? null;
    this.#put('messages', { ...place, speaker, role, target: whom, message, characters });
  }

  #writeBelief(line: LineOf<'belief.stated'>): void {
    const { meeting, moment, tick = null, seat, source, about, probabilities, missing } = line;
    for (const suspect of about) {
      this.#put('beliefs', {
        meeting,
        moment,
        tick,
        round: this.#calledIn.get(meeting) ?? null,
        seat,
        role: this.#roleOf(seat),
        about: suspect,
        probability: probabilities[suspect] ?? null,
        impostor: this.#roleOf(suspect) === 'impostor',
        source,
        fault: line.fault ?? missing?.[suspect] ?? null,
      });
    }
  }

  #readBallot({ index, by, ballot, void: isVoid }: LineOf<'ballot.revealed'>): void {
    if (this.#open !== null && !isVoid) {
      this.#open.counts.ballots += 1;
      if (ballot === 'skip') this.#open.counts.skips += 1;
    }
    this.#put('ballots', {
      meeting: this.#meeting,
      index,
      voter: by,
      voter_role: this.#roleOf(by),
      ballot,
      ballot_role: this.#roleOf(ballot),
      void: isVoid,
      locked_tick: this.#locked.get(by) ?? null,
    });
  }

  #closeMeeting(outcome: string | null, ejected: Colour | null): void {
    if (this.#open === null) return;
    const { at, line, counts } = this.#open;
    const { by, kind, body, place } = line;
    const here = this.#at;
    this.#at = at;
    const called = { meeting: this.#meeting, by, kind, body, place };
    const ejected_role = ejected === null ? null : this.#roleOf(ejected);
    this.#put('meetings', { ...called, ...counts, outcome, ejected, ejected_role });
    this.#at = here;
    this.#open = null;
  }

  #readCalls(line: Line): void {
    for (const call of readCalls([line])) {
      const { id, seat, requestKind, index, mode, ms, usage, failure, isRepaired } = call;
      this.#put('calls', {
        id: toWhole(id),
        seat,
        request_kind: requestKind,
        index: toWhole(index),
        mode,
        ms,
        prompt_tokens: toWhole(usage.promptTokens),
        cached_tokens: toWhole(usage.cachedTokens),
        completion_tokens: toWhole(usage.completionTokens),
        dollars: usage.cost,
        failure,
        repaired: isRepaired,
      });
    }
  }

  #writeSeats({ match }: LineOf<'match.opened'>): void {
    const winner = this.#ending?.winner ?? null;
    for (const [place, own] of match.seats.entries()) {
      const { colour: seat, role = 'crewmate', mind, model } = own;
      const side = role === 'impostor' ? 'impostors' : 'crew';
      this.#put('seats', {
        seat,
        place,
        role,
        persona: nameSeat(own),
        mind: mind ?? null,
        model: model ?? null,
        ...(this.#fates.get(seat) ?? NO_FATE),
        won: winner === null ? null : winner === side,
      });
    }
  }

  get #ending(): LineOf<'game.closed'> | null {
    return this.#lines.findLast((line) => line.type === 'game.closed') ?? null;
  }

  #writeGame(header: LineOf<'match.opened'>, isGame: boolean): void {
    const { seed } = header;
    const match = fillMatch(header);
    // An unfinished meeting gets its row too.
    this.#closeMeeting(null, null);
    const ending = this.#ending;
    const { living, ghosts } = bindJournal({ lines: this.#lines });
    const isMeetingOver = this.#lines.some(({ type }) => type === 'meeting.closed');
    const map = match.map ?? null;
    this.#put('games', {
      kind: isGame ? 'game' : 'meeting',
      seed,
      name: match.name,
      rules: match.options.rules,
      map: map === null || typeof map === 'string' ? map : map.name,
      players: match.seats.length,
      impostors: match.seats.filter(({ role }) => role === 'impostor').length,
      rounds: this.#round,
      meetings: this.#meeting,
      winner: ending?.winner ?? null,
      reason: ending?.reason ?? null,
      ended: isGame ? ending !== null : isMeetingOver,
      options: JSON.stringify(match.options),
      living_hash: living,
      ghosts_hash: ghosts,
    });
  }

  #writeDeductions(): void {
    const judged = judgeGame(this.#lines);
    const calls = this.#lines.flatMap(({ type }, at) => (type === 'meeting.called' ? [at] : []));
    for (const { seat, meeting, teams, odds } of judged?.knowledge ?? []) {
      this.#at = calls[meeting - 1] ?? 0;
      // If other rules played the game, no team is possible.
      for (const [suspect, share] of teams === 0 ? [] : Object.entries(odds))
        this.#put('deductions', { meeting, seat, suspect, odds: share, teams });
    }
    for (const { line, meeting, voter, ballot, odds, regret, isError } of judged?.ballots ?? []) {
      this.#at = line - 1;
      this.#put('judgements', { meeting, voter, ballot, odds, regret, error: isError });
    }
    for (const { line, meeting, tick, speaker, claims, bits } of judged?.messages ?? []) {
      this.#at = line - 1;
      const role = this.#roleOf(speaker);
      this.#put('information', { meeting, tick, speaker, role, claims, bits });
    }
  }

  #writeCounterfactuals(): void {
    for (const answer of this.#options.answers) {
      const { line, effect, samples: _samples, ...question } = answer;
      const { samples, winner, ejected, ballots, rounds, suspicion } = effect;
      const isWhole = question.until === 'end';
      this.#at = line - 1;
      this.#put('counterfactuals', {
        ...question,
        samples,
        // An unfinished match has no winner.
        winner_changed: isWhole ? winner / samples : null,
        ejected_changed: ejected / samples,
        ballots_changed: ballots,
        rounds_longer: isWhole ? rounds : null,
        suspicion_shifted: suspicion,
      });
    }
  }
}

const nameReason = (reason: string) => {
  const term = SCORE_TERMS.find(({ yaml }) => yaml === reason);
  return term === undefined ? reason : nameTerm(term);
};

type SeatFate = Pick<RowOf<'seats'>, 'fate' | 'fate_round' | 'fate_meeting'>;
const NO_FATE: SeatFate = { fate: 'alive', fate_round: null, fate_meeting: null };

type TalkPlace = Pick<RowOf<'messages'>, 'channel' | 'meeting' | 'tick' | 'request_kind'>;

type JudgedBid = Partial<NonNullable<ReturnType<typeof readSecrets>>> & {
  readonly score?: LineOf<'tick.closed'>['scores'][number] | undefined;
};

type SaidFields = Omit<NonNullable<LineOf<'tick.closed'>['said']>, 'tick'>;

type OpenMeeting = {
  readonly at: number;
  readonly line: LineOf<'meeting.called'>;
  readonly counts: Record<'round' | 'living' | 'ticks' | 'messages' | 'ballots' | 'skips', number>;
};

/** The clock is not hashed and may hold anything, so counts are rounded. */
function toWhole(amount: number | null): number | null {
  return amount === null || !Number.isFinite(amount) ? null : Math.round(amount);
}

function listCodes(notes: readonly { readonly code: string }[]): string {
  return notes.map(({ code }) => code).join(' ');
}

function targetOf(intent: object): string | null {
  const named = Object.entries(intent).find(([key]) => key !== 'type' && key !== 'rounds');
  return named === undefined ? null : String(named[1]);
}

function eventCells(event: EventFields): Omit<RowOf<'events'>, 'round' | 'index'> {
  const { type } = event;
  const cells = { type, seat: null, other: null, place: null, what: null, done: null };
  switch (event.type) {
    case 'player.killed':
      return { ...cells, seat: event.by, other: event.victim, place: event.place };
    case 'vent.used':
      return { ...cells, seat: event.seat, place: event.place, what: `${event.how} ${event.vent}` };
    case 'sabotage.begun':
      return { ...cells, seat: event.by, what: event.system };
    case 'sabotage.fixed':
      return { ...cells, seat: event.by.join(' '), what: event.system };
    case 'keypad.entered':
      return { ...cells, seat: event.seat, place: event.at };
    case 'doors.shut':
      return { ...cells, seat: event.by, place: event.room };
    case 'doors.opened':
      return { ...cells, place: event.room };
    case 'task.stepped':
      return { ...cells, seat: event.seat, what: event.task, done: event.done };
    case 'intent.refused':
      return { ...cells, seat: event.seat, what: `${event.intent.type} ${event.note.code}` };
    case 'seat.faulted':
      return { ...cells, seat: event.seat, what: event.code };
    case 'seat.departed':
      return { ...cells, seat: event.seat, what: event.reason };
    default:
      return event satisfies never;
  }
}
