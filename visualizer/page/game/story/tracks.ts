/**
 * The states of one player and of the arbiter, as far as a journal tells. A tick, a gallery turn and a round
 * are recorded after they end, so every region is at rest then. A line that is recorded while others may
 * still think says nothing about them, and nothing is lit.
 */
import { isAtOnce } from '../../../../machines/rules/mindKinds.ts';
import { LATE } from '../../../../machines/rules/tick.ts';
import type { Colour } from '../../../../machines/types.ts';
import { type ChartStep, createFinder, type StepFinder, withParents } from './activeStates.ts';
import type { DrawnChart } from './pageData.ts';
import { type Moment, TransitionLog } from './story.ts';

export type TrackOwner = Colour | 'arbiter';

export type TrackPlace = {
  /** The innermost active states, one in each known region. */
  readonly leaves: readonly string[];
  /** A lit state whose inner state is unknown, or ''. */
  readonly unknown: string;
};

/** Follows a growing story. A query for a place reads everything up to it. */
export class Track {
  readonly log = new TransitionLog();
  readonly #owner: TrackOwner;
  readonly #find: StepFinder;
  #read = 0;

  constructor(owner: TrackOwner, chart: Pick<DrawnChart, 'edges'>) {
    this.#owner = owner;
    this.#find = createFinder(chart.edges);
  }

