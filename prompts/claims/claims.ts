/**
 * Claims that a player makes in a message, found by plain patterns that never guess. Only the speaker's own assertions
 * count: no reports, questions, denials, suppositions or plans. docs/deduction.md has the accuracy.
 */
import type { Colour } from '../../machines/types.ts';
import type { Clause } from './clauses.ts';
import { type ClaimedAct, findActs, tellsTask, tellsVent } from './deeds.ts';
import { findDoubted, findGuilt } from './guilt.ts';
import { findNamed, type SpeechContext } from './people.ts';
import {
  type ClauseListener,
  type PlaceClaim,
  readMessage,
  type SpokenMessage,
} from './reading.ts';

export const CLAIM_TYPES = [
  'place',
  'company',
  'task',
  'accusation',
  'defence',
  'vent',
  'act',
] as const;
export type ClaimType = (typeof CLAIM_TYPES)[number];

export type SpokenClaim =
  | PlaceClaim
  | { readonly type: 'company'; readonly by: Colour; readonly about: Colour; readonly with: Colour }
  | { readonly type: 'act'; readonly by: Colour; readonly about: Colour; readonly act: ClaimedAct }
  | {
      readonly type: 'task' | 'accusation' | 'defence' | 'vent';
      readonly by: Colour;
      readonly about: Colour;
    };
export type OtherClaim = Exclude<SpokenClaim, PlaceClaim>;

export function findClaims(message: SpokenMessage): readonly SpokenClaim[] {
  const claims = new Map<string, OtherClaim>();
  const places = readMessage(message, listenFor(message.speaker, claims));
  return [...places, ...claims.values()];
}

/** Whom a message accuses. A message that only addresses a player accuses nobody. */
export function findAccused(message: SpokenMessage): readonly Colour[] {
  return findClaims(message).flatMap(({ type, about }) =>
    type === 'accusation' && about !== message.speaker ? [about] : [],
  );
}

/** Suspicion of the behaviour just told: "which seems odd". */
const THIS_IS_BAD =
  /^(?:(?:this|that|it|which)(?:'s| is| seems| looks| was| sounds| feels)? (?:\w+ )*)(?:suspicious|sus|odd|weird|strange|fishy|shady|concerning|unusual)\b(?! (?:that|if|how|whether|to))/;
const SELF_CALLED = /\bbutton was me\b/;
const SELF_REPORT = /\bself[- ]report (?:from|by) (@\w+)/g;
/** Suppositions accuse nobody. */
const SUPPOSED_GUILT =
  /^(?:maybe|perhaps|might)\b|\b(?:might|may|could) (?:be|have)\b|\bwhether\b|\bif\b/;
/** Links to a clause with the suspicious fact: "it is odd that …". */
const GROUND = /^(?:that|if|how|when|why)$/;

/** Adds every claim of a message to `claims`, except places. */
export function listenFor(by: Colour, claims: Map<string, OtherClaim>): ClauseListener {
  const add = (claim: OtherClaim) => void claims.set(Object.values(claim).join(' '), claim);
  const accuse = (people: readonly Colour[]) => {
    for (const about of people) if (about !== by) add({ type: 'accusation', by, about });
  };
  const meet = (about: Colour, other: Colour) => {
    if (about === other) return;
    const [first, second] = about < other ? [about, other] : [other, about];
    add({ type: 'company', by, about: first, with: second });
  };
  const judge = ({ link, text }: Clause, next: string, context: SpeechContext) => {
    if (SUPPOSED_GUILT.test(text)) return;
    const { accused, defended } = findGuilt(text, context);
    accuse(accused);
    if (!GROUND.test(next) && THIS_IS_BAD.test(link === 'which' ? `which ${text}` : text))
      accuse(context.seen.length > 0 ? context.seen : context.subject);
    if (link === 'so' && /^@\w+$/.test(text)) accuse(findNamed(text));
    for (const about of defended) add({ type: 'defence', by, about });
  };
  return {
    hearSentence: (sentence, context) => accuse(findDoubted(sentence, context)),
    hearLie: (liar) => accuse([liar]),
    hearCompany: meet,
    hearClause: (clause, next, context) => {
      judge(clause, next, context);
      if (SELF_CALLED.test(clause.text)) add({ type: 'act', by, about: by, act: 'button' });
      for (const [, name = ''] of clause.text.matchAll(SELF_REPORT)) {
        for (const about of findNamed(name)) add({ type: 'act', by, about, act: 'report' });
      }
    },
    hearPredicate: ({ people, done, text, isBoth, hasPlace }) => {
      const isTask = tellsTask(text);
      if (/\btogether\b/.test(text) || (isBoth && (isTask || hasPlace))) {
        for (const one of people) for (const other of people) meet(one, other);
      }
      if (isTask) for (const about of people) add({ type: 'task', by, about });
      if (tellsVent(text)) {
        for (const about of people) add({ type: 'vent', by, about });
        accuse(people);
      }
      for (const act of findActs(done)) {
        for (const about of people) add({ type: 'act', by, about, act });
        if (act === 'kill' || act === 'fake') accuse(people);
      }
    },
  };
}
