/** A ghost of the offline minds: knows everything, changes nothing, has opinions. */

import type { GhostView } from '../../../machines/rules/views.ts';
import { type Colour, SYSTEM, type Temperament } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { drawFraction, drawRotation, type MindChance } from './chance.ts';
import { maskFacts } from './hearing.ts';
import { foldLines } from './lineFold.ts';
import phrases from './phrases/ghosts.json' with { type: 'json' };
import type { SentenceFacts } from './situation.ts';
import { fillFirst, fillTemplate, maskTemplate, rotate, seatRank } from './speech.ts';
import { parseLine } from './tableClaims.ts';

const LANE = { mood: 50, remark: 51 } as const;
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
  readonly kind: keyof typeof phrases.remarks;
  readonly facts: SentenceFacts;
  readonly desire: number;
};

export function replyAsGhost(
  view: GhostView,
  temperament: Temperament,
  chance: MindChance,
): WireReply {
  const moments = listMoments(view);
  const [first = IDLE] = moments;
  const share = CHATTY[temperament] + (first.kind === 'idle' ? -0.2 : 0.25);
  const said = drawFraction(chance, LANE.mood) < share ? pickRemark(moments, view, chance) : null;
  return {
    internal_thought: pickThought(first, view, chance),
    desire_to_speak: said?.desire ?? 0,
    message: said?.text ?? '',
    target: null,
    vote_action: null,
    scratchpad_updates: {},
  };
}

const IDLE: GhostMoment = { kind: 'idle', facts: {}, desire: 3 };
const JOKE_SHARE = 0.2;

function pickRemark(
  moments: readonly GhostMoment[],
  view: GhostView,
  chance: MindChance,
): { readonly text: string; readonly desire: number } | null {
  const said = gatherTurns(view.chat);
  const start = drawFraction(chance, LANE.remark);
  for (const { kind, facts, desire } of moments) {
    if (kind === 'idle' && (start * JOKE_SPREAD) % 1 > JOKE_SHARE) continue;
    const list = phrases.remarks[kind][view.you.role];
    for (const source of rotate(list, Math.floor(start * list.length))) {
      const text = fillTemplate(source, facts, chance);
      if (text !== null && !said.has(maskTemplate(source) ?? maskFacts(text)))
        return { text, desire };
    }
  }
  return null;
}

const JOKE_SPREAD = 997;

/** Turns of phrase used in the gallery. "finding me" also counts as "finding Blue". */
const gatherTurns: (chat: GhostView['chat']) => ReadonlySet<string> = foldLines(
  () => new Set<string>(),
  (turns: Set<string>, { message }: GhostView['chat'][number]) => {
    const turn = maskFacts(message);
    turns.add(turn);
    turns.add(turn.replace(/\bme\b/gi, '@'));
  },
);

function listMoments(view: GhostView): readonly GhostMoment[] {
  const { announced: told, seats } = view.truth;
  const isImpostor = (seat: Colour) =>
    seats.some(({ colour, role }) => colour === seat && role === 'impostor');
  if (told !== null) {
    if (told.ejected === null) return [{ kind: 'nobody', facts: {}, desire: 5 }];
    const kind = isImpostor(told.ejected) ? 'justice' : 'injustice';
    return [{ kind, facts: { who: told.ejected }, desire: 7 }];
  }
  const last = view.transcript.findLastIndex(({ speaker }) => speaker !== SYSTEM);
  const heard = hear(last, view, isImpostor);
  const own = recallWorld(view, isImpostor);
  return [...(heard === null ? [] : [heard]), ...rotate(own, view.turn), IDLE];
}

