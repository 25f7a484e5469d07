/** Consulting a mind. A mind that throws, hangs or answers rubbish only passes its tick (ruling 2). */
import type { ActionArgs } from 'xstate';
import type { PlayerContext } from '../../machines/charts/player.ts';
import { decodeBid, decodeOrder } from '../../machines/journal/codec.ts';
import type { ToPlayer } from '../../machines/messages.ts';
import { submitAnswer } from '../../machines/outgoing.ts';
import { type MindRequest, requestFor } from '../../machines/request.ts';
import type { Colour } from '../../machines/types.ts';
import { readOrder } from '../../prompts/order.ts';
import { copyJson, readReply } from '../../prompts/reply.ts';
import { type Answer, type LightMind, type SlowMind, TIME_UP, TOO_LATE } from '../minds/port.ts';
import { contextOf, sendIfThere, type Thought } from './runContext.ts';

type Args = ActionArgs<PlayerContext, ToPlayer, ToPlayer>;

export function consult({ context, event, self, system }: Args): void {
  const request = requestFor(context, event);
  if (request === null) return;
  const run = contextOf(system);
  const mind = run.mindOf(context.colour);
  run.noteRequest(context.colour, request);
  const noteArrival = run.awaitArrival(context.colour);
  const said = (answer: Answer) => {
    noteArrival();
    self.send(toAnswer(request, context.colour, answer));
  };
  if (mind.pace === 'in-time') {
    const thought = run.beginThought(context.colour, request.kind, () => said(TOO_LATE));
    void thinkAbout(mind, request, thought).then((answer) => {
      // A late player's answer is ignored.
      if (!thought.isOver) said(answer);
      run.endThought(thought);
    });
    return;
  }
  said(answerAtOnce(mind, request));
}

function toAnswer(request: MindRequest, seat: Colour, answer: Answer): ToPlayer {
  const fields = answer.ok
    ? { seat, received: answer.received }
    : { seat, fault: answer.code, text: answer.text };
  const { kind, index } = request;
  if (request.kind === 'action') {
    const readers = { readOrder: (received: unknown) => readOrder(received, request.view) };
    return { type: 'mind.decided', round: index, order: decodeOrder(fields, readers) };
  }
  const to = kind === 'ghost' ? 'gallery' : 'table';
  return { type: 'mind.answered', to, index, bid: decodeBid(fields, REPLY_READERS) };
}

export function submit({ event, system }: Args): void {
  sendIfThere(system, submitAnswer(event));
}

export function cancelRequest({ context, event, system }: Args): void {
  const isLate = MISSED.includes(event.type);
  contextOf(system).cancelRequest(context.colour, isLate ? TIME_UP : undefined);
}

const MISSED: readonly ToPlayer['type'][] = ['tick.missed', 'turn.missed', 'round.missed'];

function answerAtOnce(mind: LightMind, request: MindRequest): Answer {
  try {
    return checkAnswer(mind.answer(request));
  } catch (error) {
    return failedByThrow(error);
  }
}

async function thinkAbout(mind: SlowMind, request: MindRequest, thought: Thought): Promise<Answer> {
  try {
    return checkAnswer(await mind.answer(request, thought.controller.signal, thought.keepTime));
  } catch (error) {
    return failedByThrow(error);
  }
}

/** A mind may be foreign code: its reply is copied, so later changes have no effect, and only JSON is kept. */
function checkAnswer(answer: unknown): Answer {
  if (!isAnswer(answer)) return failedAnswer('mind/no-answer', 'the mind returned no answer');
  if (!answer.ok) return failedAnswer(answer.code, answer.text);
  const received = copyJson(answer.received);
  if (received === undefined)
    return failedAnswer('reply/not-json', 'expected JSON, found something else');
  return { ok: true, received };
}

export const REPLY_READERS = { readReply, readOrder } as const;

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'ok' in answer;
}

const LONGEST_REASON = 200;
const CODE = /^[a-z-]{1,40}\/[a-z-]{1,40}$/;

function failedAnswer(code: unknown, text: unknown): Answer {
  return {
    ok: false,
    code: typeof code === 'string' && CODE.test(code) ? code : 'mind/failed',
    text: typeof text === 'string' ? text.slice(0, LONGEST_REASON) : 'the mind gave no reason',
  };
}

/** A thrown value may be anything, even something that throws when it is inspected. */
function failedByThrow(error: unknown): Answer {
  try {
    return failedAnswer('mind/threw', error instanceof Error ? error.message : String(error));
  } catch {
    return failedAnswer('mind/threw', 'the mind threw something that is no text');
  }
}
