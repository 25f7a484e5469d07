/** Chores in print: what somebody does, in the words of people, for one who does it and for several. */

/** What is said of a task; the first word is the verb. One without an entry is told by its name. */
const TASKS: Readonly<Record<string, string>> = {
  'swipe-card': 'swipe the card',
  'fix-wiring': 'fix the wiring',
  'clear-asteroids': 'shoot the asteroids',
  'align-output': 'align the engine',
  'submit-scan': 'submit to the scan',
  'inspect-sample': 'inspect the sample',
  'fuel-engines': 'fuel the engines',
  'start-reactor': 'start the reactor',
  'empty-chute': 'empty the chute',
  'empty-garbage': 'empty the garbage',
  'calibrate-distributor': 'calibrate the distributor',
  'chart-course': 'chart the course',
  'clean-filter': 'clean the filter',
  'unlock-manifolds': 'unlock the manifolds',
  'stabilize-steering': 'stabilize the steering',
  'prime-shields': 'prime the shields',
};
const FAMILIES: readonly (readonly [string, string])[] = [
  ['download-', 'download data'],
  ['divert-', 'divert power'],
];

/** "swipe the card". */
export function chore(task: string): string {
  const family = FAMILIES.find(([start]) => task.startsWith(start))?.[1];
  return TASKS[task] ?? family ?? `do ${task.replaceAll('-', ' ')}`;
}

/** The words of one who does it: "swipes the card"; of several they are as they stand. */
export function conjugated(words: string, count: number): string {
  if (count !== 1) return words;
  const [verb = '', ...rest] = words.split(' ');
  return [thirdPerson(verb), ...rest].join(' ');
}

function thirdPerson(verb: string): string {
  if (/[^aeiou]y$/u.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh|o)$/u.test(verb) ? `${verb}es` : `${verb}s`;
}
