/** Shares of games won, with intervals that take mirrored games into account. */
import type { Role } from '../../machines/types.ts';
import { wilsonInterval } from '../counts/numeric.ts';

/** With fewer games, an interval extends more than seventeen points to each side. */
export const FEW_GAMES = 30;

export type DecidedCase = { readonly pair: number; readonly won: boolean };

/** Mirrored games share their dice. If they tend to end alike, they count as fewer games, and otherwise as more. */
export function countShare(cases: readonly DecidedCase[], effect: number) {
  const wins = cases.filter(({ won }) => won).length;
  const games = cases.length;
  const mirrors = games - new Set(cases.map(({ pair }) => pair)).size;
  const weight = games === 0 ? 1 : 1 + (2 * mirrors * effect) / games;
  const interval = wilsonInterval(wins, games, weight);
  return { games, wins, interval, few: games < FEW_GAMES };
}

/** With fewer pairs, the dependence of mirrored games is unknown. */
const FEWEST_MIRRORS = 20;

/** Mirrored games never count as a single game. */
export const CLOSEST = 0.9;

/** The correlation of mirrored games within the shares of a table, from −1 to 1. */
export function measureMirrors(shares: readonly (readonly DecidedCase[])[]): number {
  let [sum, size, mirrors] = [0, 0, 0];
  for (const cases of shares) {
    const games = cases.length;
    const share = cases.filter(({ won }) => won).length / games;
    const spread = (share * (1 - share) * games) / (games - 1);
    for (const [first, second] of Map.groupBy(cases, ({ pair }) => pair).values()) {
      if (first === undefined || second === undefined) continue;
      // The share is estimated from these games, which biases the product.
      sum += (Number(first.won) - share) * (Number(second.won) - share) + spread / games;
      size += spread;
      mirrors += 1;
    }
  }
  if (mirrors < FEWEST_MIRRORS || size === 0) return 0;
  return Math.min(CLOSEST, Math.max(-CLOSEST, sum / size));
}

export type RoleShares = Readonly<Record<Role | 'all', ReturnType<typeof countShare>>>;

type RoleCase = DecidedCase & { readonly role: string };

export function countRoleShares(cases: readonly (readonly RoleCase[])[]): readonly RoleShares[] {
  const countIn = (role: Role | 'all') => {
    const pick = (list: readonly RoleCase[]) =>
      list.filter((one) => role === 'all' || one.role === role);
    const effect = measureMirrors(cases.map(pick));
    return (list: readonly RoleCase[]) => countShare(pick(list), effect);
  };
  const [all, crewmate, impostor] = [countIn('all'), countIn('crewmate'), countIn('impostor')];
  return cases.map((list) => {
    return { all: all(list), crewmate: crewmate(list), impostor: impostor(list) };
  });
}
