/**
 * Judges the ballots and accusations of crewmates by their possible knowledge.
 *
 * A ballot or accusation is an error of logic if its target is in no team that is still possible for its author. The
 * odds of a player are the share of possible teams with that player.
 */
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import { type Ballot, type BySeat, type Colour, SYSTEM } from '../../machines/types.ts';
import type { SpokenMessage } from '../../prompts/claims/reading.ts';
import { nameSeat } from '../counts/accounts.ts';
import { collectEvidence } from './evidence.ts';
import { type HonestListener, informationOf } from './information.ts';
import { IdealObserver, oddsOf } from './teams.ts';

/** A crewmate's knowledge as a meeting begins. */
export type Knowledge = {
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

/** A crewmate's message that accuses a living player. */
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

export type GameJudgement = {
  readonly seed: number;
  readonly impostors: readonly Colour[];
  readonly personas: BySeat<string>;
  readonly knowledge: readonly Knowledge[];
  readonly ballots: readonly JudgedBallot[];
  readonly accusations: readonly JudgedAccusation[];
  readonly messages: readonly JudgedMessage[];
};

/** Null if the journal has no game. */
export function judgeGame(lines: readonly Line[]): GameJudgement | null {
  const [header] = lines;
  const match = gameIn(header);
  if (match === null || header?.type !== 'match.opened') return null;
  const crew = match.seats.filter(({ role }) => role === 'crewmate');
  const listeners = crew.flatMap(({ colour }) => listen(lines, colour));
  const judge = new TableJudge(
    match.seats.map(({ colour }) => colour),
    listeners,
  );
  for (const [index, line] of lines.entries()) {
    if (line.channel === 'living') judge.read(line, index + 1);
  }
  return {
    seed: header.seed,
    impostors: match.seats.flatMap(({ colour, role }) => (role === 'impostor' ? [colour] : [])),
    personas: Object.fromEntries(crew.map((seat) => [seat.colour, nameSeat(seat) ?? ''])),
    knowledge: listeners.map(({ knowledge }) => knowledge),
    ballots: judge.ballots,
    accusations: judge.accusations,
    messages: judge.messages,
  };
}

export type PersonaReasoning = {
  readonly persona: string;
  readonly games: number;
  readonly ballots: { readonly count: number; readonly errors: number };
  readonly accusations: { readonly count: number; readonly errors: number };
  /** The mean of a ballot, from 0 to 1; null without a ballot. */
  readonly regret: number | null;
};

/** Adds up by persona, in the order of names, and over all crewmates. */
export function sumJudgements(games: readonly GameJudgement[]): {
  readonly personas: readonly PersonaReasoning[];
  readonly all: PersonaReasoning;
} {
  const names = new Set(games.flatMap(({ personas }) => Object.values(personas)));
  return {
    personas: [...names].sort().map((name) => sumOf(name, games, (persona) => persona === name)),
    all: sumOf('', games, () => true),
  };
}

function sumOf(
  persona: string,
  games: readonly GameJudgement[],
  isMeant: (persona: string) => boolean,
): PersonaReasoning {
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
  const regret = ballots.reduce((sum, one) => sum + one.regret, 0);
  return {
    persona,
    games: meant.filter(({ isThere }) => isThere).length,
    ballots: countErrors(ballots),
    accusations: countErrors(accusations),
    regret: ballots.length === 0 ? null : regret / ballots.length,
  };
}

function countErrors(judged: readonly { readonly isError: boolean }[]) {
  return { count: judged.length, errors: judged.filter(({ isError }) => isError).length };
}

export function knowledgeOf(lines: readonly Line[], seat: Colour): readonly Knowledge[] {
  return listen(lines, seat).map(({ knowledge }) => knowledge);
}

type TableListener = HonestListener & { readonly knowledge: Knowledge };

/** A crewmate at each meeting that they attended alive. */
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
  #living: readonly Colour[];
  #meeting = 0;
  /** From 1. */
  #line = 0;

  constructor(seats: readonly Colour[], listeners: readonly TableListener[]) {
    this.#living = seats;
    this.#listeners = listeners;
  }

  #knownTo(seat: Colour): Knowledge | null {
    const isMeant = ({ knowledge }: TableListener) =>
      knowledge.seat === seat && knowledge.meeting === this.#meeting && knowledge.teams > 0;
    return this.#listeners.find(isMeant)?.knowledge ?? null;
  }

  read(line: Line, number: number): void {
    this.#line = number;
    switch (line.type) {
      case 'round.closed':
        for (const event of line.events) {
          if (event.type === 'player.killed') this.#leave(event.victim);
          if (event.type === 'seat.departed') this.#leave(event.seat);
        }
        break;
      case 'meeting.called':
        this.#meeting += 1;
        break;
      case 'tick.closed':
        this.#hear(line);
        break;
      case 'seat.departed':
        this.#leave(line.seat);
        break;
      case 'ballot.revealed':
        this.#count(line);
        break;
      case 'verdict.announced':
        if (line.ejected !== null) this.#leave(line.ejected);
        break;
      default:
        break;
    }
  }

  #hear({ tick, said, hits }: LineOf<'tick.closed'>): void {
    if (said === null || said.speaker === SYSTEM) return;
    this.#weigh(tick, { ...said, speaker: said.speaker, target: said.target ?? null });
    const known = this.#knownTo(said.speaker);
    if (known === null) return;
    const accused = new Set(
      hits.filter(({ kind }) => kind === 'accusation').map(({ seat }) => seat),
    );
    for (const one of accused) {
      const odds = known.odds[one];
      if (odds === undefined || !this.#living.includes(one)) continue;
      const { seat: by, meeting } = known;
      const line = this.#line;
      this.accusations.push({ line, meeting, tick, by, accused: one, odds, isError: odds === 0 });
    }
  }

  #count({ by, ballot, void: isVoid }: LineOf<'ballot.revealed'>): void {
    const known = this.#knownTo(by);
    if (known === null || isVoid) return;
    this.ballots.push({ line: this.#line, ...judgeBallot(known, ballot, this.#living) });
  }

  #weigh(tick: number, message: SpokenMessage): void {
    const { speaker } = message;
    const listeners = this.#listeners.filter(
      ({ knowledge: { seat, meeting, teams } }) =>
        meeting === this.#meeting && seat !== speaker && this.#living.includes(seat) && teams > 0,
    );
    const { claims, bits } = informationOf(message, listeners);
    if (claims === 0) return;
    this.messages.push({ line: this.#line, meeting: this.#meeting, tick, speaker, claims, bits });
  }

  #leave(seat: Colour): void {
    this.#living = this.#living.filter((one) => one !== seat);
  }
}

