/** What models have cost so far, on a line of the terminal while a game is on. */
import type { Spent } from '../../actors/minds/openai/budget.ts';
import { createProgressLine, type Screen } from '../progress.ts';
import { costSentence } from './cost.ts';

export type CostGauge = {
  show(spent: Spent): void;
  /** Prints something else above it. */
  above<T>(print: () => T): T;
  /** It is gone, and stays away. */
  end(): void;
};

export function costGauge(screen: Screen = process.stderr): CostGauge {
  const line = createProgressLine(screen);
  let text: string | null = null;
  let isOver = false;
  return {
    show: (spent) => {
      if (isOver) return;
      text = costSentence(spent);
      line.show(text);
    },
    above: (print) => {
      if (text === null || isOver) return print();
      line.clear();
      const printed = print();
      line.show(text);
      return printed;
    },
    end: () => {
      if (text !== null && !isOver) line.clear();
      isOver = true;
    },
  };
}
