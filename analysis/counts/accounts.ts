/** Accounts of a player's replies apart from skill. Replies of ghosts count only as costs. */
import { type CallUsage, type PlayerCall, readCalls } from '../../machines/journal/calls.ts';
import type { BidFields, Line, LineOf } from '../../machines/journal/lines.ts';
import { isSlow } from '../../machines/rules/mindKinds.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import { readField } from '../../machines/text.ts';
import type { Colour, Role } from '../../machines/types.ts';
import { CUT_THOUGHT } from '../../prompts/reply.ts';
import { findInjections, findReveals, type Reveal } from './messages.ts';
import { sumOf } from './numeric.ts';

/** Counts by code or kind. Codes that never occur are missing. */
export type CodeCounts = Record<string, number>;

const EMPTY = {
  /** Heard messages that gave something away, messages with a cut thought, and the kinds of leaks (`messages.ts`). */
  leaks: 0,
  reveals: {},
  /** Messages with an injection, those that were heard, and the kinds of injections. */
  attempts: 0,
  attemptsHeard: 0,
  injections: {},
  /** Votes that did not count, by code. */
  invalidVotes: {},
  /** Replies at the table and on the ship, and those that were corrected or partly ignored. */
  replies: 0,
  repairs: 0,
  /** Bids during talk, and those without a message. */
  bids: 0,
  blank: 0,
  /** Missing or unreadable replies, by code. */
  faults: {},
  /** Requests to a model, and those with a weaker mode than `json_schema`. */
  requests: 0,
  plainer: 0,
  /** Answers that needed a repair to become JSON of the right types. */
  repaired: 0,
  failures: {},
  /** Tokens counted by the endpoint, and requests without a count. */
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  uncounted: 0,
  /** Dollars, and requests with an unknown price. */
  dollars: 0,
  unpriced: 0,
};

export type Account = {
  [Name in keyof typeof EMPTY]: (typeof EMPTY)[Name] extends number ? number : CodeCounts;
};

export function emptyAccount(): Account {
  return structuredClone(EMPTY);
}

export function sumAccounts(accounts: readonly Account[]): Account {
  const sum = emptyAccount();
  for (const account of accounts) addAmounts(sum, account);
  return sum;
}

type Amounts = { [name: string]: number | Amounts };

export function addAmounts(sum: Amounts, more: Amounts): void {
  for (const [name, amount] of Object.entries(more)) {
    const own = sum[name] ?? 0;
    if (typeof amount === 'number') sum[name] = Number(own) + amount;
    else if (typeof own === 'object') addAmounts(own, amount);
  }
}

export function addCount(counts: CodeCounts, code: string): void {
  counts[code] = (counts[code] ?? 0) + 1;
}

export function sumCounts(counts: CodeCounts): number {
  return sumOf(Object.values(counts), (times) => times);
}

export function nameSeat({ persona }: Pick<MatchSeat, 'persona'>): string | null {
  return typeof persona === 'string' ? persona : (persona?.name ?? null);
}

type AccountHolder = { readonly seat: Colour; readonly role: Role };

/** The cost of a request in dollars; null if it is unknown. */
export type Pricing = (seat: Colour, usage: CallUsage) => number | null;

export const endpointPricing: Pricing = (_, { cost }) => cost;

export function readAccounts(
  lines: readonly Line[],
  players: readonly AccountHolder[],
  pricing: Pricing,
): ReadonlyMap<Colour, Account> {
  const roll = new AccountReader(players, listOfflineSeats(lines));
  for (const line of lines) roll.read(line);
  for (const call of readCalls(lines)) roll.call(call, pricing(call.seat, call.usage));
  return roll.accounts;
}

/** Seats with built-in minds. They say their thoughts aloud by design, so that is no leak. */
export function listOfflineSeats([header]: readonly Line[]): readonly Colour[] {
  if (header?.type !== 'match.opened') return [];
  return header.match.seats.filter((seat) => !isSlow(seat)).map(({ colour }) => colour);
}

class AccountReader {
  readonly accounts: ReadonlyMap<Colour, Account>;
  readonly #roles: ReadonlyMap<Colour, Role>;
  readonly #offline: readonly Colour[];

  constructor(players: readonly AccountHolder[], offline: readonly Colour[]) {
    this.#offline = offline;
    this.accounts = new Map(players.map(({ seat }) => [seat, emptyAccount()]));
    this.#roles = new Map(players.map(({ seat, role }) => [seat, role]));
  }

