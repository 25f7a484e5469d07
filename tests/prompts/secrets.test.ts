import { beforeAll, describe, expect, test } from 'vitest';
import { createMatch } from '../../actors/engine/match.ts';
import type { Mind } from '../../actors/minds/port.ts';
import { collectPrompts, type Overheard } from '../../analysis/models/prompts.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { aMeetingMatch, FIVE } from '../machines/builders.ts';

function marking(seat: Colour): Mind {
  return {
    pace: 'at-once',
    answer: ({ index }) => ({
      ok: true,
      received: {
        internal_thought: `CANARY-${seat}-thought`,
        desire_to_speak: 5,
        message: `${index}: I was in Admin`,
        target: null,
        vote_action: index > 5 ? 'skip' : null,
        scratchpad_updates: {
          main_scratch: `CANARY-${seat}-main`,
          meeting_scratch: `CANARY-${seat}-meeting`,
        },
      },
    }),
  };
}

let requests: readonly Overheard[] = [];

beforeAll(async () => {
  const match = aMeetingMatch({
    seats: [...FIVE, 'white' as const].map((colour) => ({
      colour,
      role: colour === 'orange' ? 'impostor' : 'crewmate',
      dead: colour === 'white',
      notes: `CANARY-${colour}-notes`,
      persona: { name: colour, temperament: 'observer', notes: `CANARY-${colour}-persona` },
    })),
  });
  const creation = createMatch(match, 1);
  if (!creation.ok) throw new Error('the match makes sense');
  const minds: BySeat<Mind> = Object.fromEntries(COLOURS.map((seat) => [seat, marking(seat)]));
  requests = await collectPrompts({ ...creation.ready, minds });
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
    for (const asked of requests) {
      const owners = [...sentTo(asked).matchAll(/CANARY-(\w+)-/g)].map(([, owner]) => owner);
      expect(new Set(owners)).toEqual(new Set([asked.seat]));
    }
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
