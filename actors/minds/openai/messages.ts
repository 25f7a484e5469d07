/** Messages: a question in the form that a model takes. */
import type { Mode, Traits } from './traits.ts';

/** What a model is asked, before anybody knows what it takes. */
export type Question = {
  /** Rules that are the same for everybody. */
  readonly system: string;
  /** What follows them, from the part that changes least to the part that changes most. */
  readonly user: readonly string[];
  /** The JSON schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly schemaName: string;
  readonly maxTokens: number;
};

/** How a model is asked, apart from the question. */
export type Manner = {
  readonly model: string;
  readonly temperature: number | null;
  readonly seed: number | null;
  /** Sent as it is, for what only this model knows; what is null is left out. */
  readonly extra: Readonly<Record<string, unknown>>;
};

/** What went wrong with the last answer, told to the model once. */
export type Feedback = { readonly said: string; readonly text: string };

export function bodyFor(
  question: Question,
  manner: Manner,
  traits: Traits,
  { mode, maxTokens, feedback }: { mode: Mode; maxTokens: number; feedback: Feedback | null },
): Readonly<Record<string, unknown>> {
  const { temperature, seed, extra } = manner;
  const wanted = { temperature, seed, ...extra };
  const kept = Object.entries(wanted).filter(
    ([name, value]) => value !== null && !traits.isBare && !traits.dropped.includes(name),
  );
  return {
    model: manner.model,
    messages: messagesOf(question, traits, mode, feedback),
    ...(traits.tokenName === null ? {} : { [traits.tokenName]: maxTokens }),
    ...shapeOf(question, mode),
    ...Object.fromEntries(kept),
  };
}

function shapeOf({ schema, schemaName }: Question, mode: Mode) {
  switch (mode) {
    case 'json_schema':
      return {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: schemaName, strict: true, schema },
        },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' as const } };
    case 'tool':
      return {
        tools: [
          {
            type: 'function' as const,
            function: { name: schemaName, description: 'Hands in the answer.', parameters: schema },
          },
        ],
        tool_choice: { type: 'function' as const, function: { name: schemaName } },
      };
    case 'text':
      return {};
  }
}

/** Ends with a turn of the user: some endpoints take nothing else. */
function messagesOf(
  question: Question,
  traits: Traits,
  mode: Mode,
  feedback: Feedback | null,
): readonly Told[] {
  const rules = mode === 'json_schema' || mode === 'tool' ? question.system : spelled(question);
  const told: Told[] = [
    { role: 'system', content: rules },
    ...question.user.map((content): Told => ({ role: 'user', content })),
  ];
  if (feedback !== null) {
    told.push(
      { role: 'assistant', content: feedback.said },
      { role: 'user', content: feedback.text },
    );
  }
  const placed = traits.system === 'merged' ? told.map(asUser) : told;
  return traits.joinsRoles || traits.system === 'merged' ? joined(placed) : placed;
}

type Told = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

function asUser(one: Told): Told {
  return one.role === 'system' ? { ...one, role: 'user' } : one;
}

/** Neighbours of one role as one message. */
function joined(told: readonly Told[]): Told[] {
  const found: Told[] = [];
  for (const one of told) {
    const last = found.at(-1);
    if (last?.role === one.role) {
      found[found.length - 1] = { ...last, content: `${last.content}\n\n${one.content}` };
    } else found.push(one);
  }
  return found;
}

/** The rules with the schema in words, for models that are not held to it otherwise. */
function spelled({ system, schema }: Question): string {
  return `${system}\n\nAnswer with one JSON object and nothing else. Its JSON schema:\n${JSON.stringify(schema)}`;
}
