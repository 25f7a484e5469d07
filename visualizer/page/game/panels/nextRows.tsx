/** What can happen next in the chart that is shown, and what refused the last event. */
import { computed } from '@preact/signals';
import { lowerFirst } from '../../../charts/chartWords.ts';
import { type Exit, listPassedOver } from '../../frame/exits.ts';
import { set } from '../../frame/fieldEvents.ts';
import { type NextOffer, Offers } from '../../frame/offers.tsx';
import { Button } from '../../frame/panel.tsx';
import { jumpTo } from '../state/navigation.ts';
import { settledStep, story } from '../state/session.ts';
import { nameMoment, pickedEdge, shownChart, states } from './chart.tsx';
import { exits } from './next.tsx';

const passedOver = computed(() => {
  const taken = states.value.rest?.move.steps.flatMap(({ edges }) => edges) ?? [];
  return listPassedOver(shownChart.value, taken);
});

export function NextRows() {
  const { leaves } = states.value;
  const here = shownChart.value.nodes.find(({ id }) => leaves.includes(id));
  const rows = exits.value;
  return (
    <Offers
      label="Transitions that can happen next"
      open={rows.filter(({ isOpen }) => isOpen).map(readExit)}
      refused={{
        'Refused here': rows.filter(({ isOpen }) => !isOpen).map(readExit),
        'Not taken in the last move': passedOver.value.map(readExit),
      }}
      empty={`Nothing: ${lowerFirst(here?.description ?? '')}`}
    />
  );
}

function readExit({ edge, value, detail, isOpen, isTaken }: Exit): NextOffer {
  const { id, event, condition, name, description, target } = edge;
  const isPicked = pickedEdge.value === id;
  return {
    ...{ id: name, event, edges: [id], title: `${name}. ${description}` },
    to: target === null ? 'stays' : nameState(target),
    guards: condition === null ? [] : [{ text: condition, value, detail }],
    ...(isTaken && !isOpen && { note: 'Another transition takes the event first.' }),
    pick: set(pickedEdge, isPicked ? null : id),
    ...(isPicked && { picked: <Destination exit={edge} /> }),
  };
}

function nameState(id: string): string {
  return shownChart.value.nodes.find((node) => node.id === id)?.name ?? id;
}

function Destination({ exit }: { readonly exit: Exit['edge'] }) {
  const { id, target, source, description } = exit;
  const at = target ?? source;
  const state = shownChart.value.nodes.find((node) => node.id === at);
  const next = states.value.stepsOf(id).find((step) => step > settledStep.value);
  return (
    <p class="leads">
      {description} It {target === null ? 'stays in' : 'leads to'} <b>{nameState(at)}</b>:{' '}
      {state?.description}
      {next === undefined ? null : (
        <Button
          class="small"
          text={`It fires next at ${nameMoment(story.value.moments[next])}`}
          act={() => jumpTo(next)}
        />
      )}
    </p>
  );
}
