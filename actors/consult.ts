/**
 * Consulting a mind: the request goes out, the answer is read, and whatever goes wrong becomes a fault.
 *
 * This is the last line before the statecharts: a mind that throws, hangs or answers rubbish passes its tick, and
 * nothing else happens (ruling 2).
 */
import type { ActionArgs } from 'xstate';
import { type PlayerContext, selfOf } from '../machines/player.ts';
import { BIDS, GALLERY, type ToPlayer } from '../machines/protocol.ts';
import { ghostView, livingView } from '../machines/rules/views.ts';
import type { Bid, Colour } from '../machines/types.ts';
import { isJson, readReply } from '../prompts/reply.ts';
import type { Answer, LightMind, Request, SlowMind } from './minds/port.ts';
import { actorOf, mindOf, type Session, sessionOf } from './session.ts';

type Args = ActionArgs<PlayerContext, ToPlayer, ToPlayer>;

/** Asks the mind of this player for what the event wants. */
export function consult({ context, event, self, system }: Args): void {
  const request = requestFor(context, event);
  if (request === null) return;
  const session = sessionOf(system);
  const mind = mindOf(session, context.colour);
  const reply = (bid: Bid) => self.send({ type: 'mind.answered', stamp: request.stamp, bid });
  if (mind.pace === 'in-time') {
    void thinkAbout(mind, request, session, context.colour).then(reply);
    return;
  }
  const bid = bidOf(context.colour, answerAtOnce(mind, request));
  send(system, bid, request.stamp, context.ghost);
  if (hasNews(bid) || context.notices.length > 0) reply(bid);
}

/** Hands on the bid of an answer that took its time. */
export function place({ context, event, system }: Args): void {
  if (event.type === 'mind.answered') send(system, event.bid, event.stamp, context.ghost);
}

/** Tells the mind that nobody waits for it any more. */
export function dismiss({ context, system }: Args): void {
  sessionOf(system).thinking.get(context.colour)?.abort();
}

function requestFor(context: PlayerContext, event: ToPlayer): Request | null {
  if (event.type === 'bid.requested') {
    const { table, calledOn } = event;
    const { occasion } = table;
    if (occasion === 'ghost') return null;
    return { occasion, stamp: table.tick, view: livingView(selfOf(context), table, calledOn) };
  }
  if (event.type !== 'talk.invited') return null;
  return {
    occasion: 'ghost',
    stamp: event.seen.turn,
    view: ghostView(selfOf(context), event.seen),
  };
}

function send(system: Args['system'], bid: Bid, stamp: number, ghost: boolean): void {
  if (ghost) actorOf(system, GALLERY).send({ type: 'ghost.answered', turn: stamp, bid });
  else actorOf(system, BIDS).send({ type: 'bid.placed', tick: stamp, bid });
}

/** Whether an answer holds something that the player must remember. */
function hasNews(bid: Bid): boolean {
  if (bid.type === 'fault') return false;
  const { pads, notes } = bid.reply;
  return notes.length > 0 || pads.main !== undefined || pads.meeting !== undefined;
}

function answerAtOnce(mind: LightMind, request: Request): Answer {
  try {
    return mind.answer(request);
  } catch (error) {
    return threw(error);
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
    return bidOf(seat, threw(error));
  } finally {
    if (session.thinking.get(seat) === controller) session.thinking.delete(seat);
  }
}

/** Reads an answer into a bid. What is not JSON at all can't be kept, so it is left out of the fault. */
function bidOf(seat: Colour, answer: Answer): Bid {
  if (!isAnswer(answer)) {
    return { type: 'fault', seat, code: 'mind/no-answer', text: 'the mind returned no answer' };
  }
  if (!answer.ok) return { type: 'fault', seat, code: answer.code, text: answer.text };
  const { received } = answer;
  if (!isJson(received)) {
    return {
      type: 'fault',
      seat,
      code: 'reply/not-json',
      text: 'expected JSON, found something else',
    };
  }
  const reading = readReply(received);
  if (reading.ok) return { type: 'reply', seat, received, reply: reading.reply };
  return { type: 'fault', seat, code: reading.code, text: reading.text, received };
}

/** A port can be implemented in JavaScript too; what comes out of it is not to be trusted. */
function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'ok' in answer;
}

function threw(error: unknown): Answer {
  const text = error instanceof Error ? error.message : String(error);
  return { ok: false, code: 'mind/threw', text: text.slice(0, 200) };
}
