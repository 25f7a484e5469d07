/** Secrets in a configuration: what a match says goes into journals and pages, so it holds names of variables instead. */
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Note } from '../../machines/types.ts';

/** Beginnings of well-known keys, and words that are as long and as mixed as keys are. */
const SECRET =
  /\b(?:sk|pk|rk|gsk|xai|hf|ghp|nvapi)[-_][\w-]{8,}|\bAIza[\w-]{20,}|\bBearer\s+\S{8,}|\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{24,}\b|\b(?=[a-f\d]*\d)(?=[a-f\d]*[a-f])[a-f\d]{32,}\b/;

/** Fields whose value is a secret, however it looks. */
const SECRET_NAME =
  /^(?:x-)?(?:api[-_]?key|key|(?:access[-_]?)?token|secret|passw(?:or)?d|pwd|auth(?:orization)?|sig(?:nature)?)$/i;

const USER_INFO = /\b[a-z][a-z\d+.-]*:\/\/[^\s/?#"]*@/i;

/** What in a value is a secret, in words; null if nothing is. The words do not repeat it. */
export function findSecret(value: unknown): string | null {
  if (typeof value === 'string') return findInText(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inside] of Object.entries(value)) {
    if (SECRET_NAME.test(name) && typeof inside === 'string') return `a value of "${name}"`;
    const found = findSecret(inside);
    if (found !== null) return found;
  }
  return null;
}

function findInText(text: string): string | null {
  if (USER_INFO.test(text)) return 'a URL with a user or password in it';
  const query = URL.parse(text)?.searchParams ?? [];
  const named = [...query].find(([name]) => SECRET_NAME.test(name));
  if (named !== undefined) return `a URL with a value of "${named[0]}"`;
  return SECRET.test(text) ? 'what looks like a key' : null;
}

const PLACES = ['base_url', 'url', 'extra_body', 'command', 'module'] as const;

export function findSecretsIn(
  who: string,
  seat: Partial<Pick<MatchSeat, (typeof PLACES)[number]>>,
): readonly Note[] {
  return PLACES.flatMap((place) => {
    const found = findSecret(seat[place]);
    if (found === null) return [];
    const text = `${who}: ${place}: expected no secret, because journals record it, found ${found}; key and headers name variables that hold secrets`;
    return [{ code: 'mind/secret', text }];
  });
}
