/** A ghost of the offline minds: knows everything, changes nothing, has opinions. */

import type { GhostView } from '../../../machines/rules/views.ts';
import { type Colour, SYSTEM, type Temperament } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { drawFraction, drawRotation, type MindChance } from './chance.ts';
import { getClaims, maskFacts } from './claims.ts';
import { GHOST_THOUGHTS, GHOSTLY } from './phrases/ghosts.ts';
import type { SentenceFacts } from './situation.ts';
import { fillTemplate, maskTemplate, pickCounted, seatRank } from './speech.ts';

const LANE = { mood: 50, remark: 51 } as const;
/** Share of turns in which a ghost has something to say when nothing is going on. */
const CHATTY: Readonly<Record<Temperament, number>> = {
  leader: 0.5,
  observer: 0.25,
  accuser: 0.6,
  joker: 0.8,
  follower: 0.35,
  sceptic: 0.45,
  diplomat: 0.4,
};

type GhostMoment = {
  readonly kind: keyof typeof GHOSTLY;
  readonly facts: SentenceFacts;
  readonly desire: number;
};

export function replyAsGhost(
  view: GhostView,
  temperament: Temperament,
  chance: MindChance,
): WireReply {
  const moment = findMoment(view);
  const own = view.chat.filter(({ speaker }) => speaker === view.you.colour);
  const chatty = moment.kind !== 'idle' || own.length === 0;
  const speaks = drawFraction(chance, LANE.mood) < CHATTY[temperament] + (chatty ? 0.25 : -0.2);
  const message = speaks ? pickRemark(moment, view, chance) : '';
  return {
    internal_thought: pickThought(moment, view, chance),
    desire_to_speak: message === '' ? 0 : moment.desire,
    message,
    target: null,
    vote_action: null,
    scratchpad_updates: {},
  };
}

/** A turn of phrase that the gallery has not heard yet; silence when all are used up. */
function pickRemark({ kind, facts }: GhostMoment, view: GhostView, chance: MindChance): string {
  const said = new Set(view.chat.map(maskChat));
  const start = drawFraction(chance, LANE.remark);
  const list = view.you.role === 'impostor' ? GHOSTLY[kind].impostor : GHOSTLY[kind].crewmate;
  for (let index = 0; index < list.length; index++) {
    const source = list[(index + Math.floor(start * list.length)) % list.length] ?? '';
    const text = fillTemplate(source, facts, chance);
    if (text !== null && !said.has(maskTemplate(source) ?? maskFacts(text))) return text;
  }
  return '';
}

/** Kept for speed: the gallery is read again at every turn. */
const turns = new WeakMap<GhostView['chat'][number], string>();

function maskChat(line: GhostView['chat'][number]): string {
  const known = turns.get(line);
  if (known !== undefined) return known;
  const turn = maskFacts(line.message);
  turns.set(line, turn);
  return turn;
}

/** What is worth a remark: the result, then the last thing that was said among the living. */
function findMoment(view: GhostView): GhostMoment {
  const { announced: told, seats } = view.truth;
  const isImpostor = (seat: Colour) =>
    seats.some(({ colour, role }) => colour === seat && role === 'impostor');
  if (told !== null) {
    if (told.ejected === null) return { kind: 'nobody', facts: {}, desire: 5 };
    return {
      kind: isImpostor(told.ejected) ? 'justice' : 'injustice',
      facts: { who: told.ejected },
      desire: 7,
    };
  }
  const line = view.transcript.findLast(({ speaker }) => speaker !== SYSTEM);
  if (line === undefined || line.speaker === SYSTEM) return { kind: 'idle', facts: {}, desire: 3 };
  const by = line.speaker;
  const said = getClaims(line);
  const aim = said.find(
    ({ type }) => type === 'deed' || type === 'charge' || type === 'push' || type === 'company',
  );
  const who = aim !== undefined && 'who' in aim && aim.who !== 'skip' ? aim.who : null;
  if (isImpostor(by)) {
    if (who === null && said.every(({ type }) => type === 'question'))
      return { kind: 'idle', facts: { by }, desire: 3 };
    const kind = who === null ? 'lies' : isImpostor(who) ? 'betrays' : 'deflects';
    return { kind, facts: { by, who }, desire: 5 };
  }
  if (who !== null)
    return { kind: isImpostor(who) ? 'warm' : 'cold', facts: { by, who }, desire: 5 };
  return { kind: 'idle', facts: { by }, desire: 3 };
}

/** Counted out by the turn, so that a ghost thinks nothing twice while there is something else. */
function pickThought({ kind, facts }: GhostMoment, view: GhostView, chance: MindChance): string {
  const { you, turn } = view;
  const list = pickList(kind, facts, view);
  const count =
    drawRotation({ ...chance, moment: 0 }) + seatRank(view.truth.seats, you.colour) + turn;
  for (let index = 0; index < list.length; index++) {
    const text = fillTemplate(pickCounted(list, count + index) ?? '', facts, chance);
    if (text !== null) return text;
  }
  return 'They can’t hear me.';
}

function pickList(kind: GhostMoment['kind'], { who }: SentenceFacts, { you, truth }: GhostView) {
  if (kind === 'nobody') return GHOST_THOUGHTS.nobody;
  if (kind === 'justice' || kind === 'injustice') {
    if (who === you.colour) return GHOST_THOUGHTS.out;
    const isOurs = (kind === 'justice') === (you.role === 'impostor');
    return isOurs ? GHOST_THOUGHTS.loss : GHOST_THOUGHTS.triumph;
  }
  if (kind !== 'idle') return GHOST_THOUGHTS.watching;
  const left = truth.seats.filter(
    ({ role, standing }) => role === 'impostor' && standing === 'living',
  ).length;
  return left === 1 ? GHOST_THOUGHTS.idleOne : GHOST_THOUGHTS.idleMore;
}
