/** Minds that revise the answers of another mind, and keep its pace. */
import { LEFT } from '../../machines/rules/tick.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import { isRecord, wordOf } from '../../machines/text.ts';
import { SYSTEM } from '../../machines/types.ts';
import { isGoingOn } from '../../prompts/order.ts';
import type { Answer, Mind, MindRequest, SlowMind } from './port.ts';

export function wrapMind(
  mind: Mind,
  revise: (request: MindRequest, answer: Answer) => Answer,
): Mind {
  if (mind.pace === 'at-once')
    return { pace: 'at-once', answer: (request) => revise(request, mind.answer(request)) };
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) =>
      revise(request, await mind.answer(request, signal, keepTime)),
  };
}

/** A mind for games that people watch: on the ship it decides when `rest` has resolved. It must never reject. */
export function delayActions(mind: Mind, rest: () => Promise<void>): SlowMind {
  return {
    pace: 'in-time',
    answer: async (request, signal, keepTime) => {
      if (request.kind === 'action') await rest();
      return mind.answer(request, signal, keepTime);
    },
  };
}

/** Rounds that an idle order lasts, unless something happens to the player (ruling 60). */
const IDLE_ROUNDS = 8;

/** A mind whose idle orders, none and a wait without an end, last a while, so that it is not asked in every round. */
export function settleIdle(mind: Mind): Mind {
  return wrapMind(mind, (request, answer) => {
    if (request.kind !== 'action' || !answer.ok || !isRecord(answer.received)) return answer;
    const { action = null } = answer.received;
    const type = isRecord(action) ? action['type'] : action;
    const isIdle = /^\s*wait\s*$/i.test(wordOf(type))
      ? !isRecord(action) || typeof action['rounds'] !== 'number'
      : isGoingOn(action) && request.view.scene.intent === null;
    if (!isIdle) return answer;
    const wait = { type: 'wait', rounds: IDLE_ROUNDS };
    return { ok: true, received: { ...answer.received, action: wait } };
  });
}

/** A mind that keeps its vote until System has said "wrap it up" this often. */
export function holdVoteBack(mind: Mind, nudges = 1): Mind {
  return wrapMind(mind, (request, answer) => {
    if (!isAtTable(request) || !answer.ok) return answer;
    const said = request.view.table.transcript.filter(({ speaker }) => speaker === SYSTEM);
    if (said.length >= nudges) return answer;
    const { received } = answer;
    if (typeof received !== 'object' || received === null) return answer;
    return { ok: true, received: { ...received, vote_action: null } };
  });
}

/** A mind whose player leaves in the tick `when`, or in the first later one that asks. */
export function leaveAt(mind: Mind, when: number): Mind {
  return wrapMind(mind, (request, answer) =>
    !isAtTable(request) || request.index < when
      ? answer
      : { ok: false, code: LEFT, text: 'got up and left' },
  );
}

function isAtTable(request: MindRequest): request is Extract<MindRequest, { view: LivingView }> {
  return request.kind !== 'ghost' && request.kind !== 'action';
}
