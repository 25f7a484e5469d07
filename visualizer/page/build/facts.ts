/** Facts: what the page must know of the machines and the ship that run, read from them when it is built. */
import { gameMachine } from '../../../machines/charts/game.ts';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import { playerMachine } from '../../../machines/charts/player.ts';
import { FORMAT } from '../../../machines/journal/lines.ts';
import { SKELD } from '../../../machines/rules/ship/map.ts';
import { taskSites } from '../../../machines/rules/ship/tasks.ts';
import { readChart } from '../../charts/chart.ts';
import type { BuildFacts } from '../game/story/pageData.ts';
import { drawing, phasesOf } from './drawing.ts';

export async function factsNow(): Promise<BuildFacts> {
  const [meeting, game] = [readChart(meetingMachine), readChart(gameMachine)];
  return {
    format: FORMAT,
    charts: {
      meeting: await drawing(meeting),
      game: await drawing(game),
      player: await drawing(readChart(playerMachine)),
      meetingPhases: await drawing(phasesOf(meeting)),
      gamePhases: await drawing(phasesOf(game)),
    },
    skeld: { ...SKELD, tasks: taskSites(SKELD) },
  };
}
