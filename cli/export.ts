/** `glassbox export`: a journal as a page, a card, spans for a collector, or an eval log of Inspect. */

import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import manifest from '#manifest' with { type: 'json' };
import { isPlayable } from '../actors/engine/journal/reader.ts';
import { realProcess } from '../actors/ports/process.ts';
import { readMoment, realTime } from '../actors/ports/time.ts';
import { formatLens, type Lens, lensFor, type SeenLine } from '../machines/journal/lens.ts';
import { pluralize } from '../machines/text.ts';
import { CARD_NAMES, CARD_SHAPES, type CardShape } from '../visualizer/card/shapes.ts';
import { createFailure, EXIT, type Failure } from './exit.ts';
import {
  refuseOverJournal,
  stemOf,
  type WrittenFile,
  writeBeside,
  writeBytes,
  writeBytesBeside,
  writeText,
} from './files.ts';
import { createLensOption, parseDestination, refuseAbsentLens } from './flags.ts';
import { damagedJournal, nameOf, openJournal, seatedIn, tellWhatIsMissing } from './input.ts';
import { openShownJournal } from './live.ts';
import { cleanLines, print, printJson } from './output.ts';
import { type CommandExample, formatExamples } from './usage.ts';
import { openWhyNotes } from './whyNotes.ts';

const FORMATS = ['page', 'otlp', 'inspect'] as const;
/** A card is a flag of its own. */
type ExportFormat = (typeof FORMATS)[number] | 'card';

/** Flags that belong to some formats only. */
const FLAGS_OF: Readonly<Record<ExportFormat, readonly string[]>> = {
  page: ['lens', 'thoughts'],
  card: ['lens', 'card'],
  otlp: ['send', 'start', 'prices'],
  inspect: ['start', 'prices'],
};

type ExportOptions = {
  readonly format: ExportFormat;
  readonly card?: CardShape;
  readonly out?: string;
  readonly send?: boolean;
  readonly start?: number;
  readonly prices?: string;
  readonly lens: Lens;
  readonly thoughts: boolean;
  readonly json?: boolean;
};

const EXAMPLES: readonly CommandExample[] = [
  ['export journals/a.jsonl', 'everything, for every lens: journals/a.html'],
  ['export journals/a.jsonl -o game.html --lens table', 'without secrets'],
  ['export journals/a.jsonl --card wide', 'a picture of how it ended: journals/a.card.png'],
  ['export journals/a.jsonl --format otlp -o a.otlp.jsonl', 'spans, as a file'],
  ['export journals/a.jsonl --format otlp --send', 'spans, to a collector'],
  ['export journals/a.jsonl --format inspect -o a.json', 'an eval log of Inspect AI'],
];

export function addExport(program: Command): void {
  const exporting = program
    .command('export')
    .description(
      'Writes a recorded meeting or game and its page into one HTML file, which opens from disk and needs no network. With --format otlp it writes the spans of OpenTelemetry, or sends them to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. With --format inspect it writes an eval log of Inspect AI, with --card a picture to share.',
    )
    .argument('<journal>', 'a journal file, or - for standard input')
    .option(
      '-o, --out <file>',
      'the file to write (default: beside the journal, such as a.html, under a name that is free)',
      parseDestination,
    )
    .addOption(
      new Option(
        '--format <format>',
        'a page; otlp: spans for OpenTelemetry, as lines of JSON (OTLP); or inspect: an eval log of Inspect AI, as JSON',
      )
        .choices(FORMATS)
        .default('page'),
    )
    .addOption(
      new Option(
        '--card <shape>',
        'write a card as a picture (PNG): wide, 1200 × 630, or tall, 1080 × 1920; who played and what came of it, or with --lens table who plays',
      ).choices(CARD_NAMES),
    )
    .addOption(createLensOption())
    .option('--no-thoughts', 'leave thoughts and scratchpads out of the file')
    .option('--send', 'send the spans to the collector instead of writing them')
    .option(
      '--start <time>',
      'when the match began, such as 2026-11-22T17:00:00Z; no journal says so (default: by the time of the file)',
      parseMoment,
    )
    .option('--prices <file>', 'dollars for a million tokens, by model, for the cost of requests')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', formatExamples(...EXAMPLES))
    .action(async (path: string, given: ExportOptions) => {
      const isSaid = (name: string) => exporting.getOptionValueSource(name) === 'cli';
      const options = chooseFormat(given, isSaid);
      if (options.out !== undefined) refuseOverJournal(options.out, [path]);
      await EXPORTS[options.format](path, options);
    });
}

const EXPORTS: Readonly<
  Record<ExportFormat, (path: string, options: ExportOptions) => Promise<void>>
> = { page: exportPage, card: exportCard, otlp: exportSpans, inspect: exportInspect };

