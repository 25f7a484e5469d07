/** A game between its meetings. Quiet rounds are collected, so hundreds of them become a page. */

import type { SeenLine, SeenOf } from '../../machines/journal/lens.ts';
import {
  countTasks,
  type GameProjection,
  livingOn,
  roleOf,
  type SeenRound,
  type ShipState,
  tasksPerPlayer,
  thoughtIn,
} from '../../machines/journal/projection.ts';
import { pluralize, SYSTEM_NAMES } from '../../machines/text.ts';
import { COLOURS, type Colour, PLACES } from '../../machines/types.ts';
import { formatClock } from '../text.ts';
import {
  type Blocks,
  banner,
  blank,
  INDENT,
  indented,
  joinPhrases,
  type Phrase,
  paragraph,
  styled,
  WIDE_DOT,
} from './layout.ts';
import { END_ASKED, renderCall } from './meeting.ts';
import { clockLead, formatSeconds, listNames, name, seatCode } from './phrases.ts';
import { renderCountdown, renderRoundEvents, summarizeEvent } from './roundEvents.ts';
import {
  renderRoundSummary,
  renderThoughtLine,
  shockedThoughts,
  thoughtWorthTelling,
} from './roundSummary.ts';
import { renderSummary } from './summary.ts';

/** Rounds that are summed up as one: 20 seconds, and 10 where every second counts. */
const SUMMARY_ROUNDS = 8;
const TENSE_SUMMARY_ROUNDS = 4;
/** Rounds from one board to the next where nobody is killed: half a minute. */
const BOARD_ROUNDS = 12;

export type GameStory = {
  readonly ship: ShipState;
  readonly before: ShipState;
  readonly pending: readonly SeenRound[];
  readonly last: SeenRound | null;
  readonly lastThought: string;
  readonly shown: number;
  readonly isResting: boolean;
  /** Whether the rounds are collected until somebody calls. */
  readonly isSkipping: boolean;
};
type StoryStep = { readonly story: GameStory; readonly blocks: Blocks };

export function openStory(ship: ShipState, isSkipping: boolean): GameStory {
  return {
    ship,
    before: ship,
    pending: [],
    last: null,
    lastThought: '',
    shown: 0,
    isResting: true,
    isSkipping,
  };
}

export function tellLine(story: GameStory, line: SeenLine, state: GameProjection): StoryStep {
  const { ship } = state;
  if (line.type === 'round.closed') return tellRound(story, line, state);
  const { story: flushed, blocks } = flushRounds(story);
  const next = { ...flushed, ship, before: ship };
  switch (line.type) {
    case 'meeting.closed':
      return { story: { ...next, isResting: true, last: null, shown: ship.round }, blocks };
    case 'end.requested':
      return { story: next, blocks: [...blocks, END_ASKED] };
    case 'game.closed':
      return { story: next, blocks: [...blocks, ...renderSummary(line, state)] };
    default:
      return { story: next, blocks };
  }
}

export function flushRounds(story: GameStory): StoryStep {
  const { ship, before, pending, lastThought } = story;
  if (story.isSkipping) {
    if (pending.length === 0) return { story, blocks: [] };
    const next = { ...story, before: ship, pending: [], isSkipping: false };
    return { story: next, blocks: [...renderReturn(0, 0), ...renderSkipped(pending, ship)] };
  }
  const thought = thoughtWorthTelling(pending, before);
  const isNew = thought !== null && thought.thought !== lastThought;
  const blocks = [
    ...renderRoundSummary(pending, before, ship),
    ...(isNew ? [renderThoughtLine(thought)] : []),
  ];
  const next = { ...story, before: ship, pending: [] };
  return { story: isNew ? { ...next, lastThought: thought.thought } : next, blocks };
}

function tellRound(story: GameStory, round: SeenRound, state: GameProjection): StoryStep {
  const { ship } = state;
  const { ship: before, last } = story;
  if (story.isSkipping) {
    const pending = [...story.pending, round];
    return { story: { ...story, ship, pending, last: round, isResting: false }, blocks: [] };
  }
  const rest = story.isResting ? renderReturn(before.round, state.meetings) : [];
  const shocks = shockedThoughts(round, last, before);
  const alarms = [...shocks.map(renderThoughtLine), ...renderRoundEvents(round, before)];
  const flushed = alarms.length === 0 ? { story, blocks: [] } : flushRounds(story);
  const next: GameStory = {
    ...flushed.story,
    ship,
    pending: [...flushed.story.pending, round],
    last: round,
    lastThought: shocks.at(-1)?.thought ?? flushed.story.lastThought,
    isResting: false,
  };
  const blocks = [...rest, ...flushed.blocks, ...alarms];
  const { sabotage } = ship;
  const enough =
    sabotage !== null && sabotage.left !== null ? TENSE_SUMMARY_ROUNDS : SUMMARY_ROUNDS;
  const isKill = (round.events ?? []).some(({ type }) => type === 'player.killed');
  const isOwn = ship.lens.type === 'player';
  const isDue = ship.round - story.shown >= BOARD_ROUNDS && alarms.length > 0 && !isOwn;
  if (isKill || isDue) return withBoard(next, blocks);
  return next.pending.length < enough ? { story: next, blocks } : tellSummary(next, blocks);
}

