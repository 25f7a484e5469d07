/** What a message says to the other players: claims, read by `prompts/claims/`, and questions, denials and votes. */
import { findAccusingWord } from '../../../machines/rules/mentions.ts';
import {
  type Ballot,
  type Colour,
  type Place,
  SYSTEM,
  type Utterance,
} from '../../../machines/types.ts';
import { listenFor, type OtherClaim } from '../../../prompts/claims/claims.ts';
import { NEGATION } from '../../../prompts/claims/clauses.ts';
import { tellsVent } from '../../../prompts/claims/deeds.ts';
import { findGuilt } from '../../../prompts/claims/guilt.ts';
import { markMessage } from '../../../prompts/claims/marking.ts';
import { findNamed, type SpeechContext } from '../../../prompts/claims/people.ts';
import { tellsKill } from '../../../prompts/claims/places.ts';
import {
  type ClauseListener,
  type PlaceClaim,
  readMessage,
} from '../../../prompts/claims/reading.ts';

/** One thing that was said. `by` is the speaker, `line` the index in the transcript. */
export type TableClaim = { readonly by: Colour; readonly line: number } & SaidOf;

export type TableClaimOf<Type extends TableClaim['type']> = Extract<TableClaim, { type: Type }>;

type SaidOf =
  | { readonly type: 'whereabouts'; readonly place: Place; readonly ago: number | null }
  | {
      readonly type: 'sighting';
      readonly who: Colour;
      readonly place: Place;
      readonly ago: number | null;
      readonly manner: 'kindly' | 'idle' | 'plain';
    }
  /** `who` was last seen with `whom`, followed `whom`, or was at a body where `whom` is null. */
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
  | { readonly type: 'denial' };

const DENIAL =
  /\bi (?:did not|never|am not|was not|didn't|wasn't)\b|\bi'm not\b|\bwasn't me\b|\bnot me\b|\b(?:never|not) happen|\bi did nothing\b|\bnothing to hide\b|\bwrong about me\b/;