/** A card is a format, too; throws where a flag belongs to another one. */
function chooseFormat(given: ExportOptions, isSaid: (name: string) => boolean): ExportOptions {
  const isCard = given.card !== undefined;
  if (isCard && isSaid('format')) throw refuseMisplaced('card', given.format);
  const options: ExportOptions = isCard ? { ...given, format: 'card' } : given;
  const known = new Set(Object.values(FLAGS_OF).flat());
  for (const flag of FLAGS_OF[options.format]) known.delete(flag);
  const misplaced = [...known].find(isSaid);
  if (misplaced !== undefined) throw refuseMisplaced(misplaced, options.format);
  return options;
}

function refuseMisplaced(name: string, format: ExportFormat): Failure {
  const flag = name === 'thoughts' ? '--no-thoughts' : `--${name}`;
  return createFailure(EXIT.usage, 'usage/export-format', explainMisplaced(flag, format));
}

function explainMisplaced(flag: string, format: ExportFormat): string {
  if (flag === '--send') return '--send is for spans: add --format otlp';
  if (flag === '--card') return '--card is a format of its own: leave out --format';
  switch (format) {
    case 'card':
      return flag === '--no-thoughts'
        ? '--no-thoughts is for pages: a card holds no thoughts'
        : `${flag} is for spans and eval logs: leave out --card, and add --format otlp or --format inspect`;
    case 'page':
      return `${flag} is for spans and eval logs: add --format otlp or --format inspect`;
    case 'otlp':
      return `${flag} is for pages: spans hold no thoughts, and what models answered only where OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is true`;
    case 'inspect':
      return `${flag} is for pages: an eval log holds everything that players answered, with roles and thoughts`;
    default:
      return format satisfies never;
  }
}

/** Ends of the names of files that are written beside a journal; *.jsonl would be taken for a journal. */
const ENDINGS: Readonly<Record<ExportFormat, string>> = {
  page: 'html',
  card: 'png',
  otlp: 'otlp.ndjson',
  inspect: 'inspect.json',
};

/** Writes to the file that was named, or beside the journal: "game-17.html", or "game-17.table.html" of another lens. */
function writeExport(
  path: string,
  text: string,
  options: ExportOptions,
  what: string,
): WrittenFile {
  const { out } = options;
  if (out === undefined) return writeBeside(stemFor(path), endingFor(options), text, what);
  writeText(out, text, what);
  return { path: out, wasThere: false };
}

/** What the file beside a journal begins with; throws where there can be none. */
function stemFor(path: string): string {
  const stem = stemOf(path);
  if (stem !== null) return stem;
  const code = 'usage/missing-mandatory-option-value';
  const advice = `expected -o, --out <file>, found none: ${nameOf(path)} is no file that another one could lie beside`;
  throw createFailure(EXIT.usage, code, advice);
}

function endingFor({ format, lens, thoughts, card }: ExportOptions): string {
  const parts = [
    ...(lens.type === 'glass' ? [] : [formatLens(lens).replace(':', '-')]),
    ...(thoughts ? [] : ['no-thoughts']),
    ...(card === undefined ? [] : [card === 'wide' ? 'card' : `card-${card}`]),
    ENDINGS[format],
  ];
  return parts.join('.');
}

/** Says what was written, as a sentence or as JSON. */
function report(
  sentence: string,
  fields: Readonly<Record<string, unknown>>,
  { json = false, format }: ExportOptions,
): void {
  if (json) printJson({ type: 'export', v: 1, format, ...fields });
  else print(cleanLines(sentence));
}

function placeOf({ path, wasThere }: WrittenFile): string {
  return wasThere ? `${path}, which was there already` : path;
}

function parseMoment(text: string): number {
  const moment = readMoment(text);
  if (moment !== null) return moment;
  throw new InvalidArgumentError('expected a time such as 2026-11-22T17:00:00Z.');
}

async function exportPage(path: string, options: ExportOptions): Promise<void> {
  const { lens, thoughts } = options;
  const journal = await openShownJournal(path);
  refuseAbsentLens(lens, seatedIn(journal.lines));
  const see = lensFor(lens);
  const { removeThoughts } = await import('../visualizer/page/build/pages.ts');
  const { createExportPage } = await import('../visualizer/page/build/pages.ts');
  const lines = journal.lines.flatMap((line): readonly SeenLine[] => {
    const seen = see(line);
    const kept = seen === null || thoughts ? seen : removeThoughts(seen);
    return kept === null ? [] : [kept];
  });
  const source = {
    lens: formatLens(lens),
    name: path === '-' ? 'a journal' : basename(path),
    damaged: journal.damageCount,
  };
  const page = await createExportPage(lines, source, await openWhyNotes(path, journal, lens));
  const written = writeExport(path, page, options, 'the page');
  report(
    `${nameOf(path)}: ${Math.ceil(page.length / 1024)} kB in ${placeOf(written)}`,
    {
      ...{ journal: path, file: written.path, bytes: Buffer.byteLength(page) },
      ...{ lens: formatLens(lens), thoughts },
    },
    options,
  );
  tellWhatIsMissing(path, journal);
}

