/**
 * Histories: the promises of a meeting, judged over a meeting that was recorded.
 *
 * What came from outside is taken from the journal and handed to the meeting machine. As long as the machine tells
 * what the journal tells, each promise is judged by the machine's steps; where the two part, by what the journal says
 * happened, and there the judging ends.
 */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import type { MeetingMatch } from '../../machines/setup/match.ts';
import { settingFor } from '../../machines/setup/prepare.ts';
import type {
  MeetingPromise,
  RestPromise,
  Turn,
  TurnPromise,
} from '../../proofs/properties/promise.ts';
import { meetingPromises } from '../../proofs/properties/properties.ts';
import { type Finding, Retelling } from './retelling.ts';
import { CHANCE } from './subject.ts';

export type History = {
  readonly path: string;
  /** Steps of the meeting that were judged. */
  readonly steps: number;
  /** Whether every line was judged. */
  readonly isWhole: boolean;
  /** Whether the meeting was over where the journal ends. */
  readonly isFinished: boolean;
  readonly judged: readonly {
    readonly name: string;
    readonly sentence: string;
    /** Steps or states of which it spoke. */
    readonly applied: number;
    readonly finding: Finding | null;
  }[];
};

type Judgeable = TurnPromise | RestPromise;

/** Promises that can be judged by one meeting: not what can be, and not what happens at last. */
export function isJudgeable(promised: MeetingPromise): promised is Judgeable {
  return promised.kind === 'step' || promised.kind === 'always' || promised.kind === 'never';
}

/** That the record is one of this meeting at all. */
export const AS_RULED = {
  name: 'told-by-the-rules',
  sentence: 'What a journal tells is what the meeting tells when the same is done to it.',
} as const;

function historyPromises(scenario: MeetingMatch): readonly Judgeable[] {
  const setting = settingFor(scenario, CHANCE);
  const departures = setting.seats.length;
  return meetingPromises(setting, { faults: true, departures, stops: true }).filter(isJudgeable);
}

/** Rests between the steps are where something may have come from outside. */
export function judgedScenario(scenario: MeetingMatch): MeetingMatch {
  return { ...scenario, options: { ...scenario.options, beat_ms: 1 } };
}

/** Judges a journal; null where it has no header. */
export function historyOf(
  path: string,
  journal: Journal,
  only: readonly string[] | null,
): History | null {
  const [header] = journal.lines;
  if (header?.type !== 'journal.opened') return null;
  const scenario = judgedScenario(header.scenario);
  const promises = historyPromises(scenario).filter(({ name }) => only?.includes(name) ?? true);
  const told = new Retelling(journal, settingFor(scenario, CHANCE));
  const tallies = promises.map((promised) => new Tally(promised));
  const parted = told.judge(tallies);
  const asRuled = { ...AS_RULED, applied: told.steps, finding: parted };
  return {
    path,
    steps: told.steps,
    isWhole: parted === null,
    isFinished: journal.lines.some(({ type }) => type === 'meeting.closed'),
    judged: [...tallies.map((tally) => tally.judged()), asRuled],
  };
}

/** How often a promise spoke, and where it was broken first. */
class Tally {
  readonly #promised: Judgeable;
  #applied = 0;
  #finding: Finding | null = null;

  constructor(promised: Judgeable) {
    this.#promised = promised;
  }

  look(turn: Turn, line: number): void {
    const promised = this.#promised;
    if (promised.kind === 'step' && promised.when?.(turn) === false) return;
    this.#applied += 1;
    const holds =
      promised.kind === 'step'
        ? promised.holds(turn)
        : promised.holds(turn.after) === (promised.kind === 'always');
    if (!holds) this.#finding ??= { line, text: promised.sentence };
  }

  judged() {
    const { name, sentence } = this.#promised;
    return { name, sentence, applied: this.#applied, finding: this.#finding };
  }
}
