/**
 * Prompts of whole games: what players would be sent if models played, and what of it a provider has cached.
 *
 * The games are played by the scripted minds, and each of their requests is put together as a model would get it.
 * `npm run prompts -- --games 20 --players 8` prints the table of docs/prompts.md, and with `--attentions` what asking the
 * players more or less often on the ship costs and does.
 */
import { parseArgs } from 'node:util';
import { createMatch, type GameFinish } from '../../actors/engine/match.ts';
import { BYTES_PER_TOKEN, PrefixCache, type SchemaPlace } from '../../analysis/caching.ts';
import { groupByMoment, overhearGame } from '../../analysis/prompts.ts';
import { wilsonInterval } from '../../analysis/statistics.ts';
import { ATTENTIONS, type GameOptions } from '../../machines/rules/options.ts';
import type { GameMatch } from '../../machines/setup/match.ts';
import { personaOf, plainGame } from '../../machines/setup/prepare.ts';
import { joinBlocks } from '../../prompts/block.ts';
import { pickIdentity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt } from '../../prompts/prompt.ts';

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
    attention: { type: 'string', default: 'normal' },
    attentions: { type: 'boolean', default: false },
  },
});
const games = Number(values.games);
const plain = plainGame(Number(values.players));

/** What games with one setting cost, and how they went. */
type Costs = {
  readonly kinds: ReadonlyMap<string, KindCount>;
  /** Of each game, all kinds together. */
  readonly totals: readonly KindCount[];
  readonly finishes: readonly GameFinish[];
};

async function countCosts(attention: GameOptions['attention']): Promise<Costs> {
  const match: GameMatch = { ...plain, options: { ...plain.options, attention } };
  const kinds = new Map<string, KindCount>();
  const totals: KindCount[] = [];
  const finishes: GameFinish[] = [];
  for (let seed = 1; seed <= games; seed += 1) {
    const { moments, finish } = await playPrompts(match, seed);
    const front = countCached(moments, 'in-front');
    const elsewhere = countCached(moments, 'elsewhere');
    let total = NOTHING;
    for (const [index, prompt] of moments.flat().entries()) {
      const one: KindCount = {
        requests: 1,
        prompt: front[index]?.prompt ?? 0,
        rules: Buffer.byteLength(joinBlocks(prompt.system)) / BYTES_PER_TOKEN,
        cached: front[index]?.cached ?? 0,
        cachedPlain: elsewhere[index]?.cached ?? 0,
        promptPlain: elsewhere[index]?.prompt ?? 0,
      };
      const { requestKind } = prompt;
      kinds.set(requestKind, addCounts(kinds.get(requestKind) ?? NOTHING, one));
      total = addCounts(total, one);
    }
    totals.push(total);
    finishes.push(finish);
  }
  return { kinds, totals, finishes };
}

async function playPrompts(played: GameMatch, seed: number) {
  const creation = createMatch(played, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const { requests, finish } = await overhearGame(creation.ready);
  const moments = groupByMoment(requests).map((moment) =>
    moment.flatMap(({ seat, request }): Prompt[] => {
      const index = played.seats.findIndex(({ colour }) => colour === seat);
      const own = played.seats[index];
      if (own === undefined) return [];
      return [buildPrompt(request, pickIdentity(personaOf(own, index), `game-${seed}`))];
    }),
  );
  return { moments, finish };
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

function writeWhole(sum: number): string {
  return Math.round(sum / games).toLocaleString('en-US');
}

function writeRow(name: string, count: KindCount): string {
  const share = (part: number, all = count.prompt) => `${((100 * part) / all).toFixed(0)} %`;
  const fresh = count.prompt - count.cached;
  return writeCells([
    name,
    (count.requests / games).toFixed(0),
    writeWhole(count.prompt),
    Math.round(count.prompt / count.requests).toLocaleString('en-US'),
    share(count.rules),
    share(count.cached),
    share(count.cachedPlain, count.promptPlain),
    writeWhole(fresh),
    Math.round(fresh / count.requests).toLocaleString('en-US'),
  ]);
}

function writeCells(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The costs of one setting, by the kind of request. */
function printKinds({ kinds, totals }: Costs): void {
  console.log(
    '| request | a game | tokens a game | a request | rules | cached, schema in front | cached, no schema | fresh a game | fresh a request |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const [name, count] of kinds) console.log(writeRow(name, count));
  console.log(writeRow('all', totals.reduce(addCounts, NOTHING)));
  const fresh = totals.map(({ prompt, cached }) => prompt - cached).toSorted((a, b) => a - b);
  console.log(
    `\n${games} games of ${plain.seats.length}: fresh tokens a game from ${fresh[0]} to ${fresh.at(-1)}, median ${fresh[Math.floor(games / 2)]}`,
  );
}

/** What a setting costs and does, in one row. */
function writeAttention(attention: string, { kinds, totals, finishes }: Costs): string {
  const ship = kinds.get('action') ?? NOTHING;
  const all = totals.reduce(addCounts, NOTHING);
  const sum = (count: (finish: GameFinish) => number) =>
    finishes.reduce((before, finish) => before + count(finish), 0);
  const won = finishes.filter(({ winner }) => winner === 'impostors').length;
  const votes = finishes.filter(({ reason }) => reason === 'vote').length;
  const interval = wilsonInterval(won, finishes.length);
  const percent = (share = 0) => (100 * share).toFixed(0);
  return writeCells([
    `\`${attention}\``,
    (ship.requests / games).toFixed(0),
    (all.requests / games).toFixed(0),
    writeWhole(all.prompt),
    writeWhole(ship.prompt - ship.cached),
    writeWhole(all.prompt - all.cached),
    `${percent(interval?.share)} % (${percent(interval?.least)} to ${percent(interval?.most)})`,
    `${percent(votes / games)} %`,
    (sum(({ meetings }) => meetings) / games).toFixed(1),
    (sum(({ rounds }) => rounds) / games).toFixed(0),
  ]);
}

if (values.attentions) {
  console.log(
    '| attention | requests on the ship | all requests | tokens a game | fresh on the ship | fresh a game | impostors win | ended by a vote | meetings | rounds |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const attention of ATTENTIONS)
    console.log(writeAttention(attention, await countCosts(attention)));
} else {
  const attention = ATTENTIONS.find((one) => one === values.attention);
  if (attention === undefined) {
    console.error(
      `--attention: expected one of ${ATTENTIONS.join(', ')}, found "${values.attention}"`,
    );
    process.exitCode = 2;
  } else printKinds(await countCosts(attention));
}
