import { readFileSync } from 'node:fs';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { readMeeting } from '../../../actors/engine/configFile.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import {
  createMatch,
  type ReadyGame,
  type ReadyMeeting,
  startMatch,
} from '../../../actors/engine/match.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { isMeeting, type MatchSeat } from '../../../machines/setup/match.ts';
import { plainGame } from '../../../machines/setup/prepare.ts';
import type { RuleSet } from '../../../machines/types.ts';

export function recordedMeeting(example: string, seed: number): Promise<readonly Line[]> {
  return record(readyExample(example, seed));
}

function readyExample(example: string, seed: number): ReadyMeeting | ReadyGame {
  const file = new URL(`../../../examples/${example}.yaml`, import.meta.url);
  const reading = readMeeting(readFileSync(file, 'utf8'));
  if (!reading.ok) throw new Error(reading.notes.map(({ text }) => text).join('\n'));
  const creation = createMatch(reading.value, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('\n'));
  return creation.ready;
}

export async function longMeeting(ticks: number): Promise<readonly Line[]> {
  const meeting = await recordedMeeting('electrical', 7);
  const start = meeting.findIndex(({ type }) => type === 'tick.closed');
  const spoken = meeting.filter((line) => line.type === 'tick.closed' && line.said !== null);
  const many = Array.from({ length: ticks }, (_, index): Line => {
    const tick = spoken[index % spoken.length];
    if (tick === undefined) throw new Error('nobody spoke in this meeting');
    return { ...tick, seq: start + index };
  });
  return [...meeting.slice(0, start), ...many];
}

export async function recordedGame(
  seed: number,
  players = 8,
  rules: RuleSet = 'house',
): Promise<readonly Line[]> {
  const creation = createMatch(plainGame(players, undefined, rules), seed);
  if (!creation.ok) throw new Error('the game can not be manned');
  return record(creation.ready);
}

export function playedByModels(lines: readonly Line[], models: readonly string[]): readonly Line[] {
  const byModel = <S extends MatchSeat>(seat: S, index: number) => ({
    ...seat,
    mind: 'openai' as const,
    model: models[index % models.length] ?? '',
  });
  return lines.map((line): Line => {
    if (line.type !== 'match.opened') return line;
    const { match } = line;
    return isMeeting(match)
      ? { ...line, match: { ...match, seats: match.seats.map(byModel) } }
      : { ...line, match: { ...match, seats: match.seats.map(byModel) } };
  });
}

/** A mind that thinks for up to a second of simulated time, in an order that changes from request to request. */
export function takingTime(mind: Mind, place: number, clock: SimulatedClock): Mind {
  if (mind.pace === 'in-time') return mind;
  return {
    pace: 'in-time',
    answer: async (request) => {
      await clock.sleep(100 + ((place * 7 + request.index * 11) % 13) * 70);
      return mind.answer(request);
    },
  };
}

/** A meeting whose clock says when each answer arrived. */
export async function timedMeeting(example: string, seed: number): Promise<readonly Line[]> {
  const ready = readyExample(example, seed);
  const clock = new SimulatedClock();
  const minds = Object.entries(ready.minds).map(
    ([seat, mind], place) => [seat, takingTime(mind, place, clock)] as const,
  );
  const lines = await record({ ...ready, minds: Object.fromEntries(minds) }, clock);
  return playedByModels(lines, ['a-model']);
}

async function record(
  { headers, ...ready }: ReadyMeeting | ReadyGame,
  timer: SimulatedClock | null = null,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const clock = timer ?? new SimulatedClock();
  const recorder = new Recorder({
    onLine: ({ line }) => lines.push(line),
    readClock: timer && (() => ({ ms: clock.elapsed })),
    engine: timer && 'of a test',
  });
  recorder.write('living', [headers.living]);
  recorder.write('ghosts', [headers.ghosts]);
  await startMatch({ ...ready, clock, recorder }).result;
  return lines;
}
