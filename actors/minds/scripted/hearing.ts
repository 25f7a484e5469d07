/**
 * Hearing: what a line of the transcript says, as far as simple patterns can tell, whoever said it.
 *
 * It reads sentence by sentence: names, places, times, and a few turns of phrase. It understands no irony and little
 * grammar; what it does not understand is nothing heard, never a guess.
 */
import { accusingWord, namings, sentences } from '../../../machines/rules/mentions.ts';
import {
  type Ballot,
  type Colour,
  type Place,
  SYSTEM,
  type Utterance,
} from '../../../machines/types.ts';
import { aimOf, DENIAL, NO_TRUST, VOTE, votedIn } from './aiming.ts';
import { placesIn, stayIn } from './places.ts';
import { heardSeconds } from './times.ts';

/** How a sighting was told: in somebody's favour, as of somebody who stood about, or just so. */
type Manner = 'kindly' | 'idle' | 'plain';

/** One thing that was said. `by` is the speaker, `line` the place in the transcript. */
export type Heard = { readonly by: Colour; readonly line: number } & (
  | { readonly type: 'whereabouts'; readonly place: Place; readonly ago: number | null }
  | {
      readonly type: 'sighting';
      readonly who: Colour;
      readonly place: Place;
      readonly ago: number | null;
      readonly manner: Manner;
    }
  /** `who` was with `whom` at the last sight of them, came after `whom`, or was beside a body where it is null. */
  | {
      readonly type: 'company';
      readonly who: Colour;
      readonly whom: Colour | null;
      readonly place: Place | null;
      readonly ago: number | null;
    }
  | {
      readonly type: 'deed';
      readonly who: Colour;
      readonly deed: 'vent' | 'kill';
      readonly place: Place | null;
    }
  | { readonly type: 'charge'; readonly who: Colour }
  | { readonly type: 'support'; readonly who: Colour; readonly visual: boolean }
  | { readonly type: 'question'; readonly who: Colour }
  | { readonly type: 'push'; readonly who: Ballot }
  | { readonly type: 'denial' }
);

