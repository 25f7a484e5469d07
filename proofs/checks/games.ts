/** Whole games on a small ship. Several games with few kinds of events avoid multiplying independent behaviour. */
import {
  type CheckOptions,
  type CheckResult,
  check,
  describeVerdict,
  type Model,
  type Trace,
} from 'glass-box-checker';
import { createCase, createFaultCase, type ReportCase } from 'glass-box-checker/formats';
import type { AnyStateMachine, EventObject } from 'xstate';
import { type GameInput, gameMachine } from '../../machines/charts/game.ts';
import type { GameOptions } from '../../machines/rules/options.ts';
import type { GameCourse } from '../../machines/rules/ship/game.ts';
import type { IntentType, Order } from '../../machines/rules/ship/orders.ts';
import { formatCount } from '../../machines/text.ts';
import { createRandomGame, RANDOM_GAMES, randomEvents, SENSIBLE } from '../models/randomShip.ts';
import {
  createSmallGame,
  crewSymmetry,
  LONG_TASK,
  type ShipEnvironment,
  type ShipEvent,
  shipEvents,
  shipView,
  WITH_CAMERAS,
  wholeView,
} from '../models/ship.ts';
import { listShipProperties } from '../properties/ship.ts';
import { listNames } from '../report/renderCheck.ts';
import { listChartSteps, renderSteps, toPrintable } from '../traces/counterexample.ts';
import { type GameTrace, writeGameTrace } from '../traces/gameTrace.ts';
import { addCounts } from './smallChecks.ts';

export type SmallGame = {
  readonly players: number;
  readonly menu: ShipEnvironment;
  readonly options?: Partial<GameOptions>;
  readonly ship?: Parameters<typeof createSmallGame>[2];
};

export const SMALL_GAMES = {
  'kills and reports': {
    players: 4,
    menu: { walks: true, kills: true, reports: true, meddles: true },
  },
  'the button, leavers and stops': {
    players: 3,
    menu: { walks: true, buttons: true, leavers: 1, stops: true, thinks: true },
    options: { buttons: 1 },
  },
  'vents, doors and tasks': {
    players: 3,
    menu: { walks: true, kills: true, vents: true, doors: ['Storage'], tasks: true, fakes: true },
  },
  'sabotage and repairs': {
    players: 3,
    menu: { walks: true, buttons: true, sabotages: ['reactor'] },
    options: { buttons: 1, emergencyCooldown: 7.5 },
  },
  'oxygen and comms': { players: 3, menu: { walks: true, sabotages: ['o2', 'comms'] } },
  'faults and ghosts who meddle': {
    players: 4,
    menu: { kills: true, reports: true, faults: true, meddles: true, leavers: 1 },
    options: { ghostsDoTasks: true, killCooldown: 2.5 },
  },
  'ghosts who work': {
    players: 4,
    menu: { kills: true, tasks: true, fakes: true },
    options: { ghostsDoTasks: true, killCooldown: 2.5, visualTasks: true },
    ship: { tasks: [LONG_TASK] },
  },
  'long arms, and doors that stay shut': {
    players: 3,
    menu: { walks: true, kills: true, meddles: true, doors: ['Storage'] },
    options: { killDistance: 'long', doorCooldown: 10, crewVision: 0.25, attention: 'all' },
  },
  'short arms, and kills in the dark': {
    players: 3,
    menu: { walks: true, kills: true, sabotages: ['lights'] },
    options: { killDistance: 'short', impostorVision: 0.25, attention: 'few', killCooldown: 7.5 },
  },
  'two impostors at once': {
    players: 5,
    menu: { kills: true, sabotages: ['lights', 'reactor'], doors: ['Storage'] },
    options: { firstKillCooldown: 0 },
    ship: { impostors: 2 },
  },
  'far ways, followers and cameras': {
    players: 3,
    menu: { roams: true, sabotages: ['comms'], doors: ['Storage'] },
    options: { playerSpeed: 1.5, crewVision: 2.5, maxRounds: 3 },
    ship: { map: WITH_CAMERAS },
  },
  'the last round': {
    players: 3,
    menu: { buttons: true, faults: true, outages: true, leavers: 1, tasks: true },
    options: { buttons: 2, maxRounds: 3, emergencyCooldown: 2.5, showImpostors: false },
    ship: { tasks: [LONG_TASK] },
  },
} as const satisfies Readonly<Record<string, SmallGame>>;

export function createGameModel(
  { players, menu, options = {}, ship }: SmallGame,
  machine: AnyStateMachine = gameMachine,
): Model<GameCourse, ShipEvent> {
  const input = createSmallGame(players, options, ship);
  return {
    name: `a game of ${players}`,
    machine,
    input,
    world: shipEvents(menu),
    properties: listShipProperties(menu),
    // Only the last seat roams, so no other is like it.
    ...(menu.roams ? { view: wholeView } : { view: shipView, symmetry: crewSymmetry }),
  };
}

