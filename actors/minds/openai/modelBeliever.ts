/**
 * Asks a language model for its player's beliefs, in a request of its own.
 *
 * The budget counts it, and requests of the game go first. Lessons about the endpoint stay with these questions, so
 * requests of the game are unaffected. A failure is a missing answer and neither pauses nor ends the match.
 */
import type { BeliefQuestion } from '../../../machines/rules/beliefs.ts';
import { LATE } from '../../../machines/rules/tick.ts';
import { readBelief } from '../../../prompts/belief.ts';
import type { TimePort } from '../../ports/ports.ts';
import type { WriteAhead } from '../ahead.ts';
import type { Believer } from '../believer.ts';
import type { Answer } from '../port.ts';
import type { Budget, TokenEstimate } from './budget.ts';
import { CapabilityCache } from './capabilities.ts';
import {
  assumeWritten,
  buildQuestion,
  estimateTokens,
  guessUncounted,
  type ModelClient,
  type ModelSeat,
  type SeatCall,
} from './client.ts';
import { Conversation, type ModelReply, type Patience, wasAccepted } from './conversation.ts';
import { findPrice, type Prices } from './prices.ts';

/** Timeout in milliseconds, waiting included: only the end of the match waits for it. */
const MOST_MS = 600_000;

type BelieverServices = {
  readonly client: ModelClient;
  readonly budget: Budget;
  readonly prices: Prices;
  readonly patience: Patience;
  readonly time: TimePort;
  readonly ahead: WriteAhead;
  readonly onCall: (call: SeatCall) => void;
};

const capabilitiesOf = new WeakMap<ModelClient, CapabilityCache>();

function findCapabilities(client: ModelClient): CapabilityCache {
  const known = capabilitiesOf.get(client);
  if (known !== undefined) return known;
  const begun = new CapabilityCache(null, client.capabilities.capabilities);
  capabilitiesOf.set(client, begun);
  return begun;
}

export function createModelBeliever(seat: ModelSeat, services: BelieverServices): Believer {
  const { time, ahead } = services;
  return {
    pace: 'in-time',
    source: 'model',
    believe: async (belief, given) => {
      const asked = { kind: 'belief', ...belief } as const;
      const known = ahead.takeAnswer(seat.colour, asked);
      if (known !== undefined) return { source: 'model', answer: known };
      const late = new AbortController();
      const timer = time.setTimeout(() => late.abort(), MOST_MS);
      const signal = AbortSignal.any([given, late.signal]);
      const reply = await ask(seat, belief, signal, services).finally(() =>
        time.clearTimeout(timer),
      );
      const answer = readAnswer(reply, late.signal.aborted);
      ahead.noteAnswer(seat.colour, asked, answer);
      return { source: 'model', answer };
    },
  };
}

function readAnswer(reply: ModelReply, isLate: boolean): Answer {
  if (reply.ok) return { ok: true, received: reply.received };
  if (isLate) return { ok: false, code: LATE, text: `no answer within ${MOST_MS} ms` };
  return { ok: false, code: `endpoint/${reply.code}`, text: reply.text };
}

async function ask(
  { colour, endpoint, temperature, seed, extra, identity }: ModelSeat,
  belief: BeliefQuestion,
  signal: AbortSignal,
  { client, budget, prices, patience, time, ahead, onCall }: BelieverServices,
): Promise<ModelReply> {
  const asked = { kind: 'belief', ...belief } as const;
  const question = buildQuestion(asked, identity);
  const place = { seat: colour, requestKind: 'belief', index: belief.view.table.tick } as const;
  const params = { model: endpoint.model, temperature, seed, extra };
  const price = findPrice(prices, endpoint.model);
  const prompt = estimateTokens(question);
  /** The request in flight: a conversation sends one at a time. */
  let sent = { id: 0, estimate: { prompt, completion: question.maxTokens } };
  const note = (estimate: TokenEstimate, mode: SeatCall['mode']) => {
    sent = { id: ahead.noteSent({ ...place, mode, estimate }), estimate };
  };
  const capabilities = findCapabilities(client);
  const conversation = new Conversation(question, params, capabilities, {
    patience,
    fits: (value) => readBelief(value, belief.about).ok,
    ports: {
      transport: client.transport,
      now: () => time.now(),
      sleep: (ms, aborted) => time.sleep(ms, aborted),
      clock: time,
      rest: client.rest,
      turn: (work) => client.gate.run('ghost', signal, work),
      refuse: ({ mode, maxTokens }) => {
        const estimate = { prompt, completion: maxTokens };
        const refusal = budget.reserve(estimate, price);
        if (refusal === null) note(estimate, mode);
        return refusal;
      },
      onCall: ({ written, ...call }, received) => {
        const { id, estimate } = sent;
        budget.note(assumeWritten(call.usage, written), estimate, price);
        const noted = { ...call, ...guessUncounted(call, estimate, written), id, ...place };
        ahead.noteCall(noted, asked, received);
        onCall(noted);
      },
    },
  });
  return capabilities.call(() => conversation.run(signal), wasAccepted, signal);
}
