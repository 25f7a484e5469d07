/**
 * Caching: what a provider has read once need not be paid for again.
 *
 * Measured on a whole meeting of eight living players as it was held, from tick to tick and from player to player.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { createMatch } from '../../actors/engine/match.ts';
import { collectPrompts } from '../../analysis/prompts.ts';
import { COLOURS } from '../../machines/types.ts';
import { type Block, joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../../prompts/prompt.ts';
import { aMeetingMatch } from '../machines/builders.ts';

const EIGHT = COLOURS.slice(0, 8);
/** Share of rules and earlier transcript that must come to the same bytes. */
const LEAST = 0.95;

type Sent = { readonly seat: string; readonly tick: number; readonly prompt: Prompt };
const sent: Sent[] = [];
let ticks = 0;

beforeAll(async () => {
  const match = aMeetingMatch({
    seats: EIGHT.map((colour, index) => ({
      colour,
      role: index < 2 ? 'impostor' : 'crewmate',
      votes: 'after-nudge',
    })),
  });
  const creation = createMatch(match, 5);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('\n'));
  for (const { seat, request } of await collectPrompts(creation.ready)) {
    if (request.kind !== 'discussion') continue;
    const identity = pickIdentity(request.view.you.persona, 'game');
    sent.push({ seat, tick: request.index, prompt: buildPrompt(request, identity) });
    ticks = Math.max(ticks, request.index + 1);
  }
});

const bytes = (text: string) => Buffer.from(text, 'utf8');
const whole = ({ system, user }: Prompt) => bytes(joinBlocks([...system, ...user]));
const stable = ({ system, user }: Prompt) => [...system, ...user].filter((block) => block.stable);
const sharedText = (prompt: Prompt) => bytes(joinBlocks(stable(prompt)));

function commonPrefix(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return index;
  return length;
}

describe('a meeting of eight', () => {
  test('is long enough to say something, and everybody is asked in every tick', () => {
    expect(ticks).toBeGreaterThanOrEqual(20);
    expect(sent.length).toBe(ticks * EIGHT.length);
  });

  test('the same tick: rules and transcript are the same bytes for all eight', () => {
    for (const { tick, prompt } of sent) {
      const [first] = sent.filter((other) => other.tick === tick);
      if (first === undefined) throw new Error('nobody was asked');
      const share =
        commonPrefix(whole(prompt), whole(first.prompt)) / sharedText(first.prompt).length;
      expect(share).toBeGreaterThanOrEqual(1);
    }
  });

  test('the next tick: at least 95 % of rules and earlier transcript is a prefix, whoever asks', () => {
    const shares: number[] = [];
    for (const { tick, prompt } of sent) {
      for (const next of sent.filter((other) => other.tick === tick + 1)) {
        const earlier = sharedText(prompt).length;
        shares.push(Math.min(1, commonPrefix(whole(prompt), whole(next.prompt)) / earlier));
      }
    }
    expect(shares.length).toBe((ticks - 1) * EIGHT.length ** 2);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(LEAST);
  });

  test('every block that was sent is sent again as it was, and only then new ones follow', () => {
    for (const { tick, prompt } of sent) {
      const next = sent.find((other) => other.tick === tick + 1);
      if (next === undefined) continue;
      const [before, after] = [stable(prompt), stable(next.prompt)];
      expect(after.slice(0, before.length)).toEqual(before);
    }
  });

  test('what is stable comes first', () => {
    const isFirst = (blocks: readonly Block[]) =>
      blocks.map((block) => block.stable).lastIndexOf(true) <
      [...blocks.map((block) => block.stable), false].indexOf(false);
    for (const { prompt } of sent) expect(isFirst([...prompt.system, ...prompt.user])).toBe(true);
  });

  test('and one reply schema serves them all', () => {
    expect(new Set(sent.map(({ prompt }) => JSON.stringify(prompt.schema))).size).toBe(1);
  });
});
