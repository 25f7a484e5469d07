/** The response as it came: what is in its body, and how long the endpoint wants to be left alone. */

/** JSON where it is any; a completion where it was streamed although nobody asked for that; else the text. */
export function bodyIn(text: string): unknown {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(bare);
  } catch {
    return gathered(bare) ?? bare;
  }
}

/** The pieces of a stream as one completion; null for any other text, and for a stream that never ended. */
function gathered(text: string): unknown {
  const pieces = [...text.matchAll(/^data:\s*(\{.*\})\s*$/gm)].map(([, json = '']) => piece(json));
  if (pieces.length === 0) return null;
  const failed = pieces.find((one) => at(one, 'error') !== undefined);
  if (failed !== undefined) return failed;
  const choices = pieces.map((one) => at(at(one, 'choices'), 0));
  const reason = choices.map((one) => at(one, 'finish_reason')).findLast(isText);
  if (reason === undefined) return null;
  const content = choices
    .map((one) => at(at(one, 'delta') ?? at(one, 'message'), 'content'))
    .filter(isText)
    .join('');
  return {
    choices: [{ finish_reason: reason, message: { content } }],
    usage: pieces.map((one) => at(one, 'usage')).findLast((one) => one !== undefined),
  };
}

function piece(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A part of a value whose shape nobody has promised. */
export function at(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** Milliseconds out of `retry-after-ms`, or out of `retry-after` in seconds or as a date. */
export function retryAfter(headers: Headers, now: number): number | null {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && isCount(ms)) return Number(ms);
  const wanted = headers.get('retry-after');
  if (wanted === null) return null;
  if (isCount(wanted)) return Number(wanted) * 1000;
  const date = /[a-z]/i.test(wanted) ? Date.parse(wanted) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function isCount(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text.trim());
}