  read(line: Line): void {
    if (line.type === 'tick.closed') for (const bid of line.bids) this.#bid(bid, line);
    if (line.type === 'round.closed') for (const order of line.orders) this.#reply(order);
    if (line.type === 'vote.refused')
      this.#change(line.seat, ({ invalidVotes }) => addCount(invalidVotes, line.note.code));
  }

  call({ seat, mode, failure, isRepaired, usage }: PlayerCall, dollars: number | null): void {
    this.#change(seat, (account) => {
      account.requests += 1;
      if (failure !== null) addCount(account.failures, failure);
      if (mode !== STRICTEST) account.plainer += 1;
      if (isRepaired) account.repaired += 1;
      account.promptTokens += usage.promptTokens ?? 0;
      account.cachedTokens += usage.cachedTokens ?? 0;
      account.completionTokens += usage.completionTokens ?? 0;
      if (usage.promptTokens === null && usage.completionTokens === null) account.uncounted += 1;
      account.dollars += dollars ?? 0;
      if (dollars === null) account.unpriced += 1;
    });
  }

  #reply({ seat, fault, notes = [] }: Pick<BidFields, 'seat' | 'fault' | 'notes'>): void {
    this.#change(seat, (account) => {
      if (fault !== undefined) {
        addCount(account.faults, fault);
        return;
      }
      account.replies += 1;
      if (notes.length > 0) account.repairs += 1;
      for (const { code } of notes) {
        if (code === UNKNOWN_VOTE) addCount(account.invalidVotes, code);
      }
    });
  }

  #bid(bid: BidFields, line: LineOf<'tick.closed'>): void {
    this.#reply(bid);
    const secrets = readSecrets(bid, line, this.#roles, this.#offline);
    if (secrets === null) return;
    const { attempts, reveals } = secrets;
    this.#change(bid.seat, (account) => {
      account.bids += 1;
      if (textOf(bid, 'message').trim() === '') account.blank += 1;
      for (const kind of attempts) addCount(account.injections, kind);
      if (attempts.length > 0) account.attempts += 1;
      if (attempts.length > 0 && isHeard(bid, line)) account.attemptsHeard += 1;
      for (const kind of reveals) addCount(account.reveals, kind);
      if (reveals.length > 0) account.leaks += 1;
    });
  }

  #change(seat: Colour, change: (account: Account) => void): void {
    const account = this.accounts.get(seat);
    if (account !== undefined) change(account);
  }
}

const isHeard = ({ seat }: BidFields, { said }: LineOf<'tick.closed'>) =>
  said !== null && said.speaker === seat && said.message !== '';

/** The kinds of injections and leaks in a message of the talk. Null for faults and other requests. */
export function readSecrets(
  bid: BidFields,
  line: LineOf<'tick.closed'>,
  roles: ReadonlyMap<Colour, Role>,
  offline: readonly Colour[],
): { readonly attempts: readonly string[]; readonly reveals: readonly (Reveal | 'cut')[] } | null {
  if (bid.fault !== undefined || !TALK.includes(line.requestKind)) return null;
  const { seat: speaker } = bid;
  const role = roles.get(speaker) ?? 'crewmate';
  const partners = [...roles].flatMap(([seat, other]) =>
    role === 'impostor' && other === 'impostor' && seat !== speaker ? [seat] : [],
  );
  const thought = offline.includes(speaker) ? '' : textOf(bid, 'internal_thought');
  const message = isHeard(bid, line) ? (line.said?.message ?? '') : '';
  const isCut = bid.notes?.some(({ code }) => code === CUT_THOUGHT) === true;
  return {
    attempts: findInjections(textOf(bid, 'message')),
    reveals: [
      ...findReveals({ speaker, role, partners, message, thought }),
      ...(isCut ? (['cut'] as const) : []),
    ],
  };
}

const STRICTEST = 'json_schema';
const UNKNOWN_VOTE = 'vote/unknown';
/** The requests whose message can be heard. */
const TALK: readonly string[] = ['discussion', 'voting'];

/** A text of the raw reply, or of the parsed one if the reply is no object. */
function textOf({ received, parsed }: BidFields, name: 'message' | 'internal_thought'): string {
  const text = readField(received, name);
  return typeof text === 'string' ? text : (parsed?.[name] ?? '');
}
