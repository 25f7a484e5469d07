/** One player's situation in one tick, gathered once for all rules of talk, and the proposed speech acts. */
import { type LivingView, livingOthers } from '../../../machines/rules/views.ts';
import type { Colour, Deed, Place, Temperament } from '../../../machines/types.ts';
import { fitMemory, prepareAlibi } from './alibi.ts';
import { drawFraction, drawRotation, type MindChance } from './chance.ts';
import { estimateDeath } from './death.ts';
import type { TableClaim } from './hearing.ts';
import { reason } from './knowledge.ts';
import { keepLast } from './lineFold.ts';
import {
  listEjectionVotes,
  type PlayerMemory,
  pickHighlights,
  readPast,
  recall,
} from './memory.ts';
import { type MeetingScene, weighSightings } from './ownEyes.ts';
import plain from './phrases/plain.json' with { type: 'json' };
import type { SuspicionReason } from './reasons.ts';
import { createJudge, type Suspicion } from './suspicion.ts';
import { gatherClaims, type TableClaims } from './tableClaims.ts';
import type { TableTraits } from './traits.ts';

export type MeetingGrounds = Readonly<ReturnType<typeof prepareGrounds>>;

export type TalkSituation = MeetingGrounds & {
  readonly view: LivingView;
  readonly me: Colour;
  readonly temperament: Temperament;
  readonly traits: TableTraits;
  readonly chance: MindChance;
  readonly claims: TableClaims;
  /** Seconds before the call when the victim died. */
  readonly window: number;
  readonly rivals: readonly Colour[];
  /** The other living players, most suspected first. */
  readonly suspects: readonly Suspicion[];
  /** The player's own claims, and the claims since their last line. */
  readonly ownClaims: readonly TableClaim[];
  readonly newClaims: readonly TableClaim[];
  readonly ownLines: readonly string[];
};

/** Hunches have their own lanes, one for each colour, above the lanes of talk. A liking is the finer half. */
const HUNCH_LANE = 104;
const HALF = 2 ** 16;

export function prepareGrounds(view: LivingView, chance: MindChance) {
  const { you, table } = view;
  const { role, partners } = you;
  const { call } = table;
  const full = recall(you.colour, you.brief);
  // Everybody who is not dead: a player who has left still counts as a witness.
  const living = new Set(
    table.seats.filter(({ standing }) => standing !== 'dead').map(({ colour }) => colour),
  );
  const scene = { role, call, partners, living };
  const story = prepareAlibi(full, scene, chance);
  const known = role === 'impostor' ? fitMemory(full, story, scene) : full;
  const spot = {
    body: call.body === null ? null : call.place,
    victim: call.body ?? findMissing(view, full),
    finder: call.body === null ? null : call.by,
  };
  const feelings = table.seats
    .filter(({ colour }) => colour !== you.colour)
    .map(({ colour }, index) => [colour, drawFraction(chance, HUNCH_LANE + index)] as const);
  const settled: MeetingScene = { known, highlights: pickHighlights(known, spot), ...spot };
  return {
    ...settled,
    alibi: story,
    ...reason(view),
    past: readPast(you.pads.main),
    votes: listEjectionVotes(table.record),
    hunches: new Map(feelings),
    likings: new Map(feelings.map(([colour, share]) => [colour, (share * HALF) % 1])),
    /** Where this meeting begins in the lists of thoughts. */
    rotation: drawRotation(chance),
    settledChance: chance,
    recollect: keepLast((window: number) => weighSightings(settled, window)),
    judgeRivals: createJudge(),
  };
}

function findMissing({ table }: LivingView, { byWho }: PlayerMemory): Colour | null {
  const missing = table.seats.find(
    ({ colour, standing }) => standing === 'dead' && byWho.has(colour),
  );
  return missing?.colour ?? null;
}

export function assessSituation(
  view: LivingView,
  settled: MeetingGrounds,
  { temperament, traits, chance }: Pick<TalkSituation, 'temperament' | 'traits' | 'chance'>,
): TalkSituation {
  const { you, table } = view;
  const { colour: me, role, partners } = you;
  const claims = gatherClaims(table.transcript);
  const rivals = livingOthers(view);
  const { victim } = settled;
  const window = estimateDeath(settled.body, [
    settled.highlights.last?.seen ?? null,
    victim === null ? null : (claims.sights.get(victim)?.[0] ?? null),
  ]);
  const recollected = settled.recollect(window);
  const told = table.announced;
  const judge = { mindset: settled, role, partners, traits, rivals, window, recollected, told };
  const own = claims.own.get(me);
  return {
    ...settled,
    temperament,
    traits,
    chance,
    view,
    me,
    claims,
    window,
    rivals,
    suspects: settled.judgeRivals(judge, claims),
    ownClaims: own?.all ?? [],
    // After a player's last line all that is said is said by others.
    newClaims: own === undefined ? claims.all : claims.all.slice(own.heard),
    ownLines: claims.words.get(me) ?? [],
  };
}

