/** All planted bugs, and those that cannot be observed, with the reason. */
import type { PlantedBug } from './bug.ts';
import { CHART_BUGS } from './charts.ts';
import { MEETING_RULE_BUGS } from './meetingRules.ts';
import { OTHER_RULE_BUGS } from './otherRules.ts';
import { TICK_RULE_BUGS } from './tickRules.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...MEETING_RULE_BUGS,
  ...TICK_RULE_BUGS,
  ...CHART_BUGS,
  ...OTHER_RULE_BUGS,
];

/** Why it is right that nothing notices, by the name of the bug. */
export const UNOBSERVABLE: Readonly<Record<string, string>> = {
  'closed-fact-outcome':
    'a meeting that closes without a verdict has ejected nobody: a stop takes that off the table',
  'blank-resets-not': 'it reads the same: a message that is heard is always of its own tick',
};

/** Bugs whose counterexample is no meeting that can be played, and why. */
export const UNWATCHED: Readonly<Record<string, string>> = {};
