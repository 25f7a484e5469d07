/**
 * Hearing: what a line of the transcript says, as far as simple patterns can tell, whoever said it.
 *
 * It reads sentence by sentence: names, rooms, times, and a few turns of phrase. It understands no irony and little
 * grammar; what it does not understand is nothing heard, never a guess.
 */
import { accusingWord, namings, sentences } from '../../../machines/rules/mentions.ts';
import {
  type Ballot,
  type Colour,
  type Room,
  SYSTEM,
  type Utterance,
} from '../../../machines/types.ts';
import { roomsIn, stayIn } from './rooms.ts';
import { heardSeconds } from './times.ts';

/** One thing that was said. `by` is the speaker, `line` the place in the transcript. */
export type Heard = { readonly by: Colour; readonly line: number } & (
  | { readonly type: 'whereabouts'; readonly place: Room; readonly ago: number | null }
  | {
      readonly type: 'sighting';
      readonly who: Colour;
      readonly place: Room;
      readonly ago: number | null;
    }
  | {
      readonly type: 'deed';
      readonly who: Colour;
      readonly deed: 'vent' | 'kill';
      readonly place: Room | null;
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
const DENIAL =
  /\bI (?:did not|never|am not|was not|didn['’]t|wasn['’]t)\b|\bI['’]m not\b|\bwasn['’]t me\b|\bnot me\b|\b(?:never|not) happen|\bI did nothing\b|\bnothing to hide\b|\bwrong about me\b/i;
const VOTE = /\b(?:vot(?:e|es|ed|ing)|eject)\b/i;
/** What is said before a colon or a "but" may be denied and the rest not. */
const CLAUSE = /:|,? \b(?=but\b|because\b|since\b)/;
const NO_TRUST = /n['’]t (?:trust|believe|buy)\b/i;
const COMPANY = /\b(\w+) (?:was|were) (?:with|beside|next to) me\b/i;
const SEEN = /\b(?:saw|seen|watched|caught|spotted|passed|met|noticed) (\w+)/i;
/** The name comes after these words, not before. */
const AIMING = /\bI (?:\w+ )?(?:suspect|accuse)\b/i;
const THEY = /\b(?:they|them|their)\b/i;
const YOU = /\byou(?:r|['’]re)?\b/i;

type Phrase = {
  readonly text: string;
  readonly by: Colour;
  readonly line: number;
  readonly who: Colour | null;
  /** Whom an accusing word of the clause is about: the name before it, or else the first one. */
  readonly culprit: Colour | null;
  readonly places: readonly Room[];
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
      const names = namings(text).filter(({ seat }) => seat !== by);
      const who = seenIn(text, by) ?? names[0]?.seat ?? meant(text, target, subject);
      subject = names.at(-1)?.seat ?? subject;
      const culprit = names.length < 2 ? who : nameBeforeCharge(text, by);
      const phrase = phraseOf(text, { by, line, who: who === by ? null : who, culprit });
      said.push(...(isQuestion ? asked(phrase) : stated(phrase)));
    }
  }
  return said;
}

/** Whom the speaker saw or was with, by name; it need not be the first one named. */
function seenIn(text: string, by: Colour): Colour | null {
  const company = COMPANY.exec(text)?.[1];
  const seen = company ?? SEEN.exec(text)?.[1];
  const name = seen === undefined ? undefined : namings(seen)[0]?.seat;
  return name === undefined || name === by ? null : name;
}

/** Whom a clause without names is about: "you" is who is addressed, "they" is who was named last. */
function meant(text: string, target: Colour | null, subject: Colour | null): Colour | null {
  if (YOU.test(text)) return target ?? subject;
  if (THEY.test(text)) return subject;
  return NO_TRUST.test(text) || (accusingWord(text) !== null && !DENIAL.test(text))
    ? (target ?? subject)
    : null;
}

function nameBeforeCharge(text: string, by: Colour): Colour | null {
  const aimed = AIMING.exec(text);
  const aim = aimed === null ? [] : namings(text.slice(aimed.index + aimed[0].length));
  if (aim[0] !== undefined) return aim[0].seat;
  const word = accusingWord(text);
  const before = word === null ? '' : text.slice(0, text.search(new RegExp(`\\b${word}\\b`, 'i')));
  const names = namings(before).filter(({ seat }) => seat !== by);
  return names.at(-1)?.seat ?? namings(text).find(({ seat }) => seat !== by)?.seat ?? null;
}

function phraseOf(text: string, from: Pick<Phrase, 'by' | 'line' | 'who' | 'culprit'>): Phrase {
  return {
    ...from,
    text,
    places: roomsIn(text),
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
    said.push({ type: 'sighting', by, line, who, place: last, ago });
  const own =
    self !== null &&
    (!seen || together || (eyes !== null && self.index < eyes.index && places.length > 1));
  if (own && !negated)
    said.push({ type: 'whereabouts', by, line, place: stayIn(text) ?? first, ago });
  return said;
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
  if (negated || !VOTE.test(text))
    return /\bskip(?:ping)?\b/i.test(text) && !negated
      ? [{ type: 'push', by, line, who: 'skip' }]
      : [];
  if (/\bskip\b/i.test(text)) return [{ type: 'push', by, line, who: 'skip' }];
  return who === null ? [] : [{ type: 'push', by, line, who }];
}
