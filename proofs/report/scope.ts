/** What a check has searched, and what it has not. Every report ends with it. */
import { FEWEST_SEATS, MOST_SEATS } from '../../machines/rules/optionRows.ts';
import { RULE_SETS } from '../../machines/types.ts';
import type { MeetingConfiguration } from '../checks/meetingConfigurations.ts';
import type { CheckRun } from '../checks/meetingSearch.ts';
import { CHART_CHECKS, SMALL_CHECKS } from '../checks/smallChecks.ts';
import { BOUND } from '../models/arbiter.ts';

export type CheckScope = { readonly searched: readonly string[]; readonly open: readonly string[] };

export function describeScope(runs: readonly CheckRun[]): CheckScope {
  const subjects = runs.map(({ subject }) => subject);
  const sets = [...new Set(subjects.map(({ rules }) => rules))];
  const sizes = [...new Set(subjects.map(({ players }) => players))];
  const isCut = runs.some(({ search }) => search !== null && search.ended !== null);
  const isMain = runs.some(({ search }) => search !== null);
  const asked = new Set(runs.flatMap(({ asides }) => asides.flatMap((aside) => aside.asked)));
  const some = (isIt: (subject: MeetingConfiguration) => boolean) => subjects.some(isIt);
  const leavers = Math.max(0, ...subjects.map(({ knobs }) => knobs.departures));
  const stops = 'stops by the operator';
  const areAlikeStopped = SMALL_CHECKS.some(({ name, isAlike }) => isAlike && asked.has(name));
  const where = areAlikeStopped ? ' where players act differently' : '';
  type ScopeFact = readonly [what: string, isSearched: boolean, open: string];
  const ofMeeting: readonly ScopeFact[] = [
    ['faults of minds', some(({ knobs }) => knobs.faults), 'faults of minds (--faults)'],
    [`${leavers} departure${leavers === 1 ? '' : 's'}`, leavers > 0, 'departures (--departures)'],
    [stops, some(({ knobs }) => knobs.stops), `${stops}${where} (--stops)`],
    ['ghosts', some(({ ghosts }) => ghosts > 0), 'ghosts (--ghosts)'],
  ];
  const facts: readonly ScopeFact[] = [
    ...(isMain ? ofMeeting : []),
    ['small tables of players who act alike (with stops)', areAlikeStopped, 'small tables'],
    ...Object.entries(CHART_CHECKS).map(
      ([chart, { names }]) => [chart, names.some((name) => asked.has(name)), chart] as const,
    ),
    [BOUND, asked.has(BOUND), `the bound on silence (--property ${BOUND})`],
    ['actors together', asked.has('messages-arrive'), 'actors together (--players 3)'],
    ['secrets', asked.has('thoughts-do-not-interfere'), 'secrets (--interference)'],
  ];
  const searched = [
    `${isCut ? 'a part of the' : 'all'} meetings of ${sizes.join(', ')} players, ${sets.join(' and ')}`,
    ...facts.filter(([, isSearched]) => isSearched).map(([what]) => what),
  ].slice(isMain ? 0 : 1);
  return {
    searched: searched.length === 0 ? [...asked] : searched,
    open: [
      ...RULE_SETS.filter((rules) => !sets.includes(rules)).map((rules) => `${rules} rules`),
      ...(isMain ? [] : ['the meeting itself']),
      ...facts.filter(([, isSearched]) => !isSearched).map(([, , open]) => open),
      `other sizes than ${sizes.join(', ')} (--players; games have ${FEWEST_SEATS} to ${MOST_SEATS})`,
      'options in combination (a match)',
      'whole games (--game)',
      ...NEVER_SEARCHED,
    ],
  };
}

const NEVER_SEARCHED = ['prompts', 'what minds say', 'files and networks'] as const;

type SearchedGame = {
  readonly name: string;
  readonly players: number;
  readonly found: { readonly ended: string | null };
};

export function describeGameScope(games: readonly SearchedGame[]): CheckScope {
  const part = games.some(({ found }) => found.ended !== null) ? 'a part of the' : 'the';
  return {
    searched: [
      `${part} game, ${games.map(({ name }) => name).join('; ')}: on a ship of four places`,
    ],
    open: [
      'The Skeld itself',
      `more than ${Math.max(...games.map(({ players }) => players))} players`,
      'the talk, the gallery and the session (check)',
      ...NEVER_SEARCHED,
    ],
  };
}

export function renderScope({ searched, open }: CheckScope): readonly string[] {
  return [`searched: ${searched.join(', ')}`, `not searched: ${open.join(', ')}`];
}
