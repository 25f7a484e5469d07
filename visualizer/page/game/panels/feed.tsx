/** The feed. Only its last part is in the document; scrolling up adds earlier entries. */
import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../frame/head.tsx';
import { moveFocusInList } from '../../frame/keyboard.tsx';
import { Button, memo } from '../../frame/panel.tsx';
import { ItemView } from '../items.tsx';
import { heldItems, isFollowing, jumpFromFeed } from '../state/navigation.ts';
import { lens, moment, step, story, whyNotes } from '../state/session.ts';
import type { FeedEntry } from '../story/story.ts';

/** Items in the document at first, and with each scroll to the top. */
const ITEMS_SHOWN = 28;
const NEAR_PX = 60;

const more = signal(0);

export function Feed() {
  const box = useRef<HTMLElement>(null);
  const grown = useSignal(0);
  const told = moment.value?.feedLength ?? 0;
  const last = Math.max(told, heldItems.value);
  const first = Math.max(0, last - ITEMS_SHOWN - more.value);
  const items = story.value.feed.slice(first, last);
  const keepPlace = () => {
    const { current } = box;
    if (current === null) return;
    if (isFollowing.value && heldItems.value === 0)
      current.scrollTop = step.value === 0 ? 0 : current.scrollHeight;
    // Keeps the reader's line in place when earlier entries appear above it.
    else if (grown.value > 0) current.scrollTop += current.scrollHeight - grown.value;
    grown.value = 0;
    // On a tall screen nothing scrolls, so earlier entries must come without scrolling up.
    if (first > 0 && current.scrollHeight <= current.clientHeight) more.value += ITEMS_SHOWN;
  };
  useLayoutEffect(() => {
    // Heights are measured after all panels are drawn. Measuring now would lay out the page twice.
    queueMicrotask(keepPlace);
  }, [told, first]);
  const scrolled = () => {
    const { current } = box;
    if (current === null) return;
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    if (isNear !== isFollowing.value && heldItems.value === 0) isFollowing.value = isNear;
    if (current.scrollTop < NEAR_PX && first > 0) {
      grown.value = current.scrollHeight;
      more.value += ITEMS_SHOWN;
    }
  };
  return (
    <section
      class="scroll"
      ref={box}
      onScroll={scrolled}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label="What happened"
    >
      <ol class="items" onKeyDown={moveFocusInList}>
        {items.map((entry, index) => (
          <FeedRow
            key={first + index}
            place={first + index + 1}
            told={entry}
            isNow={entry.step === step.value}
            isLater={first + index >= told}
            isStop={first + index === told - 1}
            credit={findCredit(entry)}
          />
        ))}
      </ol>
    </section>
  );
}

type FeedRowProps = {
  readonly place: number;
  readonly told: FeedEntry;
  readonly isNow: boolean;
  readonly isLater: boolean;
  /** Whether the Tab key stops at its button: it does at one of the list. */
  readonly isStop: boolean;
  readonly credit: string;
};

function findCredit({ step: at, item }: FeedEntry): string {
  if (item.type !== 'speech' || lens.value.type !== 'glass') return '';
  const name = story.value.moments[at]?.name;
  const credit = whyNotes.value?.credits.find((each) => each.at === name);
  if (credit === undefined) return '';
  return `⇄ Without it ${credit.text}${credit.isByStandIns ? ' (played on by stand-ins)' : ''}`;
}

const FeedRow = memo(
  ({ place, told: { step: at, item }, isNow, isLater, isStop, credit }: FeedRowProps) => {
    const tone = item.type === 'remark' ? item.tone : undefined;
    return (
      <li
        class={`item ${item.type}`}
        // Only a part is in the document, and the total is unknown.
        aria-posinset={place}
        aria-setsize={-1}
        data-tone={tone}
        data-now={isNow || undefined}
        data-later={isLater || undefined}
      >
        <ItemView item={item} />
        {credit === '' ? null : (
          <p class="credit" title="Found by playing on (glassbox why)">
            {credit}
          </p>
        )}
        <button
          type="button"
          class="goto"
          tabIndex={isStop ? 0 : -1}
          onClick={() => jumpFromFeed(at)}
          aria-label={`Go to step ${at + 1}`}
          title="Go to this moment"
        >
          <Icon name="locate" />
        </button>
      </li>
    );
  },
);

export function FollowButton() {
  return (
    <Button
      class="small"
      title="Keep the latest in sight (F)"
      text={isFollowing.value ? '↓ Following' : '↓ Follow'}
      isOn={isFollowing.value}
      act={() => {
        isFollowing.value = !isFollowing.value;
        const box = document.querySelector('#feed .scroll');
        if (isFollowing.value && box !== null) box.scrollTop = box.scrollHeight;
      }}
    />
  );
}
