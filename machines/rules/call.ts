/** The call that interrupts the game: who may report a body or press the button, and when. */
import type { BySeat, Call, Note, Standing } from '../types.ts';

/** What else is going on when somebody calls. */
export type Circumstances = { readonly meetingRunning: boolean; readonly gameOver: boolean };

/** A meeting that is called on its own, outside a game. */
export const QUIET: Circumstances = { meetingRunning: false, gameOver: false };

/** Why a call is refused; null when the meeting may begin. */
export function callRefusal(
  call: Call,
  standings: BySeat<Standing>,
  circumstances: Circumstances,
): Note | null {
  const { by, kind } = call;
  if (circumstances.gameOver) return note('game-over', 'the game is over');
  if (circumstances.meetingRunning) return note('meeting-running', 'a meeting is running already');
  if (standings[by] !== 'living') return note('not-living', `${by} is not among the living`);
  return kind === 'body' ? bodyRefusal(call, standings) : buttonRefusal(call);
}

function bodyRefusal({ body }: Call, standings: BySeat<Standing>): Note | null {
  const standing = body === null ? undefined : standings[body];
  // A ghost may have left since; the body lies where it lay.
  if (standing === 'dead' || standing === 'departed') return null;
  return note('no-body', `the report must name a dead player, found ${body ?? 'nobody'}`);
}

/** A crisis blocks the button and not the report; doors are no crisis. */
function buttonRefusal({ by, buttonsLeft, cooldown, crisis }: Call): Note | null {
  if (buttonsLeft <= 0) return note('no-button', `${by} has no emergency meeting left`);
  if (cooldown > 0)
    return note('cooldown', `crewmates must wait ${cooldown} s before an emergency`);
  if (crisis !== null)
    return note('crisis', `the button does not work during a crisis (${crisis})`);
  return null;
}

function note(code: string, text: string): Note {
  return { code: `call/${code}`, text };
}
