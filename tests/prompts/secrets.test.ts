import { beforeAll, describe, expect, test } from 'vitest';
import { collectPrompts, type Overheard } from '../../analysis/models/prompts.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { aMeetingMatch, FIVE } from '../machines/builders.ts';
import { readyMatch } from '../support/matches.ts';
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

  test('tells ghosts alone who killed whom before a meeting on its own', async () => {
    const seats = [...FIVE, 'white' as const].map((colour) => ({
      colour,
      role: colour === 'orange' ? ('impostor' as const) : ('crewmate' as const),
      dead: colour === 'white',
      saw:
        colour !== 'orange'
          ? []
          : [
              {
                ago: 20,
                who: colour,
                place: 'Admin' as const,
                did: 'kill' as const,
                victim: 'white' as const,
              },
            ],
    }));
    const asked = await collectPrompts(readyMatch(aMeetingMatch({ seats }), 1));
    expect(asked.some(({ seat }) => seat === 'white')).toBe(true);
    for (const one of asked) {
      const isGhost = one.request.kind === 'ghost';
      expect(sentTo(one).includes('20 s orange killed white in Admin')).toBe(isGhost);
      const isVictim = one.seat === 'white';
      expect(sentTo(one).includes('You are dead: orange killed you in Admin.')).toBe(isVictim);
    }
  });

  test('never holds a thought, not even the own one', () => {
    for (const asked of requests) expect(sentTo(asked)).not.toContain('-thought');
  });
});
