/** Matches of the tests of commands. */
import { readFileSync } from 'node:fs';

export const SCENARIO = `name: The body in Electrical
call: { by: red, report: pink, place: Electrical }
seats:
  - colour: red
  - colour: blue
    role: impostor
  - colour: green
  - { colour: pink, dead: true }
  - colour: orange
`;

/** The example of four players. */
export const FOUR = readFileSync(new URL('../../examples/four.yaml', import.meta.url), 'utf8');

/** The number of answers in the lines of a journal, from any mind. */
export function answersIn(journal: readonly Readonly<Record<string, unknown>>[]): number {
  return journal.reduce((sum, line) => {
    const said = line['bids'] ?? line['orders'];
    return sum + (Array.isArray(said) ? said.length : 0);
  }, 0);
}
