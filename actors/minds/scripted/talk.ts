/** A living player's replies at the table: talk and votes, the reaction to the result, the notes. */
import { type AnnouncedResult, impostorsRemaining } from '../../../machines/rules/record.ts';
import { capitalize } from '../../../machines/text.ts';
import type { Ballot, Colour } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { drawFraction } from './chance.ts';
import thoughts from './phrases/thoughts.json' with { type: 'json' };
import { NOTES } from './reasons.ts';
import {
  createAct,
  findTopSuspect,
  hasSaid,
  isShielded,
  proposeActs,
  type SpeechAct,
  type TalkSituation,
} from './situation.ts';
import {
  type ActThought,
  rotate,
  type Speaker,
  say,
  sayReason,
  seatRank,
  think,
} from './speech.ts';
import type { Suspicion } from './suspicion.ts';
import { RULES } from './talkRules.ts';
import { namePlace } from './wording.ts';

const KEPT_CHARACTERS = 1200;
const NOTED_PRESSURE = 9;
const LESSON_LANE = 60;
const MOST_NOTED_SUSPECTS = 6;
const NUMBERS = ['None', 'One', 'Two', 'Three'] as const;

export function react(at: TalkSituation): WireReply {
  const told = at.view.table.announced;
  const text =
    told === null
      ? 'No result yet.'
      : `${sayResult(told)} ${pickOwn(at, thoughts.afterwards[findMood(at, told)])}`;
  return staySilent(text, {
    meeting_scratch: appendNote(at.view.you.pads.meeting, noteResult(at, told)),
  });
}

export function consolidate(at: TalkSituation): WireReply {
  const { you, table } = at.view;
  const { main } = you.pads;
  const old = main.length <= KEPT_CHARACTERS ? main : `…${main.slice(-KEPT_CHARACTERS)}`;
  const result = table.announced === null ? 'A meeting ended early.' : sayResult(table.announced);
  const story = at.alibi.stops.find(({ place }) =>
    at.ownClaims.some((item) => item.type === 'whereabouts' && item.place === place),
  );
  const lie =
    at.alibi.isLie && story !== undefined
      ? ` I told them ${namePlace(story.place)}; keep to it.`
      : '';
  const note = `${result} ${noteSuspicion(at)}${lie}${noteFriend(at)}${noteKnowledge(at)}`;
  return staySilent(pickOwn(at, thoughts.afterwards.sorting), {
    main_scratch: appendNote(old, note),
  });
}

function staySilent(thought: string, updates: WireReply['scratchpad_updates']): WireReply {
  return {
    internal_thought: thought,
    desire_to_speak: 0,
    message: '',
    target: null,
    vote_action: null,
    scratchpad_updates: updates,
  };
}

function sayResult({ outcome, ejected, role }: AnnouncedResult): string {
  if (ejected === null) return outcome === 'tie' ? 'A tie: nobody left.' : 'Nobody was ejected.';
  if (role === null) return `${capitalize(ejected)} was ejected.`;
  return `${capitalize(ejected)} was ejected: ${role === 'impostor' ? 'an impostor' : 'a crewmate'}.`;
}

function pickOwn(at: TalkSituation, list: readonly string[]): string {
  return rotate(list, at.rotation + seatRank(at.view.table.seats, at.me))[0] ?? '';
}

