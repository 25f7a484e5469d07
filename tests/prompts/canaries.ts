/** Requests of a meeting in which every thought, note and page has its owner's mark. */
import { createMatch } from '../../actors/engine/match.ts';
import type { Mind } from '../../actors/minds/port.ts';
import { collectPrompts, type Overheard } from '../../analysis/models/prompts.ts';
import { type BySeat, COLOURS, type Colour } from '../../machines/types.ts';
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

export async function collectMarked(): Promise<readonly Overheard[]> {
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
  return await collectPrompts({ ...creation.ready, minds });
}

/** The players whose marks are in a text. */
export function ownersIn(text: string): ReadonlySet<string | undefined> {
  return new Set([...text.matchAll(/CANARY-(\w+)-/g)].map(([, owner]) => owner));
}
