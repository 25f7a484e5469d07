/** The panels without a browser: what the text of each says at a moment of a journal. */
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Lens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { readFacts } from '../../../visualizer/page/build/facts.ts';
import { listTabs, PANELS } from '../../../visualizer/page/game/panels.ts';
import { jumpTo } from '../../../visualizer/page/game/state/navigation.ts';
import {
  length,
  moment,
  openWhole,
  pane,
  startSession,
} from '../../../visualizer/page/game/state/session.ts';
import { recordedGame, recordedMeeting } from './recorded.ts';

const GLASS: Lens = { type: 'glass' };
const LENSES: readonly Lens[] = [GLASS, { type: 'table' }, { type: 'player', seat: 'red' }];
let meeting: readonly Line[];
let game: readonly Line[];

beforeAll(async () => {
  startSession(await readFacts());
  meeting = await recordedMeeting('electrical', 7);
  game = await recordedGame(2);
});

function open(lines: readonly Line[], lens: Lens): void {
  openWhole(lines, lens);
  jumpTo(0);
}

/** What a panel says at the moment that is shown; null while it is not there. */
function textOf(id: string): string | null {
  const panel = PANELS.find((each) => each.id === id);
  if (panel === undefined) throw new Error(`there is no panel ${id}`);
  if (panel.isShown?.() === false) return null;
  return renderToString(h(panel.Component, {}))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** To the first moment of such a line. */
function goTo(type: Line['type']): void {
  for (let step = 0; step < length.value; step++) {
    jumpTo(step);
    if (moment.value?.line.type === type) return;
  }
  throw new Error(`there is no moment of ${type}`);
}

describe('the list of panels', () => {
  test('gives each a name of its own', () => {
    expect(new Set(PANELS.map(({ id }) => id)).size).toBe(PANELS.length);
  });

  test('makes the tabs of a narrow screen, that of the ship where there is one', () => {
    open(game, GLASS);
    expect(listTabs()).toEqual(['story', 'table', 'ship', 'chart', 'minds', 'moments']);
    open(meeting, GLASS);
    expect(listTabs()).toEqual(['story', 'table', 'chart', 'minds', 'moments']);
  });

  test('has the tab that the page begins with', () => {
    expect(listTabs()).toContain(pane.value);
  });
});

test.each(PANELS.map(({ id }) => id))(
  '%s can be drawn at every moment, through each lens',
  (id) => {
    for (const lines of [meeting, game])
      for (const lens of LENSES) {
        open(lines, lens);
        for (let step = 0; step < length.value; step += 7) {
          jumpTo(step);
          expect(() => textOf(id), `${lens.type}, step ${step}`).not.toThrow();
        }
      }
  },
);

describe('the bids of a tick', () => {
  test('say who has the floor, and through the glass why', () => {
    open(meeting, GLASS);
    expect(textOf('bids')).toContain('Nobody has bid yet.');
    goTo('tick.closed');
    expect(textOf('bids')).toMatch(/has the floor\..* Priority, term by term/);
  });

  test('are hidden from the table', () => {
    open(meeting, { type: 'table' });
    goTo('tick.closed');
    expect(textOf('bids')).toContain('The table does not see bids');
  });
});
