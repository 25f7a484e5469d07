/** The figures of a table size, with their intervals, and the goals that they are held against. */
import type { RuleSet } from '../../../machines/types.ts';
import type { GameCount } from './balanceCount.ts';

type Share = { readonly value: number; readonly low: number; readonly high: number };

export type BalanceRow = {
  readonly rules: RuleSet;
  readonly players: number;
  /** Share of decided games that the impostors win, that a vote ends, that a sabotage ends. */
  readonly impostors: Share;
  readonly votes: Share;
  readonly sabotages: Share;
  /** How many times as many crew ballots are right as by chance. */
  readonly ratio: Share;
  /** Share of the denials that answer a defender, and of the messages that are distinct. */
  readonly cleared: Share;
  readonly distinct: number;
};

/** Standard deviations of 95 %. */
const Z = 1.96;
const BLOCK = 50;

const GOAL = {
  impostors: [0.35, 0.65],
  ratio: 1.4,
  votes: 0.3,
  sabotages: 0.01,
  cleared: 0.01,
  distinct: 0.9,
} as const;

export function sumUp(
  { rules, players }: Pick<BalanceRow, 'rules' | 'players'>,
  counts: readonly GameCount[],
): BalanceRow {
  const sum = (of: (count: GameCount) => number) =>
    counts.reduce((total, count) => total + of(count), 0);
  const decided = counts.filter(({ winner }) => winner !== null);
  const shareOf = (test: (count: GameCount) => boolean) =>
    wilson(decided.filter(test).length, decided.length);
  return {
    rules,
    players,
    impostors: shareOf(({ winner }) => winner === 'impostors'),
    votes: shareOf(({ reason }) => reason === 'vote'),
    sabotages: shareOf(({ reason }) => reason === 'sabotage'),
    ratio: compareToChance(counts),
    cleared: wilson(
      sum(({ deniedClearers }) => deniedClearers),
      sum(({ denials }) => denials),
    ),
    distinct: averageDistinct(counts.map(({ messages }) => messages)),
  };
}

function wilson(hits: number, all: number): Share {
  if (all === 0) return { value: 0, low: 0, high: 1 };
  const value = hits / all;
  const centre = (value + Z ** 2 / (2 * all)) / (1 + Z ** 2 / all);
  const spread =
    (Z * Math.sqrt((value * (1 - value)) / all + (Z / (2 * all)) ** 2)) / (1 + Z ** 2 / all);
  return { value, low: centre - spread, high: centre + spread };
}

/** A ratio of sums over independent games. Its spread is that of the games' residuals. */
function compareToChance(counts: readonly GameCount[]): Share {
  const right = counts.reduce((total, count) => total + count.right, 0);
  const chance = counts.reduce((total, count) => total + count.chance, 0);
  const value = right / chance;
  const squares = counts.reduce(
    (total, count) => total + (count.right - value * count.chance) ** 2,
    0,
  );
  const spread = (Z * Math.sqrt(squares)) / chance;
  return { value, low: value - spread, high: value + spread };
}

function averageDistinct(messages: readonly (readonly string[])[]): number {
  const shares: number[] = [];
  for (let from = 0; from === 0 || from + BLOCK <= messages.length; from += BLOCK) {
    shares.push(distinctShare(messages.slice(from, from + BLOCK).flat()));
  }
  return shares.reduce((total, share) => total + share, 0) / shares.length;
}

function distinctShare(lines: readonly string[]): number {
  return lines.length === 0 ? 1 : new Set(lines).size / lines.length;
}

export function findMisses(row: BalanceRow): readonly string[] {
  const { rules, players, impostors, votes, sabotages, ratio, cleared, distinct } = row;
  const [least, most] = GOAL.impostors;
  const found: string[] = [];
  const miss = (isMissed: boolean, text: string) => {
    if (isMissed) found.push(`\`${rules}\`, ${players} players: ${text}`);
  };
  miss(impostors.high < least || impostors.low > most, `impostors win ${percent(impostors.value)}`);
  miss(ratio.high < GOAL.ratio, `votes are ${ratio.value.toFixed(2)} times chance`);
  miss(votes.high < GOAL.votes, `${percent(votes.value)} of the games end by a vote`);
  miss(sabotages.high < GOAL.sabotages, `${percent(sabotages.value)} end by a sabotage`);
  miss(cleared.low > GOAL.cleared, `${percent(cleared.value)} of the denials answer a defender`);
  miss(distinct < GOAL.distinct, `${percent(distinct)} of the messages are distinct`);
  return found;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
