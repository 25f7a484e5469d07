import { describe, expect, test } from 'vitest';
import {
  creditActs,
  MatchRefused,
  type Mind,
  type Observation,
  openEnvironment,
  startMatch,
} from '../../../actors/index.ts';
import { replyLegally } from '../../support/policy.ts';
import { SEED, seeds } from '../../support/seeds.ts';

const PLAYERS = 5;

type Reply = { message?: string; vote_action?: string | null };

/** "meeting:tick" at the table, otherwise another name. Meetings count from 0. */
function nameMoment(asked: Observation): string {
  if (asked.kind === 'action') return `ship ${asked.index}`;
  if (asked.kind === 'ghost')
    return `ghost ${asked.view.truth.record.meetings.length} ${asked.index}`;
  return `${asked.view.table.record.meetings.length}:${asked.index}`;
}

/** A game of Red, who says little. */
async function playRed(seed: number) {
  const env = openEnvironment({ seats: ['red'], seed, players: PLAYERS });
  const replies = new Map<string, Reply>();
  let { asked } = await env.reset();
  while (asked.length > 0) {
    const shown = env.observe('red');
    if (shown === null) throw new Error('expected a question');
    const isQuiet = shown.kind !== 'action' && (shown.index + seed) % 4 !== 0;
    const reply: Reply = { ...replyLegally(shown, seed), ...(isQuiet && { message: '' }) };
    replies.set(nameMoment(shown), reply);
    await env.step('red', reply);
    ({ asked } = env.state());
  }
  return { replies, journal: env.journal(), reward: env.state().rewards.red ?? 0 };
}

/** The reward of the game in which Red does not do these acts, played by a mind of the library. */
async function playWithout(
  seed: number,
  replies: ReadonlyMap<string, Reply>,
  acts: readonly string[],
) {
  const mind: Mind = {
    pace: 'at-once',
    answer: (asked) => {
      const at = nameMoment(asked);
      const reply = replies.get(at);
      if (reply === undefined) {
        const wait = { action: { type: 'wait' } };
        return { ok: true, received: asked.kind === 'action' ? wait : { vote_action: 'skip' } };
      }
      const quiet = acts.includes(`message ${at}`) && { message: '…', target: null };
      const skip = acts.includes(`vote ${at}`) && { vote_action: 'skip' };
      return { ok: true, received: { ...reply, ...quiet, ...skip } };
    },
  };
  const match = startMatch({ players: PLAYERS, seed, minds: { red: mind } });
  const result = await match.result;
  if (result.type !== 'game' || result.winner === null) return 0;
  const isImpostor = /"colour":"red"[^{}]*?(\{[^{}]*\})?[^{}]*"role":"impostor"/;
  const isRedImpostor = isImpostor.test(match.journal().split('\n')[0] ?? '');
  return (result.winner === 'impostors') === isRedImpostor ? 1 : -1;
}

function permute<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) =>
    permute(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  );
}

describe('causal credit', () => {
  const [wanted, most] = [seeds(2, 200), seeds(4, 6)];
  test(`equals brute force over all orders of at most ${most} acts, in ${wanted} games`, async () => {
    let found = 0;
    for (let seed = SEED % 1000; found < wanted; seed++) {
      const { replies, journal, reward } = await playRed(seed);
      const { credits, outcome, without } = await creditActs(journal, 'red');
      if (credits.length === 0 || credits.length > most) continue;
      found += 1;
      const names = credits.map(({ what, meeting, tick }) => `${what} ${meeting}:${tick}`);
      const known = new Map<string, number>();
      const worth = async (left: readonly string[]) => {
        const key = left.toSorted().join();
        const value = known.get(key) ?? (await playWithout(seed, replies, left));
        known.set(key, value);
        return value;
      };
      const sums = new Map<string, number>();
      const orders = permute(names);
      for (const order of orders) {
        for (const [at, name] of order.entries()) {
          const gain = (await worth(order.slice(at + 1))) - (await worth(order.slice(at)));
          sums.set(name, (sums.get(name) ?? 0) + gain / orders.length);
        }
      }
      expect(outcome).toBe(reward);
      for (const [at, { credit, error }] of credits.entries()) {
        expect(Math.abs(credit - (sums.get(names[at] ?? '') ?? 9)), `seed ${seed}`).toBeLessThan(
          1e-9,
        );
        expect(error).toBe(0);
      }
      const sum = credits.reduce((total, { credit }) => total + credit, 0);
      expect(Math.abs(sum - (outcome - without))).toBeLessThan(1e-9);
    }
  });

  test('refuses what cannot be played with changes', async () => {
    const { journal } = await playRed(2);
    const lines = journal.split('\n');
    await expect(creditActs(lines.slice(0, 9).join('\n'), 'red')).rejects.toThrow('not over');
    await expect(creditActs('no journal', 'red')).rejects.toThrow(MatchRefused);
    await expect(creditActs(journal, 'tan')).rejects.toThrow('tan has no seat');
    const modelled = journal.replace('"mind":"scripted"', '"mind":"openai","model":"m"');
    await expect(creditActs(modelled, 'red')).rejects.toThrow(MatchRefused);
    const stopped = new AbortController();
    stopped.abort(new Error('enough'));
    const spoken = await playRed(3);
    await expect(creditActs(spoken.journal, 'red', { signal: stopped.signal })).rejects.toThrow(
      'enough',
    );
  });
});