const VOTE = /\b(?:vot(?:e|es|ed|ing)|eject)\b/;
const SKIP = /\bskip(?:ping)?\b/;
const ASKING = /\b(?:where|what were you|account|route|path|explain|were you)\b/;
const EYES =
  /\bi(?:'ve)?(?: \w+){0,2} (?:saw|seen|watched|caught|spotted|passed|met|noticed)\b|in front of me|my own eyes/;
const MET = /\bi (?:\w+ )?(?:passed|met)\b/;
const THEY = /\b(?:they|them|their)\b/;
const VISUAL = /\b(?:visual|scan|scanning|scanned)\b/;
const ALIVE = /\blast (?:i )?saw\b|\balive\b/;
const BESIDE = /\b(?:with|beside|next to|behind)\b/;
const IDLE =
  /\b(?:standing|just stand|stand there|loiter|idle|waiting|wait in|prowl|skulk|hanging about|lurk|not working|doing nothing|hands empty|decorating)/;
const AFTER_ME =
  /\b(?:followed|behind|after|shadowed) me\b|\bi went, (?:they|@\w+) went\b|\bfollow me\b/;
const NO_TRUST = /n't (?:trust|believe|buy)\b/;
const NOT = /\b(?:not|never|no|nobody|neither|hardly)\b|n't\b/;
const WITNESS = /@\w+ (?:says?|said|saw|told|heard|found|swears|sounded)\b/;
const AT_BODY =
  /\b(?:over|beside|next to|near|leaving|away from) (?:the|a|that|@\w+ 's) (?:dead )?body\b/;

export function readClaims(utterance: Utterance, line: number): readonly TableClaim[] {
  const { speaker: by, target, message } = utterance;
  if (by === SYSTEM) return [];
  const claims = new Map<string, OtherClaim>();
  const acts = new Acts();
  const places = readMessage({ speaker: by, target, message }, hearActs(by, claims, acts));
  return combine(by, places, [...claims.values()], acts).map((said) => ({ ...said, by, line }));
}

class Acts {
  readonly all = new Map<string, SaidOf>();
  isIdle = false;
  isWitness = false;
  /** "I passed Red in Admin" tells Red's place, not the speaker's story. */
  isMeeting = false;

  add(act: SaidOf): void {
    this.all.set(keyOf(act), act);
  }

  has(act: SaidOf): boolean {
    return this.all.has(keyOf(act));
  }

  addCompany(who: Colour, whom: Colour | null): void {
    this.add({ type: 'company', who, whom, place: null, ago: null });
  }
}

function keyOf(act: SaidOf): string {
  return Object.values(act).join(' ');
}

function hearActs(by: Colour, claims: Map<string, OtherClaim>, acts: Acts): ClauseListener {
  const base = listenFor(by, claims);
  const others = (people: readonly Colour[]) => people.filter((who) => who !== by);
  return {
    ...base,
    hearQuestion: (sentence, context) => {
      const who = findAsked(sentence, context);
      if (who !== undefined && ASKING.test(sentence)) acts.add({ type: 'question', who });
      hearCharge(sentence, context, acts);
    },
    hearSentence: (sentence, context) => {
      base.hearSentence(sentence, context);
      hearCharge(sentence, context, acts);
      if (IDLE.test(sentence)) acts.isIdle = true;
      if (EYES.test(sentence)) acts.isWitness = true;
      if (MET.test(sentence)) acts.isMeeting = true;
      const [first, second] = new Set(others(findNamed(sentence)));
      const follower = AFTER_ME.test(sentence) ? (first ?? context.target) : null;
      if (follower !== null) acts.addCompany(follower, by);
      const worker = first ?? (THEY.test(sentence) ? context.last : null);
      if (worker !== null && VISUAL.test(sentence) && EYES.test(sentence) && !NOT.test(sentence))
        acts.add({ type: 'support', who: worker, visual: true });
      if (first && second && ALIVE.test(sentence) && BESIDE.test(sentence))
        acts.addCompany(second, first);
    },
    hearClause: (clause, next, context) => {
      const { text } = clause;
      if (DENIAL.test(text)) acts.add({ type: 'denial' });
      else if (VOTE.test(text) || SKIP.test(text)) {
        hearVote(text, context, acts);
        return;
      }
      base.hearClause(clause, next, context);
      if (findAccusingWord(text) === null || NEGATION.test(text)) return;
      const { accused, defended } = findGuilt(text, context);
      const who = accused.length + defended.length > 0 ? undefined : findMeant(text, by);
      if (who !== undefined) acts.add({ type: 'charge', who });
    },
    hearPredicate: (predicate, context) => {
      base.hearPredicate(predicate, context);
      const { people, done, text } = predicate;
      const deed = tellsKill(done) ? 'kill' : tellsVent(text) ? 'vent' : null;
      for (const who of others(people)) {
        if (deed !== null) acts.add({ type: 'deed', who, deed, place: null });
        if (AT_BODY.test(text)) acts.addCompany(who, null);
      }
    },
  };
}

function findAsked(sentence: string, { by, addressed, target }: SpeechContext): Colour | undefined {
  const named = findNamed(sentence).find((who) => who !== by);
  return /\byou(?:r|'re)?\b/.test(sentence) ? (target ?? addressed[0] ?? named) : named;
}

/** An accusing word, or distrust, in a sentence that names one player at most: it is about that player. */
function hearCharge(sentence: string, { by, target, last }: SpeechContext, acts: Acts): void {
  const isAccusing =
    NO_TRUST.test(sentence) || (findAccusingWord(sentence) !== null && !NOT.test(sentence));
  const named = new Set(findNamed(sentence));
  if (!isAccusing || named.size > 1 || named.has(by) || WITNESS.test(sentence)) return;
  const [who = target ?? last] = named;
  if (who !== null) acts.add({ type: 'charge', who });
}

function findMeant(text: string, by: Colour): Colour | undefined {
  const isOther = (who: Colour) => who !== by;
  const before = findNamed(text.slice(0, text.indexOf(findAccusingWord(text) ?? '')));
  return before.findLast(isOther) ?? findNamed(text).find(isOther);
}

function hearVote(text: string, context: SpeechContext, acts: Acts): void {
  if (NEGATION.test(text)) return;
  if (SKIP.test(text)) {
    acts.add({ type: 'push', who: 'skip' });
    return;
  }
  const isOther = (who: Colour) => who !== context.by;
  const named =
    findNamed(text.slice(text.search(VOTE))).find(isOther) ?? findNamed(text).find(isOther);
  const who = named ?? (THEY.test(text) ? context.last : null);
  if (who !== null) acts.add({ type: 'push', who });
}

function combine(
  by: Colour,
  places: readonly PlaceClaim[],
  claims: readonly OtherClaim[],
  acts: Acts,
): readonly SaidOf[] {
  const said = new Acts();
  const all = [...acts.all.values()];
  const supported = new Set([
    ...all.flatMap((act) => (act.type === 'support' ? [act.who] : [])),
    ...claims.flatMap(({ type, about }) => (type === 'defence' ? [about] : [])),
  ]);
  const seenToDo = new Set(
    all.flatMap((act) => (act.type === 'deed' && acts.isWitness ? [act.who] : [])),
  );
  const accuse = (who: Colour) => {
    if (!seenToDo.has(who)) said.add({ type: 'charge', who });
  };
  const own = acts.isMeeting ? [] : places.filter(({ about }) => about === by);
  // A player who tells two places comes from one of them: the story is the one with the time.
  const story = own.find(({ ago }) => ago !== null) ?? own[0];
  if (story !== undefined) said.add({ type: 'whereabouts', place: story.place, ago: story.ago });
  for (const { about: who, place, ago } of places) {
    if (who === by) continue;
    const manner = supported.has(who) ? 'kindly' : acts.isIdle ? 'idle' : 'plain';
    said.add({ type: 'sighting', who, place, ago, manner });
  }
  for (const act of all) {
    if (act.type === 'charge') accuse(act.who);
    else if (act.type === 'deed') {
      const place = places.findLast(({ about }) => about === act.who)?.place ?? null;
      if (acts.isWitness) said.add({ ...act, place });
      else accuse(act.who);
    } else if (act.type === 'company') {
      const stay = places.findLast(({ about }) => about === act.who || about === act.whom);
      said.add({ ...act, place: stay?.place ?? null, ago: stay?.ago ?? null });
    } else said.add(act);
  }
  for (const { type, about } of claims) {
    if (type === 'accusation') accuse(about);
    else if (type === 'defence' && about === by) said.add({ type: 'denial' });
    else if (type === 'defence' && !said.has({ type: 'support', who: about, visual: true }))
      said.add({ type: 'support', who: about, visual: false });
  }
  return [...said.all.values()];
}

/** A message without its facts: the turn of phrase. */
export function maskFacts(message: string): string {
  return markMessage(message)
    .replace(/@\w*(?: (?='s))?/g, '@')
    .replace(/(?:the )?#\w*/g, '#')
    .replace(/~\d+(?:\.\d+)?|doing a task|fixing the sabotage|watching the screens/g, '~');
}
