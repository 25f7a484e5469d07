/** The judgement at the end of a storm: results, journals and exports are complete, and as without a storm. */
import { createHash } from 'node:crypto';
import { journalPath, listJournals, openJournalPath } from '../../actors/league/journals.ts';
import { roundsOf } from '../../actors/league/plan.ts';
import { isPartial } from '../../actors/ports/disk.ts';
import { encodeResult } from '../../actors/stores/result.ts';
import type { Store } from '../../actors/stores/store.ts';
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

async function judgeResults(world: World, store: Store): Promise<void> {
  const { promises, plan } = world;
  const { name, games, budget } = plan.league;
  const slots = await store.slots(name);
  const isCut = Object.keys(budget).length > 0;
  if (!isCut && slots.length !== games)
    promises.report('one-result', `${slots.length} of ${games} slots have a result`);
  for (const finding of await checkCareers(store)) promises.report('counted-once', finding.text);
  const bodies = new Map<number, string>();
  for await (const result of store.results(name))
    bodies.set(result.slot, encodeResult(result).body);
  for (const [slot, body] of promises.acknowledged) {
    if (bodies.get(slot) !== body)
      promises.report('acknowledged', `slot ${slot}: ${bodies.has(slot) ? 'changed' : 'gone'}`);
  }
}

async function judgeJournals(world: World, store: Store): Promise<void> {
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
    for (const { text } of findings) promises.report('journals', text);
    if (findings.length === 0) verified.add(digest);
  }
  // After a restart of the machine, or if process numbers repeat, a half may stay: its writer is unknown.
  const isKnown = world.isLocal || (machine.starts === 0 && !world.scenario.repeatsIds);
  const halves = disk.has(folder) ? disk.list(folder).filter(isPartial) : [];
  if (isKnown && halves.length > 0)
    promises.report('files', `half of a file is left: ${halves.join(', ')}`);
  for (const slot of await store.slots(plan.league.name)) {
    const text = files.get(journalPath(folder, slot, games));
    if (text === undefined)
      promises.report('files', `${machine.name} has no journal of slot ${slot}`);
    if (hasRepeatedAnswer(text ?? ''))
      promises.report('one-question', `an answer stands twice in the journal of slot ${slot}`);
    if (world.isLocal && files.has(openJournalPath(folder, slot, games)))
      promises.report('files', `the open journal of slot ${slot} is still there`);
  }
}

function hasRepeatedAnswer(text: string): boolean {
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    const tokens = new Set([...line.matchAll(TOKEN)].map(([token]) => token));
    if ([...tokens].some((token) => seen.has(token))) return true;
    for (const token of tokens) seen.add(token);
  }
  return false;
}

/** Digests of verified leagues: most leagues of offline minds end alike, to the byte. */
const verified = new Set<string>();

/** Covers everything that verification reads, except careers, which are judged with the results. */
async function digestLeague(options: VerifyOptions): Promise<string> {
  const { store, plan, findJournal, journals } = options;
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

async function judgeExport(world: World, store: Store): Promise<void> {
  if (world.scenario.hasModels) return;
  const quiet = await exportQuietly(world.plan);
  const found = await exportLeague(world.plan, store);
  if (found !== quiet) world.promises.report('as-in-quiet', describeDifference(quiet, found));
}

const SHOWN = 160;

function describeDifference(quiet: string, found: string): string {
  const there = found.split('\n');
  const at = quiet.split('\n').findIndex((line, index) => line !== there[index]);
  return `line ${at + 1}: expected ${quiet.split('\n')[at]?.slice(0, SHOWN)}, found ${there[at]?.slice(0, SHOWN) ?? 'nothing'}`;
}
