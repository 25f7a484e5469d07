/** Sentences of results: on a terminal they are broken between words, and go on a little further in. */
import { wrapLine } from '../visualizer/terminal/table.ts';
import { print, textWidth } from './output.ts';

const INDENT = 2;

/** A result of one line or several; like that of `print`, the text is clean. */
export function printSentences(text: string): void {
  const width = textWidth();
  print(
    text
      .split('\n')
      .flatMap((line) => wrapLine(line, width, INDENT))
      .join('\n'),
  );
}
