/**
 * Consulting a mind: the request goes out, the answer is read, and whatever goes wrong becomes a fault.
 *
 * This is the last line before the statecharts: a mind that throws, hangs or answers rubbish passes its tick, and
 * nothing else happens (ruling 2).
 */
import type { ActionArgs } from 'xstate';
import { handedIn } from '../machines/letters.ts';
import type { PlayerContext } from '../machines/player.ts';
import type { ToPlayer } from '../machines/protocol.ts';
import { type Request, requestFor } from '../machines/request.ts';
import type { Bid, Colour } from '../machines/types.ts';
import { jsonCopy, readReply } from '../prompts/reply.ts';
import type { Answer, LightMind, SlowMind } from './minds/port.ts';
import { deliver } from './router.ts';
import { isThere, mindOf, type Session, sessionOf } from './session.ts';

type Args = ActionArgs<PlayerContext, ToPlayer, ToPlayer>;

/** Asks the mind of this player for what the event wants. */
export function consult({ context, event, self, system }: Args): void {
  const request = requestFor(context, event);
  if (request === null) return;
  const session = sessionOf(system);
  const mind = mindOf(session, context.colour);
  const { stamp } = request;
  const to = request.occasion === 'ghost' ? 'gallery' : 'table';
  const reply = (bid: Bid) => self.send({ type: 'mind.answered', to, stamp, bid });
  if (mind.pace === 'in-time') {
    void thinkAbout(mind, request, session, context.colour).then(reply);
    return;
  }
  const bid = answerAtOnce(mind, request, context.colour);
  send(system, to, stamp, bid);
  if (hasNews(bid) || context.notices.length > 0) reply(bid);
}

/** Hands on the bid of an answer that took its time. */
export function place({ event, system }: Args): void {
  if (event.type === 'mind.answered') send(system, event.to, event.stamp, event.bid);
}

/** Tells the mind that nobody waits for it any more. */
export function dismiss({ context, system }: Args): void {
  sessionOf(system).thinking.get(context.colour)?.abort();
}

/** Hands on a bid. Where the meeting is over while somebody still thinks, nobody is there to take it. */
function send(system: Args['system'], to: 'table' | 'gallery', stamp: number, bid: Bid): void {
  const letter = handedIn(to, stamp, bid);
  if (isThere(system, letter.to)) deliver(system, [letter]);
}

/** Whether an answer holds something that the player must remember. */
function hasNews(bid: Bid): boolean {
  if (bid.type === 'fault') return false;
  const { pads, notes } = bid.reply;
  return notes.length > 0 || pads.main !== undefined || pads.meeting !== undefined;
}

function answerAtOnce(mind: LightMind, request: Request, seat: Colour): Bid {
  try {
    return bidOf(seat, mind.answer(request));
  } catch (error) {
    return threw(seat, error);
  }
}

async function thinkAbout(
  mind: SlowMind,
  request: Request,
  session: Session,
  seat: Colour,
): Promise<Bid> {
  const controller = new AbortController();
  session.thinking.set(seat, controller);
  try {
    return bidOf(seat, await mind.answer(request, controller.signal));
  } catch (error) {
    return threw(seat, error);
  } finally {
    if (session.thinking.get(seat) === controller) session.thinking.delete(seat);
  }
}

/**
 * Reads an answer into a bid. A port can be implemented in JavaScript too, so nothing is trusted that comes out of it:
 * the reply is copied once, and whatever it does afterwards changes nothing. What is no JSON can't be kept.
 */
function bidOf(seat: Colour, answer: unknown): Bid {
  if (!isAnswer(answer)) return fault(seat, 'mind/no-answer', 'the mind returned no answer');
  if (!answer.ok) return fault(seat, answer.code, answer.text);
  const received = jsonCopy(answer.received);
  if (received === undefined) {
    return fault(seat, 'reply/not-json', 'expected JSON, found something else');
  }
  const reading = readReply(received);
  if (reading.ok) return { type: 'reply', seat, received, reply: reading.reply };
  return { type: 'fault', seat, code: reading.code, text: reading.text, received };
}

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'ok' in answer;
}

/** Longest reason that is kept, in characters. */
const LONGEST_REASON = 200;
/** Codes are words with a slash between them. */
const CODE = /^[a-z-]{1,40}\/[a-z-]{1,40}$/;

function fault(seat: Colour, code: unknown, text: unknown): Bid {
  return {
    type: 'fault',
    seat,
    code: typeof code === 'string' && CODE.test(code) ? code : 'mind/failed',
    text: typeof text === 'string' ? text.slice(0, LONGEST_REASON) : 'the mind gave no reason',
  };
}

/** What was thrown may be anything, also something that throws when it is looked at. */
function threw(seat: Colour, error: unknown): Bid {
  try {
    return fault(seat, 'mind/threw', error instanceof Error ? error.message : String(error));
  } catch {
    return fault(seat, 'mind/threw', 'the mind threw something that is no text');
  }
}
