/**
 * Judges ballots and accusations of crewmates by their possible knowledge. One is an error of logic if its target is in
 * no team that is possible for its author. The odds of a player are the share of possible teams with that player.
 */

import { IdealObserver, oddsOf } from '../../actors/minds/deduction/teams.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import { type Ballot, type BySeat, type Colour, SYSTEM } from '../../machines/types.ts';
import { findAccused } from '../../prompts/claims/claims.ts';
import type { SpokenMessage } from '../../prompts/claims/reading.ts';
import { nameSeat } from '../counts/accounts.ts';
import { listLosses } from '../counts/losses.ts';
import { meanOf } from '../counts/numeric.ts';
import { collectEvidence } from './evidence.ts';
import { type HonestListener, informationOf } from './information.ts';

/** A crewmate's knowledge as a meeting begins. */
export type SeatKnowledge = {
  readonly seat: Colour;
  /** From 1. */
  readonly meeting: number;
  /** Number of possible teams; 0 if other rules played the game. */
  readonly teams: number;
  readonly odds: BySeat<number>;
};

export type JudgedBallot = {
  /** From 1. */
  readonly line: number;
  readonly meeting: number;
  readonly voter: Colour;
  readonly ballot: Ballot;
  /** The odds of its target; for `skip`, the mean of the living others. */
  readonly odds: number;
  /** The best odds minus its own. */
  readonly regret: number;
  readonly isError: boolean;
};

export type JudgedAccusation = {
  readonly line: number;
  readonly meeting: number;
  readonly tick: number;
  readonly by: Colour;
  readonly accused: Colour;
  readonly odds: number;
  readonly isError: boolean;
};

/** A message with claims about places, kills or vents, and its value to the living crewmates who heard it. */
export type JudgedMessage = {
  readonly line: number;
  readonly meeting: number;
  readonly tick: number;
  readonly speaker: Colour;
  readonly claims: number;
  /** How much it narrows the possible teams of honest listeners, on average. */
  readonly bits: number;
};

export type GameJudgement = Readonly<NonNullable<ReturnType<typeof judgeGame>>>;

/** Null if the journal has no game. */
export function judgeGame(lines: readonly Line[]) {
  const [header] = lines;
  const match = gameIn(header);
  if (match === null || header?.type !== 'match.opened') return null;
  const crew = match.seats.filter(({ role }) => role === 'crewmate');
  const personas: BySeat<string> = Object.fromEntries(
    crew.map((seat) => [seat.colour, nameSeat(seat) ?? '']),
  );
  const listeners = crew.flatMap(({ colour }) => listen(lines, colour));
  const colours = match.seats.map(({ colour }) => colour);
  const judge = new TableJudge(colours, listeners);
  for (const [index, line] of lines.entries()) {
    if (line.channel === 'living') judge.read(line, index + 1);
  }
  return {
    seed: header.seed,
    impostors: match.seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : [])),
    personas,
    knowledge: listeners.map(({ knowledge }) => knowledge),
    ballots: judge.ballots,
    accusations: judge.accusations,
    messages: judge.messages,
  };
}

export type PersonaReasoning = Readonly<ReturnType<typeof sumUp>>;

export type CrewReasoning = Readonly<ReturnType<typeof sumJudgements>>;

/** Adds up by persona, in the order of names, and over all crewmates. */
export function sumJudgements(games: readonly GameJudgement[]) {
  const names = new Set(games.flatMap(({ personas }) => Object.values(personas)));
  return {
    personas: [...names].sort().map((name) => sumUp(name, games, (persona) => persona === name)),
    all: sumUp('', games, () => true),
  };
}

function sumUp(
  persona: string,
  games: readonly GameJudgement[],
  isMeant: (persona: string) => boolean,
) {
  const meant = games.map(({ personas, ballots, accusations }) => {
    const isOne = (seat: Colour) => isMeant(personas[seat] ?? '');
    return {
      isThere: Object.values(personas).some(isMeant),
      ballots: ballots.filter(({ voter }) => isOne(voter)),
      accusations: accusations.filter(({ by }) => isOne(by)),
    };
  });
  const ballots = meant.flatMap((game) => game.ballots);
  const accusations = meant.flatMap((game) => game.accusations);
  return {
    persona,
    games: meant.filter(({ isThere }) => isThere).length,
    ballots: countErrors(ballots),
    accusations: countErrors(accusations),
    /** The mean of a ballot, from 0 to 1; null without a ballot. */
    regret: meanOf(ballots, (one) => one.regret),
  };
}