/** Without the properties that only some games have. */
export function createRandomModel(
  game: number,
  machine: AnyStateMachine = gameMachine,
): Model<GameCourse, ShipEvent> {
  const properties = listShipProperties(SENSIBLE).filter(({ kind }) => kind !== 'sometimes');
  const input = createRandomGame(game);
  return { name: 'at random', machine, input, world: randomEvents, properties };
}

export type CheckedGame = {
  readonly name: string;
  readonly players: number;
  readonly model: Model<GameCourse, ShipEvent>;
  readonly found: CheckResult<EventObject>;
  readonly write: (events: readonly EventObject[], title: GameTrace['title']) => string;
};

export function listGameProperties(): readonly string[] {
  const names = Object.values(SMALL_GAMES).flatMap((game) =>
    createGameModel(game).properties.map(({ name }) => name),
  );
  return [...new Set(names)];
}

/** Skips a game without requested properties. */
export function* checkGames(
  only: readonly string[] | null,
  options: Pick<CheckOptions, 'budget' | 'now' | 'memory' | 'onProgress' | 'keepsGraph'>,
): Generator<CheckedGame> {
  const search = (model: Model<GameCourse, ShipEvent>) =>
    check(model, { ...options, only, isSymmetric: true, purity: 'some-steps' });
  const isAsked = ({ properties }: Model<GameCourse, ShipEvent>) =>
    only === null || properties.some(({ name }) => only.includes(name));
  for (const [name, game] of Object.entries<SmallGame>(SMALL_GAMES)) {
    const model = createGameModel(game);
    if (isAsked(model)) yield createChecked(name, model, search(model));
  }
  const models = Array.from({ length: RANDOM_GAMES }, (_, game) => createRandomModel(game));
  yield* joinKept(
    models.filter(isAsked).map((model, game) => {
      const found = search(model);
      // Games at random prove nothing.
      const results = found.results.filter(({ verdict }) => SAMPLED.includes(verdict.type));
      return createChecked(`${model.name} ${game + 1}`, model, { ...found, results });
    }),
  );
}

const SAMPLED: readonly string[] = ['violated', 'incomplete'];

/** Games that keep every property as one. */
function joinKept(games: readonly CheckedGame[]): readonly CheckedGame[] {
  const isKept = ({ found }: CheckedGame) =>
    found.broken === null && found.results.every(({ verdict }) => verdict.type !== 'violated');
  const kept = games.filter(isKept);
  // One that ended early stands for all, so that this is reported.
  const first = kept.find(({ found }) => found.ended !== null) ?? kept[0];
  if (first === undefined) return games;
  const counts = addCounts(kept.map(({ found }) => found));
  const joined = { ...first, name: first.model.name, found: { ...first.found, ...counts } };
  return [...games.filter((game) => !isKept(game)), joined];
}

function createChecked(
  name: string,
  model: Model<GameCourse, ShipEvent>,
  found: CheckedGame['found'],
): CheckedGame {
  const { ship } = model.input as GameInput; // of a game
  const write: CheckedGame['write'] = (events, title) =>
    writeGameTrace({ model, ship, events, title });
  return { name, players: ship.seats.length, model, found, write };
}

export function writeWorstGame(checked: readonly CheckedGame[]): string | null {
  for (const { name, found, write } of checked) {
    if (found.broken === null) continue;
    const events = found.broken.trace.events.slice(0, -1);
    return write(events, { name: `${name}: it breaks`, about: found.broken.message });
  }
  const violated = checked.flatMap(({ name, found, write }) =>
    found.results.flatMap(({ name: property, sentence, verdict, expected }) => {
      if (verdict.type !== 'violated' || expected === 'violated') return [];
      return [
        { events: verdict.trace.events, write, name: `${property}: ${name}`, about: sentence },
      ];
    }),
  );
  const [worst] = violated.toSorted((one, other) => one.events.length - other.events.length);
  return worst === undefined ? null : worst.write(worst.events, worst);
}

const VERBS: Readonly<Record<IntentType, string>> = {
  ...{ wait: 'waits', go: 'goes to', follow: 'follows', task: 'does', fake: 'fakes' },
  ...{ kill: 'kills', vent: 'vents to', surface: 'leaves the vent', sabotage: 'sabotages' },
  ...{ shut: 'shuts', fix: 'fixes at', report: 'reports', button: 'presses the button' },
  watch: 'watches',
};

