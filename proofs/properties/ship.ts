/** The promises about a game between its meetings. Which there are depends on what may be done on board. */

import type { Ship } from '../../machines/rules/ship/world.ts';
import type { Menu } from '../models/shipWorld.ts';
import { buttons, calls, doors, meetings, reports, sabotage } from './shipAlarms.ts';
import { bodies, kills, presence, quiet, tasks, vents } from './shipCrew.ts';
import { ended, victory, witnesses } from './shipEnding.ts';
import type { ShipPromise } from './shipPromise.ts';

/** The promises about a game on this ship in which so much may be done. */
export function shipPromises({ seats, options }: Ship, menu: Menu): readonly ShipPromise[] {
  // Of three one is an impostor: the first who is gone ends the game.
  const isLong = seats.length > 3;
  const meets = menu.buttons === true || menu.reports === true;
  return [
    ...presence,
    ...(menu.stops ? [ended] : []),
    ...bodies,
    ...(menu.kills ? kills : []),
    ...(meets ? [...calls, ...meetings] : []),
    ...(menu.reports ? reports : []),
    ...(menu.buttons ? buttons : []),
    ...(menu.sabotages === undefined ? [] : sabotage),
    ...(menu.doors === undefined ? [] : doors),
    ...(menu.vents ? vents : []),
    ...(menu.tasks ? tasks : []),
    ...victory,
    ...(isLong && !options.ghostsDoTasks && (menu.kills || meets) ? [quiet] : []),
    ...witnesses(menu),
    {
      name: 'deadlock-free',
      sentence: 'Until the game is over something can always happen.',
      kind: 'deadlock-free',
    },
  ];
}
