/** The roll: reads the account of every player off a journal of a game or of a meeting. */
import type { Line, LineOf, WireBid } from '../../machines/journal/lines.ts';
import type { Colour, Role } from '../../machines/types.ts';
import { type Account, add, newAccount } from './account.ts';
import { type CallUsage, callsOf, type SeatCall } from './calls.ts';
import { injectionsIn } from './injections.ts';
import { type Reveal, revealsIn } from './reveals.ts';

/** Who plays, as far as an account depends on it. */
export type Player = { readonly seat: Colour; readonly role: Role };

/** What a request has cost, in dollars; null where nobody knows. */
export type Pricing = (seat: Colour, usage: CallUsage) => number | null;

/** What the endpoint itself says that a request has cost. */
export const asTold: Pricing = (_, { cost }) => cost;

/** The account of every player of a journal. */
export function accountsOf(
  lines: readonly Line[],
  players: readonly Player[],
  pricing: Pricing,
): ReadonlyMap<Colour, Account> {
  const roll = new Roll(players);
  for (const line of lines) roll.read(line);
  for (const call of callsOf(lines)) roll.call(call, pricing(call.seat, call.usage));
  return roll.accounts;
}

class Roll {
  readonly accounts: ReadonlyMap<Colour, Account>;
  readonly #roles: ReadonlyMap<Colour, Role>;

  constructor(players: readonly Player[]) {
    this.accounts = new Map(players.map(({ seat }) => [seat, newAccount()]));
    this.#roles = new Map(players.map(({ seat, role }) => [seat, role]));
  }

  read(line: Line): void {
    switch (line.type) {
      case 'tick.closed':
        for (const bid of line.bids) this.#bid(bid, line);
        break;
      case 'round.closed':
        for (const order of line.orders) this.#reply(order);
        break;
      case 'vote.refused':
        this.#change(line.seat, ({ invalidVotes }) => add(invalidVotes, line.note.code));
        break;
      default:
    }
  }

  call({ seat, mode, trouble, isMended, usage }: SeatCall, dollars: number | null): void {
    this.#change(seat, (account) => {
      account.requests += 1;
      if (trouble !== null) add(account.troubles, trouble);
      if (mode !== STRICTEST) account.plainer += 1;
      if (isMended) account.mended += 1;
      account.promptTokens += usage.promptTokens ?? 0;
      account.cachedTokens += usage.cachedTokens ?? 0;
      account.completionTokens += usage.completionTokens ?? 0;
      if (usage.promptTokens === null && usage.completionTokens === null) account.uncounted += 1;
      account.dollars += dollars ?? 0;
      if (dollars === null) account.unpriced += 1;
    });
  }

  /** A fault, or a reply that came; whether it was taken as it was. */
  #reply({ seat, fault, notes = [] }: Pick<WireBid, 'seat' | 'fault' | 'notes'>): void {
    this.#change(seat, (account) => {
      if (fault !== undefined) {
        add(account.faults, fault);
        return;
      }
      account.replies += 1;
      if (notes.length > 0) account.repairs += 1;
      for (const { code } of notes) {
        if (code === UNKNOWN_VOTE) add(account.invalidVotes, code);
      }
    });
  }

  #bid(bid: WireBid, { occasion, said }: LineOf<'tick.closed'>): void {
    this.#reply(bid);
    if (bid.fault !== undefined || !TALK.includes(occasion)) return;
    const { seat } = bid;
    const message = textOf(bid, 'message');
    const isHeard = said !== null && said.speaker === seat && said.message !== '';
    this.#change(seat, (account) => {
      account.bids += 1;
      if (message.trim() === '') account.blank += 1;
      const attempted = injectionsIn(message);
      for (const kind of attempted) add(account.injections, kind);
      if (attempted.length > 0) account.attempts += 1;
      if (attempted.length > 0 && isHeard) account.attemptsHeard += 1;
      const revealed = isHeard ? this.#reveals(seat, said.message, bid) : [];
      for (const kind of revealed) add(account.reveals, kind);
      if (revealed.length > 0) account.leaks += 1;
    });
  }

  #reveals(speaker: Colour, message: string, bid: WireBid): readonly Reveal[] {
    const role = this.#roles.get(speaker) ?? 'crewmate';
    const partners = [...this.#roles].flatMap(([seat, other]) =>
      role === 'impostor' && other === 'impostor' && seat !== speaker ? [seat] : [],
    );
    const thought = textOf(bid, 'internal_thought');
    return revealsIn({ speaker, role, partners, message, thought });
  }

  #change(seat: Colour, change: (account: Account) => void): void {
    const account = this.accounts.get(seat);
    if (account !== undefined) change(account);
  }
}

const STRICTEST = 'json_schema';
const UNKNOWN_VOTE = 'vote/unknown';
/** Occasions on which a message can be heard. */
const TALK: readonly string[] = ['discussion', 'voting'];

/** A text of a reply as it came; what was read from it where the reply was no object. */
function textOf({ received, reading }: WireBid, name: 'message' | 'internal_thought'): string {
  if (typeof received === 'object' && received !== null) {
    const text: unknown = Reflect.get(received, name);
    if (typeof text === 'string') return text;
  }
  return reading?.[name] ?? '';
}
