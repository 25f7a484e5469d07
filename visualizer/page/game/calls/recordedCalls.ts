import type { PlayerCall } from '../../../../machines/journal/calls.ts';

export type CallTotals = Readonly<ReturnType<typeof sumCalls>>;

export function sumCalls(calls: readonly PlayerCall[]) {
  const add = (amount: (call: PlayerCall) => number) =>
    calls.reduce((sum, call) => sum + amount(call), 0);
  return {
    calls: calls.length,
    prompt: add(({ usage, estimate }) => usage.promptTokens ?? estimate.prompt),
    cached: add(({ usage }) => usage.cachedTokens ?? 0),
    completion: add(({ usage, estimate }) => usage.completionTokens ?? estimate.completion),
    ms: add(({ ms }) => ms),
    dollars: calls.some(({ usage }) => usage.cost !== null)
      ? add(({ usage }) => usage.cost ?? 0)
      : null,
    failed: calls.filter(({ failure }) => failure !== null).length,
    repaired: calls.filter(({ isRepaired }) => isRepaired).length,
    isGuessed: calls.some(
      ({ usage, estimate }) => usage.promptTokens === null && estimate.prompt > 0,
    ),
  };
}

export function formatDollars(dollars: number | null): string {
  return dollars === null ? '–' : `$${dollars.toFixed(4)}`;
}
