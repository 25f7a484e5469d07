/** The league that the tests of leagues play, and what they compare of it. */
import { jsonLines } from './shell.ts';

/** Of so many games, each of which takes a tenth of a second. */
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

/** The standings that a command has printed, without where its journals are. */
export function standings(out: string) {
  const { journals: _journals, ...rest } = jsonLines(out)[0] ?? {};
  return rest;
}
