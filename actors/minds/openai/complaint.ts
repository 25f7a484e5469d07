/**
 * The complaint: that an endpoint has no answer, and what it says about it, wherever it says so.
 *
 * It may be a status, an error within a success, a list of errors, JSON within a string, or a page for people.
 */
import { contentOf } from './content.ts';
import { at } from './response.ts';
import type { Delivery } from './wire.ts';

export type Complaint = {
  /** Of HTTP, or as the error within a success states it; null when nothing is stated. */
  readonly status: number | null;
  /** Everything that is said, in small letters, without what it quotes of our own request. */
  readonly words: string;
  /** One sentence of it, for people. */
  readonly text: string;
  /** The part of the request that it points at, such as `response_format`; null when it points at none. */
  readonly culprit: string | null;
  /** Milliseconds to be left alone, when it says so. */
  readonly waitMs: number | null;
};

/** What is complained about; null when there is an answer. */
export function complaintIn(delivery: Extract<Delivery, { type: 'body' }>): Complaint | null {
  const { status, body, retryAfterMs } = delivery;
  const error = errorIn(body);
  const isWell = status >= 200 && status < 300;
  if (isWell && (typeof body === 'string' || (error === undefined && isCompletion(body))))
    return null;
  const words = flattened(error ?? body).toLowerCase();
  return {
    status: isWell ? statedIn(error) : status,
    words,
    text: excerpt(sentenceIn(error ?? body) ?? flattened(error ?? body)),
    culprit: culpritIn(error ?? body, words),
    waitMs: retryAfterMs ?? waitIn(words),
  };
}

/** A list of choices may be empty; without a list there has to be a text. */
function isCompletion(body: unknown): boolean {
  return Array.isArray(at(body, 'choices')) || contentOf(body).type !== 'nothing';
}

/** The error that a body speaks of: at its top, in a list, or in its first choice; undefined when there is none. */
function errorIn(body: unknown): unknown {
  const top: unknown = Array.isArray(body) ? body[0] : body;
  const inner = at(at(at(top, 'choices'), 0), 'error');
  return [at(top, 'error'), inner].find(
    (one) => one !== undefined && one !== null && one !== false && one !== '',
  );
}

function statedIn(error: unknown): number | null {
  const codes = [at(error, 'code'), at(error, 'status'), at(error, 'status_code')].map(Number);
  return codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? null;
}

/** Fields in which endpoints quote a request or an answer: players' talk says nothing about the endpoint. */
const QUOTING = ['failed_generation', 'flagged_input', 'input', 'messages', 'prompt', 'ctx'];

/** All words of a body. A cause may be written in JSON within a string. */
function flattened(body: unknown): string {
  if (typeof body === 'string') return withoutMarkup(body);
  try {
    const json = JSON.stringify(body, (key, value) => (QUOTING.includes(key) ? undefined : value));
    return (json ?? '').replaceAll(/\\+"/g, '"').replaceAll(/\\[nrt]/g, ' ');
  } catch {
    // Nested without end.
    return '';
  }
}

function withoutMarkup(text: string): string {
  return /^\s*</.test(text)
    ? text.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ').replaceAll(/\s+/g, ' ')
    : text;
}

/** The sentence that is meant for people. */
function sentenceIn(error: unknown): string | null {
  const top: unknown = Array.isArray(error) ? error[0] : error;
  const said = ['message', 'detail', 'msg', 'error', 'title'].map((name) => at(top, name));
  const found = [top, ...said].find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof found === 'string' ? withoutMarkup(found).trim() : null;
}

/** `param` of an error, or the place that a validator names: body.seed. */
function culpritIn(error: unknown, words: string): string | null {
  const param = at(error, 'param');
  if (typeof param === 'string' && param !== '') return rootOf(param);
  const place = /"loc": ?\["body", ?"(\w+)"/.exec(words)?.[1];
  return place ?? null;
}

function rootOf(path: string): string {
  return path.replace(/^body\./, '').split(/[.[]/)[0] ?? '';
}

const TIME =
  '\\d+(?:\\.\\d+)?\\s?(?:h|hours?|m|min|minutes?|ms|milliseconds?|s|sec|seconds?)(?![a-z])';
const SAID_WAIT = new RegExp(`(?:try again|retry_?(?:delay)?|wait)\\D{0,20}?((?:${TIME}\\s?)+)`);

/** "try again in 7m12.5s", "retryDelay": "36s". */
function waitIn(words: string): number | null {
  const said = SAID_WAIT.exec(words)?.[1];
  if (said === undefined) return null;
  const parts = [...said.matchAll(/(\d+(?:\.\d+)?)\s?([a-z]+)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * unitOf(unit), 0);
}

/** Milliseconds of a unit, by its first letters. */
function unitOf(unit: string): number {
  if (unit.startsWith('h')) return 3_600_000;
  if (unit.startsWith('ms') || unit.startsWith('milli')) return 1;
  return unit.startsWith('m') ? 60_000 : 1000;
}

const LONGEST_EXCERPT = 160;

function excerpt(text: string): string {
  return text.length <= LONGEST_EXCERPT ? text : `${text.slice(0, LONGEST_EXCERPT - 1)}…`;
}
