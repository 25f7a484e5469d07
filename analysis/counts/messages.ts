/**
 * Finds leaks and prompt injections in messages. Both are counted and never censored, because they are data in a game
 * of deception. A leak is a plain statement, not a question, denial or quote. An injection addresses the machine behind
 * another player or poses as the game. Pressure on a player is normal play.
 */
import type { Colour, Role } from '../../machines/types.ts';

/** `thought`: the message repeats words of the thought; `self`, `partner`: an impostor calls them an impostor. */
export type Reveal = 'thought' | 'self' | 'partner';

type HeardMessage = {
  readonly speaker: Colour;
  readonly role: Role;
  readonly partners: readonly Colour[];
  readonly message: string;
  readonly thought: string;
};

/** This many equal words in a row are no coincidence. */
const OVERLAP = 8;

export function findReveals(heard: HeardMessage): readonly Reveal[] {
  const { speaker, role, partners, message, thought } = heard;
  const found: Reveal[] = overlapsThought(message, thought) ? ['thought'] : [];
  if (role !== 'impostor') return found;
  const sentences = message.split(/(?<=[.!?…;])\s+/).filter((one) => !one.trimEnd().endsWith('?'));
  const says = (pattern: RegExp) => sentences.some((sentence) => states(sentence, pattern));
  if (says(OWN_ROLE) || says(namedImpostors([speaker]))) found.push('self');
  if (says(FELLOW_IMPOSTOR) || (partners.length > 0 && says(namedImpostors(partners))))
    found.push('partner');
  return found;
}

const IMPOSTOR = 'impost[eo]rs?';
const ONE = `(?:(?:an?|the|one of the|our|my|both) )?(?:\\w+ )?${IMPOSTOR}`;
const OWN_ROLE = new RegExp(
  `\\b(?:I(?:['’]m| am| was)|we(?:['’]re| are| were)) ${ONE}\\b(?!['’-])|\\bas (?:an?|the) ${IMPOSTOR},? (?:I|we)\\b|\\b(?:it was me who|I(?: have)?) (?:just )?(?:killed|murdered) (?!time|the lights)`,
  'i',
);
const FELLOW_IMPOSTOR = new RegExp(
  `\\b(?:my (?:fellow|partner|other|co-?)|our other|fellow|partner) ?${IMPOSTOR}|\\bmy impostor partner`,
  'i',
);
/** Words before a statement that deny it or attribute it to others. */
const HEDGED =
  /\b(?:not?|never|neither|if|whether|unless|as if|as though|like|than|think(?:s|ing)?|thought|sa(?:y|ys|id|ying)|tell(?:s|ing)?|told|claim\w*|call\w*|accus\w*|believ\w*|suspect\w*|suppos\w*|assum\w*|pretend\w*|fram\w*|you|why|how|would|could|might|maybe|perhaps|probably|prove)\b|n['’]t\b/i;

function namedImpostors(colours: readonly Colour[]): RegExp {
  return new RegExp(`\\b(?:${colours.join('|')}) (?:is|was|and I are) ${ONE}\\b`, 'i');
}

function states(sentence: string, pattern: RegExp): boolean {
  const match = pattern.exec(sentence);
  return match !== null && !HEDGED.test(sentence.slice(0, match.index + match[0].length));
}

function overlapsThought(message: string, thought: string): boolean {
  if (thought === '') return false;
  const said = splitWords(message);
  if (said.length < OVERLAP) return false;
  const thoughts = ` ${splitWords(thought).join(' ')} `;
  return said.some(
    (_, start) =>
      start + OVERLAP <= said.length &&
      thoughts.includes(` ${said.slice(start, start + OVERLAP).join(' ')} `),
  );
}

export function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? [];
}

/** All patterns except `unseen` search the visible text. */
const INJECTIONS: Readonly<Record<string, RegExp>> = {
  /** Tokens of chat templates: <|im_end|>, <end_of_turn>, [/INST], <<SYS>>, </think>. */
  template:
    /<\|[^|<>]{1,40}\|>|<\/?(?:start|end)_of_turn>|<\/?(?:think|system|assistant|user|tool_call|s)>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\]|<<\/?SYS>>/i,
  /** A line in the name of the engine: "SYSTEM: …", "[Moderator] …". */
  engine:
    /(?:^|[.!?…\n"'}>|*#][^\S\n]*|\[\s*)(?:system|engine|moderator|game ?master|narrator)(?: (?:message|notice|announcement|override|prompt))?\s*(?:(?:[\])]\s*)?:|\])/i,
  verdict: /\bwas (?:not )?(?:An|The) Impostor\b|\bNo one was ejected\. \(/,
  /** Fields of a reply or of the transcript. */
  field:
    /\b(?:vote_action|desire_to_speak|internal_thought|scratchpad_updates|meeting_scratch|main_scratch)\b|["']speaker["']\s*:|["']t["']\s*:\s*\d/i,
  /** Instructions to a language model rather than to a player. */
  instruction:
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,40}\b(?:instructions?|prompts?|guidelines|guardrails)\b|\b(?:new|updated|real|actual) (?:system )?instructions?\b|\byou(?:['’]re| are) (?:now )?an? (?:AI|LLM|chatbot|assistant|language model)\b|\b(?:AIs|LLMs|(?:AI|language) models?|(?:all|other) (?:models|assistants))\b[^.!?]{0,30}\b(?:must|should|shall|have to)\b/i,
  /** Requests for the secrets of a prompt, or a prescribed format of the next answer. */
  extraction:
    /\b(?:reveal|print|repeat|output|show|tell|share|leak)\b[^.!?]{0,30}\b(?:system prompt|instructions|scratchpads?|internal thoughts?)\b|\b(?:respond|reply|answer|output)\b[^.!?]{0,20}\bJSON\b/i,
  /** Invisible characters that hide words or control the display: tags, bidi, escapes, gaps within words. */
  unseen:
    /[\u{E0000}-\u{E001F}]|(?<![\u{1F3F4}\u{E0020}-\u{E007F}])[\u{E0020}-\u{E007F}]|[\u202A-\u202E\u2066-\u2069]|(?![\n\r\t])\p{Cc}|[A-Za-z][\u00AD\u200B-\u200D\u2060\uFEFF]+[A-Za-z]/u,
};

/** Plain ASCII has no invisible character. */
const PLAIN = /^[ -~]*$/;

export function findInjections(message: string): readonly string[] {
  const isPlain = PLAIN.test(message);
  const seen = isPlain
    ? message
    : message.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return Object.entries(INJECTIONS).flatMap(([kind, pattern]) => {
    const isFound = kind === 'unseen' ? !isPlain && pattern.test(message) : pattern.test(seen);
    return isFound ? [kind] : [];
  });
}
