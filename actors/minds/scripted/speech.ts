/** Puts acts and thoughts into the words of a temperament. A player says no sentence twice. */
import { capitalize, listWords } from '../../../machines/text.ts';
import type { Colour, Deed, Role, Temperament } from '../../../machines/types.ts';
import { remember } from '../remember.ts';
import { drawFraction, type MindChance, pick } from './chance.ts';
import { maskFacts, type TableClaim } from './hearing.ts';
import plain from './phrases/plain.json' with { type: 'json' };
import thoughts from './phrases/thoughts.json' with { type: 'json' };
import voices from './phrases/voices.json' with { type: 'json' };
import type { SuspicionReason } from './reasons.ts';
import type { ActType, SentenceFacts, SpeechAct, TalkSituation } from './situation.ts';
import type { TableClaims } from './tableClaims.ts';
import { namePlace, sayTime } from './wording.ts';

type Template = {
  readonly pieces: readonly string[];
  readonly slots: readonly string[];
  readonly begins: readonly boolean[];
  /** The turn of phrase; null where it depends on the facts. */
  readonly turn: string | null;
};

/** Lanes of chance, separate from the lanes of the talk rules. */
const LANE = { start: 40, plain: 41, about: 42, clause: 43, after: 45, tag: 46 } as const;
/** Slots whose words are more than a name, a place or a time. */
const TURNING: ReadonlySet<string> = new Set(['reason', 'others', 'deed']);
const NAMES = ['who', 'silent', 'by', 'friend', 'body'] as const;
const PLACES = ['place', 'empty', 'earlier', 'said'] as const;
/** Placeholders for facts in a turn of phrase, as in `maskFacts`. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((slot) => [slot, '@'] as const),
  ...PLACES.map((slot) => [slot, '#'] as const),
  ...['when', 'doing'].map((slot) => [slot, '~'] as const),
]);
/** An activity, after "I saw Red" and "I was". */
const DOING: Readonly<Partial<Record<Deed, string>>> = {
  task: 'doing a task',
  fixing: 'fixing the sabotage',
  watching: 'watching the screens',
};

const templates = new Map<string, Template>();

/** A template with its facts; null when one of them is missing. */
export function fillTemplate(
  source: string,
  facts: SentenceFacts,
  chance: MindChance,
): string | null {
  const { pieces, slots, begins } = parseTemplate(source);
  let text = pieces[0] ?? '';
  for (let index = 0; index < slots.length; index++) {
    const word = fillSlot(slots[index] ?? '', facts, chance);
    if (word === null) return null;
    text += (begins[index] === true ? capitalize(word) : word) + (pieces[index + 1] ?? '');
  }
  return capitalize(text);
}

export function maskTemplate(source: string): string | null {
  return parseTemplate(source).turn;
}

function parseTemplate(source: string): Template {
  return remember(templates, source, () => {
    const parts = source.split(/[{}]/);
    const slots = parts.filter((_, index) => index % 2 === 1);
    const pieces = parts.filter((_, index) => index % 2 === 0);
    const signs = parts.map((part, index) => (index % 2 === 0 ? part : (SIGNS.get(part) ?? part)));
    return {
      pieces,
      slots,
      begins: slots.map((_, index) => /(?:^|[.!?] )$/.test(pieces[index] ?? '')),
      turn: slots.some((slot) => TURNING.has(slot)) ? null : maskFacts(capitalize(signs.join(''))),
    };
  });
}

function fillSlot(slot: string, facts: SentenceFacts, chance: MindChance): string | null {
  const name = NAMES.find((one) => one === slot);
  const who = name === undefined ? null : facts[name];
  // Nobody speaks of themselves by name.
  if (who != null) return who === chance.colour ? 'me' : capitalize(who);
  const place = PLACES.find((one) => one === slot);
  if (place !== undefined) return facts[place] == null ? null : namePlace(facts[place]);
  const { ago, deed, did, reason } = facts;
  if (slot === 'when' && ago != null) return sayTime(ago, drawFraction(chance, LANE.about));
  if (slot === 'deed' && deed !== undefined) return deed === 'kill' ? 'make the kill' : 'vent';
  if (slot === 'doing' && did != null) return DOING[did] ?? null;
  if (slot === 'others') return listWords((facts.others ?? []).map(capitalize)) || null;
  return slot === 'reason' && reason != null ? sayReason(reason, facts, chance) : null;
}

/** Clauses that can follow "because" and "Red is suspicious:". "They" is the suspect. */
const CLAUSES: Readonly<Record<SuspicionReason['type'], readonly string[]>> = plain.reasons;

