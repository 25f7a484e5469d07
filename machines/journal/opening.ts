/**
 * Opening: what the first line of a journal says, whole or through a lens: its format, which kind of match it opens, and
 * all options of that match.
 *
 * This module needs no schema, so that a page and a command that starts fast can do without one.
 */
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

/** How journals began before their lines had the names that they have now. */
const EARLIER_HEADERS: readonly unknown[] = ['journal.opened', 'game.opened'];

/** Why a journal that begins with this value can't be read; null where it can, or where the value is no header. */
export function findUnreadable(value: unknown): Note | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, format, rulesVersion }: Readonly<Record<string, unknown>> = { ...value };
  if (EARLIER_HEADERS.includes(type)) {
    return note(
      'version',
      `expected a journal that begins with match.opened, found ${type}, as journals began before their lines had other names: use the version that wrote it, or play the match again from its seed`,
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

/** A header leaves out what was at its default: whoever does not know the defaults of that time can't read it. */
function findUnknownRules(rulesVersion: unknown): Note | null {
  const known = `the defaults of the rules ${OLDEST_RULES} to ${VERSIONS.rules}`;
  if (rulesVersion === undefined) {
    return note(
      'rules',
      `this journal does not say by which rules it was played, and this version knows ${known}: use the version that wrote it, or play the match again from its seed`,
    );
  }
  const isKnown =
    typeof rulesVersion !== 'number' ||
    (rulesVersion >= OLDEST_RULES && rulesVersion <= VERSIONS.rules);
  if (isKnown) return null;
  return note(
    'rules',
    `this journal was played by the rules ${rulesVersion}, and this version knows ${known}: use the version that wrote it`,
  );
}

function note(code: string, text: string): Note {
  return { code: `journal/${code}`, text };
}

type WithOptions<M extends Match, O> = Omit<M, 'options'> & { readonly options: O };
/** A match with the default of every option that its header leaves out. */
export type FilledMeeting = WithOptions<MeetingMatch, FilledMeetingOptions>;
export type FilledGame = WithOptions<GameMatch, FilledGameOptions>;

/** The match of a header with all its options: those that are written, and the defaults of the rules it was played by. */
export function fillMatch({
  match,
  rulesVersion,
}: Pick<LineOf<'match.opened'>, 'match' | 'rulesVersion'>): FilledMeeting | FilledGame {
  return 'call' in match
    ? { ...match, options: fillMeetingOptions(match, rulesVersion) }
    : { ...match, options: fillGameOptions(match, rulesVersion) };
}

/** A first line, whole or through a lens. */
type MaybeOpening<M extends object> = { readonly type: Line['type']; readonly match?: M };

/** The game that a line opens; null where it opens none. */
export function gameIn<M extends object>(
  line: MaybeOpening<M> | undefined,
): Exclude<M, { readonly call: unknown }> | null {
  const match = line?.match;
  return match !== undefined && isGame(match) ? match : null;
}

/** The meeting on its own that a line opens; null where it opens none. */
export function meetingIn<M extends object>(
  line: MaybeOpening<M> | undefined,
): Extract<M, { readonly call: unknown }> | null {
  const match = line?.match;
  return match !== undefined && isMeeting(match) ? match : null;
}

/** A match that starts at the table has a call. */
function isMeeting<M extends object>(match: M): match is Extract<M, { readonly call: unknown }> {
  return 'call' in match;
}

function isGame<M extends object>(match: M): match is Exclude<M, { readonly call: unknown }> {
  return !isMeeting(match);
}

/** The version that began the journal of this first line; null where it does not say. It is in no hash. */
export function engineIn(line: Pick<Line, 'clock'> | undefined): string | null {
  const engine = line?.clock?.['engine'];
  return typeof engine === 'string' && VERSION.test(engine) ? engine : null;
}

/** Anything else was written by another program. */
const VERSION = /^[\w.+-]{1,100}$/;
