/** Alarms: what is broken and how long there is, and how far the tasks are. */
import { ROUND_SECONDS } from '../../../terminal/rounds.ts';
import { SYSTEM_NAMES } from '../story/rounds.ts';
import type { Ship } from '../story/ship.ts';
import { taskBar } from '../story/tasks.ts';

export function Alarms({ ship }: { readonly ship: Ship }) {
  const { crisis } = ship.voyage;
  const bar = taskBar(ship);
  return (
    <div class="alarms">
      {bar === null ? null : (
        <span class="tasks">
          <span
            class="meter"
            aria-hidden="true"
            style={`--share: ${(bar.done / Math.max(1, bar.all)).toFixed(3)}`}
          />
          {bar.words}
        </span>
      )}
      {crisis === null ? null : (
        <strong class="alarm">
          ⚠ {SYSTEM_NAMES[crisis.system]}
          {crisis.left === null
            ? ''
            : `: ${Math.floor(Math.max(0, crisis.left) * ROUND_SECONDS)} s`}
        </strong>
      )}
      {ship.shut.length === 0 ? null : <span class="shut">⛒ doors of {ship.shut.join(', ')}</span>}
    </div>
  );
}
