/** The tally of a game: whole numbers for each seat, under the names by which careers keep them. */

import type { JournalCounting } from '../../actors/league/models.ts';
import type { Prices } from '../../actors/minds/openai/prices.ts';
import { type Counters, MICRODOLLARS } from '../../actors/stores/result.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { type BySeat, type Colour, SYSTEM } from '../../machines/types.ts';
import { type Account, sumCounts } from '../counts/accounts.ts';
import { countGame, type PlayerStats } from '../counts/statistics.ts';
import { makePricing } from '../models/pricing.ts';

/** Counts the lines of a whole game. What is 0 is left out. */
export function tallyGame(lines: readonly Line[], prices: Prices = {}): BySeat<Counters> {
  const stats = countGame(lines, makePricing(lines, prices));
  const behaviour = countBehaviour(lines);
  const tallies: Partial<Record<Colour, Counters>> = {};
  for (const player of stats?.players ?? []) {
    const sumCounts = {
      ...countFigures(player),
      ...behaviour.get(player.seat),
      ...countReliability(player.account),
    };
    tallies[player.seat] = Object.fromEntries(
      Object.entries(sumCounts).filter(([, count]) => count !== 0),
    );
  }
  return tallies;
}

/** A file beside this one keeps its ending when it is built. */
const WORKER = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';

/** How the games of leagues are counted, for the rooms that play them. */
export const counting: JournalCounting = {
  tally: tallyGame,
  worker: new URL(WORKER, import.meta.url),
};

function countFigures({ fate, votes, claims, tasks, ...player }: PlayerStats): Counters {
  const isOut = fate === 'ejected';
  return {
    survived: fate === 'alive' ? 1 : 0,
    killed: fate === 'killed' ? 1 : 0,
    ejected: isOut ? 1 : 0,
    left: fate === 'left' ? 1 : 0,
    meetings: player.meetings,
    unheard: player.unheard,
    messages: player.messages,
    heard: player.heard,
    votes_impostor: votes.impostor,
    votes_crewmate: votes.crewmate,
    votes_skip: votes.skip,
    votes_missed: votes.missed,
    kills: player.kills,
    tasks_done: tasks.done,
    task_steps: tasks.steps,
    claims_true: claims.true,
    claims_false: claims.false,
    claims_open: claims.unverifiable,
    /** Games with a false claim, and those of them that ended with an ejection. */
    lied: claims.false > 0 ? 1 : 0,
    lied_and_ejected: claims.false > 0 && isOut ? 1 : 0,
    faults: player.faults,
    refused: player.refused,
  };
}

/** What is no matter of skill. */
function countReliability(account: Account): Counters {
  return {
    replies: account.replies,
    repairs: account.repairs,
    blank: account.blank,
    votes_invalid: sumCounts(account.invalidVotes),
    leaks: account.leaks,
    attempts: account.attempts,
    requests: account.requests,
    requests_failed: sumCounts(account.failures),
    requests_plainer: account.plainer,
    prompt_tokens: account.promptTokens,
    completion_tokens: account.completionTokens,
    microdollars: Math.round(MICRODOLLARS * account.dollars),
  };
}

/*
 * Behaviour at the table, in counts that can be added up over games.
 *
 * What a share is made of is counted on both sides: "followed" of "accusations", "bandwagon" of "ballots".
 */

const BEHAVIOUR = [
  /** Bids that came, and the sum of the desire in them. */
  'bids',
  'desire',
  /** Messages that won the floor, and their characters. */
  'spoken',
  'characters',
  /** Ballots that were locked, the sum of their ticks, and those for whom a ballot of an earlier tick had voted. */
  'ballots',
  'ballot_ticks',
  'bandwagon',
  /** Ballots against oneself. */
  'accused_by',
  /** Messages that accuse a player, the ballots of others in later ticks of the meeting, and those that followed. */
  'accusations',
  'later_ballots',
  'followed',
] as const;

type BehaviourCounts = Record<(typeof BEHAVIOUR)[number], number>;

type Behaviour = Readonly<BehaviourCounts>;

/** How everybody behaved in a game. */
function countBehaviour(lines: readonly Line[]): ReadonlyMap<Colour, Behaviour> {
  const table = new BehaviourCounter();
  for (const line of lines) table.read(line);
  return table.counts;
}

function zeroCounts(): BehaviourCounts {
  return {
    bids: 0,
    desire: 0,
    spoken: 0,
    characters: 0,
    ballots: 0,
    ballot_ticks: 0,
    bandwagon: 0,
    accused_by: 0,
    accusations: 0,
    later_ballots: 0,
    followed: 0,
  };
}

type Accusation = { readonly by: Colour; readonly against: Colour; readonly tick: number };

type LockedBallot = { readonly ballot: Colour | 'skip'; readonly tick: number };

class BehaviourCounter {
  readonly counts = new Map<Colour, BehaviourCounts>();
  #tick = 0;
  #locked: LockedBallot[] = [];
  #accusations: Accusation[] = [];

  read(line: Line): void {
    if (line.channel === 'ghosts') return;
    switch (line.type) {
      case 'meeting.called':
        this.#locked = [];
        this.#accusations = [];
        break;
      case 'tick.closed':
        this.#bids(line);
        break;
      case 'vote.locked':
        this.#vote(line);
        break;
      case 'ballot.revealed':
        if (line.ballot !== 'skip') this.#of(line.ballot).accused_by += 1;
        break;
      default:
    }
  }

  #of(seat: Colour): BehaviourCounts {
    const known = this.counts.get(seat);
    if (known !== undefined) return known;
    const counts = zeroCounts();
    this.counts.set(seat, counts);
    return counts;
  }

  #bids({ tick, scores, said, hits }: LineOf<'tick.closed'>): void {
    this.#tick = tick;
    for (const { seat, desire } of scores) {
      const own = this.#of(seat);
      own.bids += 1;
      own.desire += desire;
    }
    if (said === null || said.speaker === SYSTEM || said.message === '') return;
    const { speaker } = said;
    const own = this.#of(speaker);
    own.spoken += 1;
    own.characters += [...said.message].length;
    const against = new Set(
      hits.filter(({ kind }) => kind === 'accusation').map(({ seat }) => seat),
    );
    for (const seat of against) {
      own.accusations += 1;
      this.#accusations.push({ by: speaker, against: seat, tick });
    }
  }

  /** All of a tick speak and vote at once: a ballot can follow only what was there before its tick. */
  #vote({ seat, ballot }: LineOf<'vote.locked'>): void {
    const own = this.#of(seat);
    const tick = this.#tick;
    own.ballots += 1;
    own.ballot_ticks += tick;
    const isFollowing = this.#locked.some((one) => one.tick < tick && one.ballot === ballot);
    if (isFollowing) own.bandwagon += 1;
    this.#locked.push({ ballot, tick });
    // A player who accused several times is counted once for a ballot.
    const heard = this.#accusations.filter((one) => one.by !== seat && one.tick < tick);
    for (const by of new Set(heard.map((one) => one.by))) {
      const accuser = this.#of(by);
      accuser.later_ballots += 1;
      const isFollowed = heard.some((one) => one.by === by && one.against === ballot);
      if (isFollowed) accuser.followed += 1;
    }
  }
}
