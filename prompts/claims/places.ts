/** Finds the places and company of the players in a clause, from the text after the subject. */
import type { Place } from '../../machines/types.ts';
import { isDenied } from './clauses.ts';
import { placeOf } from './marking.ts';
import { LIST } from './people.ts';

/** Words in front of a place that put a player into it; "to" only after a word of motion. */
const INSIDE =
  /\b(?:in|at|inside|through|thru|from|into|within|via|out of|between|entered|enter|entering|left|leave|leaving|exit|exited|exiting|reached|visited|including|to)(?: (?:the|my|that|main))*$/;
const TOWARDS = /\bto(?: the)?$/;
/** A way that is not yet gone. */
const UNDERWAY =
  /\b(?:head|headed|heading|heads|way|going|gonna|plan|planned|planning|bound|next|path|need|back and forth|led|lead|close|closer|access|travel|proceed|towards?)\b[^#]*$/;
const OF_THE_DEAD =
  /\b(?:body|bodies|corpse|dead|die|died|dies|death|murder|killing|kill happened|incident|(?:found|reported) @\w+|happened|discovered)\b/;
const BESIDE_THE_DEAD =
  /\b(?:leaving|standing|over|next to|beside|near|by|away from|from) (?:over |next to |beside )?(?:the|a|that|@\w+ 's|his|her|their) (?:dead )?(?:body|corpse)\b/;

/** Removes bodies beside which a player stands: that player is alive. */
export function hideBodies(text: string): string {
  return text.replace(BESIDE_THE_DEAD, '');
}

const OF_A_VENT = /\b(?:the|a|that|any) vents? (?:in|at)(?: the)?$/;
const BARE = /^(?:was |were |is |yes |'s |been |both |in the |went )*$/;

/** The places of a predicate, in order. `isSeen` says that the players are watched: then "go to" is a way gone. */
export function findPlaces(text: string, { isSeen = false } = {}): readonly Place[] {
  const found: Place[] = [];
  let isListed = false;
  let from = 0;
  for (const match of text.matchAll(/#\w+/g)) {
    const between = text.slice(from, match.index).trimEnd();
    const before = text.slice(0, match.index).trimEnd();
    from = match.index + match[0].length;
    const place = placeOf(match[0]);
    const isNext: boolean = isListed && /^ ?&(?: the)?$/.test(between);
    isListed = isNext || stands(before, between, isSeen);
    if (isListed && place !== null && !isDenied(text, match.index)) found.push(place);
  }
  return found;
}

function stands(before: string, between: string, isSeen: boolean): boolean {
  if (OF_THE_DEAD.test(hideBodies(between))) return false;
  if (OF_A_VENT.test(before))
    return /\b(?:out of|using|used|enter|entered|exiting|into|on the vent)\b/.test(before);
  if (TOWARDS.test(before))
    return isSeen
      ? !/\b(?:heading|headed|head|towards?|way)\b[^#]*$/.test(between)
      : !UNDERWAY.test(between);
  return INSIDE.test(before) || BARE.test(`${before} `.trimStart());
}

/** Words before "with" that are no company: "agree with Red". */
const NO_COMPANY =
  /\b(?:agree|agreed|disagree|concur|start|begin|wrong|up|do|problem|issue|consistent|align|aligns|along|vote|go|fine|happen|happened|deal|side|help|met|convinced|started|consulted|trust|done|vouch|stick|starting|contradicts?)$/;
const WITH = new RegExp(
  `\\b(?:with|w|alongside|joined|joining)(?: both)? (${LIST})(?![\\w'])`,
  'g',
);

export function findCompanions(text: string): readonly string[] {
  return [...text.matchAll(WITH)].flatMap((match) => {
    const before = text.slice(0, match.index).trimEnd();
    return NO_COMPANY.test(before) || isDenied(text, match.index) ? [] : [match[1] ?? ''];
  });
}

/** A kill that is told, and neither denied nor suffered. */
const KILLING =
  /(?<!\b(?:the|a|this|was|were|been|being|got|by|of|about|not|for|another) )\b(?:kill(?:ed|s|ing)?|murder(?:ed|ing)?|stab(?:bed|bing)?|eliminat(?:ed|ing|e)|cut down) (?:(?!#)\S+ ){0,2}?(?:@\w+|him|her|them|someone|right|in|me|anyone|before|#|it)|(?<!\b(?:was|were|been|being|got|who) )\bkilled$|\bthe one who (?:did|killed)|\b(?:make|made|making) the kill\b/;

export function tellsKill(text: string): boolean {
  const match = KILLING.exec(text);
  return match !== null && !isDenied(text, match.index);
}
