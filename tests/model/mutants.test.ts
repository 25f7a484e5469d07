/**
 * Mutants of the meeting: everything that can be broken in the chart, and the promise that notices.
 *
 * The table in docs/mutants.md is written by `npm run golden`. A mutant that nobody notices is named below with the
 * reason; whoever makes another one survive has lost a promise.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { check } from '../../checker/check.ts';
import { type Mutant, mutantsOf } from '../../checker/mutants.ts';
import { isAsDeclared } from '../../checker/verdict.ts';
import { meetingMachine } from '../../machines/meeting.ts';
import type { Setting } from '../../machines/rules/table.ts';
import { aModel, classic, house, KNOBS } from './models.ts';

const TABLE = fileURLToPath(new URL('../../docs/mutants.md', import.meta.url));
const MUTANTS = mutantsOf(meetingMachine);
const WORLD = { ...KNOBS, stops: true };

/** Red is dead from the start, and calls the meeting all the same. */
function deadCaller(): Setting {
  const setting = house({ patience: 1, players: 4 });
  return { ...setting, standings: { ...setting.standings, red: 'dead' } };
}

/** Small meetings which together go through every place and transition of the chart. */
const MODELS = {
  house: house({ patience: 1 }),
  classic: classic({ patience: 1 }),
  'house with a limit and late ballots': house({ patience: 1, maxTicks: 3, voteAfter: 2 }),
  'house with pauses': house({ patience: 1, beatMs: 1 }),
  'classic with pauses': classic({ patience: 1, beatMs: 1 }),
  'classic with a limit': classic({ patience: 1, maxTicks: 4 }),
  'a call by the dead': deadCaller(),
} as const;

/** A refused meeting keeps few promises: most of them speak of what never happens there. */
const OF_A_REFUSED_CALL = ['call-is-judged', 'dead-call-nobody', 'closed-is-done', 'never-stuck'];

/** Mutants that live, and why that is right. */
const SURVIVORS: Readonly<Record<string, string>> = {
  'the action tellCall is left out':
    'it is told before the first event, where no step is looked at; tests/machines/meeting.test.ts demands it',
};

type Fate = { readonly model: string; readonly by: string };

/** The first promise that does not turn out as declared; null when the mutant lives. */
function fateOf({ machine }: Pick<Mutant, 'machine'>): Fate | null {
  for (const [model, setting] of Object.entries(MODELS)) {
    const only = setting === MODELS['a call by the dead'] ? { only: OF_A_REFUSED_CALL } : {};
    const checked = check(aModel(setting, WORLD, machine), { isSymmetric: true, ...only });
    const broken = checked.judged.filter((judged) => !isAsDeclared(judged));
    const violated = broken.find(({ verdict }) => verdict.type === 'violated') ?? broken[0];
    if (checked.ended !== null) return { model, by: 'a step that never ends' };
    if (violated !== undefined) return { model, by: violated.name };
  }
  return null;
}

test('the meeting as it is keeps every promise in all of these worlds', () => {
  expect(fateOf({ machine: meetingMachine })).toBeNull();
});

describe(`${MUTANTS.length} mutants`, () => {
  const fates = new Map<string, Fate | null>();

  test.each(MUTANTS)('$name', (mutant) => {
    const fate = fateOf(mutant);
    fates.set(mutant.name, fate);
    expect(fate === null).toBe(mutant.name in SURVIVORS);
  });

  test('the table says what killed them', () => {
    const table = page(fates);
    if (process.env.GOLDEN === 'write') writeFileSync(TABLE, table);
    expect(readFileSync(TABLE, 'utf8')).toBe(table);
  });
});

function page(fates: ReadonlyMap<string, Fate | null>): string {
  const rows = [...fates].map(([name, fate]) => {
    const what = name.replaceAll('|', '\\|');
    const reason = SURVIVORS[name] ?? 'nobody noticed';
    return fate === null
      ? `| ${what} | lives | ${reason} |`
      : `| ${what} | \`${fate.by}\` | ${fate.model} |`;
  });
  const killed = [...fates.values()].filter((fate) => fate !== null).length;
  return `# Mutants

Everything in the meeting's chart that can be broken by itself, and the promise that notices first. Guards are turned
round, actions left out, transitions never taken, or taken without moving. ${killed} of ${fates.size} are killed.
\`tests/model/mutants.test.ts\` makes and checks them; \`npm run golden\` writes this page.

| broken | noticed by | in |
|---|---|---|
${rows.join('\n')}
`;
}
