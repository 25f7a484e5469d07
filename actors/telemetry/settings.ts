/**
 * What the environment says of telemetry, in the variables of the OpenTelemetry specification. None of them can break a
 * command: what makes no sense is a note, and nothing is sent.
 */
import type { EnvironmentVariables } from '../ports/ports.ts';

export type TelemetrySettings = {
  /** Where requests with spans go. */
  readonly url: string;
  readonly isJson: boolean;
  readonly isPacked: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number;
};

/** Attributes of the process that sends, by name. */
export type TelemetryResource = Readonly<Record<string, string>>;

export type TelemetryReading =
  | { readonly type: 'off' }
  /** Asked for, and impossible. */
  | { readonly type: 'refused'; readonly text: string }
  | { readonly type: 'on'; readonly settings: TelemetrySettings };

const TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 600_000;

/** Variables for all signals, and in front of them those for traces. */
const COMMON = 'OTEL_EXPORTER_OTLP_';
const TRACES = 'OTEL_EXPORTER_OTLP_TRACES_';

/** Whether any variable asks for telemetry: the rest of it need not be loaded where none does. */
export function isTelemetryWanted(env: EnvironmentVariables): boolean {
  if (isTrue(env['OTEL_SDK_DISABLED'])) return false;
  return Boolean(env[`${TRACES}ENDPOINT`]?.trim() || env[`${COMMON}ENDPOINT`]?.trim());
}

function isTrue(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'true';
}

/** Reads where and how spans are sent. */
export function readTelemetry(env: EnvironmentVariables): TelemetryReading {
  if (!isTelemetryWanted(env)) return { type: 'off' };
  const exporters = (env['OTEL_TRACES_EXPORTER'] ?? '').split(',').map((name) => name.trim());
  if (exporters.every((name) => name === 'none')) return { type: 'off' };
  if (!exporters.some((name) => name === '' || name === 'otlp'))
    return refuse(`OTEL_TRACES_EXPORTER: expected otlp or none, found ${exporters.join(', ')}`);
  const url = readUrl(env);
  if (url === null)
    return refuse(
      `expected the address of a collector such as http://localhost:4318 in ${nameOf(env, 'ENDPOINT')}, found none`,
    );
  const protocol = valueIn(env, 'PROTOCOL') ?? 'http/protobuf';
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return refuse(
      `${nameOf(env, 'PROTOCOL')}: expected http/protobuf or http/json, found ${protocol}; collectors take both at port 4318`,
    );
  const headers = readPairs(valueIn(env, 'HEADERS') ?? '');
  if (headers === null || !areHeaders(headers))
    return refuse(
      `${nameOf(env, 'HEADERS')}: expected name=value,name=value, found something else`,
    );
  return {
    type: 'on',
    settings: {
      url: url.bare,
      isJson: protocol === 'http/json',
      isPacked: valueIn(env, 'COMPRESSION') === 'gzip',
      headers: { ...url.headers, ...headers },
      timeoutMs: readTimeout(env),
    },
  };
}

function refuse(text: string): TelemetryReading {
  return { type: 'refused', text };
}

/** The variable that holds, by its last word: that of traces goes before that of all signals. */
function nameOf(env: EnvironmentVariables, word: string): string {
  return env[`${TRACES}${word}`]?.trim() ? `${TRACES}${word}` : `${COMMON}${word}`;
}

/** An empty variable is one that is not set. */
function valueIn(env: EnvironmentVariables, word: string): string | null {
  return env[nameOf(env, word)]?.trim() || null;
}

/**
 * The address of traces is used as it is; behind that of all signals stands the path of traces. A name and a password in it
 * become a header.
 */
function readUrl(
  env: EnvironmentVariables,
): { readonly bare: string; readonly headers: TelemetrySettings['headers'] } | null {
  const own = env[`${TRACES}ENDPOINT`]?.trim();
  const text = own || `${env[`${COMMON}ENDPOINT`]?.trim().replace(/\/+$/, '')}/v1/traces`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol) || url.hostname === '') return null;
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { bare: url.href, headers: {} };
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return { bare: url.href, headers: { authorization } };
}

/** "name=value,name=value", with values percent-encoded; null for anything else. */
function readPairs(text: string): Readonly<Record<string, string>> | null {
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 0 || name === '') return null;
    try {
      pairs.push([decodeURIComponent(name), decodeURIComponent(part.slice(at + 1).trim())]);
    } catch {
      return null;
    }
  }
  return Object.fromEntries(pairs);
}

/** Whether they can be sent; the values are not for any message. */
function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

function readTimeout(env: EnvironmentVariables): number {
  const ms = Number(valueIn(env, 'TIMEOUT') ?? TIMEOUT_MS);
  return ms > 0 && ms <= LONGEST_TIMEOUT_MS ? ms : TIMEOUT_MS;
}

/** Who sends. A list of attributes that can't be read counts as none. */
export function readResource(env: EnvironmentVariables, version: string): TelemetryResource {
  const own = readPairs(env['OTEL_RESOURCE_ATTRIBUTES'] ?? '') ?? {};
  const name = env['OTEL_SERVICE_NAME']?.trim();
  return {
    'service.name': 'glassbox',
    'service.version': version,
    'telemetry.sdk.name': 'glassbox',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
    ...own,
    ...(name ? { 'service.name': name } : {}),
  };
}

/** Values that put content on spans: those of the first instrumentations and of the later ones. */
const CONTENT = ['true', 'span_only', 'span_and_event'];

/** Whether the answers of models are told: only where that is asked for. */
export function wantsContent(env: EnvironmentVariables): boolean {
  const word = env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? '';
  return CONTENT.includes(word.trim().toLowerCase());
}
