/** Talk: one player's reply to a tick of discussion or voting. */
import type { Ballot } from '../../../machines/types.ts';
import type { WireReply } from '../../../prompts/reply.ts';
import { type Act, act, proposals, type Rule } from './acts.ts';
import { joined } from './afterwards.ts';
import { ballot } from './ballot.ts';
import * as evidence from './evidence.ts';
import { inNotes } from './reasons.ts';
import * as replies from './replies.ts';
import { hasSaid, isShielded, type Situation, topSuspect } from './situation.ts';
import { type Speaker, say } from './speech.ts';
import * as tableTalk from './tableTalk.ts';
import { nameOf } from './templates.ts';
import { type Musing, think } from './thinking.ts';
import * as witness from './witness.ts';

const RULES: readonly Rule[] = [
  evidence.opens,
  evidence.tellsDeed,
  evidence.tellsAtBody,
  evidence.tellsNear,
  evidence.tellsLast,
  evidence.tellsFollower,
  evidence.tellsClash,
  evidence.frames,
  witness.tellsVisual,
  witness.tellsPair,
  witness.tellsSighting,
  witness.tellsAlibi,
  replies.defends,
  replies.answers,
  replies.callsLiar,
  replies.vouches,
  replies.reacts,
  tableTalk.asks,
  tableTalk.asksAll,
  tableTalk.pushes,
  tableTalk.sumsUp,
  tableTalk.hurries,
  tableTalk.recalls,
  tableTalk.quips,
];

/** Urgency below which a player keeps quiet. */
const QUIET = 2.4;
/** Having just spoken, a player is so much less urgent. */
const JUST_SPOKE = 3;
/** The caller speaks first; the others hold back so much. */
const LETS_OPEN = 9;
/** Heat from which a change of the top suspect is worth a note. */
const NOTEWORTHY = 18;
const BALLOT_URGENCY = 5.5;
/** Said when a player has to speak and everything else has been said; the two halves make 64 sentences. */
const LAST_WORDS = [
  [
    'Nothing to add',
    'I stand by what I said',
    'I am out of words',
    'No news from me',
    'I have told you all I know',
    'Still here',
    'I pass',
    'Same as before',
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

export function talk(at: Situation): WireReply {
  const vote = ballot(at);
  const announcement = vote === null ? null : announced(at, vote);
  const offers = withBallot(at, announcement);
  const chosen = firstSayable(offers, at, at.view.calledOn);
  const spokeLast = at.record.lastLine.get(at.me) === at.record.lines - 1 && at.record.lines > 0;
  const message = chosen?.text ?? (at.view.calledOn ? lastWords(at) : '');
  const waits = at.record.lines === 0 && at.view.table.call.by !== at.me;
  const urgency =
    (chosen?.act.urgency ?? 1) +
    at.traits.talk -
    (spokeLast ? JUST_SPOKE : 0) -
    (waits ? LETS_OPEN : 0);
  return {
    internal_thought: think(at, chosen?.act ?? listening(at), announcement),
    desire_to_speak: message === '' ? 0 : Math.round(Math.min(10, Math.max(1, urgency))),
    message,
    target: chosen?.act.to ?? null,
    vote_action: vote,
    scratchpad_updates: notes(at),
  };
}

function firstSayable(
  offers: readonly Act[],
  speaker: Speaker,
  mustSpeak: boolean,
): { readonly act: Act; readonly text: string } | null {
  for (const offer of offers) {
    if (offer.urgency < QUIET && !mustSpeak) return null;
    const text = say(offer, speaker);
    if (text !== null) return { act: offer, text };
  }
  return null;
}

/** A vote that is cast now, or was cast and not yet told, is something to say. */
function withBallot(at: Situation, announcement: Act | null): readonly Act[] {
  const offers = proposals(at, RULES);
  const told = announcement ?? locked(at);
  return told === null
    ? offers
    : [...offers, told].sort((one, other) => other.urgency - one.urgency);
}

function announced(at: Situation, vote: Ballot): Act {
  if (vote === 'skip') return act('ballotSkip', BALLOT_URGENCY - 1);
  const reason = at.judged.find(({ seat }) => seat === vote)?.reason ?? null;
  return act('ballot', BALLOT_URGENCY, { who: vote, reason }, vote);
}

function locked(at: Situation): Act | null {
  const { ballot: cast } = at.view.you;
  if (cast === null || at.own.some((item) => item.type === 'push')) return null;
  if (cast === 'skip') return act('ballotSkip', 3);
  const reason = at.judged.find(({ seat }) => seat === cast)?.reason ?? null;
  return hasSaid(at, 'push', cast) ? null : act('locked', 4, { who: cast, reason }, cast);
}

function lastWords(at: Situation): string {
  const [starts, ends] = LAST_WORDS;
  const all = starts.flatMap((start) => ends.map((end) => `${start}, ${end}`));
  const shift = at.view.table.tick * 9;
  const fresh = all.find(
    (_, index) => !at.ownLines.includes(all[(index + shift) % all.length] ?? ''),
  );
  const at0 = fresh === undefined ? 0 : all.indexOf(fresh);
  return all[(at0 + shift) % all.length] ?? 'I pass.';
}

function listening(at: Situation): Musing {
  const top = topSuspect(at);
  if (top === null || top.reason === null || isShielded(at, top.seat))
    return { type: 'listen', facts: {} };
  return { type: 'listenSuspect', facts: { who: top.seat, reason: top.reason } };
}

/** A short note when the top suspect is somebody new. */
function notes(at: Situation): WireReply['scratchpad_updates'] {
  const top = topSuspect(at);
  const page = at.view.you.pads.meeting;
  if (top === null || top.reason === null || top.heat < NOTEWORTHY || isShielded(at, top.seat))
    return {};
  const line = `Tick ${at.view.table.tick}: top suspect ${nameOf(top.seat)} (${inNotes(top.reason)}).`;
  const last = page.slice(page.lastIndexOf('\n') + 1);
  return last.includes(`suspect ${nameOf(top.seat)} `)
    ? {}
    : { meeting_scratch: joined(page, line) };
}
