/** Where the time goes: samples what the processor is at, and puts each sample down to a part of the program. */
import { Session } from 'node:inspector/promises';

export type Share = { readonly part: string; readonly share: number };

/** Parts by a piece of the path of a file, the first that fits; what minds call counts as theirs. */
const PARTS: readonly (readonly [piece: string, part: string])[] = [
  ['/actors/minds/', 'minds'],
  ['/actors/journal/', 'journal'],
  ['/machines/wire.ts', 'journal'],
  ['/machines/canonical.ts', 'journal'],
  ['/node_modules/xstate/', 'xstate'],
  ['/node_modules/rxjs/', 'rxjs'],
  ['/machines/', 'rules and charts'],
  ['/prompts/', 'reading replies'],
  ['/node_modules/zod/', 'reading replies'],
  ['/actors/', 'delivery'],
];
/** Parts that own whatever they call. */
const OWNERS: readonly string[] = ['minds', 'journal'];
/** Microseconds between two samples. */
const INTERVAL = 500;

/** Shares of the time that some work takes, the greatest first. */
export async function whereTimeGoes(work: () => Promise<unknown>): Promise<readonly Share[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return sharesOf(profile.nodes);
}

type Node = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly hitCount?: number | undefined;
  readonly children?: readonly number[] | undefined;
};

function sharesOf(nodes: readonly Node[]): readonly Share[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const hits = new Map<string, number>();
  const walk = ({ callFrame, hitCount = 0, children = [] }: Node, above: string) => {
    const part = partOf(callFrame, above);
    hits.set(part, (hits.get(part) ?? 0) + hitCount);
    for (const id of children) {
      const child = byId.get(id);
      if (child !== undefined) walk(child, part);
    }
  };
  const [root] = nodes;
  if (root !== undefined) walk(root, 'the rest');
  hits.delete('idle');
  const all = [...hits.values()].reduce((sum, count) => sum + count, 0);
  return [...hits]
    .map(([part, count]) => ({ part, share: count / all }))
    .toSorted((one, other) => other.share - one.share);
}

/** The part that a function belongs to; what the engine or a library does belongs to who called it. */
function partOf({ functionName, url }: Node['callFrame'], above: string): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(idle)') return 'idle';
  if (OWNERS.includes(above)) return above;
  return PARTS.find(([piece]) => url.includes(piece))?.[1] ?? above;
}
