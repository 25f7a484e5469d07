/** Clocks: what runs down by one with every round. */
import { change, type Draft } from './draft.ts';
import { livingIn } from './world.ts';

export function tick(draft: Draft): void {
  for (const seat of livingIn(draft.world)) {
    const killWait = draft.world.players[seat]?.killWait ?? 0;
    if (killWait > 0) change(draft, seat, { killWait: killWait - 1 });
  }
  const { crisis, sabotageWait, doors, buttonWait } = draft.world;
  draft.world = {
    ...draft.world,
    crisis: crisis === null || crisis.left === null ? crisis : { ...crisis, left: crisis.left - 1 },
    // The clock stands while something is broken.
    sabotageWait: crisis === null ? Math.max(0, sabotageWait - 1) : sabotageWait,
    buttonWait: Math.max(0, buttonWait - 1),
    doors: doors.length === 0 ? doors : doorsAfter(draft),
  };
}

function doorsAfter(draft: Draft) {
  return draft.world.doors.flatMap(({ room, shut, wait }) => {
    if (shut === 1) draft.events.push({ type: 'doors.opened', room });
    const left = { room, shut: Math.max(0, shut - 1), wait: Math.max(0, wait - 1) };
    return left.shut === 0 && left.wait === 0 ? [] : [left];
  });
}
