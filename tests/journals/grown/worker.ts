/** A thread in which every module reads the grown tables. It plays the recorded journals again, and a match of its own. */
import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';

const TABLES = ['rules/scoreTerms.ts', 'rules/optionRows.ts', 'versions.ts'].map((path) => ({
  table: new URL(`../../../machines/${path}`, import.meta.url).href,
  grown: new URL(path.replace('rules/', ''), import.meta.url).href,
}));

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const copy = TABLES.find(({ table }) => table === found.url);
    // The copies are made from the tables themselves.
    const isCopy = TABLES.some(({ grown }) => grown === context.parentURL);
    return copy === undefined || isCopy ? found : { ...found, url: copy.grown };
  },
});

const { MANIFEST, readOld } = await import('../corpus.ts');
const { readJournal } = await import('../../../actors/engine/journal/reader.ts');
const { replay } = await import('../../../actors/replay/replay.ts');
const { fillMatch } = await import('../../../machines/journal/opening.ts');
const { gameMatchSchema } = await import('../../../machines/setup/match.ts');
const { fillGameOptions } = await import('../../../machines/rules/options.ts');
const { plainGame } = await import('../../../machines/setup/prepare.ts');
const { play } = await import('../offline.ts');

type Journal = ReturnType<typeof readJournal>;

function headerOf({ lines: [header] }: Journal) {
  if (header?.type === 'match.opened') return header;
  throw new Error('expected a header');
}

const journals = Object.keys(MANIFEST).map((name) => [name, readJournal(readOld(name))] as const);
const outcomes: [string, string][] = [];
for (const [name, journal] of journals) outcomes.push([name, (await replay(journal)).type]);

const written = { lifeboats: 4, gavel: true, weights: { late_guest: 1 } };
const match = gameMatchSchema.parse({ ...plainGame(5), options: written });
const own = readJournal(await play(match, 1));
const header = headerOf(own);

parentPort?.postMessage({
  outcomes,
  filled: journals.map(([, journal]) => fillMatch(headerOf(journal)).options),
  buttons: journals.flatMap(([, journal]) => {
    const { match, rulesVersion } = headerOf(journal);
    return 'call' in match || 'buttons' in match.options
      ? []
      : [fillGameOptions(match, rulesVersion).buttons];
  }),
  scores: journals.flatMap(([, { lines }]) =>
    lines.flatMap((line) => (line.type === 'tick.closed' ? line.scores : [])),
  ),
  own: {
    options: header.match.options,
    rulesVersion: header.rulesVersion,
    buttons: fillGameOptions(header.match, header.rulesVersion).buttons,
    outcome: (await replay(own)).type,
  },
});
