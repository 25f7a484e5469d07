/** The judgement of a storm when all is over: what must be there is there, once, and as it would be without a storm. */
import { createHash } from 'node:crypto';
import { journalPath, listJournals, openJournalPath } from '../../actors/league/journals.ts';
import { roundsOf } from '../../actors/league/plan.ts';
import { isPartial } from '../../actors/ports/disk.ts';
import type { InMemoryStore } from '../../actors/stores/inMemory.ts';
import { encodeResult } from '../../actors/stores/result.ts';
import { checkCareers, type VerifyOptions, verifyLeague } from '../../analysis/league/verify.ts';
import { canonical } from '../../machines/journal/canonical.ts';
import { TOKEN } from './promises.ts';
import { exportLeague, exportQuietly } from './quiet.ts';
import type { World } from './world.ts';

export async function judgeEnd(world: World): Promise<void> {
  const store = world.isLocal ? world.machine('alpha').file.store : world.server.store;
  await judgeResults(world, store);
  await judgeJournals(world, store);
  await judgeExport(world, store);
}

async function judgeResults(world: World, store: InMemoryStore): Promise<void> {
  const { promises, plan } = world;
  const { name, games, budget } = plan.league;
  const slots = await store.slots(name);
  const isCut = Object.keys(budget).length > 0;
  if (!isCut && slots.length !== games)
    promises.broken('one-result', `${slots.length} of ${games} slots have a result`);
  for (const finding of await checkCareers(store)) promises.broken('counted-once', finding.text);
  const bodies = new Map<number, string>();
  for await (const result of store.results(name))
    bodies.set(result.slot, encodeResult(result).body);
  for (const [slot, body] of promises.acknowledged) {
    if (bodies.get(slot) !== body)
      promises.broken(
        'acknowledged',
        `the result of slot ${slot} is ${bodies.has(slot) ? 'another one' : 'gone'}`,
      );
  }
}

async function judgeJournals(world: World, store: InMemoryStore): Promise<void> {
  const { plan, promises } = world;
  const { games } = plan.league;
  const { folder } = world.lastRun;
  const machine = world.machine(world.lastRun.machine);
  const files = machine.disk.files();
  const disk = machine.disk.look();
  const options: VerifyOptions = {
    store,
    plan,
    findJournal: async (slot) => files.get(journalPath(folder, slot, games)) ?? null,
    journals: listJournals(folder, games, disk),
    sample: { games: 0, seed: 1 },
  };
  const digest = await digestLeague(options);
  if (!verified.has(digest)) {
    const { findings } = await verifyLeague(options);
    for (const { text } of findings) promises.broken('journals', text);
    if (findings.length === 0) verified.add(digest);
  }
  // After a start of the machine, or where processes repeat numbers, a shared folder may keep halves: their writer is unknown.
  const isKnown = world.isLocal || (machine.starts === 0 && !world.scenario.repeatsIds);
  const halves = disk.has(folder) ? disk.list(folder).filter(isPartial) : [];
  if (isKnown && halves.length > 0)
    promises.broken('files', `half of a file is left: ${halves.join(', ')}`);
  for (const slot of await store.slots(plan.league.name)) {
    if (!files.has(journalPath(folder, slot, games)))
      promises.broken('files', `${machine.name} has no journal of slot ${slot}`);
    if (hasRepeatedAnswer(files.get(journalPath(folder, slot, games)) ?? ''))
      promises.broken('one-question', `an answer stands twice in the journal of slot ${slot}`);
    if (world.isLocal && files.has(openJournalPath(folder, slot, games)))
      promises.broken('files', `the open journal of slot ${slot} is still there`);
  }
}

/** Whether two lines of a journal have an answer of a model from one request. */
function hasRepeatedAnswer(text: string): boolean {
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    const tokens = new Set([...line.matchAll(TOKEN)].map(([token]) => token));
    if ([...tokens].some((token) => seen.has(token))) return true;
    for (const token of tokens) seen.add(token);
  }
  return false;
}

/** Leagues that were verified, by the digest of all that was: most leagues of offline minds end alike, to the byte. */
const verified = new Set<string>();

/** Of all that verification reads, but for careers, which are judged with the results. */
async function digestLeague({
  store,
  plan,
  findJournal,
  journals,
}: VerifyOptions): Promise<string> {
  const { name, games } = plan.league;
  const rounds = roundsOf(plan).keys();
  const settled = await Promise.all([...rounds].map((n) => store.settled(name, `round:${n}`)));
  const states = [...(await store.journals(name))];
  const all = createHash('sha256');
  all.update(canonical([plan, await store.audit(name), journals, settled, states]));
  for (let slot = 0; slot < games; slot++) {
    const [text, kept] = [await findJournal(slot), await store.journal({ league: name, slot })];
    all.update(`\n${text === null ? 'none' : text.length} ${kept?.packed.length ?? 'none'}\n`);
    all.update(text ?? '').update(kept?.packed ?? '');
  }
  return all.digest('hex');
}

async function judgeExport(world: World, store: InMemoryStore): Promise<void> {
  if (world.scenario.hasModels) return;
  const quiet = await exportQuietly(world.plan);
  const found = await exportLeague(world.plan, store);
  if (found !== quiet) world.promises.broken('as-in-quiet', describeDifference(quiet, found));
}

const SHOWN = 160;

function describeDifference(quiet: string, found: string): string {
  const there = found.split('\n');
  const at = quiet.split('\n').findIndex((line, index) => line !== there[index]);
  return `line ${at + 1}: expected ${quiet.split('\n')[at]?.slice(0, SHOWN)}, found ${there[at]?.slice(0, SHOWN) ?? 'nothing'}`;
}
