import { beforeAll, describe, expect, test } from 'vitest';
import type { Overheard } from '../../analysis/models/prompts.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { collectMarked, ownersIn } from './canaries.ts';

let requests: readonly Overheard[] = [];
beforeAll(async () => {
  requests = await collectMarked();
});

const sentTo = ({ request }: Overheard) => {
  const identity = pickIdentity(request.view.you.persona, 'game');
  const { system, user } = buildPrompt(request, identity);
  return joinBlocks([...system, ...user]);
};

describe('a prompt', () => {
  test("a prompt holds the player's own secrets only, on every occasion", () => {
    const occasions = new Set(requests.map(({ request }) => request.kind));
    expect([...occasions].toSorted()).toEqual(['consolidation', 'discussion', 'ghost', 'reaction']);
    for (const asked of requests) expect(ownersIn(sentTo(asked))).toEqual(new Set([asked.seat]));
  });

  test('of a crewmate who lives names no impostor', () => {
    const crew = requests.filter(
      ({ seat, request }) => seat !== 'orange' && request.kind === 'discussion',
    );
    expect(crew.length).toBeGreaterThan(0);
    for (const asked of crew) expect(sentTo(asked)).not.toMatch(/orange[^\n]*impostor/i);
  });

  test('never holds a thought, not even the own one', () => {
    for (const asked of requests) expect(sentTo(asked)).not.toContain('-thought');
  });
});
