/** Meetings of models at a server of any pace, on simulated time, and their continuation at another one. */
import { expect } from 'vitest';
import { SimulatedClock } from '../../../../actors/engine/clock.ts';
import { readJournal } from '../../../../actors/engine/journal/reader.ts';
import type { Sink } from '../../../../actors/engine/journal/sink.ts';
import { createMatch } from '../../../../actors/engine/match.ts';
import { playMatch } from '../../../../actors/engine/play.ts';
import { NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import type { LoadingModel } from '../../../../actors/minds/openai/deadlines.ts';
import {
  MatchModels,
  type MatchModelsOptions,
} from '../../../../actors/minds/openai/matchModels.ts';
import { continueMatch } from '../../../../actors/replay/continue.ts';
import type { Line } from '../../../../machines/journal/lines.ts';
import {
  type GameMatch,
  type MeetingMatch,
  meetingMatchSchema,
} from '../../../../machines/setup/match.ts';
import { COLOURS } from '../../../../machines/types.ts';
import { type ServerTraits, SimulatedServer } from '../../../support/endpoint/simulatedServer.ts';

const BASE_URL = 'http://localhost:11434/v1';

export function modelTable(
  models: number,
  seats = 8,
  options: Readonly<Record<string, unknown>> = {},
  baseUrl = BASE_URL,
): MeetingMatch {
  return meetingMatchSchema.parse({
    name: 'a table of models',
    seats: COLOURS.slice(0, seats).map((colour, index) => ({
      colour,
      role: index === 1 ? 'impostor' : 'crewmate',
      ...(index < models ? { mind: 'openai', model: 'm', base_url: baseUrl } : {}),
    })),
    call: { by: 'red' },
    options: { max_ticks: 12, ...options },
  });
}

export class TextSink implements Sink {
  text = '';

  write(text: string): void {
    this.text += text;
  }

  sync(): void {}

  close(): void {}
}

export type Played = {
  readonly server: SimulatedServer;
  readonly time: SimulatedClock;
  readonly models: MatchModels;
  readonly journal: string;
  readonly lines: readonly Line[];
  readonly loading: readonly LoadingModel[];
};

type PlaySettings = {
  readonly seed?: number;
  readonly concurrency?: number;
  readonly perMinute?: number | null;
  readonly deadlines?: MatchModelsOptions['deadlines'];
};

function atServer(traits: ServerTraits, settings: PlaySettings) {
  const { seed = 1, concurrency = 8, perMinute = null, deadlines = {} } = settings;
  const time = new SimulatedClock();
  const server = new SimulatedServer(traits, time);
  const loading: LoadingModel[] = [];
  const models = new MatchModels({
    seed,
    prices: {},
    budget: NO_LIMIT,
    limits: { concurrency, perMinute },
    deadlines,
    time,
    open: server.open,
  });
  models.onLoading = (one) => loading.push(one);
  return { time, server, models, loading, sink: new TextSink() };
}

function toPlayed(
  { time, server, models, loading }: ReturnType<typeof atServer>,
  journal: string,
): Played {
  return { time, server, models, loading, journal, lines: toLines(journal) };
}

/** Plays a match of models to its end. Returns its journal. */
export async function playModels(
  match: MeetingMatch | GameMatch,
  seed: number,
  models: MatchModels,
  ports: Omit<Parameters<typeof playMatch>[1], 'sink'> = {},
): Promise<string> {
  const creation = createMatch(match, seed, models.minds);
  if (!creation.ok) return expect.unreachable(JSON.stringify(creation.refusals));
  const sink = new TextSink();
  const playing = playMatch(creation.ready, { ...ports, sink });
  models.attach(playing, playing.recorder);
  await playing.result;
  return sink.text;
}

export async function meetAt(
  traits: ServerTraits,
  match: MeetingMatch,
  settings: PlaySettings = {},
): Promise<Played> {
  const at = atServer(traits, settings);
  const { models, time } = at;
  return toPlayed(at, await playModels(match, settings.seed ?? 1, models, { time }));
}

/** Goes on with a journal at a server that may be another one. */
export async function goOnAt(
  traits: ServerTraits,
  journal: string,
  settings: PlaySettings = {},
): Promise<Played> {
  const at = atServer(traits, settings);
  const { models, time, sink } = at;
  const match = continueMatch(readJournal(journal), { sink, models: models.minds, time });
  models.attach(match, match.recorder);
  const { difference } = await match.result;
  expect(difference).toBeNull();
  return toPlayed(at, journal + sink.text);
}

export function toLines(journal: string): readonly Line[] {
  return readJournal(journal).lines;
}

export function faultsOf({ lines }: Pick<Played, 'lines'>): readonly string[] {
  return lines.flatMap((line) =>
    line.type !== 'tick.closed' && line.type !== 'turn.closed'
      ? []
      : line.bids.flatMap(({ seat, fault }) => (fault === undefined ? [] : [`${seat} ${fault}`])),
  );
}

export function isClosed({ lines }: Pick<Played, 'lines'>): boolean {
  return lines.some(({ type }) => type === 'meeting.closed');
}

export function departuresOf({ lines }: Pick<Played, 'lines'>): readonly string[] {
  return lines.flatMap((line) => (line.type === 'seat.departed' ? [line.seat] : []));
}
