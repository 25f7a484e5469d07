/** The switch between what the run is looked at as: a meeting, a way through the chart, a way through the space. */
import { look, type View, view, views } from '../state/visit.ts';

const NAMES: Readonly<Record<View, string>> = {
  meeting: 'Meeting',
  chart: 'Statechart',
  space: 'State space',
};

export function ViewSwitch() {
  return (
    <fieldset class="lenses views">
      <legend class="vh">Look at it as</legend>
      {views.value.map((each, index) => (
        <button
          key={each}
          type="button"
          aria-pressed={view.value === each}
          title={`${NAMES[each]} (${index + 1})`}
          onClick={() => look(each)}
        >
          {NAMES[each]}
        </button>
      ))}
    </fieldset>
  );
}
