/** The report of a run: a line for each game, and what all of them come to. */
import type { JobOutcome, LostGame, PlayedGame } from '../../actors/jobs/gameJob.ts';
import { wilsonInterval } from '../../analysis/statistics.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { formatShare, pluralize } from '../../visualizer/text.ts';
import { print, printJson } from '../output.ts';
import type { Asked } from './flags.ts';

/** How the victory came about, in words. */
const REASONS: Readonly<Record<PlayedGame['reason'], string>> = {
  tasks: 'all tasks are done',
  vote: 'by a vote',
  kills: 'by a kill',
  sabotage: 'by a sabotage',
  disconnect: 'others have left',
  unfinished: 'the limit of rounds is reached',
  interrupted: 'interrupted',
};

/** What a run has come to so far. */
export type Tally = {
  played: number;
  /** Games that broke down. */
  readonly lost: LostGame[];
  readonly wins: { crew: number; impostors: number };
  /** How often each reason ended a game, as "crew tasks". */
  readonly reasons: Map<string, number>;
  rounds: number;
  leastRounds: number;
  mostRounds: number;
  meetings: number;
};

export function newTally(): Tally {
  return {
    played: 0,
    lost: [],
    wins: { crew: 0, impostors: 0 },
    reasons: new Map(),
    rounds: 0,
    leastRounds: Number.POSITIVE_INFINITY,
    mostRounds: 0,
    meetings: 0,
  };
}

/** Adds a game to what the run has come to. */
export function count(tally: Tally, outcome: JobOutcome): void {
  if (outcome.type === 'lost') {
    tally.lost.push(outcome);
    return;
  }
  const { winner, reason, rounds, meetings } = outcome;
  const how = winner === null ? reason : `${winner} ${reason}`;
  tally.played += 1;
  if (winner !== null) tally.wins[winner] += 1;
  tally.reasons.set(how, (tally.reasons.get(how) ?? 0) + 1);
  tally.rounds += rounds;
  tally.leastRounds = Math.min(tally.leastRounds, rounds);
  tally.mostRounds = Math.max(tally.mostRounds, rounds);
  tally.meetings += meetings;
}

/** Tells one game. */
export function tellGame(outcome: JobOutcome, { games, json = false }: Asked): void {
  if (json) {
    const { type, ...rest } = outcome;
    printJson({ type: type === 'played' ? 'game.result' : 'game.lost', v: 1, ...rest });
    return;
  }
  const number = `game ${String(outcome.game).padStart(String(games).length)}`;
  const seed = `seed ${outcome.seed}`;
  if (outcome.type === 'lost') {
    print(`${number}  ${seed}  lost: ${clean(firstLine(outcome.text))}`);
    return;
  }
  const { rounds, meetings, journal } = outcome;
  const length = `${pluralize(rounds, 'round')}  ${pluralize(meetings, 'meeting')}`;
  print(`${number}  ${seed}  ${length}  ${ending(outcome)}  ${clean(journal ?? '')}`.trimEnd());
}

function ending({ winner, reason, impostors }: PlayedGame): string {
  const who =
    winner === null ? 'nobody has won' : `${winner === 'crew' ? 'crew wins' : 'impostors win'}`;
  return `${who}: ${REASONS[reason]}  (${impostors.join(', ')})`;
}

/** Tells what a run has come to. */
export function tellAll(
  tally: Tally,
  { seed, games, json = false }: Asked,
  folder: string | null,
): void {
  const { played, lost, wins, rounds, meetings, leastRounds, mostRounds } = tally;
  const reasons = Object.fromEntries([...tally.reasons].toSorted());
  if (json) {
    const mean = (sum: number) => (played === 0 ? null : sum / played);
    printJson({
      type: 'run.result',
      v: 1,
      seed,
      games,
      played,
      lost: lost.map(({ game }) => game),
      wins,
      reasons,
      mean_rounds: mean(rounds),
      mean_meetings: mean(meetings),
      journals: folder,
    });
    return;
  }
  const all =
    played === games ? pluralize(games, 'game') : `${played} of ${pluralize(games, 'game')}`;
  const decided = wins.crew + wins.impostors;
  print(
    `${all}, seed ${seed}: ${wonBy('crew', wins.crew, decided)}, ${wonBy('impostors', wins.impostors, decided)}`,
  );
  if (played === 0) return;
  print(
    `  ${Object.entries(reasons)
      .map(([how, times]) => `${how} ${times}`)
      .join(', ')}`,
  );
  print(
    `  ${(rounds / played).toFixed(1)} rounds (${leastRounds} to ${mostRounds}) and ${(meetings / played).toFixed(1)} meetings a game`,
  );
}

function wonBy(who: string, wins: number, games: number): string {
  const interval = wilsonInterval(wins, games);
  return `${who} ${wins}${interval === null ? '' : ` (${formatShare(interval)})`}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
