/** The league of the league tests, and the parts of it that they compare. */
import { jsonLines } from './shell.ts';

/** Each game takes a tenth of a second. */
export function aCup(games: number): string {
  return `
name: cup
seed: 9
games: ${games}
round: 4
players: 5
personas:
  - { name: one, temperament: follower }
  - { name: two, temperament: joker }
  - { name: three, temperament: observer, learned: [Rest., Trust nobody.] }
  - { name: four, temperament: leader, learns: false }
  - { name: hot_accuser }
`;
}

/** The printed standings without the path of the journals. */
export function standings(out: string) {
  const { journals: _journals, ...rest } = jsonLines(out)[0] ?? {};
  return rest;
}
