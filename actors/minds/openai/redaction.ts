/** Redaction: a key that an endpoint repeats, whole or its beginning, is put out of sight before anybody reads it. */

/** Shorter pieces are words: "none" is no secret, and neither is "sk-". */
const LEAST = 8;
const SEEN = '[key]';
/** How keys look, whoever they belong to. */
const KEYS =
  /\b(?:sk|pk|gsk|hf|xai|rk)[-_][\w-]{12,}|\bAIza[\w-]{20,}|\bBearer\s+[\w.~+/-]{12,}=*/g;

export function withoutKey(text: string, key: string): string {
  const plain = key.length < LEAST ? text : withoutPieces(text, key);
  return plain.replace(KEYS, SEEN);
}

/** The longest beginning of the key at every place where one stands. */
function withoutPieces(text: string, key: string): string {
  const first = key.slice(0, LEAST);
  let found = '';
  let rest = text;
  for (let at = rest.indexOf(first); at >= 0; at = rest.indexOf(first)) {
    let end = LEAST;
    while (end < key.length && rest.charAt(at + end) === key.charAt(end)) end += 1;
    found += rest.slice(0, at) + SEEN;
    rest = rest.slice(at + end);
  }
  return found + rest;
}
