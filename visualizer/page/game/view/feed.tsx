/**
 * The feed: what has happened, the latest at the bottom.
 *
 * It is scrolled by keys and by playing, never by a click in it. Only its last part is in the document; what came before
 * is fetched when somebody scrolls up to it.
 */
import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../frame/icon.tsx';
import { Panel } from '../../frame/panel.tsx';
import { still } from '../../frame/still.tsx';
import { moment, step, story } from '../state/session.ts';
import { held, isFollowing, pick } from '../state/travel.ts';
import type { FeedEntry } from '../story/story.ts';
import { ItemView } from './items.tsx';

/** Items in the document at first, and with each scroll to the top. */
const SHOWN = 28;
/** Pixels from the end that still count as being at the end. */
const NEAR = 60;

const more = signal(0);

export function Feed() {
  const box = useRef<HTMLElement>(null);
  const grown = useSignal(0);
  const told = moment.value?.feedLength ?? 0;
  const last = Math.max(told, held.value);
  const first = Math.max(0, last - SHOWN - more.value);
  const items = story.value.feed.slice(first, last);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    if (isFollowing.value && held.value === 0) current.scrollTop = current.scrollHeight;
    // What was put above pushes the rest down; the reader's line stays where it was.
    else if (grown.value > 0) current.scrollTop += current.scrollHeight - grown.value;
    grown.value = 0;
    // A tall screen has room for more, and what does not scroll can't be scrolled up to what came before.
    if (first > 0 && current.scrollHeight <= current.clientHeight) more.value += SHOWN;
  }, [told, first]);
  const scrolled = () => {
    const { current } = box;
    if (current === null) return;
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
    if (isNear !== isFollowing.value && held.value === 0) isFollowing.value = isNear;
    if (current.scrollTop < NEAR && first > 0) {
      grown.value = current.scrollHeight;
      more.value += SHOWN;
    }
  };
  return (
    <Panel id="feed" title="What happens" aside={<Follow />}>
      <section
        class="scroll"
        ref={box}
        onScroll={scrolled}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="What happened"
      >
        <ol class="items" style={`counter-reset: item ${first}`}>
          {items.map((entry, index) => (
            <Row
              key={first + index}
              place={first + index + 1}
              told={entry}
              isNow={entry.step === step.value}
              isLater={first + index >= told}
            />
          ))}
        </ol>
      </section>
    </Panel>
  );
}

type RowProps = {
  /** In all that was told, from 1. */
  readonly place: number;
  readonly told: FeedEntry;
  readonly isNow: boolean;
  readonly isLater: boolean;
};

/** Most rows are the same from one step to the next. */
const Row = still(({ place, told: { step: at, item }, isNow, isLater }: RowProps) => {
  const tone = item.type === 'remark' ? item.tone : undefined;
  return (
    <li
      class={`item ${item.type}`}
      // Only a part is in the document, and how much is to come nobody tells.
      aria-posinset={place}
      aria-setsize={-1}
      data-tone={tone}
      data-now={isNow || undefined}
      data-later={isLater || undefined}
    >
      <ItemView item={item} />
      <button
        type="button"
        class="goto"
        onClick={() => pick(at)}
        aria-label={`Go to step ${at + 1}`}
        title="Go to this moment"
      >
        <Icon name="locate" />
      </button>
    </li>
  );
});

function Follow() {
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isFollowing.value}
      title="Keep the latest in sight (F)"
      onClick={() => {
        isFollowing.value = !isFollowing.value;
        const box = document.querySelector('#feed .scroll');
        if (isFollowing.value && box !== null) box.scrollTop = box.scrollHeight;
      }}
    >
      {isFollowing.value ? '↓ Following' : '↓ Follow'}
    </button>
  );
}
