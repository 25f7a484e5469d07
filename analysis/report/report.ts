/** The report: everything that is said of some journals, as data. Fill `ReportFacts` journal by journal, then build it. */
import { type ReportFacts, ReportNumbers } from './facts.ts';
import { METHODS, SOURCES } from './methods.ts';
import type { Report, ReportSection } from './model.ts';
import { GAME_QUERIES, MEASURE_QUERIES, writeViews } from './queries.ts';
import { describePower, describePrediction } from './sections/forecast.ts';
import {
  describeCrossplay,
  describeDeception,
  describeGames,
  describeLeaders,
  describeRoles,
} from './sections/play.ts';
import { describeBeliefs, describeReasoning, describeSuspicion } from './sections/reasoning.ts';
import { describeCosts, describeReliability } from './sections/reliability.ts';
import { describeClaims, describePersuasion } from './sections/talk.ts';

const SECTIONS: readonly ((numbers: ReportNumbers) => ReportSection)[] = [
  describeGames,
  describeLeaders,
  describeCrossplay,
  describeDeception,
  describeRoles,
  describePersuasion,
  describeClaims,
  describeBeliefs,
  describeSuspicion,
  describeReasoning,
  describeReliability,
  describeCosts,
  describePrediction,
  describePower,
];

/** Where the tables lie, as seen from the report. */
export const TABLES_FOLDER = 'tables';

/** `engine` is the program with the versions of rules, prompts and minds. */
export function buildReport(facts: ReportFacts, title: string, engine: string): Report {
  const numbers = new ReportNumbers(facts);
  return {
    title,
    data: numbers.describeData(engine),
    sections: SECTIONS.map((describe) => describe(numbers)),
    methods: METHODS,
    sources: SOURCES,
    views: writeViews(TABLES_FOLDER),
    queries: [...GAME_QUERIES, ...MEASURE_QUERIES],
  };
}