function tellSummary(story: GameStory, blocks: Blocks): StoryStep {
  const { story: next, blocks: summary } = flushRounds(story);
  const { ship } = next;
  const all = [...blocks, ...summary, ...renderCountdown(ship)];
  return ship.round - story.shown < BOARD_ROUNDS
    ? { story: next, blocks: all }
    : withBoard(next, all);
}

function withBoard(story: GameStory, blocks: Blocks): StoryStep {
  const { ship } = story;
  return { story: { ...story, shown: ship.round }, blocks: [...blocks, ...renderBoard(ship)] };
}

/** The rounds up to the first call, as far as the lens shows them. */
function renderSkipped(rounds: readonly SeenRound[], ship: ShipState): Blocks {
  const events = rounds.flatMap((round) => (round.events ?? []).flatMap(summarizeEvent));
  const rest = [[styled('--from start shows all', 'dim')]];
  return [
    paragraph(
      [clockLead(ship.round)],
      joinPhrases(
        [
          [styled(`${pluralize(rounds.length, 'round')} on the ship`)],
          ...listStanding(ship).slice(0, 1),
        ],
        WIDE_DOT,
      ),
    ),
    indented(...joinPhrases([...events, ...rest], WIDE_DOT)),
  ];
}

function renderReturn(round: number, meetings: number): Blocks {
  const title = meetings === 0 ? 'To work' : `${formatClock(round)} Back to work`;
  return [blank(), banner(title)];
}

export function renderGameCall({ last, ship }: GameStory, line: SeenOf<'meeting.called'>): Blocks {
  const thought = last === null || line.by === undefined ? undefined : thoughtIn(last, line.by);
  const dead = ship.losses.flatMap(({ seat, how }) => (how === 'killed' ? [seat] : []));
  const fresh = dead.filter((seat) => seat !== line.body && !ship.knownLost.includes(seat));
  const missing =
    fresh.length === 0
      ? []
      : [
          indented(
            ...listNames(fresh),
            styled(` ${fresh.length === 1 ? 'is' : 'are'} missing`, 'yellow'),
          ),
        ];
  return [...renderCall(line, thought), ...missing];
}

function renderBoard(ship: ShipState): Blocks {
  const standing = listStanding(ship);
  const lines = ship.lens.type === 'glass' ? [standing, listPlaces(ship)] : [standing];
  const lead = ship.lens.type === 'glass' ? styled(`${INDENT}│ `, 'dim') : clockLead(ship.round);
  return lines.flatMap((items) =>
    items.length === 0 ? [] : [paragraph([lead], joinPhrases(items, WIDE_DOT))],
  );
}

function listStanding(ship: ShipState): readonly Phrase[] {
  const { lens, sabotage } = ship;
  const broken =
    sabotage === null ? [] : [[styled(`trouble with ${SYSTEM_NAMES[sabotage.system]}`, 'yellow')]];
  if (lens.type === 'glass') return [taskBarText(ship), ...listCooldowns(ship), ...broken];
  if (lens.type === 'player') return [...ownTasksText(ship, lens.seat), ...broken];
  const steps =
    ship.taskSteps === 0
      ? []
      : [[styled(`${pluralize(ship.taskSteps, 'step')} of tasks done`, 'dim')]];
  return [...steps, ...broken];
}

const BAR_CELLS = 12;

function taskBarText(ship: ShipState): Phrase {
  const { done, all } = countTasks(ship);
  const full = all === 0 ? 0 : Math.floor((BAR_CELLS * done) / all);
  const cells = `${'■'.repeat(full)}${'□'.repeat(BAR_CELLS - full)}`;
  return [
    styled(`${cells} ${done}/${all} tasks`, 'dim'),
    styled(`, ${livingOn(ship).length} living`, 'dim'),
  ];
}

function listCooldowns(ship: ShipState): readonly Phrase[] {
  return livingOn(ship).flatMap((seat) => {
    const wait = ship.killWaits[seat];
    if (wait === undefined) return [];
    const text = wait === 0 ? ' can kill' : ` kills in ${formatSeconds(wait)}`;
    return [[name(seat), styled(text, 'dim')]];
  });
}

function ownTasksText(ship: ShipState, seat: Colour): readonly Phrase[] {
  if (roleOf(ship, seat) === 'impostor') return listCooldowns(ship).slice(0, 1);
  return [[styled(`${ship.tasksDone[seat] ?? 0}/${tasksPerPlayer(ship)} own tasks done`, 'dim')]];
}

/** Players by room. "†" is a body, brackets are a vent. */
function listPlaces(ship: ShipState): readonly Phrase[] {
  const living = livingOn(ship);
  return PLACES.flatMap((place) => {
    const here = COLOURS.filter((seat) => living.includes(seat) && ship.places[seat] === place);
    const bodies = ship.bodies.filter((body) => body.place === place);
    if (here.length + bodies.length === 0) return [];
    const marks = [
      ...here.flatMap((seat) =>
        ship.inVents.includes(seat)
          ? [styled(' ('), seatCode(seat), styled(')')]
          : [styled(' '), seatCode(seat)],
      ),
      ...bodies.flatMap(({ victim }) => [styled(' †', 'redBright'), seatCode(victim)]),
    ];
    return [[styled(place.replace(' hallway', ' hall'), 'dim'), ...marks]];
  });
}
