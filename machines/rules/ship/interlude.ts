/** The interlude: what a meeting changes on the ship, from the call to everybody's next step. */
import {
  type BySeat,
  type Call,
  COLOURS,
  type Colour,
  type Role,
  type Standing,
} from '../../types.ts';
import { rounds } from '../gameOptions.ts';
import { type Ending, type Losses, victory } from './victory.ts';
import { BEGUN, isActive, type PlayerState, roleOf, taskBar, type World } from './world.ts';

/** The world as a meeting begins: the caller has pressed the button, and the task bar is shown to everybody. */
export function summoned(world: World, call: Call): World {
  const caller = world.players[call.by];
  const players =
    call.kind === 'button' && caller !== undefined
      ? { ...world.players, [call.by]: { ...caller, buttons: caller.buttons - 1 } }
      : world.players;
  return { ...world, players, barShown: taskBar(world).done };
}

/**
 * The world after a meeting: everybody is at the button again, bodies are gone, kill and emergency timers are full;
 * reactor and oxygen are well, lights and comms stay as they are.
 */
export function resumed(
  world: World,
  standings: BySeat<Standing>,
): { readonly world: World; readonly ending: Ending | null } {
  const { options } = world.ship;
  const after: World = {
    ...world,
    standings,
    bodies: [],
    streaks: {},
    crisis: world.crisis?.left === null ? world.crisis : null,
    sabotageWait: rounds(options.sabotageCooldown),
    doors: [],
    buttonWait: rounds(options.emergencyCooldown),
  };
  const players: Partial<Record<Colour, PlayerState>> = {};
  const asks: Partial<Record<Colour, typeof BEGUN>> = {};
  for (const seat of COLOURS) {
    const player = world.players[seat];
    if (player === undefined) continue;
    players[seat] = gathered(after, seat, player);
    if (isActive(after, seat)) asks[seat] = BEGUN;
  }
  const resting = { ...after, players, asks };
  return { world: resting, ending: victory(resting, lossesOf(world, standings)) };
}

function gathered(world: World, seat: Colour, player: PlayerState): PlayerState {
  const { map, options } = world.ship;
  return {
    ...player,
    place: map.button,
    vent: null,
    intent: null,
    moved: false,
    stride: 0,
    killWait: roleOf(world, seat) === 'impostor' ? rounds(options.killCooldown) : 0,
    progress: player.progress.map((one) => (one.worked === 0 ? one : { ...one, worked: 0 })),
  };
}

/** A meeting takes players by its vote, or loses them. */
function lossesOf(before: World, after: BySeat<Standing>): Losses {
  const cause = (role: Role) =>
    COLOURS.some(
      (seat) =>
        before.standings[seat] === 'living' &&
        after[seat] === 'dead' &&
        roleOf(before, seat) === role,
    )
      ? 'vote'
      : 'disconnect';
  return { impostor: cause('impostor'), crewmate: cause('crewmate') };
}
