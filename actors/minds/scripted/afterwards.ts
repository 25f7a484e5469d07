/** Afterwards: what a player makes of the result, and what they keep for the rest of the game. */
import type { Told } from '../../../machines/rules/views.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { fraction } from './chance.ts';
import { AFTERWARDS as PHRASES } from './phrases/afterwards.ts';
import { isShielded, type Situation } from './situation.ts';
import { clause, nameOf } from './templates.ts';
import { counted, rank } from './thinking.ts';

/** What is kept of the old main page, in characters: the page must not grow for ever. */
const KEPT = 360;
/** Suspicion that is worth keeping for the next meeting. */
const WATCHED_HEAT = 9;
const LESSON_LANE = 60;

/** The reaction tick: a thought about the result and a line in the meeting's notebook. */
export function reaction(at: Situation): WireReply {
  const told = at.view.table.told;
  const text = told === null ? 'No result yet.' : `${resultOf(told)} ${feeling(at, told)}`;
  return silent(text, { meeting_scratch: joined(at.view.you.pads.meeting, noteOn(at, told)) });
}

/** The consolidation tick: two or three sentences for the main notebook. */
export function consolidation(at: Situation): WireReply {
  const { you, table } = at.view;
  const old = you.pads.main.length <= KEPT ? you.pads.main : `…${you.pads.main.slice(-KEPT)}`;
  const result = table.told === null ? 'A meeting ended early.' : resultOf(table.told);
  const story = at.alibi.stops[0];
  const lie =
    at.alibi.isLie && story !== undefined ? ` I told them ${story.place}; keep to it.` : '';
  return silent(own(at, PHRASES.sorting), {
    main_scratch: joined(old, `${result} ${suspicion(at)}${lie}${lesson(at)}`),
  });
}

function silent(thought: string, updates: WireReply['scratchpad_updates']): WireReply {
  return {
    internal_thought: thought,
    desire_to_speak: 0,
    message: '',
    target: null,
    vote_action: null,
    scratchpad_updates: updates,
  };
}

function resultOf({ outcome, ejected, role }: Told): string {
  if (ejected === null) return outcome === 'tie' ? 'A tie: nobody left.' : 'Nobody was ejected.';
  if (role === null) return `${nameOf(ejected)} was ejected.`;
  return `${nameOf(ejected)} was ejected: ${role === 'impostor' ? 'an impostor' : 'a crewmate'}.`;
}

function feeling(at: Situation, told: Told): string {
  return own(at, PHRASES[moodOf(at, told)]);
}

/** Everybody at the table has words of their own, as long as there are enough. */
function own(at: Situation, list: readonly string[]): string {
  return counted(list, at.rotation + rank(at.view.table.seats, at.me)) ?? '';
}

function moodOf(at: Situation, { ejected, role }: Told): Exclude<keyof typeof PHRASES, 'sorting'> {
  const { you } = at.view;
  if (ejected === you.colour) return 'out';
  if (you.role === 'impostor') {
    if (ejected === null) return 'spared';
    return you.partners.includes(ejected) ? 'thinner' : 'fewer';
  }
  if (ejected === null) return 'undecided';
  const isMine = you.ballot === ejected;
  if (role === null) return isMine ? 'hopeful' : 'doubtful';
  if (role === 'impostor') return isMine ? 'right' : 'late';
  return isMine ? 'guilty' : 'unheard';
}

function noteOn(at: Situation, told: Told | null): string {
  if (told === null) return suspicion(at);
  const loud = at.record.heard.findLast(
    (item) => item.type === 'push' && item.who === told.ejected && item.by !== at.me,
  );
  const led =
    loud === undefined || told.ejected === null ? '' : ` ${nameOf(loud.by)} pushed for it.`;
  return `${resultOf(told)}${led}`;
}

function suspicion(at: Situation): string {
  const { you, table } = at.view;
  const top = at.judged.find(
    ({ seat, heat, reason }) =>
      heat >= WATCHED_HEAT &&
      reason?.type !== 'hunch' &&
      seat !== table.told?.ejected &&
      !isShielded(at, seat),
  );
  if (top === undefined) return 'No clear suspect left.';
  if (you.role === 'impostor') return `${nameOf(top.seat)} is the easiest to blame next.`;
  const why = top.reason === null ? null : clause(top.reason, { who: top.seat }, at.chance);
  return `Watch ${nameOf(top.seat)}${why === null ? '' : `: ${why}`}.`;
}

function lesson(at: Situation): string {
  const friend = at.judged.findLast(
    ({ heat, seat }) => heat < -15 && !at.view.you.partners.includes(seat),
  );
  if (friend === undefined || fraction(at.chance, LESSON_LANE) < 0.3) return '';
  return ` ${nameOf(friend.seat)} is ${at.view.you.role === 'impostor' ? 'trusted by the table' : 'clear to me'}.`;
}

/** Notes are added below older ones: an update replaces the page. */
export function joined(old: string, added: string): string {
  return old.trim() === '' ? added : `${old.trim()}\n${added}`;
}
