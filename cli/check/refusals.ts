/** Contradictions: flags that do not go together. Whoever gives one that would be ignored is told, and nothing runs. */

import { suggestWord } from '../../actors/engine/suggestion.ts';
import { meetingMatchSchema } from '../../machines/setup/match.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import { RULE_SETS } from '../../machines/types.ts';
import { isJudgeable } from '../../proofs/conformance.ts';
import { EXTRA_CHECKS } from '../../proofs/extraChecks.ts';
import { listMeetingProperties } from '../../proofs/properties/meeting.ts';
import type { MeetingProperty } from '../../proofs/properties/property.ts';
import { CHANCE } from '../../proofs/run.ts';
import { createFailure, EXIT } from '../exit.ts';
import type { CheckFlags } from './flags.ts';

const REPORTS = ['--json', '--junit', '--sarif'] as const;
const PAGES = ['--page', '--explore'] as const;

/** What is done instead of a search, and the flags that mean something then. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  '--journal': ['--property', ...REPORTS, ...PAGES],
  '--mutants': [...REPORTS, ...PAGES],
  '--selftest': ['--seed', ...REPORTS],
};

export function refuseContradictions(path: string | null, { given, ghosts }: CheckFlags): void {
  if (given.includes('--journal')) {
    refuse(path !== null, 'scenario-and-journal', () => {
      return `a scenario and --journal: expected one of them, found ${JSON.stringify(path)} too`;
    });
    refuse(given.includes('--trace'), 'trace-of-journal', () => {
      return '--trace writes what a search finds, and --journal makes none';
    });
  }
  for (const [mode, allowed] of Object.entries(INSTEAD)) {
    if (!given.includes(mode)) continue;
    refuse(path !== null, 'not-together', () => {
      return `${mode} brings its own tables: a scenario says nothing there, found ${JSON.stringify(path)}`;
    });
    const other = given.find((flag) => flag !== mode && !allowed.includes(flag));
    refuse(other !== undefined, 'not-together', () => {
      return `${mode} and ${other}: with ${mode} go only ${allowed.join(', ')}`;
    });
  }
  refuse(given.includes('--seed') && !given.includes('--selftest'), 'seed-of-nothing', () => {
    return '--seed is for --selftest: a search tries everything, and draws nothing';
  });
  refuse(path !== null && ghosts > 0, 'ghosts-of-scenario', () => {
    return '--ghosts: a scenario says itself who is dead';
  });
}

function refuse(isWrong: boolean, code: string, text: () => string): void {
  if (isWrong) throw createFailure(EXIT.usage, `check/${code}`, text());
}

/* The names of properties: whoever asks for one that is not there is told, for what is not judged must not read as kept. */

/** Refuses names of properties that are not among those of a search. */
export function refuseUnasked(wanted: readonly string[], here: readonly string[]): void {
  const all = [...everywhere().map(({ name }) => name), ...EXTRA_CHECKS];
  for (const name of wanted) {
    if (here.includes(name)) continue;
    refuseUnknown(name, all);
    const text = `--property: ${name} says nothing in this world; it needs --faults, --departures, --stops, a ghost or other rules`;
    throw createFailure(EXIT.usage, 'check/not-in-this-world', text);
  }
}

/** Refuses names of properties that no recorded meeting can be judged by. */
export function refuseUnjudgeable(wanted: readonly string[]): void {
  const all = everywhere();
  for (const name of wanted) {
    const property = all.find((one) => one.name === name);
    if (property === undefined && !EXTRA_CHECKS.includes(name)) {
      refuseUnknown(
        name,
        all.map((one) => one.name),
      );
    } else if (property === undefined || !isJudgeable(property)) {
      const text = `--property: ${name} is about all meetings that can be, and no recorded one can be judged by it`;
      throw createFailure(EXIT.usage, 'check/not-of-a-journal', text);
    }
  }
}

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const meant = suggestWord(name, names);
  const help = meant === null ? ` (properties: ${names.join(', ')})` : `; did you mean "${meant}"?`;
  const text = `--property: there is no property ${JSON.stringify(name)}${help}`;
  throw createFailure(EXIT.usage, 'check/unknown-property', text);
}

/** Every property in a world in which everything may happen. */
function everywhere(): readonly MeetingProperty[] {
  const properties = RULE_SETS.flatMap((rules) => {
    const setting = settingFor(
      meetingMatchSchema.parse({
        name: 'everything',
        options: { rules },
        call: { by: 'red' },
        seats: [
          { colour: 'red' },
          { colour: 'blue' },
          { colour: 'green' },
          { colour: 'pink', dead: true },
        ],
      }),
      CHANCE,
    );
    const knobs = { faults: true, departures: setting.seats.length, stops: true };
    return listMeetingProperties(setting, knobs);
  });
  return [...new Map(properties.map((property) => [property.name, property])).values()];
}
