/** Telemetry of the matches that a command plays: the door of this folder. Loaded where the environment asks for it. */
import type { Line } from '../../machines/journal/lines.ts';
import type { MatchSeat } from '../../machines/setup/match.ts';
import type { Prices } from '../minds/openai/prices.ts';
import { hasModels, listSeats } from '../minds/openai/seats.ts';
import type { EnvironmentVariables, TimePort, Web } from '../ports/ports.ts';
import { JournalSpans } from './journalSpans.ts';
import type { OtlpSpan } from './otlp.ts';
import { readResource, readTelemetry, wantsContent } from './settings.ts';
import { BATCH_SPANS, type ExportSummary, SpanExporter, wrapSpans } from './spanExporter.ts';

type TelemetryOptions = {
  readonly environment: EnvironmentVariables;
  readonly version: string;
  readonly prices: Prices;
  readonly time: TimePort;
  readonly web: Web;
  /** Is called at most once, with a sentence. */
  readonly onNote: (text: string) => void;
};

/** A match that goes on from its journal. */
type TakenUpMatch = {
  readonly lines: readonly Line[];
  /** When the match began that has come to so many milliseconds, in milliseconds since 1970. */
  readonly startedAt: (lengthMs: number) => number;
  /** The seats as they are asked from now on. */
  readonly seats?: readonly MatchSeat[];
  /** The match and the meeting that are open belong to another journal, which ends them: a fork has its beginning only. */
  readonly isFork?: boolean;
};

export class Telemetry {
  readonly #options: TelemetryOptions;
  readonly #exporter: SpanExporter;
  readonly #hasContent: boolean;
  #spans: JournalSpans | null = null;

  private constructor(options: TelemetryOptions, exporter: SpanExporter) {
    this.#options = options;
    this.#exporter = exporter;
    this.#hasContent = wantsContent(options.environment);
  }

  /** Null where the environment asks for none, or, with a note, for what makes no sense. */
  static open(options: TelemetryOptions): Telemetry | null {
    const { environment, version, time, web, onNote } = options;
    const reading = readTelemetry(environment);
    if (reading.type === 'refused') onNote(`telemetry: nothing is sent: ${reading.text}`);
    if (reading.type !== 'on') return null;
    const resource = readResource(environment, version);
    const { settings } = reading;
    return new Telemetry(options, new SpanExporter({ settings, resource, web, time, onNote }));
  }

  /** A match begins now, with these players. */
  begin(seats: readonly MatchSeat[]): void {
    this.#endMatch();
    const startedAt = this.#options.time.date();
    this.#spans = this.#createSpans((ms) => startedAt + ms, seats);
  }

  /**
   * A match goes on. What ended before has been sent by the process that played it; what is open began in the time of that
   * process, and what ends from now on ends in this one.
   */
  takeUp({ lines, startedAt, seats, isFork = false }: TakenUpMatch): void {
    this.#endMatch();
    const now = this.#options.time.date();
    let [lastMs, began] = [0, now];
    const spans = this.#createSpans((ms) => (ms < lastMs ? began + ms : now - lastMs + ms), seats);
    this.#guard(() => {
      for (const line of lines) spans.read(line);
      if (isFork) spans.leaveOpen();
      lastMs = spans.lengthMs;
      began = Math.min(startedAt(lastMs), now - lastMs);
      this.#spans = spans;
    });
  }

  /** Takes each new line of the match. */
  note(line: Line): void {
    this.#guard(() => {
      if (this.#spans !== null) this.#exporter.add(this.#spans.read(line));
    });
  }

  /** Takes a whole match that has just ended, as leagues play them; one without models is passed over. */
  noteWhole(lines: readonly Line[]): void {
    if (!hasModels(listSeats(lines[0]))) return;
    this.#guard(() => {
      const { environment, prices, time } = this.#options;
      const startedAt = (lengthMs: number) => time.date() - lengthMs;
      this.#exporter.add(traceJournal(lines, { environment, prices, startedAt }).spans);
    });
  }

  /** Sends what is left; the collector is waited for a few seconds. */
  async close(): Promise<void> {
    this.#endMatch();
    await this.#exporter.close();
  }

  #endMatch(): void {
    this.#guard(() => {
      if (this.#spans !== null) this.#exporter.add(this.#spans.end());
    });
    this.#spans = null;
  }

  /** A mistake in here costs the spans of a match, and never the match. */
  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#spans = null;
      const reason = error instanceof Error ? error.message : String(error);
      this.#exporter.fail(`the spans of a match can't be made: ${reason}`);
    }
  }

  #createSpans(timeAt: (ms: number) => number, seats?: readonly MatchSeat[]): JournalSpans {
    return new JournalSpans({
      timeAt,
      prices: this.#options.prices,
      hasContent: this.#hasContent,
      ...(seats === undefined ? {} : { seats }),
    });
  }
}

/** The spans of a journal that is there. */
export type JournalTrace = {
  readonly traceId: string | null;
  readonly spans: readonly OtlpSpan[];
  /** Spans that have not ended, because the journal breaks off; they are not among the others. */
  readonly openCount: number;
};

/** All spans of a journal, as if they had been sent while it was written. */
export function traceJournal(
  lines: readonly Line[],
  options: {
    readonly startedAt: (lengthMs: number) => number;
    readonly prices: Prices;
    readonly environment: EnvironmentVariables;
  },
): JournalTrace {
  const { startedAt, prices, environment } = options;
  const hasContent = wantsContent(environment);
  const read = (timeAt: (ms: number) => number) => {
    const reading = new JournalSpans({ timeAt, prices, hasContent });
    const spans = [...lines.flatMap((line) => reading.read(line)), ...reading.end()];
    return { reading, spans };
  };
  const began = startedAt(read((ms) => ms).reading.lengthMs);
  const { reading, spans } = read((ms) => began + ms);
  return { traceId: reading.traceId, spans, openCount: reading.openCount };
}

/** Spans as text: a line of JSON for each request that would be sent. */
export function formatSpans(
  spans: readonly OtlpSpan[],
  { environment, version }: Pick<TelemetryOptions, 'environment' | 'version'>,
): string {
  const resource = readResource(environment, version);
  const batches = Array.from({ length: Math.ceil(spans.length / BATCH_SPANS) }, (_, index) =>
    spans.slice(index * BATCH_SPANS, (index + 1) * BATCH_SPANS),
  );
  return batches.map((batch) => `${JSON.stringify(wrapSpans(batch, resource))}\n`).join('');
}

/** Milliseconds for which a collector that takes spans one batch after another may keep a command busy. */
const SEND_MS = 120_000;

/** Sends spans to the collector that the environment names; a text says why none can be sent. */
export async function sendSpans(
  spans: readonly OtlpSpan[],
  { environment, version, web, time }: Omit<TelemetryOptions, 'onNote' | 'prices'>,
): Promise<(ExportSummary & { readonly url: string }) | string> {
  const reading = readTelemetry(environment);
  if (reading.type === 'refused') return reading.text;
  if (reading.type === 'off')
    return 'expected the address of a collector in OTEL_EXPORTER_OTLP_ENDPOINT, found none, or telemetry is switched off';
  const { settings } = reading;
  const resource = readResource(environment, version);
  const onNote = () => {};
  const options = {
    settings,
    resource,
    web,
    time,
    onNote,
    closeMs: SEND_MS,
    mostWaiting: Infinity,
  };
  const exporter = new SpanExporter(options);
  exporter.add(spans);
  return { ...(await exporter.close()), url: new URL(settings.url).origin };
}
