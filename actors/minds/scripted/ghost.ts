/** A ghost of the offline minds: knows everything, changes nothing, has opinions. */

import type { GhostView } from '../../../machines/rules/views.ts';
import { type Colour, SYSTEM, type Temperament } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import type { Facts } from './acts.ts';
import { type Chance, fraction } from './chance.ts';
import { heard } from './hearing.ts';
import { GHOSTLY } from './phrases/ghosts.ts';
import { filled, nameOf } from './speech.ts';

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

type Moment = {
  readonly kind: keyof typeof GHOSTLY;
  readonly facts: Facts;
  readonly desire: number;
};

export function ghostReply(view: GhostView, temperament: Temperament, chance: Chance): WireReply {
  const moment = momentOf(view);
  const own = view.chat
    .filter(({ speaker }) => speaker === view.you.colour)
    .map(({ message }) => message);
  const chatty = moment.kind !== 'idle' || own.length === 0;
  const speaks = fraction(chance, LANE.mood) < CHATTY[temperament] + (chatty ? 0.25 : -0.2);
  const message = speaks ? remark(moment, view, chance) : '';
  return {
    internal_thought: thought(moment, view),
    desire_to_speak: message === '' ? 0 : moment.desire,
    message,
    target: null,
    vote_action: null,
    scratchpad_updates: {},
  };
}

function remark({ kind, facts }: Moment, view: GhostView, chance: Chance): string {
  const said = new Set(view.chat.map(({ message }) => message));
  const start = fraction(chance, LANE.remark);
  const list = view.you.role === 'impostor' ? GHOSTLY[kind].impostor : GHOSTLY[kind].crewmate;
  for (let index = 0; index < list.length; index++) {
    const source = list[(index + Math.floor(start * list.length)) % list.length] ?? '';
    const text = filled(source, facts, chance);
    if (text !== null && !said.has(text)) return text;
  }
  return '';
}

/** What is worth a remark: the result, then the last thing that was said among the living. */
function momentOf(view: GhostView): Moment {
  const { told, seats } = view.truth;
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
  const said = heard(line, 0);
  const aim = said.find(({ type }) => type === 'deed' || type === 'charge' || type === 'push');
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

function thought({ kind, facts }: Moment, view: GhostView): string {
  const left = view.truth.seats.filter(
    ({ role, standing }) => role === 'impostor' && standing === 'living',
  ).length;
  if (kind === 'idle')
    return `${left} impostor${left === 1 ? '' : 's'} left, and I can only float here.`;
  if (kind === 'justice' || kind === 'injustice' || kind === 'nobody')
    return aftermath(kind, facts, view);
  const focus = facts.who ?? facts.by ?? null;
  const about = focus === null ? 'They are feeling their way.' : `Watching ${nameOf(focus)}.`;
  return `${about} I know who is who, and they can’t hear me.`;
}

function aftermath(
  kind: 'justice' | 'injustice' | 'nobody',
  { who }: Facts,
  { you }: GhostView,
): string {
  if (who === undefined || who === null) return 'Nobody goes. All of that for nothing.';
  if (who === you.colour) return 'So that is how it ends. It is quiet out here.';
  const isOurs = (kind === 'justice') === (you.role === 'impostor');
  return isOurs
    ? `${nameOf(who)} was one of us. I could scream, and it would change nothing.`
    : `${nameOf(who)} is out. I could dance, if I had legs.`;
}
