/** What is promised about the ejection itself: it is the sentence that makes it so, and it happens to nobody else. */
import { isLiving, isSame, type TurnPromise, told } from './promise.ts';

export const ejectionPromise: TurnPromise = {
  name: 'ejected-is-dead',
  sentence:
    'Whoever is ejected is dead with the sentence, unless they have left; nobody else is any worse for it.',
  kind: 'step',
  when: (turn) => told(turn, 'verdict.told').length > 0,
  holds: ({ before, after }) => {
    const { ejected, standings } = before.context;
    const expected =
      ejected === null || !isLiving(before, ejected)
        ? standings
        : { ...standings, [ejected]: 'dead' };
    return isSame(after.context.standings, expected);
  },
};
