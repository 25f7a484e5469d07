/** What models have cost so far, on a line of the terminal while a game is on. */
import type { Spent } from '../../actors/minds/endpoint/purse.ts';
import { lineGauge, type Screen } from '../gauge.ts';
import { costSentence } from './cost.ts';

export type CostGauge = {
  show(spent: Spent): void;
  /** Makes room for something else that is printed; what it costs is shown again below it. */
  clear(): void;
  again(): void;
};

export function costGauge(screen: Screen = process.stderr): CostGauge {
  const line = lineGauge(screen);
  let text: string | null = null;
  const again = () => {
    if (text !== null) line.show(text);
  };
  return {
    show: (spent) => {
      text = costSentence(spent);
      again();
    },
    clear: () => {
      if (text !== null) line.clear();
    },
    again,
  };
}
