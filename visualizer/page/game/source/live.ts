/** A journal that is being written: lines come one by one from the server, and after a cut from where it was. */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import { lineIn } from './journal.ts';
import { ticketQuery } from './ticket.ts';

/** `next` says that this journal is over and another one is on air. */
export type LiveState = 'connecting' | 'on' | 'cut' | 'over' | 'next';

export type Listener = {
  readonly onLines: (lines: readonly SeenLine[]) => void;
  /** What holds now and is no line. */
  readonly onNews: (text: string) => void;
  readonly onState: (state: LiveState) => void;
};

/** Listens through a lens until the function that is returned is called. */
export function listen(lens: string, { onLines, onNews, onState }: Listener): () => void {
  const events = new EventSource(`events?lens=${encodeURIComponent(lens)}${ticketQuery('&')}`);
  let waiting: SeenLine[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) onLines(lines);
  };
  onState('connecting');
  events.onopen = () => onState('on');
  events.onmessage = ({ data }) => {
    const rows = typeof data === 'string' ? data.split('\n') : [];
    // What comes in one breath is shown in one.
    if (waiting.length === 0) setTimeout(flush, 0);
    for (const row of rows) {
      const line = lineIn<SeenLine>(row);
      if (line !== null) waiting.push(line);
    }
  };
  events.addEventListener('news', ({ data }) => onNews(String(data)));
  events.addEventListener('over', ({ data }) => {
    flush();
    events.close();
    onState(data === 'next' ? 'next' : 'over');
  });
  events.onerror = () => onState('cut');
  return () => events.close();
}
