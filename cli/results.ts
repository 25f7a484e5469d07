/** The outcomes of the games of a run: counted, in words and as JSON. */
import type { JobOutcome, LostGame } from '../actors/jobs/gameJob.ts';
import { wilsonInterval } from '../analysis/counts/numeric.ts';
import { capitalize, pluralize } from '../machines/text.ts';
import { clean } from '../visualizer/terminal/layout.ts';
import { wrapSentences } from '../visualizer/terminal/table.ts';
import { describeEnding, formatShare } from '../visualizer/text.ts';
import { print, printJson, textWidth } from './output.ts';

type RunFlags = { readonly seed: number; readonly games: number; readonly json?: boolean };

export type Tally = ReturnType<typeof newTally>;

export function newTally() {
  const lost: LostGame[] = [];
  const reasons = new Map<string, number>();
  const rounds = { rounds: 0, leastRounds: Number.POSITIVE_INFINITY, mostRounds: 0 };
  return { played: 0, lost, wins: { crew: 0, impostors: 0 }, reasons, ...rounds, meetings: 0 };
}

export function countOutcome(tally: Tally, outcome: JobOutcome): void {
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

export function printGame(outcome: JobOutcome, { games, json = false }: RunFlags): void {
  if (json) {
    const { type, ...rest } = outcome;
    printJson({ type: type === 'played' ? 'game.result' : 'game.lost', v: 1, ...rest });
  } else print(renderGame(outcome, games));
}

function renderGame(outcome: JobOutcome, games: number): string {
  const start = `game ${String(outcome.game).padStart(String(games).length)}  seed ${outcome.seed}`;
  if (outcome.type === 'lost') {
    const [why = ''] = outcome.text.split('\n');
    return `${start}  lost: ${clean(why)}`;
  }
  const { rounds, meetings, journal, impostors } = outcome;
  const length = `${pluralize(rounds, 'round')}  ${pluralize(meetings, 'meeting')}`;
  const end = `${describeEnding(outcome)}  (${impostors.map(capitalize).join(', ')})`;
  const row = `${start}  ${length}  ${end}  ${clean(journal ?? '')}`.trimEnd();
  return wrapSentences(row, textWidth());
}

export function printRun(tally: Tally, flags: RunFlags, folder: string | null): void {
  const { played, lost, wins, rounds, meetings } = tally;
  const { seed, games, json = false } = flags;
  if (json) {
    const reasons = Object.fromEntries([...tally.reasons].toSorted());
    const mean = (sum: number) => (played === 0 ? null : sum / played);
    printJson({
      ...{ type: 'run.result', v: 1, seed, games, played },
      lost: lost.map(({ game }) => game),
      ...{ wins, reasons, mean_rounds: mean(rounds), mean_meetings: mean(meetings) },
      journals: folder,
    });
  } else print(renderRun(tally, flags));
}

function renderRun(tally: Tally, { seed, games }: RunFlags): string {
  const { played, wins, reasons, rounds, meetings, leastRounds, mostRounds } = tally;
  const all =
    played === games ? pluralize(games, 'game') : `${played} of ${pluralize(games, 'game')}`;
  const decided = wins.crew + wins.impostors;
  const describe = (who: 'crew' | 'impostors') => {
    const interval = wilsonInterval(wins[who], decided);
    return `${who} ${wins[who]}${interval === null ? '' : `: ${formatShare(interval, decided)} games`}`;
  };
  const first = `${all}, seed ${seed}: ${describe('crew')}, ${describe('impostors')}`;
  if (played === 0) return first;
  const ways = [...reasons].toSorted().map(([how, times]) => `${how} ${times}`);
  return [
    first,
    `  ${ways.join(', ')}`,
    `  ${(rounds / played).toFixed(1)} rounds (${leastRounds} to ${mostRounds}) and ${(meetings / played).toFixed(1)} meetings a game`,
  ].join('\n');
}
