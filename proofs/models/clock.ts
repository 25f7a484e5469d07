/** A meeting's clock from its options, without the rules under test. */
import type { Table } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';

function countTicks(seconds: number, { secondsPerTick }: MeetingOptions): number {
  return Math.ceil(seconds / secondsPerTick);
}

/** Ticks until ballots are requested, or null if they never are. */
export function askedAfter(options: MeetingOptions): number | null {
  if (options.voteAfter !== null) return options.voteAfter;
  return options.rules === 'classic' ? countTicks(options.discussionTime, options) : null;
}

export function expectedDue(options: MeetingOptions, passed: number): Table['due'] {
  const asked = askedAfter(options);
  if (options.maxTicks !== null && passed >= options.maxTicks) return 'stop';
  if (asked === null || passed < asked) return 'talk';
  const isTimed = options.votingTime > 0;
  return isTimed && passed >= asked + countTicks(options.votingTime, options)
    ? 'time-up'
    : 'ballots';
}

/** A number of ticks after which the clock no longer changes. */
export function lastMark(options: MeetingOptions): number {
  const { discussionTime, votingTime, voteAfter, maxTicks } = options;
  const clock = countTicks(discussionTime + votingTime, options);
  return clock + (voteAfter ?? 0) + (maxTicks ?? 0) + 1;
}

export function listMarks(options: MeetingOptions): readonly number[] {
  const asked = askedAfter(options);
  const voting = asked === null ? [] : [asked, asked + countTicks(options.votingTime, options)];
  return options.maxTicks === null ? voting : [...voting, options.maxTicks];
}

/** The ticks when ballots are requested, voting time ends, and the talk ends in any case. */
export function clockMarks(options: MeetingOptions) {
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
