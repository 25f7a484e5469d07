/** Journals for the spans: a game of models on simulated time, at a server of which some answers fail. */
import { expect } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { createMatch } from '../../../actors/engine/match.ts';
import { playMatch } from '../../../actors/engine/play.ts';
import { NO_LIMIT } from '../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../actors/minds/openai/matchModels.ts';
import { JournalSpans, type SpanOptions } from '../../../actors/telemetry/journalSpans.ts';
import type { OtlpSpan } from '../../../actors/telemetry/otlp.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { SimulatedServer } from '../../support/endpoint/simulatedServer.ts';
import { aLobby } from '../laws/journeys.ts';
import { meetAt, modelTable, TextSink } from '../minds/openai/slowServers.ts';

/** Every eleventh request is lost, and the others take from 20 ms to 1.5 s. */
const traits = (seed: number) => ({
  seed,
  slots: 4,
  workMs: (nth: number) => 20 + ((nth * 37 + seed * 11) % 75) * 20,
  fault: (nth: number) => (nth % 11 === 10 ? ('limited' as const) : null),
});

/** A whole game in which models play three of six. */
export async function playModelGame(seed: number): Promise<string> {
  const lobby = aLobby(6, { max_ticks: 3, vote_after: 1, max_rounds: 40 });
  const seats = lobby.seats.map((seat, index) =>
    index < 3
      ? { ...seat, mind: 'openai' as const, model: 'm', base_url: 'http://a.test/v1' }
      : seat,
  );
  const time = new SimulatedClock();
  const server = new SimulatedServer(traits(seed), time);
  const models = new MatchModels({
    seed,
    prices: {},
    budget: NO_LIMIT,
    limits: { concurrency: 8, perMinute: null },
    time,
    open: server.open,
  });
  const creation = createMatch({ ...lobby, seats }, seed, models.minds);
  if (!creation.ok) return expect.unreachable(JSON.stringify(creation.refusals));
  const sink = new TextSink();
  const match = playMatch(creation.ready, { sink, time });
  models.attach(match, match.recorder);
  await match.result;
  return sink.text;
}

/** A meeting on its own in which models play three of five. */
export async function meetModels(seed: number): Promise<string> {
  const match = modelTable(3, 5, { max_ticks: 4 });
  return (await meetAt(traits(seed), match, { seed })).journal;
}

const START = Date.UTC(2026, 10, 22);

export const OPTIONS: SpanOptions = {
  timeAt: (ms) => START + ms,
  prices: { m: { input: 1, output: 10 } },
  hasContent: false,
};

/** All spans of some lines. */
export function readSpans(
  lines: readonly Line[],
  options: Partial<SpanOptions> = {},
): readonly OtlpSpan[] {
  const reading = new JournalSpans({ ...OPTIONS, ...options });
  return [...lines.flatMap((line) => reading.read(line)), ...reading.end()];
}
