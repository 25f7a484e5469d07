/** What happens as plain text, to be read as a whole or printed. */
import { set } from '../frame/fieldEvents.ts';
import { Button } from '../frame/panel.tsx';
import { ItemView } from './items.tsx';
import { Player } from './players.tsx';
import { isPlain, isReading, lens, moment, story } from './state/session.ts';
import { type FeedEntry, type GhostMessage, nameLens, readTitle } from './story/story.ts';

export function Transcript() {
  const { feed, gallery, moments } = story.value;
  return (
    <main class="plain" data-moment={moment.value?.name}>
      <header>
        <h1>
          <span class="league">The Glass Box League</span>
          {readTitle(moments[0]?.line)}
        </h1>
        <h2>
          The {isReading.value ? 'beginning of the' : 'whole'} transcript, through the lens{' '}
          {nameLens(lens.value)}: {feed.length} entries{isReading.value ? ', reading on…' : ''}
        </h2>
        <p class="tools">
          <Button text="Back to the glass box" act={set(isPlain, false)} />
          <Button text="Print" isOff={isReading.value} act={() => print()} />
        </p>
      </header>
      <ol class="items">
        {[...feed, ...gallery]
          .toSorted((one, other) => one.step - other.step)
          .map((entry, index) => (
            <Entry key={`${index}`} entry={entry} />
          ))}
      </ol>
    </main>
  );
}

type Entry = FeedEntry | GhostMessage;

function Entry({ entry }: { readonly entry: Entry }) {
  if ('speaker' in entry) {
    return (
      <li class="item haunt">
        <p>
          Ghost <Player seat={entry.speaker} />: {entry.message}
        </p>
      </li>
    );
  }
  const { item } = entry;
  return (
    <li class={`item ${item.type}`} data-tone={item.type === 'remark' ? item.tone : undefined}>
      <ItemView item={item} />
    </li>
  );
}
