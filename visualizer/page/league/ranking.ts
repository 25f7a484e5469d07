import type {
  LeaguePersona,
  LeagueReport,
  Measure,
  Standings,
  StandingsRow,
} from '../../../analysis/league/types.ts';
import type { Role } from '../../../machines/types.ts';

export type RankedPersona = Readonly<{ rank: number; row: StandingsRow; persona: LeaguePersona }>;
export type RankedPersonas = readonly RankedPersona[];

const BY = {
  name: ({ persona }) => persona.name,
  rating: ({ row }) => row.rating.overall.value,
  impostor: ({ row }) => row.rating.impostor.value,
  crew: ({ row }) => row.rating.crewmate.value,
  won: ({ row }) => row.all.interval?.share ?? null,
  impostorWon: ({ row }) => row.roles.impostor.interval?.share ?? null,
  crewWon: ({ row }) => row.roles.crewmate.interval?.share ?? null,
  games: ({ row }) => row.all.games,
  faults: ({ row }) => perGame(row, 'faults_per_game'),
  tokens: ({ row }) => perGame(row, 'tokens_per_game'),
  cost: ({ row }) => perGame(row, 'microdollars_per_game'),
} as const satisfies Readonly<Record<string, (place: RankedPersona) => number | string | null>>;

export type Column = keyof typeof BY;
export const COLUMNS = Object.keys(BY).filter((name): name is Column => name in BY);

export type Sorting = { readonly column: Column; readonly isRising: boolean };
export const STRONGEST_FIRST: Sorting = { column: 'rating', isRising: false };

export function nextSorting(column: Column, now: Sorting): Sorting {
  if (now.column === column) return { column, isRising: !now.isRising };
  return { column, isRising: column === 'name' };
}

export function rankPersonas({ standings, personas }: LeagueReport): RankedPersonas {
  const known = new Map(personas.map((persona) => [persona.id, persona]));
  return standings.rows.flatMap((row, index) => {
    const persona = known.get(row.id);
    return persona === undefined ? [] : [{ rank: index + 1, row, persona }];
  });
}

/** Sorted. Personas without the figure come last in both directions, and the rank breaks ties. */
export function sortPlaces(places: RankedPersonas, { column, isRising }: Sorting): RankedPersonas {
  const sign = isRising ? 1 : -1;
  return places.toSorted((one, other) => {
    const [left, right] = [BY[column](one), BY[column](other)];
    if (left === right) return one.rank - other.rank;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -sign : sign;
  });
}

export function filterPlaces(
  places: RankedPersonas,
  { model, find }: { readonly model: string; readonly find: string },
): RankedPersonas {
  const wanted = find.trim().toLocaleLowerCase('en');
  return places.filter(
    ({ persona }) =>
      (model === '' || persona.model === model) &&
      `${persona.name}\n${persona.model}\n${persona.id}`.toLocaleLowerCase('en').includes(wanted),
  );
}

/** The names of the measures of a role, without those that nobody has data for. */
export function listMeasures(rows: readonly StandingsRow[], role: Role): readonly string[] {
  const names = rows[0]?.tallies[role].map(({ name }) => name) ?? [];
  return names.filter((name) =>
    rows.some(({ tallies }) => (findMeasure(tallies[role], name)?.count ?? 0) > 0),
  );
}

export function findMeasure(measures: readonly Measure[], name: string): Measure | undefined {
  return measures.find((measure) => measure.name === name);
}

export function hasFewGames(rows: readonly StandingsRow[]): boolean {
  return rows.some(({ all, roles, rating }) =>
    [all, roles.impostor, roles.crewmate, ...Object.values(rating)].some(({ few }) => few),
  );
}

export function perGame({ tallies }: StandingsRow, name: string): number | null {
  const parts = [tallies.crewmate, tallies.impostor].flatMap(
    (measures) => findMeasure(measures, name) ?? [],
  );
  const games = parts.reduce((sum, { of }) => sum + of, 0);
  return games === 0 ? null : parts.reduce((sum, { count }) => sum + count, 0) / games;
}

/** The personas below a gap: every one above it is separated from every one below. */
export function findGaps(
  places: RankedPersonas,
  { pairs }: Pick<Standings, 'pairs'>,
): ReadonlySet<string> {
  const apart = new Set(
    pairs.flatMap(({ one, other, adjusted }) =>
      (adjusted ?? 1) < TAIL ? [`${one}\n${other}`, `${other}\n${one}`] : [],
    ),
  );
  const isApart = (one: RankedPersona, other: RankedPersona) =>
    apart.has(`${one.persona.name}\n${other.persona.name}`) ||
    apart.has(`${one.row.id}\n${other.row.id}`);
  return new Set(
    places.flatMap((place, index) => {
      const [above, below] = [places.slice(0, index), places.slice(index)];
      const hasGap = index > 0 && above.every((one) => below.every((other) => isApart(one, other)));
      return hasGap ? [place.row.id] : [];
    }),
  );
}

const TAIL = 0.05;

export type Scale = {
  readonly least: number;
  readonly most: number;
  readonly zero: number;
  readonly ticks: readonly number[];
};

const MIDDLE = 1500;
/** Points around the middle that are always there, so that small differences look small. */
const NARROWEST = 100;
const STEPS = [50, 100, 200, 500, 1000, 2000];
const MOST_TICKS = 4;

export const SHARES: Scale = { least: 0, most: 1, zero: 0, ticks: [0, 0.5, 1] };

export function ratingScale(rows: readonly StandingsRow[]): Scale {
  const all = rows
    .filter(({ all: { games } }) => games > 0)
    .flatMap(({ rating }) => [rating.overall, rating.impostor, rating.crewmate]);
  const ends = all.flatMap(({ least, most }) => [
    Math.abs(least - MIDDLE),
    Math.abs(most - MIDDLE),
  ]);
  const reach = ends.reduce((far, end) => Math.max(far, end), NARROWEST) * 1.06;
  const step = STEPS.find((one) => (2 * reach) / one <= MOST_TICKS) ?? reach;
  const side = Math.floor(reach / step);
  return {
    least: MIDDLE - reach,
    most: MIDDLE + reach,
    zero: MIDDLE,
    ticks: Array.from({ length: 2 * side + 1 }, (_, index) => MIDDLE + (index - side) * step),
  };
}

export function differenceScale(values: readonly { least: number; most: number }[]): Scale {
  const ends = values.flatMap(({ least, most }) => [Math.abs(least), Math.abs(most)]);
  const far = Math.max(LEAST_DIFFERENCE, ...ends);
  const side = Math.min(1, Math.ceil(far * 10) / 10);
  return { least: -side, most: side, zero: 0, ticks: [-side, 0, side] };
}

const LEAST_DIFFERENCE = 0.1;

export function positionOn(value: number, { least, most }: Scale): number {
  return Math.min(1, Math.max(0, (value - least) / (most - least)));
}
