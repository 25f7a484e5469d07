/**
 * The clock of a meeting, worked out from its options without the rules: what the world lets happen and what properties
 * demand must not depend on the rule that is judged.
 */
import type { Table } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';

/** Ticks that a span of seconds takes. */
function countTicks(seconds: number, { secondsPerTick }: MeetingOptions): number {
  return Math.ceil(seconds / secondsPerTick);
}

/** Ticks after which ballots are asked for; null where they never are. */
export function askedAfter(options: MeetingOptions): number | null {
  if (options.voteAfter !== null) return options.voteAfter;
  return options.rules === 'classic' ? countTicks(options.discussionTime, options) : null;
}

/** What the clock asks for once so many ticks are over. */
export function expectedDue(options: MeetingOptions, passed: number): Table['due'] {
  const asked = askedAfter(options);
  if (options.maxTicks !== null && passed >= options.maxTicks) return 'stop';
  if (asked === null || passed < asked) return 'talk';
  const isTimed = options.votingTime > 0;
  return isTimed && passed >= asked + countTicks(options.votingTime, options)
    ? 'time-up'
    : 'ballots';
}

/** A number of ticks after which nothing new falls due. */
export function lastMark(options: MeetingOptions): number {
  const { discussionTime, votingTime, voteAfter, maxTicks } = options;
  const clock = countTicks(discussionTime + votingTime, options);
  return clock + (voteAfter ?? 0) + (maxTicks ?? 0) + 1;
}

/** Ticks after which something may fall due. */
export function listMarks(options: MeetingOptions): readonly number[] {
  const asked = askedAfter(options);
  const voting = asked === null ? [] : [asked, asked + countTicks(options.votingTime, options)];
  return options.maxTicks === null ? voting : [...voting, options.maxTicks];
}

/** Ticks after which the clock of the meeting changes something; null where it never does. */
type ClockMarks = {
  readonly ballots: number | null;
  readonly end: number | null;
  readonly timeUp: number | null;
};

/** When ballots are asked for, when voting time is up, and when the talk ends in any case. */
export function clockMarks(options: MeetingOptions): ClockMarks {
  const { maxTicks, votingTime } = options;
  const asked = askedAfter(options);
  const timeUp =
    asked === null || votingTime === 0 ? null : asked + countTicks(votingTime, options);
  const least = (mark: number | null) =>
    mark === null || maxTicks === null ? (mark ?? maxTicks) : Math.min(mark, maxTicks);
  const isInTime = timeUp !== null && (maxTicks === null || timeUp < maxTicks);
  return {
    ballots: asked === null ? null : least(asked),
    end: least(timeUp),
    timeUp: isInTime ? timeUp : null,
  };
}
