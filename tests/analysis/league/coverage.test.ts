import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkFirstGame } from '../../../actors/league/plan.ts';
import type { ScheduledTable } from '../../../actors/league/schedule.ts';
import { wilsonInterval } from '../../../analysis/counts/numeric.ts';
import type { Comparison } from '../../../analysis/league/comparisons.ts';
import { compareGames } from '../../../analysis/league/comparisons.ts';
import type { Rating, WinShare } from '../../../analysis/league/types.ts';
import { expectGolden } from '../../support/golden.ts';
import { IS_LONG, seeds } from '../../support/seeds.ts';
import {
  DrawnLeague,
  type LeagueShape,
  mean,
  mirrorGames,
  personasOf,
  SeededChance,
} from './worlds.ts';

const POINTS = 400 / Math.LN10;
const FEWEST_CASES = 20;

const FAIR: readonly [number, number] = [0.93, 0.97];
const FEW_ALARMS: readonly [number, number] = [0.03, 0.07];

/** How often an interval held the truth, and how often there was said to be too little for one. */
class Coverage {
  readonly #leagues: { readonly held: number; readonly said: number }[] = [];
  #few = 0;

  /** Cases of one more league; null where there were too few games. */
  add(cases: readonly (boolean | null)[]): void {
    const said = cases.filter((isHeld) => isHeld !== null);
    this.#leagues.push({ held: said.filter(Boolean).length, said: said.length });
    this.#few += cases.length - said.length;
  }

  get said(): number {
    return this.#leagues.reduce((sum, league) => sum + league.said, 0);
  }

  get share(): number {
    return this.#leagues.reduce((sum, { held }) => sum + held, 0) / this.said;
  }

  /** The standard error of the share. Cases of one league are correlated, so leagues are the independent units. */
  get error(): number {
    const { share, said } = this;
    const apart = this.#leagues.map((league) => league.held - share * league.said);
    const clustered = Math.sqrt(apart.reduce((sum, one) => sum + one ** 2, 0)) / said;
    // Where hardly any interval misses, leagues look more alike than they are.
    return Math.max(clustered, Math.sqrt((0.05 * 0.95) / said));
  }

