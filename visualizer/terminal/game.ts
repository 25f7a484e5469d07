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

export class ShipTeller {
  #ship: ShipState;
  /** The ship before the collected rounds. */
  #before: ShipState;
  #pending: SeenRound[] = [];
  #last: SeenRound | null = null;
  #lastThought = '';
  #boardRound = 0;
  #isResting = true;
  /** Whether the rounds are collected until somebody calls. */
  #isSkipping: boolean;

  constructor(ship: ShipState, isSkipping: boolean) {
    this.#ship = ship;
    this.#before = ship;
    this.#isSkipping = isSkipping;
  }

  tell(line: SeenLine, state: GameProjection): Blocks {
    if (line.type === 'round.closed') return this.#tellRound(line, state);
    const rounds = this.flush();
    this.#ship = state.ship;
    this.#before = state.ship;
    switch (line.type) {
      case 'meeting.called':
        return [...rounds, ...this.#tellCall(line)];
      case 'meeting.closed':
        this.#isResting = true;
        this.#last = null;
        this.#boardRound = state.ship.round;
        return rounds;
      case 'end.requested':
        return [...rounds, END_ASKED];
      case 'game.closed':
        return [...rounds, ...renderSummary(line, state)];
      default:
        return rounds;
    }
  }

  flush(): Blocks {
    const [rounds, before] = [this.#pending, this.#before];
    this.#pending = [];
    this.#before = this.#ship;
    if (this.#isSkipping) {
      if (rounds.length === 0) return [];
      this.#isSkipping = false;
      return [...renderReturn(0, 0), ...renderSkipped(rounds, this.#ship)];
    }
    const thought = thoughtWorthTelling(rounds, before);
    const summary = renderRoundSummary(rounds, before, this.#ship);
    if (thought === null || thought.thought === this.#lastThought) return summary;
    this.#lastThought = thought.thought;
    return [...summary, renderThoughtLine(thought)];
  }

  #tellRound(round: SeenRound, { ship, meetings }: GameProjection): Blocks {
    if (this.#isSkipping) {
      this.#collect(round, ship);
      return [];
    }
    const before = this.#ship;
    const rest = this.#isResting ? renderReturn(before.round, meetings) : [];
    const shocks = shockedThoughts(round, this.#last, before);
    const alarms = [...shocks.map(renderThoughtLine), ...renderRoundEvents(round, before)];
    const blocks = [...rest, ...(alarms.length === 0 ? [] : this.flush()), ...alarms];
    this.#collect(round, ship);
    this.#lastThought = shocks.at(-1)?.thought ?? this.#lastThought;
    const isKill = (round.events ?? []).some(({ type }) => type === 'player.killed');
    const isDue = ship.round - this.#boardRound >= BOARD_ROUNDS;
    const isOwn = ship.lens.type === 'player';
    if (isKill || (isDue && alarms.length > 0 && !isOwn)) return [...blocks, ...this.#showBoard()];
    const isTense = ship.sabotage !== null && ship.sabotage.left !== null;
    if (this.#pending.length < (isTense ? TENSE_SUMMARY_ROUNDS : SUMMARY_ROUNDS)) return blocks;
    const summary = [...blocks, ...this.flush(), ...renderCountdown(ship)];
    return isDue ? [...summary, ...this.#showBoard()] : summary;
  }

  #collect(round: SeenRound, ship: ShipState): void {
    this.#ship = ship;
    this.#pending.push(round);
    this.#last = round;
    this.#isResting = false;
  }

  #showBoard(): Blocks {
    this.#boardRound = this.#ship.round;
    return renderBoard(this.#ship);
  }

  #tellCall(line: SeenOf<'meeting.called'>): Blocks {
    const { losses, knownLost } = this.#ship;
    const [last, { by }] = [this.#last, line];
    const thought = last === null || by === undefined ? undefined : thoughtIn(last, by);
    const fresh = losses.flatMap(({ seat, how }) =>
      how === 'killed' && seat !== line.body && !knownLost.includes(seat) ? [seat] : [],
    );
    if (fresh.length === 0) return renderCall(line, thought);
    const missing = styled(` ${fresh.length === 1 ? 'is' : 'are'} missing`, 'yellow');
    return [...renderCall(line, thought), indented(...listNames(fresh), missing)];
  }
}

function renderSkipped(rounds: readonly SeenRound[], ship: ShipState): Blocks {
  const events = rounds.flatMap((round) => (round.events ?? []).flatMap(summarizeEvent));
  const length = `${pluralize(rounds.length, 'round')} on the ship`;
  const rest = [[styled('--from start shows all', 'dim')]];
  return [
    paragraph(
      [clockLead(ship.round)],
      joinPhrases([[styled(length)], ...listStanding(ship).slice(0, 1)], WIDE_DOT),
    ),
    indented(...joinPhrases([...events, ...rest], WIDE_DOT)),
  ];
}

function renderReturn(round: number, meetings: number): Blocks {
  const title = meetings === 0 ? 'To work' : `${formatClock(round)} Back to work`;
  return [blank(), banner(title)];
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
