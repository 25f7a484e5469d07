/** Alarms: what is broken and how long there is, and how far the tasks are. */

import type { ShipState } from '../../../../machines/journal/projection.ts';
import { SECONDS_PER_ROUND } from '../../../../machines/rules/options.ts';
import { SYSTEM_NAMES } from '../../../text.ts';
import { readTaskBar } from '../story/ship.ts';

export function Alarms({ ship }: { readonly ship: ShipState }) {
  const { sabotage } = ship;
  const bar = readTaskBar(ship);
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
      {sabotage === null ? null : (
        <strong class="alarm">
          ⚠ {SYSTEM_NAMES[sabotage.system]}
          {sabotage.left === null
            ? ''
            : `: ${Math.floor(Math.max(0, sabotage.left) * SECONDS_PER_ROUND)} s`}
        </strong>
      )}
      {ship.shutDoors.length === 0 ? null : (
        <span class="shut">⛒ doors of {ship.shutDoors.join(', ')}</span>
      )}
    </div>
  );
}
