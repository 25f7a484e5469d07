/**
 * Counts for the balance of a table size: winners, the quality of the crew's votes, and talk. All of it comes from
 * the facts, as for a spectator.
 */
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import { readClaims } from '../../../actors/minds/scripted/hearing.ts';
import type { Fact } from '../../../machines/rules/facts.ts';
import type { GameFact } from '../../../machines/rules/ship/game.ts';
import type { GameEnding } from '../../../machines/rules/ship/world.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import { type Colour, type RuleSet, SYSTEM, type Utterance } from '../../../machines/types.ts';

export type GameCount = {
  readonly winner: GameEnding['winner'];
  readonly reason: string;
  readonly meetings: number;
  readonly rounds: number;
  /** Ballots of crewmates that name a player, how many of them name an impostor, and how many would by chance. */
  readonly ballots: number;
  readonly right: number;
  readonly chance: number;
  /** Meetings after a body was found, crewmates ejected in them, and how many of those had reported it. */
  readonly wrongAfterBody: number;
  readonly wrongReporters: number;
  /** Denials that answer a player, and those that answer one who had just cleared the speaker. */
  readonly denials: number;
  readonly deniedClearers: number;
  readonly voteless: number;
  readonly messages: readonly string[];
  readonly ghostMessages: readonly string[];
  /** Round of the first sabotage; null when there was none. */
  readonly firstSabotage: number | null;
};

export type CountedGame = {
  readonly players: number;
  readonly rules: RuleSet;
  readonly seed: number;
  readonly hearsGhosts?: boolean;
  readonly votingTime?: number;
};

export async function countGame(wanted: CountedGame): Promise<GameCount> {
  const match = plainGame(wanted.players, undefined, wanted.rules);
  const options =
    wanted.votingTime === undefined
      ? match.options
      : { ...match.options, voting_time: wanted.votingTime };
  const creation = createMatch({ ...match, options }, wanted.seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const { headers: _, ...ready } = creation.ready;
  const counter = new Counter(
    ready.ship.seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : [])),
    ready.ship.seats.map(({ colour }) => colour),
  );
  const ghostMessages: string[] = [];
  const recorder = wanted.hearsGhosts
    ? new Recorder({
        onLine: ({ channel, line }) => {
          if (channel !== 'ghosts' || line.type !== 'turn.closed') return;
          if (line.said !== null) ghostMessages.push(line.said.message);
        },
      })
    : null;
  const finish = await startMatch({
    ...ready,
    clock: new SimulatedClock(),
    recorder,
    onFacts: (facts) => {
      for (const fact of facts) counter.hear(fact);
    },
  }).result;
  const { winner, reason, meetings, rounds } = finish;
  return { winner, reason, meetings, rounds, ghostMessages, ...counter.counts() };
}

class Counter {
  readonly #impostors: ReadonlySet<Colour>;
  readonly #living: Set<Colour>;
  #ballots = 0;
  #right = 0;
  #chance = 0;
  #wrongAfterBody = 0;
  #wrongReporters = 0;
  #denials = 0;
  #deniedClearers = 0;
  #voteless = 0;
  #votes = 0;
  #reporter: Colour | null = null;
  #transcript: Utterance[] = [];
  #firstSabotage: number | null = null;
  readonly #messages: string[] = [];

  constructor(impostors: readonly Colour[], seats: readonly Colour[]) {
    this.#impostors = new Set(impostors);
    this.#living = new Set(seats);
  }

  hear(fact: Fact | GameFact): void {
    switch (fact.type) {
      case 'round.closed':
        for (const event of fact.events) {
          if (event.type === 'player.killed') this.#living.delete(event.victim);
          else if (event.type === 'seat.departed') this.#living.delete(event.seat);
          else if (event.type === 'sabotage.begun') this.#firstSabotage ??= fact.round;
        }
        return;
      case 'meeting.called':
        this.#reporter = fact.call.kind === 'body' ? fact.call.by : null;
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
        if (this.#votes === 0) this.#voteless += 1;
        if (fact.ejected === null) return;
        this.#living.delete(fact.ejected);
        if (this.#reporter === null || this.#impostors.has(fact.ejected)) return;
        this.#wrongAfterBody += 1;
        if (fact.ejected === this.#reporter) this.#wrongReporters += 1;
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
    this.#ballots += 1;
    this.#chance += impostors / (this.#living.size - 1);
    if (this.#impostors.has(ballot)) this.#right += 1;
  }

  #listen(said: Utterance): void {
    if (said.speaker === SYSTEM || said.message === '') return;
    this.#messages.push(said.message);
    const { speaker, target } = said;
    const isDenial = readClaims(said, 0).some(({ type }) => type === 'denial');
    if (isDenial && target !== null) {
      this.#denials += 1;
      const last = this.#transcript.findLast(({ speaker: by }) => by === target);
      if (last !== undefined && clears(last, speaker)) this.#deniedClearers += 1;
    }
    this.#transcript.push(said);
  }

  counts(): Omit<GameCount, 'winner' | 'reason' | 'meetings' | 'rounds' | 'ghostMessages'> {
    return {
      ballots: this.#ballots,
      right: this.#right,
      chance: this.#chance,
      wrongAfterBody: this.#wrongAfterBody,
      wrongReporters: this.#wrongReporters,
      denials: this.#denials,
      deniedClearers: this.#deniedClearers,
      voteless: this.#voteless,
      messages: this.#messages,
      firstSabotage: this.#firstSabotage,
    };
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
