/** The text that models are writing, in lines that are overwritten: one for each model, with its latest words. */
import { capitalize } from '../../machines/text.ts';
import type { SeatWords } from '../../machines/turnPrompt.ts';
import { clean, clipStart, countColumns } from './layout.ts';

/** The longest is "Orange writes  “". */
const NAME_WIDTH = 7;

export function formatWriting(writing: readonly SeatWords[], columns: number): readonly string[] {
  return writing.map(({ seat, thought, message }) => {
    const does = message === '' ? 'thinks' : 'writes';
    const head = `${capitalize(seat).padEnd(NAME_WIDTH)} ${does}: `;
    const room = Math.max(1, columns - countColumns(head));
    return `${head}${clipStart(clean(message === '' ? thought : message), room)}`;
  });
}
