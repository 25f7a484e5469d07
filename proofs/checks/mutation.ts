/**
 * Breaks one part of the meeting at a time and finds the first property that detects it. Chart mutants come from the
 * chart. Rule mutants change a single rule. A mutant that survives shows a missing property.
 */
import { check, createMutants, isAsDeclared, type PropertyResult } from 'glass-box-checker';
import type { ReportCase } from 'glass-box-checker/formats';
import { meetingMachine } from '../../machines/charts/meeting.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import {
  classicTable,
  deadCallerTable,
  houseTable,
  IN_GAME,
  SOME_TROUBLE,
} from '../models/meeting.ts';
import { type MeetingMutant, RULE_MUTANTS } from '../models/ruleMutants.ts';
import { createHeaderMatch } from '../traces/traceJournal.ts';
import { createMeetingModel, type MeetingModel, toConfiguration } from './meetingConfigurations.ts';
import { type CheckRun, EMPTY_RUN, type MeetingEvent } from './meetingSearch.ts';

type MutantFate = { readonly world: string; readonly by: string; readonly kill: MutantKill | null };

/** The mutated meeting and the violated property. Null if no run shows it. */
export type MutantKill = {
  readonly setting: MeetingSetup;
  readonly model: MeetingModel;
  readonly verdict: PropertyResult<MeetingEvent>;
};

/** `fate` is null if no property detected it. */
export type TriedMutant = MeetingMutant & { readonly fate: MutantFate | null };

/** Most properties never apply to a refused meeting. */
const OF_A_REFUSED_CALL = ['all-are-called-in', 'closed-is-done', 'never-stuck'];

type MutantWorld = { readonly setting: MeetingSetup; readonly only?: readonly string[] };

/** Small meetings that together cover every state and transition of the chart. */
export const WORLDS: Readonly<Record<string, MutantWorld>> = {
  house: { setting: houseTable({ patience: 1 }) },
  classic: { setting: classicTable({ patience: 1 }) },
  'house with a limit and late ballots': {
    setting: houseTable({ patience: 1, maxTicks: 3, voteAfter: 2 }),
  },
  'house with pauses': { setting: houseTable({ patience: 1, beatMs: 1 }) },
  'classic with pauses': { setting: classicTable({ patience: 1, beatMs: 1 }) },
  'classic with a limit': { setting: classicTable({ patience: 1, maxTicks: 4 }) },
  'a call by the dead': { setting: deadCallerTable({ patience: 1 }), only: OF_A_REFUSED_CALL },
  'house with patience': { setting: houseTable() },
  'house with an impostor and more patience': {
    setting: { ...houseTable({ players: 2, patience: 3, impostors: ['blue'] }), ...IN_GAME },
  },
};

/** The unchanged meeting. It must satisfy every property in all worlds, otherwise no kill is meaningful. */
export const AS_IT_IS: MeetingMutant = {
  kind: 'chart',
  name: 'nothing at all',
  machine: meetingMachine,
};

export function listMutants(): readonly MeetingMutant[] {
  return [
    ...createMutants(meetingMachine).map(({ name, machine }) => ({
      kind: 'chart' as const,
      name,
      machine: machine as typeof meetingMachine, // made of it, and of the same type
    })),
    ...RULE_MUTANTS,
  ];
}

/** Finds the first unexpected verdict, starting with the world `from`. Calls `onWorld` before the search of each. */
export function tryMutant(
  mutant: MeetingMutant,
  from = '',
  onWorld: (world: string) => void = () => {},
): TriedMutant {
  const worlds = Object.entries(WORLDS);
  const first = worlds.findIndex(([name]) => name === from);
  for (const [world, { setting, only = null }] of worlds.slice(Math.max(0, first))) {
    onWorld(world);
    const subject = { setting, knobs: SOME_TROUBLE };
    const model = { ...createMeetingModel(subject), machine: mutant.machine };
    const { broken, results } = check(model, { isSymmetric: true, only, purity: 'some-steps' });
    if (broken !== null)
      return { ...mutant, fate: { world, by: 'a step that never ends', kill: null } };
    const odd = results.filter((one) => !isAsDeclared(one));
    const verdict = odd.find((one) => one.verdict.type === 'violated') ?? odd[0];
    if (verdict === undefined) continue;
    return { ...mutant, fate: { world, by: verdict.name, kill: { setting, model, verdict } } };
  }
  return { ...mutant, fate: null };
}

/** Some of these tables have times outside the lobby's range, but a header must state valid ones. */
const TIMES = { discussionTime: 15, votingTime: 15 } as const;

/** A run in which a mutant was detected, with only the fields that the report needs. */
export function toCheckRun({ setting, model, verdict }: MutantKill): CheckRun {
  const stated = { ...setting.options, ...TIMES };
  const match = createHeaderMatch(setting, { name: verdict.name }, stated);
  const subject = toConfiguration(match, setting, SOME_TROUBLE);
  return { ...EMPTY_RUN, subject, model, judged: [verdict] };
}

export function mutantLine({ name, fate }: TriedMutant): string {
  if (fate === null) return `✗ ${name}: survives: no property fails`;
  return `✓ ${name}: ${fate.by}, ${fate.world}`;
}

export function summarizeMutants({ fate }: TriedMutant, fates: readonly TriedMutant[]): string {
  if (fate !== null)
    return `✗ the meeting breaks ${fate.by} as it is (${fate.world}): no mutant would show anything`;
  const killed = fates.filter((one) => one.fate !== null).length;
  const open = fates.length - killed;
  return `\n${killed} of ${fates.length} mutants are killed${open === 0 ? '' : `, ${open} unaccounted for`}`;
}

export function mutantFields({ kind, name, fate }: TriedMutant): object {
  return { kind, broken: name, by: fate?.by ?? null, in: fate?.world ?? null };
}

export function mutantCase(one: TriedMutant): ReportCase {
  return {
    suite: `mutants of the ${one.kind}`,
    name: one.name,
    sentence: 'At least one property fails.',
    result: one.fate === null ? 'broken' : 'kept',
    text: mutantLine(one),
  };
}
