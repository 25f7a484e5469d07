/** A player that does anything legal, the same each time. */
import type { Observation } from '../../actors/minds/observation.ts';
import { drawWords } from '../../machines/rules/dice.ts';

/** A reply to what is asked, drawn from the seed and the moment. */
export function replyLegally({ kind, index, seat, choices }: LegalQuestion, seed: number): object {
  const part = [...`${kind}${seat}`].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed);
  const words = drawWords({ seed: part % 2 ** 31, meeting: 0, stream: 'run', tick: index }, 3);
  const [first = 0, second = 0, third = 0] = words;
  const pick = <T>(list: readonly T[], word: number) => list[word % list.length] ?? null;
  if (kind === 'action') return { action: pick(choices.actions, first) };
  const vote = second % 3 === 0 ? pick(choices.votes, third) : null;
  const message =
    first % 2 === 0 ? `I was in Admin, and ${pick(choices.targets, third)} was not.` : '';
  return { desire_to_speak: first % 11, message, vote_action: vote };
}

type LegalQuestion = Pick<Observation, 'kind' | 'index' | 'seat' | 'choices'>;
