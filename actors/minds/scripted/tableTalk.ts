/** Table talk: the rules of talk that move the meeting on: questions, sums, calls for a vote, and quips. */
import type { Colour } from '../../../machines/types.ts';
import { act, type Rule } from './acts.ts';
import { fraction } from './chance.ts';
import { isShielded, type Situation, topSuspect } from './situation.ts';

/** Heat from which a suspicion is worth saying aloud. */
const SAYABLE = 13;
/** Lines before somebody sums up. */
const SUM_AFTER = 6;
const ASK_LANE = 3;
const QUIP_LANE = 4;
const RECALL_LANE = 103;
/** Share of players who speak of the last meeting, and the lines after which it is late for that. */
const RECALL_SHARE = 0.4;
const RECALL_UNTIL = 10;
/** Each own quip makes the next one so much less urgent. */
const QUIP_FADE = 1.3;

/** Asks one who has not told their place. */
export const asks: Rule = (at) => {
  const missing = untold(at);
  const silent = missing.filter((seat) => !at.record.asked.has(seat) && !isShielded(at, seat));
  const pick = silent[Math.floor(fraction(at.chance, ASK_LANE) * silent.length)];
  if (pick === undefined || at.record.lines === 0) return null;
  const asked = at.own.filter(({ type }) => type === 'question').length;
  return act(
    'ask',
    4.6 - asked * 1.1,
    { who: pick, friend: missing.find((seat) => seat !== pick) ?? null },
    pick,
  );
};

export const asksAll: Rule = (at) => {
  const { call } = at.view.table;
  if (at.record.lines === 0 || at.record.lines > 3 || at.own.length > 0) return null;
  return act('askAll', 4.2, { place: call.place, body: call.body });
};

/** Says aloud whom the player suspects, and why. */
export const pushes: Rule = (at) => {
  const top = topSuspect(at);
  if (
    top === null ||
    top.reason === null ||
    top.heat < SAYABLE ||
    (top.reason.type === 'hunch' && at.record.lines < SUM_AFTER) ||
    isShielded(at, top.seat)
  )
    return null;
  const said = at.own.filter(
    (item) => (item.type === 'charge' || item.type === 'push') && item.who === top.seat,
  ).length;
  if (said >= 2 || at.view.you.ballot !== null) return null;
  return act(
    'push',
    3.6 + Math.min(3, top.heat / 25) - said * 2,
    { who: top.seat, reason: top.reason },
    top.seat,
  );
};

export const sumsUp: Rule = (at) => {
  if (at.record.lines < SUM_AFTER || at.traits.leading < -2) return null;
  const others = untold(at).filter((seat) => !isShielded(at, seat));
  if (
    others.length === 0 ||
    others.length > 4 ||
    at.own.filter(({ type }) => type === 'question').length > 1
  )
    return null;
  return act('roundup', 3.2, { others });
};

export const hurries: Rule = (at) => {
  const { seats, votesOpen } = at.view.table;
  const voted = seats.filter((seat) => seat.voted).length;
  if (!votesOpen || at.record.lines < at.rivals.length || (voted === 0 && at.record.nudges === 0))
    return null;
  const top = topSuspect(at);
  const sayable = top !== null && !isShielded(at, top.seat) && top.heat >= SAYABLE;
  return act('hurry', 2.6 + at.record.nudges * 0.5, sayable ? { who: top.seat } : {});
};

/** What became of the last meeting, once, while the talk is young. */
export const recalls: Rule = (at) => {
  const { last } = at.past;
  if (last === null || at.record.lines === 0 || at.record.lines > RECALL_UNTIL) return null;
  if (fraction(at.settledChance, RECALL_LANE) > RECALL_SHARE || at.ownLines.length > 1) return null;
  const { body } = at.view.table.call;
  if (last.type === 'nobody') return act('recallNobody', 4.1, { body });
  const facts = { friend: last.ejected, body };
  if (last.type === 'wrong') return act('recallWrong', 4.4, facts);
  return last.type === 'right' ? act('recallRight', 3.8, facts) : null;
};

export const quips: Rule = (at) => {
  const spoken = at.ownLines.length;
  const mood = fraction(at.chance, QUIP_LANE) * 1.5;
  const others = at.rivals.filter((seat) => at.record.lastLine.has(seat) && !isShielded(at, seat));
  const who = others[Math.floor((mood / 1.5) * others.length)] ?? null;
  return act('quip', 2.4 + mood - spoken * QUIP_FADE, { who, place: at.view.table.call.place });
};

/** The living who have told nobody where they were. */
function untold(at: Situation): readonly Colour[] {
  return at.rivals.filter((seat) => !at.record.told.has(seat) && seat !== at.view.table.call.by);
}
