/** The order of the leaderboard: what it can be sorted by, and who is shown. */
import type { League, Persona, Row } from './league.ts';

/** A row of the leaderboard; `rank` is that of the overall rating, from 1. */
export type Place = { readonly rank: number; readonly row: Row; readonly persona: Persona };

const BY = {
  rating: ({ row }) => row.rating.overall.value,
  name: ({ persona }) => persona.name,
  impostor: ({ row }) => row.rating.impostor.value,
  crew: ({ row }) => row.rating.crewmate.value,
  won: ({ row }) => row.all.interval?.share ?? null,
  impostorWon: ({ row }) => row.roles.impostor.interval?.share ?? null,
  crewWon: ({ row }) => row.roles.crewmate.interval?.share ?? null,
  games: ({ row }) => row.all.games,
  faults: ({ row }) => perGame(row, 'faults_per_game'),
  tokens: ({ row }) => perGame(row, 'tokens_per_game'),
  cost: ({ row }) => perGame(row, 'microdollars_per_game'),
} as const satisfies Readonly<Record<string, (place: Place) => number | string | null>>;

export type Column = keyof typeof BY;
export const COLUMNS: readonly Column[] = [
  'name',
  'rating',
  'impostor',
  'crew',
  'won',
  'impostorWon',
  'crewWon',
  'games',
  'faults',
  'tokens',
  'cost',
];

export type Sorting = { readonly column: Column; readonly isRising: boolean };
export const STRONGEST_FIRST: Sorting = { column: 'rating', isRising: false };

/** What a click on the title of a column sorts by: names from A, figures from the largest, and then the other way. */
export function clicked(column: Column, now: Sorting): Sorting {
  if (now.column === column) return { column, isRising: !now.isRising };
  return { column, isRising: column === 'name' };
}

export function placesOf({ standings, personas }: League): readonly Place[] {
  const known = new Map(personas.map((persona) => [persona.id, persona]));
  return standings.rows.flatMap((row, index) => {
    const persona = known.get(row.id);
    return persona === undefined ? [] : [{ rank: index + 1, row, persona }];
  });
}

/** Sorted; who has no such figure comes last either way, and the rank decides between equals. */
export function sorted(places: readonly Place[], { column, isRising }: Sorting): readonly Place[] {
  const sign = isRising ? 1 : -1;
  return places.toSorted((one, other) => {
    const [left, right] = [BY[column](one), BY[column](other)];
    if (left === right) return one.rank - other.rank;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -sign : sign;
  });
}

/** Those of one model ('' for all) whose name or model holds the words. */
export function filtered(
  places: readonly Place[],
  { model, find }: { readonly model: string; readonly find: string },
): readonly Place[] {
  const wanted = find.trim().toLocaleLowerCase('en');
  return places.filter(
    ({ persona }) =>
      (model === '' || persona.model === model) &&
      `${persona.name}\n${persona.model}\n${persona.id}`.toLocaleLowerCase('en').includes(wanted),
  );
}

/** A count of both roles together, for each game; null without games. */
export function perGame({ tallies }: Row, name: string): number | null {
  const parts = [tallies.crewmate, tallies.impostor].flatMap(
    (measures) => measures.find((measure) => measure.name === name) ?? [],
  );
  const games = parts.reduce((sum, { of }) => sum + of, 0);
  return games === 0 ? null : parts.reduce((sum, { count }) => sum + count, 0) / games;
}
