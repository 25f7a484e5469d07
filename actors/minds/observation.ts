/** What a player outside the engine is shown: the request, and what a model would be sent for it. */
import type { Colour } from '../../machines/types.ts';
import type { Identity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { writeChoices, writePrompt } from './own/requestMessage.ts';
import type { LightMind, Mind, MindRequest, SlowMind } from './port.ts';

export type Choices = ReturnType<typeof writeChoices>;

/** `prompt` and `choices` are made when they are first read. */
export type Observation = MindRequest & {
  readonly seat: Colour;
  /** The prompt of a language model, with the JSON schema of the reply. */
  readonly prompt: ReturnType<typeof writePrompt>;
  /** The legal choices. `actions` are ready to be sent. */
  readonly choices: Choices;
};

/** A mind that is shown observations; a mind that expects only a request is one, too. */
export type ObservingMind = LightObservingMind | SlowObservingMind;
export type LightObservingMind = LightMind<Observation>;
export type SlowObservingMind = SlowMind<Observation>;

export function observe(request: MindRequest, identity: Identity): Observation {
  let prompt: Observation['prompt'] | undefined;
  let choices: Choices | undefined;
  return {
    ...request,
    seat: request.view.you.colour,
    get prompt() {
      if (prompt === undefined) {
        const built = buildPrompt(request, identity);
        prompt = writePrompt({ ...built, schema: built.schemaNow ?? built.schema });
      }
      return prompt;
    },
    get choices() {
      choices ??= writeChoices(request);
      return choices;
    },
  };
}

export function showRequests(mind: ObservingMind, identity: Identity): Mind {
  if (mind.pace === 'at-once')
    return { pace: 'at-once', answer: (request) => mind.answer(observe(request, identity)) };
  return {
    pace: 'in-time',
    answer: (request, signal, keepTime) =>
      mind.answer(observe(request, identity), signal, keepTime),
  };
}
