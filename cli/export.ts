/** `glassbox export`: writes a journal as one page or card, or a benchmark bundle for Every Eval Ever. */

import { basename, dirname, join } from 'node:path';
import { Option } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import type { Journal } from '../actors/engine/journal/reader.ts';
import { createFailure, describeSystemError, EXIT, nameOf } from '../actors/files/failure.ts';
import {
  refuseOverJournal,
  stemOf,
  type WrittenFile,
  writeBeside,
  writeOutput,
} from '../actors/files/newFiles.ts';
import {
  chooseJournal,
  JOURNAL_WORDS,
  openText,
  seatedIn,
  tellWhatIsMissing,
} from '../actors/files/openFiles.ts';
import { realDisk } from '../actors/ports/disk.ts';
import { realTime } from '../actors/ports/time.ts';
import { formatLens, type Lens } from '../machines/journal/lens.ts';
import type { CardContents } from '../visualizer/card/contents.ts';
import { CARD_NAMES, CARD_SHAPES, type CardShape } from '../visualizer/card/drawing.ts';
import { createGlassOption, FORCE_OPTION, parseDestination, refuseAbsentLens } from './flags.ts';
import { openShownJournal } from './live.ts';
import { cleanLines, print, printJson } from './output.ts';
import type { CommandExample, ProgramCommand } from './usage.ts';
import { openWhyNotes } from './whyNotes.ts';

type ExportOptions = {
  readonly card?: CardShape;
  readonly format?: 'eee';
  readonly organization?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly lens: Lens;
  readonly thoughts: boolean;
  readonly json?: boolean;
};

const EXAMPLES: readonly CommandExample[] = [
  ['export journals/a.jsonl', 'everything, for every lens: journals/a.html'],
  ['export journals/a.jsonl -o game.html --lens table', 'without secrets'],
  ['export journals/a.jsonl --card wide', 'a picture of how it ended: journals/a.card.png'],
  ['export bundle --format eee', 'the scores of a benchmark for Every Eval Ever'],
];

export function addExport(program: ProgramCommand): void {
  program
    .command('export')
    .description(
      'Writes a recorded meeting or game and its page into one HTML file, which opens from disk and needs no network. With --card it writes a picture to share instead. With --format eee it writes a benchmark bundle for the collection Every Eval Ever.',
    )
    .argument('[journal]', JOURNAL_WORDS)
    .option('-o, --out <file>', 'file to write; default: a.html for a.jsonl', parseDestination)
    .option(...FORCE_OPTION)
    .addOption(
      new Option(
        '--card <shape>',
        'write a card as a picture (PNG): wide, 1200 × 630, or tall, 1080 × 1920; it shows the players and the result, or with --lens table only the players',
      ).choices(CARD_NAMES),
    )
    .addOption(
      new Option(
        '--format <format>',
        'write a bundle of "glassbox benchmark" in a format of the field: eee, Every Eval Ever 0.3.0, below <out>/data/ (default: this folder)',
      ).choices(['eee']),
    )
    .option('--organization <name>', 'for --format: who publishes the scores (default: unknown)')
    .addOption(createGlassOption())
    .option('--no-thoughts', 'leave thoughts and scratchpads out of the file')
    .option('--json', 'print the result as JSON')
    .examples(...EXAMPLES)
    .action(async (named: string | undefined, options: ExportOptions) => {
      if (options.format !== undefined) return await exportBundle(named, options);
      if (options.organization !== undefined)
        throw createFailure(EXIT.usage, 'usage/export-format', '--organization: add --format eee');
      const path = chooseJournal(named);
      if (options.out !== undefined) refuseOverJournal(options.out, [path]);
      if (options.card !== undefined && !options.thoughts) {
        const text = '--no-thoughts is for pages: a card holds no thoughts';
        throw createFailure(EXIT.usage, 'usage/export-format', text);
      }
      await exportMatch(path, options);
    });
}

async function exportBundle(named: string | undefined, options: ExportOptions): Promise<void> {
  const { out = '.', card, lens, thoughts, organization = 'unknown', force, json } = options;
  if (named === undefined || card !== undefined || lens.type !== 'glass' || !thoughts) {
    const text =
      '--format eee: expected the folder of a benchmark bundle, without --card, --lens and --no-thoughts';
    throw createFailure(EXIT.usage, 'usage/export-format', text);
  }
  const { openBundle } = await import('../analysis/benchmark/bundleFolder.ts');
  const { isSealed } = await import('../analysis/benchmark/bundle.ts');
  const { writeEveryEval } = await import('../analysis/benchmark/everyEval.ts');
  const { bundle, folder } = await openBundle(named, null, manifest.version);
  if (!isSealed(bundle)) {
    const text = `${nameOf(named)} was changed after it was written: "glassbox verify" says where`;
    throw createFailure(EXIT.damaged, 'bundle/seal', text);
  }
  const read = (journal: string) => openText(`${folder}/${journal}`, 'game');
  const seconds = Math.floor(realTime.date() / 1000);
  const files = await writeEveryEval(bundle, read, { seconds, organization });
  const written = files.map(({ path, text }) => ({ path: join(out, path), text }));
  for (const { path, text } of written) {
    try {
      realDisk.makeFolder(dirname(path));
    } catch (error) {
      const why = `cannot write to ${nameOf(dirname(path))}: ${describeSystemError(error)}`;
      throw createFailure(EXIT.cannotWrite, 'output/cannot-write', why);
    }
    await writeOutput(path, text, { what: 'the scores', force });
  }
  const paths = written.map(({ path }) => path);
  if (json === true)
    printJson({ type: 'export', v: 1, format: 'eee', bundle: named, files: paths });
  else print(cleanLines(`${nameOf(named)}: its scores and games in ${paths.join(' and ')}`));
}

