import { expect, test } from 'vitest';
import type { MindRequest } from '../../../actors/minds/port.ts';
import { aMeetingMatch, FIVE } from '../../machines/builders.ts';
import { following, meet } from '../laws/meetings.ts';

/** Everybody votes to skip in the tick `last`; until then each talks when it is their turn. */
function talkingUntil(last: number) {
  return following((seat, { kind, index }: MindRequest) => {
    if (kind !== 'discussion') return {};
    const isTurn = FIVE.indexOf(seat as (typeof FIVE)[number]) === index;
    return {
      desire_to_speak: isTurn ? 10 : 0,
      message: isTurn ? 'my turn' : '',
      vote_action: index === last ? ('skip' as const) : null,
    };
  });
}

test.each([
  [0, ['blue', 'green', 'pink', 'orange']],
  [2, ['pink', 'orange']],
  [4, []],
])(
  'ruling 8: the result says who had not spoken when the poll closed in tick %i',
  async (last, unheard) => {
    const { result } = await meet(aMeetingMatch(), 1, { recast: talkingUntil(last) });
    expect(result).toMatchObject({ outcome: 'skipped', ticks: last + 1, unheard });
  },
);

test('ruling 8: who only kept a visible silence has not spoken', async () => {
  const mute = following((_, { kind, index }: MindRequest) =>
    kind === 'discussion' && index === 30 ? { vote_action: 'skip' as const } : {},
  );
  const { result } = await meet(aMeetingMatch(), 1, { recast: mute });
  expect(result.ticks).toBe(31);
  expect(result.unheard).toEqual(FIVE);
});
