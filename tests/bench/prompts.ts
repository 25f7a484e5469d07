/**
 * Prompts: what it costs to put one together, and what their layout saves.
 *
 * A meeting of eight that talks for forty ticks, asked in the order in which it was held. A token is taken as four
 * bytes. What a provider can take from its cache is the longest beginning that a request has in common with the one
 * before it, or with the last one of the same player.
 */
import { createMatch } from '../../actors/engine/match.ts';
import { collectPrompts } from '../../analysis/prompts.ts';
import type { LivingView } from '../../machines/rules/views.ts';
import { meetingMatchSchema } from '../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt } from '../../prompts/prompt.ts';
import { type Timing, timed } from './rounds.ts';

const PLAYERS = 8;
const TICKS = 40;
const BYTES_PER_TOKEN = 4;

export type Layout = {
  readonly calls: number;
  /** Tokens that were sent, and those of them that had been sent before. */
  readonly input: number;
  readonly cached: number;
};

export type PromptBench = {
  readonly assembly: readonly Timing[];
  /** Share of rules and earlier transcript that is the same to the byte in the next request, at the least. */
  readonly leastShared: number;
  readonly shared: Layout;
  readonly naive: Layout;
};

type Sent = { readonly seat: Colour; readonly view: LivingView };

export async function promptBench(rounds: number): Promise<PromptBench> {
  const sent = await talk();
  const texts = sent.map(({ view }) => sharedLayout(view));
  const naive = sent.map(({ view }) => naiveLayout(view));
  return {
    assembly: await timed(
      [
        {
          name: 'naive: everything written anew, private part first',
          run: () => each(sent, naiveLayout),
        },
        { name: 'prompt of a tick of talk', run: () => each(sent, sharedLayout) },
      ],
      rounds,
    ),
    leastShared: leastShared(sent, texts),
    shared: layoutOf(sent, texts),
    naive: layoutOf(sent, naive),
  };
}

function each(sent: readonly Sent[], layout: (view: LivingView) => string): number {
  let length = 0;
  for (const { view } of sent) length += layout(view).length;
  return length > 0 ? sent.length : 0;
}

/** The requests of the first forty ticks of a meeting in which nobody votes before. */
async function talk(): Promise<readonly Sent[]> {
  const match = meetingMatchSchema.parse({
    name: 'forty ticks',
    call: { by: 'red' },
    options: { nudge_after: TICKS },
    seats: COLOURS.slice(0, PLAYERS).map((colour, index) => ({
      colour,
      role: index < 2 ? 'impostor' : 'crewmate',
      votes: 'after-nudge',
    })),
  });
  const creation = createMatch(match, 5);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const requests = await collectPrompts(creation.ready);
  return requests.flatMap(({ seat, request }) =>
    request.kind === 'discussion' && request.index < TICKS ? [{ seat, view: request.view }] : [],
  );
}

function promptOf(view: LivingView) {
  return buildPrompt({ kind: 'discussion', view }, pickIdentity(view.you.persona, 'bench'));
}

function sharedLayout(view: LivingView): string {
  const { system, user } = promptOf(view);
  return joinBlocks(system) + joinBlocks(user);
}

/** The same words as many write them: who you are, the rules, and the whole transcript in fresh JSON. */
function naiveLayout(view: LivingView): string {
  const { system, user } = promptOf(view);
  const own = joinBlocks(user.filter(({ stable }) => !stable));
  return `${own}\n${joinBlocks(system)}\n${JSON.stringify({ transcript: view.table.transcript }, null, 2)}`;
}

function layoutOf(sent: readonly Sent[], texts: readonly string[]): Layout {
  const last: Partial<Record<Colour, Buffer>> = {};
  let before = Buffer.alloc(0);
  let input = 0;
  let cached = 0;
  for (const [index, { seat }] of sent.entries()) {
    const text = Buffer.from(texts[index] ?? '');
    input += text.length;
    cached += Math.max(common(text, before), common(text, last[seat] ?? before));
    last[seat] = text;
    before = text;
  }
  const tokens = (bytes: number) => Math.round(bytes / BYTES_PER_TOKEN);
  return { calls: sent.length, input: tokens(input), cached: tokens(cached) };
}

function leastShared(sent: readonly Sent[], texts: readonly string[]): number {
  let least = 1;
  for (const [index, { view }] of sent.entries()) {
    const next = texts[index + 1];
    if (next === undefined) break;
    const { system, user } = promptOf(view);
    const stable = Buffer.byteLength(
      joinBlocks([...system, ...user].filter((block) => block.stable)),
    );
    const same = common(Buffer.from(texts[index] ?? ''), Buffer.from(next));
    least = Math.min(least, same / stable);
  }
  return least;
}

function common(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  for (let index = 0; index < most; index++) if (one[index] !== other[index]) return index;
  return most;
}

export function shownPrompts({ leastShared: least, shared, naive }: PromptBench): string {
  const row = (name: string, { calls, input, cached }: Layout) => {
    const count = (tokens: number) => tokens.toLocaleString('en').padStart(10);
    const share = `${((100 * cached) / input).toFixed(0)} %`.padStart(5);
    return `  ${name.padEnd(8)}${String(calls).padStart(5)} calls${count(input)} tokens, ${share} cached, ${count(input - cached)} fresh`;
  };
  return [
    `What ${PLAYERS} players are sent in ${TICKS} ticks of talk`,
    row('shared', shared),
    row('naive', naive),
    `  ${(100 * least).toFixed(1)} % of rules and earlier transcript are the same bytes in the next request, at the least; ` +
      `${((naive.input - naive.cached) / (shared.input - shared.cached)).toFixed(1)} times fewer fresh tokens`,
  ].join('\n');
}
