/** Asks a model for its player's beliefs, after requests of the game. A failure does not stop the match. */
import { LATE } from '../../../machines/rules/tick.ts';
import { readBelief } from '../../../prompts/belief.ts';
import type { WriteAhead } from '../ahead.ts';
import type { Believer } from '../believer.ts';
import type { Answer } from '../port.ts';
import { remember } from '../remember.ts';
import type { Budget } from './budget.ts';
import { CapabilityCache } from './capabilities.ts';
import {
  buildQuestion,
  MOST_BESIDE_MS,
  type ModelClient,
  type ModelClients,
  type ModelSeat,
  type SeatCall,
  type SentRequest,
} from './client.ts';
import type { ModelReply } from './conversation.ts';

type BelieverServices = {
  readonly clients: ModelClients;
  readonly budget: Budget;
  readonly ahead: WriteAhead;
  readonly onCall: (call: SeatCall) => void;
};

const capabilitiesOf = new WeakMap<ModelClient, CapabilityCache>();

export function createModelBeliever(
  seat: ModelSeat,
  { clients, budget, ahead, onCall }: BelieverServices,
): Believer {
  return {
    pace: 'in-time',
    source: 'model',
    believe: async (belief, given) => {
      const asked = { kind: 'belief', ...belief } as const;
      const known = ahead.takeAnswer(seat.colour, asked);
      if (known !== undefined) return { source: 'model', answer: known };
      const client = clients.clientFor(seat.endpoint);
      const question = {
        question: buildQuestion(asked, seat.identity),
        requestKind: 'belief',
        index: belief.view.table.tick,
        rank: 'ghost',
        budget,
        capabilities: remember(
          capabilitiesOf,
          client,
          () => new CapabilityCache(null, client.capabilities.capabilities),
        ),
        fits: (value: object) => readBelief(value, belief.about).ok,
        onSend: (request: SentRequest) => ahead.noteSent(request),
        onCall: (call: SeatCall, received: object | null) => {
          ahead.noteCall(call, asked, received);
          onCall(call);
        },
      } as const;
      const reply = await clients.askBeside(seat, question, given);
      const answer = readAnswer(reply, given.aborted);
      ahead.noteAnswer(seat.colour, asked, answer);
      return { source: 'model', answer };
    },
  };
}

function readAnswer(reply: ModelReply, isGone: boolean): Answer {
  if (reply.ok) return reply;
  if (reply.code === 'aborted' && !isGone)
    return { ok: false, code: LATE, text: `no answer within ${MOST_BESIDE_MS} ms` };
  return { ok: false, code: `endpoint/${reply.code}`, text: reply.text };
}
