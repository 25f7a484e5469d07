/**
 * Counts for the balance of a table size: winners, the quality of the crew's votes, and talk. All of it comes from
 * the facts, as for a spectator.
 */
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import { readClaims } from '../../../actors/minds/scripted/hearing.ts';
import type { Fact } from '../../../machines/rules/facts.ts';
import type { GameFact } from '../../../machines/rules/ship/game.ts';
import type { GameEnding } from '../../../machines/rules/ship/world.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import {
  type Colour,
  type Role,
  type RuleSet,
  SYSTEM,
  type Utterance,
} from '../../../machines/types.ts';

export type GameCount = {
  readonly winner: GameEnding['winner'];
  readonly reason: string;
  /** Ballots of crewmates that name an impostor, and how many would by chance. */
  readonly right: number;
  readonly chance: number;
  /** Denials that answer a player, and those that answer one who had just cleared the speaker. */
  readonly denials: number;
  readonly deniedClearers: number;
  readonly voteless: number;
  readonly messages: readonly string[];
};

type CountedGame = {
  readonly players: number;
  readonly rules: RuleSet;
  readonly seed: number;
  readonly votingTime?: number;
};

export async function countGame({
  players,
  rules,
  seed,
  votingTime,
}: CountedGame): Promise<GameCount> {
  const match = plainGame(players, undefined, rules);
  const timed = votingTime === undefined ? {} : { voting_time: votingTime };
  const creation = createMatch({ ...match, options: { ...match.options, ...timed } }, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const { headers: _, ...ready } = creation.ready;
  const counter = new Counter(ready.ship.seats);
  const { winner, reason } = await startMatch({
    ...ready,
    clock: new SimulatedClock(),
    recorder: null,
    onFacts: (facts) => {
      for (const fact of facts) counter.hear(fact);
    },
  }).result;
  return { winner, reason, ...counter.counts };
}

class Counter {
  readonly #impostors: ReadonlySet<Colour>;
  readonly #living: Set<Colour>;
  readonly counts = {
    right: 0,
    chance: 0,
    denials: 0,
    deniedClearers: 0,
    voteless: 0,
    messages: [] as string[],
  };
  #votes = 0;
  #transcript: Utterance[] = [];

  constructor(seats: readonly { readonly colour: Colour; readonly role: Role }[]) {
    this.#impostors = new Set(
      seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : [])),
    );
    this.#living = new Set(seats.map(({ colour }) => colour));
  }

  hear(fact: Fact | GameFact): void {
    switch (fact.type) {
      case 'round.closed':
        for (const event of fact.events) {
          if (event.type === 'player.killed') this.#living.delete(event.victim);
          else if (event.type === 'seat.departed') this.#living.delete(event.seat);
        }
        return;
      case 'meeting.called':
        this.#transcript = [];
        this.#votes = 0;
        return;
      case 'tick.closed':
        if (fact.decision?.said) this.#listen(fact.decision.said);
        return;
      case 'vote.locked':
        this.#votes += 1;
        this.#countBallot(fact.seat, fact.ballot);
        return;
      case 'meeting.closed':
        if (this.#votes === 0) this.counts.voteless += 1;
        if (fact.ejected !== null) this.#living.delete(fact.ejected);
        return;
      case 'seat.departed':
        this.#living.delete(fact.seat);
        return;
      default:
        return;
    }
  }

  #countBallot(seat: Colour, ballot: Colour | 'skip'): void {
    if (ballot === 'skip' || this.#impostors.has(seat)) return;
    const impostors = [...this.#living].filter((one) => this.#impostors.has(one)).length;
    this.counts.chance += impostors / (this.#living.size - 1);
    if (this.#impostors.has(ballot)) this.counts.right += 1;
  }

  #listen(said: Utterance): void {
    const { speaker, target, message } = said;
    if (speaker === SYSTEM || message === '') return;
    this.counts.messages.push(message);
    const isDenial = readClaims(said, 0).some(({ type }) => type === 'denial');
    if (isDenial && target !== null) {
      this.counts.denials += 1;
      const last = this.#transcript.findLast(({ speaker: by }) => by === target);
      if (last !== undefined && clears(last, speaker)) this.counts.deniedClearers += 1;
    }
    this.#transcript.push(said);
  }
}

/** Whether a line speaks for a player and says nothing against them. */
function clears(line: Utterance, who: Colour): boolean {
  const about = readClaims(line, 0).filter((item) => 'who' in item && item.who === who);
  return (
    about.some(({ type }) => type === 'support') &&
    about.every(({ type }) => type === 'support' || type === 'sighting')
  );
}
