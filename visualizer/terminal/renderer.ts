import { type Lens, lensFor, type SeenLine } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { emptyProjection, next, type Players } from '../../machines/journal/projection.ts';
import { shortenModel } from '../identity.ts';
import { ShipTeller } from './game.ts';
import { type Blocks, layOut } from './layout.ts';
import { renderLine } from './meeting.ts';
import type { Names } from './phrases.ts';

type RendererOptions = {
  readonly lens: Lens;
  /** Whether the terminal takes colours; the caller has asked NO_COLOR and the stream. */
  readonly colour: boolean;
  readonly width: number;
  /** Names beside the colours. The default is the model names. */
  readonly names?: Names;
  /** Whether each tick shows the score of its winner, for spectators of a game without people. */
  readonly hasWinners?: boolean;
  readonly skipsToCall?: boolean;
};

/** Renders one line per call. Quiet rounds are collected first; `end` returns the rest. */
type Renderer = { (line: Line): readonly string[]; end(): readonly string[] };

export function createRenderer(options: RendererOptions): Renderer {
  const { lens, names = {}, hasWinners = false, skipsToCall = false, ...page } = options;
  const look = lensFor(lens);
  const see = (line: Line) => (hasWinners ? addWinner(look(line), line) : look(line));
  let state = emptyProjection(lens);
  let teller: ShipTeller | null = null;
  let modelNames: Names = {};
  const print = (blocks: Blocks) => blocks.flatMap((block) => layOut(block, page));
  const render = (line: Line) => {
    const seen = see(line);
    if (seen === null) return [];
    state = next(state, seen);
    if (seen.type === 'match.opened') modelNames = nameModels(state.players);
    const scene = { state, names: { ...modelNames, ...names } };
    const { ship } = state;
    if (ship === null) return print(renderLine(seen, scene));
    teller ??= new ShipTeller(ship, skipsToCall);
    const told = teller.tell(seen, { ...state, ship });
    return print([...told, ...(seen.type === 'meeting.called' ? [] : renderLine(seen, scene))]);
  };
  const end = () => print(teller?.flush() ?? []);
  return Object.assign(render, { end });
}

function addWinner(seen: SeenLine | null, line: Line): SeenLine | null {
  if (seen?.type !== 'tick.closed' || line.type !== 'tick.closed') return seen;
  return { ...seen, scores: line.scores?.filter(({ seat }) => seat === line.floor) ?? [] };
}

function nameModels(players: Players): Names {
  return Object.fromEntries(
    players.flatMap(({ seat, model }) => (model === '' ? [] : [[seat, shortenModel(model)]])),
  );
}
