/** Accused and defended players in a clause, the speaker's own denials included. */
import type { Colour } from '../../machines/types.ts';
import { NEGATION } from './clauses.ts';
import { findNamed, LIST, readPeople, type SpeechContext } from './people.ts';

/** Words between a player and a judgement: "Red is acting really sus". */
const FILL =
  "(?: (?:'s|'re|'m|is|was|are|were|be|been|being|seems?|sounds?|looks?|feels?|has|have|acts?|acted|acting|to|must|could only|appears?|gotta|definitely|prob|probably|def|clearly|obviously|likely|apparently|the|an|a|so|very|really|super|kinda|kind of|sort of|pretty|most|highly|too|quite|also|just|both|my|main|more|even|one|rather|bit|little|some|that|still|all|always|of|our|simply|trying|again|as|somewhat|extremely|certainly|totally|like|moving|moved|running))*";
const BAD =
  '(?:sus|suss|suspicious|suspiciously|shady|sketchy|weird|weirdly|odd|oddly|strange|strangely|lying|liar|liars|guilty|impostors?|imposters?|imps?|killers?|murderer|nervous|fishy|suspects?|making (?:\\w+ )?(?:stuff|it|that|things|this) up|made (?:that|it|this|the \\w+) up|hiding|deflecting|deflects|dodging|framing|to frame|bluffing|caught|exposed(?: \\w+self)?|covering|to cover|lied|lies|contradict(?:ed|s|ing)|out of place|evil|the one standing (?:over|next to|beside)|chang(?:ed|ing) (?:the|his|her|their) story|sabotaging our|working together(?= *$)|inconsistent|not to be trusted)\\b';
const CHARGED = new RegExp(`(?<![\\w@])(?<who>${LIST})(?:'s|'re|'m)?${FILL} ${BAD}`, 'g');
const FALSE =
  "(?:false|wrong|inconsistent|inconsisten\\w+|suspicious|unusual|weak|weakest|vague|shaky|a lie|nonsense|concerning|odd|strange|off|not true|made up|contradict\\w*|(?:doesn't|don't|does not|do not) (?:add up|match|make sense|hold)|uncorroborated|rais(?:es?|ing) (?:\\w+ )*questions|warrants?|bullshit|fake)";