export function findTopSuspect(at: TalkSituation): Suspicion | null {
  const top = at.suspects[0];
  return top === undefined || top.pressure <= 0 ? null : top;
}

export function pressureOn(at: TalkSituation, seat: Colour): number {
  return at.suspects.find((entry) => entry.seat === seat)?.pressure ?? 0;
}

export function hasSaid(at: TalkSituation, type: TableClaim['type'], who: Colour): boolean {
  return at.claims.own.get(at.me)?.made.has(`${type} ${who}`) ?? false;
}

export function isShielded(at: TalkSituation, seat: Colour): boolean {
  return at.view.you.partners.includes(seat) && pressureOn(at, seat) < 0;
}

export type ActType = keyof typeof plain.acts;

/** Facts for the slots of a sentence. A template with a missing fact is not used. */
export type SentenceFacts = {
  readonly who?: Colour | null;
  /** The player spoken about, if still silent in this meeting. */
  readonly silent?: Colour | null;
  readonly by?: Colour | null;
  readonly friend?: Colour | null;
  readonly body?: Colour | null;
  readonly others?: readonly Colour[];
  readonly place?: Place | null;
  /** Where the body lay, if the player saw nobody living there. */
  readonly empty?: Place | null;
  readonly earlier?: Place | null;
  readonly said?: Place | null;
  readonly ago?: number | null;
  readonly deed?: 'vent' | 'kill';
  readonly did?: Deed | null;
  readonly reason?: SuspicionReason | null;
};

export type SpeechAct = {
  readonly type: ActType;
  /** From 0 to 10 before temperament; it becomes the desire to speak. */
  readonly urgency: number;
  readonly to: Colour | null;
  readonly facts: SentenceFacts;
};

export type TalkRule = (at: TalkSituation) => SpeechAct | null;

export function createAct(
  type: ActType,
  urgency: number,
  facts: SentenceFacts = {},
  to: Colour | null = null,
): SpeechAct {
  return { type, urgency, to, facts };
}

const TASTES = [
  ['asking', ['ask', 'askAll']],
  ['accusing', ['near', 'close', 'lastSeen', 'push', 'clash', 'misplaced']],
  ['vouching', ['vouch', 'pair', 'believe', 'visual']],
  ['joking', ['quip']],
  ['leading', ['roundup', 'hurry']],
] as const;
const FOND: ReadonlyMap<ActType, keyof TableTraits> = new Map(
  TASTES.flatMap(([trait, acts]) => acts.map((act) => [act, trait] as const)),
);
/** Points. Chance decides between two acts this close in urgency. */
const WHIM = 1.2;
const WHIM_LANE = 1;

/** While no vote counts yet, rooms are compared and verdicts wait: urgency is added to these acts. */
const BEFORE_VOTING: Readonly<Partial<Record<ActType, number>>> = {
  alibi: 2,
  ask: 1.5,
  askAll: 2,
  sighting: 1.5,
  passed: 1.5,
  lastAlone: 1.5,
  pair: 1,
  push: -3,
  believe: -2,
  doubt: -1,
  hurry: -5,
};

export function proposeActs(at: TalkSituation, rules: readonly TalkRule[]): readonly SpeechAct[] {
  const whim = drawFraction(at.chance, WHIM_LANE);
  const acts: SpeechAct[] = [];
  let place = 2;
  for (const rule of rules) {
    place += 1;
    const proposed = rule(at);
    if (proposed === null) continue;
    const { type, to, facts } = proposed;
    const fond = FOND.get(type);
    const liking = fond === undefined ? 0 : at.traits[fond];
    const chance = ((whim * place * 7) % 1) * WHIM;
    const turn = at.view.table.votesOpen ? 0 : (BEFORE_VOTING[type] ?? 0);
    acts.push({ type, urgency: proposed.urgency + liking * 0.6 + chance + turn, to, facts });
  }
  return acts.sort((one, other) => other.urgency - one.urgency);
}
