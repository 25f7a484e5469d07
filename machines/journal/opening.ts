/** Reads the first line of a journal. It imports no schema, so the page and fast commands need not load one. */
import {
  type FilledGameOptions,
  type FilledMeetingOptions,
  fillGameOptions,
  fillMeetingOptions,
} from '../rules/options.ts';
import type { GameMatch, Match, MeetingMatch } from '../setup/match.ts';
import type { Note } from '../types.ts';
import { FORMAT, OLDEST_RULES, VERSIONS } from '../versions.ts';
import type { Line, LineOf } from './lines.ts';

/** First lines of journals before the current names. */
const EARLIER_HEADERS: readonly unknown[] = ['journal.opened', 'game.opened'];

/** Why a journal with this first line can't be read. Null if it can, or if the value is not a header. */
export function findUnreadable(value: unknown): Note | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, format, rulesVersion }: Readonly<Record<string, unknown>> = { ...value };
  if (EARLIER_HEADERS.includes(type)) {
    return note(
      'version',
      `expected match.opened as the first line, found ${type} of an older program: use the version that wrote the journal, or play the match again from its seed`,
    );
  }
  if (type !== 'match.opened') return null;
  if (typeof format === 'number' && format !== FORMAT) {
    return note(
      'version',
      `expected a journal of format ${FORMAT}, found format ${format}: use the version that wrote it`,
    );
  }
  return findUnknownRules(rulesVersion);
}

/** A header omits defaults, so only a reader that knows the defaults of its rules can read it. */
function findUnknownRules(rulesVersion: unknown): Note | null {
  const expected =
    OLDEST_RULES < VERSIONS.rules ? `${OLDEST_RULES} to ${VERSIONS.rules}` : VERSIONS.rules;
  if (rulesVersion === undefined) {
    return note(
      'rules',
      `expected rulesVersion ${expected}, found none: use the version that wrote the journal, or play the match again from its seed`,
    );
  }
  const isKnown =
    typeof rulesVersion !== 'number' ||
    (rulesVersion >= OLDEST_RULES && rulesVersion <= VERSIONS.rules);
  if (isKnown) return null;
  return note(
    'rules',
    `expected rulesVersion ${expected}, found ${rulesVersion}: use the version that wrote the journal`,
  );
}

function note(code: string, text: string): Note {
  return { code: `journal/${code}`, text };
}

type WithOptions<M extends Match, O> = Omit<M, 'options'> & { readonly options: O };
export type FilledMeeting = WithOptions<MeetingMatch, FilledMeetingOptions>;
export type FilledGame = WithOptions<GameMatch, FilledGameOptions>;

/** The match of a header with every option. Omitted ones get the default of the rules of that journal. */
export function fillMatch({
  match,
  rulesVersion,
}: Pick<LineOf<'match.opened'>, 'match' | 'rulesVersion'>): FilledMeeting | FilledGame {
  return 'call' in match
    ? { ...match, options: fillMeetingOptions(match, rulesVersion) }
    : { ...match, options: fillGameOptions(match, rulesVersion) };
}

type MaybeOpening<M extends object> = { readonly type: Line['type']; readonly match?: M };

export function gameIn<M extends object>(
  line: MaybeOpening<M> | undefined,
): Exclude<M, { readonly call: unknown }> | null {
  const match = line?.match;
  return match !== undefined && isGame(match) ? match : null;
}

export function meetingIn<M extends object>(
  line: MaybeOpening<M> | undefined,
): Extract<M, { readonly call: unknown }> | null {
  const match = line?.match;
  return match !== undefined && isMeeting(match) ? match : null;
}

function isMeeting<M extends object>(match: M): match is Extract<M, { readonly call: unknown }> {
  return 'call' in match;
}

function isGame<M extends object>(match: M): match is Exclude<M, { readonly call: unknown }> {
  return !isMeeting(match);
}

/** The program version of a first line, or null. No hash covers it. */
export function engineIn(line: Pick<Line, 'clock'> | undefined): string | null {
  const engine = line?.clock?.['engine'];
  return typeof engine === 'string' && VERSION.test(engine) ? engine : null;
}

const VERSION = /^[\w.+-]{1,100}$/;