const THEIRS = `(?:(?<who>@\\w+)(?: \\w+)? 's|\\b(?<their>their|your|his|her)) (?:[\\w&'#-]+ ){0,12}?`;
const STORY_WRONG = new RegExp(`${THEIRS}${FALSE}\\b`, 'g');
const BAD_TRAIT =
  /(?<!\b(?:any|no|other|seen) )\b(?:suspicious|strange|unusual|weird|odd|inconsistenc\w+|contradict\w+|lack)\b[\w' -]{0,40}? (?:from|by|of|in|against) (?<who>@\w+)/g;
const STORY_OF =
  /\b(?:weakest|worst|weak) (?:story|alibi) (?:is|comes) (?:that )?(?:of|from) (?<who>@\w+)/g;
const CHARGING =
  '(?:vot(?:e|es|ed|ing)(?: (?:out|off|for|against|on|to|go(?:es)?|ejecting|eject|must|again|only))*|eject(?:ing|ed)?|kick(?: out)?|suspect|suspected|suspecting|accuse|accusing|distrust|blame|look(?:ing)?(?: closely| closer)? (?:into|at)|investigate|scrutinize|question|focus(?: (?:on|our \\w+|the vote|solely|more|primarily))*(?: on)?|keep(?:ing)? (?:an|my|our) eyes? on|suspicious of|suspicions? (?:\\w+ )?(?:on|against|towards?|of|about)|doubt(?: that| if)?|prioriti[sz]ing|leaning towards?|consider|evidence against|case against|votes? (?:on|against|for)|self[- ]report from|suspecting|like|thinking)';
const CHARGE = new RegExp(`\\b${CHARGING} (?:that )?(?<who>${LIST})(?![\\w])`, 'g');
/** Verbs of `CHARGE` that say too little without more: "consider Red's movements", "I'm looking at Red". */
const WEAK = /^(?:consider|question|thinking|like|doubt|look|focus)/;
const IT_IS =
  /(?:\b(?:it's|its|it is|it was|it has to be|it must be|gotta be|has to be|must be|think it's|say it's|so|then|that leaves)|^) (?:definitely |prob |probably |def |clearly |either |all )?(?<who>@\w+)(?: then| next| for sure| actually)?$/g;
const IT_IS_NOT =
  /\b(?:(?:(?:it's|its|it is|it was|is|def|definitely|prob) )?not|(?:can't|couldn't|cannot|could not|isn't|wasn't|(?:don't|do not|didn't) think (?:it's|its|it is|it was))(?: be)?) (?<who>@\w+|him|her|them)(?= *$| tbh| either)/g;
const DISTRUST = new RegExp(
  `\\b(?:don't|do not|can't|cannot|never|didn't|wouldn't) (?:\\w+ )?(?:trust|believe|buy) (?<who>${LIST})(?! (?:did|killed|was|is|had|would))`,
  'g',
);
const OPENS_IT_IS = /^(?:so |then )?(?:it's|its|it is|it was|that leaves)/;
const NO_VICTIM = /\b(?:because|if|agree|disagree)\b/;

const GOOD =
  '(?:clear(?= *$| now| to me| of| for me| tho| imo)|cleared|innocent|safe|good|clean|crew|crewmate|telling the truth|honest|trustworthy|not (?:it|sus|suspicious|the (?:killer|impostor|imposter)|an? (?:impostor|imposter|imp)|imp|guilty|lying)|hard clear(?:ed)?|confirmed)\\b';
const CLEARED = new RegExp(`(?<![\\w@])(?<who>${LIST})(?:'s|'re|'m)?${FILL} ${GOOD}`, 'g');
const COULD_NOT = new RegExp(
  `(?<![\\w@])(?<who>${LIST})(?: also| really| definitely)? (?:(?:couldn't|can't|cannot|could not|could never) (?:have |be |possibly )*(?:been (?:involved|in)|done|killed|the|kill|it\\b|vent|him|murder)|(?:didn't|did not|never) (?:do (?:it|that|anything|this)|kill|killed|murder|vent|do nothing)|had nothing to do)`,
  'g',
);
const TRUSTING = new RegExp(
  `\\b(?:vouch(?:ed|es|ing)? for|trust|trusting|believe|believed|clear|clearing|hard clear on|defend(?:ing)?|vouching for) (?<who>${LIST})(?! (?:might|is|was|are|did|has|vented|killed|may|could|over there|'s)\\b)`,
  'g',
);
const NO_SUSPECT =
  /\b(?:don't|do not|never|not|no longer) (?:\w+ )?(?:suspect|accuse|accusing|suspecting|think) (?<who>@\w+)(?: (?:did|killed|vented|is|was|would)\b)?/g;
const NOT_ME =
  /\b(?:(?:it |its |it's |it is )?(?:wasn't|was not|isn't|not|ain't) me\b|my hands are clean|cleared me|i am innocent|i'm innocent)/;
const TRUSTED_ANSWER = /\btrust (?:that|this|the|your|their|his|her) (?:answer|word|story|alibi)\b/;
/** "Trust me" defends nobody: it is said of everything. */
const ONESELF = /\b(?:i|me|myself|we|us)\b/;

/** Beginnings of words without which nobody is accused or defended, and clauses like "its red then". */
const MAY_JUDGE =
  /sus|shad|sketch|weird|odd|strang|ly?ing\b|\bl(?:ie|iar)|guilty|imp|kill|murder|nervous|fishy|mak|made|hid|deflect|dodg|fram|bluff|caught|expos|cover|contradict|place|evil|standing|chang|working|inconsist|trust|vot|eject|kick|accus|blame|look|investig|scrutin|question|focus|eye|doubt|prior|lean|consider|evidence|case|report|like|think|believe|buy|clear|innocen|safe|good|clean|crew|truth|honest|\bnot\b|n't|confirm|vouch|defend|never|nothing to do|cannot|no longer|could only|sabotag/;
const MAY_NAME = /@\w+(?: \w+){0,2}$/;

export type Guilt = { readonly accused: readonly Colour[]; readonly defended: readonly Colour[] };

/** "One of Red and Blue is lying" accuses neither. */
const isEither = (text: string, index: number) =>
  /\b(?:one of|either|whether)(?: of)? $/.test(text.slice(0, index));
/** "Red is voting for Blue": Red votes. */
const isAnothers = (text: string, index: number) =>
  /@\w+(?: (?:is|was|'s|has|had|been|also))* $/.test(text.slice(0, index));
/** "Never trusted Blue, and Red is lying": a negation applies to the words right after it. */
const isJustDenied = (text: string, index: number) =>
  NEGATION.test(text.slice(Math.max(0, index - 28), index));

const NO_GUILT: Guilt = { accused: [], defended: [] };

export function findGuilt(text: string, context: SpeechContext): Guilt {
  if (!(MAY_JUDGE.test(text) || MAY_NAME.test(text))) return NO_GUILT;
  const accused = new Set<Colour>();
  const defended = new Set<Colour>();
  const { by } = context;
  /** Resolves a word at a place in the clause: "they" is the player named before it. */
  const people = (who: string | undefined, index = 0) => {
    if (who === undefined) return [];
    const before = findNamed(text.slice(0, index)).findLast((colour) => colour !== by);
    return readPeople(who, before === undefined ? context : { ...context, last: before });
  };
  const accuse = (who: string | undefined, index?: number) => {
    for (const colour of people(who, index)) if (colour !== by) accused.add(colour);
  };
  const clear = (who: string | undefined, index?: number) => {
    for (const colour of people(who, index)) defended.add(colour);
  };

  for (const { groups, index } of text.matchAll(COULD_NOT)) {
    if (!/\bthink$/.test(text.slice(0, index).trim())) clear(groups?.['who'], index);
  }
  for (const { groups, index, 0: found } of text.matchAll(CLEARED)) {
    if (!isJustDenied(text, index) && !/\bnot (?:clear|safe|innocent)/.test(found))
      clear(groups?.['who'], index);
  }
  for (const { groups, index } of text.matchAll(TRUSTING)) {
    if (!isJustDenied(text, index) && !ONESELF.test(groups?.['who'] ?? ''))
      clear(groups?.['who'], index);
  }
  for (const { groups, index } of text.matchAll(IT_IS_NOT)) clear(groups?.['who'], index);
  for (const { groups, index } of text.matchAll(NO_SUSPECT)) clear(groups?.['who'], index);
  if (NOT_ME.test(text)) defended.add(by);
  if (TRUSTED_ANSWER.test(text) && !NEGATION.test(text)) clear('they');
  for (const { groups, index } of text.matchAll(DISTRUST)) accuse(groups?.['who'], index);

  for (const { groups, index, 0: found } of text.matchAll(CHARGED)) {
    if (!isJustDenied(text, index) && !NEGATION.test(found) && !isEither(text, index))
      accuse(groups?.['who'], index);
  }
  for (const { groups, index, 0: found } of text.matchAll(CHARGE)) {
    const who = groups?.['who'];
    const isNamed = who?.startsWith('@') ?? false;
    if (isJustDenied(text, index) || (WEAK.test(found) && !isNamed) || isAnothers(text, index))
      continue;
    accuse(who, index);
  }
  // "It's Red", but not the "Red" of another sentence.
  const isClaim = !NO_VICTIM.test(text);
  for (const { groups, index } of text.matchAll(IT_IS)) {
    const opens = index === 0 && OPENS_IT_IS.test(text) && !NEGATION.test(text);
    const goesOn = index > 0 && isClaim && !isJustDenied(text, index + 3);
    if (opens || goesOn) accuse(groups?.['who'], index);
  }
  for (const colour of defended) accused.delete(colour);
  return { accused: [...accused], defended: [...defended] };
}

/** Words without which no story is called wrong. */
const MAY_DOUBT =
  /false|wrong|inconsist|suspicious|unusual|weak|vague|shaky|lie|nonsense|concern|odd|strange|weird|off|not true|made up|contradict|add up|match|make sense|hold|uncorrob|rais|warrant|bullshit|fake|lack|worst/;

/** Players whose story, behaviour or alibi the sentence calls wrong. The story may span several clauses. */
export function findDoubted(sentence: string, context: SpeechContext): readonly Colour[] {
  if (!MAY_DOUBT.test(sentence)) return [];
  return [STORY_WRONG, BAD_TRAIT, STORY_OF].flatMap((pattern) =>
    [...sentence.matchAll(pattern)].flatMap(({ groups, index }) => {
      const { who, their } = groups ?? {};
      const meant = who ?? (their === 'your' ? 'you' : their === undefined ? undefined : 'they');
      return meant === undefined || isJustDenied(sentence, index) ? [] : readPeople(meant, context);
    }),
  );
}