function countErrors(judged: readonly { readonly isError: boolean }[]) {
  return { count: judged.length, errors: judged.filter(({ isError }) => isError).length };
}

export function knowledgeOf(lines: readonly Line[], seat: Colour): readonly SeatKnowledge[] {
  return listen(lines, seat).map(({ knowledge }) => knowledge);
}

type TableListener = HonestListener & { readonly knowledge: SeatKnowledge };

export function listen(lines: readonly Line[], seat: Colour): readonly TableListener[] {
  const all = collectEvidence(lines, seat);
  const [first] = all;
  if (first === undefined) return [];
  const observer = new IdealObserver(first.witness);
  return all.map((evidence) => {
    const teams = observer.listTeams(evidence);
    const odds = oddsOf(evidence.witness, teams);
    const knowledge = { seat, meeting: evidence.stretches.length, teams: teams.length, odds };
    return { observer, evidence, teams, knowledge };
  });
}

class TableJudge {
  readonly ballots: JudgedBallot[] = [];
  readonly accusations: JudgedAccusation[] = [];
  readonly messages: JudgedMessage[] = [];
  readonly #listeners: readonly TableListener[];
  readonly #living: Set<Colour>;
  #meeting = 0;
  #line = 0;

  constructor(seats: readonly Colour[], listeners: readonly TableListener[]) {
    this.#living = new Set(seats);
    this.#listeners = listeners;
  }

  #knownTo(seat: Colour): SeatKnowledge | null {
    const isMeant = ({ knowledge }: TableListener) =>
      knowledge.seat === seat && knowledge.meeting === this.#meeting && knowledge.teams > 0;
    return this.#listeners.find(isMeant)?.knowledge ?? null;
  }

  read(line: Line, number: number): void {
    this.#line = number;
    if (line.type === 'meeting.called') this.#meeting += 1;
    if (line.type === 'tick.closed') this.#hear(line);
    if (line.type === 'ballot.revealed') this.#count(line);
    for (const { seat } of listLosses(line)) this.#living.delete(seat);
  }

  #hear({ tick, said }: LineOf<'tick.closed'>): void {
    if (said === null || said.speaker === SYSTEM) return;
    const message = { ...said, speaker: said.speaker, target: said.target ?? null };
    this.#weigh(tick, message);
    const known = this.#knownTo(said.speaker);
    if (known === null) return;
    for (const accused of findAccused(message)) {
      const odds = known.odds[accused];
      if (odds === undefined || !this.#living.has(accused)) continue;
      const { seat: by, meeting } = known;
      const line = this.#line;
      this.accusations.push({ line, meeting, tick, by, accused, odds, isError: odds === 0 });
    }
  }

  #count({ by, ballot, void: isVoid }: LineOf<'ballot.revealed'>): void {
    const known = this.#knownTo(by);
    if (known === null || isVoid) return;
    const { odds, regret } = weighBallot(known, ballot, this.#living);
    const { meeting, seat: voter } = known;
    const isError = ballot !== 'skip' && odds === 0;
    this.ballots.push({ line: this.#line, meeting, voter, ballot, odds, regret, isError });
  }

  #weigh(tick: number, message: SpokenMessage): void {
    const { speaker } = message;
    const listeners = this.#listeners.filter(
      ({ knowledge: { seat, meeting, teams } }) =>
        meeting === this.#meeting && seat !== speaker && this.#living.has(seat) && teams > 0,
    );
    const { claims, bits } = informationOf(message, listeners);
    if (claims === 0) return;
    this.messages.push({ line: this.#line, meeting: this.#meeting, tick, speaker, claims, bits });
  }
}

/** Sums of shares are inexact, but no two odds are this close. */
const ROUNDING = 1e-9;

/** `living` includes the voter, and `chance` is the value of a random ballot among the others. */
export function weighBallot(
  { seat, odds }: Pick<SeatKnowledge, 'seat' | 'odds'>,
  ballot: Ballot,
  living: ReadonlySet<Colour>,
) {
  const others = [...living].filter((one) => one !== seat).map((one) => odds[one] ?? 0);
  const chance = meanOf(others, (one) => one) ?? 0;
  const own = ballot === 'skip' ? chance : (odds[ballot] ?? 0);
  const best = Math.max(chance, ...others);
  return { odds: own, chance, regret: best - own < ROUNDING ? 0 : best - own };
}
