/**
 * Prompts of whole games: what players would be sent if models played, and what of it a provider has cached.
 *
 * The games are played by the scripted minds, and each of their requests is put together as a model would get it.
 * `npm run prompts -- --games 20 --players 8` prints the table of docs/prompts.md.
 */
import { parseArgs } from 'node:util';
import { createMatch } from '../actors/engine/match.ts';
import { BYTES_PER_TOKEN, PrefixCache, type SchemaPlace } from '../analysis/caching.ts';
import { collectPrompts, groupByMoment } from '../analysis/prompts.ts';
import type { GameMatch } from '../machines/setup/match.ts';
import { personaOf, plainGame } from '../machines/setup/prepare.ts';
import { joinBlocks } from '../prompts/block.ts';
import { pickIdentity } from '../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../prompts/prompt.ts';

/** Tokens, added up over requests. */
type KindCount = {
  requests: number;
  prompt: number;
  rules: number;
  /** Cached where the schema stands in front of the prompt, and where it does not. */
  cached: number;
  cachedPlain: number;
  promptPlain: number;
};

const NOTHING: KindCount = {
  requests: 0,
  prompt: 0,
  rules: 0,
  cached: 0,
  cachedPlain: 0,
  promptPlain: 0,
};

const { values } = parseArgs({
  options: {
    games: { type: 'string', default: '20' },
    players: { type: 'string', default: '8' },
  },
});
const games = Number(values.games);
const match = plainGame(Number(values.players));
const kinds = new Map<string, KindCount>();
const totals: KindCount[] = [];

for (let seed = 1; seed <= games; seed += 1) {
  const moments = await playPrompts(match, seed);
  const front = countCached(moments, 'in-front');
  const plain = countCached(moments, 'elsewhere');
  let total = NOTHING;
  for (const [index, prompt] of moments.flat().entries()) {
    const one: KindCount = {
      requests: 1,
      prompt: front[index]?.prompt ?? 0,
      rules: Buffer.byteLength(joinBlocks(prompt.system)) / BYTES_PER_TOKEN,
      cached: front[index]?.cached ?? 0,
      cachedPlain: plain[index]?.cached ?? 0,
      promptPlain: plain[index]?.prompt ?? 0,
    };
    const { requestKind } = prompt;
    kinds.set(requestKind, addCounts(kinds.get(requestKind) ?? NOTHING, one));
    total = addCounts(total, one);
  }
  totals.push(total);
}

async function playPrompts(played: GameMatch, seed: number): Promise<readonly Prompt[][]> {
  const creation = createMatch(played, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  return groupByMoment(await collectPrompts(creation.ready)).map((moment) =>
    moment.flatMap(({ seat, request }) => {
      const index = played.seats.findIndex(({ colour }) => colour === seat);
      const own = played.seats[index];
      if (own === undefined) return [];
      return [buildPrompt(request, pickIdentity(personaOf(own, index), `game-${seed}`))];
    }),
  );
}

function countCached(moments: readonly (readonly Prompt[])[], place: SchemaPlace) {
  const cache = new PrefixCache(place);
  return moments.flatMap((prompts) => cache.count(prompts));
}

function addCounts(one: KindCount, other: KindCount): KindCount {
  return {
    requests: one.requests + other.requests,
    prompt: one.prompt + other.prompt,
    rules: one.rules + other.rules,
    cached: one.cached + other.cached,
    cachedPlain: one.cachedPlain + other.cachedPlain,
    promptPlain: one.promptPlain + other.promptPlain,
  };
}

function writeRow(name: string, count: KindCount): string {
  const whole = (sum: number) => Math.round(sum / games).toLocaleString('en-US');
  const share = (part: number, all = count.prompt) => `${((100 * part) / all).toFixed(0)} %`;
  const cells = [
    name,
    (count.requests / games).toFixed(0),
    whole(count.prompt),
    Math.round(count.prompt / count.requests).toLocaleString('en-US'),
    share(count.rules),
    share(count.cached),
    share(count.cachedPlain, count.promptPlain),
    whole(count.prompt - count.cached),
    Math.round((count.prompt - count.cached) / count.requests).toLocaleString('en-US'),
  ];
  return `| ${cells.join(' | ')} |`;
}

console.log(
  '| request | a game | tokens a game | a request | rules | cached, schema in front | cached, no schema | fresh a game | fresh a request |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const [name, count] of kinds) console.log(writeRow(name, count));
console.log(writeRow('all', totals.reduce(addCounts, NOTHING)));
const fresh = totals.map(({ prompt, cached }) => prompt - cached).toSorted((a, b) => a - b);
console.log(
  `\n${games} games of ${match.seats.length}: fresh tokens a game from ${fresh[0]} to ${fresh.at(-1)}, median ${fresh[Math.floor(games / 2)]}`,
);
