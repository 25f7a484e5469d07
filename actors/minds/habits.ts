/** Habits that a scenario gives a seat on top of its mind: to hold back the vote, or to leave at some tick. */

import { LEFT } from '../../machines/rules/meeting.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import { SYSTEM } from '../../machines/types.ts';
import type { Answer, LightMind, Mind, MindRequest } from './port.ts';

/** A mind that keeps its vote to itself until System has said "wrap it up". */
export function holdingBack(mind: Mind): Mind {
  return changed(mind, (request, answer) => {
    if (!isAtTable(request) || !answer.ok || isNudged(request)) return answer;
    const { received } = answer;
    if (typeof received !== 'object' || received === null) return answer;
    return { ok: true, received: { ...received, vote_action: null } };
  });
}

/** A mind whose player gets up and leaves in the tick `when`, or in the first later one that asks. */
export function leavingAt(mind: Mind, when: number): Mind {
  return changed(mind, (request, answer) =>
    !isAtTable(request) || request.stamp < when
      ? answer
      : { ok: false, code: LEFT, text: 'got up and left' },
  );
}

type AtTable = Extract<MindRequest, { view: LivingView }>;

function isAtTable(request: MindRequest): request is AtTable {
  return request.occasion !== 'ghost' && request.occasion !== 'action';
}

function isNudged(request: AtTable): boolean {
  return request.view.table.transcript.some(({ speaker }) => speaker === SYSTEM);
}

function changed(mind: Mind, change: (request: MindRequest, answer: Answer) => Answer): Mind {
  if (mind.pace === 'in-time') {
    return {
      pace: 'in-time',
      answer: async (request, signal) => change(request, await mind.answer(request, signal)),
    };
  }
  const light: LightMind = {
    pace: 'at-once',
    answer: (request) => change(request, mind.answer(request)),
  };
  return light;
}
