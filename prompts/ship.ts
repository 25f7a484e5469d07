/** The ship: how a round goes, and the map, the same for every player and for the whole game. */
import { type GameOptions, SECONDS_PER_ROUND } from '../machines/rules/gameOptions.ts';
import { neighbours, type ShipMap, SYSTEMS } from '../machines/rules/ship/map.ts';
import { HALLWAYS, type Place } from '../machines/types.ts';
import { listed, section, sections } from './block.ts';
import { GAME } from './rules.ts';

export function shipRules(map: ShipMap, options: GameOptions): string {
  return sections(GAME, roundText(options), mapText(map));
}

function roundText(options: GameOptions): string {
  const { killCooldown, buttons, emergencyCooldown, reactorSeconds, o2Seconds } = options;
  return section('On the ship', [
    `- Time goes in rounds of ${SECONDS_PER_ROUND} s. You are asked only when something happens; until then you go on with what you set out to do. Walking and working take care of themselves.`,
    '- You know what you see from where you stand, and nothing else. Through shut doors nobody sees or walks. While the lights are out crewmates see nobody in rooms.',
    '- Crewmates do the tasks of their list. Impostors can only fake them.',
    `- Impostors kill who is within reach, every ${killCooldown} s at most, use vents, sabotage and shut doors. One system is broken at a time.`,
    `- Reactor: two players hold a panel each, within ${reactorSeconds} s, or the impostors win. O2: one keypad in each of its rooms, within ${o2Seconds} s, or the impostors win. Lights and comms only hinder.`,
    `- Whoever stands at a body can report it: everybody is called to a meeting. The button does the same; it works ${times(buttons)} for each player, not in the first ${emergencyCooldown} s and not during a sabotage.`,
  ]);
}

function times(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${count} times`;
}

function mapText(map: ShipMap): string {
  const { cameras, adminTable, button, doors, vents, consoles } = map;
  const broken = SYSTEMS.filter((system) => consoles[system].length > 0).map(
    (system) => `${system} in ${listed([...new Set(consoles[system])])}`,
  );
  return section(`The map: ${map.name}`, [
    ...waysOf(map).map((way) => `- ${way}`),
    `- The button: ${button}`,
    `- Fixed: ${broken.join('; ')}`,
    ...(doors.length === 0 ? [] : [`- Doors that can be shut: ${doors.join(', ')}`]),
    ...(vents.length === 0
      ? []
      : [
          `- Vents: ${vents.map(({ id, place, links }) => `${id} ${place} (to ${links.join(', ')})`).join('; ')}`,
        ]),
    ...(cameras === null ? [] : [`- Cameras: in ${cameras.at}, show ${cameras.show.join(', ')}`]),
    ...(adminTable === null ? [] : [`- Admin table, how many are in each room: ${adminTable}`]),
  ]);
}

/** What opens to what, each way once: from the hallways first, then from room to room. */
function waysOf(map: ShipMap): readonly string[] {
  const halls: readonly Place[] = HALLWAYS;
  const places = map.places.toSorted(
    (a, b) => Number(halls.includes(b)) - Number(halls.includes(a)),
  );
  const told = new Set<Place>();
  return places.flatMap((place) => {
    told.add(place);
    const ends = neighbours(map, place).filter((end) => !told.has(end));
    return ends.length === 0 ? [] : [`${place}: ${ends.join(', ')}`];
  });
}
