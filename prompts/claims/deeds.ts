/** Deeds in a clause: tasks, vents, kills and other acts, without denied ones. */
import { isDenied } from './clauses.ts';
import { tellsKill } from './places.ts';

export const CLAIMED_ACTS = [
  'kill',
  'report',
  'button',
  'fix',
  'sabotage',
  'watch',
  'follow',
  'fake',
] as const;
export type ClaimedAct = (typeof CLAIMED_ACTS)[number];

const CHORE =
  '(?:tasks?|wires|wiring|scan|scans|card|swipe|asteroids|downloads?|uploads?|trash|garbage|chute|fuel|manifolds|simon says|calibration|calibrating|divert(?:ed)? power|align(?:ing)? engine|engine output|samples?|filter|course|steering|leaves|electrical|medscan|start reactor|data|console)';
const DOING =
  '(?:did|doing|done|do|finish|finished|finishing|complete|completed|completing|work(?:ed|ing)? on|working|focus(?:ed|ing)? on|started|starting|submitted|submitting|clearing|cleared|cleaning|cleaned|emptied|emptying|empty|charting|chart|fixing|fixed|unlocking|unlocked|aligning|aligned|uploading|uploaded|downloading|downloaded|swiped|swiping|swipe|drop off|waiting for|performing|performed|busy with|at|trying to finish|trying to get|been on|both on)';
const TASK = new RegExp(
  `\\b(?:${DOING} (?:[\\w'&]+ ){0,5}?${CHORE}\\b|scanned|scanning|swiped|swiping|downloading|uploading|fuel(?:l)?ing|aligning$|calibrating|shooting asteroids|tasks? (?:done|completed)|on wires|(?:after|with) my tasks|simon says)`,
  'g',
);
const NO_TASK =
  /\btasks? (?:to do|to complete|list|logs?|records?)\b|\bat (?:the )?time|fak(?:e|ed|ing)|\bfix(?:ed|ing)? (?:the )?(?:lights|reactor|oxygen)\b|\bpretend/;

export function tellsTask(text: string): boolean {
  for (const match of text.matchAll(TASK)) {
    if (!isDenied(text, match.index) && !NO_TASK.test(text)) return true;
  }
  return false;
}

const VENTING =
  /(?<!\b(?:the|a|of|any|an|for|about|by) )\b(?:vented|venting|vents?(?= (?:from|in|into|there|to|out|through|right|across|over)\b|$))|(?<!\bto )\b(?:us(?:ed|es|e|ing)|enter(?:ed|ing|s)?|(?:came|come|coming|pop(?:ped)?|climb(?:ed|ing)?|crawl(?:ed|ing)?|jump(?:ed|ing)?|drop(?:ped)?|got|get|go|went|going|hop(?:ped)?|exit(?:ed|ing)?|emerg(?:ed|ing)) ?(?:out of|in|into|from|through|thru|down)?|exit(?:ed|ing)?) (?:the |a |that )?vents?\b/;

export function tellsVent(text: string): boolean {
  const match = VENTING.exec(text);
  return match !== null && !isDenied(text, match.index);
}

const ACT_WORDS: Readonly<Record<Exclude<ClaimedAct, 'kill'>, RegExp>> = {
  report:
    /\b(?:(?:found|discovered|reported|report|reporting|find|finding|called in) (?:(?!#)[\w@&']+ ){0,4}?(?:body|bodies|corpse|dead)\b|(?:found|reported|report) it\b|(?:found|reported) @\w+(?: in| at|$)|found (?:two|three) bodies|self[- ]report|to report$|reported$)/,
  button:
    /\b(?:(?:called|call) (?:it\b|this\b|us\b|the (?:last )?(?:emergency )?meeting|an emergency|a meeting|the meeting|the emergency)|(?:called)(?: for a reason)?$|(?:hit|pressed|pushed|press|hitting) (?:the )?(?:emergency )?button|button was me)\b/,
  fix: /\b(?:fix(?:ed|ing)?|repair(?:ed|ing)?|helped with|help with|resolved?) (?:one side|the (?:lights|oxygen|reactor|comms)|lights|oxygen|(?:the )?#O2|(?:the )?#Reactor|(?:the )?#Communications)|\benter(?:ed|ing) the (?:\w+ )?code/,
  sabotage: /\bsabotag(?:ed|ing)\b|\bturned (?:off|out) the lights\b|\bclosed the doors\b/,
  watch:
    /\b(?:on (?:the )?(?:cams|cameras|vitals)|watch(?:ed|ing)? (?:the )?(?:cams|cameras|#Security|admin table|vitals|logs)|at the (?:#Admin|admin) table|check(?:ed|ing)? (?:the )?(?:cams|cameras|vitals|(?:#Admin|admin) table|door ?logs?|logs))\b/,
  follow:
    /\b(?:follow(?:ed|ing|s)?|chas(?:ed|ing)|stalk(?:ed|ing)|tail(?:ed|ing)|shadowed) (?:me|him|her|them|us|@\w+|you)\b/,
  fake: /\b(?:fak(?:ed|ing|e)|pretend(?:ed|ing)?)\b/,
};

export function findActs(text: string): readonly ClaimedAct[] {
  return CLAIMED_ACTS.filter((act) => {
    if (act === 'kill') return tellsKill(text);
    const match = ACT_WORDS[act].exec(text);
    return match !== null && !isDenied(text, match.index);
  });
}
