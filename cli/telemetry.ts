/** Telemetry on the command line: opened where the environment asks for it, and never in the way of a game. */
import manifest from '#manifest' with { type: 'json' };
import { realProcess } from '../actors/ports/process.ts';
import { realTime } from '../actors/ports/time.ts';
import { isTelemetryWanted } from '../actors/telemetry/settings.ts';
import type { Telemetry } from '../actors/telemetry/telemetry.ts';
import { readFileTimes } from './input.ts';
import { openPrices } from './models.ts';
import { cleanLines, printNote } from './output.ts';

/** Null where the environment asks for none; nothing of it is loaded then. */
export async function openTelemetry(prices: string | undefined): Promise<Telemetry | null> {
  if (!isTelemetryWanted(realProcess.environment)) return null;
  const { Telemetry } = await import('../actors/telemetry/telemetry.ts');
  const { realWeb } = await import('../actors/ports/web.ts');
  return Telemetry.open({
    environment: realProcess.environment,
    version: manifest.version,
    prices: await openPrices(prices),
    time: realTime,
    web: realWeb,
    onNote: (text) => printNote(cleanLines(text)),
  });
}

/** Games that only count are over in a moment and played by other threads: nothing of them is sent. */
export function noteUnsentGames(): void {
  if (!isTelemetryWanted(realProcess.environment)) return;
  printNote(
    'telemetry: many games of offline minds are not sent as they are played; "export --format otlp" sends a journal',
  );
}

/**
 * When the match began that is in a journal: no journal says so. It was not after its file was made, and not after it was
 * written last, less what the match took.
 */
export function findStart(path: string, lengthMs: number): number {
  const times = path === '-' ? null : readFileTimes(path);
  if (times === null) return realTime.date() - lengthMs;
  const latest = times.writtenAt - lengthMs;
  return Math.min(latest, times.bornAt ?? latest);
}
