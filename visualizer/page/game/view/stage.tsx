/** The stage: what is going on in letters that are read from afar; only in the layout for a stream. */
import { moment, story } from '../state/session.ts';
import { ItemView } from './items.tsx';

export function Stage() {
  const now = moment.value;
  const last = story.value.feed[(now?.feedLength ?? 0) - 1];
  if (now === undefined || last === undefined) return null;
  const { item } = last;
  return (
    <section
      class={`stage item ${item.type}`}
      aria-label="Now"
      data-tone={item.type === 'remark' ? item.tone : undefined}
    >
      <ItemView item={item} />
    </section>
  );
}
