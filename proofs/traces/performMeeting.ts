/** Steps the real charts of a meeting by hand and writes a journal for `watch`, which `verify` replays exactly. */
import { meetingHeaders } from '../../actors/engine/match.ts';
import type { MeetingSessionInput } from '../../machines/charts/meetingSession.ts';
import type {
  MeetingSystem,
  SystemInput,
  SystemObservation,
  SystemState,
} from '../models/meetingSystem.ts';
import { createHeaderMatch, TraceJournal, type TraceTitle, withReceived } from './traceJournal.ts';

type MeetingPerformance = Pick<MeetingSessionInput, 'setting' | 'ghostBudget'> & {
  readonly system: MeetingSystem;
  readonly title: TraceTitle;
  readonly next: (state: SystemState) => SystemInput | null;
};

/** `ends` are the numbers of the last living line at the start and after each input. */
export function performMeeting(performance: MeetingPerformance) {
  const { system, setting, ghostBudget, title, next } = performance;
  const ghosts = { present: ghostBudget !== null, budget: ghostBudget ?? 0 };
  const match = createHeaderMatch(setting, { ...title, ghosts });
  const journal = new TraceJournal(meetingHeaders(match, setting.chance.seed));
  const note = (observations: readonly SystemObservation[]) => {
    for (const observation of observations) {
      if (observation.type === 'told') journal.record([observation.fact]);
      else if (observation.type === 'murmured') journal.recordGhosts(observation.fact);
    }
  };
  let performed = system.start();
  note(performed.observations);
  const ends = [journal.last];
  for (let input = next(performed.state); input !== null; input = next(performed.state)) {
    const given = input.type === 'answer' ? { ...input, bid: withReceived(input.bid) } : input;
    performed = system.step(performed.state, given);
    note(performed.observations);
    ends.push(journal.last);
  }
  return { text: journal.text, ends };
}