  /** The place at a step. `thinks`: a growing journal is waiting for this player. */
  placeAt(moments: readonly Moment[], step: number, thinks: boolean): TrackPlace {
    for (; this.#read < moments.length; this.#read++) this.#add(moments, this.#read);
    const now = moments[step];
    return now === undefined ? NOWHERE : findPlace(now, this.#owner, thinks);
  }

  #add(moments: readonly Moment[], step: number): void {
    const [before, now] = [moments[step - 1], moments[step]];
    if (now === undefined) return;
    const owner = this.#owner;
    const steps = owner === 'arbiter' ? arbiterSteps(now) : playerSteps(before, now, owner);
    const entered =
      before === undefined
        ? listLit(findPlace(now, owner, false))
        : steps.flatMap(({ to }) => to ?? []);
    this.log.add(
      step,
      steps.flatMap((each) => this.#find(each)?.id ?? []),
      entered,
    );
  }
}

export function listLit({ leaves, unknown }: TrackPlace): readonly string[] {
  return [...new Set([...leaves, unknown || null].flatMap(withParents))];
}

const NOWHERE: TrackPlace = { leaves: [], unknown: '' };

function findPlace(moment: Moment, owner: TrackOwner, thinks: boolean): TrackPlace {
  return owner === 'arbiter' ? placeArbiter(moment) : placePlayer(moment, owner, thinks);
}

/** Between two ticks, but where a line came while one was open. */
function placeArbiter({ line, meeting, players }: Moment): TrackPlace {
  if (meeting === null || meeting.isOver || meeting.phase === null) return NOWHERE;
  if (!isWhileAsked(line)) return { leaves: ['arbiter.idle'], unknown: '' };
  const isWaiting =
    line.channel === 'living' &&
    players.some(({ mind, fate }) => fate === 'living' && mind !== null && !isAtOnce(mind));
  return isWaiting
    ? { leaves: ['arbiter.waiting'], unknown: '' }
    : { leaves: [], unknown: 'arbiter' };
}

/** Whether somebody at the table, or on the ship, may have been thinking when a line was written. */
function isWhileAsked(line: Moment['line']): boolean {
  if (line.channel !== 'living' || line.type === 'end.requested') return true;
  return (
    (line.type === 'seat.departed' || line.type === 'stop.requested') &&
    (line.during === 'tick' || line.during === undefined)
  );
}

const FLOOR = 'player.living.floor';
const BALLOT = 'player.living.ballot';
const GHOST = 'player.ghost';
const GONE = 'player.disconnected';

function placePlayer(moment: Moment, seat: Colour, thinks: boolean): TrackPlace {
  const { line, meeting, ship, players } = moment;
  const own = players.find((player) => player.seat === seat);
  if (own === undefined) return NOWHERE;
  if (own.fate === 'left') return { leaves: [GONE], unknown: '' };
  const isLiving = own.fate === 'living';
  const ballot = `${BALLOT}.${meeting?.locked[seat] === undefined ? 'undecided' : 'lockedIn'}`;
  const others = isLiving ? [ballot] : [];
  const isAboard = ship?.lastRound != null || meeting === null;
  const { rest, ship: aboard, talk } = ASKED[isLiving ? 'living' : 'ghost'];
  if (thinks) return { leaves: [(isAboard ? aboard : talk).busy, ...others], unknown: '' };
  const rests = isLiving
    ? !isWhileAsked(line)
    : line.type === 'round.closed' || line.type === 'turn.closed';
  return rests || isAtOnce(own.mind)
    ? { leaves: [rest, ...others], unknown: '' }
    : { leaves: others, unknown: isLiving ? FLOOR : GHOST };
}

/** Where a player rests and where one thinks who is asked; by what, and how the answer comes. */
const ASKED = {
  living: {
    rest: `${FLOOR}.listening`,
    talk: { busy: `${FLOOR}.bidding`, asked: 'bid.requested', answered: 'mind.answered' },
    ship: { busy: `${FLOOR}.deciding`, asked: 'order.requested', answered: 'mind.decided' },
  },
  ghost: {
    rest: `${GHOST}.idle`,
    talk: { busy: `${GHOST}.chatting`, asked: 'talk.invited', answered: 'mind.answered' },
    ship: { busy: `${GHOST}.working`, asked: 'order.requested', answered: 'mind.decided' },
  },
} as const;

function arbiterSteps({ line, players }: Moment): readonly ChartStep[] {
  if (line.type !== 'tick.closed') return [];
  const [idle, asking, waiting] = ['arbiter.idle', 'arbiter.asking', 'arbiter.waiting'];
  const minds = (line.bids ?? []).map(
    ({ seat }) => players.find((player) => player.seat === seat)?.mind ?? null,
  );
  const opened = { from: idle, to: asking };
  const gathered = { to: idle, guard: 'bids.gathered' };
  if (minds.some((mind) => mind !== null && !isAtOnce(mind)))
    return [opened, { from: asking, to: waiting }, { from: waiting, ...gathered }];
  // If the decider is hidden, it is unknown whether anybody was waited for.
  const isKnown = minds.length > 0 && !minds.includes(null);
  return isKnown ? [opened, { from: asking, ...gathered }] : [opened];
}

function playerSteps(before: Moment | undefined, now: Moment, seat: Colour): readonly ChartStep[] {
  const find = (moment: Moment | undefined) =>
    moment?.players.find((player) => player.seat === seat);
  const [was, is] = [find(before), find(now)];
  if (is === undefined || was?.fate === 'left') return [];
  const alive = 'player.living';
  if (was === undefined)
    return [{ from: 'player.arriving', to: is.fate === 'living' ? alive : GHOST }];
  const steps = askedSteps(now.line, was, seat);
  const [had, has] = [before, now].map((moment) => moment?.meeting?.locked[seat] !== undefined);
  const [undecided, lockedIn] = [`${BALLOT}.undecided`, `${BALLOT}.lockedIn`];
  if (was.fate === 'living' && had !== has) {
    const event = now.line.type === 'vote.cleared' ? 'vote.cleared' : 'meeting.opened';
    steps.push(
      has === true
        ? { from: undecided, to: lockedIn }
        : { from: lockedIn, to: undecided, guard: event },
    );
  }
  if (is.fate === was.fate) return steps;
  if (is.fate !== 'left') return [...steps, { from: alive, to: GHOST }];
  // A player who leaves during an open tick may have been thinking, which is another transition.
  return isWhileAsked(now.line) ? steps : [...steps, { from: 'player', to: GONE }];
}

type Asked = { readonly seat: Colour; readonly fault?: string | undefined };

function askedSteps(
  line: Moment['line'],
  { fate, mind }: Moment['players'][number],
  seat: Colour,
): ChartStep[] {
  const isLiving = fate === 'living';
  const { rest, ship, talk } = ASKED[isLiving ? 'living' : 'ghost'];
  const isTalk = line.type === (isLiving ? 'tick.closed' : 'turn.closed');
  const answers: readonly Asked[] | undefined =
    isTalk && 'bids' in line ? line.bids : line.type === 'round.closed' ? line.orders : undefined;
  const own = answers?.find((answer) => answer.seat === seat);
  if (own === undefined || mind === null) return [];
  const { busy, asked, answered } = isTalk ? talk : ship;
  const heeded = { from: rest, to: busy, guard: asked };
  // The line does not tell whether the mind's deadline or the table's ran out.
  return own.fault === LATE ? [heeded] : [heeded, { from: busy, to: rest, guard: answered }];
}
