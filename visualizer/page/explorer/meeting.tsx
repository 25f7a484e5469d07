import { useEffect, useRef } from 'preact/hooks';
import { livingIn, type MeetingState } from '../../../machines/journal/projection.ts';
import { capitalize } from '../../../machines/text.ts';
import { Chip } from '../frame/chip.tsx';
import { Panel, Scroll } from '../frame/panel.tsx';
import { ItemView } from '../game/items.tsx';
import { Candidate, Player } from '../game/players.tsx';
import { listBids } from '../game/story/bids.ts';
import type { FeedEntry, Moment, Story } from '../game/story/story.ts';
import { step, stories, trace } from './visit.ts';

type Items = readonly FeedEntry[];

const SIDES = ['The one', 'The other'] as const;

export function MeetingPane() {
  const [one, other] = stories.value.map(seenOf);
  if (one === undefined) return null;
  return (
    <div class="meetings">
      <Side
        title={other === undefined ? 'The meeting at this step' : SIDES[0]}
        seen={one}
        beside={other ?? null}
      />
      {other === undefined ? null : <Side title={SIDES[1]} seen={other} beside={one} />}
    </div>
  );
}

type ObservedSight = Readonly<{ story: Story; now: Moment | undefined; before: number }>;

function seenOf(story: Story, side: number): ObservedSight {
  const ends = trace.value?.journals[side]?.ends ?? [];
  const at = (steps: number) => {
    const end = ends[Math.min(steps, ends.length - 1)] ?? 0;
    return story.moments[story.stepOf(`${end}`) ?? 0];
  };
  const before = step.value === 0 ? 0 : (at(step.value - 1)?.feedLength ?? 0);
  return { story, now: at(step.value), before };
}

type SideProps = Readonly<{ title: string; seen: ObservedSight; beside: ObservedSight | null }>;

function Side({ title, seen, beside }: SideProps) {
  const { now, story } = seen;
  const sitting = now?.meeting ?? null;
  const phase = sitting?.phase ?? 'not begun';
  return (
    <Panel id={title === SIDES[1] ? 'other' : 'meeting'} title={title} aside={phase}>
      <Feed seen={seen} others={beside && shownItems(beside)} title={title} />
      {sitting === null || now === undefined ? null : (
        <div class="table">
          <Ballots sitting={sitting} now={now} />
          <Priorities sitting={sitting} />
        </div>
      )}
      {story.moments.length === 0 ? <p class="quiet">There is no journal of it.</p> : null}
    </Panel>
  );
}

function shownItems({ story, now }: ObservedSight): Items {
  return story.feed.slice(0, now?.feedLength ?? 0);
}

type FeedProps = Readonly<{ seen: ObservedSight; others: Items | null; title: string }>;

function Feed({ seen, others, title }: FeedProps) {
  const box = useRef<HTMLElement>(null);
  const items = shownItems(seen);
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [items.length, seen.story]);
  return (
    <Scroll label={`${title}: what happened`} box={box}>
      <ol class="items">
        {items.map(({ item }, index) => (
          <li
            key={`${index}`}
            class={`item ${item.type}`}
            data-tone={item.type === 'remark' ? item.tone : undefined}
            data-now={index >= seen.before || undefined}
            data-differs={isOwn(items, others, index) || undefined}
          >
            <ItemView item={item} />
          </li>
        ))}
      </ol>
    </Scroll>
  );
}

/** Whether the other meeting differs there. The first item is the title of the journal. */
function isOwn(items: Items, others: Items | null, index: number): boolean {
  const one = items[index]?.item;
  return (
    index > 0 &&
    others !== null &&
    one !== undefined &&
    JSON.stringify(one) !== JSON.stringify(others[index]?.item)
  );
}

function Ballots({ sitting, now }: { readonly sitting: MeetingState; readonly now: Moment }) {
  const seats = now.players.filter(({ fate, seat }) => fate === 'living' || seat in sitting.locked);
  return (
    <ul class="ballots" aria-label={`Ballots of ${livingIn(now.players).length} living players`}>
      {seats.map(({ seat }) => {
        const ballot = sitting.locked[seat];
        return (
          <li key={seat} data-seat={seat} data-locked={ballot !== undefined || undefined}>
            <Player seat={seat} />
            <span aria-hidden="true">→</span>
            {ballot == null ? <span class="quiet">open</span> : <Candidate ballot={ballot} />}
          </li>
        );
      })}
    </ul>
  );
}

/** Only tables large enough for the real arbiter have scores. */
function Priorities({ sitting: { tick } }: { readonly sitting: MeetingState }) {
  const rows = tick === null ? [] : listBids(tick).filter(({ isEligible }) => isEligible);
  if (rows.length === 0) return null;
  return (
    <ul class="priorities" aria-label="Priorities in the last tick">
      {rows.map(({ seat, total, isWinner }) => (
        <li key={seat} data-winner={isWinner || undefined}>
          <Chip seat={seat} />
          <span class="vh">{capitalize(seat)} </span>
          <b>{total}</b>
          {isWinner ? <span class="mark">▸ floor</span> : null}
        </li>
      ))}
    </ul>
  );
}
