/** Writes a run of `check --game` as a journal for `watch`. A meeting is one event of it, so there is no talk. */
import { chooseStepper, type Model } from 'glass-box-checker';
import type { EventObject } from 'xstate';
import type { Fact } from '../../machines/rules/facts.ts';
import { GAME_OPTIONS } from '../../machines/rules/optionRows.ts';
import type { GameOptions } from '../../machines/rules/options.ts';
import type { GameCourse, GameFact } from '../../machines/rules/ship/game.ts';
import type { Ship } from '../../machines/rules/ship/world.ts';
import { gameMatchSchema } from '../../machines/setup/match.ts';
import { encodeGameOptions } from '../../machines/setup/options.ts';
import { capitalize } from '../../machines/text.ts';
import { COLOURS } from '../../machines/types.ts';
import { FORMAT, VERSIONS } from '../../machines/versions.ts';
import type { MeetingOver, ShipEvent } from '../models/ship.ts';
import { readFacts } from '../properties/property.ts';
import { TraceJournal, type TraceTitle } from './traceJournal.ts';

export type GameTrace = {
  readonly model: Model<GameCourse, ShipEvent>;
  readonly ship: Ship;
  readonly events: readonly EventObject[];
  readonly title: TraceTitle;
};

export function writeGameTrace({ model, ship, events, title }: GameTrace): string {
  const match = createHeaderMatch(ship, title);
  const journal = new TraceJournal({
    living: { type: 'match.opened', format: FORMAT, rulesVersion: VERSIONS.rules, seed: 0, match },
    ghosts: { type: 'gallery.opened', present: false, budget: 0, minds: {} },
  });
  const { stepper } = chooseStepper(model);
  const begun = stepper.initial();
  let { point } = begun;
  journal.record(readFacts<GameFact>(begun.effects));
  for (const event of events) {
    const before = point;
    if (isMeetingOver(event)) journal.record(listMeetingFacts(before.context, event.output));
    const { point: after, effects } = stepper.step(before, event);
    point = after;
    journal.record(readFacts<GameFact>(effects));
    const isCalled = before.place.name !== 'meeting' && point.place.name === 'meeting';
    if (isCalled) journal.record(listCallFacts(point.context));
  }
  return journal.text;
}

/** The match file of the game. It states the roles and deals no tasks, because the search has its own. */
function createHeaderMatch(ship: Ship, title: TraceTitle) {
  const { options, meeting, computed, seats } = ship;
  const { places: _, adminTable, ...map } = ship.map;
  const stated = encodeGameOptions(toLobby(options), meeting);
  return gameMatchSchema.parse({
    ...title,
    map: { ...map, admin_table: adminTable },
    options: computed.length === 0 ? stated : { ...stated, weights: undefined },
    seats,
  });
}

/** The clocks of a small game are outside the lobby's range, so the header states the nearest valid values. */
function toLobby(options: GameOptions): GameOptions {
  const inRange = GAME_OPTIONS.flatMap((row) => {
    const value = options[row.key];
    if (row.type !== 'number' || typeof value !== 'number') return [];
    const { least, most, step } = row.range;
    return [[row.key, step * Math.round(Math.min(most, Math.max(least, value)) / step)]];
  });
  return { ...options, ...Object.fromEntries(inRange) };
}

function isMeetingOver(event: EventObject): event is MeetingOver {
  return event.type === ('xstate.done.actor.meetingSession' satisfies MeetingOver['type']);
}

function listCallFacts({ call }: GameCourse): readonly Fact[] {
  const begun: Fact = { type: 'phase.entered', phase: 'interrupt' };
  return call === null ? [begun] : [begun, { type: 'meeting.called', call }];
}

function listMeetingFacts(
  { world }: GameCourse,
  { outcome, ejected, standings }: MeetingOver['output'],
): readonly Fact[] {
  const leavers = COLOURS.filter(
    (seat) => standings[seat] === 'departed' && world.standings[seat] !== 'departed',
  );
  const sentence =
    ejected === null ? 'No one was ejected. (Skipped)' : `${capitalize(ejected)} was ejected.`;
  return [
    ...leavers.map(
      (seat): Fact => ({ type: 'seat.departed', seat, reason: 'left', during: 'pause' }),
    ),
    { type: 'phase.entered', phase: 'reveal' },
    { type: 'verdict.announced', sentence, outcome, ejected },
    { type: 'meeting.closed', outcome, ejected },
  ];
}