async function exportCard(path: string, options: ExportOptions): Promise<void> {
  const { lens, out, card: shape = 'wide' } = options;
  const journal = await openShownJournal(path);
  refuseAbsentLens(lens, seatedIn(journal.lines));
  const see = lensFor(lens);
  const { createCardContents } = await import('../visualizer/card/contents.ts');
  const seen = journal.lines.flatMap((line) => see(line) ?? []);
  const notes = lens.type === 'table' ? null : await openWhyNotes(path, journal, lens);
  const contents = createCardContents(seen, lens, notes);
  if (contents === null) throw refuseNoOpening(path);
  const { renderCard } = await import('./card.ts');
  const picture = await renderCard(contents, shape);
  if (out !== undefined) await writeBytes(out, picture, 'the card');
  const written =
    out === undefined
      ? await writeBytesBeside(stemFor(path), endingFor(options), picture, 'the card')
      : { path: out, wasThere: false };
  const { width, height } = CARD_SHAPES[shape];
  report(
    `${nameOf(path)}: a card of ${width} × ${height} in ${placeOf(written)}`,
    {
      ...{ journal: path, file: written.path, bytes: picture.length },
      ...{ lens: formatLens(lens), card: shape, width, height },
    },
    options,
  );
  tellWhatIsMissing(path, journal);
}

/** What is sent and where from. */
const SENDER = { environment: realProcess.environment, version: manifest.version };

async function exportSpans(path: string, options: ExportOptions) {
  const { out, send, start, prices } = options;
  const journal = await openJournal(path);
  const { formatSpans, sendSpans, traceJournal } = await import('../actors/telemetry/telemetry.ts');
  const { findStart } = await import('./telemetry.ts');
  const { openPrices } = await import('./models.ts');
  const { spans, traceId, openCount } = traceJournal(journal.lines, {
    startedAt: (lengthMs) => start ?? findStart(path, lengthMs),
    prices: await openPrices(prices),
    ...SENDER,
  });
  const what = `${nameOf(path)}: ${spans.length} spans of trace ${traceId ?? '(none)'}`;
  const open = openCount === 0 ? '' : `; ${openCount} that have not ended are left out`;
  const fields = { journal: path, trace_id: traceId, spans: spans.length, open: openCount };
  if (out !== undefined || send !== true) {
    const text = formatSpans(spans, SENDER);
    const written = writeExport(path, text, options, 'the spans');
    const file = { file: written.path, bytes: Buffer.byteLength(text) };
    report(`${what} in ${placeOf(written)}${open}`, { ...fields, ...file }, options);
  }
  if (send === true) {
    const { realWeb } = await import('../actors/ports/web.ts');
    const sent = await sendSpans(spans, { ...SENDER, web: realWeb, time: realTime });
    if (typeof sent === 'string') throw createFailure(EXIT.configuration, 'telemetry/off', sent);
    if (sent.lost > 0 || sent.reason !== null) throw refuseLost(sent);
    report(`${what} sent to ${sent.url}${open}`, { ...fields, sent_to: sent.url }, options);
  }
  tellWhatIsMissing(path, journal);
}

async function exportInspect(path: string, options: ExportOptions): Promise<void> {
  const { out, start, prices } = options;
  if (out?.endsWith('.json') === false) throw refuseName(out);
  const journal = await openJournal(path);
  if (!isPlayable(journal)) throw damagedJournal(path, journal);
  const { createInspectLog } = await import('../analysis/inspect/log.ts');
  const { findStart } = await import('./telemetry.ts');
  const { openPrices } = await import('./models.ts');
  const log = createInspectLog(journal, {
    name: nameOf(path),
    version: manifest.version,
    prices: await openPrices(prices),
    startedAt: (lengthMs) => start ?? findStart(path, lengthMs),
  });
  if (log === null) throw refuseNoOpening(path);
  const text = `${JSON.stringify(log)}\n`;
  const written = writeExport(path, text, options, 'the eval log');
  const { samples, status } = log;
  report(
    `${nameOf(path)}: ${pluralize(samples.length, 'sample')} in ${placeOf(written)} (${status})`,
    {
      ...{ journal: path, file: written.path, bytes: Buffer.byteLength(text) },
      ...{ samples: samples.length, status },
    },
    options,
  );
  tellWhatIsMissing(path, journal);
}

function refuseName(out: string): Failure {
  const text = `expected a name that ends in .json, found ${out}: Inspect reads no others`;
  return createFailure(EXIT.usage, 'usage/export-format', text);
}

function refuseNoOpening(path: string): Failure {
  const text = `${nameOf(path)}: expected the first line of a match (match.opened), found none`;
  return createFailure(EXIT.damaged, 'journal/no-opening', text);
}

type SentSpans = {
  readonly taken: number;
  readonly lost: number;
  readonly reason: string | null;
  readonly url: string;
};

function refuseLost({ taken, lost, reason, url }: SentSpans) {
  const text = `the collector at ${url} has taken ${taken} of ${taken + lost} spans: ${reason ?? 'no answer in time'}`;
  return createFailure(EXIT.unreachable, 'telemetry/not-taken', text);
}
