/** Games for the laws: a lobby is played from a seed, in simulated time, and handed back as its journal. */
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { Recorder } from '../../../actors/engine/journal/recorder.ts';
import { createMatch, type GameFinish, startMatch } from '../../../actors/engine/match.ts';
import type { Mind } from '../../../actors/minds/port.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { type GameMatchInput, gameMatchSchema } from '../../../machines/setup/match.ts';
import { COLOURS, type Colour } from '../../../machines/types.ts';

export type Game = { readonly score: GameFinish; readonly lines: readonly Line[] };

/** Plays a game; `recast` may put another mind in the place of each that was cast. */
export async function playGame(
  lobby: GameMatchInput,
  seed: number,
  recast: (mind: Mind, seat: Colour) => Mind = (mind) => mind,
): Promise<Game> {
  const creation = createMatch(gameMatchSchema.parse(lobby), seed);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('; '));
  const { headers, minds, ...match } = creation.ready;
  const lines: Line[] = [];
  const recorder = new Recorder({ onLine: ({ line }) => lines.push(line) });
  recorder.write('living', [headers.living]);
  recorder.write('ghosts', [headers.ghosts]);
  const cast = COLOURS.flatMap((seat) => {
    const mind = minds[seat];
    return mind === undefined ? [] : [[seat, recast(mind, seat)] as const];
  });
  const clock = new SimulatedClock();
  const game = startMatch({ ...match, minds: Object.fromEntries(cast), clock, recorder });
  return { score: await game.result, lines };
}
