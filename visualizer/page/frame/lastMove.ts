/** The last move of a machine as a sentence. */
import { capitalize, listWords } from '../../../machines/text.ts';
import { lowerFirst, spaceOut } from '../../charts/chartWords.ts';
import type { MachineMove } from '../../charts/moves.ts';
import type { WordedChart } from '../game/story/pageData.ts';

/** "Tick 6 closed and everyone had voted, so discussion gave way to voting." */
export function describeMove(
  chart: WordedChart,
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

function tellRefusal(guards: readonly string[], { edges }: WordedChart): string {
  if (guards.length === 0) return 'no transition takes it here';
  const conditions = guards.map(
    (name) => `“${edges.find(({ guard }) => guard === name)?.condition ?? name}”`,
  );
  return `nothing moved: ${listWords(conditions)} ${conditions.length === 1 ? 'does' : 'do'} not hold`;
}

function tellOutcome(
  { id, nodes }: WordedChart,
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