function findMood(
  at: TalkSituation,
  { ejected, role }: AnnouncedResult,
): Exclude<keyof typeof thoughts.afterwards, 'sorting'> {
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

function noteResult(at: TalkSituation, told: AnnouncedResult | null): string {
  if (told === null) return noteSuspicion(at);
  const loud = at.claims.all.findLast(
    (item) => item.type === 'push' && item.who === told.ejected && item.by !== at.me,
  );
  return sayResult(told) + (loud === undefined ? '' : ` ${capitalize(loud.by)} pushed for it.`);
}

function noteSuspicion(at: TalkSituation): string {
  const { you, table } = at.view;
  const top = at.suspects.find(
    ({ seat, pressure, reason }) =>
      pressure >= NOTED_PRESSURE &&
      reason?.type !== 'hunch' &&
      seat !== table.announced?.ejected &&
      !isShielded(at, seat),
  );
  if (top === undefined) return 'No clear suspect left.';
  if (you.role === 'impostor') return `${capitalize(top.seat)} is the easiest to blame next.`;
  const why = top.reason === null ? null : sayReason(top.reason, { who: top.seat }, at.chance);
  return `Watch ${capitalize(top.seat)}${why === null ? '' : `: ${why}`}.`;
}

function noteFriend(at: TalkSituation): string {
  const friend = at.suspects.findLast(
    ({ pressure, seat }) => pressure < -15 && !at.view.you.partners.includes(seat),
  );
  if (friend === undefined || drawFraction(at.chance, LESSON_LANE) < 0.3) return '';
  return ` ${capitalize(friend.seat)} is ${at.view.you.role === 'impostor' ? 'trusted by the table' : 'clear to me'}.`;
}

function noteKnowledge({ teams, odds, rivals }: TalkSituation): string {
  const list = (seats: readonly Colour[]) => seats.map(capitalize).join(', ');
  const clear = rivals.filter((who) => odds[who] === 0);
  const open = rivals.filter((who) => (odds[who] ?? 0) > 0);
  const least = Math.min(...teams.map((team) => team.filter((who) => open.includes(who)).length));
  const count = least === open.length ? 'Certain:' : `${NUMBERS[least] ?? least} of`;
  const isNews = clear.length > 0 && open.length <= MOST_NOTED_SUSPECTS;
  return [
    ...(clear.length === 0 ? [] : [` Proven: ${list(clear)}.`]),
    ...(isNews && least > 0 ? [` ${count} ${list(open)}.`] : []),
  ].join('');
}

function appendNote(old: string, added: string): string {
  return old.trim() === '' ? added : `${old.trim()}\n${added}`;
}

/*
 * A player waits for some ticks before voting; then the suspicion that is needed falls with every tick, every nudge and
 * every vote of others, until it is below zero. So every meeting ends without a limit.
 */

const TICKS_PER_PLAYER = 0.8;
/** Points that the needed suspicion falls: per tick, per nudge, and when all others have voted. */
const FALL_PER_TICK = 4;
const FALL_PER_NUDGE = 12;
const FALL_BY_VOTES = 34;
const LEAST_PRESSURE = 10;
/** Being sure beyond this, a player does not wait for the rest, once everybody had a word. */
const CERTAIN = 95;
const CERTAIN_TICKS = 3;
/** The last tick that a player can resist voting in, past their patience. */
const STUBBORN_TICKS = 14;
const WHIM_TICKS = 4;
const PATIENCE_LANE = 102;

function decideBallot(at: TalkSituation): Ballot | null {
  const { you, table } = at.view;
  if (!table.votesOpen || you.ballot !== null) return null;
  const first = at.suspects.find(({ seat }) => !isShielded(at, seat));
  const isKnown =
    first !== undefined && (at.odds[first.seat] === 1 || first.reason?.type === 'witnessed');
  const reported = isKnown ? undefined : findReported(at);
  const top = reported ?? first;
  const found = top?.pressure ?? 0;
  if (found >= CERTAIN && table.tick >= CERTAIN_TICKS + at.traits.patience / 4)
    return top?.seat ?? null;
  const { start, last, fall } = planBallot(at);
  const waited = table.tick - start;
  if (waited < 0 && table.tick < last) return null;
  const needed =
    at.traits.resolve -
    waited * fall -
    at.claims.nudges * FALL_PER_NUDGE -
    FALL_BY_VOTES * votedShare(at);
  const least =
    reported !== undefined || isLastChance(at)
      ? Number.NEGATIVE_INFINITY
      : LEAST_PRESSURE * weighOdds(at);
  const isLate = table.tick >= last;
  if (top !== undefined && found >= (isLate ? least : Math.max(needed, least))) return top.seat;
  return needed < least || isLate ? 'skip' : null;
}

/** A player stands by their report of somebody at the body. */
function findReported(at: TalkSituation): Suspicion | undefined {
  const report = at.ownClaims.findLast((item) => item.type === 'company' && item.whom === null);
  return at.suspects.find(
    ({ seat }) => report !== undefined && 'who' in report && seat === report.who,
  );
}

/** Share of timed voting that the most patient let go by before they think of a vote. */
const MOST_WAITING = 0.5;
const MOST_PATIENCE = 8;
/** Nobody waits for the very end of the time: someone is always late. */
const MARGIN_TICKS = 2;

/** Without a clock patience is counted in ticks; with one it is a share of the time there is. */
function planBallot(at: TalkSituation) {
  const { openAfter, closeAfter } = at.view.table.clock;
  const whim = drawFraction(at.settledChance, PATIENCE_LANE);
  if (closeAfter === null) {
    const seats = at.rivals.length + 1;
    const start = at.traits.patience + (seats - 4) * TICKS_PER_PLAYER + (whim - 0.5) * WHIM_TICKS;
    return { start, last: start + STUBBORN_TICKS, fall: FALL_PER_TICK };
  }
  const time = Math.max(1, closeAfter - openAfter);
  const share = (MOST_WAITING * at.traits.patience) / MOST_PATIENCE + (whim - 0.5) / 5;
  const start = openAfter + Math.max(0, share) * time;
  const last = Math.max(openAfter, closeAfter - 1 - Math.floor(whim * MARGIN_TICKS));
  const fall = Math.max(FALL_PER_TICK, at.traits.resolve / Math.max(1, last - start));
  return { start, last, fall };
}

/** Rivals per remaining impostor at a table that needs the usual amount of proof. */
const USUAL_ODDS = 3.5;
const MOST_CAUTION = 4;
/** How steeply caution grows where proof is dear, and falls where few are left and a skip is. */
const CAUTION = 2;
const DARING = 2.5;

/** How much more proof a crewmate asks for the fewer impostors are left among the many. */
function weighOdds({ view, rivals }: TalkSituation): number {
  const left = impostorsRemaining(view.table.record);
  // A meeting outside a game is all there is: nobody waits for more proof in the next one.
  const isAlone = view.table.ship === null;
  if (isAlone || view.you.role === 'impostor' || left === null) return 1;
  const odds = rivals.length / Math.max(1, left) / USUAL_ODDS;
  return Math.min(MOST_CAUTION, odds ** (odds < 1 ? DARING : CAUTION));
}

/** Whether the next kill would win the game for the impostors. Two of them who vote for just anybody give themselves away. */
function isLastChance({ view, rivals }: TalkSituation): boolean {
  const left = impostorsRemaining(view.table.record);
  if (view.table.ship === null || left === null) return false;
  return rivals.length <= 2 * left && !rivals.some((who) => view.you.partners.includes(who));
}

function votedShare(at: TalkSituation): number {
  const living = at.view.table.seats.filter(
    ({ standing, colour }) => standing === 'living' && colour !== at.me,
  );
  return living.length === 0 ? 1 : living.filter(({ voted }) => voted).length / living.length;
}

/** Urgency below which a player keeps quiet. After the vote little more than a charge is worth an answer. */
const QUIET = 3;
const QUIET_ONCE_VOTED = 6.5;
const JUST_SPOKE = 3;
/** Urgency that the others hold back, so that the caller speaks first. */
const LETS_OPEN = 9;
const REASONS = ['deed', 'charge', 'push', 'company'] as const;
const NOTEWORTHY = 18;
const BALLOT_URGENCY = 5.5;
const FIRST_WORD_URGENCY = 2;
/** Said when a player has to speak and everything else has been said; the two halves make 64 sentences. */
const LAST_WORDS = [
  [
    'Nothing to add',
    'I keep to my word',
    'I am out of words',
    'No news from me',
    'I know no more',
    'Still here',
    'I pass',
    'Nothing new here',
  ],
  [
    'let us finish this.',
    'ask me if you need more.',
    'please move on.',
    'I am thinking.',
    'go on without me.',
    'somebody else, please.',
    'I only wait for the result.',
    'that is all.',
  ],
] as const;

export function talk(at: TalkSituation): WireReply {
  const choice = decideBallot(at);
  const vote = choice === null || speaksFirst(at, choice) ? null : choice;
  // A vote that is cast now or soon, or was cast and not yet told, is something to say.
  const told = choice === null ? repeatBallot(at) : announceBallot(at, choice);
  const offers = [...proposeActs(at, RULES), ...(told === null ? [] : [told])];
  offers.sort((one, other) => other.urgency - one.urgency);
  const quiet = at.view.you.ballot === null ? QUIET : QUIET_ONCE_VOTED;
  const chosen = pickSayable(offers, at, at.view.calledOn ? Number.NEGATIVE_INFINITY : quiet);
  const spokeLast = at.claims.lastLine.get(at.me) === at.claims.lines - 1 && at.claims.lines > 0;
  const message = chosen?.text ?? (at.view.calledOn ? sayLastWords(at) : '');
  const waits = at.claims.lines === 0 && at.view.table.call.by !== at.me;
  const urgency =
    (chosen?.act.urgency ?? 1) +
    at.traits.talk -
    (spokeLast ? JUST_SPOKE : 0) -
    (waits ? LETS_OPEN : 0);
  return {
    internal_thought: think(at, chosen?.act ?? listen(at), vote === null ? null : told),
    desire_to_speak: message === '' ? 0 : Math.round(Math.min(10, Math.max(1, urgency))),
    message,
    target: chosen?.act.to ?? null,
    vote_action: vote,
    scratchpad_updates: writeNotes(at),
  };
}

function pickSayable(
  offers: readonly SpeechAct[],
  speaker: Speaker,
  least: number,
): { readonly act: SpeechAct; readonly text: string } | null {
  for (const offer of offers) {
    if (offer.urgency < least) return null;
    const text = say(offer, speaker);
    if (text !== null) return { act: offer, text };
  }
  return null;
}

function announceBallot(at: TalkSituation, vote: Ballot): SpeechAct {
  const urgency = BALLOT_URGENCY + (at.ownLines.length === 0 ? FIRST_WORD_URGENCY : 0);
  if (vote === 'skip') {
    const top = findTopSuspect(at);
    const who = top === null || isShielded(at, top.seat) ? null : top.seat;
    return createAct('ballotSkip', urgency - 1, { who });
  }
  const reason = at.suspects.find(({ seat }) => seat === vote)?.reason ?? null;
  return createAct('ballot', urgency, { who: vote, reason }, vote);
}

/** Nobody votes unheard, or without a word against another one than they saw at the body, while there is time. */
function speaksFirst(at: TalkSituation, vote: Ballot): boolean {
  if (at.view.table.tick >= planBallot(at).last) return false;
  if (at.ownLines.length === 0) return true;
  const reported = findReported(at)?.seat ?? vote;
  return vote !== 'skip' && vote !== reported && !REASONS.some((type) => hasSaid(at, type, vote));
}

function repeatBallot(at: TalkSituation): SpeechAct | null {
  const { ballot: cast } = at.view.you;
  if (cast === null || at.ownClaims.some((item) => item.type === 'push')) return null;
  if (cast === 'skip') return createAct('ballotSkip', 3);
  const reason = at.suspects.find(({ seat }) => seat === cast)?.reason ?? null;
  return hasSaid(at, 'push', cast) ? null : createAct('locked', 4, { who: cast, reason }, cast);
}

function sayLastWords(at: TalkSituation): string {
  const [starts, ends] = LAST_WORDS;
  const all = starts.flatMap((start) => ends.map((end) => `${start}, ${end}`));
  const rotated = rotate(all, at.view.table.tick * 9);
  return rotated.find((words) => !at.ownLines.includes(words)) ?? rotated[0] ?? '';
}

function listen(at: TalkSituation): ActThought {
  const top = findTopSuspect(at);
  if (top === null || top.reason === null || isShielded(at, top.seat))
    return { type: 'listen', facts: {} };
  return { type: 'listenSuspect', facts: { who: top.seat, reason: top.reason } };
}

function writeNotes(at: TalkSituation): WireReply['scratchpad_updates'] {
  const top = findTopSuspect(at);
  const page = at.view.you.pads.meeting;
  if (top === null || top.reason === null || top.pressure < NOTEWORTHY || isShielded(at, top.seat))
    return {};
  const line = `Tick ${at.view.table.tick}: top suspect ${capitalize(top.seat)} (${NOTES[top.reason.type]}).`;
  const last = page.slice(page.lastIndexOf('\n') + 1);
  return last.includes(`suspect ${capitalize(top.seat)} `)
    ? {}
    : { meeting_scratch: appendNote(page, line) };
}