/** Writes to the file that was named, or beside the journal: "game-17.html", or "game-17.table.html" of another lens. */
async function writeExport(
  path: string,
  content: string | Uint8Array,
  options: ExportOptions,
  what: string,
): Promise<WrittenFile> {
  const { out } = options;
  if (out === undefined) return await writeBeside(stemFor(path), endingFor(options), content, what);
  await writeOutput(out, content, { what, force: options.force });
  return { path: out, wasThere: false };
}

/** The path beside the journal without its ending. Throws for standard input. */
function stemFor(path: string): string {
  const stem = stemOf(path);
  if (stem !== null) return stem;
  const code = 'usage/missing-mandatory-option-value';
  const advice = `expected -o, --out <file>, found none: ${nameOf(path)} is no file that another one could lie beside`;
  throw createFailure(EXIT.usage, code, advice);
}

function endingFor({ lens, thoughts, card }: ExportOptions): string {
  const parts = [
    ...(lens.type === 'glass' ? [] : [formatLens(lens).replace(':', '-')]),
    ...(thoughts ? [] : ['no-thoughts']),
    ...(card === undefined ? ['html'] : [card === 'wide' ? 'card' : `card-${card}`, 'png']),
  ];
  return parts.join('.');
}

async function exportMatch(path: string, options: ExportOptions): Promise<void> {
  const { lens, thoughts, card, json = false } = options;
  const journal = await openShownJournal(path);
  refuseAbsentLens(lens, seatedIn(journal.lines));
  const content =
    card === undefined
      ? await makePage(path, journal, options)
      : await makeCard(path, journal, { lens, card });
  const what = card === undefined ? 'the page' : 'the card';
  const { path: file, wasThere } = await writeExport(path, content, options, what);
  const shape = card === undefined ? null : CARD_SHAPES[card];
  if (json) {
    const format = shape === null ? 'page' : 'card';
    const written = { journal: path, file, bytes: Buffer.byteLength(content) };
    const form = shape === null ? { thoughts } : { card, ...shape };
    printJson({ type: 'export', v: 1, format, ...written, lens: formatLens(lens), ...form });
  } else {
    const size =
      shape === null
        ? `${Math.ceil(content.length / 1024)} kB`
        : `a card of ${shape.width} × ${shape.height}`;
    const again = wasThere ? ', which was there already' : '';
    print(cleanLines(`${nameOf(path)}: ${size} in ${file}${again}`));
  }
  tellWhatIsMissing(path, journal);
}

async function makePage(
  path: string,
  journal: Journal,
  { lens, thoughts }: ExportOptions,
): Promise<string> {
  const { createExportPage, removeThoughts } = await import('../visualizer/page/build/pages.ts');
  const { seeWithMoves } = await import('../visualizer/charts/machineRun.ts');
  const seen = seeWithMoves(journal.lines, lens);
  const lines = thoughts ? seen : seen.flatMap((line) => removeThoughts(line) ?? []);
  const source = {
    lens: formatLens(lens),
    name: path === '-' ? 'a journal' : basename(path),
    damaged: journal.damageCount,
  };
  return await createExportPage(lines, source, await openWhyNotes(path, journal, lens));
}

async function makeCard(
  path: string,
  journal: Journal,
  { lens, card }: { readonly lens: Lens; readonly card: CardShape },
): Promise<Uint8Array> {
  const { createCardContents } = await import('../visualizer/card/contents.ts');
  const { seeWithClaims } = await import('../visualizer/claims.ts');
  const seen = seeWithClaims(journal.lines, lens);
  const notes = lens.type === 'table' ? null : await openWhyNotes(path, journal, lens);
  const contents = createCardContents(seen, lens, notes);
  if (contents !== null) return await renderCard(contents, card);
  const text = `${nameOf(path)}: expected the first line of a match (match.opened), found none`;
  throw createFailure(EXIT.damaged, 'journal/no-opening', text);
}

/** Draws a card; resolves with a PNG. The same contents are the same picture, unless they need letters of this machine. */
export async function renderCard(contents: CardContents, shape: CardShape): Promise<Uint8Array> {
  const { Resvg } = await loadRenderer();
  const [{ drawCard }, { listFontFiles }] = await Promise.all([
    import('../visualizer/card/drawing.ts'),
    import('../visualizer/page/build/parts.ts'),
  ]);
  const svg = drawCard(contents, shape);
  const font = {
    fontFiles: [...listFontFiles()],
    defaultFontFamily: 'Space Grotesk',
    loadSystemFonts: BEYOND_LATIN.test(svg),
  };
  return new Resvg(svg, { font }).render().asPng();
}

/** Letters that need the fonts of this machine. */
const BEYOND_LATIN = /[^\n\u0020-\u024F\u1E00-\u1EFF\u2010-\u2044\u20A0-\u20BF\u2190-\u2199]/u;

async function loadRenderer() {
  try {
    return await import('@resvg/resvg-js');
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const install = `npm install @resvg/resvg-js@${manifest.peerDependencies['@resvg/resvg-js']}`;
    const text = `a card needs a package that is optional and can't be loaded here (${why}): ${install}`;
    throw createFailure(EXIT.configuration, 'export/no-card-package', text);
  }
}
