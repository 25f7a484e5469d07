export type Sent = SentAtOnce | SentStream;

/** Server-sent events, a piece at a time, wherever they are cut. Then the body ends, the connection is cut, or nothing follows. */
export type SentStream = {
  readonly type: 'stream';
  readonly pieces: readonly Uint8Array[];
  readonly headers: Readonly<Record<string, string>>;
  readonly ending: 'end' | 'cut' | 'silence';
};

export type SentAtOnce =
  | {
      readonly type: 'body';
      readonly status: number;
      readonly text: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly isZipped: boolean;
    }
  /** A compressed body of this many bytes when unpacked. */
  | { readonly type: 'bomb'; readonly bytes: number }
  | { readonly type: 'cut' }
  | { readonly type: 'silence' };

type Headers = Readonly<Record<string, string>>;

export function page(status: number, text: string, headers: Headers = {}): Sent {
  return {
    type: 'body',
    status,
    text,
    headers: { 'content-type': 'text/html', ...headers },
    isZipped: false,
  };
}

export function json(status: number, body: unknown, headers: Headers = {}): Sent {
  return page(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function refusal(
  status: number,
  message: unknown,
  more: Readonly<Record<string, unknown>> = {},
  headers: Headers = {},
): Sent {
  return json(status, { error: { message, ...more } }, headers);
}

type Told = Readonly<Record<string, unknown>>;

/** A completion. `told` replaces the content with another message, and `more` adds fields to the body. */
export function completion(
  told: Told,
  { reason = 'stop', more = {} }: { reason?: string; more?: Told } = {},
): Sent {
  return json(200, completionBody(told, reason, more));
}

export function completionBody(told: Told, reason: string, more: Told = {}): Told {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_795_000_000,
    model: 'fake',
    choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', ...told } }],
    ...more,
  };
}

export function said(content: unknown, reason = 'stop'): Sent {
  return completion({ content }, { reason });
}

/** Tools called with these arguments, one call each. */
export function called(...calls: readonly (readonly [name: string, given: unknown])[]): Sent {
  const told = {
    content: null,
    tool_calls: calls.map(([name, given], index) => ({
      id: `call-${index}`,
      type: 'function',
      function: { name, arguments: given },
    })),
  };
  return completion(told, { reason: 'tool_calls' });
}
