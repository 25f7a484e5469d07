/** The words for events and guards of a chart, and a move as a sentence. */
import { capitalize, listWords } from '../../machines/text.ts';
import type { MachineMove } from './moves.ts';

/** What a row of a table says now, "The tick closes", and of a past move, "tick 6 closed". */
export type ChartWords = { readonly now: string; readonly past: string };

/** In the past `#` stands for the number and `@` for the seat that the event names. */
const EVENTS: Readonly<Record<string, readonly [now: string, past: string]>> = {
  always: ['By itself', ''],
  'tick.closed': ['The tick closes', 'tick # closed'],
  'seat.left': ['A player leaves the table', '@ left the table'],
  'seat.vacated': ['A player leaves the table', '@ left the table'],
  'seat.departed': ['The player leaves', 'the player left'],
  'seat.died': ['The player dies', 'the player died'],
  'bids.gathered': ['All bids are in', 'all bids of tick # were in'],
  'bids.outstanding': ['Somebody is still thinking', 'somebody was still thinking'],
  'bid.late': ['A bid comes too late', 'a bid came too late'],
  'orders.gathered': ['All orders are in', 'all orders of round # were in'],
  'orders.outstanding': ['Somebody is still thinking', 'somebody was still thinking'],
  'bid.requested': ['The mind is asked for a bid', 'the mind was asked for a bid'],
  'order.requested': ['The mind is asked for an order', 'the mind was asked for an order'],
  'talk.invited': ['The ghost is asked for a message', 'the ghost was asked for a message'],
  'mind.answered': ['The mind answers', 'the mind answered'],
  'mind.decided': ['The mind decides', 'the mind decided'],
  'rounds.seen': ['The player sees the ship', 'the player saw the ship'],
  'ghost.joined': ['A player joins the ghosts', '@ joined the ghosts'],
  'ghost.answered': ['A ghost answers', 'a ghost answered'],
  'turn.ended': ['The turn ends', 'the turn ended'],
  'table.changed': ['Something happens at the table', 'something happened at the table'],
  'meeting.over': ['The meeting ends', 'the meeting ended'],
};

/** The past is empty where it goes without saying. */
const GUARDS: Readonly<Record<string, readonly [now: string, past: string]>> = {
  operatorStops: ['The operator stops it', ''],
  leaverIsLiving: ['The player who leaves is alive', ''],
  isCallLegal: ['The call is legal', 'the call was legal'],
  isStopped: ['The operator has stopped the run', 'the operator had stopped the run'],
  isUnconverged: ['A limit of the operator is reached', 'a limit of the operator was reached'],
  everyoneVoted: ['All living players have voted', 'everyone had voted'],
  timeIsUp: ['Voting time is up', 'voting time was up'],
  ballotsAreDue: ['It is time for ballots', 'it was time for ballots'],
  hasNoBeat: ['No pause is set', ''],
  everyBallotTurned: ['Every ballot is turned', 'every ballot had been turned'],
  isOpenTick: ['The open tick is meant', ''],
  isOver: ['The game is decided', 'the game was decided'],
  isCalled: ['A player has called a meeting', 'a player had called a meeting'],
  isThisRound: ['This round is meant', ''],
  hasGlimpse: ['The table has something new', ''],
  hasNoGhosts: ['Nobody is dead', 'nobody was dead'],
  isMeetingOver: ['The meeting is over', ''],
  hasEveryGhostAnswered: ['Every ghost has answered', 'every ghost had answered'],
  isThisTurn: ['This turn is meant', ''],
  isGhost: ['The player is dead', 'the player was dead'],
  isCurrent: ['The last request is meant', ''],
  isMissed: ['The last request is meant', ''],
};

/** The words for an event as the chart writes it. Machines of other projects have names of a similar form. */
export function wordEvent(event: string): ChartWords {
  const [now, past] = EVENTS[event] ?? [];
  if (now !== undefined && past !== undefined) return { now, past };
  const [, kind, what = ''] = /^(after|done|error) ?(.*)$/.exec(event) ?? [];
  const name = spaceOut(what);
  if (kind === 'after') {
    const delay = /^\d/.test(name) ? name : `the ${name}`;
    return { now: `After ${delay}`, past: `${delay} passed` };
  }
  if (kind === 'done') return { now: `The ${name} ends`, past: `the ${name} ended` };
  if (kind === 'error') return { now: `The ${name} fails`, past: `the ${name} failed` };
  const [, noun, verb] = /^([a-z]+)\.([a-z]+(?:ed|en))$/.exec(event) ?? [];
  if (noun === undefined) return { now: event, past: `${event} came` };
  const [is, was] = noun.endsWith('s') ? ['are', 'were'] : ['is', 'was'];
  return { now: `The ${noun} ${is} ${verb}`, past: `the ${noun} ${was} ${verb}` };
}