export function describeGameEvent(event: EventObject): string {
  const known = event as ShipEvent; // the model lists no others
  switch (known.type) {
    case 'orders.gathered':
      return `round ${known.round}: ${known.orders.map(describeOrder).join(', ') || 'nobody acts'}`;
    case 'game.stopped':
      return `the game is stopped (${known.reason})`;
    case 'orders.outstanding':
      return 'some orders are outstanding';
    case 'xstate.done.actor.meetingSession':
      return `the meeting ends: ${known.output.ejected ?? 'nobody'} is ejected`;
    default:
      // A timer.
      return event.type;
  }
}

function describeOrder(order: Order): string {
  if (order.type === 'fault') return `${order.seat} gives no order`;
  const { intent } = order.decision;
  if (intent === null) return `${order.seat} goes on`;
  const { type, ...rest } = intent;
  const about = Object.entries(rest).flatMap(([name, value]) => (name === 'rounds' ? [] : [value]));
  return [order.seat, VERBS[type], ...about].join(' ');
}

function encodeGameTrace(trace: Trace<EventObject>) {
  return { steps: listChartSteps(trace, describeGameEvent), loop: trace.loop };
}

function renderGameTrace(trace: Trace<EventObject>): readonly string[] {
  return renderSteps(encodeGameTrace(trace).steps, trace.loop);
}

const countProperties = (count: number) =>
  `${count} ${count === 1 ? 'property is' : 'properties are'}`;

/** A game as text: its counts, the violated properties with their runs, and the names of undecided ones. */
export function renderCheckedGame({ name, players, model, found }: CheckedGame): readonly string[] {
  const { states, transitions, ended, broken, results } = found;
  const odd = results.filter(({ verdict, expected }) => verdict.type !== expected);
  const violated = odd.filter(({ verdict }) => verdict.type === 'violated');
  const others = Map.groupBy(
    odd.filter((one) => !violated.includes(one)),
    ({ verdict }) => `? ${verdict.type}: ${'why' in verdict ? verdict.why : ''}`,
  );
  const extent = ended === null ? '' : `, ended by ${ended}`;
  const modulo = model.symmetry === undefined ? '' : ' modulo symmetry';
  const { length } = results;
  const kept = length === 0 ? 'no property is violated' : `${countProperties(length)} as declared`;
  const counts = `${formatCount(states)} states${modulo}, ${formatCount(transitions)} steps`;
  const lines = [
    `The game, ${name}: ${players} players, ${counts}${extent}`,
    ...(broken === null
      ? []
      : [`✗ it broke: ${toPrintable(broken.message)}`, ...renderGameTrace(broken.trace)]),
    ...violated.flatMap((one) => [
      `✗ ${one.name}: ${describeVerdict(one)}: ${one.sentence}`,
      ...('why' in one.verdict ? [`  ${one.verdict.why}`] : []),
      ...(one.verdict.type === 'violated' ? renderGameTrace(one.verdict.trace) : []),
    ]),
    ...[...others].map(([why, same]) => `${why}: ${listNames(same.map((one) => one.name))}`),
    ...(odd.length === 0 && broken === null ? [`✓ ${kept}`] : []),
  ];
  // The fault has a line of its own.
  return broken === null ? lines : lines.map((line) => line.replace(` (${broken.message})`, ''));
}

export function gameFields({ name, players, found }: CheckedGame): object {
  const { states, transitions, depth, frontier, ended, broken, seconds, results } = found;
  return {
    game: name,
    players,
    ...{ states, transitions, depth, frontier, ended, seconds },
    broken: broken?.message ?? null,
    counterexample: broken && encodeGameTrace(broken.trace),
    properties: results.map(({ name: property, sentence, kind, expected, verdict }) => ({
      ...{ name: property, sentence, kind, expected },
      verdict: verdict.type,
      why: 'why' in verdict ? verdict.why : null,
      events: verdict.type === 'violated' ? verdict.trace.events : null,
      counterexample: verdict.type === 'violated' ? encodeGameTrace(verdict.trace) : null,
    })),
  };
}

export function listGameCases({ name, found }: CheckedGame): readonly ReportCase[] {
  const suite = `the game, ${name}`;
  const { broken } = found;
  const judged = found.results.map((result) => {
    const { verdict } = result;
    const steps = verdict.type === 'violated' ? renderGameTrace(verdict.trace) : [];
    const why = 'why' in verdict ? verdict.why : verdict.type;
    return createCase(suite, result, [why, ...steps].join('\n'));
  });
  if (broken === null) return judged;
  const text = [broken.message, ...renderGameTrace(broken.trace)].join('\n');
  return [createFaultCase(suite, broken.code, text), ...judged];
}
