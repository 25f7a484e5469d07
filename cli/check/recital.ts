/**
 * A recital: a whole meeting that is stepped by hand, as a journal, so that `watch` opens it like any other.
 *
 * Meeting, arbiter, players and gallery are the charts that run, and what they tell is what real actors would: unless
 * the dice are put there, `replay` plays it again to the byte.
 */

import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { meetingHeaders } from '../../actors/engine/match.ts';
import type { Fact } from '../../machines/rules/facts.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { type MeetingMatch, meetingMatchSchema } from '../../machines/setup/match.ts';
import { encodeMeetingOptions } from '../../machines/setup/options.ts';
import type { Company, Cue, Ensemble, Sight } from '../../proofs/models/ensemble.ts';
import { receivedAs } from './record.ts';

export type Recital = {
  readonly company: Company;
  readonly setting: MeetingSetup;
  /** Turns of ghost talk; null where no ghost watches. */
  readonly ghostBudget: number | null;
  readonly title: { readonly name: string; readonly about: string };
  /** What comes from outside next; null where the meeting is left. */
  readonly next: (ensemble: Ensemble) => Cue | null;
};

export type Recited = {
  readonly text: string;
  readonly facts: readonly Fact[];
  /** The number of the last line of the living at the beginning, and after each cue. */
  readonly ends: readonly number[];
};

/** Performs a meeting and writes it down. */
export function recited({ company, next, ...about }: Recital): Recited {
  const sink = new MemorySink();
  const recorder = new Recorder({ sink });
  const { living, ghosts } = meetingHeaders(scenarioOf(about), about.setting.chance.seed);
  recorder.write('living', [living]);
  recorder.write('ghosts', [ghosts]);
  const facts: Fact[] = [];
  const note = (sights: readonly Sight[]) => {
    for (const sight of sights) {
      if (sight.type === 'told') {
        facts.push(sight.fact);
        recorder.record('living', [sight.fact]);
      } else if (sight.type === 'murmured') recorder.record('ghosts', [sight.fact]);
    }
  };
  let performed = company.begin();
  note(performed.sights);
  // The header has the number 0.
  const ends = [facts.length];
  for (let cue = next(performed.ensemble); cue !== null; cue = next(performed.ensemble)) {
    performed = company.perform(performed.ensemble, asSent(cue));
    note(performed.sights);
    ends.push(facts.length);
  }
  return { text: sink.text, facts, ends };
}

/** A reply as a mind sends it. */
function asSent(cue: Cue): Cue {
  if (cue.type !== 'answer' || cue.bid.type !== 'reply') return cue;
  return { ...cue, bid: { ...cue.bid, received: receivedAs(cue.bid.reply) } };
}

function scenarioOf({
  setting: { options, seats, standings, call },
  ghostBudget,
  title,
}: Omit<Recital, 'company' | 'next'>): MeetingMatch {
  return meetingMatchSchema.parse({
    ...title,
    options: encodeMeetingOptions(options),
    call: { by: call.by },
    ghosts: { present: ghostBudget !== null, budget: ghostBudget ?? 0 },
    seats: seats.map(({ colour, role }) => ({ colour, role, dead: standings[colour] === 'dead' })),
  });
}