/** The words for a guard, whose name may join others by "and", "or" and "not". */
export function wordGuard(name: string): ChartWords {
  const now = name.replace(/[\w.]+/g, (part) => {
    const [words] = GUARDS[part] ?? [];
    return words === undefined ? part : lowerFirst(words);
  });
  const past = name.split(' and ').flatMap((part) => GUARDS[part]?.[1] || []);
  return { now: capitalize(now), past: past.join(' and ') };
}

/** "lockedIn" as "locked in". */
function spaceOut(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** What a sentence needs of a chart. */
type ToldChart = {
  readonly id: string;
  readonly nodes: readonly {
    readonly id: string;
    readonly isFinal: boolean;
    readonly description: string;
  }[];
  readonly edges: readonly {
    readonly id: string;
    readonly guard: string | null;
    /** The guard in words. */
    readonly condition: string | null;
    /** In the past, "tick # closed" and "everyone had voted". */
    readonly happened: string;
    readonly was: string;
  }[];
};

/** "Tick 6 closed and everyone had voted, so discussion gave way to voting." */
export function describeMove(
  chart: ToldChart,
  move: MachineMove,
  before: readonly string[],
): string {
  const { actor, event, steps, floor, refusedBy } = move;
  const isStart = event === 'xstate.init';
  const edges = steps.flatMap((step) => step.edges);
  const taken = edges.flatMap((id) => chart.edges.find((edge) => edge.id === id) ?? []);
  const words = chart.edges.find(({ id }) => id.split('|')[1] === event);
  const past = isStart ? `the ${chart.id} began` : (words?.happened ?? `${event} came`);
  const happened = fillWords(past, move);
  if (refusedBy !== undefined)
    return capitalize(`${happened}, but ${tellRefusal(refusedBy, chart)}.`);
  const reasons = [...new Set(taken.flatMap(({ was }) => was || []))];
  const speaker =
    floor == null ? 'nobody asked for the floor' : `${capitalize(floor)} has the floor`;
  const isFloorTold = reasons.length === 0 && floor !== undefined;
  const cause = isFloorTold ? `${happened}: ${speaker}` : listWords([happened, ...reasons]);
  const states = steps.map((step) => step.states);
  const named = actor.includes(':') ? capitalize(actor.split(':')[1] ?? '') : `the ${chart.id}`;
  const stays = isStart ? 'rests' : `${named} stays`;
  const passed = isStart ? states : [before, ...states];
  return capitalize(`${cause}, ${tellOutcome(chart, passed, stays)}.`);
}

function fillWords(past: string, { number, seat }: MachineMove): string {
  return past
    .replace(/(\w+) #/, (_, noun) => (number === undefined ? `the ${noun}` : `${noun} ${number}`))
    .replace('@', seat == null ? 'a player' : capitalize(seat));
}

function tellRefusal(guards: readonly string[], { edges }: ToldChart): string {
  if (guards.length === 0) return 'no transition takes it here';
  const conditions = guards.map(
    (name) => `“${edges.find(({ guard }) => guard === name)?.condition ?? name}”`,
  );
  return `nothing moved: ${listWords(conditions)} ${conditions.length === 1 ? 'does' : 'do'} not hold`;
}

/** Where the states that a move passed through have led. */
function tellOutcome(
  { id, nodes }: ToldChart,
  passed: readonly (readonly string[])[],
  stays: string,
): string {
  const [before = [], after = []] = [passed[0], passed.at(-1)];
  const end = nodes.find((node) => node.isFinal && after.includes(node.id));
  if (end !== undefined)
    return `so ${lowerFirst(end.description.replace(/\.$/, '')) || `the ${id} ended`}`;
  const gone = before.find((state) => !after.includes(state));
  const reached = after.find((state) => !before.includes(state));
  if (gone !== undefined && reached !== undefined) {
    const [from, to] = partPaths(gone, reached);
    return `so ${from} gave way to ${to}`;
  }
  const between = passed.flat().find((state) => !after.includes(state));
  const rest = after.map((state) => spaceOut(state.split('.').at(-1) ?? ''));
  if (between === undefined) return `and ${stays} in ${listWords(rest)}`;
  const paths = partPaths(between, after[0] ?? '');
  return `and the ${paths[2] || id} goes on`;
}

/** Where the paths of two states part, and the state that holds both. */
function partPaths(one: string, other: string): readonly [string, string, string] {
  const [path, way] = [one.split('.'), other.split('.')];
  const at = path.findIndex((key, index) => key !== way[index]);
  const [from = '', to = '', shared = ''] = [path[at], way[at], path[at - 1]].map((key) =>
    spaceOut(key ?? ''),
  );
  return [from, to, shared];
}