/** Sums of shares are inexact, but no two odds are this close. */
const ROUNDING = 1e-9;

export type WeighedBallot = {
  /** The odds of the target; a skip is worth a random ballot. */
  readonly odds: number;
  /** The value of a random ballot among the living others. */
  readonly chance: number;
  readonly regret: number;
};

/** `living` includes the voter. */
export function weighBallot(
  { seat, odds }: Pick<Knowledge, 'seat' | 'odds'>,
  ballot: Ballot,
  living: readonly Colour[],
): WeighedBallot {
  const others = living.filter((one) => one !== seat).map((one) => odds[one] ?? 0);
  const chance =
    others.length === 0 ? 0 : others.reduce((sum, one) => sum + one, 0) / others.length;
  const own = ballot === 'skip' ? chance : (odds[ballot] ?? 0);
  const best = Math.max(chance, ...others);
  return { odds: own, chance, regret: best - own < ROUNDING ? 0 : best - own };
}

function judgeBallot(
  known: Knowledge,
  ballot: Ballot,
  living: readonly Colour[],
): Omit<JudgedBallot, 'line'> {
  const { odds, regret } = weighBallot(known, ballot, living);
  return {
    meeting: known.meeting,
    voter: known.seat,
    ballot,
    odds,
    regret,
    isError: ballot !== 'skip' && odds === 0,
  };
}