function hear(
  last: number,
  view: GhostView,
  isImpostor: (seat: Colour) => boolean,
): GhostMoment | null {
  const line = view.transcript[last];
  if (line === undefined || line.speaker === SYSTEM) return null;
  const by = line.speaker;
  const said = parseLine(line, last).claims;
  const stays = said.filter((item) => item.type === 'whereabouts');
  // A place on the way is mentioned without its time, before the stay that counts.
  const story = stays.find(({ ago }) => ago !== null) ?? stays[0];
  const stood = view.truth.world?.places[by];
  if (story !== undefined && stood !== undefined && (story.ago ?? 0) <= LATELY_SECONDS) {
    const isTrue = story.place === stood;
    if (isTrue !== isImpostor(by)) {
      const facts = { by, said: story.place, place: stood };
      return { kind: isTrue ? 'honest' : 'caught', facts, desire: isTrue ? 3 : 6 };
    }
  }
  const aim = said.find(
    ({ type }) => type === 'deed' || type === 'charge' || type === 'push' || type === 'company',
  );
  const who = aim !== undefined && 'who' in aim && aim.who !== 'skip' ? aim.who : null;
  if (who === null && said.every(({ type }) => type === 'question')) return null;
  if (!isImpostor(by)) {
    if (who === null) return null;
    return { kind: isImpostor(who) ? 'warm' : 'cold', facts: { by, who }, desire: 5 };
  }
  const kind = who === null ? 'lies' : isImpostor(who) ? 'betrays' : 'deflects';
  return { kind, facts: { by, who }, desire: 5 };
}

const LATELY_SECONDS = 5;

function recallWorld(
  { truth, you }: GhostView,
  isImpostor: (seat: Colour) => boolean,
): readonly GhostMoment[] {
  const found: GhostMoment[] = [];
  const meeting = truth.record.meetings.length + 1;
  for (const deed of truth.world?.deeds ?? []) {
    if (deed.meeting !== meeting) continue;
    const { by, ago } = deed;
    if (deed.type === 'kill') {
      const { victim: who, place } = deed;
      if (who === you.colour) found.push({ kind: 'mine', facts: { by, place, ago }, desire: 4 });
      else if (by !== you.colour)
        found.push({ kind: 'slain', facts: { by, who, place, ago }, desire: 4 });
      if (by === truth.call.by && who === truth.call.body)
        found.push({ kind: 'ownReport', facts: { by, who, place }, desire: 5 });
    } else if (deed.type === 'vent' && deed.how === 'out') {
      found.push({ kind: 'vented', facts: { by, place: deed.place, ago }, desire: 4 });
    }
  }
  for (const { colour: by } of truth.seats) {
    const who = truth.ballots[by];
    if (who === undefined || who === 'skip' || isImpostor(by)) continue;
    const kind = isImpostor(who) ? 'rightBallot' : 'wrongBallot';
    found.push({ kind, facts: { by, who }, desire: 4 });
  }
  return found;
}

/** Counted by turn, so that no thought repeats while others are left. */
function pickThought({ kind, facts }: GhostMoment, view: GhostView, chance: MindChance): string {
  const { you, turn } = view;
  const list = pickList(kind, facts, view);
  const gallery = view.truth.seats.filter(({ standing }) => standing !== 'living');
  const count = drawRotation({ ...chance, moment: 0 }) + seatRank(gallery, you.colour) + turn;
  return fillFirst(rotate(list, count), facts, chance) ?? 'They can’t hear me.';
}

function pickList(kind: GhostMoment['kind'], { who }: SentenceFacts, { you, truth }: GhostView) {
  if (kind === 'nobody') return phrases.thoughts.nobody;
  if (kind === 'justice' || kind === 'injustice') {
    if (who === you.colour) return phrases.thoughts.out;
    const isOurs = (kind === 'justice') === (you.role === 'impostor');
    return isOurs ? phrases.thoughts.loss : phrases.thoughts.triumph;
  }
  if (kind !== 'idle') return phrases.thoughts.watching;
  const left = truth.seats.filter(
    ({ role, standing }) => role === 'impostor' && standing === 'living',
  ).length;
  const { idle, oneImpostorLeft, moreImpostorsLeft } = phrases.thoughts;
  return [...(left === 1 ? oneImpostorLeft : moreImpostorsLeft), ...idle];
}
