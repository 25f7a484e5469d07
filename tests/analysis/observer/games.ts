/** Whole games of scripted players, as lines. */
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { beginJournal } from '../../../actors/engine/journal/recorder.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { gameIn } from '../../../machines/journal/opening.ts';
import { gameMatchSchema } from '../../../machines/setup/match.ts';
import { type BySeat, COLOURS, type Colour } from '../../../machines/types.ts';

export type GameChoice = {
  readonly players: number;
  readonly options?: object;
  readonly map?: object;
  readonly faultRate?: number;
  /** Minds in the place of scripted ones; they are given the lines as they are written. */
  readonly minds?: (scripted: BySeat<Mind>, lines: readonly Line[]) => BySeat<Mind>;
};

export async function playGame(
  seed: number,
  { players, options = {}, map, faultRate = 0, minds = (scripted) => scripted }: GameChoice,
): Promise<readonly Line[]> {
  const match = gameMatchSchema.parse({
    name: 'a game',
    seats: COLOURS.slice(0, players).map((colour) => ({ colour })),
    options,
    ...(map === undefined ? {} : { map }),
    fault_rate: faultRate,
  });
  const creation = createMatch(match, seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join());
  const { ready } = creation;
  const lines: Line[] = [];
  const recorder = beginJournal(ready.headers, { onLine: ({ line }) => void lines.push(line) });
  const started = minds(ready.minds, lines);
  await startMatch({ ...ready, minds: started, clock: new SimulatedClock(), recorder }).result;
  return lines;
}

export function impostorsOf([header]: readonly Line[]): readonly Colour[] {
  const seats = gameIn(header)?.seats ?? [];
  return COLOURS.filter((colour) =>
    seats.some((seat) => seat.colour === colour && seat.role === 'impostor'),
  );
}
