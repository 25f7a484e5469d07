/** Resolves the names and pronouns of a clause with the context. */
import { COLOURS, type Colour, type Place } from '../../machines/types.ts';

/** What a reader remembers of a message while it goes on from clause to clause. */
export type SpeechContext = {
  readonly by: Colour;
  readonly target: Colour | null;
  /** Players addressed by name: "Green, you …". */
  addressed: readonly Colour[];
  /** Whom it named last, the speaker left out. */
  last: Colour | null;
  subject: readonly Colour[];
  /** Players seen in the previous clause. "saw Red enter Admin and kill Blue" continues with Red. */
  seen: readonly Colour[];
  /** The speaker's latest company: "we". */
  company: readonly Colour[];
  /** The place that was named last: "there". */
  place: string | null;
  /** Places and times in the previous clause of this sentence. */
  stays: readonly { readonly place: Place; readonly ago: number | null }[];
  reporter: Colour | 'unnamed' | null;
  /** Whether a condition reaches over the clause. */
  isSupposing: boolean;
};

function readColour(sign: string): Colour | null {
  return COLOURS.find((colour) => `@${colour}` === sign) ?? null;
}

export function findNamed(text: string): readonly Colour[] {
  return [...text.matchAll(/@\w+/g)].flatMap(([sign]) => readColour(sign) ?? []);
}

function resolve(word: string, context: SpeechContext): readonly Colour[] {
  const { by, target, addressed, last, subject, company } = context;
  switch (word) {
    case 'i':
    case 'me':
    case 'myself':
    case "i'm":
      return [by];
    case 'we':
    case 'us':
      return [...new Set([by, ...company, ...(subject.includes(by) ? subject : [])])];
    case 'you':
    case 'u':
      return addressed.length > 0 ? addressed : target === null ? [] : [target];
    case 'he':
    case 'she':
    case 'they':
    case 'him':
    case 'her':
    case 'them':
      return [last ?? target].flatMap((colour) => colour ?? []);
    default:
      return [readColour(word)].flatMap((colour) => colour ?? []);
  }
}

const WHO = '(?:@\\w+|i|me|myself|we|us|you|u|he|she|they|him|her|them)';
export const LIST = `${WHO}(?: & ${WHO})*`;

export function readPeople(list: string, context: SpeechContext): readonly Colour[] {
  return [...new Set(list.split(' & ').flatMap((word) => resolve(word.trim(), context)))];
}

const FILLERS =
  /^(?:(?:and|also|well|yes|yeah|yep|yea|ok|okay|right|true|correct|confirmed|actually|honestly|really|look|so|then|plus|oh|um|lol|bro|guys|dude|wait|oops|personally|first|now|finally|later|earlier|again|hey|same|exactly|no|wtf|thanks|fine|though|too|additionally|but|please remember|remember|because|that|both|hello|everyone|currently|sure|sorry|to be fair|for my part|it pains me|~[\d.]+)\b[,!]* *)+/;
const HEAD = new RegExp(`^(${LIST})(?:(?= |$|')|$)`);
/** Something of a player's, and not the player: "Red's story". */
const BELONGING =
  /^ 's (?:(?:dead|own|main|whole|latest|last|entire|suspicious|current|recent) )?(?:claims?|story|stories|alibi|word|words|statements?|account|version|point|points|observation|observations|accusations?|footage|path|timeline|actions?|behaviou?rs?|body|corpse|movements?|presence|death|murder|task|tasks|lack|whereabouts|turn|vote|suspicion|confirmation|testimony|position|question|killer|explanation|connection|status|response|credibility|evidence|report)\b/;
const MOVING = /^ 's (?:\w+ )?(?:movements?|presence)\b/;
const OTHER =
  /^(?:\d+|the|my|your|his|her|their|its|it|it's|its|there|this|these|those|someone|somebody|anyone|anybody|nobody|everyone|everybody|one|two|three|a|an|most|players?|multiple|several|what|whoever|neither|none|nothing|our|any|all|each|some|many|that's|thats|impostors?|crewmates?|people|body|admin|only impostors|yes on|who|self|let's|lets|vote|check)\b/;

export type ClauseHead = {
  readonly people: readonly Colour[];
  readonly rest: string;
  /** `belonging`: the subject is something of theirs. `other`: no player at all. */
  readonly kind: 'named' | 'belonging' | 'moving' | 'other' | 'none';
  readonly isBoth: boolean;
};

export function findHead(clause: string, context: SpeechContext): ClauseHead {
  const [fillers = ''] = FILLERS.exec(clause) ?? [];
  const isBoth = /\bboth\b/.test(clause);
  const text = clause.slice(fillers.length);
  const theirs = /^their (?:movements?|presence)\b/.exec(text);
  if (theirs !== null)
    return { people: readPeople('they', context), rest: text, kind: 'moving', isBoth };
  const head = HEAD.exec(text);
  if (head === null)
    return { people: [], rest: text, kind: OTHER.test(text) ? 'other' : 'none', isBoth };
  const list = head[1] ?? '';
  const people = readPeople(list, context);
  const rest = text.slice(list.length);
  const kind = MOVING.test(rest) ? 'moving' : BELONGING.test(rest) ? 'belonging' : 'named';
  return { people, rest: rest.trim(), kind, isBoth };
}