/** A reason as a clause that begins in lower case, unless it begins with "I" or a name. */
export function sayReason(
  reason: SuspicionReason,
  facts: SentenceFacts,
  chance: MindChance,
): string | null {
  const source = pick(chance, LANE.clause, CLAUSES[reason.type]) ?? '';
  const text = fillTemplate(source, { ...facts, ...reason }, chance);
  if (text === null) return null;
  const keeps = /^(?:I\b|\{)/.test(source) || /^I\b/.test(text);
  return keeps ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/** Sentences that any player could say, for each speech act. A test checks that the reader of claims understands them. */
export const PLAIN: Readonly<Record<ActType, readonly string[]>> = plain.acts;
export const VOICES: Readonly<
  Record<Temperament, Readonly<Partial<Record<ActType, readonly string[]>>>>
> = voices;

export type Speaker = {
  readonly temperament: Temperament;
  readonly chance: MindChance;
  readonly claims: TableClaims;
  readonly ownLines: readonly string[];
};

/** Longest message in characters. A reader takes it in at a glance. */
export const LONGEST = 200;
const PLAIN_FIRST = 0.3;

/** The sentence for an act, unused turns of phrase first; null when all fitting ones are used. */
export function say({ type, facts }: SpeechAct, speaker: Speaker): string | null {
  const own = VOICES[speaker.temperament][type] ?? [];
  const start = drawFraction(speaker.chance, LANE.start);
  const isPlainFirst = own.length === 0 || drawFraction(speaker.chance, LANE.plain) < PLAIN_FIRST;
  const [first, second] = isPlainFirst ? [PLAIN[type], own] : [own, PLAIN[type]];
  const find = (isFresh: boolean) =>
    findSentence(first, facts, speaker, { start, isFresh }) ??
    findSentence(second, facts, speaker, { start, isFresh });
  return find(true) ?? (type === 'quip' ? null : find(false));
}

function findSentence(
  list: readonly string[],
  facts: SentenceFacts,
  speaker: Speaker,
  { start, isFresh }: { readonly start: number; readonly isFresh: boolean },
): string | null {
  const { turns } = speaker.claims;
  for (const source of rotate(list, Math.floor(start * list.length))) {
    const { turn } = parseTemplate(source);
    // Most turns are known without the facts, and need no words once they were used.
    if (isFresh && turn !== null && turns.has(turn)) continue;
    const text = fillTemplate(source, facts, speaker.chance);
    if (text === null || text.length > LONGEST || speaker.ownLines.includes(text)) continue;
    if (!isFresh || turn !== null || !turns.has(maskFacts(text))) return text;
  }
  return null;
}

/*
 * A mind can't remember its thoughts, so the next phrase of a list is counted: by how often such an act occurred at the
 * table, and by seat where all players act at once. Words repeat only when a list is used up.
 */

export type ActThought = Pick<SpeechAct, 'facts'> & {
  readonly type: ActType | 'listen' | 'listenSuspect';
};

/** A player's relation to the subject: a traitor is an impostor who turns on a partner. */
type Part = Role | 'traitor';
type ThoughtPhrases = Readonly<Record<ActThought['type'], readonly string[]>>;

const IMPOSTOR_THOUGHTS: ThoughtPhrases = { ...thoughts.crewmate, ...thoughts.impostor };
const BETRAYAL: readonly string[] = thoughts.traitor;
const THOUGHTS: Readonly<Record<Part, ThoughtPhrases>> = {
  crewmate: thoughts.crewmate,
  impostor: IMPOSTOR_THOUGHTS,
  traitor: {
    ...IMPOSTOR_THOUGHTS,
    believe: BETRAYAL,
    push: BETRAYAL,
    hurry: BETRAYAL,
    ballot: BETRAYAL,
    locked: BETRAYAL,
    listenSuspect: BETRAYAL,
  },
};

const AFTERTHOUGHT_SHARE = 0.3;

/** Beside a vote a thought is taken from farther down the list: on the floor it may be the same act's turn. */
const ASIDE = 3;

/** The claims that are heard for acts. Other acts are counted by lines. */
const HEARD_AS: readonly (readonly [TableClaim['type'], readonly ActThought['type'][]])[] = [
  ['deed', ['deed', 'insist']],
  ['denial', ['denyDeed', 'denyPlace', 'admitPlace', 'denyPast', 'deny']],
  ['whereabouts', ['answer', 'alibi']],
  ['charge', ['clash', 'misplaced', 'falsehood', 'believe', 'doubt', 'push']],
  ['support', ['visual', 'vouch', 'pair']],
  ['sighting', ['near', 'close', 'sighting', 'passed', 'frame', 'followed', 'lastAlone']],
  ['company', ['lastSeen', 'atBody']],
  ['question', ['ask']],
];

/** The seat's position at the table. It makes players choose different words in the same tick. */
export function seatRank(seats: readonly { readonly colour: Colour }[], seat: Colour): number {
  return seats.findIndex(({ colour }) => colour === seat);
}

/** The thought of a tick. `vote` is the thought of a vote that this reply casts, and comes first. */
export function think(at: TalkSituation, musing: ActThought, vote: ActThought | null): string {
  const { view, rotation } = at;
  const isVote = musing.type === 'ballot' || musing.type === 'ballotSkip';
  if (vote !== null) {
    const choice = pickThought(at, vote, rotation + seatRank(view.table.seats, at.me));
    const isSame = isVote || musing.facts.who === vote.facts.who;
    return isSame ? choice : `${choice} ${pickThought(at, musing, countTurn(at, musing) + ASIDE)}`;
  }
  const after = drawFraction(at.chance, LANE.after) < AFTERTHOUGHT_SHARE;
  const tags = thoughts.afterthoughts[at.temperament];
  const tag = after ? pick(at.chance, LANE.tag, tags) : undefined;
  const text = pickThought(at, musing, countTurn(at, musing));
  return tag === undefined ? text : `${text} ${tag}`;
}

function countTurn(
  { rotation, claims }: Pick<TalkSituation, 'rotation' | 'claims'>,
  { type }: ActThought,
): number {
  const [kind] = HEARD_AS.find(([, acts]) => acts.includes(type)) ?? [];
  return rotation + (kind === undefined ? claims.lines : (claims.tally.get(kind) ?? 0));
}

function pickThought(at: TalkSituation, { type, facts }: ActThought, count: number): string {
  const { role, partners } = at.view.you;
  const part = facts.who != null && partners.includes(facts.who) ? 'traitor' : role;
  return fillFirst(rotate(THOUGHTS[part][type], count), facts, at.chance) ?? 'Listening.';
}

export function rotate<T>(list: readonly T[], by: number): readonly T[] {
  const from = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}

export function fillFirst(
  list: readonly string[],
  facts: SentenceFacts,
  chance: MindChance,
): string | null {
  for (const source of list) {
    const text = fillTemplate(source, facts, chance);
    if (text !== null) return text;
  }
  return null;
}
