/**
 * Claims: what the lines of a transcript say, as far as simple patterns can tell, and what contradicts what.
 *
 * A line is read sentence by sentence: names, places, times, and a few turns of phrase. The reader understands no irony
 * and little grammar; what it does not understand is no claim, never a guess.
 */
import { findAccusingWord, findNames, splitSentences } from '../../../machines/rules/mentions.ts';
import {
  type Ballot,
  COLOURS,
  type Colour,
  type Place,
  SYSTEM,
  type Utterance,
} from '../../../machines/types.ts';
import { foldLines } from './lineFold.ts';
import { cannotBoth, SAME_TIME } from './memory.ts';
import { findPlaces, findStay, maskPlaces, readSeconds } from './wording.ts';

const DENIAL =
  /\bI (?:did not|never|am not|was not|didn['’]t|wasn['’]t)\b|\bI['’]m not\b|\bwasn['’]t me\b|\bnot me\b|\b(?:never|not) happen|\bI did nothing\b|\bnothing to hide\b|\bwrong about me\b/i;
const NO_TRUST = /n['’]t (?:trust|believe|buy)\b/i;
const VOTE = /\b(?:vot(?:e|es|ed|ing)|eject)\b/i;
const COMPANY = /\b(\w+) (?:was|were) (?:with|beside|next to) me\b/i;
const SEEN = /\b(?:saw|seen|watched|caught|spotted|passed|met|noticed) (\w+)/i;
/** The name comes after these words, not before. */
const AIMING = /\bI (?:\w+ )?(?:suspect|accuse)\b/i;
const THEY = /\b(?:they|them|their)\b/i;
const YOU = /\byou(?:r|['’]re)?\b/i;
const NAME = COLOURS.join('|');
/** What a witness does, before the name and after it. */
const WITNESS = new RegExp(
  `\\b(?:believe|trust|agree with|with what|thank you,|because of|according to) (${NAME})\\b` +
    `|\\b(${NAME}) (?:says?|said|saw|told|heard|found|met|puts?|sounded|sounds|convinced|swears|has a point|is right|is convincing)\\b`,
  'gi',
);

/** Whom a clause is about, and whom it accuses if it does. */
type ClaimAim = { readonly who: Colour | null; readonly culprit: Colour | null };

/** `subject` is who was named last before this clause. */
function findAim(
  text: string,
  by: Colour,
  target: Colour | null,
  subject: Colour | null,
): ClaimAim & { readonly subject: Colour | null } {
  const named = findNames(text).map(({ seat }) => seat);
  const others = named.filter((seat) => seat !== by);
  const who = findSeen(text, by) ?? others[0] ?? findMeant(text, target, subject);
  return {
    who: who === by ? null : who,
    culprit: others.length < 2 ? who : findCulprit(text, others, by),
    subject: others.at(-1) ?? subject,
  };
}

/** Whom a call for a vote is about: the first name after the word, or else whoever the clause is about. */
function findVote(text: string, by: Colour, who: Colour | null): Colour | null {
  const after = text.slice(text.search(VOTE));
  return findNames(after).find(({ seat }) => seat !== by)?.seat ?? who;
}

/** Whom the speaker saw or was with, by name; it need not be the first one named. */
function findSeen(text: string, by: Colour): Colour | null {
  const company = COMPANY.exec(text)?.[1];
  const seen = company ?? SEEN.exec(text)?.[1];
  const name = seen === undefined ? undefined : findNames(seen)[0]?.seat;
  return name === undefined || name === by ? null : name;
}

/** Whom a clause without names is about: "you" is who is addressed, "they" is who was named last. */
function findMeant(text: string, target: Colour | null, subject: Colour | null): Colour | null {
  if (YOU.test(text)) return target ?? subject;
  if (THEY.test(text)) return subject;
  return NO_TRUST.test(text) || (findAccusingWord(text) !== null && !DENIAL.test(text))
    ? (target ?? subject)
    : null;
}

/** Of several who are named: the one after "I suspect", or else the last before the accusing word; no witness. */
function findCulprit(text: string, named: readonly Colour[], by: Colour): Colour | null {
  const witnesses = new Set(findWitnesses(text));
  const suits = ({ seat }: { readonly seat: Colour }) => seat !== by && !witnesses.has(seat);
  const aimed = AIMING.exec(text);
  const aim = aimed === null ? [] : findNames(text.slice(aimed.index + aimed[0].length));
  const first = aim.find(suits);
  if (first !== undefined) return first.seat;
  const word = findAccusingWord(text);
  const before = word === null ? '' : text.slice(0, text.search(new RegExp(`\\b${word}\\b`, 'i')));
  return (
    findNames(before).findLast(suits)?.seat ??
    named.find((seat) => !witnesses.has(seat)) ??
    named[0] ??
    null
  );
}

function findWitnesses(text: string): readonly Colour[] {
  const found: Colour[] = [];
  for (const match of text.matchAll(WITNESS)) {
    const name = (match[1] ?? match[2] ?? '').toLowerCase();
    const seat = COLOURS.find((colour) => colour === name);
    if (seat !== undefined) found.push(seat);
  }
  return found;
}

/** How a sighting was told: in somebody's favour, as of somebody who stood about, or just so. */
type SightingTone = 'kindly' | 'idle' | 'plain';

/** One thing that was said. `by` is the speaker, `line` the place in the transcript. */
export type TableClaim = { readonly by: Colour; readonly line: number } & (
  | { readonly type: 'whereabouts'; readonly place: Place; readonly ago: number | null }
  | {
      readonly type: 'sighting';
      readonly who: Colour;
      readonly place: Place;
      readonly ago: number | null;
      readonly manner: SightingTone;
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

type ParsedPhrase = {
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
export function readClaims(utterance: Utterance, line: number): readonly TableClaim[] {
  const { speaker: by, target, message } = utterance;
  if (by === SYSTEM) return [];
  const said: TableClaim[] = [];
  let subject = target;
  for (const sentence of splitSentences(message)) {
    const isQuestion = sentence.trimEnd().endsWith('?');
    for (const text of sentence.split(CLAUSE)) {
      if (text.trim() === '') continue;
      const aim = findAim(text, by, target, subject);
      subject = aim.subject;
      // "Where were you when Red died?" asks the one it is said to, not Red.
      const who = isQuestion && target !== null && YOU.test(text) ? target : aim.who;
      const phrase = parsePhrase(text, { by, line, who, culprit: aim.culprit });
      said.push(...(isQuestion ? readQuestion(phrase) : readStatement(phrase)));
    }
  }
  return said.some(({ type }) => type === 'support') ? said.map(softenSightings(said)) : said;
}

/** Whoever is spoken for in a line is not placed at the scene by it. */
function softenSightings(said: readonly TableClaim[]): (item: TableClaim) => TableClaim {
  return (item) =>
    item.type === 'sighting' &&
    said.some((other) => other.type === 'support' && other.who === item.who)
      ? { ...item, manner: 'kindly' }
      : item;
}

function parsePhrase(
  text: string,
  from: Pick<ParsedPhrase, 'by' | 'line' | 'who' | 'culprit'>,
): ParsedPhrase {
  return {
    ...from,
    text,
    places: findPlaces(text),
    ago: readSeconds(text),
    seen: EYES.test(text),
    negated: NEGATION.test(text),
  };
}

function readQuestion({ text, by, line, who, negated }: ParsedPhrase): readonly TableClaim[] {
  if (who === null) return [];
  const said: TableClaim[] = [];
  if (ASKING.test(text)) said.push({ type: 'question', by, line, who });
  if (!negated && findAccusingWord(text) !== null) said.push({ type: 'charge', by, line, who });
  return said;
}

function readStatement(phrase: ParsedPhrase): readonly TableClaim[] {
  return [
    ...readPlaces(phrase),
    ...readCompany(phrase),
    ...(phrase.who === null ? readBallotTalk(phrase) : readJudgement(phrase, phrase.who)),
  ];
}

/** Where the speaker was and whom they saw where. */
function readPlaces({
  text,
  by,
  line,
  who,
  places,
  ago,
  seen,
  negated,
}: ParsedPhrase): readonly TableClaim[] {
  const said: TableClaim[] = [];
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return said;
  const self = SELF.exec(text);
  const eyes = EYES.exec(text);
  const together = eyes !== null && / me$/i.test(eyes[0]);
  if (seen && who !== null && !negated)
    said.push({ type: 'sighting', by, line, who, place: last, ago, manner: readTone(text) });
  const own =
    self !== null &&
    (!seen || together || (eyes !== null && self.index < eyes.index && places.length > 1));
  if (own && !negated)
    said.push({ type: 'whereabouts', by, line, place: findStay(text) ?? first, ago });
  return said;
}

function readTone(text: string): SightingTone {
  return IDLE.test(text) ? 'idle' : 'plain';
}

/** Whom the victim was with, who came after the speaker, and who was at the body. */
function readCompany({
  text,
  by,
  line,
  who,
  places,
  ago,
  seen,
  negated,
}: ParsedPhrase): readonly TableClaim[] {
  if (who === null || negated) return [];
  const place = places.at(-1) ?? null;
  if (AFTER_ME.test(text)) return [{ type: 'company', by, line, who, whom: by, place, ago }];
  if (!seen) return [];
  if (AT_BODY.test(text)) return [{ type: 'company', by, line, who, whom: null, place, ago }];
  if (!ALIVE.test(text)) return [];
  const match = WITH.exec(text);
  const name = findNames(match?.[1] ?? match?.[2] ?? '')[0]?.seat;
  return name === undefined || name === who || name === by
    ? []
    : [{ type: 'company', by, line, who: name, whom: who, place, ago }];
}

/** What the sentence makes of the one it is about. */
function readJudgement(phrase: ParsedPhrase, who: Colour): readonly TableClaim[] {
  const { text, by, line, places, seen, negated } = phrase;
  const hard = HARD.exec(text);
  const said: TableClaim[] = [...readBallotTalk(phrase)];
  const distrusted = NO_TRUST.test(text);
  if (seen && hard !== null && !negated) {
    const deed = hard[1] === undefined ? 'kill' : 'vent';
    said.push({ type: 'deed', by, line, who, deed, place: places.at(-1) ?? null });
  } else if (seen && VISUAL.test(text) && !negated) {
    said.push({ type: 'support', by, line, who, visual: true });
  } else if (distrusted || (!negated && findAccusingWord(text) !== null)) {
    said.push({ type: 'charge', by, line, who: phrase.culprit ?? who });
  } else if (!negated && SUPPORT.test(text)) {
    said.push({ type: 'support', by, line, who, visual: false });
  }
  return said;
}

/** Denials and calls for a vote. */
function readBallotTalk({ text, by, line, who, negated }: ParsedPhrase): readonly TableClaim[] {
  if (DENIAL.test(text)) return [{ type: 'denial', by, line }];
  const push = (whom: Ballot): readonly TableClaim[] => [{ type: 'push', by, line, who: whom }];
  if (negated || !VOTE.test(text))
    return /\bskip(?:ping)?\b/i.test(text) && !negated ? push('skip') : [];
  if (/\bskip\b/i.test(text)) return push('skip');
  const whom = findVote(text, by, who);
  return whom === null ? [] : push(whom);
}

/** `who` was in `place`, says `by`; it is a story when they are the same. */
type Whereabouts = {
  readonly by: Colour;
  readonly who: Colour;
  readonly place: Place;
  /** Seconds before the meeting. */
  readonly ago: number;
};

/** Where `by` says to have seen somebody. */
export type ToldSight = Pick<Whereabouts, 'by' | 'place' | 'ago'>;

/** A story and what a witness saw instead. */
type StoryConflict = { readonly story: Whereabouts; readonly seen: Whereabouts };

/** Who was where and when according to a claim; null when it names no place or no time. */
function findWhereabouts(item: TableClaim): Whereabouts | null {
  if ((item.type !== 'whereabouts' && item.type !== 'sighting') || item.ago === null) return null;
  const { by, place, ago } = item;
  return { by, who: item.type === 'sighting' ? item.who : by, place, ago };
}

/** Adds whereabouts to those told so far, and returns the new conflicts. A repetition adds none. */
function addWhereabouts(told: Whereabouts[], found: Whereabouts): readonly StoryConflict[] {
  const isRepeated = told.some((other) => isRepeat(other, found));
  const conflicts = isRepeated
    ? []
    : told.filter((other) => isConflict(other, found)).map((other) => pairConflict(other, found));
  told.push(found);
  return conflicts;
}

function isRepeat(one: Whereabouts, other: Whereabouts): boolean {
  return (
    one.by === other.by &&
    one.who === other.who &&
    one.place === other.place &&
    Math.abs(one.ago - other.ago) <= SAME_TIME
  );
}

function isConflict(one: Whereabouts, other: Whereabouts): boolean {
  return one.who === other.who && isStory(one) !== isStory(other) && cannotBoth(one, other);
}

function pairConflict(one: Whereabouts, other: Whereabouts): StoryConflict {
  return isStory(one) ? { story: one, seen: other } : { story: other, seen: one };
}

function isStory({ by, who }: Whereabouts): boolean {
  return by === who;
}

/**
 * All claims of a transcript, with who spoke when and in which words.
 *
 * They are the same for every player at the table, and a transcript only grows, so each line is counted once.
 */
export type TableClaims = {
  readonly lines: number;
  readonly all: readonly TableClaim[];
  /** How many lines said something of each kind. */
  readonly tally: ReadonlyMap<TableClaim['type'], number>;
  /** What each thing heard contradicts that was told before it. */
  readonly conflicts: ReadonlyMap<TableClaim, readonly StoryConflict[]>;
  /** Where others say they saw each player, and when, latest first. */
  readonly sights: ReadonlyMap<Colour, readonly ToldSight[]>;
  /** Who has told where they were, or bore witness to a deed. */
  readonly told: ReadonlySet<Colour>;
  /** Who has been asked where they were. */
  readonly asked: ReadonlySet<Colour>;
  /** What each player said, in order. */
  readonly words: ReadonlyMap<Colour, readonly string[]>;
  /** The claims of each player who spoke. */
  readonly own: ReadonlyMap<Colour, OwnClaims>;
  /** The line in which each player last spoke. */
  readonly lastLine: ReadonlyMap<Colour, number>;
  /** Turns of phrase used so far: messages without names, places and numbers. */
  readonly turns: ReadonlySet<string>;
  /** How often System said "wrap it up". */
  readonly nudges: number;
};

/** What one player has claimed. */
type OwnClaims = {
  readonly all: readonly TableClaim[];
  /** The kinds of what was said about each, as bits of `KIND_BITS`. */
  readonly kinds: ReadonlyMap<Ballot | null, number>;
  /** How many claims there were at the table after the player's last line. */
  readonly heard: number;
};

/** One bit for each kind of claim. */
const KIND_BITS: Readonly<Record<TableClaim['type'], number>> = {
  whereabouts: 1,
  sighting: 2,
  company: 4,
  deed: 8,
  charge: 16,
  support: 32,
  question: 64,
  push: 128,
  denial: 256,
};

/** Whether a player has claimed something of this kind about somebody. */
export function hasClaimed(
  { own }: TableClaims,
  by: Colour,
  type: TableClaim['type'],
  who: Colour,
): boolean {
  return ((own.get(by)?.kinds.get(who) ?? 0) & KIND_BITS[type]) !== 0;
}

type OwnDraft = {
  readonly all: TableClaim[];
  readonly kinds: Map<Ballot | null, number>;
  heard: number;
};

/** The claims of the lines so far. */
type ClaimsDraft = {
  lines: number;
  readonly all: TableClaim[];
  readonly tally: Map<TableClaim['type'], number>;
  readonly conflicts: Map<TableClaim, readonly StoryConflict[]>;
  readonly sights: Map<Colour, ToldSight[]>;
  readonly told: Set<Colour>;
  readonly asked: Set<Colour>;
  readonly words: Map<Colour, string[]>;
  readonly own: Map<Colour, OwnDraft>;
  readonly lastLine: Map<Colour, number>;
  readonly turns: Set<string>;
  nudges: number;
  readonly places: Whereabouts[];
};

function startClaims(): ClaimsDraft {
  return {
    lines: 0,
    all: [],
    tally: new Map(),
    conflicts: new Map(),
    sights: new Map(),
    told: new Set(),
    asked: new Set(),
    words: new Map(),
    own: new Map(),
    lastLine: new Map(),
    turns: new Set(),
    nudges: 0,
    places: [],
  };
}

function addLine(draft: ClaimsDraft, utterance: Utterance, line: number): void {
  const { speaker, message } = utterance;
  draft.lines += 1;
  if (speaker === SYSTEM) {
    draft.nudges += 1;
    return;
  }
  const parsed = parseLine(utterance, line);
  const own: OwnDraft = draft.own.get(speaker) ?? { all: [], kinds: new Map(), heard: 0 };
  for (const item of parsed.claims) {
    addClaim(draft, item);
    own.all.push(item);
    if ('who' in item) {
      own.kinds.set(item.who, (own.kinds.get(item.who) ?? 0) | KIND_BITS[item.type]);
    }
  }
  own.heard = draft.all.length;
  draft.own.set(speaker, own);
  draft.turns.add(parsed.turn);
  draft.lastLine.set(speaker, line);
  append(draft.words, speaker, message);
}

function addClaim(draft: ClaimsDraft, item: TableClaim): void {
  draft.all.push(item);
  draft.tally.set(item.type, (draft.tally.get(item.type) ?? 0) + 1);
  if (item.type === 'whereabouts' || item.type === 'deed') draft.told.add(item.by);
  if (item.type === 'question') draft.asked.add(item.who);
  const found = findWhereabouts(item);
  if (found === null) return;
  const added = addWhereabouts(draft.places, found);
  if (added.length > 0) draft.conflicts.set(item, added);
  if (found.by === found.who) return;
  const sights = append(draft.sights, found.who, found);
  sights.sort((one, other) => one.ago - other.ago);
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): V[] {
  const list = lists.get(key);
  if (list !== undefined) {
    list.push(value);
    return list;
  }
  const made = [value];
  lists.set(key, made);
  return made;
}

/** The claims of a transcript, which grow with it: they are for the answer of a moment. */
export const gatherClaims: (transcript: readonly Utterance[]) => TableClaims = foldLines(
  startClaims,
  addLine,
);

type ParsedLine = {
  readonly line: number;
  readonly claims: readonly TableClaim[];
  readonly turn: string;
};

/** For speed only: what a line says does not change. */
const parsedLines = new WeakMap<Utterance, ParsedLine>();

/** What a line says; `line` is its place in the transcript. */
export function getClaims(utterance: Utterance, line: number): readonly TableClaim[] {
  return parseLine(utterance, line).claims;
}

/** A message stripped of its facts. */
export function maskFacts(message: string): string {
  let bare = maskPlaces(message);
  for (const { word } of findNames(bare)) bare = bare.replace(word, '@');
  return bare.replace(
    /(?:(?:about|around|maybe|roughly) [\w -]+?|right|just) before the call|when the call came|when they called us|doing a task|fixing the sabotage|watching the screens/gi,
    '~',
  );
}

function parseLine(utterance: Utterance, line: number): ParsedLine {
  const known = parsedLines.get(utterance);
  if (known !== undefined && known.line === line) return known;
  const made =
    known === undefined
      ? { line, claims: readClaims(utterance, line), turn: maskFacts(utterance.message) }
      : { ...known, line, claims: known.claims.map((item) => ({ ...item, line })) };
  parsedLines.set(utterance, made);
  return made;
}