const EYES =
  /\bI(?:['’]ve)?(?: \w+){0,2} (?:saw|seen|watched|caught|spotted|passed|met|noticed)\b|in front of me|my own eyes|\b(?:with|beside|next to) me\b/i;
const HARD =
  /\b(?:(vent(?:s|ed|ing)?)|kill(?:s|ed|ing)?|stab(?:s|bed|bing)?|murder(?:s|ed|ing)?)\b/i;
const NEGATION = /\b(?:not|never|no|nobody|neither|hardly)\b|n['’]t\b/i;
const ASKING = /\b(?:where|what were you|account|route|path|explain|were you)\b/i;
const SUPPORT = /\b(?:vouch|clear|cleared|clears|trust|innocent|safe|believe|back|covered)\b/i;
const VISUAL = /\b(?:visual|scan|scanning|scanned)\b/i;
const SELF =
  /\bI(?:['’](?:m|ve|d))?(?: \w+)? (?:was|were|been|did|had|spent|came|stayed|started|finished|stood|worked|left|in|at)\b|\bI['’]m in\b|\bme in\b|\bmy (?:spot|place|alibi|path|room)\b/i;
/** What is said before a colon or a "but" may be denied and the rest not. */
const CLAUSE = /:|,? \b(?=but\b|because\b|since\b)/;
/** The last that was seen of somebody. */
const ALIVE = /\blast (?:I )?saw\b|\balive\b/i;
const WITH = /\bwith (\w+)|\b(\w+) was (?:with|beside|next to|right beside|right behind) them\b/i;
/** Somebody who was in a place without any work. */
const IDLE =
  /\b(?:standing|just stand|stand there|loiter|idle|waiting|wait in|prowl|skulk|hanging about|lurk|not working|doing nothing|hands empty|decorating)/i;
/** Somebody who came after the speaker. */
const AFTER_ME =
  /\b(?:followed|behind|after|shadowed) me\b|\bI went, (?:they|\w+) went\b|\bfollow me\b/i;
/** Somebody at a body, or on the way from it. */
const AT_BODY =
  /\b(?:over|beside|next to|near|leaving|away from) (?:the|a|that|\w+['’]s?) (?:dead )?body\b/i;

type Phrase = {
  readonly text: string;
  readonly by: Colour;
  readonly line: number;
  readonly who: Colour | null;
  /** Whom an accusing word of the clause is about. */
  readonly culprit: Colour | null;
  readonly places: readonly Place[];
  readonly ago: number | null;
  readonly seen: boolean;
  readonly negated: boolean;
};

/** Everything that a line says. The nudge of System says nothing about anybody. */
export function heard(utterance: Utterance, line: number): readonly Heard[] {
  const { speaker: by, target, message } = utterance;
  if (by === SYSTEM) return [];
  const said: Heard[] = [];
  let subject = target;
  for (const sentence of sentences(message)) {
    const isQuestion = sentence.trimEnd().endsWith('?');
    for (const text of sentence.split(CLAUSE)) {
      if (text.trim() === '') continue;
      const aim = aimOf(text, by, target, subject);
      subject = aim.subject;
      const phrase = phraseOf(text, { by, line, who: aim.who, culprit: aim.culprit });
      said.push(...(isQuestion ? asked(phrase) : stated(phrase)));
    }
  }
  return said.some(({ type }) => type === 'support') ? said.map(kindlier(said)) : said;
}

/** Whoever is spoken for in a line is not placed at the scene by it. */
function kindlier(said: readonly Heard[]): (item: Heard) => Heard {
  return (item) =>
    item.type === 'sighting' &&
    said.some((other) => other.type === 'support' && other.who === item.who)
      ? { ...item, manner: 'kindly' }
      : item;
}

function phraseOf(text: string, from: Pick<Phrase, 'by' | 'line' | 'who' | 'culprit'>): Phrase {
  return {
    ...from,
    text,
    places: placesIn(text),
    ago: heardSeconds(text),
    seen: EYES.test(text),
    negated: NEGATION.test(text),
  };
}

function asked({ text, by, line, who, negated }: Phrase): readonly Heard[] {
  if (who === null) return [];
  const said: Heard[] = [];
  if (ASKING.test(text)) said.push({ type: 'question', by, line, who });
  if (!negated && accusingWord(text) !== null) said.push({ type: 'charge', by, line, who });
  return said;
}

function stated(phrase: Phrase): readonly Heard[] {
  return [
    ...placed(phrase),
    ...joined(phrase),
    ...(phrase.who === null ? ballotTalk(phrase) : judged(phrase, phrase.who)),
  ];
}

/** Where the speaker was and whom they saw where. */
function placed({ text, by, line, who, places, ago, seen, negated }: Phrase): readonly Heard[] {
  const said: Heard[] = [];
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return said;
  const self = SELF.exec(text);
  const eyes = EYES.exec(text);
  const together = eyes !== null && / me$/i.test(eyes[0]);
  if (seen && who !== null && !negated)
    said.push({ type: 'sighting', by, line, who, place: last, ago, manner: mannerOf(text) });
  const own =
    self !== null &&
    (!seen || together || (eyes !== null && self.index < eyes.index && places.length > 1));
  if (own && !negated)
    said.push({ type: 'whereabouts', by, line, place: stayIn(text) ?? first, ago });
  return said;
}

function mannerOf(text: string): Manner {
  return IDLE.test(text) ? 'idle' : 'plain';
}

/** Whom the victim was with, who came after the speaker, and who was at the body. */
function joined({ text, by, line, who, places, ago, seen, negated }: Phrase): readonly Heard[] {
  if (who === null || negated) return [];
  const place = places.at(-1) ?? null;
  if (AFTER_ME.test(text)) return [{ type: 'company', by, line, who, whom: by, place, ago }];
  if (!seen) return [];
  if (AT_BODY.test(text)) return [{ type: 'company', by, line, who, whom: null, place, ago }];
  if (!ALIVE.test(text)) return [];
  const match = WITH.exec(text);
  const name = namings(match?.[1] ?? match?.[2] ?? '')[0]?.seat;
  return name === undefined || name === who || name === by
    ? []
    : [{ type: 'company', by, line, who: name, whom: who, place, ago }];
}

/** What the sentence makes of the one it is about. */
function judged(phrase: Phrase, who: Colour): readonly Heard[] {
  const { text, by, line, places, seen, negated } = phrase;
  const hard = HARD.exec(text);
  const said: Heard[] = [...ballotTalk(phrase)];
  const distrusted = NO_TRUST.test(text);
  if (seen && hard !== null && !negated) {
    const deed = hard[1] === undefined ? 'kill' : 'vent';
    said.push({ type: 'deed', by, line, who, deed, place: places.at(-1) ?? null });
  } else if (seen && VISUAL.test(text) && !negated) {
    said.push({ type: 'support', by, line, who, visual: true });
  } else if (distrusted || (!negated && accusingWord(text) !== null)) {
    said.push({ type: 'charge', by, line, who: phrase.culprit ?? who });
  } else if (!negated && SUPPORT.test(text)) {
    said.push({ type: 'support', by, line, who, visual: false });
  }
  return said;
}

/** Denials and calls for a vote. */
function ballotTalk({ text, by, line, who, negated }: Phrase): readonly Heard[] {
  if (DENIAL.test(text)) return [{ type: 'denial', by, line }];
  const push = (whom: Ballot): readonly Heard[] => [{ type: 'push', by, line, who: whom }];
  if (negated || !VOTE.test(text))
    return /\bskip(?:ping)?\b/i.test(text) && !negated ? push('skip') : [];
  if (/\bskip\b/i.test(text)) return push('skip');
  const whom = votedIn(text, by, who);
  return whom === null ? [] : push(whom);
}
