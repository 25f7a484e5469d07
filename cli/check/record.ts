/**
 * Records: a counterexample as a journal, so that `watch` opens it like any other meeting.
 *
 * The meeting machine takes the trace again and tells what happens. Where the table is large enough for a meeting, the
 * real actors play the journal once more, and what they write is kept when it says the same: then `replay` plays it
 * too. A loop is told once.
 */

import { type Journal, readJournal } from '../../actors/engine/journal/reader.ts';
import { type RecordedLine, Recorder } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { meetingHeaders } from '../../actors/engine/match.ts';
import { replay } from '../../actors/replay/replay.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import type { LineOf } from '../../machines/journal/lines.ts';
import type { ToMeeting } from '../../machines/messages.ts';
import { dueAfter } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import { encodeMeetingOptions } from '../../machines/setup/options.ts';
import type { Bid, Reply, TickDecision } from '../../machines/types.ts';
import type { Counterexample } from './counterexample.ts';
import type { MeetingEvent } from './run.ts';
import type { Sheet } from './shown.ts';
import { factsOf, walk } from './walk.ts';

/** The text of a journal in which the promise is broken. */
export async function recordOf(example: Counterexample): Promise<string> {
  return (await sheetOf(example)).text;
}

/** The journal, and where in it each step ends. */
export async function sheetOf(example: Counterexample): Promise<Sheet> {
  const { text, ends } = toldBy(example);
  return { text: await asPlayed(text), ends };
}

/** What real actors write, where they tell the same. */
async function asPlayed(text: string): Promise<string> {
  const journal = readJournal(text);
  const played: RecordedLine[] = [];
  const verdict = await replay(journal, (line) => played.push(line));
  if (verdict.type === 'unplayable') return text;
  const length = journal.lines.filter(({ channel }) => channel === 'living').length;
  const living = played.filter(({ channel }) => channel === 'living').slice(0, length);
  const last = living.at(-1);
  if (last === undefined || living.length < length || !saysTheSame(journal, living)) return text;
  const lines = played.slice(0, played.indexOf(last) + 1);
  return lines.map((line) => `${line.text}\n`).join('');
}

/** What the meeting machine tells, under a header that states these options. */
export function toldBy(
  { run, verdict, trace }: Counterexample,
  stated = encodeMeetingOptions(run.subject.setting.options),
): Sheet {
  const { setting, scenario, rules, players } = run.subject;
  const sink = new MemorySink();
  const recorder = new Recorder({ sink });
  const { living, ghosts } = meetingHeaders(
    {
      ...scenario,
      name: `${verdict.name}: ${rules}, ${players} players`,
      about: verdict.sentence,
      options: stated,
      ghosts: { present: false, budget: 0 },
    },
    setting.chance.seed,
  );
  recorder.write('living', [living]);
  recorder.write('ghosts', [ghosts]);
  const events = concrete(trace.events, setting.options);
  const { opening, turns } = walk(run.model, { events });
  // The header has the number 0.
  let last = 0;
  const ends = [opening, ...turns.map(({ effects }) => factsOf(effects))].map((facts) => {
    if (facts.length > 0) recorder.record('living', facts);
    last += facts.length;
    return last;
  });
  return { text: sink.text, ends };
}

/** Whether the actors told the same meeting: all but the scores, which the search does not look at. */
function saysTheSame({ lines, bodies }: Journal, played: readonly RecordedLine[]): boolean {
  const living = lines.flatMap((line, index) =>
    line.channel === 'living' ? [{ line, body: bodies[index] }] : [],
  );
  return living.every(({ line, body }, index) => {
    const other = played[index]?.body;
    if (line.type !== 'tick.closed' || other === undefined) return body === other;
    return canonical(withoutScores(line)) === canonical(withoutScores(JSON.parse(other)));
  });
}

function withoutScores({ type, seq, tick, occasion, bids, floor }: LineOf<'tick.closed'>): object {
  return { type, seq, tick, occasion, bids, floor };
}

/** The events with ticks that are counted on, as far as the clock allows, and with replies as minds send them. */
function concrete(
  events: readonly MeetingEvent[],
  options: MeetingOptions,
): readonly MeetingEvent[] {
  let next = 0;
  return events.map((event) => {
    if (!isTick(event)) return event;
    const isTalk = event.occasion === 'discussion' || event.occasion === 'voting';
    const tick = isTalk ? tickFor(event.tick, next, options) : next;
    next = tick + 1;
    return { ...event, ...spoken(event.bids, event.decision, tick), tick };
  });
}

function isTick(event: MeetingEvent): event is Extract<ToMeeting, { type: 'tick.closed' }> {
  return event.type === 'tick.closed';
}

/** The next tick; another one where the search let the clock jump or stand still. */
function tickFor(searched: number, next: number, options: MeetingOptions): number {
  const isSame = dueAfter(options, next + 1) === dueAfter(options, searched + 1);
  return isSame ? next : searched;
}

/** Whoever has the floor wanted it most: the real arbiter grants it too. */
function spoken(bids: readonly Bid[], verdict: TickDecision | null, t: number) {
  const said = verdict?.said ?? null;
  return {
    bids: bids.map((bid): Bid => {
      if (bid.type === 'fault') return bid;
      const isHeard = said === null || bid.seat === said.speaker;
      const reply = isHeard ? bid.reply : { ...bid.reply, message: '' };
      const asked = said !== null && isHeard ? { ...reply, desire: MOST_DESIRE } : reply;
      return { ...bid, reply: asked, received: receivedAs(asked) };
    }),
    decision: verdict === null || said === null ? verdict : { ...verdict, said: { ...said, t } },
  };
}

const MOST_DESIRE = 10;

/** A reply as a mind sends it. */
export function receivedAs({ thought, desire, message, target, vote, pads }: Reply): object {
  return {
    internal_thought: thought,
    desire_to_speak: desire,
    message,
    target,
    vote_action: vote,
    scratchpad_updates: {
      ...(pads.main === undefined ? {} : { main_scratch: pads.main }),
      ...(pads.meeting === undefined ? {} : { meeting_scratch: pads.meeting }),
    },
  };
}
