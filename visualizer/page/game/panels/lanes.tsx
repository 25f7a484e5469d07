/** The messages between the actors of the match, around the step that is shown. */
import { useEffect } from 'preact/hooks';
import {
  ARBITER,
  BIDS,
  GALLERY,
  MEETING,
  MEETING_SESSION,
  ORDERS,
  playerId,
} from '../../../../machines/messages.ts';
import { capitalize } from '../../../../machines/text.ts';
import { COLOURS, type Colour } from '../../../../machines/types.ts';
import { unpackMessages } from '../../../charts/messages.ts';
import { badgeOf } from '../../../text.ts';
import { set } from '../../frame/fieldEvents.ts';
import { ActorLanes, type Lane, type LaneStep } from '../../frame/lanes.tsx';
import { Button, Hidden, Panel } from '../../frame/panel.tsx';
import { jumpTo } from '../state/navigation.ts';
import {
  areLanesOpen,
  describeRefusal,
  isFutureShown,
  lens,
  moment,
  pane,
  settledStep,
  story,
} from '../state/session.ts';
import { describeTime } from '../story/sentences.ts';
import { nameLens, type ToldStep } from '../story/story.ts';

export function LanesPanel() {
  // Another pane replaces this one.
  useEffect(() => set(areLanesOpen, false), [pane.value]);
  const steps = listSteps(story.value.messages, settledStep.value);
  const close = <Button class="small" text="Close" act={set(areLanesOpen, false)} />;
  const isCut = lens.value.type !== 'glass';
  const limits = `The lens ${nameLens(lens.value)} shows only the messages that it knows of.`;
  const note = describeRefusal() || (isCut ? limits : '');
  return (
    <Panel id="lanes" title="Actor lanes" aside={close} isCurrent grows>
      {note === '' ? null : <Hidden>{note}</Hidden>}
      {steps.length === 0 ? null : (
        <ActorLanes
          lanes={listLanes(steps)}
          steps={steps}
          cursor={settledStep.value}
          onGo={jumpTo}
        />
      )}
    </Panel>
  );
}

const MACHINES = ['game', ORDERS, MEETING_SESSION, MEETING, ARBITER, BIDS, GALLERY];

/** The machines that have messages here, and the players of whom the lens shows some anywhere. */
function listLanes(steps: readonly LaneStep[]): readonly Lane[] {
  const used = new Set(
    steps.flatMap(({ messages }) => messages.flatMap(({ from, to }) => [from, ...to])),
  );
  const all: readonly Colour[] =
    lens.value.type === 'glass' ? (moment.value?.players.map(({ seat }) => seat) ?? []) : [];
  return [
    ...MACHINES.filter((id) => used.has(id)).map((id) => ({
      id,
      name: id === MEETING_SESSION ? 'Session' : capitalize(id),
    })),
    ...COLOURS.filter((seat) => all.includes(seat) || used.has(playerId(seat))).map((seat) => ({
      id: playerId(seat),
      name: capitalize(seat),
      seat,
      code: badgeOf(seat).code,
    })),
  ];
}

/** About how many messages are drawn on each side of the cursor. */
const MOST = 40;

function listSteps(told: readonly ToldStep[], cursor: number): readonly LaneStep[] {
  const after = told.findLastIndex(({ step }) => step <= cursor) + 1;
  const earlier = told.slice(Math.max(0, after - MOST), after).toReversed();
  const later = isFutureShown.value ? told.slice(after, after + MOST) : [];
  return [...takeMost(earlier).toReversed(), ...takeMost(later)];
}

function takeMost(told: readonly ToldStep[]): readonly LaneStep[] {
  let left = MOST;
  return told.flatMap(({ step, packed }) => {
    if (left <= 0) return [];
    const messages = packed.flatMap(unpackMessages);
    left -= messages.length;
    const at = story.value.moments[step];
    return { step, title: at === undefined ? '' : describeTime(at), messages };
  });
}