  get cell(): string {
    const { said } = this;
    if (said < FEWEST_CASES) return 'too few';
    const few = Math.round((100 * this.#few) / (said + this.#few));
    return `${(100 * this.share).toFixed(1)}${few === 0 ? '' : `, too few in ${few}`}`;
  }

  join(other: Coverage): void {
    this.#leagues.push(...other.#leagues);
    this.#few += other.#few;
  }

  expectWithin([least, most]: readonly [number, number], what: string, errors = 3): void {
    if (this.said < FEWEST_CASES) return;
    const slack = errors * this.error;
    expect(this.share, `${what}: ${this.cell}`).toBeGreaterThan(least - slack);
    expect(this.share, `${what}: ${this.cell}`).toBeLessThan(most + slack);
  }
}

function isIn(truth: number, least: number, most: number): boolean {
  return least <= truth && truth <= most;
}

const tables = new Map<string, { readonly titles: readonly string[]; rows: string[][] }>();

function addRow(title: string, titles: readonly string[], row: readonly string[]): void {
  const table = tables.get(title) ?? { titles, rows: [] };
  table.rows.push([...row]);
  tables.set(title, table);
}

function describeShape({ seating, mirror, personas, games }: LeagueShape): string {
  return `${seating}${mirror ? ', mirrored' : ''}, ${personas} personas, ${games} games`;
}

describe('ratings and shares', () => {
  const LARGE: readonly LeagueShape[] = [
    { seating: 'mixed', mirror: true, personas: 16, games: 400 },
    { seating: 'mixed', mirror: false, personas: 8, games: 2000 },
  ];
  const SHAPES: readonly LeagueShape[] = [
    { seating: 'sides', mirror: false, personas: 3, games: 40 },
    { seating: 'sides', mirror: false, personas: 5, games: 100 },
    { seating: 'sides', mirror: false, personas: 5, games: 400 },
    { seating: 'sides', mirror: true, personas: 5, games: 100 },
    { seating: 'sides', mirror: true, personas: 5, games: 400 },
    { seating: 'mixed', mirror: false, personas: 16, games: 100 },
    ...(IS_LONG ? LARGE : []),
  ];
  const LEAGUES = seeds(40, 2000);
  const SPREADS = [50, 100, 150, 200];
  const NAMES = ['impostor', 'crewmate', 'overall', 'sides', 'won', 'versus', 'colours'] as const;
  type CoverageName = (typeof NAMES)[number];
  const together = new Map(NAMES.map((name) => [name, new Coverage()]));

  test.each(SHAPES)(
    `$seating, mirror $mirror, $personas personas, $games games: ${LEAGUES} leagues`,
    (shape) => {
      const league = new DrawnLeague(shape);
      const found = new Map(NAMES.map((name) => [name, new Coverage()]));
      const leagues = IS_LONG ? Math.ceil(LEAGUES * Math.min(1, 800 / shape.games)) : LEAGUES;
      for (let seed = 1; seed <= leagues; seed++) {
        const cases = drawRatings(league, shape, new SeededChance(seed));
        for (const name of NAMES) found.get(name)?.add(cases[name]);
      }
      for (const [name, coverage] of found) {
        coverage.expectWithin(FAIR, `${describeShape(shape)}, ${name}`);
        together.get(name)?.join(coverage);
      }
      addRow(
        'ratings and shares',
        ['league', 'as impostor', 'as crew', 'overall', 'sides', 'shares', 'versus', 'colours'],
        [describeShape(shape), ...NAMES.map((name) => found.get(name)?.cell ?? '')],
      );
    },
  );

  test.each(NAMES)(
    '%s of all leagues together: in the band, with no allowance for chance',
    (name) => {
      const coverage = together.get(name);
      expect(coverage?.said).toBeGreaterThan(100);
      coverage?.expectWithin(FAIR, name, 0);
    },
  );

  /** One league of skills that are drawn from one of the spreads: which intervals hold the truth. */
  function drawRatings(
    league: DrawnLeague,
    { personas }: LeagueShape,
    chance: SeededChance,
  ): Readonly<Record<CoverageName, readonly (boolean | null)[]>> {
    const spread = (SPREADS[Math.floor(chance.share() * SPREADS.length)] ?? 0) / POINTS;
    const draw = () => Array.from({ length: personas }, () => spread * chance.normal());
    const [impostor, crew] = [draw(), draw()];
    const sides = chance.between(-1, 0.6);
    const of = (skills: readonly number[], list: readonly number[]) =>
      mean(list.map((persona) => skills[persona] ?? 0));
    const winRate = (table: ScheduledTable) => {
      const edge =
        of(impostor, personasOf(table, 'impostor')) - of(crew, personasOf(table, 'crewmate'));
      return 1 / (1 + Math.exp(-sides - edge));
    };
    const standings = league.count(chance, winRate);
    const rows = Array.from({ length: personas }, (_, persona) => {
      const row = standings.rows.find(({ id }) => id === `scripted_p${persona}`);
      if (row === undefined) throw new Error(`expected a row of p${persona}`);
      const as = impostor[persona] ?? 0;
      const asCrew = crew[persona] ?? 0;
      return { row, impostor: as - mean(impostor), crewmate: asCrew - mean(crew) };
    });
    const rated = ({ value: _, least, most, few }: Rating, truth: number) =>
      few ? null : isIn(1500 + POINTS * truth, least, most);
    const held = (share: WinShare, truth: number) =>
      share.few || share.interval === null
        ? null
        : isIn(truth, share.interval.least, share.interval.most);
    const expected = (role: (table: ScheduledTable) => 'impostor' | 'crewmate' | null) =>
      mean(
        league.fixtures.flatMap(({ table }) => {
          const side = role(table);
          if (side === null) return [];
          return [side === 'impostor' ? winRate(table) : 1 - winRate(table)];
        }),
      );
    const sideOf = (table: ScheduledTable, persona: number) =>
      table.find((seat) => seat.persona === persona)?.role ?? null;
    const numberOf = (id: string) => Number(id.replace('scripted_p', ''));
    const won = expected(() => 'impostor');
    const equals = 1 / (1 + Math.exp(-sides - mean(impostor) + mean(crew)));
    return {
      impostor: rows.map(({ row, impostor: truth }) => rated(row.rating.impostor, truth)),
      crewmate: rows.map(({ row, crewmate: truth }) => rated(row.rating.crewmate, truth)),
      overall: rows.map(({ row, ...truth }) =>
        rated(row.rating.overall, (truth.impostor + truth.crewmate) / 2),
      ),
      sides: [isIn(equals, standings.sides.least, standings.sides.most)],
      won: rows.flatMap(({ row }, persona) => [
        held(
          row.all,
          expected((table) => sideOf(table, persona)),
        ),
        held(
          row.roles.impostor,
          expected((table) => (sideOf(table, persona) === 'impostor' ? 'impostor' : null)),
        ),
      ]),
      versus: standings.versus.map(({ one, other, share }) =>
        held(
          share,
          expected((table) => {
            const [first, second] = [sideOf(table, numberOf(one)), sideOf(table, numberOf(other))];
            return first === null || second === null || first === second ? null : first;
          }),
        ),
      ),
      // Roles are drawn anew in each game, so a colour has the chance of any seat.
      colours: standings.colours.map(({ share }) => held(share, (2 * won + 6 * (1 - won)) / 8)),
    };
  }

  test('a share has the interval that it says, over shares from 10 to 90 %', () => {
    for (const games of [5, 10, 20, 30, 50, 100, 200]) {
      const shares = Array.from({ length: 161 }, (_, step) => 0.1 + 0.005 * step);
      const held = mean(shares.map((share) => holdShare(games, share)));
      addRow('shares of so many games', ['games', 'held'], [String(games), percent(held)]);
      expect(held, `${games} games`).toBeGreaterThan(0.93);
      expect(held, `${games} games`).toBeLessThan(0.97);
    }
  });

  /** How often Wilson's interval holds a share: all numbers of wins, each with its probability. */
  function holdShare(games: number, share: number): number {
    return binomial(games, share).reduce((sum, weight, wins) => {
      const interval = wilsonInterval(wins, games);
      return sum + (interval !== null && isIn(share, interval.least, interval.most) ? weight : 0);
    }, 0);
  }
});

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** The probabilities of 0 to n hits. */
function binomial(n: number, share: number): readonly number[] {
  const logs = [0];
  for (let k = 1; k <= n; k++) logs.push((logs[k - 1] ?? 0) + Math.log((n - k + 1) / k));
  return logs.map((ways, k) => Math.exp(ways + k * Math.log(share) + (n - k) * Math.log1p(-share)));
}

describe('comparisons of mirrored games, by enumeration', () => {
  /** How often the first alone wins, and the other alone, of 100 pairs: without a difference, and with one. */
  const EVEN = [25, 21, 16, 10];
  const APART: readonly (readonly [first: number, other: number])[] = [
    [35, 15],
    [40, 20],
    [25, 5],
    [42, 22],
  ];

  test.each(IS_LONG ? [5, 10, 20, 25, 30, 40, 60] : [10, 20])('%i pairs', (pairs) => {
    const found = tabulate(pairs);
    const even = EVEN.map((share) => weigh(found, [share / 100, share / 100]));
    const apart = APART.map(([first, other]) => weigh(found, [first / 100, other / 100]));
    const said = mean([...even, ...apart].map((one) => one.said));
    const titles = ['pairs', 'held', 'false alarms', 'too few'];
    if (said < 0.01) {
      addRow('mirrored pairs', titles, [String(pairs), '', '', '100']);
      return expect(found.every(({ result }) => result?.p == null)).toBe(true);
    }
    const held = mean([...even, ...apart].map((one) => one.held / one.said));
    const alarms = mean(even.map((one) => one.alarms / one.said));
    const row = [String(pairs), percent(held), percent(alarms), percent(1 - said)];
    addRow('mirrored pairs', titles, row);
    expect(held).toBeGreaterThan(0.93);
    expect(held).toBeLessThan(0.97);
    expect(alarms).toBeGreaterThan(0.03);
    expect(alarms).toBeLessThan(0.07);
  });

  type Outcome = {
    readonly first: number;
    readonly other: number;
    readonly alike: number;
    readonly result: Comparison | null;
  };

  function tabulate(pairs: number): readonly Outcome[] {
    return Array.from({ length: pairs + 1 }, (_, first) =>
      Array.from({ length: pairs + 1 - first }, (__, other): Outcome => {
        const alike = pairs - first - other;
        return { first, other, alike, result: compareGames(mirrorGames(first, other, alike)) };
      }),
    ).flat();
  }

  function weigh(outcomes: readonly Outcome[], [one, two]: readonly [number, number]) {
    const logs = [0];
    let [said, held, alarms] = [0, 0, 0];
    for (const { first, other, alike, result } of outcomes) {
      const n = first + other + alike;
      while (logs.length <= n) logs.push((logs.at(-1) ?? 0) + Math.log(logs.length));
      const ways = (logs[n] ?? 0) - (logs[first] ?? 0) - (logs[other] ?? 0) - (logs[alike] ?? 0);
      const weight = Math.exp(
        ways + first * Math.log(one) + other * Math.log(two) + alike * Math.log(1 - one - two),
      );
      if (result?.least == null || result.most == null || result.p == null) continue;
      said += weight;
      if (isIn(one - two, result.least, result.most)) held += weight;
      if (result.p < 0.05) alarms += weight;
    }
    return { said, held, alarms };
  }
});

describe('an effect that was planted', () => {
  const PLANTED = 0.2;
  const LEAGUES = seeds(3, 100);
  const PERSONAS = IS_LONG ? Array.from({ length: 15 }, (_, index) => index + 2) : [2, 3, 8, 16];
  const SEATINGS = (['mixed', 'sides'] as const).flatMap((seating) =>
    [false, true].map((mirror) => ({ seating, mirror })),
  );

  function plant(shape: LeagueShape, leagues: number, apart: (table: ScheduledTable) => number) {
    const league = new DrawnLeague(shape);
    const [coverage, alarms] = [new Coverage(), new Coverage()];
    const found: number[] = [];
    for (let seed = 1; seed <= leagues; seed++) {
      const chance = new SeededChance(seed);
      const base = chance.between(0.4, 0.6);
      const skills = Array.from({ length: shape.personas }, () => 0.02 * chance.normal());
      const of = (table: ScheduledTable, role: 'impostor' | 'crewmate') =>
        [...new Set(personasOf(table, role))].reduce((sum, one) => sum + (skills[one] ?? 0), 0);
      skills[1] = skills[0] ?? 0;
      for (const effect of [0, PLANTED]) {
        const { comparisons, levels } = league.count(
          chance,
          (table) =>
            base + of(table, 'impostor') - of(table, 'crewmate') + (effect / 2) * apart(table),
        );
        const [result] = [...comparisons, ...levels].map((one) => one.result);
        if (result === undefined) throw new Error(`nothing is compared: ${describeShape(shape)}`);
        const { difference, least, most, p } = result;
        if (effect > 0) found.push(difference);
        coverage.add([least === null || most === null ? null : isIn(effect, least, most)]);
        if (effect === 0) alarms.add([p === null ? null : p < 0.05]);
      }
    }
    // Of a few leagues the spread may look much smaller than it is.
    const seen = Math.sqrt(mean(found.map((one) => (one - mean(found)) ** 2)));
    const spread = leagues < 40 ? Math.max(seen, 0.1) : seen;
    return { coverage, alarms, mean: mean(found), error: spread / Math.sqrt(found.length) };
  }

  function leadOfFirst(table: ScheduledTable): number {
    const lead = (persona: number) =>
      Number(personasOf(table, 'impostor').includes(persona)) -
      Number(personasOf(table, 'crewmate').includes(persona));
    return lead(0) - lead(1);
  }

  function leadOfAdvanced(table: ScheduledTable): number {
    const share = (role: 'impostor' | 'crewmate') =>
      mean(personasOf(table, role).map((persona) => persona % 2));
    return 2 * (share('impostor') - share('crewmate'));
  }

  const together = { coverage: new Coverage(), alarms: new Coverage() };
  const expectFair = (what: string, { coverage, alarms }: ReturnType<typeof plant>) => {
    coverage.expectWithin(FAIR, what);
    alarms.expectWithin(FEW_ALARMS, `${what}: false alarms`);
    together.coverage.join(coverage);
    together.alarms.join(alarms);
  };

  test.each(PERSONAS)(
    `of 20 points is found in every seating of %i personas, or they are too few`,
    (personas) => {
      const cells = SEATINGS.map((seating) => {
        const shape = { ...seating, personas, games: 200, compare: true };
        const { plan } = new DrawnLeague(shape);
        const [refusal] = checkFirstGame(plan);
        if (refusal !== undefined) {
          expect(refusal.code).toBe('league/too-few-personas');
          return /expected (\d+) personas/.exec(refusal.text)?.[1]?.concat(' needed') ?? '';
        }
        const found = plant(shape, LEAGUES, leadOfFirst);
        expectFair(describeShape(shape), found);
        expect(Math.abs(found.mean - PLANTED), describeShape(shape)).toBeLessThan(
          4 * found.error + 0.002,
        );
        return `${percent(found.mean)} ± ${percent(found.error)}`;
      });
      const titles = ['personas', 'mixed', 'mixed, mirrored', 'sides', 'sides, mirrored'];
      addRow('planted', titles, [String(personas), ...cells]);
    },
  );

  const MANY_GAMES: LeagueShape = { seating: 'sides', mirror: false, personas: 16, games: 320 };
  const SMALL: readonly LeagueShape[] = [
    { seating: 'sides', mirror: false, personas: 3, games: 10 },
    { seating: 'sides', mirror: false, personas: 3, games: 24 },
    { seating: 'sides', mirror: false, personas: 5, games: 60 },
    ...(IS_LONG ? [MANY_GAMES] : []),
    { seating: 'sides', mirror: true, personas: 3, games: 48 },
    { seating: 'sides', mirror: true, personas: 5, games: 100 },
    { seating: 'mixed', mirror: false, personas: 8, games: 60 },
    { seating: 'mixed', mirror: true, personas: 8, games: 60 },
  ];
  const MANY = seeds(33, 2000);

  test.each(SMALL)(
    `$seating, mirror $mirror, $personas personas, $games games: intervals and alarms are fair in ${MANY} leagues`,
    (shape) => {
      const found = plant({ ...shape, compare: true }, MANY, leadOfFirst);
      expectFair(describeShape(shape), found);
      const titles = ['league', 'held', 'false alarms'];
      addRow('comparisons', titles, [
        describeShape(shape),
        found.coverage.cell,
        found.alarms.cell.split(',')[0] ?? '',
      ]);
    },
  );

  test.each(SEATINGS.flatMap((seating) => [60, 200].map((games) => ({ ...seating, games }))))(
    `levels, $seating, mirror $mirror, $games games: fair, in ${MANY} leagues`,
    (given) => {
      const shape = { ...given, personas: 6, levels: true };
      const found = plant(shape, MANY, leadOfAdvanced);
      expectFair(describeShape(shape), found);
      if (given.seating === 'sides' || given.games === 200)
        expect(Math.abs(found.mean - PLANTED)).toBeLessThan(4 * found.error + 0.002);
      const titles = ['league', 'found', 'held', 'false alarms'];
      addRow('levels', titles, [
        describeShape(shape),
        `${percent(found.mean)} ± ${percent(found.error)}`,
        found.coverage.cell,
        found.alarms.cell.split(',')[0] ?? '',
      ]);
    },
  );

  test('all leagues together are in the bands, with no allowance for chance', () => {
    expect(together.alarms.said).toBeGreaterThan(400);
    together.coverage.expectWithin(FAIR, 'comparisons and levels', 0);
    together.alarms.expectWithin(FEW_ALARMS, 'false alarms', 0);
  });
});

const WORDS: Readonly<Record<string, string>> = {
  'ratings and shares':
    'Intervals of ratings and shares. Skills are normal, with a standard deviation of 50, 100, 150 or 200 points; shares and versus are held against the mean chance of their games, colours against that of any seat.',
  'shares of so many games':
    'Shares of independent games, by enumeration, over true shares from 10 to 90 %.',
  'mirrored pairs':
    'Comparisons of mirrored games, by enumeration, over eight truths: four without a difference, four with one of 20 points.',
  planted:
    'Points that are found in 200 games where 20 were planted, with the standard error of that mean.',
  comparisons: 'Comparisons in small leagues, half of them with 20 points planted.',
  levels: 'Levels of strategy: points found where 20 were planted, intervals, and false alarms.',
};

test('the tables in tests/golden/coverage.md are the measured ones', () => {
  if (IS_LONG)
    return expectGolden('tests/golden/coverage.md', `# Measured intervals\n${renderTables()}`);
  const page = readFileSync(new URL('../../golden/coverage.md', import.meta.url), 'utf8');
  for (const words of Object.values(WORDS)) expect(page).toContain(words);
  for (const { rows } of tables.values()) {
    for (const [name] of rows) expect(page).toContain(`| ${name} |`);
  }
});

function renderTables(): string {
  return [...tables]
    .map(([title, { titles, rows }]) => {
      const cells = [titles, titles.map(() => '---'), ...rows];
      return `\n${WORDS[title]}\n\n${cells.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
    })
    .join('')
    .concat('\n');
}
