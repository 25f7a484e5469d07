import { wilsonInterval } from '../../analysis/counts/numeric.ts';
import { capitalize, pluralize } from '../../machines/text.ts';
import { describeEnding, type Ending, formatShare } from '../text.ts';
import { clean } from './layout.ts';
import { wrapSentences } from './table.ts';

type GameOutcomeLine = { readonly game: number; readonly seed: number } & (
  | { readonly type: 'lost'; readonly text: string }
  | {
      readonly type: 'played';
      readonly rounds: number;
      readonly meetings: number;
      readonly journal: string | null;
      readonly winner: 'crew' | 'impostors' | null;
      readonly reason: NonNullable<Ending['reason']>;
      readonly impostors: readonly string[];
    }
);

export function renderGameLine(outcome: GameOutcomeLine, games: number, width: number): string {
  const start = `game ${String(outcome.game).padStart(String(games).length)}  seed ${outcome.seed}`;
  if (outcome.type === 'lost') {
    const [why = ''] = outcome.text.split('\n');
    return `${start}  lost: ${clean(why)}`;
  }
  const { rounds, meetings, journal, winner, reason, impostors } = outcome;
  const length = `${pluralize(rounds, 'round')}  ${pluralize(meetings, 'meeting')}`;
  const end = `${describeEnding({ winner, reason })}  (${impostors.map(capitalize).join(', ')})`;
  return wrapSentences(`${start}  ${length}  ${end}  ${clean(journal ?? '')}`.trimEnd(), width);
}

type RunTotals = {
  readonly played: number;
  readonly wins: { readonly crew: number; readonly impostors: number };
  readonly reasons: ReadonlyMap<string, number>;
  readonly rounds: number;
  readonly leastRounds: number;
  readonly mostRounds: number;
  readonly meetings: number;
};

export function renderRun(
  { played, wins, reasons, rounds, meetings, leastRounds, mostRounds }: RunTotals,
  { seed, games }: { readonly seed: number; readonly games: number },
): string {
  const all =
    played === games ? pluralize(games, 'game') : `${played} of ${pluralize(games, 'game')}`;
  const decided = wins.crew + wins.impostors;
  const describe = (who: 'crew' | 'impostors') => {
    const interval = wilsonInterval(wins[who], decided);
    return `${who} ${wins[who]}${interval === null ? '' : ` (${formatShare(interval)})`}`;
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
