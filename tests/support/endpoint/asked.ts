import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

const part = z.looseObject({ text: z.string().optional() });
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});
const wireSchema = z.record(z.string(), z.unknown());
const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(message).min(1),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ schema: wireSchema }).optional(),
    })
    .optional(),
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), parameters: wireSchema }) }))
    .optional(),
});

export type Asked = {
  readonly body: z.infer<typeof bodySchema>;
  /** As it came over the wire: headers, then the body. */
  readonly raw: string;
  readonly headers: IncomingHttpHeaders;
  /** Requests that came before it. */
  readonly turn: number;
  readonly text: string;
};

/** The request, or the reason why it is invalid. */
export function readAsked(text: string, headers: IncomingHttpHeaders, turn: number): Asked | null {
  const read = bodySchema.safeParse(parsed(text));
  if (!read.success) return null;
  const body = read.data;
  return {
    body,
    raw: `${JSON.stringify(headers)}\n${text}`,
    headers,
    turn,
    text: body.messages.map(({ content }) => textOf(content)).join('\n\n'),
  };
}

function textOf(content: z.infer<typeof message>['content']): string {
  if (Array.isArray(content)) return content.map(({ text }) => text ?? '').join('');
  return content ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Which of the four modes asks for an object. */
export function modeOf({ body }: Asked): 'json_schema' | 'json_object' | 'tool' | 'text' {
  if (body.tools !== undefined) return 'tool';
  const type = body.response_format?.type;
  return type === 'json_schema' || type === 'json_object' ? type : 'text';
}

/** The schema of the answer: from its proper field, or from the prompt. */
export function schemaIn({ body, text }: Asked): Readonly<Record<string, unknown>> | null {
  const given =
    body.response_format?.json_schema?.schema ?? body.tools?.[0]?.function.parameters ?? null;
  if (given !== null) return given;
  const spelled = /JSON schema:\n(\{.*\})$/m.exec(text)?.[1] ?? '';
  const read = wireSchema.safeParse(parsed(spelled));
  return read.success ? read.data : null;
}

export function hasSystem({ body }: Asked): boolean {
  return body.messages.some(({ role }) => role === 'system' || role === 'developer');
}

export function hasNeighbours({ body }: Asked): boolean {
  return body.messages.some(({ role }, index) => role === body.messages[index - 1]?.role);
}

export function isCorrected({ body }: Asked): boolean {
  return body.messages.some(({ role }) => role === 'assistant');
}

/** The token limit of the answer, under any of its names. */
export function tokenLimit({ body }: Asked): number {
  const limit = body['max_tokens'] ?? body['max_completion_tokens'];
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}
